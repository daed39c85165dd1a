"""Jobs of `collect` and `audit`."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from getpass import getpass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from advisor import api
from advisor.capture.read_bundle import is_bundle
from advisor.cli import endings, process
from advisor.cli.endings import WrongUseError
from advisor.cli.lint_jobs import say_notes, say_what_is_misstated
from advisor.cli.lint_options import Audit, Collect
from advisor.cli.options import View, emit, flags_of, render_options_of, show, view_of
from advisor.cli.process import Code, say
from advisor.collect import DeviceError, Failure, ReadLimits
from advisor.collect.hosts import PASSWORD, Keychain, KnownHosts, Target, target_of
from advisor.collect.inventory import targets_of
from advisor.collect.plan import CollectPlan, authorization, plan_of
from advisor.collect.transport import SshProfile
from advisor.device.reading import Source
from advisor.ground.faults import Guard
from advisor.ground.records import picked
from advisor.lint.cards import is_selected, wanted_commands
from advisor.predict.comparison import Compared, SampledRate, measured
from advisor.report import printable
from advisor.report.formats import DRY_RUNS, FLEETS, audit_text

if TYPE_CHECKING:
    from advisor.collect.fleet import DeviceOutcome, FleetRun
    from advisor.report.fleet import Since


class _Run(Struct, frozen=True):
    """A run over devices: what is asked for, what is in force, and the plan that follows."""

    options: Collect | Audit
    view: View
    force: api.InForce
    plan: CollectPlan
    guard: Guard


def _run(options: Collect | Audit, interval_s: float | None) -> _Run:
    force = api.in_force(api.settings_of(flags_of(options)))
    selected = [rule for rule in force.rules if is_selected(rule, force.settings)]
    plan = plan_of(wanted_commands(selected), interval_s)
    return _Run(options, view_of(options), force, plan, Guard())


def collect(options: Collect) -> Code:
    """Write a bundle of each device, and print how it ended with each.

    Raises
    ------
    WrongUseError
        If there is no folder to write to.
    """
    if options.print_authorization:
        return _print_authorization(options)
    if options.dry_run:
        return _dry_run(options)
    if options.out is None:
        raise WrongUseError(
            "--out: is missing; name the folder for the bundles, like --out bundles"
        )
    run = _run(options, options.interval_s)
    outcomes, interrupted = _collected(run, _targets(run), options.out)
    failed = endings.report_faults(run.guard.faults)
    show(FLEETS.render(outcomes, run.view.form, render_options_of(run.view)), run.view)
    if interrupted:
        return Code.INTERRUPTED
    if failed:
        return Code.INTERNAL
    return Code.CLEAN if all(outcome.is_whole for outcome in outcomes) else Code.INCOMPLETE


def _print_authorization(options: Collect) -> Code:
    """Print what an account must be allowed, three ways."""
    if options.form == "json":
        raise WrongUseError("--format json: does not go with --print-authorization")
    emit(authorization(_run(options, None).plan.may_send), options.output)
    return Code.CLEAN


def _dry_run(options: Collect | Audit) -> Code:
    """Print the commands that a run would send to each device."""
    from advisor.report.fleet import DryRun  # noqa: PLC0415

    if options.form not in DRY_RUNS:
        raise WrongUseError(f"--format {options.form}: does not go with --dry-run")
    run = _run(options, options.interval_s)
    targets = _targets(run)
    asked = DryRun(run.plan, targets, options.jump)
    show(DRY_RUNS.render(asked, run.view.form, render_options_of(run.view)), run.view)
    return Code.CLEAN


def audit(options: Audit) -> Code:
    """Collect, judge, compare; one report, whole even of a part of the fleet."""
    from advisor.report.fleet import AuditReport  # noqa: PLC0415

    if options.dry_run:
        return _dry_run(options)
    run = _run(options, options.interval_s)
    view, force, guard = run.view, run.force, run.guard
    targets = _targets(run)
    earlier = _earlier(options.since, targets)  # before this run may replace it
    with _folder(options.out) as folder:
        outcomes, interrupted = _collected(run, targets, folder, is_judged=True)
        sources = list(_sources(outcomes, run))
        stored = _stored(outcomes, earlier)
    run_options = api.RunOptions(guard)
    plan = api.planned(sources, force, run_options=run_options) if view.form == "html" else None
    verdict = api.judged(sources, force, run_options) if plan is None else plan.verdict
    compared: list[Compared] = []
    rates: list[SampledRate] = []
    for source in sources:
        with guard.around(source.name):
            rows, source_rates = measured(source, force.settings)
            compared += rows
            rates += source_rates
    losses = (
        f"{outcome.target.name}: {outcome.reason}" for outcome in outcomes if outcome.folder is None
    )
    failed = endings.report_faults(guard.faults)
    verdict = replace(verdict, incomplete=(*failed, *verdict.incomplete, *losses))
    since = _since(options.since, outcomes, earlier, stored, run)
    report = AuditReport(verdict, tuple(outcomes), tuple(compared), tuple(rates), since)
    say_notes(verdict, view)
    if plan is None:
        render_options = render_options_of(view, force.rules, force.settings.fail_on)
        text = audit_text(report, view.form, render_options)
    else:
        from advisor.cli.html_jobs import PageInputs, audit_page  # noqa: PLC0415

        inputs = PageInputs(plan, sources, force.settings, guard, force.rules[0].site)
        text = audit_page(report, inputs)
    show(text, view)
    say_what_is_misstated(verdict)
    if interrupted:
        return Code.INTERRUPTED
    fail_on = force.settings.fail_on
    return endings.code_of(
        verdict, force.incomplete, fail_on, bad_path=False, has_fault=bool(failed)
    )


def _sources(outcomes: Sequence["DeviceOutcome"], run: _Run) -> Iterator[Source]:
    """Captures of the devices that were reached."""
    for outcome in outcomes:
        with run.guard.around(outcome.target.name):
            capture = outcome.capture(is_kept=run.options.out is not None)
            if capture is not None:
                yield Source(capture.file, b"", capture)


def _earlier(since: Path | None, targets: Sequence[Target]) -> dict[str, Source]:
    """The bundles of an earlier run by the names of the devices."""
    from advisor.collect.fleet import stored_bundle  # noqa: PLC0415 -- SSH takes its time

    if since is None:
        return {}
    folders = {target.name: since / target.folder for target in targets}
    bundles = {name: stored_bundle(path) for name, path in folders.items() if is_bundle(path)}
    if not bundles:
        raise WrongUseError(
            f"--since {since}: holds no bundle of these devices; name the --out of an earlier run"
        )
    return {name: Source(capture.file, b"", capture) for name, capture in bundles.items()}


def _stored(
    outcomes: Sequence["DeviceOutcome"], earlier: Mapping[str, Source]
) -> dict[str, Source]:
    """The bundles of this run, masked as the earlier ones are, of devices that have both."""
    from advisor.collect.fleet import stored_bundle  # noqa: PLC0415 -- as above

    return {
        outcome.target.name: Source(capture.file, b"", capture)
        for outcome in outcomes
        if outcome.folder is not None and outcome.target.name in earlier
        for capture in (stored_bundle(outcome.folder),)
    }


def _since(
    folder: Path | None,
    outcomes: Sequence["DeviceOutcome"],
    earlier: Mapping[str, Source],
    stored: Mapping[str, Source],
    run: _Run,
) -> "Since | None":
    """Changes since the earlier run, of devices that both runs reached."""
    from advisor.lint.change import Gate  # noqa: PLC0415 -- with --since alone
    from advisor.lint.change.compare import compared  # noqa: PLC0415 -- as above
    from advisor.report.change import snapshot_of  # noqa: PLC0415 -- as above
    from advisor.report.fleet import Since  # noqa: PLC0415 -- as above

    if folder is None:
        return None
    force, run_options = run.force, api.RunOptions(run.guard)
    before, now = (
        snapshot_of(api.taken([states[name] for name in stored], force, run_options))
        for states in (earlier, stored)
    )
    comparison = compared(before, now, Gate(incomplete_rules=force.incomplete))
    reached = (outcome.target.name for outcome in outcomes if outcome.folder is not None)
    return Since(str(folder), tuple(name for name in reached if name not in earlier), comparison)


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    """The folder of the bundles; without --out, a private one that is deleted at the end."""
    if out is not None:
        yield out
        return
    with TemporaryDirectory(prefix="advisor-audit-") as folder:
        yield Path(folder)


def _collected(
    run: _Run, targets: Sequence[Target], out: Path, *, is_judged: bool = False
) -> tuple[list["DeviceOutcome"], bool]:
    """Collect from all devices; says whether Ctrl-C ended it."""
    from advisor.collect.fleet import DeviceOutcome, DeviceState  # noqa: PLC0415 -- SSH takes its time

    progress = _Progress(len(targets), run.view)
    fleet = _fleet(run, out, progress, is_judged=is_judged)
    outcomes: list[DeviceOutcome] = []
    interrupted = False
    try:
        with (
            process.announced(_say_that_it_ends),
            closing(fleet.collect(targets)) as arrivals,
        ):
            for outcome in arrivals:
                outcomes.append(outcome)
                progress.ended(outcome)
    except KeyboardInterrupt:
        interrupted = True
    except DeviceError as error:
        jump = run.options.jump
        raise WrongUseError(printable(f"--jump {jump}: {error}; {error.next_step}")) from None
    names = {outcome.target.name for outcome in outcomes}
    unsaid = [item for item in fleet.ended if item.folder and item.target.name not in names]
    outcomes += unsaid
    names.update(item.target.name for item in unsaid)
    stopped = DeviceError(Failure.INTERRUPTED)
    outcomes += (
        DeviceOutcome(
            target, DeviceState.NOT_REACHED, reason=str(stopped), next_step=stopped.next_step
        )
        for target in targets
        if target.name not in names
    )
    return sorted(outcomes, key=lambda outcome: outcome.target.name), interrupted


class _Progress:
    """Tells what happens with the devices of a run, if standard error is a terminal.

    `say` may be called by many threads.
    """

    def __init__(self, total: int, view: View) -> None:
        self._total, self._ended_count = total, 0
        self._is_shown = sys.stderr.isatty() and not view.quiet

    def say(self, target: Target, text: str) -> None:
        """Print why a device waits."""
        if self._is_shown and text != "connecting":
            say(printable(f"{target.name}: {text}"))

    def ended(self, outcome: "DeviceOutcome") -> None:
        """Print how the collection of one device ended."""
        self._ended_count += 1
        if self._is_shown:
            reason = f": {outcome.reason}" if outcome.reason else ""
            progress = f"[{self._ended_count}/{self._total}] {outcome.target.name} {outcome.state}"
            say(printable(f"{progress}{reason}"))


def _fleet(run: _Run, out: Path, progress: _Progress, *, is_judged: bool) -> "FleetRun":
    """Options, credentials and limits that all devices of a run share."""
    from advisor.collect.fleet import FleetRun  # noqa: PLC0415 -- SSH takes its time

    options = run.options
    ask = getpass if sys.stdin.isatty() else None
    return FleetRun(
        run.plan,
        Keychain(options.username, options.key, options.agent, ask),
        KnownHosts(options.known_hosts.expanduser()),
        _made(out),
        _limits(options),
        options.workers,
        options.accept_new,
        options.resume,
        target_of(options.jump) if options.jump is not None else None,
        progress.say,
        run.guard,
        judged_in_memory=is_judged,
    )


def _say_that_it_ends() -> None:
    say("interrupted: ending the run; finished bundles are kept")


def _limits(options: Collect | Audit) -> ReadLimits:
    """Times and loads; a second sample is on top of what a device may take."""
    return picked(ReadLimits, options, device_s=options.device_s + (options.interval_s or 0.0))


def _targets(run: _Run) -> tuple[Target, ...]:
    """The devices; says that passwords of the inventory are not used."""
    options = run.options
    profile = SshProfile(options.ssh_profile) if options.ssh_profile is not None else None
    targets = targets_of(options.hosts, options.inventory, options.conditions, profile)
    password_count = sum(target.has_password for target in targets)
    if password_count and not run.view.quiet:
        say(
            f"--inventory: holds passwords of {password_count} of {len(targets)} devices; they are"
            f" not used: remove them, and set {PASSWORD} or use the keyring, --key or --agent"
        )
    return targets


def _made(out: Path) -> Path:
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUseError(f"--out {out}: {error.strerror}") from None
    if not os.access(out, os.W_OK):
        raise WrongUseError(f"--out {out}: cannot be written to")
    return out
