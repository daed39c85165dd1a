"""`fix`: its options. The body is a call: everything heavy is imported by it."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.choices import FixLevel, SnippetFormat
from advisor.cli.commands import Commands
from advisor.cli.options import (
    Config,
    Devices,
    NoSuppress,
    Only,
    Paths,
    Platform,
    Profile,
    Quiet,
    Rules,
    Scheduler,
    Traffic,
    Workers,
    execution_of,
    flags_of,
    unless_stdout,
    view_of,
)


def fix(
    paths: Paths,
    rule: Only = [],  # noqa: B006
    device: Devices = [],  # noqa: B006
    rules: Rules = [],  # noqa: B006
    level: Annotated[FixLevel | None, typer.Option(help="Most intrusive remedy to print.")] = None,
    interface: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only what concerns this interface and its policies."),
    ] = None,
    guard: Annotated[
        int | None,
        typer.Option(
            min=1, max=999, metavar="MINUTES", help="Add what takes the change back by itself."
        ),
    ] = None,
    snippet_format: Annotated[SnippetFormat, typer.Option("--format")] = SnippetFormat.IOS,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE|DIR",
            help="Write to a file, or to a folder: what to paste and its rollback, by device.",
            callback=unless_stdout,
        ),
    ] = None,
    traffic: Traffic = None,
    profile: Profile = None,
    config: Config = None,
    platform: Platform = None,
    quiet: Quiet = False,
    no_suppress: NoSuppress = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
) -> None:
    """Print one plan for each device with its rollback and proof. Nothing is sent to a device."""
    from msgspec.structs import replace

    from advisor.cli import fix_jobs
    from advisor.cli.selection import words
    from advisor.lint.findings import Level
    from advisor.lint.plan import RemedySelection

    flags = flags_of(
        config,
        profile,
        traffic,
        platform=platform,
        no_suppress=no_suppress,
        devices=device,
        rules=rules,
    )
    view = replace(view_of(snippet_format, output, quiet=quiet), guard_minutes=guard)
    most = Level(level) if level is not None else None
    selection = RemedySelection(words(rule), most, interface)
    execution = execution_of(workers, scheduler)
    raise typer.Exit(fix_jobs.fix(paths, flags, view, selection, execution))


def add_to(app: Commands) -> None:
    """Add the command."""
    app.command()(fix)
