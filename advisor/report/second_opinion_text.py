"""Differences from ciscoconfparse2, for people and as JSON, without secrets."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from advisor import __version__
from advisor.capture.masking import mask_quoted_line
from advisor.device.second_opinion import Difference, Opinion
from advisor.device.second_reasons import Reason
from advisor.ios.syntax.tree import ConfigTree, Kind, Line
from advisor.report.json_report import encoded
from advisor.report.printable import printable
from advisor.report.terminal import PLAIN, RenderOptions, Style, fitted

SCHEMA_VERSION = 1
_SHOWN: Final = 3  # differences of a reason that are shown one by one
_OTHER: Final = "ciscoconfparse2"

# Why the tree stands, for each reason; of an unexplained one nothing says so.
_WHY: Final[Mapping[Reason, str]] = {
    Reason.BANNER: f"text between delimiters is no command; {_OTHER} finds each line in a search",
    Reason.CERTIFICATE: f"the body ends at `quit`; {_OTHER} keeps each line of it as a command",
    Reason.KEY: f"the body ends at `quit`; {_OTHER} keeps each line of it as a command",
    Reason.MACRO: f"IOS runs a macro only where it is applied; {_OTHER} keeps commands of its body",
    Reason.BLOCK_END: f"the text before ends at its delimiter; {_OTHER} goes on in it",
    Reason.TERMINAL: f"printed around the configuration; {_OTHER} takes it for commands",
    Reason.PROMPT: f"the prompt names the mode; {_OTHER} takes it for a part of the command",
    Reason.RESIDUE: f"read as a terminal shows it; {_OTHER} reads what the file holds",
    Reason.FLAT: f"without indentation the modes of IOS show the section; {_OTHER} knows none",
    Reason.EXIT: f"`exit` leaves the mode that it stands in; {_OTHER} goes by its column",
    Reason.TABS: f"a tab ends at a multiple of 8 columns; {_OTHER} counts it as one",
    Reason.NOT_INDENTED: f"only the section above has such a command; {_OTHER} goes by its column",
    Reason.UNEVEN: f"the command above opens no mode of its own; {_OTHER} goes by the column",
    Reason.COMMENT: f"a comment to this tool is no part of the command; {_OTHER} keeps it",
    Reason.ABBREVIATION: f"keywords are read in full; {_OTHER} keeps them as typed",
    Reason.UNEXPLAINED: "nothing here says which of the two is right: look at the lines",
}


class ComparedLine(Struct, frozen=True):
    """A line in which the two differ.

    `kind` is what it is here: command, opaque for a block or a line of its body, or noise. `text`
    is its command, masked; null for a line that is none. `ours` and `theirs` are the lines of the
    file that it stands under, null at the top.
    """

    reason: Reason
    line: int
    kind: Kind
    text: str | None
    ours: int | None
    theirs: int | None


class ComparedConfig(Struct, frozen=True):
    """One configuration beside ciscoconfparse2's parse; `failure` is the error that ended it."""

    device: str
    file: str
    lines: int
    equal_lines: int
    sections: int
    equal_sections: int
    failure: str | None
    reasons: dict[Reason, int]
    differences: tuple[ComparedLine, ...]


class SecondOpinionJson(Struct, frozen=True):
    """The top-level object of `inspect --second-opinion --format json`."""

    schema: int
    version: str
    devices: tuple[ComparedConfig, ...]


class Compared(Struct, frozen=True):
    """A device, its tree and what the comparison found."""

    device: str
    tree: ConfigTree
    opinion: Opinion


def render_json(compared: Sequence[Compared], _options: RenderOptions = PLAIN) -> str:
    """Render the comparisons of all devices as JSON."""
    configs = tuple(map(_config, compared))
    return encoded(SecondOpinionJson(SCHEMA_VERSION, __version__, configs))


def _config(compared: Compared) -> ComparedConfig:
    opinion, commands = compared.opinion, _commands(compared.tree)
    return ComparedConfig(
        device=compared.device,
        file=compared.tree.file,
        lines=opinion.lines,
        equal_lines=opinion.equal_lines,
        sections=opinion.sections,
        equal_sections=opinion.equal_sections,
        failure=opinion.failure,
        reasons={reason: len(those) for reason, those in _by_reason(opinion).items()},
        differences=tuple(
            ComparedLine(
                difference.reason,
                difference.number,
                difference.kind,
                _text(commands, difference.number),
                difference.ours,
                difference.theirs,
            )
            for difference in opinion.differences
        ),
    )


def render_text(compared: Sequence[Compared], options: RenderOptions = PLAIN) -> str:
    """Render the comparisons of all devices: those that differ, then what is equal in all."""
    style = options.style
    shown = (line for config in compared for line in _device(config, style))
    return fitted((*shown, _total(compared)), style.width)


def _total(compared: Sequence[Compared]) -> str:
    """Counts of all configurations that were compared."""
    opinions = [config.opinion for config in compared if config.opinion.failure is None]
    whole = sum(not opinion.differences for opinion in opinions)
    lines, sections = (
        f"{sum(equal):,} of {sum(every):,}"
        for equal, every in (
            (
                [opinion.equal_lines for opinion in opinions],
                [opinion.lines for opinion in opinions],
            ),
            (
                [opinion.equal_sections for opinion in opinions],
                [opinion.sections for opinion in opinions],
            ),
        )
    )
    return (
        f"equal in both: {whole:,} of {len(compared):,} configurations, {lines} lines, "
        f"{sections} sections"
    )


def _device(compared: Compared, style: Style) -> Iterator[str]:
    opinion, tree = compared.opinion, compared.tree
    if opinion.failure is None and not opinion.differences:
        return
    yield style.bold(printable(compared.device)) + style.frame(f"  ({printable(tree.file)})")
    if opinion.failure is not None:
        yield f"  not compared: {_OTHER} fails on this text ({opinion.failure})"
        return
    commands = _commands(tree)
    for reason, differences in _by_reason(opinion).items():
        yield f"  {style.bold(reason)}: {_counted(differences)}"
        yield f"    {_WHY[reason]}"
        told = [difference for difference in differences if difference.number in commands]
        for difference in told[:_SHOWN]:
            yield from _told(difference, commands)
        if len(told) > _SHOWN:
            yield f"    … {len(told) - _SHOWN:,} more, --format json has them all"


def _told(difference: Difference, commands: Mapping[int, Line]) -> Iterator[str]:
    """A command, and where each of the two has it."""
    text = _text(commands, difference.number) or ""
    yield f"    {difference.number}: {printable(text)}"
    ours, theirs = (_place(at, commands) for at in (difference.ours, difference.theirs))
    if ours != theirs:
        yield f"      here {ours}; {_OTHER}: {theirs}"


def _place(number: int | None, commands: Mapping[int, Line]) -> str:
    if number is None:
        return "at the top"
    text = _text(commands, number)
    where = f"under line {number}"
    return where if text is None else f"{where}, {printable(text)}"


def _by_reason(opinion: Opinion) -> dict[Reason, list[Difference]]:
    """Differences of each reason, those of most lines first, unexplained ones before all."""
    groups: dict[Reason, list[Difference]] = {}
    for difference in opinion.differences:
        groups.setdefault(difference.reason, []).append(difference)
    ranked = sorted(
        groups.items(), key=lambda group: (group[0] is not Reason.UNEXPLAINED, -len(group[1]))
    )
    return dict(ranked)


def _counted(differences: Sequence[Difference]) -> str:
    """Number of lines and where they stand, lines behind each other as one range."""
    runs: list[tuple[int, int]] = []
    for number in (difference.number for difference in differences):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in runs[:_SHOWN]]
    more = [f"{len(runs) - _SHOWN:,} more places"] if len(runs) > _SHOWN else []
    noun = "line" if len(differences) == 1 else "lines"
    return f"{len(differences):,} {noun}, {', '.join((*shown, *more))}"


def _commands(tree: ConfigTree) -> dict[int, Line]:
    return {line.number: line for line in tree.walk() if line.is_command}


def _text(commands: Mapping[int, Line], number: int) -> str | None:
    """A command without secrets; None of a line that is none."""
    line = commands.get(number)
    return None if line is None else mask_quoted_line(line.text)
