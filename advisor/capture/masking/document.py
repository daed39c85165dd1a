"""Masks captures line by line, by the kind of each section; whatever may be a secret is removed."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.capture.broken_lines import is_logged, logged_head
from advisor.capture.clock import without_stamp
from advisor.capture.cuts import read_capture
from advisor.capture.masking.exec import mask_command, mask_hop_line
from advisor.capture.masking.line import is_prompt, mask_line, mask_quoted, mask_shown
from advisor.capture.masking.outputs import mask_output
from advisor.capture.masking.printed import is_printed
from advisor.capture.masking.words import REMOVED, paged, pager_left, segments, with_demanded
from advisor.capture.outputs import RUNNING_CONFIG, STARTUP_CONFIG, openings
from advisor.capture.pasted import pasted_again, plain_text
from advisor.capture.recognise import OPENING_LINES
from advisor.capture.sections import Capture, Gap, GapKind, Origin, Section, SectionKind, is_refusal
from advisor.capture.transcript import stamp_ends
from advisor.ground.units import whole
from advisor.ios import pattern
from advisor.ios.syntax import Line, LineKind, physical_lines
from advisor.ios.syntax.detect import Dialect, identify, signs_of
from advisor.ios.syntax.modes import GLOBAL, opens_mode
from advisor.ios.syntax.opaque import delimiter, is_instruction
from advisor.ios.syntax.reader import parse_config, without_directive
from advisor.ios.terminal import hosts_typed_at, split_prompt

# Texts of several lines that hold no commands: banners, certificates, keys, macros.

# Commands and kinds of banners may be abbreviated, in any letters, behind any prompt.
_PROMPT: Final = r"(?:[A-Za-z0-9][\w.\-/:@+~]{0,253}\([\w+./ -]{0,60}\)#\s*)?"
_KIND: Final = (
    r"(?:e\w{0,7}|i\w{0,8}|l\w{0,6}|m\w{0,6}|p[\w-]{0,20}|s[\w-]{0,20}|c[\w-]{0,20}|t\w{0,3})"
)
_DELIMITED: Final = pattern(
    rf"\s*{_PROMPT}(?:bann(?:e|er)?\s+(?:{_KIND}\s+)?|ban\s+(?:{_KIND}\s+|(?=\^C|[^\w\s]))"
    r"|aaa\s+authen\w*\s+(?:ban\w*|fail-\w*)\s+|vac\w*-m\w*\s+|ref\w*-m\w*\s+|busy-m\w*\s+\S+\s+"
    r"|ip\s+(?:adm\w*|auth-p\w*)\s+auth-proxy-b\w*\s+(?:\w+\s+)?"
    r"|log\w{0,9}-m\w*\s+|menu\s+\S+\s+(?:tit\w*|pro\w*)\s+)(?=\S)",
    re.IGNORECASE | re.ASCII,
)
_CERTIFICATE: Final = pattern(r"\s*certificate\s", re.IGNORECASE)
_KEY: Final = pattern(r"\s*key-string\s*$", re.IGNORECASE)
_MACRO: Final = pattern(rf"\s*{_PROMPT}macro\s+name\s", re.IGNORECASE)
_PEM: Final = "-----BEGIN "
_END_OF_PEM: Final = "-----END "
# The name of a menu, the host of a busy message.
_HOST_OR_NAME: Final = pattern(r"(?<=menu )\S+|(?<=busy-message )\S+", re.IGNORECASE)
_HEX: Final = pattern(r"\s*[0-9A-Fa-f]{2,}(?:[ \t]+[0-9A-Fa-f]{2,})*\s*$")
_HEX_DIGIT: Final = pattern(r"[0-9A-Fa-f]")
_ENDS: Final = ("quit", "exit")
_MOST_BETWEEN: Final = 12  # lines of messages and pagers ahead of a body
_OPENS: Final = pattern(
    r"ban|aaa|vac|ref|busy|menu|cert|key-|macro|-----|auth-proxy-b|log\w{0,9}-m", re.IGNORECASE
)


class Bodies(Struct):
    """Finds and masks bodies (banners, certificates, keys, macros) in the lines of one text.

    It remembers end marks that do not occur again, so that a text with many openers is read in
    linear time.
    """

    lines: Sequence[str]
    _absent: set[str] = field(default_factory=set)

    def masked(self, index: int) -> list[str] | None:
        """Return the lines of the body that a line opens, masked; None where it opens none."""
        line = self.lines[index]
        if _OPENS.search(line) is None:
            return None
        delimited = _DELIMITED.match(line)
        if delimited is not None:
            return self._delimited(index, delimited.end())
        kind = self._kind(index, line)
        return None if kind is None else self._until(index, kind)

    def _kind(self, index: int, line: str) -> "_BodyKind | None":
        if _CERTIFICATE.match(line) and self._is_hex(index + 1):
            return _HEX_KIND
        if _KEY.match(line):
            return _KEY_KIND
        if _MACRO.match(line):
            return _MACRO_KIND
        return _PEM_KIND if _PEM in line else None

    def _is_hex(self, index: int) -> bool:
        """Whether a line is hex, or the one below it behind pagers and messages of the log."""
        below = islice(self.lines, index, index + _MOST_BETWEEN)
        first = next((line for line in below if line.strip() and not logged_head(line)), "")
        return _HEX.match(first) is not None

    def _delimited(self, index: int, start: int) -> list[str] | None:
        head, rest = self.lines[index][:start], self.lines[index][start:].rstrip()
        mark = delimiter(rest)
        inner = rest[len(mark) :]
        opening = f"{_HOST_OR_NAME.sub(REMOVED, head)}{mark}"
        removed = "" if mark in REMOVED else REMOVED  # a text must end where it ended
        if mark in inner:
            return [f"{opening}{removed}{mark}"]
        opening += removed if inner.strip() else ""
        end = self._end(index, mark)
        if end is None:
            if mark.isalnum():
                return [f"{head.rstrip()} {REMOVED}"]
            return [opening, *(removed for _ in self.lines[index + 1 :])]
        return [opening, *(removed for _ in range(index + 1, end)), f"{removed}{mark}"]

    def _end(self, index: int, mark: str) -> int | None:
        """Index of the line below that holds a mark."""
        if mark not in self._absent:
            for number in range(index + 1, len(self.lines)):
                if mark in self.lines[number] and not is_instruction(self.lines[number]):
                    return number
            self._absent.add(mark)
        return None

    def _until(self, index: int, kind: "_BodyKind") -> list[str]:
        """Mask the lines up to the one that closes the body, or to the end of the text."""
        masked = [mask_line(self.lines[index])]
        for line in islice(self.lines, index + 1, None):
            head = logged_head(line)  # what a log puts between is no line of the body
            masked.append(
                f"{head} {REMOVED}" if head else kind.masked(line) if line.strip() else line
            )
            if kind.closes(line):
                break
        return masked


def _is_quit(line: str) -> bool:
    return line.rstrip().endswith(_ENDS)


def _hex_line(line: str) -> str:
    """A certificate stays one, of zeros: its lines tell where it ends."""
    bare = line.rstrip()
    if bare.strip() in _ENDS:
        return line
    end = "quit" if bare.endswith("quit") else ""
    digits = bare.removesuffix(end)
    return (
        _HEX_DIGIT.sub("0", digits) + end if _HEX.match(digits) else f"  {REMOVED} {end}".rstrip()
    )


def _key_line(line: str) -> str:
    bare = line.rstrip()
    if bare.strip() in _ENDS:
        return line
    end = next((word for word in _ENDS if bare.endswith(word)), "")
    return f"  {REMOVED} {end}".rstrip()


def _macro_line(line: str) -> str:
    return line if line.strip() == "@" else REMOVED


class _BodyKind(Struct, frozen=True):
    """How the lines of a body are masked, and which is its last."""

    closes: Callable[[str], bool]
    masked: Callable[[str], str]


_HEX_KIND: Final = _BodyKind(_is_quit, _hex_line)
_KEY_KIND: Final = _BodyKind(_is_quit, _key_line)
_MACRO_KIND: Final = _BodyKind(lambda line: line.strip() == "@", _macro_line)
_PEM_KIND: Final = _BodyKind(lambda line: _END_OF_PEM in line, lambda _: REMOVED)

_CONFIGS: Final = (RUNNING_CONFIG, STARTUP_CONFIG)  # filtered lines of them
_HEADING: Final = "-=*#! \t"  # what frames the name of a command
_DECLARED: Final = re.compile(r"^(Current configuration ?: )([0-9]{1,12})( bytes)", re.MULTILINE)
_CARET: Final = "^"  # below a word that IOS refuses
_CLOCK: Final = ("Load for five secs: ", "Time source is ")  # of `terminal exec prompt timestamp`
# Modes whose commands hold no secrets: a word in them is short for a keyword of QoS alone.
_WITHOUT_SECRETS: Final = (
    *("policy-map", "policy-map-class", "class-map", "pvc", "map-class", "frame-relay-dlci"),
)
_TELLING_CHARACTERS: Final = 8  # shorter secrets occur by chance inside names: there words alone


# Restores words in a masked section that its recognition needs.
Mended = Callable[[Section, str], str]


def redact_text(text: str, name: str, secrets: Iterable[str], mended: Mended) -> str:
    """Return a file (a configuration, show outputs, a terminal log) without secrets.

    Parameters
    ----------
    text
        The decoded file.
    name
        Its name, which may tell what it holds.
    secrets
        What must not occur wherever it stands: passwords that were used.
    mended
        Called with each section and its masked text.

    Returns
    -------
    str
        The same line ends, of whatever kind, with no other control characters between them. The
        size after `Current configuration` is corrected by what was taken out, so that what is
        whole still reads as whole.
    """
    plain = plain_text(text)
    if plain != text:
        return pasted_again(_redacted(plain, name, secrets, mended), plain, text)
    return _redacted(text, name, secrets, mended)


def _redacted(text: str, name: str, secrets: Iterable[str], mended: Mended) -> str:
    # Parted configurations would be masked by themselves: a block that one opens and does not
    # close would end there, and show what it holds.
    sections = read_capture(text, name, cuts_configs=False).sections
    hosts = _hosts(sections)
    masked = (mended(section, _section_text(section, hosts)) for section in sections)
    return without_secrets(secrets, "".join(masked))


def redact_capture(
    capture: Capture, secrets: Iterable[str], before_each: Callable[[], None], mended: Mended
) -> Capture:
    """Return a capture without secrets, those of its samples and gaps included.

    `before_each` is called before each section, and may raise to end it; `mended` with each and
    its masked text.
    """
    known = tuple(secrets)
    hosts = _hosts((*capture.sections, *capture.earlier))

    def clean_gap(gap: Gap) -> Gap:
        return replace(
            gap,
            command=without_secrets(known, mask_command(gap.command)),
            detail=without_secrets(known, mask_quoted(gap.detail)),
        )

    def clean(section: Section) -> Section:
        before_each()
        gap = None if section.gap is None else clean_gap(section.gap)
        text = without_secrets(known, mended(section, _section_text(section, hosts)))
        command = None
        if section.command is not None:
            command = without_secrets(known, mask_command(section.command))
        # what told the kind of the text quotes a line of it
        return replace(section, command=command, text=text, gap=gap, identity=None)

    return replace(
        capture,
        sections=tuple(map(clean, capture.sections)),
        earlier=tuple(map(clean, capture.earlier)),
        device=without_secrets(known, capture.device) if capture.device else capture.device,
        missing=tuple(map(clean_gap, capture.missing)),
    )


def redact_config(text: str, hosts: frozenset[str] = frozenset()) -> str:
    """Return a configuration without secrets, with as many lines.

    What stays are the commands of the table, with numbers, addresses and names of IOS's objects;
    of any other command stay the words that start it. The texts of banners, certificates, keys,
    macros and descriptions go. `hosts` are those whose prompts stay.
    """
    dialect = identify(text).dialect
    mask = partial(mask_line, hosts=hosts)
    is_foreign = dialect is not Dialect.IOS
    redacted = _lines(_in_full(text), partial(_foreign_line, dialect, mask) if is_foreign else mask)
    shorter = len(text.encode("utf-8", "replace")) - len(redacted.encode("utf-8", "replace"))
    return _DECLARED.sub(
        lambda size: f"{size[1]}{max(whole(size[2]) - shorter, 0)}{size[3]}", redacted, count=1
    )


def _foreign_line(dialect: Dialect, mask: Callable[[str], str], line: str) -> str:
    """Mask a line of another system's configuration; words that identify the system stay."""
    masked, text = mask(line), paged(line)
    body, shown = text.strip(), masked.split()
    if masked == text or not body:
        return masked
    hidden = [word not in shown for word in body.split()]
    signs = [sign for sign in signs_of(body.split()[0], body) if sign.dialect is dialect]

    def tells(said: str) -> bool:
        return all(sign.line.match(said) for sign in signs)

    told = None if tells(masked.strip()) else with_demanded(body, hidden, tells)
    return masked if told is None else text.replace(body, told)


def _in_full(text: str) -> str:
    """Spell out abbreviated QoS commands of a text, so that their keywords are known and shown.

    Only in modes without secrets, and only if the full line may be shown.
    """
    pieces: list[str] = []
    stack: list[tuple[Line, str | None]] = [
        (line, GLOBAL) for line in reversed(parse_config(text).lines)
    ]
    while stack:
        line, mode = stack.pop()
        is_abbreviated = mode in _WITHOUT_SECRETS and line.kind is LineKind.COMMAND
        pieces.append(_line_in_full(line) if is_abbreviated else line.raw)
        inner = opens_mode(mode, line.text) if mode is not None and line.children else None
        stack += [(child, inner) for child in reversed(line.children)]
    return "".join(pieces)


def _line_in_full(line: Line) -> str:
    raw = line.raw
    prompt = split_prompt(raw.strip())
    if line.text in raw or not (raw[:1].isspace() or prompt is not None):
        return raw
    typed, _ = without_directive(raw.strip() if prompt is None else prompt[1].command.strip())
    is_shown = mask_line(line.text) == line.text
    return raw.replace(typed, line.text, 1) if is_shown and typed else raw


def _lines(text: str, masked: Callable[[str], str]) -> str:
    """Mask each line of a text; a line that IOS does not print may open a body, which is masked."""
    parts = segments(text)
    stamps = _stamp_columns(parts)
    logged = [segment[column:] for (segment, _), column in zip(parts, stamps, strict=True)]
    lines = [paged(segment) for segment in logged]
    bodies = Bodies(lines)
    clean: list[str] = []
    while len(clean) < len(lines):
        index = len(clean)
        body = None if is_printed(lines[index]) else bodies.masked(index)
        clean += body or [pager_left(logged[index]) + _masked(logged[index], masked)]
    return "".join(
        segment[:column] + line + end
        for (segment, end), column, line in zip(parts, stamps, clean, strict=True)
    )


def _stamp_columns(parts: Sequence[tuple[str, str]]) -> list[int]:
    """Columns behind the stamps; a terminal log stamps a line, and not what overwrites it."""
    begins = [index == 0 or parts[index - 1][1] != "\r" for index in range(len(parts))]
    lines = [segment for (segment, _), is_begin in zip(parts, begins, strict=True) if is_begin]
    columns = iter(stamp_ends(lines))
    return [next(columns) if is_begin else 0 for is_begin in begins]


def _masked(segment: str, masked: Callable[[str], str]) -> str:
    """Mask a line; a log message keeps its number, time and name.

    Lines of a hop stay, as they distinguish routers of one name.
    """
    text = paged(segment)
    head = logged_head(text)
    if head:
        return f"{head} {REMOVED}"
    rest = without_stamp(text)[0]
    hop = mask_hop_line(rest)
    return masked(segment) if hop is None else text[: len(text) - len(rest)] + hop


def without_secrets(secrets: Iterable[str], text: str) -> str:
    """Return a text without secrets that are known, in capitals or not.

    Examples
    --------
    >>> without_secrets(["tiger-seven"], "hostname TIGER-Seven")
    'hostname <removed>'
    """
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _TELLING_CHARACTERS:
            text = re.sub(re.escape(secret), REMOVED, text, flags=re.IGNORECASE)
        elif secret in text:
            text = re.sub(rf"(?<![\w-]){re.escape(secret)}(?![\w-])", REMOVED, text)
    return text


def _hosts(sections: Iterable[Section]) -> frozenset[str]:
    """Devices of a capture, and those at whose prompts, indented or not, commands are typed."""
    known: set[str] = set()
    for section in sections:
        known |= hosts_typed_at([line.strip() for line in section.text.split("\n")])
        known |= {section.host} if section.host is not None else set()
    return frozenset(known)


def _section_text(section: Section, hosts: frozenset[str]) -> str:
    """Text of a section without secrets, masked as what it was read as.

    Its first lines, with the prompt and the command, are masked apart. A configuration loses its
    secrets, a known output its texts; an unread one keeps only prompts and messages of IOS itself.
    """
    lines = physical_lines(section.text)
    heads = section.prompt_lines
    if section.origin is Origin.FIRST_LINE and not heads:
        heads = next((row for row, line in enumerate(lines, 1) if line.strip()), 0)
    head = _each_line("".join(lines[:heads]), partial(_head_line, hosts=hosts))
    body = "".join(lines[heads:])
    if section.gap is not None and section.gap.kind is GapKind.UNREADABLE:
        # it looks like a configuration or counters, and must look so again
        return head + _lines(body, partial(mask_shown, hosts=hosts))
    if section.kind is SectionKind.UNKNOWN and section.command is not None:
        return head + _each_line(body, partial(_unread_line, hosts=hosts))
    if section.kind is not SectionKind.SHOW:
        return head + redact_config(body, hosts)
    if section.taken_for is None:
        opened, rest = ("", body) if heads else _opening(body, section.command)
        return head + opened + _each_line(rest, partial(_unread_line, hosts=hosts))
    if section.taken_for in _CONFIGS:
        return head + _lines(body, partial(mask_line, hosts=hosts))
    return head + _lines(body, partial(mask_shown, layout=section.taken_for, hosts=hosts))


def _opening(body: str, command: str | None) -> tuple[str, str]:
    """Split an output after the line that identifies its command; return both parts.

    In the first part, only the identifying words stay.
    """
    patterns = [opening.pattern for opening in openings() if opening.command == command]
    lines = physical_lines(body)
    for row, line in enumerate(lines[:OPENING_LINES] if patterns else ()):
        text = line.strip()
        told = next((match[0] for item in patterns if (match := item.match(text))), None)
        if told is not None:
            start, end = line[: len(line) - len(line.lstrip())], line[len(line.rstrip("\r\n")) :]
            more = "" if told == text else f" {REMOVED}"
            ahead = "".join(f"{REMOVED if other.strip() else ''}\n" for other in lines[:row])
            return f"{ahead}{start}{told}{more}{end}", "".join(lines[row + 1 :])
    return "", body


def _each_line(text: str, masked: Callable[[str], str]) -> str:
    parts = segments(text)
    stamps = _stamp_columns(parts)
    return "".join(
        segment[:column] + pager_left(segment[column:]) + _masked(segment[column:], masked) + end
        for (segment, end), column in zip(parts, stamps, strict=True)
    )


def _head_line(line: str, hosts: frozenset[str]) -> str:
    """A line that names a command: behind a prompt, between dashes, or alone."""
    text = paged(line)
    if not text.strip() or text.lstrip()[0] == "!" or is_prompt(text):
        return mask_line(line, hosts)
    command = text.strip(_HEADING)
    start = text.find(command)
    return f"{text[:start]}{mask_command(command)}{text[start + len(command) :]}"


def _unread_line(line: str, hosts: frozenset[str]) -> str:
    """Mask a line of an unread output: all of it, except for prompts and IOS's own messages."""
    text = paged(line)
    if not text.strip():
        return text
    if is_prompt(text):
        return mask_line(line, hosts)
    is_ios = is_refusal(text) or text.strip() == _CARET or text.startswith(_CLOCK)
    return mask_output(line) if is_ios and not is_logged(text) else REMOVED
