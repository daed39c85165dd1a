"""One input file as sections: where each command was typed, and what it printed."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.clock import CaptureTime, printed_time, without_stamp
from advisor.capture.commands import command_parts
from advisor.capture.outputs import CLOCK
from advisor.capture.recognise import recognise
from advisor.capture.sections import Capture, Gap, GapKind, Origin, Section, SectionKind, kind_of
from advisor.ios.exec.commands import spell_out
from advisor.ios.exec.prompts import Prompt, is_exec_command, prompt_of
from advisor.ios.exec.terminal import has_residue, render, without_pager
from advisor.ios.syntax.opaque import OpaqueReader
from advisor.ios.syntax.scan import physical_lines


class _Cut(Struct, frozen=True):
    """Where a section starts, and what was typed there; `body` is the first line after that."""

    start: int
    body: int
    host: str | None
    command: str | None
    origin: Origin = Origin.PROMPT
    time: CaptureTime | None = None


_CONFIGURE: Final = "configure terminal"
_HEADING_MARKS: Final = ("---", "===", "***", "###", "!!!")
_TECH_MARK: Final = "-" * 6
_LONGEST_HEADING: Final = 200


def read_capture(text: str, file: str) -> Capture:
    """Cut a file into sections at its prompts and headings.

    A prompt inside a banner does not count. Without prompts the file is one section, and its
    kind is told from its name and its content. The texts of the sections together are the file.

    Parameters
    ----------
    text
        The decoded file.
    file
        Its name.

    Returns
    -------
    Capture
        At least one section.
    """
    lines = physical_lines(text)
    cuts = list(_cuts(lines)) if _may_be_cut(lines) else []
    cuts = cuts or list(_bare_commands(lines))
    if not cuts or any(map(_says_something, lines[: cuts[0].start])):
        cuts.insert(0, _Cut(0, 0, None, None))
    else:
        cuts[0] = replace(cuts[0], start=0)
    ends = [cut.start for cut in cuts[1:]] + [len(lines)]
    sections = (
        _whole_or_left(_section(cut, lines[cut.start : end], file), lines[end : end + 1])
        for cut, end in zip(cuts, ends, strict=True)
    )
    return Capture(file, tuple(sections))


def _whole_or_left(section: Section, after: Sequence[str]) -> Section:
    """The section, with a gap where its output was left at the pager: more was to come.

    IOS wipes the pager's prompt with backspaces before it prints its own on the same line.
    """
    if section.kind is not SectionKind.SHOW:
        return section
    wiped = bool(after) and without_pager(after[0])[1]
    if not wiped and not _ends_at_pager(physical_lines(section.output.rstrip())):
        return section
    command = section.command or "show output"
    return replace(section, gap=Gap(command, GapKind.CUT, "left at --More--"))


def _ends_at_pager(printed: Sequence[str]) -> bool:
    """Whether the last line is that of the pager; prompts with nothing typed are passed over."""
    for line in reversed(printed):
        shown, paged = without_pager(render(line))
        paged = paged or without_pager(line)[1]
        is_prompt = prompt_of(shown.rstrip()) is not None
        if paged or (shown.strip() and not is_prompt):
            return paged and (is_prompt or not shown.strip())
    return False


def _says_something(line: str) -> bool:
    return line.strip()[:1] not in ("", "!")


def _may_be_cut(lines: Sequence[str]) -> bool:
    """Whether a prompt or a heading can be in the text: most saved configs have neither."""
    return any("#" in line or ">" in line or line.startswith(_HEADING_MARKS) for line in lines)


def _cuts(lines: Sequence[str]) -> Iterator[_Cut]:
    opaque = OpaqueReader(lines)
    resume = 0
    host = None
    left_config = False
    for index, line in enumerate(lines):
        if index < resume:
            continue
        body = opaque.body(index, line.strip())
        if body is not None and body.closed:
            resume = body.end
            continue
        heading = _heading(line)
        if heading is not None:
            yield _Cut(index, index + 1, host, heading, Origin.HEADING)
            continue
        prompt, time = _prompt(line)
        if prompt is None:
            continue
        host = prompt.host
        typed, after = prompt.command, index + 1
        if prompt.is_config and not typed.startswith("do "):
            if left_config:
                # Back from a `do show`: what follows is configuration again.
                yield _Cut(index, index, host, _CONFIGURE, time=time)
                left_config = False
            continue
        if not typed and after < len(lines) and is_exec_command(lines[after]):
            typed, after = lines[after], after + 1
        if typed:
            left_config = prompt.is_config
            yield _Cut(index, after, host, spell_out(typed), time=time)
            resume = after


def _heading(line: str) -> str | None:
    """Read the command that a line names between dashes, as `show tech-support` prints it.

    Between other marks only a command whose output is read counts: they also frame banners.
    """
    if not line.startswith(_HEADING_MARKS):
        return None
    words = line.strip().strip(line[0]).strip()
    if len(words) > _LONGEST_HEADING or not words.lower().startswith(("sh ", "sho ", "show ")):
        return None
    command = spell_out(words)
    is_tech = line.startswith(_TECH_MARK) and line.rstrip().endswith(_TECH_MARK)
    return command if is_tech or command_parts(command).output is not None else None


def _prompt(line: str) -> tuple[Prompt | None, CaptureTime | None]:
    if "#" not in line and ">" not in line:
        return None, None
    shown = render(line) if has_residue(line) else line.rstrip()
    if "ore" in shown:
        shown = without_pager(shown)[0]
    time = None
    if shown[:1] == "[" or shown[:1].isdigit():
        shown, time = without_stamp(shown)
    return prompt_of(shown), time


def _bare_commands(lines: Sequence[str]) -> Iterator[_Cut]:
    """Cut a file that starts with a command without its prompt, at every command like it."""
    first = next((line for line in lines if line.strip()), "")
    if _bare_command(first) is None:
        return
    for index, line in enumerate(lines):
        command = _bare_command(line)
        if command is not None:
            yield _Cut(index, index + 1, None, command, Origin.FIRST_LINE)


def _bare_command(line: str) -> str | None:
    if not line.startswith(("sh ", "sho ", "show ")) or " is " in line:
        return None
    command = spell_out(line)
    return command if command_parts(command).output is not None else None


def _section(cut: _Cut, lines: Sequence[str], file: str) -> Section:
    text = "".join(lines)
    prompt_lines = cut.body - cut.start
    output = lines[prompt_lines:]
    command, origin, identity = cut.command, cut.origin, None
    if command is None:
        found = recognise(text, output, file)
        command, origin, kind = found.command, found.origin, found.kind
        identity = found.identity
    else:
        kind = kind_of(command, output)
    is_clock = command is not None and command_parts(command).output == CLOCK
    return Section(
        command,
        cut.host,
        text,
        cut.start + 1,
        kind,
        prompt_lines,
        file,
        origin,
        printed_time(output, is_clock=is_clock) or cut.time,
        identity=identity,
    )
