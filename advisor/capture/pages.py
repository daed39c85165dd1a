"""The capture inside of a page, a mail, or a list of strings: tags, fences, escapes are taken off.

What is left has as many lines, and each keeps its number. A file in which one line holds many
of a capture stays as it is.
"""

import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from quopri import decodestring
from typing import Final

from advisor.capture.outputs import any_opening
from advisor.ios import pattern
from advisor.ios.grammar import JUDGED
from advisor.ios.syntax import TextLines
from advisor.ios.terminal import decode, prompt_of

_NEGATION: Final = "no"
_TYPED: Final = re.compile(r"[^\s(]*+\(conf[^()]*+\)#")
_FEWEST_HEADS: Final = 2
_HEAD: Final = re.compile(
    r"""(?: hostname[ ]\S+$ | version[ ]\d+\.\d | interface[ ][A-Za-z][\w-]*[ ]?\d
      | policy-map[ ]\S+$ | class-map[ ]\S | Building[ ]configuration | router[ ]\w+
      | Current[ ]configuration | ip[ ](?:route|cef|access-list)\b | line[ ](?:con|vty|aux)\b
      | [-=*\#]{3,}[ ]?sho?w?[ ] )""",
    re.VERBOSE | re.IGNORECASE,
)


def is_command(line: str) -> bool:
    """Whether a line begins with a command of a section that is judged."""
    said = line.strip()
    prompt = _TYPED.match(said)
    words = said[prompt.end() if prompt else 0 :].lower().split(None, 2)
    if words[:1] == [_NEGATION]:
        del words[0]
    return bool(words) and words[0] in JUDGED


def holds_capture(lines: Iterable[str]) -> bool:
    """Whether lines at the margin are prompts with commands, or heads of a configuration."""
    heads = 0
    for line in lines:
        if _HEAD.match(line):
            heads += 1
        prompt = prompt_of(line.rstrip()) if "#" in line or ">" in line else None
        if heads >= _FEWEST_HEADS or (prompt is not None and prompt.command):
            return True
    return False


def is_sign(line: str) -> bool:
    """Whether a line at the margin is a prompt, a head, or the first line of an output."""
    return (
        _HEAD.match(line) is not None
        or any_opening().match(line) is not None
        or (("#" in line or ">" in line) and prompt_of(line.rstrip()) is not None)
    )


_NAME: Final = re.compile(r"(?s:.*)[ \t:|>\])*/+]")
_FEWEST_NAMED: Final = 5


def shared_start(lines: Sequence[str]) -> str:
    """The common beginning of all lines."""
    first, last = min(lines, default=""), max(lines, default="")
    pairs = zip(first, last, strict=False)
    return first[: next((at for at, (one, other) in enumerate(pairs) if one != other), len(first))]


def shared_name(lines: Sequence[str]) -> str:
    """The common beginning of all lines, up to a mark or a blank: as the name of a host.

    Empty where they share blanks alone, or are too few to tell.
    """
    name = _NAME.match(shared_start(lines)) if len(lines) >= _FEWEST_NAMED else None
    return name[0] if name is not None and name[0].strip() else ""


def leave_out(lines: list[str], prose: Sequence[int]) -> None:
    """Blank the lines around a capture, unless one of them may be of a capture."""
    if not any(is_sign(lines[row]) or is_command(lines[row]) for row in prose):
        for row in prose:
            lines[row] = ""


# Marks that set a capture off: looked for in every file, so it has to be cheap.
_SIGNS: Final = (  # each behind a byte that few files have
    (b"`", (b"```",)),
    (b"~", (b"~~~",)),
    (b"]", (b"code]", b"CODE]", b"quote]", b"poiler]", b"CDATA[")),
    (b"{", (b"{code", b"{noformat", b"{panel", b"{quote")),
    (
        b"<",
        (b"<pre", b"<PRE", b"<br", b"<td", b"<li", b"<p>", b"<p ", b"<div", b"<code>", b"<text"),
    ),
    (b"#+", (b"_EXAMPLE", b"_SRC")),
    (b"8<", (b"--8<--",)),
    (b'",', (b'",\n', b'",\r')),
    (b'"\n"', (b'"\n"',)),
)
_OF_A_MAIL: Final = re.compile(rb"[Qq]uoted-[Pp]rintable")
_HEAD_BYTES: Final = 2048

_FENCE: Final = re.compile(
    r"""\s*(?: (?:`{3,8}|~{3,8})[\w-]{0,16}
      | \[/?(?:code|pre|quote|spoiler)[^\]]{0,40}\] | \{(?:code|noformat|panel|quote)[^}]{0,60}\}
      | \#\+(?:begin|end)_(?:example|src)\b.{0,20} | -{2,}8<-{2,}
      | </?(?:code|textarea)\b[^<>]{0,60}>
      )\s*$""",
    re.IGNORECASE | re.VERBOSE,
)
_TAG: Final = re.compile(
    r"""</?(?:pre|code|p|br|div|span|tt|b|i|html|body|head|title|font|em|strong|u|s|a|samp|kbd|small
         |table|thead|tbody|tr|td|th|ol|ul|li|textarea|h\d|o:p)(?:\s[^<>]*)?/?>
      | <!\[CDATA\[ | \]\]>""",
    re.IGNORECASE | re.VERBOSE,
)
_CELLS: Final = re.compile(r"</t([dh])>\s*<t[dh]\b[^<>]*>", re.IGNORECASE)
# Several lines of a page in one line of the file: without the tags they would be one word.
_JOINED: Final = re.compile(
    r"<br ?/?>\s*[^\s<]|</(p|div|li|tr)>\s*<\1\b[^<>]*>\s*(?!<o:p>)[^\s<]", re.IGNORECASE
)
_PAGE: Final = pattern(r"<(?:pre|br|td|li|p|div|textarea)\b|<!\[CDATA\[", re.IGNORECASE)
_PRE: Final = re.compile(r".*</?pre\b", re.IGNORECASE)
_OPENS: Final = re.compile(r"<pre|<code|<textarea|\[code|\+begin_")
_CLOSES: Final = re.compile(r"/|\+end_", re.IGNORECASE)


def may_be_page(payload: bytes) -> bool:
    """Whether a file may be a page, a mail or a list of strings."""
    return _OF_A_MAIL.search(payload, 0, _HEAD_BYTES) is not None or any(
        byte in payload and any(sign in payload for sign in signs) for byte, signs in _SIGNS
    )


def without_page(lines: list[str]) -> list[str]:
    """Lines without what a page, a mail or a list of strings puts around them."""
    return _without_fences(_without_quotes(_decoded(lines)))


def _without_fences(lines: list[str]) -> list[str]:
    """Take fences off, the tags and entities of a page, and the prose behind a closed fence."""
    plain = lines
    is_page = any(map(_PAGE.search, lines))
    if is_page and not any(map(_JOINED.search, lines)):
        cells = (_CELLS.sub(" ", line) for line in lines)
        plain = [html.unescape(_TAG.sub("", line)) for line in cells]
    plain = ["" if _FENCE.match(line) else line for line in plain]
    is_open: bool | None = None
    prose: list[int] = []
    for row, line in enumerate(lines):
        if (fence := _FENCE.match(line) or _PRE.match(line)) is None:
            prose += [row] if is_open is False else []
            continue
        leave_out(plain, prose)
        prose = []
        opens = _OPENS.search(fence[0].lower())
        is_open = _CLOSES.search(fence[0]) is None and (opens is not None or not is_open)
    leave_out(plain, prose)
    return plain


# Mail that writes signs as `=3D`, and breaks long lines with `=` at their ends.

_PRINTABLE: Final = pattern(r"content-transfer-encoding:\s*quoted-printable\b", re.IGNORECASE)
_LINES_OF_A_HEAD: Final = 60
_SOFT_END: Final = "="


def _decoded(lines: list[str]) -> list[str]:
    """Decode the lines below a head that says quoted-printable; what was one line stands in it."""
    heads = (row for row, line in enumerate(lines[:_LINES_OF_A_HEAD]) if _PRINTABLE.match(line))
    head = next(heads, None)
    if head is None:
        return lines
    plain = [""] * len(lines)
    first = head + 1
    for row, line in enumerate(lines[first:], first):
        if line.endswith(_SOFT_END) and row + 1 < len(lines):
            continue
        broken = "".join(part.removesuffix(_SOFT_END) for part in lines[first : row + 1])
        plain[first] = decode(decodestring(broken.encode()))[0]
        first = row + 1
    return plain


# Lists of strings, one a line: JSON, `stdout_lines` of Ansible, cells of CSV.

_STRING: Final = re.compile(r'\s*(?:-\s+)?(?:\d{1,7},)?("(?:[^"\\]|\\.|"")*+"),?\s*$')
_ENDS_OF_A_STRING: Final = ('"', '",')
_FEWEST_STRINGS: Final = 3
_COMMAND_OF_LIST: Final = re.compile(r'\s*"(sho?w?\s[^"\\]*)":\s*\[\s*$')
_FRAME: Final = re.compile(
    r"""\s*+(?: [\s\[\]{},]*+ | \w+:\s\[[^\]]*\]\s=>\s\{
      | "[\w.-]+":(?:[\[{\s]++|\s*+(?:true|false|null|-?\d[\d.]*|"[^"\\]*")),? )$""",
    re.VERBOSE,
)
_LINES_BESIDE: Final = "_lines"  # `stdout` beside `stdout_lines` is the same text once more


def _without_quotes(lines: list[str]) -> list[str]:
    """Take strings out of their quotes where they are the lines of a capture."""
    strings = {
        row: _unquoted(match[1])
        for row, line in enumerate(lines)
        if line.endswith(_ENDS_OF_A_STRING) and (match := _STRING.match(line)) is not None
    }
    if len(strings) < _FEWEST_STRINGS or not holds_capture(strings.values()):
        return lines
    is_twice = any(_LINES_BESIDE in line for line in lines)
    plain = []
    for row, line in enumerate(lines):
        text = strings.get(row)
        if text is None:
            command = _COMMAND_OF_LIST.match(line)
            plain.append(command[1] if command else "" if _FRAME.match(line) else line)
        else:
            is_whole = "\n" in text.rstrip()
            plain.append(("" if is_twice else line) if is_whole else text.rstrip("\r\n"))
    return plain


def _unquoted(quoted: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        return quoted[1:-1].replace('""', '"')


# Rows of prose, and of other programs, behind what a device printed.

# A shell, Ansible, the line of a chat, and a line between rules.
_OF_OTHERS: Final = pattern(
    r"""[\w.-]{1,40}@[\w.-]{1,60}:\S{0,60}[$#][ ] | (?:PLAY|TASK|PLAY[ ]RECAP)[ ](?:\[|\*{3})
      | \[\d\d?:\d\d[^\]\n]{0,24}\][ ]\w[\w. ]{0,30}:[ ] | ={3,}[ ][^=\n]{1,60}[ ]={3,}\s*$""",
    re.VERBOSE,
)

_STOPS: Final = (":", ".", "?", "!")
_FEWEST_WORDS: Final = 4  # of a sentence
_MOST_LINES: Final = 8  # of a paragraph


def prose_rows(text: TextLines) -> Iterator[tuple[int, None]]:
    """The rows in the first column that no output has: sentences, and what other programs print."""
    for row, line in enumerate(text.lines):
        is_prose = line[:1].strip() and is_sentence(line) and line.rstrip()[-1] != ":"
        if is_prose or _OF_OTHERS.match(line):
            first = row
            while row - first < _MOST_LINES and first and _is_of_paragraph(text.lines[first - 1]):
                first -= 1
            is_apart = first == 0 or not text.lines[first - 1].strip()
            yield first if is_prose and is_apart else row, None


def _is_of_paragraph(line: str) -> bool:
    return bool(line[:1].strip()) and not any(map(str.isdigit, line))


def is_sentence(line: str) -> bool:
    """Whether a line is the end of a sentence that somebody wrote."""
    words = line.split()
    is_prose = len(words) >= _FEWEST_WORDS and words[-1].endswith(_STOPS)
    return is_prose and words[0].istitle() and all(map(str.islower, words[1:_FEWEST_WORDS]))
