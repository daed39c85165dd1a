"""`lint`: its options. The body is a call: everything heavy is imported by it."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.choices import FailOn, ReportFormat, Shown
from advisor.cli.commands import Commands
from advisor.cli.options import (
    Config,
    Devices,
    Ignore,
    NoColor,
    NoSuppress,
    Output,
    Paths,
    Platform,
    Profile,
    Quiet,
    Rules,
    Scheduler,
    Select,
    Traffic,
    Workers,
    execution_of,
    flags_of,
    view_of,
)


def lint(
    paths: Paths,
    traffic: Traffic = None,
    report_format: Annotated[ReportFormat, typer.Option("--format")] = ReportFormat.FULL,
    output: Output = None,
    select: Select = [],  # noqa: B006 -- how typer spells a repeatable option
    ignore: Ignore = [],  # noqa: B006
    device: Devices = [],  # noqa: B006
    rules: Rules = [],  # noqa: B006
    fail_on: Annotated[
        FailOn | None,
        typer.Option(help="Lowest severity that gives exit code 1 [default: warning]."),
    ] = None,
    severity: Annotated[Shown, typer.Option(help="Lowest severity to show.")] = Shown.INFO,
    no_color: NoColor = False,
    profile: Profile = None,
    config: Config = None,
    quiet: Quiet = False,
    platform: Platform = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print how each part of a file was recognised.")
    ] = False,
    no_suppress: NoSuppress = False,
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Report only what is not in this file of `advisor baseline`."
        ),
    ] = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
) -> None:
    """Check configs and show outputs; print findings, worst first."""
    from advisor.cli import judge_jobs

    flags = flags_of(
        config,
        profile,
        traffic,
        select,
        ignore,
        fail_on,
        platform,
        no_suppress,
        baseline,
        device,
        rules,
    )
    view = view_of(report_format, output, no_color, quiet, severity, verbose)
    raise typer.Exit(judge_jobs.lint(paths, flags, view, execution_of(workers, scheduler)))


def add_to(app: Commands) -> None:
    """Add the command."""
    app.command()(lint)
