"""Designs of a WAN edge for the terminal."""

from collections.abc import Iterator

from advisor.design.edge import EdgeDesign, RefusedDemand
from advisor.design.edge_far import FarEnd
from advisor.design.edge_losses import Loss
from advisor.design.edge_queues import HeldQueue
from advisor.design.edge_voice import Voice
from advisor.predict.what_if.prediction import ClassPrediction, Prediction, UnstatedPrediction
from advisor.quantity import count, figure, number, rate_text
from advisor.report.manner import Manner
from advisor.report.style import Style
from advisor.report.text import input_text
from advisor.report.wrapping import Verbatim, fitted

NOTHING = "none: the configuration has them"


def render_edge(design: EdgeDesign | RefusedDemand, manner: Manner | None = None) -> str:
    """Settings, predictions, budgets, lines, rollback and proof; or why there are none."""
    style = (manner or Manner()).style
    if isinstance(design, RefusedDemand):
        return fitted(_refused(design, style), style.width)
    return fitted(_edge(design, style), style.width)


def _refused(refused: RefusedDemand, style: Style) -> Iterator[str]:
    yield f"{style.bold('cannot be met')}  {refused.reason}"
    yield from (f"  would fit  {fit}" for fit in refused.fits)


def _edge(design: EdgeDesign, style: Style) -> Iterator[str]:
    link = rate_text(design.link_kbps)
    yield style.bold(f"{design.interface} of {link} kb/s on {design.platform} ({design.release})")
    yield from (f"  given   {input_text(source)}" for source in design.inputs)
    yield ""
    yield from settings_of(design)
    yield from voice_of(design.voice)
    yield ""
    if design.not_predicted is not None:
        yield f"  not predicted: {design.not_predicted}"
        yield "  --cir below the line moves the queue into a shaper, whose figures are known"
    else:
        yield style.bold("Predicted, all lower classes congested")
    yield from (f"  {class_words(each)}" for each in design.classes)
    yield from (
        f"  budget  {held.name} up to {number(held.predicted)} of {held.budget:g} {held.unit}"
        for held in design.held
    )
    yield from (f"  budget  {_queue(each)}" for each in design.queues)
    for remark in design.remarks:
        yield ""
        yield f"  note    {remark}"
    yield ""
    if design.losses:
        yield style.bold("Replaced or taken off")
        yield from (f"  {loss_words(each)}" for each in design.losses)
        yield ""
    yield style.bold("Lines")
    yield from map(Verbatim, design.lines or (NOTHING,))
    yield ""
    yield style.bold("Rollback")
    yield from map(Verbatim, design.rollback or (NOTHING,))
    yield ""
    yield from (f"proof: {step}" for step in design.proof)
    if design.far is not None:
        yield ""
        yield from _far_end(design.far, style)


def _far_end(far: FarEnd, style: Style) -> Iterator[str]:
    yield style.bold(f"Far end: {far.interface} on {far.platform} ({far.release})")
    if not (far.only_here or far.only_there):
        yield "  the lines of this end"
    yield from (f"  only here   {line}" for line in far.only_here)
    yield from (f"  only there  {line}" for line in far.only_there)
    yield ""
    yield style.bold("Lines of the far end")
    yield from map(Verbatim, far.lines)
    yield ""
    yield style.bold("Rollback of the far end")
    yield from map(Verbatim, far.rollback)
    yield ""
    yield from (f"proof of the far end: {step}" for step in far.proof)


def loss_words(loss: Loss) -> str:
    """One line, or one class, that loses its effect to the design."""
    lines, instead = ", ".join(f"`{line}`" for line in loss.lines), " ".join(loss.instead)
    if loss.class_name is not None:
        rate = "" if loss.rate_kbps is None else f" ({rate_text(loss.rate_kbps)} kb/s)"
        text = f"{loss.place}: the design has no such class; it loses {lines}{rate}"
        return text if loss.keep is None else f"{text}; {loss.keep} keeps a class for it"
    if not loss.lines:
        return f"{loss.place}: `{instead}` is new: it drops what is above that rate"
    text = f"{loss.place}: {lines} {'becomes `' + instead + '`' if instead else 'is taken off'}"
    return f"{text}: change both ends together" if loss.both_ends else text


def settings_of(design: EdgeDesign) -> Iterator[str]:
    """Shaper, ring and fragments."""
    if design.shape_bps is not None:
        yield f"  shaper    {design.shape_bps} bit/s, Bc {design.bc_bits} bits (Tc 10 ms), Be 0"
    if design.ring is not None:
        yield f"  ring      tx-ring-limit {design.ring}"
    if design.fragment_ms is not None:
        yield f"  fragments {design.fragment_ms} ms by Multilink PPP"
    if design.fragment_bytes is not None:
        yield f"  fragments {design.fragment_bytes} bytes by FRF.12"


def voice_of(voice: Voice | None) -> Iterator[str]:
    """What the class of calls carries; nothing without one."""
    if voice is not None:
        yield from _calls(voice)


def _calls(voice: Voice) -> Iterator[str]:
    yield (
        f"  voice     {rate_text(voice.rated_kbps)} kb/s for "
        f"{count(voice.calls, 'call')} of {voice.codec}: a call is "
        f"{number(voice.call_counted_kbps)} kb/s as IOS counts it, "
        f"{number(voice.call_wire_kbps)} on the wire"
    )
    burst = "" if voice.burst_bytes is None else f", burst {voice.burst_bytes:g} bytes"
    yield f"            carries {count(voice.calls_carried, 'call')}{burst}"
    if voice.quality is not None:
        yield f"            MOS {figure(voice.quality.mos)}, R {figure(voice.quality.r)}"


def _queue(queue: HeldQueue) -> str:
    return (
        f"full queue of {queue.name} {figure(queue.after)} with queue-limit {queue.packets}, "
        f"{figure(queue.before)} with the default of {queue.default}; {queue.budget_ms:g} ms asked"
    )


def class_words(prediction: Prediction) -> str:
    """The figures of one class."""
    if isinstance(prediction, ClassPrediction):
        text = f"{prediction.class_name}: mean {figure(prediction.mean)}"
        text += f", p99 {figure(prediction.p99)}, jitter {figure(prediction.jitter)}"
        return text if prediction.loss is None else f"{text}, loss {figure(prediction.loss)}"
    if isinstance(prediction, UnstatedPrediction):
        return f"{prediction.class_name}: {figure(prediction.share)} while congested"
    return f"{prediction.class_name}: {prediction.why}"
