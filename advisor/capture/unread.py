"""Finds gaps in a capture: configs cut by the session's privilege, and text without a reader."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.capture.broken_lines import ahead_of_message, is_logged, may_be_no_command
from advisor.capture.outputs import PRIVILEGE, RUNNING_CONFIG, RUNNING_CONFIG_OF_VIEWS, outputs
from advisor.capture.sections import Capture, Gap, GapCause, GapKind, Origin, Section, SectionKind
from advisor.ground.units import whole
from advisor.ios.grammar import layout
from advisor.ios.syntax import TextLines, physical_lines
from advisor.ios.syntax.abbreviations import doubt_about, is_abbreviated
from advisor.ios.syntax.detect import is_json
from advisor.ios.syntax.modes import GLOBAL, is_known_word
from advisor.ios.syntax.opaque import outside_free_text
from advisor.ios.terminal import own_prompt, prompt_of, split_prompt

# Rights of a session: below privilege 15 `show running-config` prints a part, and ends well.

FULL_PRIVILEGE: Final = 15
_LEVEL: Final = re.compile(r"Current privilege level is ([0-9]{1,2})\b")
_VIEW: Final = re.compile(r"View Context with view")
# Lines that every device has, whatever is configured on it.
_OF_ANY_DEVICE: Final = ("hostname", "version", "interface")
_TAKEN_FROM_A_DEVICE: Final = (Origin.MANIFEST, Origin.PROMPT)
_WHOLE_CONFIGS: Final = (RUNNING_CONFIG, RUNNING_CONFIG_OF_VIEWS)
_USER_EXEC: Final = ">"
_CHANGES: Final = ("enable", "disable", "login", "exit", "end", "quit", "logout")


def privilege_of(text: str) -> int | None:
    """Level that `show privilege` prints; None in a parser view, or where it says neither."""
    match = _LEVEL.search(text)
    return whole(match[1]) if match is not None else None


def is_in_view(text: str) -> bool:
    """Whether `show privilege` says that the session is in a parser view."""
    return _VIEW.search(text) is not None


def why_partial(privilege: int | None, *, in_view: bool) -> str | None:
    """Why a configuration is a part of what the device holds; None where nothing says so.

    Source: Cisco, "How to Assign Privilege Levels with TACACS+ and RADIUS": the command shows
    what the user of that level may modify.
    """
    if in_view:
        return "a parser view shows only the lines that it may change"
    if privilege is None or privilege >= FULL_PRIVILEGE:
        return None
    return f"privilege {privilege} shows only the lines that it may change"


def lacks_of_a_device(config: str) -> str:
    r"""Lines of any device that a configuration is without; empty where it has them all.

    To a user at level 1 that may run the command IOS prints `boot-start-marker`, its end and `end`.

    Examples
    --------
    >>> lacks_of_a_device("boot-start-marker\nboot-end-marker\nend\n")
    'no hostname, no version, no interface'
    """
    first = {line.partition(" ")[0] for line in config.splitlines()}
    return ", ".join(f"no {command}" for command in _OF_ANY_DEVICE if command not in first)


def partial_configs(capture: Capture) -> Iterator[Gap]:
    """Yield a gap for each running-config that was taken with too low a privilege.

    The privilege is that of the bundle, or what `show privilege` printed earlier in the session.
    Without either, a config that lacks lines of any device is partial. Sections with a gap are left
    out; forms of the command that show all lines at any level are judged by their text alone.
    """
    why, host = why_partial(capture.privilege, in_view=False), None
    for section in capture.sections:
        command = section.command or ""
        if section.host != host or command.split(" ")[0] in _CHANGES:
            host, why = section.host, why_partial(capture.privilege, in_view=False)
        if section.taken_for == PRIVILEGE:
            text = section.output
            why = why_partial(privilege_of(text), in_view=is_in_view(text))
        elif section.gap is not None or section.kind is not SectionKind.CONFIG:
            continue
        elif why is not None and section.command == RUNNING_CONFIG:
            yield Gap(command, GapKind.PARTIAL, why, GapCause.PRIVILEGE)
        elif lack := _lack_of(section):
            yield Gap(command, GapKind.PARTIAL, lack, GapCause.NO_DEVICE)


def _lack_of(section: Section) -> str:
    """Name the missing parts of a device's running-config.

    A typed one may be composed, so it has to lack all of it, unless it stands at a prompt where
    no user sees the whole.
    """
    if section.command not in _WHOLE_CONFIGS or section.origin not in _TAKEN_FROM_A_DEVICE:
        return ""
    lack = lacks_of_a_device(section.output)
    is_certain = section.origin is Origin.MANIFEST or _is_of_user_exec(section)
    return lack if is_certain or lack == lacks_of_a_device("") else ""


def _is_of_user_exec(section: Section) -> bool:
    """Whether the running-config was typed at `r1>`, the prompt of privilege 1.

    The other form shows all at any level.
    """
    split = split_prompt(section.shown.partition("\n")[0].strip())
    is_user_exec = split is not None and split[0].rstrip().endswith(_USER_EXEC)
    return is_user_exec and section.command == RUNNING_CONFIG


# Parts of a capture that nothing reads, and that hold a configuration or counters.

_LAYOUT: Final = layout("capture/unread.txt")
_CONFIG: Final = re.compile(rf"\s*(?:{_LAYOUT.alternatives('config')})")
_COUNTERS: Final = re.compile(rf"\s*+(?:{_LAYOUT.alternatives('counters')})")
# The same behind a time stamp, a number or the name of a host, which stand ahead of each line.
_PREFIXED: Final = re.compile(
    r"""(?:^[+-]|[:|>+\])"',;]|^[ \t]*\d[\d.,]*+(?=[ \t:])"""
    r"|(?<![\d.,:+-])(?>[\d.,:+-]*?\d:\d\d[\d.,:+-]*+)Z?(?=[ \t]))"
    rf"""[ \t]{{0,8}}(?:{_LAYOUT.alternatives("prefixed")})[ \t|"',;]*$""",
    re.MULTILINE,
)
# Where lines are joined by something else than a line feed.
_JOINT: Final = re.compile(
    r"""[\t\v\f\x1c-\x1e\x85\u2028\u2029;] | ["'],\s?["'] | [ ]{4,} | \\[rnt] | \s!\s
      | </?(?:br|div|li|p|span|td|tr)\b[^<>]{0,40}>""",
    re.IGNORECASE | re.VERBOSE,
)
_JOINTS: Final = (*"\t\v\f\x1c\x1d\x1e\x85\u2028\u2029;\\<", '",', "',", "    ")
_TAIL: Final = " \t\r\n\"',;|\\`]}"
_PIECE: Final = re.compile(rf"[^\w(]*+(?:{_LAYOUT.alternatives('piece')})")
_PREFIXED_WORDS: Final = (
    *("interface", "policy-map", "hostname", "class-map", "service-policy", "tx-ring-limit"),
    *("priority", "match", "Service-policy", "Class-map:"),
)
_PREFIXED_COUNTERS: Final = ("(total", "(pkts", "(depth", "(queue")
_FEWEST_PREFIXED: Final = 2
_FREE_TEXT: Final = re.compile(r"\s*(?:!|\S*description\b|remark\b|alias\b|event\b|action\b)")
_PROMPT: Final = re.compile(r"\S{1,60}[#>\]$%:][ ]?sho?w?[ ][a-z]{2}")
_MARKS: Final = (
    *(
        "nterface ",
        "olicy",
        "lass-map",
        "tx-ring-limit",
        "hostname ",
        "total drops",
        "input queue",
        "five seconds",
        " conn",
        " disc",
        "pkts matched",
        "onential weight",
        " 1/10",
    ),
    *(
        "dlci = ",
        "conformed ",
        "sustain",
        "packets output",
        " depth ",
        " iqd ",
        " compressed,",
        "output queues ",
        "tail drops",
        "taildrop",
        "dlsw ",
        "#sh",
        ">sh",
        " sh",
        ":sh",
        "]sh",
    ),
)
# It begins as `show interfaces` goes on, and its interface stands in the command.
_OF_NO_PORT: Final = "show queue"
_PRINT_OTHERS: Final = (
    "more ",
    "copy ",
    "show archive log",
    "show file",
    "show history",
    "show logging",
)
_PRINT_CONFIGS: Final = ("show derived-config", "show archive config")
_OTHER_POLICIES: Final = ("show policy-map type", "show policy-firewall", "show class-map type")


def unread_gap(section: Section) -> Gap | None:
    """Find a gap in a section that nothing reads; None where nothing in it is missed.

    An output with the counters of a policy or a circuit counts, whatever the command; so does text
    that is neither a configuration nor an output and has lines of one.
    """
    if section.foreign_config is not None:
        return None
    if section.kind is SectionKind.CONFIG:
        return _gap(section, _prefixed_rows(section) or _joined_rows(section, _FEWEST_PREFIXED))
    if _is_read(section):
        return None
    command = section.command or ""
    if command.startswith(_PRINT_OTHERS + _OTHER_POLICIES) or section.refusal is not None:
        return None
    text = section.text.lower()
    if not any(mark in text for mark in _MARKS) or section.other_system is not None:
        return None
    is_config = section.kind is not SectionKind.SHOW or command.startswith(_PRINT_CONFIGS)
    signs = (_CONFIG, _COUNTERS, _PROMPT) if is_config else (_COUNTERS,)
    rows = [
        row
        for row, line in enumerate(section.lines.lines[section.prompt_lines :])
        if any(sign.match(line) for sign in signs)
    ]
    if is_config:
        rows = sorted({*rows, *_prefixed_rows(section), *_joined_rows(section, 1)})
    return _gap(section, rows)


# Lines of a configuration that were broken: their rest is lost, or stands alone.

_CUT_BY_MESSAGE: Final = "a message of the log stands inside the line; capture it again"
_SHORTEST_WORD: Final = 3  # letters of a command that somebody abbreviates
_REST_ALONE: Final = "the rest of a line that was broken above it; capture it again"


def broken_line(section: Section) -> Gap | None:
    """Find a line that a message or a program broke: its rest is lost or stands alone."""
    if section.foreign_config is not None or section.other_system is not None:
        return None
    rows, command = section.lines, section.command or "configuration"
    logged = [line.rstrip("\r\n") for line in physical_lines(section.text)][: len(rows.lines)]
    broken = [
        row
        for row, line in enumerate(logged)
        if "%" in line
        and ahead_of_message(line)
        and (text := rows.command(row))
        and not is_known_word(text)
    ]
    places = range(section.prompt_lines, len(logged))
    alone = [row for row in places if _may_be_rest_alone(rows, row, logged)]
    said = [(row, _CUT_BY_MESSAGE) for row in broken[:1]]
    said += [(row, _REST_ALONE) for row in outside_free_text(rows, alone)[:1]] if alone else []
    if not said:
        return None
    row, why = min(said)
    return Gap(command, GapKind.UNREADABLE, f"line {section.first_line + row}: {why}")


def _may_be_rest_alone(rows: TextLines, row: int, logged: Sequence[str]) -> bool:
    """Whether a line in the first column begins as no command does, and one was cut above it."""
    line = rows.lines[row].rstrip()
    if not line[:1].isalnum() or not may_be_no_command(line) or _is_nearly_command(line):
        return False
    if line[0].isdigit():
        return own_prompt(line, ()) is None
    above = (rows.lines[at] for at in range(row - 1, -1, -1) if not is_logged(logged[at]))
    ahead = next(above, "")  # a comment, where the line ahead ends a section
    return ahead[:1].isspace() and bool(ahead.strip()) and prompt_of(line) is None


def _is_nearly_command(line: str) -> bool:
    """Whether a command is abbreviated or misspelt: it is read, or its word is said."""
    word = line.split(maxsplit=1)[0]
    is_near = is_abbreviated(GLOBAL, word) or doubt_about(GLOBAL, line) is not None
    return is_near and len(word) >= _SHORTEST_WORD


def _joined_rows(section: Section, fewest: int) -> Sequence[int]:
    """Rows with at least `fewest` config lines that are quoted, in capitals, or joined."""
    output = _output(section)
    rows = range(len(output.lines)) if fewest == 1 else _rows_with_joints(output)
    found = [
        (row, count)
        for row in rows
        if (count := _pieces_in(output.lines[row])) >= fewest
        and not _FREE_TEXT.match(output.lines[row])
    ]
    is_enough = sum(count for _, count in found) >= _FEWEST_PREFIXED
    return [row for row, _ in found] if is_enough else ()


def _rows_with_joints(output: TextLines) -> Sequence[int]:
    """Rows that may hold several config lines, by their separators."""
    marks = [mark for mark in _JOINTS if mark in output.text]
    comments = sum(len(rows) for word, rows in output.rows_of.items() if word[:1] == "!")
    if not marks and output.text.count("!") == comments:
        return ()
    rows = {row for row, body in enumerate(output.bodies) if body.find("!", 1) > 0}
    for mark in marks:
        rows.update(row for row, body in enumerate(output.bodies) if mark in body)
    return sorted(rows)


def _output(section: Section) -> TextLines:
    return section.lines.part(section.prompt_lines, len(section.lines.lines))


def _pieces_in(line: str) -> int:
    pieces = (joined.rstrip(_TAIL) for joined in _JOINT.split(line))
    plain = (piece.lower() if piece.isupper() else piece for piece in pieces)
    return sum(1 for piece in plain if _PIECE.match(piece))


def _prefixed_rows(section: Section) -> Sequence[int]:
    """Rows where a config line or a counter stands behind a prefix, such as a time stamp."""
    output = _output(section)
    rows = [
        row
        for row in _may_be_prefixed(output)
        if _PREFIXED.search(output.lines[row].rstrip("\r\n"))
        and not _FREE_TEXT.match(output.lines[row])
    ]
    return rows if len(rows) >= _FEWEST_PREFIXED else ()


def _may_be_prefixed(output: TextLines) -> Sequence[int]:
    """Rows where a word of a config line or of a counter is not the first one."""
    text = output.text
    rows: set[int] = set()
    for mark in _PREFIXED_COUNTERS:
        if mark in text:
            rows.update(row for row, line in enumerate(output.lines) if mark in line)
    for word in _PREFIXED_WORDS:
        mark = f"{word} "
        if text.count(mark) > output.count_of(word):
            held = [
                (row, line.count(mark)) for row, line in enumerate(output.lines) if mark in line
            ]
            rows.update(row for row, count in held if count > (output.words[row] == word))
    return sorted(rows)


def _gap(section: Section, rows: Sequence[int]) -> Gap | None:
    if not rows:
        return None
    first = section.first_line + section.prompt_lines + rows[0]
    last = section.first_line + section.prompt_lines + rows[-1]
    where = f"line {first}" if first == last else f"lines {first} to {last}"
    return Gap(section.command or "text", GapKind.UNREADABLE, f"{where}: {_what(section)}")


def _what(section: Section) -> str:
    if is_json(section.output):
        return "a configuration or an output inside of JSON: take the text out, with jq -r"
    return _WHAT[section.kind]


_WHAT: Final = {
    SectionKind.CONFIG: "a mark ahead of each line hides a configuration or an output",
    SectionKind.SHOW: "lines of a configuration, or counters, in an output that is not read",
    SectionKind.UNKNOWN: "looks like a configuration or an output, and is not told apart",
}


def _is_read(section: Section) -> bool:
    output = outputs().get(section.taken_for or "")
    is_head_cut = section.taken_for == _OF_NO_PORT and section.origin is Origin.CONTENT
    return output is not None and bool(output.reads) and not is_head_cut
