"""`advisor rules`: its options. A body is a call, as in `app`."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
import typer

from advisor.cli.commands import Commands
from advisor.cli.options import Against, NoColor, Only, Output, view_of

rules_app = Commands(
    help="List, test and document the rules.", no_args_is_help=True, rich_markup_mode=None
)


@rules_app.command("list")
def rules_list(no_color: NoColor = False) -> None:
    """Print one line for each rule."""
    from advisor.cli import rule_jobs

    raise typer.Exit(rule_jobs.list_rules(view_of(no_color=no_color)))


@rules_app.command("test")
def rules_test(rule: Only = []) -> None:  # noqa: B006
    """Test the example of each rule: finding, remedy and rollback."""
    from advisor.cli import rule_jobs
    from advisor.cli.selection import words

    raise typer.Exit(rule_jobs.test_rules(words(rule)))


@rules_app.command("docs")
def rules_docs(output: Output = None, check: Against = None) -> None:
    """Print the catalogue as Markdown."""
    from advisor.cli import rule_jobs

    raise typer.Exit(rule_jobs.rule_docs(output, check))
