"""Designs of WRED in a class: settings, predicted shares, lines, rollback and proof."""

from collections.abc import Iterator

from advisor.design.wred import WredDesign
from advisor.design.wred_poor import Poor, PoorKind
from advisor.ios.syntax.names import dscp_name
from advisor.quantity import count, number
from advisor.report.document import (
    Block,
    Gap,
    Heading,
    Items,
    Medium,
    Paragraph,
    Snippet,
    as_markdown,
    as_text,
)
from advisor.report.findings import input_text
from advisor.report.terminal import PLAIN, RenderOptions, Style, aligned
from advisor.units import percent_from_ratio

_THEN = "! then enter `service-policy output` on the interface, or add the class to its policy"


def render(design: WredDesign, options: RenderOptions = PLAIN) -> str:
    """A design for the terminal."""
    return as_text(_wred(design, Medium.TERMINAL, options.style), options)


def render_markdown(design: WredDesign, _options: RenderOptions = PLAIN) -> str:
    """A design for a change request."""
    return as_markdown(_wred(design, Medium.MARKDOWN, Style()))


def _wred(design: WredDesign, medium: Medium, style: Style) -> Iterator[Block]:
    is_terminal = medium is Medium.TERMINAL
    yield Heading(f"WRED by {design.basis} for {design.generation} ({design.release})")
    yield Items("Given", [*map(input_text, design.inputs)], "  given   ")
    yield Gap()
    if is_terminal:
        yield from map(Paragraph, _figures(design, style))
        yield from _remarks(design, style)
    else:
        figures = [line.rstrip() for line in _figures(design, style)]
        yield Snippet("Settings and shares", figures)
        unmet = (f"out of reach: {demand}" for demand in design.unmet)
        poor = (f"poor: {_poor(figure)}" for figure in design.poor)
        yield Items("Notes", [*design.notes, *unmet, *poor])
    yield Gap()
    yield Snippet("Lines", (*design.lines, _THEN) if is_terminal else design.lines)
    yield Gap()
    yield Snippet("Rollback", design.rollback)
    yield Gap()
    yield Items("Proof", design.proof, "proof: ")


def _remarks(design: WredDesign, style: Style) -> Iterator[Block]:
    """Notes, demands out of reach and poor figures, each apart."""
    notes = (("  note  ", note) for note in design.notes)
    unmet = ((f"  {style.bold('out of reach')}", demand) for demand in design.unmet)
    poor = ((f"  {style.bold('poor')}", _poor(figure)) for figure in design.poor)
    for label, text in (*notes, *unmet, *poor):
        yield from (Gap(), Paragraph(f"{label}  {text}"))


def _figures(design: WredDesign, style: Style) -> Iterator[str]:
    """Settings, predicted shares, and how they depend on the number of flows."""
    yield from _settings(design, style)
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


def _settings(design: WredDesign, style: Style) -> Iterator[str]:
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
