"""What `fix` does."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from advisor import api
from advisor.cli import endings
from advisor.cli.lint_jobs import exit_code, say_what_is_misstated
from advisor.cli.lint_options import Fix
from advisor.cli.options import flags_of, view_of
from advisor.cli.output import (
    View,
    emit,
    manner_of,
    refuse_input,
    say_what_is_not_read,
    show,
)
from advisor.cli.process import Code, say
from advisor.cli.workers import judging
from advisor.device.inputs import Inputs
from advisor.faults import Guard
from advisor.lint.coverage import TRAFFIC
from advisor.lint.findings import Verdict
from advisor.lint.plan import DevicePlan
from advisor.lint.site import Site
from advisor.quantity import count
from advisor.report.formats import PLANS
from advisor.report.mask import masked
from advisor.report.plans import render_rollback
from advisor.report.printable import printable
from advisor.report.snippet import Plans, cured_and_left

_ENDINGS: Final = {"json": "json", "diff": "diff", "markdown": "md"}  # else lines to paste
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")


def fix(options: Fix) -> Code:
    """Print one plan for each device of what is found."""
    view = view_of(options)
    force = api.in_force(api.settings_of(flags_of(options), options.paths))
    only = options.only or ("all",)
    wanted = api.remedies_of(force, only, "--rule", options.level, options.interface)
    guard = Guard()
    inputs = Inputs(options.paths, guard)
    with judging(options, view, guard) as how:
        plan = api.planned(inputs, force, wanted, how)
    say_what_is_not_read(inputs, view)
    failed = endings.reasons(guard.faults)
    for reason in failed:
        say(reason)
    incomplete = (*failed, *plan.verdict.incomplete, *inputs.declined)
    verdict = replace(plan.verdict, incomplete=incomplete)
    site = force.rules[0].site
    if view.output is not None and view.output.is_dir():
        _write_files(plan.devices, view, options.paths, site)
    else:
        show(_rendered(plan.devices, view, site), view)
    if not view.quiet:
        cured, left = cured_and_left(plan.devices)
        say(f"{count(cured, 'finding', 'findings')} cured by lines to paste, {left} by hand")
        if view.form == "diff" and view.guard_minutes is not None:
            say(
                "--guard: a diff shows the configuration alone; the other formats have the commands"
            )
        _say_what_is_of_others(verdict)
    say_what_is_misstated(verdict)
    return exit_code(verdict, force, endings.NEVER, inputs, guard)


def _rendered(plans: Sequence[DevicePlan], view: View, site: Site | None) -> str:
    asked = Plans(tuple(plans), view.guard_minutes, site)
    return PLANS.render(asked, view.form, manner_of(view))


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
        texts = {f"fix.{_ENDINGS.get(view.form, 'ios')}": _rendered((plan,), view, site)}
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
