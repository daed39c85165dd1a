"""Designs of a WAN edge: settings, predictions, budgets, lines, rollback and proof."""

from collections.abc import Iterator

from advisor.design.edge import EdgeDesign, RefusedDemand
from advisor.design.edge_far import FarEnd
from advisor.design.edge_losses import Loss
from advisor.design.edge_queues import HeldQueue
from advisor.design.edge_voice import Voice
from advisor.predict.what_if.prediction import ClassPrediction, Prediction, UnstatedPrediction
from advisor.quantity import count, figure, number, rate_text
from advisor.report.document import (
    Block,
    Gap,
    Heading,
    Items,
    Medium,
    Paragraph,
    Snippet,
    Table,
    as_markdown,
    as_text,
)
from advisor.report.findings import input_text
from advisor.report.terminal import PLAIN, RenderOptions

_NOTHING = ("none: the configuration has them",)


def render(design: EdgeDesign | RefusedDemand, options: RenderOptions = PLAIN) -> str:
    """A design for the terminal, or why there is none."""
    if isinstance(design, RefusedDemand):
        reason = Paragraph(f"{options.style.bold('cannot be met')}  {design.reason}")
        return as_text((reason, Items("", design.fits, "  would fit  ")), options)
    return as_text(_edge(design, Medium.TERMINAL), options)


def render_markdown(design: EdgeDesign | RefusedDemand, _options: RenderOptions = PLAIN) -> str:
    """A design for a change request, or why there is none."""
    if isinstance(design, RefusedDemand):
        head = (Heading("Cannot be met"), Paragraph(design.reason))
        return as_markdown((*head, Items("Would fit", design.fits)))
    return as_markdown(_edge(design, Medium.MARKDOWN))


def _edge(design: EdgeDesign, medium: Medium) -> Iterator[Block]:
    link = rate_text(design.link_kbps)
    yield Heading(f"{design.interface} of {link} kb/s on {design.platform} ({design.release})")
    yield Items("Given", [*map(input_text, design.inputs)], "  given   ")
    yield Gap()
    yield from _settings(design, medium)
    yield Gap()
    yield from _predicted(design, medium)
    for remark in design.remarks if medium is Medium.TERMINAL else ():
        yield from (Gap(), Items("", (remark,), "  note    "))
    yield from () if medium is Medium.TERMINAL else (Items("Notes", design.remarks),)
    yield Gap()
    if design.losses:
        yield from (Items("Replaced or taken off", [*map(loss_words, design.losses)]), Gap())
    yield Snippet("Lines", design.lines or _NOTHING)
    yield Gap()
    yield Snippet("Rollback", design.rollback or _NOTHING)
    yield Gap()
    yield Items("Proof", design.proof, "proof: ")
    if design.far is not None:
        yield from (Gap(), *_far_end(design.far, medium))


def _far_end(far: FarEnd, medium: Medium) -> Iterator[Block]:
    yield Heading(f"Far end: {far.interface} on {far.platform} ({far.release})")
    if not (far.only_here or far.only_there) and medium is Medium.TERMINAL:
        yield Paragraph("  the lines of this end")
    yield Items("Only here", far.only_here, "  only here   ")
    yield Items("Only there", far.only_there, "  only there  ")
    yield Gap()
    # On a terminal, far lines may be none; a page says so.
    nothing = () if medium is Medium.TERMINAL else _NOTHING
    yield Snippet("Lines of the far end", far.lines or nothing)
    yield Gap()
    yield Snippet("Rollback of the far end", far.rollback or nothing)
    yield Gap()
    yield Items("Proof of the far end", far.proof, "proof of the far end: ")


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


def _settings(design: EdgeDesign, medium: Medium) -> Iterator[Block]:
    settings = [*_shape(design), *(() if design.voice is None else _calls(design.voice))]
    if medium is Medium.TERMINAL:
        yield from (Paragraph(f"  {label:<9} {text}") for label, text in settings)
    else:
        yield Items("Settings", [f"{label:<9} {text}".strip() for label, text in settings])


def _shape(design: EdgeDesign) -> Iterator[tuple[str, str]]:
    """Shaper, ring and fragments, each with its label."""
    if design.shape_bps is not None:
        yield "shaper", f"{design.shape_bps} bit/s, Bc {design.bc_bits} bits (Tc 10 ms), Be 0"
    if design.ring is not None:
        yield "ring", f"tx-ring-limit {design.ring}"
    if design.fragment_ms is not None:
        yield "fragments", f"{design.fragment_ms} ms by Multilink PPP"
    if design.fragment_bytes is not None:
        yield "fragments", f"{design.fragment_bytes} bytes by FRF.12"


def _calls(voice: Voice) -> Iterator[tuple[str, str]]:
    call = (
        f"a call is {number(voice.call_counted_kbps)} kb/s as IOS counts it, "
        f"{number(voice.call_wire_kbps)} on the wire"
    )
    calls = f"{count(voice.calls, 'call')} of {voice.codec}"
    yield "voice", f"{rate_text(voice.rated_kbps)} kb/s for {calls}: {call}"
    burst = "" if voice.burst_bytes is None else f", burst {voice.burst_bytes:g} bytes"
    yield "", f"carries {count(voice.calls_carried, 'call')}{burst}"
    if voice.quality is not None:
        yield "", f"MOS {figure(voice.quality.mos)}, R {figure(voice.quality.r)}"


def _predicted(design: EdgeDesign, medium: Medium) -> Iterator[Block]:
    title, classes = "Predicted, all lower classes congested", [*map(_class, design.classes)]
    why = design.not_predicted
    if medium is Medium.MARKDOWN:
        yield from (Items("Not predicted", () if why is None else (why,)), Items(title, classes))
        yield Table(
            "budgets", "Budgets", "", ("figure", "before", "up to", "budget"), _budgets(design)
        )
        return
    if why is None:
        yield Items(title, classes)
    else:
        yield Paragraph(f"  not predicted: {why}")
        yield Paragraph(
            "  --cir below the line moves the queue into a shaper, whose figures are known"
        )
        yield from (Paragraph(f"  {words}") for words in classes)
    held = [
        f"{held.name} up to {number(held.predicted)} of {held.budget:g} {held.unit}"
        for held in design.held
    ]
    yield Items("Budgets", [*held, *map(_queue, design.queues)], "  budget  ")


def _budgets(design: EdgeDesign) -> tuple[tuple[str, ...], ...]:
    held = (
        (each.name, "", f"{number(each.predicted)} {each.unit}", f"{each.budget:g} {each.unit}")
        for each in design.held
    )
    queues = (
        (
            f"full queue of {each.name}",
            f"{number(each.before.high)} ms",
            f"{number(each.after.high)} ms",
            f"{each.budget_ms:g} ms",
        )
        for each in design.queues
    )
    return (*held, *queues)


def _queue(queue: HeldQueue) -> str:
    return (
        f"full queue of {queue.name} {figure(queue.after)} with queue-limit {queue.packets}, "
        f"{figure(queue.before)} with the default of {queue.default}; {queue.budget_ms:g} ms asked"
    )


def _class(prediction: Prediction) -> str:
    """The figures of one class."""
    if isinstance(prediction, ClassPrediction):
        text = f"{prediction.class_name}: mean {figure(prediction.mean)}"
        text += f", p99 {figure(prediction.p99)}, jitter {figure(prediction.jitter)}"
        return text if prediction.loss is None else f"{text}, loss {figure(prediction.loss)}"
    if isinstance(prediction, UnstatedPrediction):
        return f"{prediction.class_name}: {figure(prediction.share)} while congested"
    return f"{prediction.class_name}: {prediction.why}"
