"""Designs of `advisor design` for the terminal."""

from collections.abc import Iterator, Sequence

from advisor.design.wred import WredDesign
from advisor.ios.syntax.names import dscp_name
from advisor.report.style import Style
from advisor.report.text import input_text
from advisor.units import percent_from_ratio
from advisor.wording import count, number


def render_wred(of: WredDesign, style: Style | None = None) -> str:
    """Settings, predicted shares, sensitivity to flows, lines, rollback and proof."""
    return "\n".join(_wred(of, style or Style())) + "\n"


def _wred(of: WredDesign, style: Style) -> Iterator[str]:
    yield style.bold(f"WRED by {of.basis} for {of.generation} ({of.release})")
    yield from (f"  given   {input_text(given)}" for given in of.inputs)
    yield ""
    yield from _settings(of, style)
    yield ""
    yield from _shares(of, style)
    yield ""
    yield from _sensitivity(of, style)
    yield from (f"\n  note    {note}" for note in of.notes)
    for demand in of.unmet:
        yield f"\n  {style.bold('out of reach')}  {demand}"
    yield ""
    yield style.bold("Lines")
    yield from of.lines
    yield "! then `service-policy output` on the interface, or the class into the policy there"
    yield ""
    yield style.bold("Rollback")
    yield from of.rollback
    yield ""
    yield from (f"proof: {step}" for step in of.proof)


def _settings(of: WredDesign, style: Style) -> Iterator[str]:
    yield style.bold("Settings")
    keys = [dscp_name(row.code) if of.basis == "dscp" else str(row.code) for row in of.rows]
    table = [[of.basis, "min", "max", "1 in"]]
    for key, row in zip(keys, of.rows, strict=True):
        table.append([key, *map(str, (row.min_threshold, row.max_threshold, row.denominator))])
    yield from _aligned(table)
    yield f"  a queue at the maximum takes {number(of.max_delay_ms)} ms to send"
    constant = f"{count(2**of.exponent, 'packet')}, {number(of.time_constant_ms)} ms"
    yield f"  exponential-weighting-constant {of.exponent}: the average remembers {constant}"
    if of.queue_limit_packets is not None:
        yield f"  queue-limit {of.queue_limit_packets}: room over the maximum for bursts"


def _shares(of: WredDesign, style: Style) -> Iterator[str]:
    yield style.bold("Predicted shares of the class")
    table = [["group", "flows", "share %", "low", "high", "floor", "loss %", "flows/p %"]]
    for each in of.shares:
        floor = "-" if each.floor is None else number(percent_from_ratio(each.floor))
        by_rule = each.by_flows_over_p
        rule = "-" if by_rule is None else _percent(by_rule)
        ends = [_percent(each.share), _percent(each.low), _percent(each.high)]
        table.append([each.group, str(each.flows), *ends, floor, _percent(each.loss_ratio), rule])
    yield from _aligned(table)
    used = number(percent_from_ratio(of.utilization_ratio))
    yield f"  the class uses {used} % of its rate; mean delay {number(of.delay_ms)} ms"
    yield from (f"  regime  {regime}" for regime in of.regimes)
    if not of.converged:
        yield "  the fixed point did not settle: take the intervals alone"


def _sensitivity(of: WredDesign, style: Style) -> Iterator[str]:
    yield style.bold("Shares in % with other flow counts (?: the model does not settle)")
    table = [["flows", *(each.group for each in of.shares)]]
    table.append(["as given", *(_percent(each.share) for each in of.shares)])
    for each in of.sensitivity:
        cells = map(_percent, each.shares) if each.converged else ["?"] * len(each.shares)
        table.append([f"{each.group} = {each.flows}", *cells])
    yield from _aligned(table)


def _percent(ratio: float) -> str:
    return f"{percent_from_ratio(ratio):.1f}"


def _aligned(table: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    for row in table:
        first, *cells = row
        shown = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        yield "  " + "  ".join([first.ljust(widths[0]), *shown]).rstrip()
