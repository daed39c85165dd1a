"""Predictions of classes and of paths: a table for each output, a line for each hop."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from advisor.ground.quantity import Figure, cell, count, ends, figure, number
from advisor.ground.wording import load_words
from advisor.predict.classes.congested import Part
from advisor.predict.what_if.path import PathPrediction
from advisor.predict.what_if.path_hops import HopPrediction
from advisor.predict.what_if.prediction import (
    ClassPrediction,
    DeJitter,
    Prediction,
    Quality,
    Unpredicted,
    UnstatedPrediction,
)
from advisor.predict.what_if.simulated import NotSimulated, SimulatedClass
from advisor.report import all_printable, scenarios
from advisor.report.compared import measured_lines
from advisor.report.document import Page, Table, page_text
from advisor.report.findings import input_text, narrowing_words
from advisor.report.mask import mask_class, mask_path
from advisor.report.scenarios import agreement_words, check_words, methods
from advisor.report.terminal import (
    PLAIN,
    Column,
    RenderOptions,
    Style,
    TableRow,
    fitted,
    table_lines,
)

_BAR: Final = 40
_MARKS: Final = {"ring": "#", "own queue": "=", "shaper": "~", "serialization": "."}
_WEAK: Final = "!"  # behind the name of a class whose figures have a caution
_COLUMNS: Final = (
    Column("class", 0, is_text=True),
    Column("kind", 10, is_text=True),
    Column("load", 8),
    Column("mean delay ms", 1),
    Column("p95", 4),
    Column("p99", 3),
    Column("worst case", 2),
    Column("jitter", 5),
    Column("loss %", 6),
    Column("carries kb/s", 7),
    Column("MOS G.729", 9),
)


def render(predictions: Sequence[Prediction], options: RenderOptions = PLAIN) -> str:
    """A table of the classes of each output; with the inputs and the regimes if verbose."""
    style, is_verbose = options.style, options.is_verbose
    shown = [all_printable(prediction) for prediction in predictions]
    blocks = []
    for _, group in groupby(shown, key=lambda prediction: (prediction.device, prediction.object)):
        lines = _outlet(list(group), style, is_verbose=is_verbose)
        blocks.append(fitted(lines, style.width))
    checks = (item.check for item in shown if isinstance(item, ClassPrediction))
    table = list(scenarios.by_method(checks, style))
    if table:
        blocks.append(fitted(table, style.width))
    if not is_verbose:
        more = "-v prints regimes, p50, and all inputs"
        blocks.append(fitted((more,), style.width))
    return "\n".join(blocks)


def _outlet(predictions: Sequence[Prediction], style: Style, *, is_verbose: bool) -> Iterator[str]:
    yield style.bold(f"{predictions[0].device}: {predictions[0].object}")
    yield from _headline(predictions)
    rows = [row for prediction in predictions for row in _rows(prediction, is_verbose=is_verbose)]
    if rows:
        yield from table_lines(_COLUMNS, rows, style.width)
    for prediction in predictions:
        if isinstance(prediction, Unpredicted):
            name = "" if prediction.class_name is None else f"{prediction.class_name}: "
            yield f"  {name}no figures: {prediction.why}"
            yield from (f"    {line}" for line in measured_lines(prediction.compared))
        elif prediction.wred is not None and prediction.wred.shares is not None:
            yield f"  class {prediction.class_name}"
            yield from scenarios.lines(prediction.wred)
            yield from (f"    {line}" for line in _seen(prediction))
    if is_verbose:
        known = tuple(
            prediction for prediction in predictions if not isinstance(prediction, Unpredicted)
        )
        inputs = map(input_text, scenarios.given_inputs(known))
        yield from (f"  given {line}" for line in dict.fromkeys(inputs))


def _headline(predictions: Sequence[Prediction]) -> Iterator[str]:
    """The case that lint judges, of each priority class, with its bounds."""
    for prediction in predictions:
        if not isinstance(prediction, UnstatedPrediction) and prediction.congested is not None:
            case = prediction.congested
            known = (("ring_bound", case.ring_bound_ms), ("class_bound", case.class_bound_ms))
            bounds = [f"{name} {number(bound)} ms" for name, bound in known if bound is not None]
            if case.loss is not None and case.loss.high > 0:
                bounds.append(f"loss {figure(case.loss)}")
            yield (
                f"  {prediction.class_name} waits {figure(case.mean)} with the lower classes "
                f"{load_words(case.lower)}"
                f"{': ' if bounds else ''}{', '.join(bounds)}"
            )
            own = prediction.check if isinstance(prediction, ClassPrediction) else None
            if case.check is not None and case.check != own:
                yield f"    check {check_words(case.check)}"


def _rows(prediction: Prediction, *, is_verbose: bool) -> Iterator[TableRow]:
    match prediction:
        case UnstatedPrediction(wred=wred) if wred is None or wred.shares is None:
            yield _unstated(prediction)
        case ClassPrediction(wred=wred) if wred is None or wred.shares is None:
            yield _class(prediction, is_verbose=is_verbose)


def _unstated(prediction: UnstatedPrediction) -> TableRow:
    """The share of a class without known traffic; its delay is not known."""
    cells = ("unknown", "unknown", "", "", "", "", "", cell(prediction.share), "")
    share = figure(prediction.share_percent)
    below = (
        f"delay unknown: {prediction.delay.reason}",
        f"gets its share of the line, {share}, while it has packets waiting",
        *_seen(prediction),
        *(f"caution {weakness}" for weakness in prediction.weak),
        *(line.strip() for line in _wred(prediction)),
    )
    return TableRow((_named(prediction), prediction.kind, *cells), below)


def _class(prediction: ClassPrediction, *, is_verbose: bool) -> TableRow:
    call = prediction.call
    cells = (
        _load(prediction),
        *delay_cells(prediction),
        "" if prediction.bound_ms is None else number(prediction.bound_ms),
        cell(prediction.jitter),
        "" if prediction.loss is None else cell(prediction.loss),
        "" if prediction.throughput is None else cell(prediction.throughput),
        "" if call is None else cell(call.mos),
    )
    below = tuple(_below(prediction, is_verbose=is_verbose))
    return TableRow((_named(prediction), prediction.kind, *cells), below)


def _seen(prediction: ClassPrediction | UnstatedPrediction) -> Iterator[str]:
    """Measured figures of a class, and those beside its predicted ones."""
    yield from (f"seen {measurement}" for measurement in prediction.measured)
    yield from measured_lines(prediction.compared)


def delay_cells(prediction: ClassPrediction) -> tuple[str, str, str]:
    """Mean, p95 and p99; of a queue that never empties only the range of the mean."""
    if prediction.never_empty:
        return (ends(prediction.mean), "", "")
    return (cell(prediction.mean), cell(prediction.p95), cell(prediction.p99))


def _named(prediction: ClassPrediction | UnstatedPrediction) -> str:
    return f"{prediction.class_name}{f' {_WEAK}' if prediction.weak else ''}"


def _load(prediction: ClassPrediction) -> str:
    """The offered load of the class, in the bytes that IOS counts."""
    if prediction.never_empty:
        return "saturated"
    return "unknown" if prediction.offered is None else f"{number(prediction.offered.value)} kb/s"


def _below(prediction: ClassPrediction, *, is_verbose: bool) -> Iterator[str]:
    if prediction.breakdown:
        yield bar(prediction.breakdown)
    if is_verbose:
        yield f"regime {prediction.regime}"
        yield f"method {methods(prediction.method, prediction.jitter_method)}"
        yield f"p50 {_ends(prediction, prediction.p50)} ms"
        yield f"jitter {figure(prediction.jitter)}"
        call = prediction.call
        if call is not None:
            yield f"MOS of {call.codec} over this hop alone, {figure(call.mouth_to_ear)} to the ear"
    if prediction.check is not None:
        full = "a full queue: " if prediction.never_empty else ""
        yield f"check {full}{check_words(prediction.check)}"
    if prediction.simulated is not None:
        yield f"check {_simulated(prediction, prediction.simulated)}"
    yield from _seen(prediction)
    if prediction.is_priority and prediction.why_no_bound is not None:
        yield f"no bound: {prediction.why_no_bound}"
    yield from (f"caution {weakness}" for weakness in prediction.weak)
    yield from (line.strip() for line in _wred(prediction))
    yield from (f"advice {advice}" for advice in prediction.advice)
    before = prediction.mean if prediction.congested is None else prediction.congested.mean
    for item in prediction.narrows:
        yield f"to narrow {ends(before)} {before.unit}, state {narrowing_words(item)}"


def _wred(prediction: ClassPrediction | UnstatedPrediction) -> Iterator[str]:
    return iter(()) if prediction.wred is None else scenarios.lines(prediction.wred)


def _ends(prediction: ClassPrediction, value: Figure) -> str:
    return ends(value) if prediction.never_empty else cell(value)


def _simulated(prediction: ClassPrediction, simulation: SimulatedClass | NotSimulated) -> str:
    """Results of the simulation, and whether they contradict the prediction."""
    if isinstance(simulation, NotSimulated):
        return f"not simulated: {simulation.why}"
    without = " without its WRED" if prediction.wred is not None else ""
    quantiles = (("", simulation.mean), ("p95 ", simulation.p95), ("p99 ", simulation.p99))
    delays = ", ".join(name + cell(quantile) for name, quantile in quantiles)
    saturated = " with its queue kept full" if prediction.never_empty else ""
    against = []
    if simulation.silent_cases:
        silent = count(simulation.silent_cases, "case")
        against.append(f"{silent} left out: no packet got through in the time simulated")
    against.append(agreement_words(simulation.apart))
    lost = [] if simulation.loss is None else [f"loss {cell(simulation.loss)} %"]
    rate = simulation.throughput
    carried = [] if rate is None else [f"carries {cell(rate)} kb/s"]
    packets = count(simulation.packets, "packet")
    return "; ".join(
        [
            f"simulated{without}{saturated}: {delays}, longest {number(simulation.max_ms)} ms",
            *lost,
            *carried,
            f"{packets} in {count(simulation.cases, 'case')}, 95 % confidence",
            *against,
        ]
    )


def with_unit(value: Figure) -> str:
    """A value with the ends of its interval and its unit."""
    return f"{cell(value)} {value.unit}".rstrip()


def mean_words(prediction: ClassPrediction) -> str:
    """The mean with its unit; only the range of it where the queue never empties."""
    mean = prediction.mean
    return f"{ends(mean)} {mean.unit}" if prediction.never_empty else with_unit(mean)


def page_cells(prediction: ClassPrediction) -> tuple[str, ...]:
    """Delays, bound, jitter, loss, throughput and method as the tables of pages show them."""
    quantiles = (prediction.p95, prediction.p99)
    tail = ("", "") if prediction.never_empty else map(with_unit, quantiles)
    bound = "" if prediction.bound_ms is None else f"{number(prediction.bound_ms)} ms"
    optional = (prediction.loss, prediction.throughput)
    last = ("" if value is None else figure(value) for value in optional)
    return (
        mean_words(prediction),
        *tail,
        bound,
        with_unit(prediction.jitter),
        *last,
        prediction.method,
    )


def bar(parts: Sequence[Part]) -> str:
    """Parts of a delay as a bar of plain characters, with their legend.

    >>> bar([Part("ring", 30.0), Part("serialization", 10.0)])
    '[##############################..........] # ring 30 ms, . serialization 10 ms'
    """
    total = sum(part.ms for part in parts) or 1.0
    drawn, reached, upto = "", 0, 0.0
    for part in parts:
        upto += part.ms
        until = round(_BAR * upto / total)
        drawn += _MARKS[part.name] * (until - reached)
        reached = until
    legend = ", ".join(f"{_MARKS[part.name]} {part.name} {number(part.ms)} ms" for part in parts)
    return f"[{drawn}] {legend}"


def render_path(path: PathPrediction, options: RenderOptions = PLAIN) -> str:
    """Each hop in a line, the path, and the quality of a call on it."""
    shown, style = all_printable(path), options.style
    lines = [style.bold("path")]
    lines += (f"  hop     {hop.name}: {_hop(hop)}" for hop in shown.hops)
    lines.append(f"  delay   {figure(shown.mean)}")
    quantiles = (("", shown.p50), ("p95 ", shown.p95), ("p99 ", shown.p99))
    lines.append("  p50     " + ", ".join(n + cell(quantile) for n, quantile in quantiles) + " ms")
    lines += [f"  jitter  {figure(shown.jitter)}", f"  loss    {figure(shown.loss)}"]
    for call in shown.qualities:
        lines.append(f"  call    {call.codec}: R {figure(call.r)}, MOS {figure(call.mos)}")
        ear = f"{figure(call.mouth_to_ear)} mouth to ear, {figure(call.lost)} lost"
        lines += [f"          {ear}", f"          {_de_jitter(call.de_jitter)}"]
    lines += (f"  source  {source}" for source in dict.fromkeys(c.source for c in shown.qualities))
    lines += [f"  given   {remark}" for remark in shown.remarks]
    return fitted(lines, style.width)


def _de_jitter(buffer: DeJitter) -> str:
    late = f"{number(buffer.late_percent)} % of the packets come too late"
    held = f"de-jitter buffer {number(buffer.hold_ms)} ms"
    if buffer.is_stated:
        return f"{held} (stated): {late}"
    return f"{held} (assumed, the best for this call; state jitter_buffer_ms): {late}"


def _hop(hop: HopPrediction) -> str:
    predicted = hop.predicted
    fixed = f"{number(hop.fixed_ms)} ms fixed"
    if predicted is None:
        return fixed
    more = f", and {fixed}" if hop.fixed_ms else ""
    return f"{predicted.object} > class {predicted.class_name}: {figure(predicted.mean)}{more}"


def path_html(path: PathPrediction, _options: RenderOptions = PLAIN) -> str:
    """HTML text of a path: its hops, the whole, and the calls over it."""
    shown = all_printable(path)
    summary = f"{count(len(shown.hops), 'hop')}: {figure(shown.mean)}"
    return page_text(Page("Path", summary, tuple(_path_tables(shown))))


def _path_tables(path: PathPrediction) -> Iterator[Table]:
    hops = ("hop", "output", "mean delay", "fixed")
    yield Table("hops", "Hops", "", hops, tuple(map(_hop_cells, path.hops)))
    yield Table(
        "whole",
        "End to end",
        columns=("mean delay", "p95", "p99", "worst case", "jitter", "loss"),
        rows=(_whole_cells(path),),
    )
    yield Table(
        "calls",
        "Calls",
        "" if path.qualities else "No codec is rated on this path.",
        ("codec", "R", "MOS", "mouth to ear", "lost or late", "de-jitter buffer"),
        tuple(map(_call_cells, path.qualities)),
    )
    if path.remarks:
        yield Table("given", "Given", "", ("what",), tuple((remark,) for remark in path.remarks))


def _hop_cells(hop: HopPrediction) -> tuple[str, ...]:
    fixed = f"{number(hop.fixed_ms)} ms"
    if hop.predicted is None:
        return (hop.name, "", "", fixed)
    place = f"{mask_path(hop.predicted.object)} > {mask_class(hop.predicted.class_name)}"
    return (hop.name, place, figure(hop.predicted.mean), fixed)


def _whole_cells(path: PathPrediction) -> tuple[str, ...]:
    bound = "nothing bounds it" if path.bound_ms is None else f"{number(path.bound_ms)} ms"
    ends = (path.jitter, path.loss)
    return (*map(figure, (path.mean, path.p95, path.p99)), bound, *map(figure, ends))


def _call_cells(call: Quality) -> tuple[str, ...]:
    figures = map(figure, (call.r, call.mos, call.mouth_to_ear, call.lost))
    return (call.codec, *figures, f"{number(call.de_jitter.hold_ms)} ms")
