"""From bytes to the text that a terminal shows; device prompts, and the commands typed there."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.units import whole
from advisor.ios import pattern
from advisor.ios.grammar import words_of

_BACKSPACE, _RETURN, _ESCAPE = "\b", "\r", "\x1b"
_NOT_SHOWN: Final = "\0\a\ufeff"

# A byte-order mark that remains after decoding is as invisible as a bell.
_LONE_RETURN: Final = pattern("\r(?!\n|\r|\\Z)")
_SEQUENCE: Final = pattern(
    r"\x1b(?:\[([0-9;?]*)([@-~])|\][^\a\x1b]*\a?|[()][A-Za-z0-9]|.?)", re.DOTALL
)

# IOS erases ` --More-- ` with nine backspaces, eight blanks and nine backspaces; a log without
# the backspaces keeps the blanks.
_PAGER: Final = pattern(r"\s*(?:--More--|-+ ?More ?-+|<-+ ?More ?-+>)\s?(?: {8})?")

_BOMS: Final = (
    (b"\xef\xbb\xbf", ("utf-8-sig",)),
    (b"\xff\xfe\0\0", ("utf-32", "utf-32-le", "utf-16")),
    (b"\0\0\xfe\xff", ("utf-32", "utf-32-be")),
    (b"\xff\xfe", ("utf-16", "utf-16-le")),
    (b"\xfe\xff", ("utf-16", "utf-16-be")),
)

# Blanks of web pages and mails: one that is as wide as a letter M stands for two.
_OTHER_BLANK: Final = pattern("[\xa0\u1680\u2000-\u200d\u202f\u205f\u2060\u3000]")
_WIDE_BLANKS: Final = "\u2001\u2003\u3000"
_PAGE_ENDS: Final = pattern(r"^\f+", re.MULTILINE)  # of a printer, ahead of the line that follows
# Mail programs and word processors put these in place of the hyphen of a keyword or a name.
_OTHER_HYPHEN: Final = pattern(r"(?<=[A-Za-z0-9])[\u2010-\u2013\u2212](?=[A-Za-z0-9])")
_NO_WIDTH: Final = "\u200b\u200c\u200d\u2060"

_LOOK_BYTES: Final = 8192
_FEWEST_WIDE: Final = 2  # characters that tell a width
_UTF_16_SHARE: Final = 0.8  # of characters that have a NUL: those of ASCII and Latin-1
# Telnet sends NUL behind CR (RFC 854); terminals of paper needed some behind a line.
_PADDED_END: Final = pattern("([\r\n])\0+")
_NO_TEXT: Final = pattern("[\x01\x02\x04-\x07\x0e-\x1a\x1c-\x1f\x7f]")
_NO_TEXT_SHARE: Final = 0.01
_NUL_SHARE: Final = 0.1


def text_of(payload: bytes) -> str:
    r"""Text of a file without the NULs that a terminal does not show; what is binary keeps them.

    Where no line feed stands in the text, carriage returns end its lines, as old editors write. Any
    blank of Unicode is a blank.

    >>> text_of(b"hostname R1\rip cef\r")
    'hostname R1\nip cef\n'
    """
    text = decode(payload)[0]
    if "\n" not in text:
        text = text.replace("\r", "\n")
    if "\f" in text:
        text = _PAGE_ENDS.sub("", text)
    if not text.isascii():
        text = _OTHER_HYPHEN.sub("-", _OTHER_BLANK.sub(_plain_blank, text))
    return text if "\0" not in text or is_binary(payload) else text.replace("\0", "")


def _plain_blank(blank: re.Match[str]) -> str:
    if blank[0] in _NO_WIDTH:
        return ""
    return "  " if blank[0] in _WIDE_BLANKS else " "


def has_other_blanks(payload: bytes) -> bool:
    """Whether blanks stand in a file that are none of ASCII, or what takes no place."""
    return not payload.isascii() and _OTHER_BLANK.search(decode(payload)[0]) is not None


def is_binary(payload: bytes) -> bool:
    """Say whether a file is no text: an image, an archive, a program."""
    head = payload[:_LOOK_BYTES]
    if b"\0" not in head or _wide_encoding(head):
        return False
    text = _PADDED_END.sub(r"\1", decode(payload)[0][:_LOOK_BYTES])
    nul_count = text.rstrip("\0").count("\0")
    text = text.replace("\0", "")
    return nul_count >= len(text) * _NUL_SHARE or (
        len(_NO_TEXT.findall(text)) > len(text) * _NO_TEXT_SHARE
    )


def _wide_encoding(payload: bytes) -> tuple[str, ...]:
    """Name of UTF-16 without a mark, if NUL is one byte of most characters and never the other."""
    head = payload[:_LOOK_BYTES]
    even, odd = head[::2], head[1::2]
    if len(odd) < _FEWEST_WIDE:
        return ()
    if not even.count(0) and odd.count(0) > len(odd) * _UTF_16_SHARE:
        return ("utf-16-le",)
    if not odd.count(0) and even.count(0) > len(even) * _UTF_16_SHARE:
        return ("utf-16-be",)
    return ()


def decode(payload: bytes) -> tuple[str, str]:
    """Decode a file.

    A byte-order mark decides. Without one it is UTF-16 if its NULs stand like those of UTF-16,
    UTF-8 if the bytes are valid UTF-8, else Latin-1, which takes any byte.

    Returns
    -------
    tuple[str, str]
        The text and the name of its encoding: `text.encode(encoding)` gives the payload back.
    """
    marked = (names for mark, names in _BOMS if payload.startswith(mark))
    candidates: tuple[str, ...] = next(marked, ()) or _wide_encoding(payload)
    for encoding in (*candidates, "utf-8"):
        try:
            text = payload.decode(encoding)
            if text.encode(encoding) == payload:
                return text, encoding
        except UnicodeError:
            continue
    return payload.decode("latin-1"), "latin-1"


def has_residue(text: str) -> bool:
    """Say whether a text needs a terminal to resolve it: backspaces, lone CRs, escapes."""
    has_control = "\b" in text or "\x1b" in text or "\0" in text or "\a" in text
    is_overwritten = "\r" in text and _LONE_RETURN.search(text) is not None
    return has_control or is_overwritten or "\ufeff" in text


def render(line: str) -> str:
    """Show one line as a terminal would: later characters overwrite earlier ones."""
    if not has_residue(line):
        return line.rstrip("\r\n")
    cells: list[str] = []
    column = position = 0
    line = line.rstrip("\r\n")
    while position < len(line):
        char = line[position]
        position += 1
        if char == _BACKSPACE:
            column = max(0, column - 1)
        elif char == _RETURN:
            column = 0
        elif char == _ESCAPE:
            sequence = _SEQUENCE.match(line, position - 1)
            if sequence is not None:
                position = sequence.end()
                column = _moved(cells, column, sequence[1] or "", sequence[2] or "")
        elif char not in _NOT_SHOWN:
            cells[column : column + 1] = char
            column += 1
    return "".join(cells)


def _moved(cells: list[str], column: int, argument: str, letter: str) -> int:
    """Apply one escape sequence; ignore it if it does not move the cursor or erase."""
    is_count = argument.isascii() and argument.isdecimal() and len(argument) < 4  # noqa: PLR2004
    count = whole(argument) if is_count else 1
    if letter == "D":
        return max(0, column - count)
    if letter == "C":
        return min(len(cells), column + count)
    if letter == "G":
        return min(len(cells), max(0, count - 1))
    if letter == "K":
        del cells[0 if argument == "2" else column :]
        return min(column, len(cells))
    return column


def without_pager(line: str) -> tuple[str, bool]:
    """Remove the prompt of the pager from the start of a line; say whether there was one."""
    pager = _PAGER.match(line)
    if pager is None:
        return line, False
    return line[pager.end() :], True


# Device prompts, and the exec commands that are typed after them.

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
