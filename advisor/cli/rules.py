"""`advisor rules`: its options. A body is a call, as in `app`."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.commands import Commands
from advisor.cli.options import (
    Against,
    Config,
    NoColor,
    Only,
    Output,
    Rules,
    flags_of,
    view_of,
)

rules_app = Commands(
    help="List, test, document and write rules.", no_args_is_help=True, rich_markup_mode=None
)


@rules_app.command("list")
def rules_list(rules: Rules = [], config: Config = None, no_color: NoColor = False) -> None:  # noqa: B006
    """Print one line for each rule."""
    from advisor.cli import rule_jobs

    flags = flags_of(config, None, rules=rules)
    raise typer.Exit(rule_jobs.list_rules(flags, view_of(no_color=no_color)))


@rules_app.command("test")
def rules_test(rule: Only = [], rules: Rules = [], config: Config = None) -> None:  # noqa: B006
    """Test the example of each rule: finding, remedy and rollback; with --rules, of your own."""
    from advisor.cli import rule_jobs
    from advisor.cli.selection import words

    flags = flags_of(config, None, rules=rules)
    raise typer.Exit(rule_jobs.test_rules(words(rule), flags))


@rules_app.command("docs")
def rules_docs(
    rules: Rules = [],  # noqa: B006
    config: Config = None,
    output: Output = None,
    check: Against = None,
) -> None:
    """Print the catalogue as Markdown; with --rules, that of your own rules."""
    from advisor.cli import rule_jobs

    flags = flags_of(config, None, rules=rules)
    raise typer.Exit(rule_jobs.rule_docs(flags, output, check))


@rules_app.command("new")
def rules_new(
    name: Annotated[str, typer.Argument(metavar="ID-NAME", help="Like X001-no-cdp-on-wan.")],
    rules: Annotated[
        Path, typer.Option("--rules", metavar="DIR", help="Folder that takes the files.")
    ] = Path(),
    declared: Annotated[
        bool, typer.Option("--declared", help="A rule without Python: the card declares its lines.")
    ] = False,
) -> None:
    """Write a card, a check, a template and a test, which pass; then make them your own."""
    from advisor.cli import new_rule_jobs

    raise typer.Exit(new_rule_jobs.new_rule(name, rules, is_declared=declared))


def add_to(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(rules_app, name="rules")
