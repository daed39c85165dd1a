"""Collections and audits of a fleet: what would be asked, outcomes, measured beside predicted."""

from collections.abc import Iterable, Sequence
from datetime import date

from msgspec import Struct

from advisor import __version__
from advisor.collect.fleet import DeviceOutcome, DeviceState
from advisor.collect.hosts import Target
from advisor.collect.plan import Allowed, CollectPlan
from advisor.ground.quantity import count, number
from advisor.ground.records import picked
from advisor.lint.change import Comparison
from advisor.lint.findings import Verdict
from advisor.predict.comparison import Compared, SampledRate
from advisor.report import all_printable, brief, change, printable
from advisor.report.change import DiffJson, diff_json
from advisor.report.compared import compared_tables, compared_text
from advisor.report.device_pages import DeviceStory
from advisor.report.document import Table, as_markdown
from advisor.report.json_report import SCHEMA_VERSION, Report, encoded, report_of
from advisor.report.lint_page import render_lint
from advisor.report.lint_text import render_markdown
from advisor.report.terminal import PLAIN, RenderOptions, fitted


class PlannedDevice(Struct, frozen=True):
    """A device that would be asked, and how old its crypto may be."""

    name: str
    address: str
    ssh_profile: str


class PlannedCommand(Struct, frozen=True):
    """A command that every device would be asked, in order.

    `older` are its names in older trains, tried where the image does not know it. `waits_for_cpu`
    is true of what is held back while the CPU is busy, `is_sampled_twice` of what rates are made
    of.
    """

    command: str
    older: tuple[str, ...]
    waits_for_cpu: bool
    is_sampled_twice: bool


class PlannedFleet(Struct, frozen=True):
    """The top-level object of `collect --dry-run --format json`; that of `audit` is the same."""

    schema: int
    version: str
    jump: str | None
    interval_s: float | None
    devices: tuple[PlannedDevice, ...]
    commands: tuple[PlannedCommand, ...]


class DryRun(Struct, frozen=True):
    """A plan, the devices that would be asked, and the host in between."""

    plan: CollectPlan
    targets: tuple[Target, ...]
    jump: str | None


def render_dry_run(run: DryRun, _options: RenderOptions = PLAIN) -> str:
    """The commands for each device, in order."""
    lines = []
    for target in run.targets:
        route = f" over {run.jump}" if run.jump else ""
        old = f", {target.profile} SSH" if target.profile != "modern" else ""
        lines.append(f"{target.name}: {target.endpoint}{route}{old}")
        lines += (f"  {_step(run.plan, step)}" for step in run.plan.steps)
    lines += ["", f"{count(len(run.targets), 'device')}; no connection was made"]
    return "".join(f"{printable(line)}\n" for line in lines)


def _step(plan: CollectPlan, step: Allowed) -> str:
    notes = ["held back while the CPU is busy"] if step.is_heavy else []
    if plan.is_sampled_twice(step):
        notes.append(f"twice, {number(plan.interval_s or 0.0)} s apart")
    if step.older:
        notes.append(f"in older trains {', '.join(step.older)}")
    return f"{step.command}  ({'; '.join(notes)})" if notes else step.command


def dry_run_json(run: DryRun, _options: RenderOptions = PLAIN) -> str:
    """The devices and the commands for each of them, as JSON."""
    plan = run.plan
    devices = tuple(
        PlannedDevice(target.name, target.endpoint, target.profile.value) for target in run.targets
    )
    commands = tuple(
        PlannedCommand(step.command, step.older, step.is_heavy, plan.is_sampled_twice(step))
        for step in plan.steps
    )
    return encoded(
        PlannedFleet(SCHEMA_VERSION, __version__, run.jump, plan.interval_s, devices, commands)
    )


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


class Since(Struct, frozen=True):
    """Changes since an earlier run. Devices of `without` have no bundle of that run."""

    folder: str
    without: tuple[str, ...]
    comparison: Comparison


class SinceJson(Struct, frozen=True):
    """The same, for JSON; `changes` has the shape of `diff --format json`."""

    folder: str
    without: tuple[str, ...]
    changes: DiffJson


class AuditReport(Struct, frozen=True):
    """Results of an audit: its verdict, and what no other command has."""

    verdict: Verdict
    outcomes: tuple[DeviceOutcome, ...]
    compared: tuple[Compared, ...]
    rates: tuple[SampledRate, ...]
    since: Since | None = None


class AuditJson(Report, frozen=True):
    """The top-level object of `audit --format json`: that of `lint`, and more."""

    fleet: tuple[AskedDevice, ...]
    compared: tuple[Compared, ...]
    rates: tuple[SampledRate, ...]
    since: SinceJson | None = None


def _ranked(outcomes: Iterable[DeviceOutcome]) -> list[DeviceOutcome]:
    """Devices that need work first."""
    return sorted(outcomes, key=lambda outcome: (outcome.is_whole, outcome.target.name))


def render_outcomes(outcomes: Sequence[DeviceOutcome], options: RenderOptions = PLAIN) -> str:
    """A line for each device; devices that need work come first, with the next step."""
    style = options.style
    lines = [style.bold("Devices")]
    width = max((len(outcome.target.name) for outcome in outcomes), default=0)
    for outcome in _ranked(outcomes):
        line = f"  {outcome.target.name:<{width}}  {outcome.state}"
        if outcome.device is not None and outcome.device != outcome.target.name:
            line += f", {outcome.device}"
        if outcome.folder is not None and outcome.state is not DeviceState.NOT_REACHED:
            line += f", {number(outcome.seconds)} s" if outcome.seconds else ""
        more = [("reason", outcome.reason), ("next", outcome.next_step)]
        more += (("note", note) for note in outcome.notes)
        lines += (line, *(f"      {label:<7} {text}" for label, text in more if text))
    lines += ["", _summary(outcomes)]
    safe = (printable(line) if line[:1] != chr(27) else line for line in lines)
    return fitted(safe, style.width)


def _summary(outcomes: Sequence[DeviceOutcome]) -> str:
    whole = sum(outcome.is_whole for outcome in outcomes)
    lost = sum(outcome.state is DeviceState.NOT_REACHED for outcome in outcomes)
    counted = ((len(outcomes) - whole - lost, "incomplete"), (lost, "not reached"))
    rest = "".join(f", {number(size)} {words}" for size, words in counted if size)
    return f"{whole} of {count(len(outcomes), 'device')} whole{rest}"


def outcomes_json(outcomes: Sequence[DeviceOutcome], _options: RenderOptions = PLAIN) -> str:
    """Outcome of each device, as JSON."""
    whole = all(outcome.is_whole for outcome in outcomes)
    return encoded(AskedFleet(SCHEMA_VERSION, __version__, whole, tuple(map(_asked, outcomes))))


def _asked(outcome: DeviceOutcome) -> AskedDevice:
    return picked(
        AskedDevice,
        outcome,
        outcome.target,
        address=outcome.target.endpoint,
        bundle=None if outcome.folder is None else str(outcome.folder),
        seconds=round(outcome.seconds, 3),
    )


def render_audit(report: AuditReport, options: RenderOptions = PLAIN) -> str:
    """The findings, the comparison, then the fleet: devices that need work are seen last."""
    blocks = (
        brief.render(report.verdict, options),
        compared_text(report.compared, report.rates, options.style),
        _since_text(report.since, options),
        render_outcomes(report.outcomes, options),
    )
    return "\n".join(block for block in blocks if block)


def audit_json(report: AuditReport, _options: RenderOptions = PLAIN) -> str:
    """The whole report as JSON."""
    fleet = tuple(map(_asked, report.outcomes))
    since = report.since
    changed = since and picked(SinceJson, since, changes=diff_json(since.comparison))
    return encoded(picked(AuditJson, report_of(report.verdict), report, fleet=fleet, since=changed))


def _since_text(since: Since | None, options: RenderOptions) -> str:
    """Changes for the worse, and other changes, since an earlier run."""
    if since is None:
        return ""
    head = [options.style.bold(f"Since {printable(since.folder)}")]
    if since.without:
        head.append(f"  no earlier bundle: {', '.join(map(printable, since.without))}")
    return fitted(head, options.style.width) + change.render(since.comparison, options)


def render_audit_markdown(report: AuditReport, options: RenderOptions = PLAIN) -> str:
    """The findings, then a table of what was measured beside what is predicted."""
    tables = as_markdown(compared_tables(report.compared))
    return render_markdown(report.verdict, options) + (f"\n{tables}" if report.compared else "")


def audit_page(report: AuditReport, stories: Sequence[DeviceStory], day: date | None) -> str:
    """HTML text of an audit."""
    changed = (
        ()
        if report.since is None
        else change.changed_tables(all_printable(report.since.comparison))
    )
    parts = (*compared_tables(report.compared), *changed, _fleet(report.outcomes))
    return render_lint(report.verdict, stories, parts, "QoS audit", day)


def _fleet(outcomes: Sequence[DeviceOutcome]) -> Table:
    return Table(
        "fleet",
        "Devices asked",
        f"{_summary(outcomes)}.",
        ("device", "outcome", "why", "next", "notes", "seconds"),
        tuple(_outcome_cells(outcome) for outcome in _ranked(outcomes)),
    )


def _outcome_cells(outcome: DeviceOutcome) -> tuple[str, ...]:
    cells = (
        outcome.target.name,
        outcome.state,
        outcome.reason,
        outcome.next_step,
        "; ".join(outcome.notes),
        number(outcome.seconds) if outcome.seconds else "",
    )
    return tuple(map(printable, cells))
