"""Predictions of `advisor predict` for the terminal."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from advisor.predict.classes.solved import Part
from advisor.predict.what_if import ClassPrediction, Unpredicted
from advisor.predict.what_if.path import HopPrediction, PathPrediction
from advisor.predict.what_if.predictions import Prediction
from advisor.predict.what_if.simulated import NotSimulated, SimulatedClass
from advisor.quantity import Figure
from advisor.report import wred_text
from advisor.report.printable import all_printable
from advisor.report.style import Style
from advisor.report.text import input_text
from advisor.wording import count, figure, number

_BAR = 40
_MARKS = {"ring": "#", "own queue": "=", "shaper": "~", "serialization": "."}


def render(predictions: Sequence[Prediction], style: Style | None = None) -> str:
    """Every class of each output, with the inputs of the output after its classes."""
    shown = [all_printable(each) for each in predictions]
    blocks = []
    for _, group in groupby(shown, key=lambda each: (each.device, each.object)):
        blocks.append("\n".join(_outlet(list(group), style or Style())) + "\n")
    return "\n".join(blocks)


def _outlet(predictions: Sequence[Prediction], style: Style) -> Iterator[str]:
    for each in predictions:
        yield from _class(each, style)
    found = (each for each in predictions if isinstance(each, ClassPrediction))
    given = map(input_text, wred_text.given_inputs(tuple(found)))
    yield from (f"  given   {line}" for line in dict.fromkeys(given))


def _class(of: Prediction, style: Style) -> Iterator[str]:
    name = "" if of.class_name is None else f" > class {of.class_name}"
    yield style.bold(f"{of.device}: {of.object}{name}")
    if isinstance(of, Unpredicted):
        yield f"  no figures: {of.why}"
        return
    if of.wred is not None and of.wred.shares is not None:
        yield from wred_text.lines(of.wred)
        yield from (f"  seen    {each}" for each in of.measured)
        return
    yield f"  regime  {of.regime}"
    yield f"  delay   {_delay(of)}"
    yield f"  p50     {_quantiles(of)}"
    yield f"  jitter  {figure(of.jitter)}"
    if of.loss is not None:
        yield f"  loss    {figure(of.loss)}"
    if of.throughput is not None:
        yield f"  carries {figure(of.throughput)} on the wire"
    if of.simulated is not None:
        yield f"  again   {_simulated(of, of.simulated)}"
    yield from (f"  seen    {each}" for each in of.measured)
    if of.breakdown:
        yield f"  of it   {bar(of.breakdown)}"
    yield from (f"  weak    {each}" for each in of.weak)
    if of.wred is not None:
        yield from wred_text.lines(of.wred)
    yield from (f"  advice  {each}" for each in of.advice)


def _delay(of: ClassPrediction) -> str:
    """Of a queue that never empties no mean is known, only between what it lies."""
    if not of.never_empty:
        return figure(of.mean)
    ends = f"{number(of.mean.low)} to {number(of.mean.high)} {of.mean.unit}"
    return ends if of.bound_ms is None else f"{ends}, at most {number(of.bound_ms)}"


def _quantiles(of: ClassPrediction) -> str:
    named = (("", of.p50), ("p95 ", of.p95), ("p99 ", of.p99))
    return ", ".join(name + _span(each, bare=of.never_empty) for name, each in named) + " ms"


def _simulated(of: ClassPrediction, said: SimulatedClass | NotSimulated) -> str:
    """What the simulation found, and whether it contradicts the prediction."""
    if isinstance(said, NotSimulated):
        return f"not simulated: {said.why}"
    without = " without its WRED" if of.wred is not None else ""
    named = (("", said.mean), ("p95 ", said.p95), ("p99 ", said.p99))
    found = ", ".join(name + _span(each, bare=False) for name, each in named)
    kept = " with its queue kept full" if of.never_empty else ""
    against = []
    if said.silent_cases:
        silent = count(said.silent_cases, "case")
        against.append(f"{silent} left out: no packet got through in the time simulated")
    if said.mean.high < of.mean.low or said.mean.low > of.mean.high:
        against.append("its mean is outside of the predicted interval")
    if of.bound_ms is not None and said.max_ms > of.bound_ms:
        against.append("its longest delay is over the bound")
    return "; ".join(
        [
            f"simulated{without}{kept}: {found}, longest {number(said.max_ms)} ms",
            f"{count(said.packets, 'packet')} in {count(said.cases, 'case')}, 95 % confidence",
            *against,
        ]
    )


def _span(of: Figure, *, bare: bool) -> str:
    ends = f"{number(of.low)} to {number(of.high)}"
    return ends if bare else f"{number(of.value)} ({ends})"


def bar(parts: Sequence[Part]) -> str:
    """Parts of a delay as a bar of plain characters, with their legend.

    >>> bar([Part("ring", 30.0), Part("serialization", 10.0)])
    '[##############################..........] # ring 30 ms, . serialization 10 ms'
    """
    total = sum(each.ms for each in parts) or 1.0
    drawn, reached, upto = "", 0, 0.0
    for each in parts:
        upto += each.ms
        until = round(_BAR * upto / total)
        drawn += _MARKS[each.name] * (until - reached)
        reached = until
    legend = ", ".join(f"{_MARKS[each.name]} {each.name} {number(each.ms)} ms" for each in parts)
    return f"[{drawn}] {legend}"


def render_path(path: PathPrediction, style: Style | None = None) -> str:
    """Each hop in a line, the path, and the quality of a call on it."""
    said, style = all_printable(path), style or Style()
    lines = [style.bold("path")]
    lines += (f"  hop     {hop.name}: {_hop(hop)}" for hop in said.hops)
    lines.append(f"  delay   {figure(said.mean)}")
    quantiles = (("", said.p50), ("p95 ", said.p95), ("p99 ", said.p99))
    lines.append(
        "  p50     " + ", ".join(n + _span(each, bare=False) for n, each in quantiles) + " ms"
    )
    lines += [f"  jitter  {figure(said.jitter)}", f"  loss    {figure(said.loss)}"]
    for call in said.qualities:
        lines.append(f"  call    {call.codec}: R {figure(call.r)}, MOS {figure(call.mos)}")
        ear = f"{figure(call.mouth_to_ear)} mouth to ear, {figure(call.lost)} lost"
        lines.append(f"          {ear}")
    lines += (f"  source  {each}" for each in dict.fromkeys(c.source for c in said.qualities))
    lines += [f"  given   {each}" for each in said.remarks]
    return "\n".join(lines) + "\n"


def _hop(hop: HopPrediction) -> str:
    of = hop.predicted
    fixed = f"{number(hop.fixed_ms)} ms fixed"
    if of is None:
        return fixed
    more = f", and {fixed}" if hop.fixed_ms else ""
    return f"{of.object} > class {of.class_name}: {figure(of.mean)}{more}"
