"""Findings as a table for spreadsheets: RFC 4180, and no cell that a spreadsheet would compute."""

import csv
from io import StringIO
from typing import Final

from advisor.lint.findings import Finding, Verdict
from advisor.quantity import plain
from advisor.report.csv_cells import safe
from advisor.report.manner import Manner
from advisor.report.mask import masked
from advisor.report.printable import all_printable

COLUMNS: Final = (
    *("device", "rule", "name", "severity", "confidence", "object", "file", "line", "message"),
    *("metric", "before", "before_low", "before_high", "before_bound"),
    *("after", "after_low", "after_high", "after_bound", "unit"),
    *("remedy", "lines", "rollback", "advice", "suppressed_by", "suppressed_reason"),
)


def render(verdict: Verdict, manner: Manner | None = None) -> str:
    """Render a row for each finding, suppressed ones too, below a row with the names of columns.

    The lines of a remedy stand in one cell, one below the other.
    """
    del manner
    shown = all_printable(masked(verdict))
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows([safe(cell) for cell in _cells(finding)] for finding in shown.findings)
    return text.getvalue()


def _cells(finding: Finding) -> list[str]:
    at, accepted = finding.locations[:1], finding.suppressed
    remedy = finding.remedy
    return [
        finding.device,
        finding.rule,
        finding.name,
        finding.severity,
        finding.confidence,
        finding.object,
        at[0].file if at else "",
        str(at[0].line) if at else "",
        finding.message,
        *_figures(finding),
        "" if remedy is None else remedy.level,
        "" if remedy is None else "\n".join(remedy.lines),
        "" if remedy is None else "\n".join(remedy.rollback),
        "" if remedy is None else remedy.advice or "",
        "" if accepted is None else accepted.by,
        "" if accepted is None else accepted.reason or "",
    ]


def _figures(finding: Finding) -> list[str]:
    forecast = finding.prediction
    if forecast is None:
        return [""] * 10
    known = (forecast.before, forecast.after)
    cells = [
        "" if figure is None or value is None else plain(value)
        for figure in known
        for value in (
            (None,) * 4 if figure is None else (figure.value, figure.low, figure.high, figure.bound)
        )
    ]
    return [forecast.metric, *cells, forecast.before.unit]
