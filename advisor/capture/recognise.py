"""Recognises an output without its prompt by its file, its heading or its first lines."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.capture.commands import WORDS, command_parts, known_words, spell_out
from advisor.capture.outputs import CPU, RUNNING_CONFIG, VERSION, any_opening, openings, outputs
from advisor.capture.pages import is_sentence, prose_rows
from advisor.capture.sections import Origin, SectionKind, kind_of
from advisor.ios import pattern
from advisor.ios.syntax import TextLines
from advisor.ios.syntax.detect import Dialect, Identity, identity_of, is_json
from advisor.ios.syntax.opaque import outside_free_text

# Recognises an output without its prompt by the name of its file and by its first lines.


class Recognised(Struct, frozen=True):
    """A command, how it is known, and what its output is."""

    command: str | None
    origin: Origin
    kind: SectionKind
    identity: Identity | None = None  # of a text that its content says to be a configuration


OPENING_LINES: Final = 8
_LINES_LOOKED_AT: Final = 4 * OPENING_LINES

_NAME_START: Final = re.compile(r"(?:^|[^A-Za-z0-9])(?=sho?w?[^A-Za-z0-9])", re.IGNORECASE)
_ENDING: Final = re.compile(r"\.[a-z]{2,4}$", re.IGNORECASE)


def command_of_file(file: str) -> str | None:
    """Read the command that a file is named after.

    Parameters
    ----------
    file
        Its name, with any folders: `backups/r1_show_processes_cpu.txt`.

    Returns
    -------
    str | None
        None where the name is not that of a command whose output is read.

    Examples
    --------
    >>> command_of_file("r1/show_ip_sla_statistics_aggregated.txt")
    'show ip sla statistics aggregated'
    >>> command_of_file("r1.sh-pol-int.log")
    'show policy-map interface'
    """
    words = _words_of_file(file)
    return command_parts(words).output if words is not None else None


def _words_of_file(file: str) -> str | None:
    """Spell out the command in the name of a file."""
    name = _ENDING.sub("", re.split(r"[\\/]", file.rstrip("\\/"))[-1])
    start = _NAME_START.search(name)
    if start is None:
        return None
    slug = re.sub(r"[^a-z0-9]+", "-", name[start.end() :].lower()).strip("-")
    for output in outputs():
        whole = output.replace(" ", "-")
        if slug == whole or slug.startswith(f"{whole}-"):
            return f"{output} {slug[len(whole) :].replace('-', ' ')}".strip()
    return spell_out(slug.replace("-", " "))


def recognise(text: TextLines, file: str) -> Recognised:
    """Tell what a text without prompt is.

    The name of the file decides between outputs that begin alike, and where the first lines
    say nothing; else they decide.
    """
    opening = [line for row in text.lines[:_LINES_LOOKED_AT] if (line := row.strip())]
    if opening and opening[0].startswith("show ") and " is " not in opening[0]:
        command = spell_out(opening[0])
        return Recognised(command, Origin.FIRST_LINE, kind_of(command, opening[1:]))
    if is_json(text.text):  # what a tool made of an output has its name, and is none
        return _by_content(text, "", None)
    named = command_of_file(file)
    opening_match = _by_opening(opening[:OPENING_LINES], named)
    return _by_content(text, file, named) if opening_match is None else opening_match


def opens_as_another(text: TextLines, command: str) -> bool:
    """Whether the first lines of a text begin another output than that of a command."""
    own = command_parts(command).output
    if own is None:
        return False
    opening = [line for row in text.lines[:_LINES_LOOKED_AT] if (line := row.strip())]
    fitting = [
        item
        for item in openings()
        if any(item.pattern.match(line) for line in opening[:OPENING_LINES])
    ]
    return bool(fitting) and not any(own == item.command or own in item.also for item in fitting)


def _by_content(text: TextLines, file: str, named: str | None) -> Recognised:
    if named is not None:
        return Recognised(named, Origin.FILE_NAME, kind_of(named, text.lines))
    identity = identity_of(text)
    if identity.dialect not in (Dialect.NOT_A_CONFIG, Dialect.EMPTY):
        return Recognised(None, Origin.CONTENT, SectionKind.CONFIG, identity)
    words = _words_of_file(file)
    if words is None:
        return Recognised(None, Origin.CONTENT, SectionKind.UNKNOWN)
    return Recognised(words, Origin.FILE_NAME, kind_of(words, text.lines))


def _by_opening(opening: Sequence[str], named: str | None) -> Recognised | None:
    if not any(any_opening().match(line) for line in opening):
        return None
    for opening_match in openings():
        if any(opening_match.pattern.match(line) for line in opening):
            if named in opening_match.also:
                return Recognised(named, Origin.FILE_NAME, SectionKind.SHOW)
            return Recognised(opening_match.command, Origin.CONTENT, SectionKind.SHOW)
    return None


# Where an output starts whose prompt is lost: behind a configuration or another output.

_POLICIES: Final = "show policy-map"
_HOLD_POLICIES: Final = (_POLICIES, "show frame-relay pvc")
_MOST_AHEAD: Final = 4  # lines between the name of an interface and its policy
_NAME_AHEAD: Final = re.compile(
    r"\s*$|\s{0,2}(?:[A-Z][A-Za-z-]{1,30} ?\d\S*|VC \d\S*|Control Plane)\s*(?:[:-].*)?$"
)


# Outputs whose lines are figures: no sentence stands among them.
_ENDS_IN_COLUMNS: Final = (
    *("show policy-map interface", "show interfaces", "show queueing", "show frame-relay pvc"),
    *("show processes cpu", "show dlsw", "show ip sla", "show ppp multilink", "show atm"),
)


class _Opening(Struct, frozen=True):
    """A line that begins an output of `command` and stands in no other but those of `inside`.

    `mark` is a part of it that is cheap to look for; `behind` must be in the line that follows.
    """

    command: str
    mark: str
    line: re.Pattern[str]
    behind: str = ""
    inside: tuple[str, ...] = ()


_SLA: Final = ("show ip sla", "show rtr")
# Outputs that repeat what others print, or other layouts that begin alike.
_HOLD_OTHERS: Final = (
    *("show archive", "show file", "show history", "show logging", "show policy-map "),
    *("show interfaces ", "show processes", "show dlsw", "show queueing", "show crashinfo"),
)
_OPENINGS: Final = tuple(
    _Opening(command, mark, re.compile(line), behind, inside)
    for command, mark, line, behind, inside in (
        (
            *("show policy-map interface", "ervice-policy "),
            *(r"\s*Service-policy (?:\(?\w+\)? )?(?:input|output) ?: ?\S", "", _HOLD_POLICIES),
        ),
        (
            *("show interfaces", ", line protocol is ", r"\S.{0,60}? is .*, line protocol is "),
            *("Hardware is ", ()),
        ),
        (CPU, "CPU utilization", r"CPU utilization for five seconds:[^,]*;", "", ()),
        (
            *(VERSION, "Cisco I", r"Cisco (?:IOS(?: XE)?|Internetwork Operating System) Software"),
            *("", ("show cdp", "show dlsw", "show logging")),
        ),
        (RUNNING_CONFIG, "Building config", r"Building configuration\.\.\.", "", ()),
        ("show ip sla statistics", "PSLA", r"IPSLAs? (?:Latest|[Aa]ggregated)", "", _SLA),
        (
            *("show ip sla statistics", "Trip"),
            *(r"Round [Tt]rip [Tt]ime \(RTT\)(?: for)?\s+Index", "", _SLA),
        ),
        (
            *("show queueing interface", "strategy:", r"Interface \S+ queueing strategy:"),
            *("", ("show queue",)),
        ),
        ("show dlsw peers", "Peers:", r"Peers:\s+state", "", ()),
        ("show dlsw circuits", "local addr(lsap)", r"Index\s+local addr\(lsap\)", "", ()),
    )
)


def output_starts(text: TextLines, command: str | None, file: str) -> Iterator[int]:
    """Yield the row where another output starts in the text that stands below a command.

    Lines of banners, and of outputs that are filtered, do not count. An output that
    goes on with another of its kind is one. `command` is None where none is typed: the first lines
    tell it.
    """
    lines = text.lines
    openings = [opening for opening in _OPENINGS if opening.mark in text.text]
    if not openings:
        return
    current = command or recognise(text, file).command or ""
    if not _may_end(current):
        return
    if current.startswith("show ") and command_parts(current).output is None:
        openings = [opening for opening in openings if opening.command != VERSION]
    start = -1
    for row, opening in sorted((*_opened(text, openings), *prose_rows(text)), key=lambda at: at[0]):
        if opening is None:
            if current.startswith(_ENDS_IN_COLUMNS):
                current, start = "", row
                yield row
            continue
        if current.startswith((opening.command, *opening.inside)):
            continue
        current = opening.command
        head = _with_name_ahead(lines, row, start) if _POLICIES in opening.inside else row
        prose = _prose_ahead(lines, head, start)
        start = row
        yield from (
            at for at in (prose, head) if at is not None and any(map(says_something, lines[:at]))
        )


def _opened(text: TextLines, openings: Sequence[_Opening]) -> Iterator[tuple[int, _Opening]]:
    """The rows outside of free text that begin an output, with the first opening that fits."""
    by_row: dict[int, _Opening] = {}
    for opening in openings:
        for row, line in enumerate(text.lines):
            if opening.mark in line and row not in by_row and _opens(opening, text.lines, row):
                by_row[row] = opening
    return ((row, by_row[row]) for row in outside_free_text(text, sorted(by_row)))


def _may_end(command: str) -> bool:
    """Whether what stands below a command may be more than its output."""
    if not command.startswith("show "):
        return True
    parts = command_parts(command)
    is_own = parts.output is not None or not command.startswith(_HOLD_OTHERS)
    return is_own and parts.line_filter is None


def _opens(opening: _Opening, lines: Sequence[str], index: int) -> bool:
    if opening.line.match(lines[index]) is None:
        return False
    behind = (line for line in lines[index + 1 : index + 3] if line.strip())  # may be double spaced
    return opening.behind in next(behind, "")


def _with_name_ahead(lines: Sequence[str], index: int, start: int) -> int:
    """First of the lines that name the interface or the circuit of a policy."""
    head = index
    for ahead in range(index - 1, max(index - 1 - _MOST_AHEAD, start), -1):
        if not _NAME_AHEAD.match(lines[ahead]):
            break
        head = ahead if lines[ahead].strip() else head
    return head


def says_something(line: str) -> bool:
    """Whether a line is neither empty nor a comment."""
    return line.strip()[:1] not in ("", "!")


def _prose_ahead(lines: Sequence[str], head: int, start: int) -> int | None:
    """First line of the paragraph ahead of an output that ends with a sentence: it is of none."""
    last = head - 1
    while last > start and not lines[last].strip():
        last -= 1
    if last <= start or not (is_sentence(lines[last]) or _is_lead_in(lines, last)):
        return None
    first = last
    while first - 1 > start and lines[first - 1].strip():
        first -= 1
    return first if first - 1 > start else None


def _is_lead_in(lines: Sequence[str], row: int) -> bool:
    """Whether a line stands alone and ends with a colon, as people announce an output."""
    line = lines[row].rstrip()
    is_text = line[:1].islower() and line.endswith(":") and not any(map(str.isdigit, line))
    return is_text and row > 0 and not lines[row - 1].strip()


# Lines that name a command ahead of its output, as `show tech-support`, tools and people do.

_LONGEST: Final = 200
_TECH_MARK: Final = "-" * 6
_FEWEST_MARKS: Final = 3
_FEWEST_KNOWN: Final = 2  # words of a command that tell it from a sentence with `show`
_LABEL: Final = (
    r"(?:(?:command|cmd|output|exec(?:uting|ute)?|running|task)(?: of| from| for)?\b|\d{1,3}[.)])"
)
_SHOW: Final = ("sh ", "sho ", "show ")
_TELLS_A_CUT: Final = pattern(
    rf"^(?:[^\w\n]|_){{0,120}}(?:{_LABEL}[ :]*[\"'`\[(]?)?(?:do )?sho?w?[ ]",
    re.MULTILINE | re.IGNORECASE,
)
# Marks, `Command:` or `Output of`, the command, and marks again.
_FRAMED: Final = pattern(
    rf"(?P<open>[-=*#!_~+$%\[({{<>\"'`| ]*)(?P<label>(?:{_LABEL}[ ]?:?[ ]*)?)[\"'`\[(]?(?:do )?"
    r"(?P<command>sho?w? .*)$",
    re.IGNORECASE,
)
_CLOSING: Final = "-=*#!_~+])}<>:\"'`| "
_RULE: Final = pattern(r"([-=*#_~+])\1{2,}\s*$")
_SHORTEST: Final = 3  # letters of an abbreviation that is no word of a sentence
_ARGUMENT: Final = pattern(
    r"(?=\D*+\d)[\w./:,-]++|[\w-]*+:[\w./-]*"
    r"|(?:in|out)(?:put)?|detail(?:s|ed)?|brief|summary|all|stat(?:istic)?s|[A-Z][A-Za-z-]{3,14}"
)


class Heading(Struct, frozen=True):
    """A spelled-out command that a line names, and how."""

    command: str
    origin: Origin


def may_be_cut(text: str) -> bool:
    """Whether a prompt or a heading can be in a text: most saved configurations have neither."""
    if "#" in text or ">" in text:
        return True
    lower = text.lower()
    return any(word in lower for word in _SHOW) and _TELLS_A_CUT.search(text) is not None


def may_be_heading(line: str) -> bool:
    """Whether a line is one that `heading_of` looks at: most lines of a configuration are not."""
    return len(line) <= _LONGEST and not line[:1].isspace() and "sh" in line.lower()


def heading_of(line: str) -> Heading | None:
    """Read the command that a line names between dashes, as `show tech-support` prints it.

    Between other marks, or without any, the line must hold a command that is known and nothing
    else: marks also frame banners, and sentences speak of commands.

    Examples
    --------
    >>> heading_of("------------------ show policy-map interface ------------------").command
    'show policy-map interface'
    >>> heading_of("[sh policy-map int s0/0]").command
    'show policy-map interface s0/0'
    >>> heading_of("show interfaces is what I looked at") is None
    True
    """
    if not may_be_heading(line):
        return None
    text = line.rstrip()
    framed = _FRAMED.match(text)
    if framed is None:
        return None
    typed, before = framed["command"].rstrip(_CLOSING), framed["open"]
    after = framed["command"][len(typed) :]
    if not (
        (before.startswith(_TECH_MARK) and after.endswith(_TECH_MARK))
        or _is_command_alone(typed, is_framed=_is_framed(before, after.strip()))
    ):
        return None
    is_bare = not before and not framed["label"]
    return Heading(spell_out(typed), Origin.FIRST_LINE if is_bare else Origin.HEADING)


def _is_framed(before: str, after: str) -> bool:
    """Whether both sides are rules of the same mark, as no sentence and no comment has them."""
    return min(len(before), len(after)) >= _FEWEST_MARKS and before[0] == after[-1]


def is_rule(line: str) -> bool:
    """Whether a line is one mark over and over: it stands above or below a heading."""
    return _RULE.match(line) is not None


def _is_command_alone(typed: str, *, is_framed: bool) -> bool:
    """Whether a text is a command that is known, with arguments that IOS may take."""
    words = typed.partition("|")[0].split()
    known = known_words(words)
    if known < _FEWEST_KNOWN or not (words[1] in WORDS or len(words[1]) >= _SHORTEST):
        return False
    return is_framed or all(_ARGUMENT.fullmatch(word) for word in words[known:])
