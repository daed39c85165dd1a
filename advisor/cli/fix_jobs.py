"""What `fix` does."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from advisor.cli import crash
from advisor.cli.crew import Execution, crew_of
from advisor.cli.errors import Code, say
from advisor.cli.exit_code import NEVER
from advisor.cli.judge_jobs import exit_code, say_what_is_misstated
from advisor.cli.manner import manner_of
from advisor.cli.output import emit, refuse_input, say_what_is_not_read, show
from advisor.cli.progress import bar_of
from advisor.cli.view import View
from advisor.device.inputs import Inputs, first_folder
from advisor.faults import Guard
from advisor.lint.coverage import TRAFFIC
from advisor.lint.findings import Verdict
from advisor.lint.plan import DevicePlan, RemedySelection, plan_run
from advisor.lint.rulebook import resolved, rules_of
from advisor.lint.selection import matching
from advisor.lint.site import Site
from advisor.quantity import count
from advisor.report.formats import PLANS
from advisor.report.mask import masked
from advisor.report.plans import render_rollback
from advisor.report.printable import printable
from advisor.report.snippet import Plans, cured_and_left
from advisor.settings.load import load_settings
from advisor.settings.values import Flags

_ENDINGS: Final = {"json": "json", "diff": "diff", "markdown": "md"}  # else lines to paste
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")


def fix(
    paths: Sequence[str], flags: Flags, view: View, selection: RemedySelection, execution: Execution
) -> Code:
    """Print one plan for each device of what is found."""
    settings = load_settings(first_folder(paths), flags)
    rules = rules_of(settings)
    wanted = matching(rules, selection.rules or ["all"], "--rule")
    guard = Guard()
    inputs = Inputs(paths, guard)
    selected = resolved(rules, settings)
    selection = replace(selection, rules=wanted)
    with crew_of(execution, paths) as run, bar_of(view) as bar:
        plan = plan_run(inputs, rules, selected, selection, guard, run=run, tell=bar)
    say_what_is_not_read(inputs, view)
    failed = crash.reasons(guard.faults)
    for reason in failed:
        say(reason)
    verdict = replace(
        plan.verdict, incomplete=(*failed, *plan.verdict.incomplete, *inputs.declined)
    )
    site = rules[0].site
    if view.output is not None and view.output.is_dir():
        _write_files(plan.devices, view, paths, site)
    else:
        plans = Plans(tuple(plan.devices), view.guard_minutes, site)
        show(PLANS.render(plans, view.form, manner_of(view)), view)
    if not view.quiet:
        cured, left = cured_and_left(plan.devices)
        say(f"{count(cured, 'finding', 'findings')} cured by lines to paste, {left} by hand")
        if view.form == "diff" and view.guard_minutes is not None:
            say(
                "--guard: a diff shows the configuration alone; the other formats have the commands"
            )
        _say_what_is_of_others(verdict)
    say_what_is_misstated(verdict)
    return exit_code(verdict, rules, NEVER, inputs, guard)


def _write_files(
    plans: Sequence[DevicePlan], view: View, paths: Sequence[str], site: Site | None
) -> None:
    """Write the plan of each device into a file of its own; lines to paste with their rollback."""
    folder = view.output or Path()
    names: set[str] = set()
    for plan in plans:
        stem = _UNSAFE.sub("_", plan.device).strip(".") or "device"
        name, number = stem, 1
        while name in names:
            number += 1
            name = f"{stem}-{number}"
        names.add(name)
        shown = PLANS.render(Plans((plan,), view.guard_minutes, site), view.form, manner_of(view))
        texts = {f"fix.{_ENDINGS.get(view.form, 'ios')}": shown}
        if view.form not in _ENDINGS:
            texts["rollback.ios"] = render_rollback(plan)
        for ending, text in texts.items():
            if text:
                target = folder / f"{name}.{ending}"
                refuse_input(target, {"paths": list(paths)})
                emit(text, target)


def _say_what_is_of_others(verdict: Verdict) -> None:
    """Note the statements about devices that are not in the run."""
    for skip in masked(verdict).skipped:
        if skip.rule == TRAFFIC and skip.reason not in verdict.misstated:
            say(printable(f"{skip.object}: {skip.reason}"))
