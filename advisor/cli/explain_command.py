"""`explain`: its options. The body is a call: everything heavy is imported by it."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from typing import Annotated

import typer

from advisor.cli.commands import Commands
from advisor.cli.options import (
    Config,
    NoColor,
    Profile,
    RuleName,
    Rules,
    Traffic,
    flags_of,
    view_of,
)


def explain(
    rule: RuleName,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]", help="A config: its numbers are put in, its findings shown."
        ),
    ] = None,
    traffic: Traffic = None,
    profile: Profile = None,
    config: Config = None,
    rules: Rules = [],  # noqa: B006
    no_color: NoColor = False,
) -> None:
    """Explain a rule with its examples and sources, or a formula."""
    from advisor.cli import explain_jobs

    flags = flags_of(config, profile, traffic, rules=rules)
    raise typer.Exit(explain_jobs.explain(rule, path, flags, view_of(no_color=no_color)))


def add_to(app: Commands) -> None:
    """Add the command."""
    app.command()(explain)
