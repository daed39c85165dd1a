"""Predictions of scenarios and of WRED as text and rows, with or without a simulation."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import Final, TypeAlias

from msgspec import Struct

from advisor.ground.quantity import Figure, Input, figure, number
from advisor.ground.units import percent_from_ratio, s_from_ms
from advisor.predict.scenario import ClassRow, GroupRow
from advisor.predict.what_if.prediction import ClassPrediction, UnstatedPrediction, WredPrediction
from advisor.predict.what_if.scenario_answers import Estimated, ScenarioRow, SimulatedRow
from advisor.predict.what_if.simulated import Figured, NotSimulated, SimulatedShares
from advisor.predict.wred.drop_counters import SeenRow
from advisor.predict.wred.shares import GroupShare, WredShares
from advisor.report import printable
from advisor.report.json_report import encoded
from advisor.report.terminal import PLAIN, RenderOptions, Style, aligned, fitted
from advisor.theory.check import FormulaCheck
from advisor.theory.regimes import words_of
from advisor.theory.solution import SAMPLED

# WRED of a class for the terminal: shares, regimes, counters, agreement with a simulation.

_INDENT: Final = 10
_HEAD: Final = (
    *("group", "flows", "share %", "low-high", "flows/p", "drops %", "low-high"),
    *("delay ms", "low-high", "row: min max denominator"),
)
_SIMULATED_HEAD = ("group", "share %", "low-high", "drops %", "low-high", "delay ms", "low-high")
_SEEN_HEAD = ("row", "offered", "dropped %", "tail %", "curve %", "predicted %", "low-high")


def agreement_words(apart: Sequence[Figured]) -> str:
    """That they agree, or which figures do not.

    >>> agreement_words(())
    'model and simulation agree'
    >>> agreement_words((Figured.MEAN, Figured.MAX))
    'outside the predicted interval: mean; the longest delay is over the bound'
    """
    outside = [figure.value for figure in apart if figure is not Figured.MAX]
    said = [f"outside the predicted interval: {', '.join(outside)}"] if outside else []
    if Figured.MAX in apart:
        said.append("the longest delay is over the bound")
    return "; ".join(said) or "model and simulation agree"


def check_words(check: FormulaCheck) -> str:
    """Both means of a class, and whether they agree within errors and validity.

    >>> from advisor.theory.analytic.result import Validity
    >>> check_words(FormulaCheck("M", Validity.WITHIN_5, 31.2, 31.5, 0.09, True))
    '31.2 ms by M (within 5 %); sampled 31.5 ± 0.09: agree'
    >>> check_words(FormulaCheck(None, Validity.OUTSIDE, None, 31.5, 0.09, None, "g = 3"))
    'sampled 31.5 ± 0.09 ms; no formula: g = 3'
    """
    sampled = "no packet was sampled"
    if check.sampled_ms is not None:
        sampled = f"sampled {number(check.sampled_ms)} ± {number(check.error_ms)}"
    if check.analysis_ms is None:
        return f"{sampled} ms; no formula: {check.why}"
    verdict = {True: "agree", False: "they differ, which is a defect", None: "not compared"}
    formula = f"{number(check.analysis_ms)} ms by {check.method} ({check.validity})"
    return f"{formula}; {sampled}: {verdict[check.agrees]}"


_METHOD_HEAD: Final = ("method", "validity", "classes", "agree", "formula to run, median", "worst")


def by_method(checks: Iterable[FormulaCheck | None], style: Style) -> Iterator[str]:
    """The table of classes by method, each with how far it is from runs; empty without checks."""
    groups: dict[tuple[str, str], list[FormulaCheck]] = {}
    for check in filter(None, checks):
        groups.setdefault((check.method or SAMPLED, check.validity.value), []).append(check)
    if not groups:
        return
    yield style.bold("By method")
    rows = [_METHOD_HEAD]
    for (method, validity), own in sorted(groups.items()):
        off = [
            percent_from_ratio(check.analysis_ms / check.sampled_ms - 1)
            for check in own
            if check.analysis_ms is not None and check.sampled_ms is not None
        ]
        agree = sum(check.agrees is True for check in own)
        differences = (f"{median(off):+.1f} %", f"{max(off, key=abs):+.1f} %") if off else ("", "")
        compared = str(agree) if off else ""
        rows.append((method, validity, str(len(own)), compared, *differences))
    yield from aligned(rows)


def lines(wred: WredPrediction) -> Iterator[str]:
    """Lines about WRED in a class."""
    if wred.shares is not None:
        yield from _shares(wred.shares)
        if wred.simulated is not None:
            yield from _simulated(wred.shares, wred.simulated)
    elif wred.why is not None:
        yield f"  WRED    {wred.why}"
    if wred.seen is not None:
        aqs = "not printed" if wred.seen.aqs_packets is None else f"{wred.seen.aqs_packets} packets"
        yield f"  counted average queue {aqs}; drops since the last clear ({wred.seen.at})"
        groups = wred.shares.groups if wred.shares is not None else ()
        if not wred.seen.rows:
            yield "          how many packets each row sent is not printed: no drop ratio"
            return
        rows = [_SEEN_HEAD, *(_seen(row, groups) for row in wred.seen.rows)]
        yield from aligned(rows, _INDENT)


def given_inputs(
    predictions: Sequence[ClassPrediction | UnstatedPrediction],
) -> Iterator[Input]:
    """Inputs of the classes of an output, then those of their shares, without repetition."""
    shares_by_class = [
        prediction.wred.shares for prediction in predictions if prediction.wred is not None
    ]
    of_shares = [
        entry for shares in shares_by_class if shares is not None for entry in shares.inputs
    ]
    names = {entry.name for entry in of_shares}
    first = predictions[0].inputs if predictions else ()
    repeated = {"overhead_bytes"}  # the classes show it already
    repeated |= {f"packet_bytes in {prediction.class_name}" for prediction in predictions}
    yield from (entry for entry in first if entry.name not in names)
    yield from (
        entry for entry in of_shares if entry.name not in repeated or entry.low < entry.high
    )


def _shares(shares: WredShares) -> Iterator[str]:
    if not shares.converged:
        yield "  caution replications do not agree: use only the intervals"
    for regime in shares.regimes:
        perhaps = "" if regime.certain else "perhaps "
        yield f"  regime  {perhaps}{regime.name}: {regime.said}"
    if shares.aqs is None or shares.time_constant_ms is None:
        yield f"  queue   {figure(shares.queue)}"
    else:
        constant_s = number(s_from_ms(shares.time_constant_ms))
        yield f"  average {figure(shares.aqs)} in the queue, time constant {constant_s} s"
    yield "  shares  of the TCP bytes of the class; flows/p is a rule of thumb"
    yield from aligned([_HEAD, *map(group_cells, shares.groups)], _INDENT)


def _simulated(shares: WredShares, simulation: SimulatedShares | NotSimulated) -> Iterator[str]:
    """Results of the simulation, and where they contradict the prediction."""
    if isinstance(simulation, NotSimulated):
        yield f"  check   not simulated: {simulation.why}"
        return
    runs = f"{simulation.replications} runs of {number(simulation.measured_s)} s"
    yield f"  check   simulated at the values given: {runs}, 95 % confidence"
    rows = [
        (group.name, *_cells(group.share), *_cells(group.drops), *_cells(group.delay))
        for group in simulation.groups
    ]
    yield from aligned([_SIMULATED_HEAD, *rows], _INDENT)
    for group, again in zip(shares.groups, simulation.groups, strict=True):
        yield f"          {group.name}: {agreement_words(again.apart_from(group))}"


def group_cells(group: GroupShare) -> tuple[str, ...]:
    rule = group.share_by_flows_over_p
    return (
        group.name,
        "-" if group.flows is None else str(group.flows),
        *_cells(group.share),
        "-" if rule is None else number(rule),
        *_cells(group.drops),
        *_cells(group.delay),
        group.row,
    )


def _cells(figure: Figure | None) -> tuple[str, str]:
    return (
        ("-", "-")
        if figure is None
        else (number(figure.value), f"{number(figure.low)}-{number(figure.high)}")
    )


def _seen(row: SeenRow, groups: Sequence[GroupShare]) -> tuple[str, ...]:
    predicted = next((g.drops for g in groups if g.code is not None and g.code == row.code), None)
    curve = row.curve_percent
    return (
        row.name,
        str(row.offered_packets),
        number(row.dropped_percent),
        number(row.tail_dropped_percent),
        "-" if curve is None else number(curve),
        *_cells(predicted),
    )


# Predictions of scenarios, with or without their simulation: rows of JSON, text tables.

_Cells: TypeAlias = dict[str, str | float | bool | None]
_KEYS: Final = {  # fields of a row that the format of scenarios calls otherwise
    "scenario_id": "id",
    "class_name": "class",
    "bound_ms": "max_ms",
    "ipdv_bound_ms": "ipdv_max_ms",
    "regimes": "regime",
}
_ESTIMATES: Final = {  # field of a simulated row: its key and that of its interval
    **{
        f"{name}_ms": (f"sim_{name}_ms", f"sim_{name}_ci95_ms")
        for name in ("mean", "p50", "p95", "p99", "ipdv")
    },
    "loss_ratio": ("sim_loss_ratio", "sim_loss_ci95"),
}
_HEADER: Final = ("", "mean ms", "p50", "p95", "p99", "max", "|ipdv|", "loss %", "kb/s")
_GROUP_HEADER: Final = ("", "share %", "low-high", "mean ms", "loss %", "average queue")


class Answered(Struct, frozen=True):
    """Answers to scenarios, a row for each class or group of TCP flows."""

    classes: tuple[ScenarioRow, ...]
    has_simulation: bool = False
    has_check: bool = False


def render_json(answered: Answered, _options: RenderOptions = PLAIN) -> str:
    """JSON array of one object a class or group; `max_ms` is the bound, null where unknown."""
    rows = []
    for subject in answered.classes:
        row = _predicted_cells(subject)
        if answered.has_simulation:
            row |= _simulated_cells(subject.simulated) | _agreement_cells(subject.apart)
        if answered.has_check:
            row |= _check_cells(subject.check)
        rows.append(row)
    return encoded(rows)


def _predicted_cells(subject: ScenarioRow) -> _Cells:
    row = subject.predicted
    fields = ClassRow.__struct_fields__ if row is None else row.__struct_fields__
    cells: _Cells = {_KEYS.get(field, field): getattr(row, field, None) for field in fields}
    if isinstance(row, GroupRow):
        return cells | {"regime": "; ".join(row.regimes)}
    return cells | {"id": subject.scenario_id, "class": subject.name}


def _simulated_cells(row: SimulatedRow | None) -> _Cells:
    cells: _Cells = {
        f"sim_{field}": getattr(row, field, None) for field in ("packets", "max_ms", "ipdv_max_ms")
    }
    for field, (key, interval_key) in _ESTIMATES.items():
        estimate: Estimated | None = getattr(row, field, None)
        cells[key] = _value(estimate)
        cells[interval_key] = None if estimate is None else estimate.half_width
    return cells | {"sim_throughput_wire_kbps": getattr(row, "throughput_wire_kbps", None)}


def _check_cells(check: FormulaCheck | None) -> _Cells:
    """Means by formula and by a run of the kernel; null where there is no such mean."""
    fields = FormulaCheck.__struct_fields__
    return {f"check_{field}": getattr(check, field, None) for field in fields}


def _agreement_cells(apart: Sequence[Figured] | None) -> _Cells:
    """Whether they agree, and the figures that do not; null where there is nothing to compare."""
    if apart is None:
        return {"sim_agrees": None, "sim_outside": None}
    return {"sim_agrees": not apart, "sim_outside": ", ".join(apart)}


def render(answered: Answered, options: RenderOptions = PLAIN) -> str:
    """Lines for the terminal: a line of the model and, if requested, one of the simulation."""
    style = options.style
    texts = [fitted(_lines(subject, style), style.width) for subject in answered.classes]
    table = list(by_method((subject.check for subject in answered.classes), style))
    if table:
        texts.append(fitted(table, style.width))
    return "\n".join(texts)


def _lines(subject: ScenarioRow, style: Style) -> Iterator[str]:
    if isinstance(subject.predicted, GroupRow):
        yield from _group_lines(subject.predicted, subject.simulated, style)
    else:
        yield from _class_lines(subject, subject.predicted, style)
    if subject.apart is not None:
        yield f"  {agreement_words(subject.apart)} (95 % confidence)"


def methods(method: str, of_jitter: str) -> str:
    """The method of the delays, and that of the jitter where it is another one.

    >>> methods("Little's law on the full ring", "sampled")
    "Little's law on the full ring; jitter sampled"
    """
    return method if of_jitter == method else f"{method}; jitter {of_jitter}"


def _class_lines(subject: ScenarioRow, predicted: ClassRow | None, style: Style) -> Iterator[str]:
    simulated = subject.simulated
    yield style.bold(printable(f"{subject.scenario_id} > class {subject.name}"))
    rows: list[Sequence[str]] = [_HEADER]
    if predicted is not None:
        yield f"  regime  {words_of(predicted.regime)}"
        yield f"  method  {methods(predicted.method, predicted.ipdv_method)}"
        if predicted.weak is not None:
            yield f"  caution {predicted.weak}"
        rows += [_model_row(predicted), _interval_row(predicted)]
    if simulated is not None:
        rows.append(_simulated_row(simulated))
    yield from aligned(rows)
    if subject.check is not None:
        yield f"  {check_words(subject.check)}"


def _model_row(row: ClassRow) -> tuple[str, ...]:
    delays = (row.mean_ms, row.p50_ms, row.p95_ms, row.p99_ms, row.bound_ms, row.ipdv_ms)
    last = (_percent(row.loss_ratio), _shown(row.throughput_wire_kbps))
    return ("model, max is the bound", *map(_shown, delays), *last)


def _interval_row(row: ClassRow) -> tuple[str, ...]:
    """The interval of each figure: of the sampling, or of the validity of the formula."""
    delays = [
        f"{_shown(getattr(row, f'{name}_low_ms'))}-{_shown(getattr(row, f'{name}_high_ms'))}"
        for name in ("mean", "p50", "p95", "p99", "ipdv")
    ]
    lost = f"{_percent(row.loss_low_ratio)}-{_percent(row.loss_high_ratio)}"
    rate = f"{_shown(row.throughput_wire_low_kbps)}-{_shown(row.throughput_wire_high_kbps)}"
    return ("low-high", *delays[:-1], "", delays[-1], lost, rate)


def _simulated_row(row: SimulatedRow) -> tuple[str, ...]:
    delays = (row.mean_ms, row.p50_ms, row.p95_ms, row.p99_ms)
    return (
        f"simulated, {row.packets} packets",
        *map(_estimated, delays),
        _shown(row.max_ms),
        _estimated(row.ipdv_ms),
        _percent(_value(row.loss_ratio)),
        _shown(row.throughput_wire_kbps),
    )


def _group_lines(row: GroupRow, simulated: SimulatedRow | None, style: Style) -> Iterator[str]:
    yield style.bold(printable(f"{row.scenario_id} > group {row.group}"))
    yield f"  regime  {', '.join(regime.value for regime in row.regimes)}"
    if not row.converged:
        yield "  caution replications do not agree: use only the interval"
    interval = "-" if row.share is None else f"{_percent(row.share_low)}-{_percent(row.share_high)}"
    loss, queue = _percent(row.loss_ratio), _shown(row.mean_aqs_packets)
    rows = [_GROUP_HEADER]
    rows.append(("model", _percent(row.share), interval, _shown(row.mean_ms), loss, queue))
    if simulated is not None:
        share, name = simulated.share, f"simulated, {simulated.packets} packets"
        mean, loss = _shown(_value(simulated.mean_ms)), _percent(_value(simulated.loss_ratio))
        rows.append((name, _percent(_value(share)), _share_interval(share), mean, loss, "-"))
    yield from aligned(rows)


def _share_interval(share: Estimated | None) -> str:
    if share is None or share.half_width is None:
        return "-"
    return f"{_percent(share.span.low)}-{_percent(share.span.high)}"


def _percent(ratio: float | None) -> str:
    return "-" if ratio is None else number(percent_from_ratio(ratio))


def _value(estimate: Estimated | None) -> float | None:
    return None if estimate is None else estimate.value


def _estimated(estimate: Estimated | None) -> str:
    if estimate is None:
        return "-"
    interval = "" if estimate.half_width is None else f" ±{_shown(estimate.half_width)}"
    return f"{_shown(estimate.value)}{interval}"


def _shown(value: float | None) -> str:
    return "-" if value is None else number(value)
