"""Jobs of `fix` and `explain`."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from advisor import api
from advisor.cli import endings
from advisor.cli.endings import WrongUseError
from advisor.cli.lint_jobs import exit_code, say_what_is_misstated
from advisor.cli.lint_options import Explain, Fix
from advisor.cli.options import (
    View,
    emit,
    flags_of,
    refuse_input,
    render_options_of,
    say_what_is_not_read,
    show,
    style_of,
    view_of,
    write_file,
)
from advisor.cli.process import Code, say
from advisor.cli.workers import judging
from advisor.device.inputs import Inputs
from advisor.device.sources import is_named
from advisor.ground.data import read_text
from advisor.ground.faults import Guard
from advisor.ground.quantity import count
from advisor.lint.coverage import TRAFFIC
from advisor.lint.findings import Finding, Verdict
from advisor.lint.plan import DevicePlan
from advisor.lint.rulebook import matching, rules_of
from advisor.lint.site import SiteTemplates
from advisor.predict.what_if import InputError
from advisor.predict.what_if.compared import Compared
from advisor.predict.what_if.formula_cases import FormulaCase, formula_cases, has_case
from advisor.predict.what_if.subject import subject_of
from advisor.report import printable
from advisor.report import rules as of_rules
from advisor.report.compared import measured_lines
from advisor.report.formats import PLANS
from advisor.report.mask import hidden_line, masked, masked_result
from advisor.report.plans import Plans, cured_and_left, render_rollback
from advisor.report.rules import FORMULAS_OF, FoundHere, is_at
from advisor.settings import Flags, Settings

# Runs `fix`.

_EXTENSIONS: Final = {"json": "json", "diff": "diff", "markdown": "md"}  # else lines to paste
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")


def fix(options: Fix) -> Code:
    """Print one plan for each device of what is found."""
    view = view_of(options)
    force = api.in_force(api.settings_of(flags_of(options), options.paths))
    only = options.only or ("all",)
    wanted = api.remedies_of(force, only, "--rule", options.level, options.interface)
    guard = Guard()
    inputs = Inputs(options.paths, guard, force.settings.exclude)
    with judging(options, view, guard) as run_options:
        plan = api.planned(inputs, force, wanted, run_options)
    say_what_is_not_read(inputs, view)
    failed = endings.report_faults(guard.faults)
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
    if options.apply_to is not None:
        say(_apply(plan.devices, options.apply_to))
    say_what_is_misstated(verdict)
    return exit_code(verdict, force, endings.NEVER, inputs, guard)


def _apply(plans: Sequence[DevicePlan], file: Path) -> str:
    """Write the config of one plan with its lines into a file; return what was done.

    Raises
    ------
    WrongUseError
        If several configs have plans, or the file would lose what is no config.
    """
    edited = [(plan, plan.edited) for plan in plans if plan.steps and plan.edited is not None]
    own = [(plan, texts) for plan, texts in edited if is_named(file, texts.file)]
    chosen = own or edited
    if not chosen:
        return printable(f"{file}: not written; the plan has no lines")
    if len(chosen) > 1:
        names = ", ".join(plan.device for plan, _ in chosen)
        raise WrongUseError(printable(f"--apply-to: {names} have plans; name one with --device"))
    ((plan, texts),) = chosen
    if hidden_line(plan.lines, plan.rollback) is not None:
        return printable(f"{file}: not written; a line of the plan holds a secret")
    after = texts.after
    if file.exists():
        now = read_text(file)
        if now.replace("\r\n", "\n").rstrip("\n") != texts.before.rstrip("\n"):
            raise WrongUseError(
                printable(f"--apply-to {file}: holds other text than this config; name a new file")
            )
        after = after.replace("\n", "\r\n") if "\r\n" in now else after
    write_file(after, file)
    return printable(f"{file}: written, with {count(len(plan.steps), 'step')} of {plan.device}")


def _rendered(plans: Sequence[DevicePlan], view: View, site: SiteTemplates | None) -> str:
    asked = Plans(tuple(plans), view.guard_minutes, site)
    return PLANS.render(asked, view.form, render_options_of(view))


def _write_files(
    plans: Sequence[DevicePlan], view: View, paths: Sequence[str], site: SiteTemplates | None
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
        texts = {f"fix.{_EXTENSIONS.get(view.form, 'ios')}": _rendered((plan,), view, site)}
        if view.form not in _EXTENSIONS:
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


# Runs `explain`.


def explain(options: Explain) -> Code:
    """Print why a rule exists, with the parameters in force, or what a formula says.

    Where a config is named, a formula is given its numbers, and a rule shows what it finds there.
    """
    name, path, flags, style = (
        options.rule,
        options.path,
        flags_of(options),
        style_of(view_of(options)),
    )
    formula = name.lower()
    cases = None if path is None or not has_case(formula) else _cases(formula, path, flags)
    if (explanation := of_rules.explained(name, style, cases)) is not None:
        if path is not None and cases is None:
            raise WrongUseError(f"explain {name}: takes no config; it is of no interface")
        emit(explanation, None)
        return Code.CLEAN
    settings = api.settings_of(flags, () if path is None else (path,))
    rules = rules_of(settings)
    ids = matching(rules, [name], "explain")
    chosen = [rule for rule in rules if rule.card.id in ids]
    if path is None and len(chosen) > 1:
        emit(of_rules.render_names(chosen, style), None)
        return Code.CLEAN
    found, why_not = ({}, ()) if path is None else _found(path, settings, ids, flags)
    blocks = []
    for rule in chosen:
        text = of_rules.render_explanation(rule, style, is_brief=path is not None)
        if path is not None:
            text += of_rules.render_found(found.get(rule.card.id, ()), why_not, style)
        blocks.append(text)
    emit("\n".join(blocks), None)
    return Code.INCOMPLETE if why_not else Code.CLEAN


def _found(
    path: str, settings: Settings, ids: Sequence[str], flags: Flags
) -> tuple[dict[str, list[FoundHere]], tuple[str, ...]]:
    """Findings of rules in a config with their formulas, and reasons of an incomplete verdict."""
    inputs = Inputs([path])
    verdict = masked(api.judged(inputs, api.in_force(settings)))
    if inputs.unreadable:
        raise WrongUseError(inputs.unreadable[0])
    say_what_is_not_read(inputs, View())
    found: dict[str, list[FoundHere]] = {}
    asked = [finding for finding in verdict.standing if finding.rule in ids]
    rows = _compared(path, flags) if asked else ()
    for finding in asked:
        lines = (*_numbers(finding, path, flags), *_measured(finding, rows))
        found.setdefault(finding.rule, []).append(FoundHere(finding, lines))
    return found, (*verdict.incomplete, *inputs.declined)


def _compared(path: str, flags: Flags) -> tuple[Compared, ...]:
    """Measurements of the device of a file beside its predictions."""
    from advisor.predict.comparison import compared  # noqa: PLC0415 -- one command needs it

    with suppress(InputError):  # several configs, or none
        subject = subject_of(path, flags)
        return masked_result(compared(subject.reading.device, subject.settings))
    return ()


def _measured(finding: Finding, rows: Sequence[Compared]) -> Iterator[str]:
    """Measured figures of the output of a finding that has a figure."""
    if finding.prediction is not None:
        at = [row for row in rows if is_at(finding.object, row.object)]
        yield from (f"{row.class_name}: {line}" for row in at for line in measured_lines((row,)))


def _numbers(finding: Finding, path: str, flags: Flags) -> Iterator[str]:
    """The formulas of a rule with the numbers of the output of a finding."""
    try:
        subject = subject_of(path, flags)
    except InputError:  # several configs, or none: no formula can be given numbers
        return
    for name in FORMULAS_OF.get(finding.rule[:3], ()):
        with suppress(InputError):
            for formula in formula_cases(name, subject):
                if formula.device == finding.device and is_at(finding.object, formula.object):
                    yield from (f"{name}: {line}" for line in formula.lines)


def _cases(name: str, path: str, flags: Flags) -> list[str]:
    subject = subject_of(path, flags)
    cases = formula_cases(name, subject)
    return [line for case in cases for line in _case_lines(case)]


def _case_lines(case: FormulaCase) -> Iterator[str]:
    """The output and its line; several lines are listed below it."""
    head, lines = f"{case.device}: {case.object}", case.lines
    if len(lines) < 2:  # noqa: PLR2004 -- one line stands behind its output
        yield f"{head}: {''.join(lines) or 'does not apply to this interface'}"
        return
    yield f"{head}:"
    yield from (f"  {line}" for line in lines)
