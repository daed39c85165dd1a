"""Predictions of `advisor predict` for the terminal."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from advisor.predict.classes.breakdown import Part
from advisor.predict.what_if import ClassPrediction, Unpredicted, UnstatedPrediction
from advisor.predict.what_if.path import DeJitter, HopPrediction, PathPrediction
from advisor.predict.what_if.predictions import Prediction
from advisor.predict.what_if.simulated import NotSimulated, SimulatedClass
from advisor.quantity import Figure, count, figure, number
from advisor.report import wred_text
from advisor.report.agreement_words import agreement_words
from advisor.report.printable import all_printable
from advisor.report.style import Style
from advisor.report.text import input_text

_BAR = 40
_MARKS = {"ring": "#", "own queue": "=", "shaper": "~", "serialization": "."}


def render(predictions: Sequence[Prediction], style: Style | None = None) -> str:
    """Every class of each output, with the inputs of the output after its classes."""
    shown = [all_printable(prediction) for prediction in predictions]
    blocks = []
    for _, group in groupby(shown, key=lambda prediction: (prediction.device, prediction.object)):
        blocks.append("\n".join(_outlet(list(group), style or Style())) + "\n")
    return "\n".join(blocks)


def _outlet(predictions: Sequence[Prediction], style: Style) -> Iterator[str]:
    for prediction in predictions:
        yield from _class(prediction, style)
    predicted = (
        prediction for prediction in predictions if not isinstance(prediction, Unpredicted)
    )
    inputs = map(input_text, wred_text.given_inputs(tuple(predicted)))
    yield from (f"  given   {line}" for line in dict.fromkeys(inputs))


def _class(prediction: Prediction, style: Style) -> Iterator[str]:
    name = "" if prediction.class_name is None else f" > class {prediction.class_name}"
    yield style.bold(f"{prediction.device}: {prediction.object}{name}")
    if isinstance(prediction, Unpredicted):
        yield f"  no figures: {prediction.why}"
        return
    if prediction.wred is not None and prediction.wred.shares is not None:
        yield from wred_text.lines(prediction.wred)
        yield from (f"  seen    {measurement}" for measurement in prediction.measured)
        return
    if isinstance(prediction, UnstatedPrediction):
        yield from _unstated(prediction)
        return
    yield f"  regime  {prediction.regime}"
    yield f"  delay   {_delay(prediction)}"
    yield f"  p50     {_quantiles(prediction)}"
    yield f"  jitter  {figure(prediction.jitter)}"
    yield from _congested(prediction)
    if prediction.loss is not None:
        yield f"  loss    {figure(prediction.loss)}"
    if prediction.throughput is not None:
        yield f"  carries {figure(prediction.throughput)} on the wire"
    if prediction.simulated is not None:
        yield f"  check   {_simulated(prediction, prediction.simulated)}"
    yield from (f"  seen    {measurement}" for measurement in prediction.measured)
    if prediction.breakdown:
        yield f"  parts   {bar(prediction.breakdown)}"
    yield from (f"  caution {weakness}" for weakness in prediction.weak)
    if prediction.wred is not None:
        yield from wred_text.lines(prediction.wred)
    yield from (f"  advice  {advice}" for advice in prediction.advice)


def _unstated(prediction: UnstatedPrediction) -> Iterator[str]:
    """The share of a class without known traffic; its delay is not known."""
    yield f"  delay   unknown: {prediction.delay.reason}"
    if prediction.bound_ms is not None:
        yield f"  bound   at most {number(prediction.bound_ms)} ms"
    share = (
        f"{figure(prediction.share)} on the wire, {figure(prediction.share_percent)} of the line"
    )
    yield f"  share   {share}, while it has packets waiting"
    yield from (f"  seen    {measurement}" for measurement in prediction.measured)
    yield from (f"  caution {weakness}" for weakness in prediction.weak)
    if prediction.wred is not None:
        yield from wred_text.lines(prediction.wred)


def _delay(prediction: ClassPrediction) -> str:
    """The delay; if the queue never empties, only the range of the mean is known."""
    if not prediction.never_empty:
        return figure(prediction.mean)
    ends = f"{number(prediction.mean.low)} to {number(prediction.mean.high)} {prediction.mean.unit}"
    return ends if prediction.bound_ms is None else f"{ends}, at most {number(prediction.bound_ms)}"


def _congested(prediction: ClassPrediction) -> Iterator[str]:
    """The case that lint judges, where it is another one, and its bounds."""
    case = prediction.congested
    if case is None:
        return
    if case.mean != prediction.mean:
        yield f"  full    {figure(case.mean)} while the lower classes are saturated"
    known = (("ring_bound", case.ring_bound_ms), ("class_bound", case.class_bound_ms))
    bounds = [f"{name} {number(bound)} ms" for name, bound in known if bound is not None]
    if bounds:
        yield f"  bounds  {', '.join(bounds)} while the lower classes are saturated"


def _quantiles(prediction: ClassPrediction) -> str:
    quantiles = (("", prediction.p50), ("p95 ", prediction.p95), ("p99 ", prediction.p99))
    return (
        ", ".join(
            name + _span(quantile, bare=prediction.never_empty) for name, quantile in quantiles
        )
        + " ms"
    )


def _simulated(prediction: ClassPrediction, simulation: SimulatedClass | NotSimulated) -> str:
    """Results of the simulation, and whether they contradict the prediction."""
    if isinstance(simulation, NotSimulated):
        return f"not simulated: {simulation.why}"
    without = " without its WRED" if prediction.wred is not None else ""
    quantiles = (("", simulation.mean), ("p95 ", simulation.p95), ("p99 ", simulation.p99))
    delays = ", ".join(name + _span(quantile, bare=False) for name, quantile in quantiles)
    saturated = " with its queue kept full" if prediction.never_empty else ""
    against = []
    if simulation.silent_cases:
        silent = count(simulation.silent_cases, "case")
        against.append(f"{silent} left out: no packet got through in the time simulated")
    against.append(agreement_words(simulation.apart))
    packets = count(simulation.packets, "packet")
    return "; ".join(
        [
            f"simulated{without}{saturated}: {delays}, longest {number(simulation.max_ms)} ms",
            f"{packets} in {count(simulation.cases, 'case')}, 95 % confidence",
            *against,
        ]
    )


def _span(value: Figure, *, bare: bool) -> str:
    ends = f"{number(value.low)} to {number(value.high)}"
    return ends if bare else f"{number(value.value)} ({ends})"


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


def render_path(path: PathPrediction, style: Style | None = None) -> str:
    """Each hop in a line, the path, and the quality of a call on it."""
    shown, style = all_printable(path), style or Style()
    lines = [style.bold("path")]
    lines += (f"  hop     {hop.name}: {_hop(hop)}" for hop in shown.hops)
    lines.append(f"  delay   {figure(shown.mean)}")
    quantiles = (("", shown.p50), ("p95 ", shown.p95), ("p99 ", shown.p99))
    lines.append(
        "  p50     "
        + ", ".join(n + _span(quantile, bare=False) for n, quantile in quantiles)
        + " ms"
    )
    lines += [f"  jitter  {figure(shown.jitter)}", f"  loss    {figure(shown.loss)}"]
    for call in shown.qualities:
        lines.append(f"  call    {call.codec}: R {figure(call.r)}, MOS {figure(call.mos)}")
        ear = f"{figure(call.mouth_to_ear)} mouth to ear, {figure(call.lost)} lost"
        lines += [f"          {ear}", f"          {_de_jitter(call.de_jitter)}"]
    lines += (f"  source  {source}" for source in dict.fromkeys(c.source for c in shown.qualities))
    lines += [f"  given   {remark}" for remark in shown.remarks]
    return "\n".join(lines) + "\n"


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
