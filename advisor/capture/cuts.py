"""One input file as sections: where each command was typed, and what it printed."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.broken_lines import is_logged
from advisor.capture.clock import CaptureTime, printed_time, stamp_end, without_stamp
from advisor.capture.commands import command_parts, scrolled_command, spell_out
from advisor.capture.config_boundaries import config_starts
from advisor.capture.outputs import CLOCK, outputs
from advisor.capture.recognise import (
    Heading,
    heading_of,
    is_rule,
    may_be_cut,
    may_be_heading,
    opens_as_another,
    output_starts,
    recognise,
    says_something,
)
from advisor.capture.sections import (
    CONFIG_COMMANDS,
    Capture,
    Gap,
    GapKind,
    Origin,
    Section,
    SectionKind,
    answer,
    kind_of,
)
from advisor.capture.transcript import LISTING_MESSAGES, transcript, wrap_columns
from advisor.capture.unread import broken_line, unread_gap
from advisor.ios.syntax import TextLines, lines_of, physical_lines
from advisor.ios.syntax.detect import Dialect, identify, marked_up
from advisor.ios.syntax.opaque import outside_free_text
from advisor.ios.terminal import (
    SCROLLED,
    hosts_typed_at,
    is_exec_command,
    own_prompt,
    prompt_of,
    render,
    without_pager,
)


class _Cut(Struct, frozen=True):
    """Where a section starts, and what was typed there; `body` is the first line after that."""

    start: int
    body: int
    host: str | None
    command: str | None
    origin: Origin = Origin.PROMPT
    time: CaptureTime | None = None


CONFIGURE: Final = "configure terminal"
_LEAVES: Final = ("", "end", "exit", "^z")  # typed behind a `do show`, and no configuration
_NOT_SHOWN: Final = "the start of the command has scrolled away; a wider terminal shows it"
_PRINT_FILES: Final = ("more ", "copy ", "show file ")  # a configuration that was saved, too
_WRITE_FILES: Final = ("redirect", "append")
_COMMANDS_ON_FILES: Final = (*_PRINT_FILES, "show archive", "show file")


def read_capture(text: str, file: str, *, cuts_configs: bool = True) -> Capture:
    """Cut a file into sections at its prompts and headings, and where a configuration starts.

    A prompt inside a banner does not count. Without prompts the file is one section, and its
    kind is told from its name and its content. The texts of the sections together are the file.

    Parameters
    ----------
    text
        The decoded file.
    file
        Its name.
    cuts_configs
        Whether what stands behind a configuration without a prompt is parted from it.

    Returns
    -------
    Capture
        At least one section.
    """
    return Capture(file, tuple(_with_clocks(_sections(text, file, cuts_configs=cuts_configs))))


def read_answer(
    command: str,
    output: str,
    *,
    file: str = "",
    host: str | None = None,
    time: CaptureTime | None = None,
    gap: Gap | None = None,
) -> tuple[Section, ...]:
    """Cut what a bundle keeps as the output of a command, and what may be that of others.

    Parameters
    ----------
    command
        The spelled-out command; empty where none is known.
    output
        The text, without prompt and echo.
    file
        The name of its file.
    host, time, gap
        The device, when the command was sent, and what its output lacks.

    Returns
    -------
    tuple[Section, ...]
        At least one; the first one has the gap.
    """
    lines = lines_of(output)
    told = None if not command or opens_as_another(lines, command) else command
    first = _Cut(0, 0, host, told, Origin.MANIFEST if told else Origin.CONTENT, time)
    parts = [part for part in _sections(output, file, first) if part.text]
    if not parts or (len(parts) == 1 and parts[0].origin is Origin.MANIFEST):
        whole = answer(command, output, file=file, host=host, time=time)
        parts = [replace(whole, gap=unread_gap(whole))]
    named = [replace(part, host=part.host or host, time=part.time or time) for part in parts]
    return (replace(named[0], gap=gap or named[0].gap), *named[1:])


def _sections(
    text: str, file: str, first: _Cut | None = None, *, cuts_configs: bool = True
) -> Iterator[Section]:
    """The sections of a text; `first` is what stands ahead of its first prompt."""
    logged = lines_of(text)
    columns = wrap_columns(logged)
    shown = lines_of(transcript(text, columns=columns))
    is_plain = marked_up(logged) is None
    cuts = list(_cuts(shown, logged.lines)) if is_plain and may_be_cut(text) else []
    if first is not None and first.origin is Origin.MANIFEST:  # its end was proven as it came
        cuts = [cut for cut in cuts if cut.command is not None]
    if not cuts or any(map(says_something, shown.lines[: cuts[0].start])):
        cuts.insert(0, first or _Cut(0, 0, None, None))
    else:
        cuts[0] = replace(cuts[0], start=0)
    parted: list[_Cut] = []
    for cut, end in _with_ends(cuts, logged):
        is_parted = is_plain and (cuts_configs or _is_no_config(cut))
        parted += _parted(cut, end, shown, file) if is_parted else [cut]
    sections = [
        _section(cut, logged.part(cut.start, end), shown.part(cut.body, end), file, columns)
        for cut, end in _with_ends(parted, logged)
    ]
    for section in _with_saved_texts(sections):
        end = section.first_line - 1 + len(physical_lines(section.text))
        yield _with_gap(section, logged.lines[end : end + 1])


def _is_no_config(cut: _Cut) -> bool:
    return cut.command is not None and not cut.command.startswith(CONFIG_COMMANDS)


def _with_saved_texts(sections: Sequence[Section]) -> Iterator[Section]:
    """Read what a command of this log wrote to a file, where `more` prints that file.

    A configuration that was saved before is that of a device that shows no other.
    """
    shown = {section.host for section in sections if section.kind is SectionKind.CONFIG}
    written: dict[tuple[str | None, str], str] = {}
    for section in sections:
        command, _, where = (section.command or "").partition("|")
        if where.split()[:1] and where.split()[0] in _WRITE_FILES:
            written[section.host, where.split()[-1]] = command.strip()
        of_file = written.get((section.host, command.split()[-1])) if command.split() else None
        if of_file is not None and command.startswith(_PRINT_FILES):
            kind = kind_of(of_file, physical_lines(section.output))
            yield replace(section, command=of_file, kind=kind)
            continue
        is_of_file = command.startswith(_PRINT_FILES) and section.host not in shown
        is_config = is_of_file and identify(section.output).dialect is Dialect.IOS
        yield replace(section, kind=SectionKind.CONFIG) if is_config else section


def _with_ends(cuts: Sequence[_Cut], text: TextLines) -> Iterator[tuple[_Cut, int]]:
    ends = [cut.start for cut in cuts[1:]] + [len(text.lines)]
    return zip(cuts, ends, strict=True)


def _parted(cut: _Cut, end: int, text: TextLines, file: str) -> Iterator[_Cut]:
    """Cut where another output or another configuration starts without a prompt of its own."""
    starts = [cut.body + at for at in output_starts(text.part(cut.body, end), cut.command, file)]
    outputs_of_cut = [cut, *(_Cut(start, start, cut.host, None) for start in starts)]
    for part, part_end in zip(outputs_of_cut, [*starts, end], strict=True):
        yield part
        command = part.command or ""
        if not command.startswith(_COMMANDS_ON_FILES):
            after_output = bool(command) and not command.startswith(CONFIG_COMMANDS)
            rows = text.part(part.body, part_end)
            for start in config_starts(rows, after_output=after_output):
                yield _Cut(part.body + start, part.body + start, None, None)


def _with_clocks(sections: Iterable[Section]) -> Iterator[Section]:
    """Give each section the last `show clock` at its prompt.

    What starts without a prompt and without a heading is of no session: no clock is ahead of it.
    """
    clocks: dict[str | None, CaptureTime | None] = {}
    for section in sections:
        if section.taken_for == CLOCK:
            clocks[section.host] = section.time
        is_alone = section.host is None and section.origin is Origin.CONTENT
        clock = None if is_alone else clocks.get(section.host)
        yield section if clock is None else replace(section, clock=clock)


def _with_gap(section: Section, after: Sequence[str]) -> Section:
    gap = _gap(section, after)
    return section if gap is None else replace(section, gap=gap)


def _gap(section: Section, after: Sequence[str]) -> Gap | None:
    """Find the rest of an output that was left at the pager: it is missing.

    IOS wipes the pager's prompt with backspaces before it prints its own on the same line.
    A command is a gap, too, if IOS does not show how it starts.
    """
    scrolled = _scrolled(section)
    if scrolled is not None:
        return scrolled
    if section.kind is SectionKind.CONFIG:
        return broken_line(section) or unread_gap(section)
    if section.kind is not SectionKind.SHOW:
        cut = None if after else _ends_ahead_of_output(section)
        return cut or unread_gap(section)
    wiped = bool(after) and without_pager(after[0])[1]
    if not wiped and not _ends_at_pager(section.text):
        return unread_gap(section)
    return Gap(section.command or "show output", GapKind.CUT, "left at --More--")


def _ends_ahead_of_output(section: Section) -> Gap | None:
    """Find the missing output of a command that is the last line of a log, if it is one we read."""
    parts = command_parts(section.command or "")
    output = outputs().get(parts.output or "")
    counts = output is not None and (output.reads or output.command.startswith(CONFIG_COMMANDS))
    if not counts or parts.line_filter is not None or section.logged_output.strip():
        return None
    return Gap(parts.output or "", GapKind.CUT, "the log ends where its output would start")


def _scrolled(section: Section) -> Gap | None:
    """Find a typed line whose start has scrolled away, where the rest does not name the command."""
    if section.command == CONFIGURE:
        lines = section.lines
        typed = [row for row in range(len(lines.lines)) if lines.command(row).startswith(SCROLLED)]
        if typed:
            at = section.first_line + typed[0]
            return Gap(CONFIGURE, GapKind.UNREADABLE, f"line {at}: {_NOT_SHOWN}")
    elif section.command is not None and section.command.startswith(SCROLLED):
        return Gap("output", GapKind.UNREADABLE, f"line {section.first_line}: {_NOT_SHOWN}")
    return None


def _ends_at_pager(text: str) -> bool:
    """Whether the last line is that of the pager; prompts with nothing typed are passed over."""
    for logged in _from_last(text.rstrip()):
        line = logged[stamp_end(logged) :]
        shown, paged = without_pager(render(line))
        paged = paged or without_pager(line)[1]
        is_prompt = prompt_of(shown.rstrip()) is not None
        if paged or (shown.strip() and not is_prompt):
            return paged and (is_prompt or not shown.strip())
    return False


def _from_last(text: str) -> Iterator[str]:
    """The lines of a text from the last to the first; who stops early splits no more."""
    end = len(text)
    while end:
        start = text.rfind("\n", 0, end - 1) + 1
        yield text[start:end]
        end = start


def _cuts(text: TextLines, logged: Sequence[str]) -> Iterator[_Cut]:
    lines = text.lines
    hosts = hosts_typed_at([lines[row] for row in text.marked])
    resume = 0
    host = None
    left_config = False
    for index in outside_free_text(text, _may_cut(text)):
        if index < resume:
            continue
        line = lines[index]
        heading = heading_of(line)
        if heading is not None and not _is_own_comment(heading, lines[: index + 1]):
            start, after = _with_rules(lines, index)
            start, resume = max(start, resume), after
            yield _Cut(start, resume, host, heading.command, heading.origin)
            continue
        prompt = own_prompt(line, hosts)
        if prompt is None:
            continue
        host, time = prompt.host, without_stamp(render(logged[index]))[1]
        typed, after = prompt.command, index + 1
        if prompt.is_config and not typed.startswith("do "):
            if left_config and typed.lower() not in _LEAVES:
                # Back from a `do show`: what follows is configuration again.
                yield _Cut(index, index, host, CONFIGURE, time=time)
                left_config = False
            continue
        if not typed and after < len(lines) and is_exec_command(lines[after]):
            typed, after = lines[after], after + 1
        if typed:
            left_config = prompt.is_config
            yield _Cut(index, after, host, _spelled(typed), time=time)
            resume = after
        elif _is_followed(lines, after, hosts):
            yield _Cut(index, after, host, None, Origin.CONTENT, time)


def _is_followed(lines: Sequence[str], start: int, hosts: Collection[str]) -> bool:
    """Whether text that no command printed stands behind a prompt at which nothing is typed."""
    following = next((line for line in lines[start:] if says_something(line)), None)
    return following is not None and own_prompt(following, hosts) is None


def _may_cut(text: TextLines) -> Sequence[int]:
    """The rows that may hold a prompt or a heading."""
    headings = (row for row, line in enumerate(text.lines) if may_be_heading(line))
    return sorted({*text.marked, *headings})


def _is_own_comment(heading: Heading, lines: Sequence[str]) -> bool:
    """Whether a comment at the head of a configuration names the command that printed it."""
    is_config = heading.command.startswith(CONFIG_COMMANDS) and lines[-1].startswith("!")
    return is_config and not any(map(says_something, lines))


def _with_rules(lines: Sequence[str], index: int) -> tuple[int, int]:
    """First line of a heading and first line behind it, with the rules around it."""
    start = index - 1 if index and is_rule(lines[index - 1]) else index
    is_underlined = index + 1 < len(lines) and is_rule(lines[index + 1])
    return start, index + 2 if is_underlined else index + 1


def _spelled(typed: str) -> str:
    if not typed.startswith(SCROLLED):
        return spell_out(typed)
    return scrolled_command(typed) or typed


def _section(cut: _Cut, logged: TextLines, output: TextLines, file: str, columns: int) -> Section:
    command, origin, identity = cut.command, cut.origin, None
    if command is None or command.startswith(SCROLLED):
        recognised = recognise(output, file)
        if command is None or recognised.kind is SectionKind.SHOW:
            command, origin = recognised.command, recognised.origin
        kind = recognised.kind if command == recognised.command else SectionKind.UNKNOWN
        identity = recognised.identity
    else:
        logs = filter(is_logged, logged.lines) if command.startswith(LISTING_MESSAGES) else ()
        kind = kind_of(command, (*output.lines, *logs))
    is_clock = command is not None and command_parts(command).output == CLOCK
    return Section(
        command,
        cut.host,
        logged.text,
        cut.start + 1,
        kind,
        cut.body - cut.start,
        file,
        origin,
        printed_time(output.lines, is_clock=is_clock) or cut.time,
        identity=identity,
        columns=columns,
    )
