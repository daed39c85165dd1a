"""What withholds the lines of a remedy, and what is told beside them instead.

A new finding withholds where its card says `harm`, where it is no information and at least as
severe as what is cured, and where it is not what was measured before the change. A figure withholds
where it is of another class and leaves its budget, or is beyond it and gets worse so that its
intervals before and after do not meet, unless a measurement refutes it. All else is a cost.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from advisor.lint.findings import Appearing, Renamed, Severity, SideEffect
from advisor.lint.judge import Hits, Key, keys_before, keys_of, severity_of
from advisor.quantity import number


def appearing(
    hits: Hits, known: Collection[Key], renamed: Sequence[Renamed] = ()
) -> tuple[Appearing, ...]:
    """Findings after an edit that are not among those before it, under the names before it."""
    found: dict[Key, Appearing] = {}
    for rule, hit in hits.pairs:
        ((rule_id, subject),) = keys_before(keys_of([(rule, hit)]), renamed)
        key, severity = (rule_id, subject), severity_of(rule, hit)
        worst = found.get(key)
        if key not in known and (worst is None or severity.rank < worst.severity.rank):
            check = rule.check
            found[key] = Appearing(
                rule_id, subject, severity, rule.card.harm, check.is_measured, check.object_kind
            )
    return tuple(found[key] for key in sorted(found))


def harm_of(new: Iterable[Appearing], cured: Severity) -> Appearing | None:
    """The first new finding that withholds lines which cure one of this severity."""
    return next((each for each in new if _withholds(each, cured)), None)


def _withholds(new: Appearing, cured: Severity) -> bool:
    if new.severity is Severity.INFO or new.is_measured:
        return False
    return new.harm and new.severity.rank <= cured.rank


def why_beyond(worse: Iterable[SideEffect], cured: Collection[str]) -> str:
    """Say which figures withhold lines; "" where none does.

    Parameters
    ----------
    worse
        Figures that the lines make worse.
    cured
        Objects of the findings that they cure: what a class of one of them pays is the price of
        its cure.
    """
    return "; ".join(_beyond(worse, cured))


def _beyond(worse: Iterable[SideEffect], cured: Collection[str]) -> Iterator[str]:
    for effect in worse:
        is_beyond = effect.leaves_budget or effect.is_worse_beyond_budget
        if is_beyond and not any(_is_of(effect, subject) for subject in cured):
            budget = number(effect.budget or 0.0)
            yield f"they take {effect} and its budget is {budget} {effect.before.unit}"


def _is_of(effect: SideEffect, subject: str) -> bool:
    """Whether a figure is of the class that an object is: at this output, or of its policy."""
    output, _, name = effect.object.rpartition(" > class ")
    steps = subject.split(" > ")
    is_here = subject.startswith(("policy-map ", f"{output} > "))
    return is_here and f"class {name}" in steps
