"""`schema`: its options. The body is a call: everything heavy is imported by it."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
from typing import Annotated

import typer

from advisor.cli.commands import Commands
from advisor.cli.options import (
    Against,
    Output,
)


def schema(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[OUTPUT]",
            help="Command of one output: lint, predict, …; or scenarios: the files it reads.",
        ),
    ] = None,
    output: Output = None,
    check: Against = None,
) -> None:
    """Print the JSON Schema of one or all JSON outputs, or of scenario files."""
    from advisor.cli import rule_jobs

    raise typer.Exit(rule_jobs.schema(name, output, check))


def add_to(app: Commands) -> None:
    """Add the command."""
    app.command()(schema)
