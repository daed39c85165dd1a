"""`diff` and `baseline`: their options. A body is a call, as in `app`."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the rules
# ruff: noqa: PLR0917, B006 -- typer gives every option by its name
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.choices import DiffFormat, FailOn
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
    unless_stdout,
    view_of,
)


def diff(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="OLD NEW",
            help="Files, folders or bundles; OLD may be a baseline. With --git: PATH..., what to "
            "compare of the repository [default: .].",
        ),
    ] = None,
    git: Annotated[
        str | None,
        typer.Option(metavar="BASE..HEAD", help="Compare two revisions; ... from where they part."),
    ] = None,
    worse_by: Annotated[
        str,
        typer.Option(
            metavar="LIMITS",
            help="Largest rise of a prediction that is tolerated; of two limits the larger one.",
        ),
    ] = "5%,1ms",
    fail_on: Annotated[
        FailOn | None,
        typer.Option(help="Lowest severity of a new finding that counts [default: warning]."),
    ] = None,
    diff_format: Annotated[DiffFormat, typer.Option("--format")] = DiffFormat.FULL,
    output: Output = None,
    select: Select = [],
    ignore: Ignore = [],
    device: Devices = [],
    rules: Rules = [],
    traffic: Traffic = None,
    profile: Profile = None,
    config: Config = None,
    platform: Platform = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
    no_suppress: NoSuppress = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
) -> None:
    """Compare two states; exit code 1 if findings or predictions got worse."""
    from advisor.cli import diff_jobs

    flags = flags_of(
        config,
        profile,
        traffic,
        select,
        ignore,
        fail_on,
        platform,
        no_suppress,
        devices=device,
        rules=rules,
    )
    view = view_of(diff_format, output, no_color, quiet)
    states = diff_jobs.States(tuple(paths or ()), git, worse_by)
    raise typer.Exit(diff_jobs.diff(states, flags, view, execution_of(workers, scheduler)))


def baseline(
    paths: Paths,
    output: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="File to write, like baseline.json; - prints.",
            callback=unless_stdout,
        ),
    ],
    select: Select = [],
    ignore: Ignore = [],
    device: Devices = [],
    rules: Rules = [],
    traffic: Traffic = None,
    profile: Profile = None,
    config: Config = None,
    platform: Platform = None,
    quiet: Quiet = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
) -> None:
    """Accept today's findings: write them to a file for `lint --baseline` and `diff`."""
    from advisor.cli import diff_jobs

    flags = flags_of(
        config, profile, traffic, select, ignore, platform=platform, devices=device, rules=rules
    )
    view = view_of("json", output, quiet=quiet)
    raise typer.Exit(diff_jobs.baseline(paths, flags, view, execution_of(workers, scheduler)))


def add_to(app: Commands) -> None:
    """Add the commands."""
    app.command()(diff)
    app.command()(baseline)
