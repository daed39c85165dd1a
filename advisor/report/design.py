"""Designs of a WAN edge and of WRED: settings, predictions, lines, rollback and proof."""

from collections.abc import Iterator

from advisor.design.edge import EdgeDesign, RefusedDemand
from advisor.design.edge_forecast import HeldQueue, Voice
from advisor.design.edge_losses import Loss
from advisor.design.edge_remarks import FarEnd
from advisor.design.wred import WredDesign
from advisor.design.wred_shares import Poor, PoorKind
from advisor.ground.quantity import count, figure, number, rate_text
from advisor.ground.units import ms_from_s, percent_from_ratio
from advisor.ios.syntax.names import dscp_name
from advisor.predict.what_if.prediction import ClassPrediction, Prediction, UnstatedPrediction
from advisor.report.document import (
    BlankLine,
    Block,
    CodeBlock,
    Items,
    Medium,
    Paragraph,
    Table,
    Title,
    as_markdown,
    as_text,
)
from advisor.report.findings import input_text
from advisor.report.terminal import PLAIN, RenderOptions, Style, aligned

_NOTHING = ("none: the configuration has them",)

_THEN = "! then enter `service-policy output` on the interface, or add the class to its policy"


def render_edge(design: EdgeDesign | RefusedDemand, options: RenderOptions = PLAIN) -> str:
    """A design for the terminal, or why there is none."""
    if isinstance(design, RefusedDemand):
        reason = Paragraph(f"{options.style.bold('cannot be met')}  {design.reason}")
        return as_text((reason, Items("", design.fits, "  would fit  ")), options)
    return as_text(_edge(design, Medium.TERMINAL), options)


def render_edge_markdown(
    design: EdgeDesign | RefusedDemand, _options: RenderOptions = PLAIN
) -> str:
    """A design for a change request, or why there is none."""
    if isinstance(design, RefusedDemand):
        head = (Title("Cannot be met"), Paragraph(design.reason))
        return as_markdown((*head, Items("Would fit", design.fits)))
    return as_markdown(_edge(design, Medium.MARKDOWN))


def _edge(design: EdgeDesign, medium: Medium) -> Iterator[Block]:
    link = rate_text(design.link_kbps)
    yield Title(f"{design.interface} of {link} kb/s on {design.platform} ({design.release})")
    yield Items("Given", [*map(input_text, design.inputs)], "  given   ")
    yield BlankLine()
    yield from _edge_settings(design, medium)
    yield BlankLine()
    yield from _predicted(design, medium)
    for remark in design.remarks if medium is Medium.TERMINAL else ():
        yield from (BlankLine(), Items("", (remark,), "  note    "))
    yield from () if medium is Medium.TERMINAL else (Items("Notes", design.remarks),)
    yield BlankLine()
    if design.losses:
        yield from (Items("Replaced or taken off", [*map(loss_words, design.losses)]), BlankLine())
    yield CodeBlock("Lines", design.lines or _NOTHING)
    yield BlankLine()
    yield CodeBlock("Rollback", design.rollback or _NOTHING)
    yield BlankLine()
    yield Items("Proof", design.proof, "proof: ")
    if design.far is not None:
        yield from (BlankLine(), *_far_end(design.far, medium))


def _far_end(far: FarEnd, medium: Medium) -> Iterator[Block]:
    yield Title(f"Far end: {far.interface} on {far.platform} ({far.release})")
    if not (far.only_here or far.only_there) and medium is Medium.TERMINAL:
        yield Paragraph("  the lines of this end")
    yield Items("Only here", far.only_here, "  only here   ")
    yield Items("Only there", far.only_there, "  only there  ")
    yield BlankLine()
    # On a terminal, far lines may be none; a page says so.
    nothing = () if medium is Medium.TERMINAL else _NOTHING
    yield CodeBlock("Lines of the far end", far.lines or nothing)
    yield BlankLine()
    yield CodeBlock("Rollback of the far end", far.rollback or nothing)
    yield BlankLine()
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


def _edge_settings(design: EdgeDesign, medium: Medium) -> Iterator[Block]:
    settings = [*_shape(design), *(() if design.voice is None else _calls(design.voice))]
    if medium is Medium.TERMINAL:
        yield from (Paragraph(f"  {label:<9} {text}") for label, text in settings)
    else:
        yield Items("Settings", [f"{label:<9} {text}".strip() for label, text in settings])


def _shape(design: EdgeDesign) -> Iterator[tuple[str, str]]:
    """Shaper, ring and fragments, each with its label."""
    if design.shape_bps is not None and design.bc_bits is not None:
        tc = number(ms_from_s(design.bc_bits / design.shape_bps))
        yield "shaper", f"{design.shape_bps} bit/s, Bc {design.bc_bits} bits (Tc {tc} ms), Be 0"
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
        if design.shape_bps is None:
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
        (held.name, "", f"{number(held.predicted)} {held.unit}", f"{held.budget:g} {held.unit}")
        for held in design.held
    )
    queues = (
        (
            f"full queue of {queue.name}",
            f"{number(queue.before.high)} ms",
            f"{number(queue.after.high)} ms",
            f"{queue.budget_ms:g} ms",
        )
        for queue in design.queues
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
        loss = "" if prediction.loss is None else f", loss {figure(prediction.loss)}"
        return f"{text}{loss}; method: {prediction.method}"
    if isinstance(prediction, UnstatedPrediction):
        return f"{prediction.class_name}: {figure(prediction.share)} while congested"
    return f"{prediction.class_name}: {prediction.why}"


def render_wred(design: WredDesign, options: RenderOptions = PLAIN) -> str:
    """A design for the terminal."""
    return as_text(_wred(design, Medium.TERMINAL, options.style), options)


def render_wred_markdown(design: WredDesign, _options: RenderOptions = PLAIN) -> str:
    """A design for a change request."""
    return as_markdown(_wred(design, Medium.MARKDOWN, Style()))


def _wred(design: WredDesign, medium: Medium, style: Style) -> Iterator[Block]:
    is_terminal = medium is Medium.TERMINAL
    yield Title(f"WRED by {design.basis} for {design.generation} ({design.release})")
    yield Items("Given", [*map(input_text, design.inputs)], "  given   ")
    yield BlankLine()
    if is_terminal:
        yield from map(Paragraph, _figures(design, style))
        yield from _remarks(design, style)
    else:
        figures = [line.rstrip() for line in _figures(design, style)]
        yield CodeBlock("Settings and shares", figures)
        unmet = (f"out of reach: {demand}" for demand in design.unmet)
        poor = (f"poor: {_poor(figure)}" for figure in design.poor)
        yield Items("Notes", [*design.notes, *unmet, *poor])
    yield BlankLine()
    yield CodeBlock("Lines", (*design.lines, _THEN) if is_terminal else design.lines)
    yield BlankLine()
    yield CodeBlock("Rollback", design.rollback)
    yield BlankLine()
    yield Items("Proof", design.proof, "proof: ")


def _remarks(design: WredDesign, style: Style) -> Iterator[Block]:
    """Notes, demands out of reach and poor figures, each apart."""
    notes = (("  note  ", note) for note in design.notes)
    unmet = ((f"  {style.bold('out of reach')}", demand) for demand in design.unmet)
    poor = ((f"  {style.bold('poor')}", _poor(figure)) for figure in design.poor)
    for label, text in (*notes, *unmet, *poor):
        yield from (BlankLine(), Paragraph(f"{label}  {text}"))


def _figures(design: WredDesign, style: Style) -> Iterator[str]:
    """Settings, predicted shares, and how they depend on the number of flows."""
    yield from _thresholds(design, style)
    yield ""
    yield from _shares(design, style)
    yield ""
    yield from _sensitivity(design, style)


def _poor(figure: Poor) -> str:
    """The figure, its limit, and what to change."""
    predicted = f"{number(figure.predicted)} {figure.unit}"
    limit = f"{number(figure.limit)} {figure.unit}"
    if figure.kind is PoorKind.UNDER_USE:
        return (
            f"the class uses {predicted} of its rate, under {limit}: the thresholds are too low for"
            " these flows; a longer --target-delay raises them"
        )
    if figure.kind is PoorKind.NOT_FILLED:
        return (
            f"the class uses {predicted} of its rate, under {limit}: the windows of the flows end"
            " before the thresholds, and no setting of WRED changes that"
        )
    if figure.kind is PoorKind.LOSS:
        return (
            f"{figure.group} is to be protected and loses {predicted}, over {limit}:"
            " too many flows for the rate; a longer --target-delay or a higher rate helps"
        )
    return (
        f"the mean delay is {predicted}, over the target of {limit}: the class is too slow for"
        " WRED at this delay; a fair queue without WRED, or a longer --target-delay"
    )


def _thresholds(design: WredDesign, style: Style) -> Iterator[str]:
    yield style.bold("Settings")
    keys = [dscp_name(row.code) if design.basis == "dscp" else str(row.code) for row in design.rows]
    table = [[design.basis, "min", "max", "1 in"]]
    for key, row in zip(keys, design.rows, strict=True):
        table.append([key, *map(str, (row.min_threshold, row.max_threshold, row.denominator))])
    yield from aligned(table)
    yield f"  a queue at the maximum takes {number(design.max_delay_ms)} ms to send"
    constant = f"{count(2**design.exponent, 'packet')}, {number(design.time_constant_ms)} ms"
    yield f"  exponential-weighting-constant {design.exponent}: the average remembers {constant}"
    if design.queue_limit_packets is not None:
        yield f"  queue-limit {design.queue_limit_packets}: room over the maximum for bursts"


def _shares(design: WredDesign, style: Style) -> Iterator[str]:
    yield style.bold("Predicted shares of the class")
    table = [["group", "flows", "share %", "low", "high", "floor", "loss %", "flows/p %"]]
    for share in design.shares:
        floor = "-" if share.floor is None else number(percent_from_ratio(share.floor))
        by_rule = share.by_flows_over_p
        rule = "-" if by_rule is None else _percent(by_rule)
        ends = [_percent(share.share), _percent(share.low), _percent(share.high)]
        table.append(
            [share.group, str(share.flows), *ends, floor, _percent(share.loss_ratio), rule]
        )
    yield from aligned(table)
    used = number(percent_from_ratio(design.utilization_ratio))
    yield f"  the class uses {used} % of its rate; mean delay {number(design.delay_ms)} ms"
    yield from (f"  regime  {regime}" for regime in design.regimes)
    if not design.converged:
        yield "  replications do not agree: use only the intervals"


def _sensitivity(design: WredDesign, style: Style) -> Iterator[str]:
    yield style.bold("Shares in % with other flow counts (?: replications do not agree)")
    table = [["flows", *(share.group for share in design.shares)]]
    table.append(["as given", *(_percent(share.share) for share in design.shares)])
    for what_if in design.sensitivity:
        cells = map(_percent, what_if.shares) if what_if.converged else ["?"] * len(what_if.shares)
        table.append([f"{what_if.group} = {what_if.flows}", *cells])
    yield from aligned(table)


def _percent(ratio: float) -> str:
    return f"{percent_from_ratio(ratio):.1f}"
