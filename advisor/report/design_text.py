"""Designs of `advisor design` for the terminal."""

from collections.abc import Iterator, Sequence

from advisor.design.wred import WredDesign
from advisor.design.wred_poor import Poor, PoorKind
from advisor.ios.syntax.names import dscp_name
from advisor.quantity import count, number
from advisor.report.manner import Manner
from advisor.report.style import Style
from advisor.report.text import input_text
from advisor.report.wrapping import Verbatim, fitted
from advisor.units import percent_from_ratio

_THEN = "! then enter `service-policy output` on the interface, or add the class to its policy"


def render_wred(design: WredDesign, manner: Manner | None = None) -> str:
    """Settings, predicted shares, sensitivity to flows, lines, rollback and proof."""
    style = (manner or Manner()).style
    return fitted(_wred(design, style), style.width)


def _wred(design: WredDesign, style: Style) -> Iterator[str]:
    yield style.bold(f"WRED by {design.basis} for {design.generation} ({design.release})")
    yield from (f"  given   {input_text(source)}" for source in design.inputs)
    yield ""
    yield from figures_of(design, style)
    for note in design.notes:
        yield ""
        yield f"  note    {note}"
    for demand in design.unmet:
        yield ""
        yield f"  {style.bold('out of reach')}  {demand}"
    for figure in design.poor:
        yield ""
        yield f"  {style.bold('poor')}  {_poor(figure)}"
    yield ""
    yield style.bold("Lines")
    yield from map(Verbatim, design.lines)
    yield Verbatim(_THEN)
    yield ""
    yield style.bold("Rollback")
    yield from map(Verbatim, design.rollback)
    yield ""
    yield from (f"proof: {step}" for step in design.proof)


def figures_of(design: WredDesign, style: Style | None = None) -> Iterator[str]:
    """Settings, predicted shares, and how they hang on the number of flows."""
    style = style or Style()
    yield from _settings(design, style)
    yield ""
    yield from _shares(design, style)
    yield ""
    yield from _sensitivity(design, style)


def shortfalls_of(design: WredDesign) -> Iterator[str]:
    """Demands out of reach, and figures that are poor."""
    yield from (f"out of reach: {demand}" for demand in design.unmet)
    yield from (f"poor: {_poor(figure)}" for figure in design.poor)


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
    yield from _aligned(table)
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
    yield from _aligned(table)
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
    yield from _aligned(table)


def _percent(ratio: float) -> str:
    return f"{percent_from_ratio(ratio):.1f}"


def _aligned(table: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    for row in table:
        first, *cells = row
        padded = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        yield "  " + "  ".join([first.ljust(widths[0]), *padded]).rstrip()
