"""What `fix` does."""

from collections.abc import Sequence

from msgspec.structs import replace

from advisor.cli import crash
from advisor.cli.crew import Execution, crew_of
from advisor.cli.errors import Code, say
from advisor.cli.exit_code import NEVER
from advisor.cli.judge_jobs import exit_code, say_what_is_misstated
from advisor.cli.output import is_plain, say_what_is_not_read, show
from advisor.cli.progress import Bar
from advisor.cli.selection import matching, resolved
from advisor.cli.view import View
from advisor.device.inputs import Inputs, first_folder
from advisor.faults import Guard
from advisor.lint.cards import load_rules
from advisor.lint.coverage import TRAFFIC
from advisor.lint.findings import Verdict
from advisor.lint.plan import RemedySelection, plan_run
from advisor.quantity import count
from advisor.report import snippet
from advisor.report.mask import masked
from advisor.report.printable import printable
from advisor.settings.load import load_settings
from advisor.settings.values import Flags


def fix(
    paths: Sequence[str], flags: Flags, view: View, selection: RemedySelection, execution: Execution
) -> Code:
    """Print the remedies of what is found."""
    settings = load_settings(first_folder(paths), flags)
    rules = load_rules(settings.budgets)
    wanted = matching(rules, selection.rules or ["all"], "--rule")
    guard = Guard()
    inputs = Inputs(paths, guard)
    selected = resolved(rules, settings, flags)
    selection = replace(selection, rules=wanted)
    with crew_of(execution, paths) as run, Bar(quiet=view.quiet, is_plain=is_plain(view)) as bar:
        plan = plan_run(inputs, rules, selected, selection, guard, run=run, tell=bar)
    say_what_is_not_read(inputs, view)
    failed = crash.reasons(guard.faults)
    for reason in failed:
        say(reason)
    verdict = replace(
        plan.verdict, incomplete=(*failed, *plan.verdict.incomplete, *inputs.declined)
    )
    if view.form == "json":
        show(snippet.render_json(plan.findings), view)
    elif view.form == "diff":
        show(snippet.render_diff(plan.edited), view)
    else:
        show(snippet.render_ios(plan.findings), view)
    if not view.quiet:
        paste_count = snippet.pasted(plan.findings)
        advice_count = len(plan.findings) - paste_count
        say(f"{count(paste_count, 'remedy', 'remedies')} to paste, {advice_count} by hand")
        _say_what_is_of_others(verdict)
    say_what_is_misstated(verdict)
    return exit_code(verdict, rules, NEVER, inputs, guard)


def _say_what_is_of_others(verdict: Verdict) -> None:
    """Note the statements about devices that are not in the run."""
    for skip in masked(verdict).skipped:
        if skip.rule == TRAFFIC and skip.reason not in verdict.misstated:
            say(printable(f"{skip.object}: {skip.reason}"))
