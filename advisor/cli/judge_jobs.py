"""What `lint` does. Imported when it runs, so that `--help` starts at once."""

# ruff: noqa: PLC0415 -- one file is linted in the time that the imports take
from collections.abc import Sequence

from msgspec.structs import replace

from advisor.cli import crash
from advisor.cli.crew import Execution, crew_of
from advisor.cli.errors import Code, say
from advisor.cli.exit_code import code_of
from advisor.cli.heard import Heard, is_stream, shown
from advisor.cli.manner import manner_of
from advisor.cli.output import say_what_is_not_read, show, style_of
from advisor.cli.progress import bar_of
from advisor.cli.view import View
from advisor.device.inputs import Inputs, first_folder
from advisor.faults import Guard
from advisor.lint.cards import Rule
from advisor.lint.findings import Verdict
from advisor.lint.plan import all_of, plan_run
from advisor.lint.rulebook import resolved, rules_of
from advisor.lint.run import review
from advisor.quantity import count
from advisor.report.formats import VERDICTS
from advisor.report.mask import masked
from advisor.report.printable import printable
from advisor.report.terminal import RenderOptions
from advisor.settings.load import load_settings
from advisor.settings.values import Flags, Settings


def lint(paths: Sequence[str], flags: Flags, view: View, execution: Execution) -> Code:
    """Judge files and print the report."""
    settings = load_settings(first_folder(paths), flags)
    rules = rules_of(settings)
    guard = Guard()
    inputs = Inputs(paths, guard)
    selected = resolved(rules, settings)
    heard = Heard(settings, view)
    with crew_of(execution, paths) as run, bar_of(view) as bar:
        if view.form == "html":
            every = all_of(rules)
            plan = plan_run(inputs, rules, selected, every, guard, run=run, tell=bar, hear=heard)
            verdict = plan.verdict
        else:
            plan = None
            verdict = review(inputs, rules, selected, guard, run=run, tell=bar, hear=heard)
    unreadable = (*inputs.unreadable, *inputs.declined)
    failed = crash.reasons(guard.faults)
    verdict = replace(verdict, incomplete=(*failed, *verdict.incomplete, *unreadable))
    verdict = heard.verdict(verdict)
    report = replace(verdict, findings=shown(verdict.findings, view))
    if view.verbose:
        from advisor.cli.inspect_jobs import say_parts

        say_parts(inputs, guard)
    say_what_is_not_read(inputs, view)
    if not view.quiet:
        _say_what_is_not_shown(verdict, report, heard, view)
    if plan is None:
        text = _report(report, view, manner_of(view, rules, settings.fail_on))
    else:
        from advisor.cli.html_jobs import Told, lint_page

        text = lint_page(report, Told(plan, inputs, selected, guard, rules[0].site))
    if view.verbose and view.form == "full":
        text += _compared(inputs, selected, view, guard)
    show(text, view)
    say_what_is_misstated(verdict)
    return exit_code(verdict, rules, settings.fail_on, inputs, guard)


def _say_what_is_not_shown(verdict: Verdict, report: Verdict, heard: Heard, view: View) -> None:
    if gone_count := heard.gone_count():
        say(f"{count(gone_count, 'finding')} of {heard.baseline} not found any more")
    if hidden_count := len(verdict.standing) - len(report.standing):
        say(f"{count(hidden_count, 'finding')} below {view.severity} not shown")


def _compared(inputs: Inputs, settings: Settings, view: View, guard: Guard) -> str:
    """What was measured beside what is predicted, of each bundle."""
    from advisor.predict.comparison import Compared, measured
    from advisor.report.fleet import compared_text

    rows: list[Compared] = []
    for source in inputs:
        if source.is_bundle:
            with guard.around(source.name):
                rows += measured(source, settings)[0]
    return compared_text(rows, (), style_of(view)) if rows else ""


def say_what_is_misstated(verdict: Verdict) -> None:
    """Say on standard error which statements name nothing that their device has."""
    for said in masked(verdict).misstated:
        say(printable(said))


def exit_code(
    verdict: Verdict, rules: Sequence[Rule], fail_on: str, inputs: Inputs, guard: Guard
) -> Code:
    """Exit code of a verdict over the inputs, by the cards of the rules."""
    incomplete = [rule.card.id for rule in rules if rule.card.incomplete]
    return code_of(
        verdict,
        incomplete,
        fail_on,
        bad_path=bool(inputs.unreadable),
        has_fault=bool(guard.faults),
    )


def say_notes(verdict: Verdict, view: View) -> None:
    """Say on standard error what `concise` leaves out: what is not judged, and the counts."""
    if view.form != "concise" or view.quiet:
        return
    from advisor.report import lint_text

    for line in lint_text.notes(verdict, is_verbose=view.verbose):
        say(line)


def _report(verdict: Verdict, view: View, manner: RenderOptions) -> str:
    say_notes(verdict, view)
    if is_stream(view):
        from advisor.report import json_report

        return json_report.summary_text(verdict)
    return VERDICTS.render(verdict, view.form, manner)
