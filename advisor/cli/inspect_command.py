"""`inspect`: its options. The body is a call: everything heavy is imported by it."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from typing import Annotated

import typer

from advisor.cli.choices import InspectionFormat
from advisor.cli.commands import Commands
from advisor.cli.options import (
    Config,
    Devices,
    NoColor,
    Output,
    Paths,
    Platform,
    Quiet,
    flags_of,
    view_of,
)


def inspect(
    paths: Paths,
    show_command: Annotated[
        str | None,
        typer.Option(
            "--command", metavar="COMMAND", help="Only this show output, like `sh pol int`."
        ),
    ] = None,
    second_opinion: Annotated[
        bool,
        typer.Option(
            "--second-opinion",
            help="Compare the sections with those of ciscoconfparse2, which an extra installs.",
        ),
    ] = False,
    inspection_format: Annotated[
        InspectionFormat, typer.Option("--format")
    ] = InspectionFormat.TREE,
    output: Output = None,
    no_color: NoColor = False,
    config: Config = None,
    platform: Platform = None,
    device: Devices = [],  # noqa: B006
    quiet: Quiet = False,
) -> None:
    """Print what was read: facts, observations and coverage."""
    from advisor.cli import inspect_jobs

    view = view_of(inspection_format, output, no_color, quiet)
    flags = flags_of(config, None, platform=platform, devices=device)
    if second_opinion:
        raise typer.Exit(inspect_jobs.compare(paths, flags, view, show_command))
    raise typer.Exit(inspect_jobs.inspect(paths, flags, view, show_command))


def add_to(app: Commands) -> None:
    """Add the command."""
    app.command()(inspect)
