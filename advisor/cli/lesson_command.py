"""`demo`: its options. The body is a call, as in `app`."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the model
# ruff: noqa: PLR0917 -- typer gives every option by its name
from typing import Annotated

import typer

from advisor.cli.choices import LessonFormat
from advisor.cli.options import NoColor, Output, Quiet, view_of


def demo(
    link: Annotated[str, typer.Option(metavar="RATE", help="Rate of the link.")] = "512k",
    calls: Annotated[int, typer.Option(min=1, max=1_000, metavar="N", help="Calls.")] = 3,
    codec: Annotated[str, typer.Option(metavar="NAME", help="Codec of the calls.")] = "g729",
    rings: Annotated[
        str, typer.Option(metavar="A..B", help="Rings to predict and to simulate.")
    ] = "1..40",
    seed: Annotated[int, typer.Option(metavar="N", help="Of the draws of the simulation.")] = 1,
    lesson_format: Annotated[LessonFormat, typer.Option("--format")] = LessonFormat.FULL,
    output: Output = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> None:
    """Show voice behind transmit rings, predicted and simulated; needs no config."""
    from advisor.cli import lesson_jobs

    view = view_of(lesson_format, output, no_color, quiet)
    options = lesson_jobs.LessonOptions(link, calls, codec, rings, seed)
    raise typer.Exit(lesson_jobs.demo(options, view))


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)
