"""What `collect` and `audit` do."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from getpass import getpass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture import Capture
from advisor.capture.bundle import read_bundle
from advisor.cli import crash, interrupts
from advisor.cli.errors import Code, say
from advisor.cli.exit_code import code_of
from advisor.cli.fleet_options import FleetOptions
from advisor.cli.fleet_progress import FleetProgress
from advisor.cli.judge_jobs import say_notes, say_what_is_misstated
from advisor.cli.manner import manner_of
from advisor.cli.output import emit, show
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.collect.authorization import authorization
from advisor.collect.credentials import PASSWORD, Keychain
from advisor.collect.faults import DeviceError, Fault
from advisor.collect.host_keys import KnownHosts
from advisor.collect.hosts import Target, target_of
from advisor.collect.plan import Plan, plan_of
from advisor.device.reading import Source
from advisor.faults import Guard
from advisor.lint.cards import Rule, is_selected, wanted_commands
from advisor.lint.plan import all_of, plan_run
from advisor.lint.rulebook import resolved, rules_of
from advisor.lint.run import review
from advisor.predict.comparison import Compared, Rate, measured
from advisor.report.formats import DRY_RUNS, FLEETS, audit_text
from advisor.report.printable import printable
from advisor.settings.load import load_settings
from advisor.settings.values import Flags, Settings

if TYPE_CHECKING:
    from advisor.collect.fleet import Outcome


class _Run(Struct, frozen=True):
    """Rules and settings in force, and the plan that follows from them."""

    rules: Sequence[Rule]
    settings: Settings
    plan: Plan


def _run(flags: Flags, interval_s: float | None) -> _Run:
    settings = load_settings(Path.cwd(), flags)
    rules = rules_of(settings)
    settings = resolved(rules, settings)
    selected = [rule for rule in rules if is_selected(rule, settings)]
    return _Run(rules, settings, plan_of(wanted_commands(selected), interval_s))


def print_authorization(flags: Flags, view: View) -> Code:
    """Print what an account must be allowed, three ways.

    Raises
    ------
    WrongUseError
        If it is asked for as JSON.
    """
    if view.form == "json":
        raise WrongUseError("--format json: does not go with --print-authorization")
    emit(authorization(_run(flags, None).plan.may_send), view.output)
    return Code.CLEAN


def dry_run(options: FleetOptions, flags: Flags, view: View) -> Code:
    """Print the commands that a run would send to each device.

    Raises
    ------
    WrongUseError
        If the format is one of findings.
    """
    from advisor.report.fleet import DryRun  # noqa: PLC0415

    if view.form not in DRY_RUNS:
        raise WrongUseError(f"--format {view.form}: does not go with --dry-run")
    run = _run(flags, options.interval_s)
    targets = options.targets()
    _say_what_is_not_used(targets, view)
    asked = DryRun(run.plan, tuple(targets), options.jump)
    show(DRY_RUNS.render(asked, view.form, manner_of(view)), view)
    return Code.CLEAN


def collect(options: FleetOptions, flags: Flags, view: View, out: Path | None) -> Code:
    """Write a bundle of each device, and print how it ended with each.

    Raises
    ------
    WrongUseError
        If there is no folder to write to.
    """
    if out is None:
        raise WrongUseError(
            "--out: is missing; name the folder for the bundles, like --out bundles"
        )
    run = _run(flags, options.interval_s)
    guard = Guard()
    outcomes, interrupted = _collected(options, run, out, view, guard)
    failed = crash.reasons(guard.faults)
    show(FLEETS.render(outcomes, view.form, manner_of(view)), view)
    if interrupted:
        return Code.INTERRUPTED
    if failed:
        return Code.INTERNAL
    return Code.CLEAN if all(outcome.is_whole for outcome in outcomes) else Code.INCOMPLETE


def audit(options: FleetOptions, flags: Flags, view: View, out: Path | None) -> Code:
    """Collect, judge, compare; one report, whole even of a part of the fleet."""
    from advisor.report.fleet import AuditReport  # noqa: PLC0415

    run = _run(flags, options.interval_s)
    guard = Guard()
    captures: list[Capture] = []
    with _folder(out) as folder:
        outcomes, interrupted = _collected(options, run, folder, view, guard, is_judged=True)
        for outcome in outcomes:
            if outcome.folder is not None:
                with guard.around(outcome.target.name):
                    bundle = outcome.folder if out is not None else None
                    capture = outcome.captured or read_bundle(outcome.folder)
                    captures.append(_named(capture, bundle))
    sources = [Source(capture.file, b"", capture) for capture in captures]
    plan = None
    if view.form == "html":
        plan = plan_run(sources, run.rules, run.settings, all_of(run.rules), guard)
    verdict = review(sources, run.rules, run.settings, guard) if plan is None else plan.verdict
    compared: list[Compared] = []
    rates: list[Rate] = []
    for source in sources:
        with guard.around(source.name):
            rows, source_rates = measured(source, run.settings)
            compared += rows
            rates += source_rates
    losses = (
        f"{outcome.target.name}: {outcome.reason}" for outcome in outcomes if outcome.folder is None
    )
    failed = crash.reasons(guard.faults)
    verdict = replace(verdict, incomplete=(*failed, *verdict.incomplete, *losses))
    report = AuditReport(verdict, tuple(outcomes), tuple(compared), tuple(rates))
    say_notes(verdict, view)
    manner = manner_of(view, run.rules, run.settings.fail_on)
    if plan is None:
        text = audit_text(report, view.form, manner)
    else:
        from advisor.cli.html_jobs import Told, audit_page  # noqa: PLC0415

        told = Told(plan, sources, run.settings, guard, run.rules[0].site)
        text = audit_page(report, told)
    show(text, view)
    say_what_is_misstated(verdict)
    if interrupted:
        return Code.INTERRUPTED
    incomplete = [rule.card.id for rule in run.rules if rule.card.incomplete]
    return code_of(
        verdict, incomplete, run.settings.fail_on, bad_path=False, has_fault=bool(failed)
    )


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    """The folder of the bundles; without --out, a private one that is deleted at the end."""
    if out is not None:
        yield out
        return
    with TemporaryDirectory(prefix="advisor-audit-") as folder:
        yield Path(folder)


def _named(capture: Capture, bundle: Path | None) -> Capture:
    """Name the files of a bundle that is deleted by their device instead of their folder."""
    if bundle is not None:
        return capture
    folder = Path(capture.file)

    def shown(path: str) -> str:
        return str(Path(folder.name, Path(path).name))

    return replace(
        capture,
        file=folder.name,
        sections=tuple(replace(section, file=shown(section.file)) for section in capture.sections),
        earlier=tuple(replace(section, file=shown(section.file)) for section in capture.earlier),
    )


def _collected(
    options: FleetOptions,
    run: _Run,
    out: Path,
    view: View,
    guard: Guard,
    *,
    is_judged: bool = False,
) -> tuple[list["Outcome"], bool]:
    """Collect from all devices; says whether Ctrl-C ended it."""
    from advisor.collect.fleet import Fleet, Outcome, State  # noqa: PLC0415 -- SSH takes its time

    targets = options.targets()
    _say_what_is_not_used(targets, view)
    progress = FleetProgress(len(targets), view)
    fleet = Fleet(
        run.plan,
        Keychain(
            options.username, options.key, options.agent, getpass if sys.stdin.isatty() else None
        ),
        KnownHosts(options.known_hosts.expanduser()),
        _made(out),
        options.limits,
        options.workers,
        options.accept_new,
        options.resume,
        target_of(options.jump) if options.jump is not None else None,
        progress.say,
        guard,
        progress.pause,
        judged_in_memory=is_judged,
    )
    outcomes: list[Outcome] = []
    interrupted = False
    try:
        with (
            interrupts.announced(_say_that_it_ends),
            progress,
            closing(fleet.collect(targets)) as arrivals,
        ):
            for outcome in arrivals:
                outcomes.append(outcome)
                progress.ended(outcome)
    except KeyboardInterrupt:
        interrupted = True
    except DeviceError as error:
        raise WrongUseError(
            printable(f"--jump {options.jump}: {error}; {error.next_step}")
        ) from None
    names = {outcome.target.name for outcome in outcomes}
    unsaid = [each for each in fleet.ended if each.folder and each.target.name not in names]
    outcomes += unsaid
    names.update(each.target.name for each in unsaid)
    stopped = DeviceError(Fault.INTERRUPTED)
    outcomes += (
        Outcome(target, State.NOT_REACHED, reason=str(stopped), next_step=stopped.next_step)
        for target in targets
        if target.name not in names
    )
    return sorted(outcomes, key=lambda outcome: outcome.target.name), interrupted


def _say_that_it_ends() -> None:
    say("interrupted: ending the run; finished bundles are kept")


def _say_what_is_not_used(targets: Sequence[Target], view: View) -> None:
    password_count = sum(target.has_password for target in targets)
    if password_count and not view.quiet:
        say(
            f"--inventory: holds passwords of {password_count} of {len(targets)} devices; they are"
            f" not used: remove them, and set {PASSWORD} or use the keyring, --key or --agent"
        )


def _made(out: Path) -> Path:
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUseError(f"--out {out}: {error.strerror}") from None
    if not os.access(out, os.W_OK):
        raise WrongUseError(f"--out {out}: cannot be written to")
    return out
