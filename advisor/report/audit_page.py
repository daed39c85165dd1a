"""The page of an audit: that of a lint, with measured beside predicted and the fleet."""

from collections.abc import Iterator, Sequence

from advisor.collect.fleet import Outcome
from advisor.predict.comparison import Compared
from advisor.quantity import figure, number
from advisor.report.device_pages import DeviceStory
from advisor.report.document import Table
from advisor.report.fleet_report import AuditReport
from advisor.report.fleet_text import verdict_words
from advisor.report.lint_page import render_lint
from advisor.report.mask import mask_path
from advisor.report.printable import all_printable, printable


def render_audit(report: AuditReport, stories: Sequence[DeviceStory]) -> str:
    """HTML text of an audit."""
    parts = (*_compared(report.compared), _fleet(report.outcomes))
    return render_lint(report.verdict, stories, parts, "QoS audit")


def _compared(rows: Sequence[Compared]) -> Iterator[Table]:
    if rows:
        columns = ("device", "output", "class", "figure", "measured", "predicted", "verdict")
        yield Table(
            "compared",
            "Predicted and measured",
            "A prediction is within, off by, or too wide to judge by what was measured.",
            columns,
            tuple(_row(all_printable(row)) for row in rows),
        )


def _row(row: Compared) -> tuple[str, ...]:
    name = "" if row.class_name is None else mask_path(f"class {row.class_name}")
    predicted = "" if row.predicted is None else figure(row.predicted)
    said = "; ".join((verdict_words(row.verdict), *(f"possible cause: {w}" for w in row.explains)))
    place = mask_path(row.object)
    return (row.device, place, name, row.metric, figure(row.measured), predicted, said)


def _fleet(outcomes: Sequence[Outcome]) -> Table:
    ordered = sorted(outcomes, key=lambda each: (each.is_whole, each.target.name))
    whole = sum(each.is_whole for each in outcomes)
    return Table(
        "fleet",
        "Devices asked",
        f"{whole} of {len(outcomes)} whole.",
        ("device", "outcome", "why", "next", "notes", "seconds"),
        tuple(_outcome(each) for each in ordered),
    )


def _outcome(outcome: Outcome) -> tuple[str, ...]:
    cells = (
        outcome.target.name,
        outcome.state,
        outcome.reason,
        outcome.next_step,
        "; ".join(outcome.notes),
        number(outcome.seconds) if outcome.seconds else "",
    )
    return tuple(map(printable, cells))
