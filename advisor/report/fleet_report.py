"""The report of an audit: the fleet, the findings, and measured beside predicted."""

from collections.abc import Sequence

from msgspec import Struct

from advisor import __version__
from advisor.collect.fleet import Outcome
from advisor.lint.findings import Verdict
from advisor.predict.comparison import Compared, Rate
from advisor.report import fleet_text, lint_text
from advisor.report.json_report import SCHEMA_VERSION, Report, encoded, report_of
from advisor.report.terminal import PLAIN, RenderOptions


class AskedDevice(Struct, frozen=True):
    """Outcome of a device, for JSON."""

    name: str
    address: str
    state: str
    device: str | None
    bundle: str | None
    reason: str
    next_step: str
    notes: tuple[str, ...]
    seconds: float


class AskedFleet(Struct, frozen=True):
    """The top-level object of `collect --format json`."""

    schema: int
    version: str
    complete: bool
    fleet: tuple[AskedDevice, ...]


class AuditReport(Struct, frozen=True):
    """Results of an audit: its verdict, and what no other command has."""

    verdict: Verdict
    outcomes: tuple[Outcome, ...]
    compared: tuple[Compared, ...]
    rates: tuple[Rate, ...]


class AuditJson(Report, frozen=True):
    """The top-level object of `audit --format json`: that of `lint`, and more."""

    fleet: tuple[AskedDevice, ...]
    compared: tuple[Compared, ...]
    rates: tuple[Rate, ...]


def render_text(report: AuditReport, options: RenderOptions) -> str:
    """The findings, the comparison, then the fleet: devices that need work are seen last."""
    blocks = (
        lint_text.render(report.verdict, options),
        fleet_text.compared_text(report.compared, report.rates, options.style),
        fleet_text.outcomes_text(report.outcomes, options.style),
    )
    return "\n".join(block for block in blocks if block)


def render_json(report: AuditReport, _options: RenderOptions = PLAIN) -> str:
    """The whole report as JSON."""
    lint = report_of(report.verdict)
    fields = {name: getattr(lint, name) for name in Report.__struct_fields__}
    return encoded(
        AuditJson(
            **fields,
            fleet=tuple(_asked(outcome) for outcome in report.outcomes),
            compared=report.compared,
            rates=report.rates,
        )
    )


def render_outcomes(outcomes: Sequence[Outcome], options: RenderOptions) -> str:
    """Outcome of each device, those that need work first."""
    return fleet_text.outcomes_text(outcomes, options.style)


def outcomes_json(outcomes: Sequence[Outcome], _options: RenderOptions = PLAIN) -> str:
    """Outcome of each device, as JSON."""
    whole = all(outcome.is_whole for outcome in outcomes)
    return encoded(
        AskedFleet(
            SCHEMA_VERSION, __version__, whole, tuple(_asked(outcome) for outcome in outcomes)
        )
    )


def _asked(outcome: Outcome) -> AskedDevice:
    return AskedDevice(
        outcome.target.name,
        outcome.target.endpoint,
        outcome.state,
        outcome.device,
        str(outcome.folder) if outcome.folder is not None else None,
        outcome.reason,
        outcome.next_step,
        outcome.notes,
        round(outcome.seconds, 3),
    )
