"""The three things to do first, and the top of the page.

Findings that one command cures are one step, named at the place of the worst finding.
"""

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from advisor.device.inputs import STDIN_NAME
from advisor.ground.quantity import count, number
from advisor.lint.findings import Confidence, Finding, Level, Severity, TwoEnded, Verdict
from advisor.report.coverage import distinct, first_of, severity_words
from advisor.report.findings import (
    CHECK,
    by_hand_words,
    fault_words,
    felt_effect,
    gain_words,
    kind_of,
    more_places,
    path_of,
    range_text,
    sequel_words,
)

DO_FIRST: Final = "Do first (errors, then voice, then data)"
_STEPS: Final = 3
_MOST_FELT: Final = 3
_WIDE: Final = 1.5  # from the low to the high end of a figure
_OPEN: Final = "open"
_SURE: Final[Mapping[Confidence, str]] = {
    Confidence.LIKELY: "likely, not proven: no line speaks against it",
    Confidence.POSSIBLE: "possible: it rests on values that no line states",
}
_MOST_ALSO: Final = 3  # rules that a cure is good for too
_STDIN: Final = "-"
_Key = tuple[str, str, str]


class _Cure(Struct):
    """Findings that one command or one piece of advice cures; the step names the first."""

    findings: dict[_Key, Finding]
    also: dict[str, None]  # rules whose findings its lines cure too, in their order


def first_steps(findings: Sequence[Finding], files: Mapping[str, str]) -> list[str]:
    """Return the three things to do first, in the order of the report; each cure once."""
    if len(findings) <= 1:
        return []
    cures = _cures(findings)
    tried = {
        (finding.device, *finding.remedy.merged.key): finding
        for cure in reversed(cures)
        for finding in cure.findings.values()
        if finding.remedy is not None and finding.remedy.merged and not finding.cured_by
        if felt_effect(finding) is not None
    }
    return [_step(cure, files, tried) for cure in cures]


def path_word(finding: Finding, files: Mapping[str, str]) -> str:
    """Return the file or bundle of a finding, as a command takes it."""
    path = path_of(finding, files)
    return _STDIN if path == STDIN_NAME else shlex.quote(path)


def _cures(findings: Iterable[Finding]) -> list[_Cure]:
    """The first cures: of errors and with a known gain, then advice on objects that remain."""
    worth = [finding for finding in findings if finding.is_due]
    worth = worth or [finding for finding in findings if finding.is_open]
    by_key = {finding.key: finding for finding in reversed(worth)}
    owners = [(finding, by_key.get(finding.cured_by or finding.key, finding)) for finding in worth]
    first = [pair for pair in owners if _comes_first(*pair)]
    cured = {(finding.device, finding.object) for finding, owner in first if owner.lines}
    others = [
        pair
        for pair in owners
        if not _comes_first(*pair) and (pair[0].device, pair[0].object) not in cured
    ]
    cures: dict[tuple[str, ...], _Cure] = {}
    for finding, owner in (*first, *others):
        command = _command(owner)
        wider = (known for known in cures if known[:2] == command[:2])
        command = next((known for known in wider if {*command} <= {*known}), command)
        if command not in cures and len(cures) == _STEPS:
            continue
        cure = cures.setdefault(command, _Cure({}, {}))
        cure.findings.setdefault(owner.key, owner)
        if finding.rule != owner.rule:
            cure.also[finding.rule] = None
    return list(cures.values())


def _comes_first(finding: Finding, owner: Finding) -> bool:
    return finding.severity is Severity.ERROR or owner.has_sure_cure


def _is_two_ended(finding: Finding) -> bool:
    return finding.remedy is not None and finding.remedy.two_ended is not None


def _command(finding: Finding) -> tuple[str, ...]:
    """Key that two findings share if one step mends both: advice by hand, device, rules."""
    if finding.lines:
        return "", finding.device, *rules_of(finding)
    return _advice(finding), finding.device, finding.rule


def _advice(finding: Finding) -> str:
    advice = finding.remedy.advice if finding.remedy is not None else None
    return advice or finding.message


def rules_of(finding: Finding) -> tuple[str, ...]:
    """The rules whose lines give back what is told of a finding."""
    return (finding.rule,) if finding.together is None else finding.together.rules


def _step(cure: _Cure, files: Mapping[str, str], tried: Mapping[_Key, Finding]) -> str:
    """A step in words; `tried` are the findings whose own lines come ahead of it."""
    found = list(cure.findings.values())
    finding, places = found[0], more_places(item.object for item in found)
    rules = " and ".join(rules_of(finding) if finding.lines else (finding.rule,))
    place = f"{rules} {finding.device}, {finding.object}{places}"
    place += ": to look up, it may be harmless" if finding.is_open else ""
    if not finding.lines:
        return f"{place}: {finding.message}; {by_hand_words(finding)}: {_advice(finding)}"
    also = [rule for rule in cure.also if rule not in rules_of(finding)]
    gain, remedy = gain_words(finding), finding.remedy
    before = next((tried[item.key] for item in found if item.key in tried), None)
    parts = (
        f"{place}: {fault_words(finding) if gain and not finding.is_open else finding.message}",
        gain if before is None else _rest_words(finding, before),
        f"cures {first_of(also, _MOST_ALSO)} too" if also else "",
        remedy.advice or "" if remedy is not None else "",
        _window_words(next(filter(_is_two_ended, found), finding)),
        "then measure again" if finding.is_refuted and finding in tried.values() else "",
    )
    options = " ".join(f"--rule {rule}" for rule in rules_of(finding))
    command = f"advisor fix {path_word(finding, files)} {options}"
    return f"{'; '.join(filter(None, parts))}; lines: {command}"


def _rest_words(finding: Finding, before: Finding) -> str:
    """The gain of a step after the one ahead of it."""
    whole, first = felt_effect(finding), felt_effect(before)
    if whole is None or first is None or whole.after is None or first.after is None:
        return ""
    unit = whole.after.unit
    then = f"{number(first.after.value)} → {number(whole.after.value)} {unit}"
    asked = "only where a measurement then still asks for it, " if before.is_refuted else ""
    return f"{asked}shortens what {before.rule} leaves of {whole.class_name}: {then}"


def _window_words(finding: Finding) -> str:
    """The window that the lines need, and the interruption that they cause."""
    remedy = finding.remedy
    if remedy is None or remedy.level is not Level.NEEDS_WINDOW:
        return ""
    window = f"in a window{_ends_words(remedy.two_ended)}"
    return f"{window}, interrupts: {remedy.interrupts}" if remedy.interrupts else window


def _ends_words(link: TwoEnded | None) -> str:
    if link is None:
        return ""
    far = f", here and at {link.far_device}" if link.far_device else ""
    return f" for both ends of the link{far}"


def top_lines(verdict: Verdict, findings: Sequence[Finding]) -> Iterator[tuple[str, str]]:
    """The lines of the top by name; one that nothing is known for is left out."""
    worst = next((known for known in findings if known.is_due), None)
    worst = worst or next((known for known in findings if known.is_open), None)
    lines = (
        ("Devices", _devices(verdict)),
        ("What is wrong", _hurting(verdict, findings, worst)),
        ("If nothing is done", _felt(findings, worst)),
        ("What it takes", _work(findings, limited=bool(verdict.skipped))),
        ("What is not certain", _uncertain(verdict, worst)),
    )
    return (line for line in lines if line[1])


def _devices(verdict: Verdict) -> str:
    """How many devices were read, and how many of them need work."""
    names = {known.device for known in verdict.devices}
    found: dict[str, set[str]] = {}
    for finding in verdict.standing:
        found.setdefault(finding.device, set()).add(_OPEN if finding.is_open else kind_of(finding))
    kinds = (Severity.ERROR, CHECK, Severity.WARNING, _OPEN)
    worst = [next((kind for kind in kinds if kind in found.get(name, ())), None) for name in names]
    words = ("with errors", "to check", "with warnings", "to look up")
    having = [(worst.count(kind), text) for kind, text in zip(kinds, words, strict=True)]
    parts = [f"{total} {text}" for total, text in having if total]
    limit = " in what was judged" if verdict.skipped else ""
    parts.append(f"{worst.count(None) or 'none'} clean{limit if None in worst else ''}")
    unread = sum(file.other_system is not None for file in verdict.coverage)
    skipped = f"; {count(unread, 'file')} of other systems skipped" if unread else ""
    whole = "" if verdict.complete else "; not everything was read: see the end"
    return f"{count(len(names), 'device')} read: {', '.join(parts)}{skipped}{whole}."


def _hurting(verdict: Verdict, findings: Sequence[Finding], worst: Finding | None) -> str:
    """How many findings need work, and the first of them in the words of the report."""
    errors, warnings, _ = severity_words(verdict.standing)
    if worst is None:
        return f"{errors}, {warnings}."
    more = more_places(known.object for known in findings if _is_like(known, worst))
    is_voice = felt_effect(worst) is not None
    fault = (fault_words(worst), gain_words(worst)) if is_voice else (worst.message,)
    said = "; ".join(filter(None, (*fault, sequel_words(worst))))
    which = "First" if worst.severity is not Severity.INFO else "To look up, it may be harmless"
    return f"{errors}, {warnings}. {which}: {worst.device}, {worst.object}{more}: {said}"


def _is_like(finding: Finding, other: Finding) -> bool:
    """Whether two findings are the same fault of one device, in two places."""
    faults = [(item.device, item.rule, item.message) for item in (finding, other)]
    return faults[0] == faults[1]


def _felt(findings: Sequence[Finding], worst: Finding | None) -> str:
    """Name the harm of the worst findings to users, each once.

    A finding that a measurement speaks against is felt by nobody so far.
    """
    due = [known for known in findings if known.is_due]
    sure = [known for known in due if not known.is_refuted]
    felt: dict[str, str] = {}
    for known in sure or due or filter(None, (worst,)):
        if known.harm and known.cured_by is None:
            felt.setdefault(known.harm, known.rule)
    told = "; ".join(f"{harm} ({rule})" for harm, rule in [*felt.items()][:_MOST_FELT])
    if not told:
        return "" if due else "No user feels any of it."
    return _sentence(told) if sure else f"Perhaps nothing; if it does harm: {told}."


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _uncertain(verdict: Verdict, worst: Finding | None) -> str:
    """How sure the worst finding and its figure are, and what was not judged."""
    parts = [] if worst is None else [*_doubts(worst)]
    rules: dict[str, dict[str, None]] = {}
    for known in verdict.skipped:
        rules.setdefault(known.reason, {})[known.rule] = None
    parts += [f"not judged: {first_of([*rules[why]])}: {why}" for why in [*rules][:1]]
    return _sentence("; ".join(parts)) if parts else ""


def _doubts(worst: Finding) -> Iterator[str]:
    effect, forecast = felt_effect(worst), worst.prediction
    figure = effect.before if effect is not None else forecast.before if forecast else None
    if worst.is_to_check:
        yield f"{worst.rule} may be no fault: look first"
    elif worst.is_refuted:
        yield f"a measurement speaks against {worst.rule}: measure while the line is full"
    elif worst.confidence is not Confidence.CERTAIN:
        yield f"{worst.rule} is {_SURE[worst.confidence]}"
    if figure is not None and figure.high > _WIDE * figure.low:
        yield f"its figure is {range_text(figure)}: not all that it rests on is stated"


def _work(findings: Sequence[Finding], *, limited: bool) -> str:
    """How many findings have lines to paste, and what the pastes ask for."""
    wanted = distinct(known for known in findings if known.severity is not Severity.INFO)
    if not wanted and any(known.is_open for known in findings):
        return "A look at the router first, which interrupts nothing: it tells if a paste is due."
    if not wanted:
        return f"Nothing to mend{' in what was judged' if limited else ''}."
    cured = [known for known in wanted if known.lines or known.cured_by]
    owners = {known.cured_by or known.key for known in cured}
    own = distinct(known for known in findings if known.key in owners and known.lines)
    pastes = {
        (known.device, known.lines): known.remedy.level for known in own if known.remedy is not None
    }
    window = [*pastes.values()].count(Level.NEEDS_WINDOW)
    two_ended = first_of(sorted({known.rule for known in own if _is_two_ended(known)}))
    left = [known for known in wanted if known not in cured]
    pasted = {known.rule for known in own}
    rules = {
        how: first_of(
            sorted({_name_of(known, pasted) for known in left if known.is_to_check is is_to_check})
        )
        for how, is_to_check in (("by hand", False), ("check first", True))
    }
    all_of_them = f"all {len(wanted)} findings" if len(wanted) > 1 else "the finding"
    of = all_of_them if len(cured) == len(wanted) else f"{len(cured)} of {len(wanted)} findings"
    parts = (
        f"{count(len(pastes), 'paste')} of minutes for {of}" if pastes else "No lines to paste",
        f"{window if window < len(pastes) else 'all'} in a maintenance window" if window else "",
        f"at both ends of a link, which is down meanwhile: {two_ended}" if two_ended else "",
        *(f"{how}: {named}" for how, named in rules.items() if named),
    )
    return f"{'; '.join(filter(None, parts))}."


def _name_of(finding: Finding, pasted: Collection[str]) -> str:
    """A rule, with the place where it has lines elsewhere."""
    return f"{finding.rule} of {finding.object}" if finding.rule in pasted else finding.rule
