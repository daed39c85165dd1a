"""How the command line asks for a report to be shown."""

from collections.abc import Sequence

from advisor.cli.exit_code import NEVER
from advisor.cli.output import style_of
from advisor.cli.view import View
from advisor.lint.cards import Rule
from advisor.lint.findings import Severity
from advisor.report.terminal import RenderOptions


def manner_of(view: View, rules: Sequence[Rule] = (), fail_on: str = NEVER) -> RenderOptions:
    """How a report is shown; the rules and what fails the run are for reports of findings."""
    fails = None if fail_on == NEVER else Severity(fail_on)
    return RenderOptions(style_of(view), view.quiet, view.verbose, tuple(rules), fails)
