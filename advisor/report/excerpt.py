"""The lines of a finding as a compiler shows them: with the words that are wrong marked."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from advisor.lint.findings import Finding, Place
from advisor.report.replaced import replaced
from advisor.report.style import Style
from advisor.report.wrapping import Verbatim, columns_of

_LONGEST: Final = 160  # columns of an excerpt where the terminal does not say its width
_LEAST: Final = 20
_BEFORE: Final = 12  # characters that are shown before a mark that stands far to the right
_CUT: Final = "…"


def excerpt_lines(finding: Finding, style: Style) -> Iterator[str]:
    """The lines of each file, the first location marked: the words that the remedy replaces.

    All of the line is marked where the remedy does not replace it by another one. Text of the
    finding is printable already.
    """
    subject = f"{finding.device}: {finding.object}"
    if not finding.locations:
        yield f"   {style.frame('-->')} {subject}"
        return
    marked = finding.locations[0]
    by_file = sorted(finding.locations, key=lambda at: (at.file != marked.file, at.file, at.line))
    digits = max(len(str(at.line)) for at in finding.locations)
    most = _LONGEST if style.width is None else max(style.width - digits - len(" | "), _LEAST)
    bar = style.frame("|")
    yield f"{' ' * digits} {style.frame('-->')} {marked.file}:{marked.line}  {subject}"
    for file, places in groupby(by_file, key=lambda at: at.file):
        if file != marked.file:
            yield f"{' ' * digits} {style.frame(':::')} {file}"
        yield f"{' ' * digits} {bar}"
        for at in dict.fromkeys(places):
            start, end = _marked(finding, at)
            text, start, end = _window(at.text.rstrip(), start, end, most)
            yield Verbatim(f"{style.frame(f'{at.line:>{digits}} |')} {text}")
            if at == marked:
                mark = "^" * max(columns_of(text[start:end]), 1)
                space = " " * columns_of(text[:start])
                underline = style.severity(mark, finding.severity)
                yield Verbatim(f"{' ' * digits} {bar} {space}{underline}")
    yield f"{' ' * digits} {bar}"


def _marked(finding: Finding, at: Place) -> tuple[int, int]:
    """Start and end of the characters to mark."""
    change = replaced(finding)
    if change is not None and change.at == at:
        return change.start, change.end
    text = at.text.rstrip()
    return len(text) - len(text.lstrip()), len(text)


def _window(text: str, start: int, end: int, most: int) -> tuple[str, int, int]:
    """The part of a line that fits, with the start of the mark in it."""
    if len(text) <= most:
        return text, start, end
    first = 0 if start < most - 1 else start - _BEFORE
    head = _CUT if first else ""
    room = most - len(head)
    part = text[first:]
    if len(part) > room:
        part = part[: room - 1] + _CUT
    shift = first - len(head)
    return head + part, start - shift, min(end - shift, len(head + part))
