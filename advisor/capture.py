"""One input file as sections: what each prompt's command printed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from advisor.ios.detect import Dialect, identify
from advisor.ios.exec_command import spell_out
from advisor.ios.opaque import OpaqueReader
from advisor.ios.prompts import Prompt, is_exec_command, prompt_of
from advisor.ios.scan import physical_lines
from advisor.ios.terminal import has_residue, render


class SectionKind(StrEnum):
    """What a section holds."""

    CONFIG = "config"
    SHOW = "show"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a file: one command's output, or the whole file where it has no prompt.

    `command` is spelled out; without a prompt it is the command whose output this looks like,
    or None. `text` holds the prompt too, in its first `prompt_lines` lines; `first_line` is
    their 1-based number in the file.
    """

    command: str | None
    host: str | None
    text: str
    first_line: int
    kind: SectionKind
    prompt_lines: int = 0

    @property
    def output(self) -> str:
        """The text without the prompt and the command typed after it."""
        return "".join(physical_lines(self.text)[self.prompt_lines :])


@dataclass(frozen=True, slots=True)
class Capture:
    """A file, cut into sections that together are the file."""

    file: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class _Cut:
    """Where a section starts, and what was typed there; `body` is the first line after that."""

    start: int
    body: int
    host: str | None
    command: str | None


_CONFIG_COMMANDS: Final = (
    *("show running-config", "show startup-config", "show configuration", "write terminal"),
    *("configure", "more system:running-config", "more nvram:startup-config"),
)
_LINE_FILTER: Final = re.compile(r"\| (?:include|exclude|count)\b")

# How outputs begin, for files that were saved without their prompt.
_OPENINGS: Final = tuple(
    (re.compile(opening), command)
    for opening, command in (
        (r"CPU utilization for five seconds:", "show processes cpu"),
        (r"CPU% per (?:second|minute|hour)", "show processes cpu history"),
        (r"Cisco (?:IOS|Internetwork Operating System|Nexus)|IOS \(tm\) ", "show version"),
        (r"Service-policy (?:\(\w+\) )?(?:input|output) ?:", "show policy-map interface"),
        (r"Policy Map \S+", "show policy-map"),
        (r"Class Map match-", "show class-map"),
        (r"Interface \S+ queueing strategy:", "show queueing interface"),
        (r"Current random-detect configuration", "show queueing random-detect"),
        (r"Current (?:fair|priority|custom) queue configuration", "show queueing"),
        (r"\S+ is .*, line protocol is ", "show interfaces"),
        (r"Interface \S+$|Hardware is \S", "show controllers"),
        (r"Interface\s+(?:VCD|Name)\s+VPI\s+VCI\b|\S+: VCD: \d+", "show atm vc"),
        (r"Start Time Index:", "show ip sla statistics aggregated"),
        (r"Round Trip Time \(RTT\) for\s+Index", "show ip sla statistics"),
        (r"IPSLAs? (?:Latest|operation|Infrastructure)", "show ip sla statistics"),
        (r"Entry [Nn]umber: \d+", "show ip sla monitor statistics"),
        (r"Peers:\s+state", "show dlsw peers"),
        (r"Index\s+local addr\(lsap\)", "show dlsw circuits"),
        (r"Zone-pair(?:: | name)", "show policy-map type inspect zone-pair"),
    )
)
_OPENING_LINES: Final = 8


def read_capture(text: str, file: str) -> Capture:
    """Cut a file into sections at its exec prompts.

    A prompt inside a banner does not count. Without prompts the file is one section, and its
    kind is told from its content. The texts of the sections together are the file.

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
    cuts = list(_cuts(lines))
    if not cuts or (cuts[0].start and "".join(lines[: cuts[0].start]).strip()):
        cuts.insert(0, _Cut(0, 0, None, None))
    else:
        cuts[0] = replace(cuts[0], start=0)
    ends = [cut.start for cut in cuts[1:]] + [len(lines)]
    sections = (_section(cut, lines[cut.start : end]) for cut, end in zip(cuts, ends, strict=True))
    return Capture(file, tuple(sections))


def _cuts(lines: Sequence[str]) -> Iterator[_Cut]:
    prompts = {
        index: prompt
        for index, line in enumerate(lines)
        if ("#" in line or ">" in line) and (prompt := _exec_prompt(line)) is not None
    }
    banners = _closed_blocks(lines) if prompts else ()
    inside = {index for start, end in banners for index in range(start + 1, end)}
    for index, prompt in prompts.items():
        if index in inside:
            continue
        if prompt.command:
            yield _Cut(index, index + 1, prompt.host, spell_out(prompt.command))
        elif index + 1 < len(lines) and is_exec_command(lines[index + 1]):
            yield _Cut(index, index + 2, prompt.host, spell_out(lines[index + 1]))


def _closed_blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First line and end of each banner and the like, but for one that the text cuts off."""
    opaque = OpaqueReader(lines)
    resume = 0
    for index, line in enumerate(lines):
        if index < resume:
            continue
        block = opaque.body(index, line.strip())
        if block is not None and block.closed:
            resume = block.end
            yield index, block.end


def _exec_prompt(line: str) -> Prompt | None:
    prompt = prompt_of(render(line) if has_residue(line) else line.rstrip())
    return None if prompt is None or prompt.is_config else prompt


def _section(cut: _Cut, lines: Sequence[str]) -> Section:
    text = "".join(lines)
    prompt_lines = cut.body - cut.start
    output = lines[prompt_lines:]
    if cut.command is None:
        command, kind = _from_content(text, output)
    else:
        command, kind = cut.command, _kind_of(cut.command, output)
    return Section(command, cut.host, text, cut.start + 1, kind, prompt_lines)


def _kind_of(command: str, output: Sequence[str]) -> SectionKind:
    if not any((line := each.strip()) and line[0] not in "%^" for each in output):
        return SectionKind.UNKNOWN  # refused, or nothing printed
    if command.startswith(_CONFIG_COMMANDS) and not _LINE_FILTER.search(command):
        return SectionKind.CONFIG
    return SectionKind.SHOW if command.startswith("show ") else SectionKind.UNKNOWN


def _from_content(text: str, lines: Sequence[str]) -> tuple[str | None, SectionKind]:
    """Tell what a text without prompt is by how it begins."""
    opening = [line for each in lines[: 4 * _OPENING_LINES] if (line := each.strip())]
    if opening and opening[0].startswith("show ") and " is " not in opening[0]:
        command = spell_out(opening[0])
        return command, _kind_of(command, opening[1:])
    for start, name in _OPENINGS:
        if any(start.match(line) for line in opening[:_OPENING_LINES]):
            return name, SectionKind.SHOW
    if identify(text).dialect in (Dialect.NOT_A_CONFIG, Dialect.EMPTY):
        return None, SectionKind.UNKNOWN
    return None, SectionKind.CONFIG
