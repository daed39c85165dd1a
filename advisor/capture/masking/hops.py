"""Hops from device to device: where they lead stays, who logs in and with what goes."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from advisor.capture.masking.words import BLOB, REMOVED, is_interface, is_name, is_number
from advisor.ios.patterns import pattern

# The commands that hop, each with the letters that tell it from others.
_COMMANDS: Final[Mapping[str, int]] = {"telnet": 3, "ssh": 3, "rlogin": 3, "connect": 4}
# Options whose values are no secrets.
_SHOWN: Final[Mapping[str, Callable[[str], bool]]] = {
    "-p": is_number,
    "-v": is_number,
    "-vrf": is_name,
    "/vrf": is_name,
    "/source-interface": is_interface,
}
_HIDDEN: Final = frozenset(("-l", "-c", "-m", "-o", "-i", "-F", "-b", "-J", "-L", "-R", "/encrypt"))
_HOST: Final = pattern(r"[\w.:-]{1,80}")
# A hop from a Unix host; behind `#` and `>` commands are typed at the prompt of a device.
_UNIX: Final = pattern(
    r"(?:[^\s#>$%]{0,80}[$%]|[^#>$%\n]{0,80}[\s\]~:\\][#>$%]|[^\x00-\x7f]) ?(?=(?:ssh|telnet) )"
)
_NOBODY: Final = "removed$ "
_LONGEST_PORT: Final = 5  # digits
_TO: Final = r"[\w.:-]{1,80}"
_ADDRESS: Final = r"[\da-fA-F.:]{2,39}"
# What IOS and Unix print of a hop. What answers to a name is a host.
_PRINTED: Final = pattern(
    rf"""Trying[ ]{_TO}(?:,[ ]\d{{1,5}})?(?:[ ]?\({_ADDRESS}(?:,[ ]\d{{1,5}})?\))?
            [ ]{{0,3}}\.\.\.[ ]?Open
      | Trying[ ]{_ADDRESS}(?:,[ ]\d{{1,5}})?[ ]{{0,3}}\.\.\.
      | Connected[ ]to[ ]{_TO}
      | \[Resuming[ ]connection[ ]\d{{1,3}}[ ]to[ ]{_TO}[ ]{{0,3}}(?:\.\.\.)?[ ]?\]?
      | \[?Connection[ ](?:to[ ]{_TO}[ ])?closed(?:[ ]by[ ](?:foreign|remote)[ ]host)?\.?\]?
      | \[?Connection[ ]closed[ ]by[ ]{_ADDRESS}(?:[ ]port[ ]\d{{1,5}})?
      | Closing[ ]connection[ ]to[ ]{_ADDRESS}[ ]\[confirm\]
      | Escape[ ]character[ ]is[ ]'\^\S'\.
      | ([=*\#-])\1{{2,}}[ ]\d{{1,3}}(?:\.\d{{1,3}}){{3}}[ ]\1{{3,}}
      | User[ ]Access[ ]Verification | Username: | Password:
    """,
    re.VERBOSE,
)
_ASKED: Final = "Username:"
_ASKED_OF: Final = pattern(rf"\(?\S{{1,64}}@({_TO})('s password:|\) Password:)")  # by OpenSSH
_SPAWN: Final = "spawn "  # of Expect
_SIGNS: Final = (
    *("Trying", "onnect", "Escape", "User", "assword:", "ssh ", "telnet ", "login ", "== ", "-- "),
    *("** ", "## "),
)


def mask_hop_line(text: str) -> str | None:
    """Return a line of a hop without who logs in; None for a line of another kind.

    What is typed behind `Password:` makes the line one of another kind.

    Examples
    --------
    >>> mask_hop_line("Trying 192.0.2.5 ... Open"), mask_hop_line("Username: bob")
    ('Trying 192.0.2.5 ... Open', 'Username: <removed>')
    >>> mask_hop_line("bob@jump:~$ ssh bob@192.0.2.5"), mask_hop_line("Password: xyz")
    ('removed$ ssh <removed>@192.0.2.5', None)
    """
    if not any(sign in text for sign in _SIGNS):
        return None
    line = text.strip()
    if _PRINTED.fullmatch(line) is not None and BLOB.search(line) is None:
        return text
    if line.startswith(_ASKED):
        return f"{_ASKED} {REMOVED}"
    asked = _ASKED_OF.fullmatch(line)
    if asked is not None:
        return f"{'(' if asked[2].startswith(')') else ''}{REMOVED}@{asked[1]}{asked[2]}"
    if line.startswith(_SPAWN):
        spawned = masked_hop(line.split()[1:] or [""])
        return None if spawned is None else f"{_SPAWN}{spawned}"
    at_unix = _UNIX.match(line)
    hop = None if at_unix is None else masked_hop(line[at_unix.end() :].split())
    return None if hop is None else f"{_NOBODY}{hop}"


def masked_hop(words: Sequence[str]) -> str | None:
    """Return a command that hops without what may be a secret; None for any other command.

    Examples
    --------
    >>> masked_hop(["telnet", "192.0.2.5", "2001"]), masked_hop(["ssh", "-l", "bob", "r2"])
    ('telnet 192.0.2.5 2001', 'ssh -l <removed> r2')
    """
    head = words[0].lower()
    is_hop = any(len(head) >= least and full.startswith(head) for full, least in _COMMANDS.items())
    return " ".join((words[0], *_arguments(words[1:]))) if is_hop else None


def _arguments(words: Sequence[str]) -> Iterator[str]:
    """Options, the host and its port; from the first other word on all goes."""
    rest = iter(words)
    host = None
    for word in rest:
        if word in _SHOWN or word in _HIDDEN:
            value = next(rest, None)
            yield word
            if value is not None:
                yield value if word in _SHOWN and _SHOWN[word](value) else REMOVED
        elif host is None and (target := _target(word)) is not None:
            host = target
            yield target
        elif host is not None and is_number(word) and len(word) <= _LONGEST_PORT:
            yield word
        else:
            yield REMOVED
            return


def _target(word: str) -> str | None:
    """The host of a hop, without the user ahead of it."""
    user, at, host = word.rpartition("@")
    if _HOST.fullmatch(host) is None or not is_name(host) or host.startswith("-"):
        return None
    return f"{REMOVED}@{host}" if at and user else host
