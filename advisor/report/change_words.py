"""A change of findings or of predictions in words, for terminals and pull requests."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.ground.quantity import Figure, count, figure, number
from advisor.ground.units import percent_from_ratio
from advisor.ios.syntax.names import dscp_name
from advisor.lint.change import (
    Change,
    Comparison,
    Direction,
    FindingChange,
    Fragments,
    PredictionChange,
    Taking,
)
from advisor.lint.findings import Metric
from advisor.lint.output_figures import Tolerance, falls, rises

PREDICTION = "prediction"
_INTERFACE = "interface "
_MOST_CODES = 3
_MOST_LINES = 3
_UNITS = {"%": " points"}
_OF = {Metric.DELAY: ""}


class Notice(Struct, frozen=True):
    """A change for programs; `kind` is the severity of a finding, or that it is a prediction."""

    device: str
    name: str
    title: str
    words: tuple[str, ...]
    kind: str
    counts: bool
    is_new: bool = False
    place: str | None = None


def notices(comparison: Comparison) -> Iterator[Notice]:
    """All changes, predictions first."""
    for change in comparison.predictions:
        title, words = f"{change.device}: {headline(change)}", (before_and_now(change),)
        name = headline_in_case(change)
        yield Notice(change.device, name, title, words, PREDICTION, change.counts)
    for changed in comparison.findings:
        finding, kind = changed.finding, changed.change
        head = f"{kind}: {finding.rule} {finding.name}"
        moved = (moved_words(changed),) if kind is Change.MOVED else ()
        yield Notice(
            finding.device,
            f"{head}: {finding.object}",
            f"{head} ({finding.device}: {finding.object})",
            (*moved, finding.message),
            finding.severity,
            changed.counts,
            kind is Change.ADDED,
            finding.place,
        )


def place_of(change: PredictionChange) -> str:
    """Class and output: `VOICE on Serial0/0/0`."""
    group = f"{change.group} of " if change.group else ""
    was = change.output_before
    before = "" if was is None else f" (before on {_short(was)})"
    return f"{group}{change.class_name} on {_short(change.output)}{before}"


def _short(output: str) -> str:
    return output.removeprefix(_INTERFACE)


def headline(change: PredictionChange) -> str:
    """Says how a change moves a class: `adds 84 ms to VOICE on Serial0/0/0`."""
    if change.is_of_lines:
        return _of_lines(change)
    place = place_of(change)
    if change.dscps:
        codes = _codes(change.dscps)
        output = _short(change.output)
        return f"moves {codes} from {change.class_name} to {change.served_by} on {output}"
    if change.change is Change.ADDED:
        return f"{change.metric} of {place} is new"
    if change.change is Change.GONE:
        return _gone(change)
    return _without_figure(change) if change.now is None else _moved(change)


def _of_lines(change: PredictionChange) -> str:
    """The headline of a change of lines, which has no figures."""
    place, output = place_of(change), _short(change.output)
    if change.fragments is not None:
        verb = "adds fragments to" if change.fragments.is_new else "takes the fragments from"
        return f"{verb} {output}"
    if change.marks is not None:
        return f"marks the packets of {place} otherwise"
    if change.announced is not None:
        return f"{output} announces another NHRP group"
    return f"{place} takes other packets{'' if change.takes is None else _marks(change.takes)}"


def _without_figure(change: PredictionChange) -> str:
    place = place_of(change)
    if change.bound_before_ms is not None and change.bound_now_ms is None:
        return f"takes the bound from {place}"
    return f"{change.metric} of {place} is not known any more"


def _moved(change: PredictionChange) -> str:
    place = place_of(change)
    if change.output_before is not None and change.direction is Direction.NEITHER:
        was, now = _short(change.output_before), _short(change.output)
        return f"moves {change.class_name} from {was} to {now}"
    metric = _OF.get(change.metric, f" of {change.metric}")
    difference, unit = change.difference, _unit(change)
    bound_ms = change.bound_difference_ms
    if abs(bound_ms) > abs(difference) and _is_of_bound(change):
        verb = "raises" if bound_ms > 0 else "lowers"
        return f"{verb} the bound of {place} by {number(abs(bound_ms))} ms"
    has_lost_bound = change.bound_before_ms is not None and change.bound_now_ms is None
    if has_lost_bound and _is_of_bound(change):
        return f"takes the bound from {place}"
    verb, to = ("adds", "to") if difference > 0 else ("takes", "from")
    return f"{verb} {number(abs(difference))}{unit}{metric} {to} {place}"


def _gone(change: PredictionChange) -> str:
    if change.is_unserved:
        was = change.output_before
        other = "" if was is None else f", as that of {_short(was)} did"
        removed = f"removes {change.class_name} from {_short(change.output)}"
        return f"{removed}; no policy queues its packets{other}"
    if change.served_by is None:
        return f"removes {change.metric} of {place_of(change)}"
    if change.metric is Metric.DELAY:
        was, server = _short(change.output_before or change.output), change.served_by
        other = "" if change.output_before is None else f" of {_short(change.output)}"
        return f"removes {change.class_name} from {was}; {server}{other} takes its packets"
    return f"removes {change.metric} of {place_of(change)}"


def _is_small(change: PredictionChange) -> bool:
    """Whether the bound tells of the change, and the mean hardly does."""
    before = change.before
    return before is not None and abs(change.difference) <= Tolerance().of(
        before.value, before.unit
    )


def _is_of_bound(change: PredictionChange) -> bool:
    """Whether the mean stays within its uncertainty, so that the bound is for better or worse."""
    before, now = change.before, change.now
    if before is None or now is None:
        return False
    return not rises(before, now) and not falls(before, now)


def _unit(change: PredictionChange) -> str:
    known = change.now or change.before
    unit = known.unit if known is not None else ""
    return _UNITS.get(unit, f" {unit}")


def before_and_now(change: PredictionChange) -> str:
    """Both figures, with their intervals and bounds, and the difference in percent."""
    if change.is_of_lines:
        return _lines_before_and_now(change)
    before, now = _words(change.before), _words(change.now)
    if change.change is Change.GONE or change.dscps:
        is_told = change.dscps or change.is_unserved
        known = "not known" if is_told and change.before is None else before
        return f"{known} → {_with_server(change, now)}"
    if change.change is Change.ADDED:
        return now
    if change.now is None:
        return f"{before} → not known{_bound_now(change)}"
    ratio = _percent(change)
    return f"{before} → {now}{f' ({ratio})' if ratio else ''}{_p95(change)}"


def _p95(change: PredictionChange) -> str:
    """The p95 of a delay, which the mean tells nothing of."""
    if change.p95_before is None or change.p95_now is None:
        return ""
    before, now = number(change.p95_before.value), number(change.p95_now.value)
    return f"; p95 {before} → {now} ms"


def _lines_before_and_now(change: PredictionChange) -> str:
    if change.fragments is not None:
        return _cut(change.fragments, change.class_name)
    if change.marks is not None:
        was, leaves = (_leaves_as(item) for item in (change.marks.before, change.marks.now))
        return f"they leave {was} → {leaves}; the other end knows its packets by it"
    if change.announced is not None:
        was, has = (item or "none" for item in (change.announced.before, change.announced.now))
        return f"group {was} → {has}; the hub picks its policy towards this end by the group"
    takes = change.takes or Taking((), ())
    return f"{_lines(takes.before)} → {_lines(takes.now)}"


def in_case(change: PredictionChange) -> str:
    """The traffic of the figures; none where only match lines are compared."""
    return "" if change.is_of_lines else f"{change.case} case"


def headline_in_case(change: PredictionChange) -> str:
    """The headline with the traffic of the figures."""
    case = in_case(change)
    return f"{headline(change)} ({case})" if case else headline(change)


def _marks(takes: Taking) -> str:
    return f": {_codes(takes.marks)} may be missing" if takes.marks else ""


def _cut(fragments: Fragments, class_name: str) -> str:
    """Fragments of an output before or now, and what both ends of the link do then."""
    size = fragments.size_bytes
    cut = "fragments" if size is None else f"fragments of {size:.0f} bytes"
    if fragments.is_new:
        return f"none → {cut}; an other end without FRF.12 drops them, which are all large packets"
    waits = f"{cut} → none; {class_name} waits behind whole packets"
    both = ", and an end without FRF.12 drops the fragments of the other: change both ends at once"
    return f"{waits}{both if fragments.is_frf12 else ''}"


def _leaves_as(dscps: tuple[int, ...]) -> str:
    return f"as {_codes(dscps)}" if dscps else "as they come"


def _lines(lines: tuple[str, ...]) -> str:
    """Lines of a configuration, not too many."""
    more = len(lines) - _MOST_LINES
    shown = "; ".join(lines[:_MOST_LINES]) or "none"
    return f"{shown}; {more} more" if more > 0 else shown


def _with_server(change: PredictionChange, now: str) -> str:
    if change.is_unserved:
        return "no policy"
    if change.served_by is None or change.metric is not Metric.DELAY:
        return "none"
    if change.now is not None:
        return f"{now} in {change.served_by}"
    if change.bound_now_ms is not None:
        return f"worst case {number(change.bound_now_ms)} ms in {change.served_by}"
    return f"nothing bounds the delay in {change.served_by}"


def _bound_now(change: PredictionChange) -> str:
    if change.metric is not Metric.DELAY or change.group is not None:
        return ""
    bound_ms = change.bound_now_ms
    return ", nothing bounds it" if bound_ms is None else f", worst case {number(bound_ms)} ms"


def _codes(dscps: tuple[int, ...]) -> str:
    """DSCPs by their names, not too many."""
    names = [dscp_name(code) for code in dscps[:_MOST_CODES]]
    more = len(dscps) - len(names)
    return f"dscp {', '.join(names)}{f' and {more} more' if more else ''}"


def _words(known: Figure | None) -> str:
    return "none" if known is None else figure(known)


def _percent(change: PredictionChange) -> str:
    before = change.before
    if before is None or before.value == 0 or before.unit == "%" or _is_small(change):
        return ""
    return f"{percent_from_ratio(change.difference / before.value):+.0f} %"


def moved_words(change: FindingChange) -> str:
    """Says what moved: the names of the object, the severity, the figure."""
    said = [] if change.object_before is None else [f"was {change.object_before}"]
    if change.severity_before not in (None, change.finding.severity):
        said.append(f"{change.severity_before} → {change.finding.severity}")
    now = change.finding.figure
    if change.figure_before is not None and now is not None and change.figure_before != now:
        said.append(f"{figure(change.figure_before)} → {figure(now)}")
    return ", ".join(said)


def summary(comparison: Comparison) -> str:
    """Counts of what changed, in one line."""
    findings, predictions = comparison.findings, comparison.predictions
    counts = [sum(finding.change is kind for finding in findings) for kind in Change]
    moved = [prediction for prediction in predictions if not prediction.is_of_lines]
    others = sum(prediction.takes is not None for prediction in predictions)
    cut = sum(prediction.fragments is not None for prediction in predictions)
    told = len(predictions) - len(moved) - others - cut
    taking = f"other packets in {count(others, 'class', 'classes')}; " if others else ""
    taking += f"fragments of {count(cut, 'output')}; " if cut else ""
    taking += f"marks or groups of {count(told, 'class', 'classes')}; " if told else ""
    worse = sum(finding.counts for finding in findings) + sum(
        finding.counts for finding in predictions
    )
    said = ", ".join(f"{counted} {kind}" for counted, kind in zip(counts, Change, strict=True))
    complete = "complete" if comparison.complete else "not complete"
    return (
        f"findings: {said}; {count(len(moved), 'prediction')} moved; {taking}"
        f"{count(worse, 'change')} for the worse; {complete}"
    )
