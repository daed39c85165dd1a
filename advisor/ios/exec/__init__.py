"""Device prompts, and the exec commands that are typed after them."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ios.grammar import words_of

_PROMPT: Final = re.compile(
    # Name, `%VRF` of `routing-context`, mode, sign, command.
    r"([A-Za-z0-9][\w.\-/:@+~]*)(?:%[\w.\-]{1,32})?(?:\(([\w\-+./ ]{0,60})\))?([#>])[ \t]?(.*)",
    re.DOTALL,
)
SCROLLED: Final = "$"  # IOS shows it for the start of a command line that is too long to show
_CONFIG_MODES: Final = ("config", "conf-", "cfg", "vlan")

_FIRST_WORDS: Final = words_of("first-words")["exec"]
_SHORTEST_ABBREVIATION: Final = 2


class Prompt(Struct, frozen=True):
    """A prompt and the command typed after it.

    `mode` is the text in brackets (`config-if`), empty at the exec prompt.
    """

    host: str
    mode: str
    command: str

    @property
    def is_config(self) -> bool:
        """Whether a configuration command follows."""
        return self.mode.startswith(_CONFIG_MODES)


def is_exec_command(text: str) -> bool:
    """Say whether a text starts with an exec command, in full or abbreviated as IOS allows."""
    word = text.split(None, 1)[0].lower() if text.strip() else ""
    if len(word) < _SHORTEST_ABBREVIATION:
        return word in ("?", "q")
    return any(command.startswith(word) for command in _FIRST_WORDS)


def split_prompt(line: str) -> tuple[str, Prompt] | None:
    """Split a line behind what has the form of a prompt, whatever was typed there.

    Returns
    -------
    tuple[str, Prompt] | None
        The prompt as it stands, and its parts; `command` as it was typed.
    """
    match = _PROMPT.match(line)
    if match is None:
        return None
    host, mode, _, command = match.groups()
    return line[: match.start(4)], Prompt(host, mode or "", command)


def prompt_of(line: str) -> Prompt | None:
    """Read the prompt at the start of a line as a terminal shows it.

    Returns
    -------
    Prompt | None
        None if the line has no prompt. A line like `Device#   PID` has none: after the exec
        prompt, the line must end or an exec command must follow.
    """
    split = split_prompt(line)
    if split is None:
        return None
    head, typed = split
    again = split_prompt(typed.command)
    if again is not None and again[1].host == typed.host:
        head, typed = again  # IOS shows its prompt once more behind a message, or a key
    command = typed.command
    prompt = Prompt(typed.host, typed.mode, command.strip())
    if prompt.is_config:
        return prompt if head.rstrip().endswith("#") else None
    if not prompt.command or command.startswith(SCROLLED):
        return prompt
    if command.startswith(("  ", "\t")) or not is_exec_command(command):
        return None
    return prompt


def typed_text(line: str) -> str:
    """Return a line of a configuration without the prompt that it may be typed at.

    >>> typed_text("r1(config-if)#mtu 1500"), typed_text(" mtu 1500")
    ('mtu 1500', 'mtu 1500')
    """
    prompt = prompt_of(line.strip()) if "#" in line else None
    return prompt.command if prompt is not None and prompt.is_config else line.strip()


def hosts_typed_at(lines: Sequence[str]) -> frozenset[str]:
    """Devices at whose prompts commands are typed that IOS knows."""
    prompts = (prompt_of(line.rstrip()) for line in lines if "#" in line or ">" in line)
    return frozenset(prompt.host for prompt in prompts if prompt is not None and prompt.command)


def own_prompt(line: str, hosts: Collection[str]) -> Prompt | None:
    """The prompt that a line starts with; at that of one of the hosts, anything may be typed.

    IOS takes the name of a host for `telnet`, the number of a session for `resume`.
    """
    if "#" not in line and ">" not in line:
        return None
    prompt = prompt_of(line.rstrip())
    split = split_prompt(line.rstrip()) if prompt is None else None
    if split is None:
        return prompt
    typed = split[1]
    is_own = typed.host in hosts and not typed.mode
    if not is_own or typed.command.startswith(("  ", "\t")):
        return None
    return replace(typed, command=typed.command.strip())
