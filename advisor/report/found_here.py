"""What a rule finds in a config, with the formulas behind its figure and their numbers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from advisor.lint.findings import Finding
from advisor.report.findings import forecast_lines, given_lines
from advisor.report.printable import all_printable, printable
from advisor.report.terminal import Style, fitted

# By the family of a rule.
FORMULAS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "TXR": ("ring-bound", "saturated-wait", "class-bound"),
    "LFI": ("serialization", "fragment-size"),
    "SHP": ("shaper-interval",),
    "LLQ": ("priority-rate", "priority-burst"),
}


class FoundHere(Struct, frozen=True):
    """A finding, and the formulas of its rule with the numbers of its output."""

    finding: Finding
    formulas: tuple[str, ...]


def is_at(path: str, output: str) -> bool:
    """Whether an object is an output, a part of it, or around it."""
    return f"{path} > ".startswith(f"{output} > ") or f"{output} > ".startswith(f"{path} > ")


def render(found: Sequence[FoundHere], style: Style) -> str:
    """Each finding with its numbers; a word where there is none."""
    return fitted(_lines(found, style), style.width)


def _lines(found: Sequence[FoundHere], style: Style) -> Iterator[str]:
    yield ""
    yield style.bold("Here")
    if not found:
        yield "  nothing is found; `advisor lint -v` says what could not be judged"
    for each in found:
        finding = all_printable(each.finding)
        place = finding.locations[0] if finding.locations else None
        where = "" if place is None else f" ({place.file}:{place.line})"
        yield f"  {finding.device}: {finding.object}{where}"
        yield f"    {finding.message}"
        if finding.prediction is not None:
            yield from (f"    {line}" for line in forecast_lines(finding.prediction))
        yield from (f"    {printable(line)}" for line in each.formulas)
        if finding.prediction is not None:
            yield from (f"    {line}" for line in given_lines(finding.prediction))
        remedy = finding.remedy
        if remedy is not None and remedy.lines:
            yield f"    remedy ({remedy.level}): advisor fix --rule {finding.rule}"
        elif remedy is not None and remedy.advice:
            yield f"    by hand: {remedy.advice}"
