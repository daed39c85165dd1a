"""What `explain` does."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from advisor import api
from advisor.cli.endings import WrongUseError
from advisor.cli.lint_options import Explain
from advisor.cli.options import flags_of, view_of
from advisor.cli.output import View, emit, say_what_is_not_read, style_of
from advisor.cli.process import Code
from advisor.device.inputs import Inputs
from advisor.lint.findings import Finding
from advisor.lint.rulebook import rules_of
from advisor.lint.selection import matching
from advisor.predict.what_if.chosen import InputError
from advisor.predict.what_if.formula_cases import formula_cases, has_case
from advisor.predict.what_if.more_formulas import ALL_FORMULAS
from advisor.predict.what_if.subject import subject_of
from advisor.report import rules as of_rules
from advisor.report.mask import masked
from advisor.report.rules import FORMULAS_OF, FoundHere, is_at
from advisor.settings.values import Flags, Settings


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
    if formula in ALL_FORMULAS and path is not None and not has_case(formula):
        raise WrongUseError(f"explain {name}: takes no config; it is of no interface")
    cases = None if path is None or not has_case(formula) else _cases(formula, path, flags)
    if (explanation := of_rules.explained(name, style, cases)) is not None:
        emit(explanation, None)
        return Code.CLEAN
    settings = api.settings_of(flags, () if path is None else (path,))
    rules = rules_of(settings)
    ids = matching(rules, [name], "explain")
    chosen = [rule for rule in rules if rule.card.id in ids]
    found = {} if path is None else _found(path, settings, ids, flags)
    blocks = []
    for rule in chosen:
        text = of_rules.render_explanation(rule, style, is_brief=path is not None)
        if path is not None:
            text += of_rules.render_found(found.get(rule.card.id, ()), style)
        blocks.append(text)
    emit("\n".join(blocks), None)
    return Code.CLEAN


def _found(
    path: str, settings: Settings, ids: Sequence[str], flags: Flags
) -> dict[str, list[FoundHere]]:
    """What the rules find in a config, with the formulas of each and its numbers."""
    inputs = Inputs([path])
    verdict = masked(api.judged(inputs, api.in_force(settings)))
    if inputs.unreadable:
        raise WrongUseError(inputs.unreadable[0])
    say_what_is_not_read(inputs, View())
    found: dict[str, list[FoundHere]] = {}
    for finding in verdict.standing:
        if finding.rule in ids:
            here = FoundHere(finding, tuple(_numbers(finding, path, flags)))
            found.setdefault(finding.rule, []).append(here)
    return found


def _numbers(finding: Finding, path: str, flags: Flags) -> Iterator[str]:
    """The formulas of a rule with the numbers of the output of a finding."""
    try:
        subject = subject_of(path, flags)
    except InputError:  # several configs, or none: no formula can be given numbers
        return
    for name in FORMULAS_OF.get(finding.rule[:3], ()):
        with suppress(InputError):
            for formula in formula_cases(name, subject.source, subject.settings, None):
                if formula.device == finding.device and is_at(finding.object, formula.object):
                    yield from (f"{name}: {line}" for line in formula.lines)


def _cases(name: str, path: str, flags: Flags) -> list[str]:
    subject = subject_of(path, flags)
    formulas = formula_cases(name, subject.source, subject.settings, None)
    return [
        f"{formula.device}: {formula.object}: {line}"
        for formula in formulas
        for line in formula.lines or ("does not apply to this interface",)
    ]
