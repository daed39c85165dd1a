"""What the engineer must know beside the lines of a designed edge."""

from collections.abc import Iterator

from advisor.design.edge_classes import Kind
from advisor.design.edge_demand import EdgeDemand, Layer
from advisor.design.edge_lines import EdgeLines
from advisor.design.edge_marking import LanLines


def remarks(values: EdgeLines, demand: EdgeDemand) -> Iterator[str]:
    """Sentences about the lines: what moves, what is taken off, what was assumed."""
    if demand.interface is None:
        yield f"{values.interface} is assumed: --interface states the name on the router"
    if values.fragment_ms and demand.layer is not Layer.MULTILINK:
        yield (
            f"the line is slow: {demand.layer} becomes Multilink PPP with fragments; the address "
            f"moves from {values.interface} to Multilink{values.group}"
        )
    if values.suffix:
        yield f"names of the design are taken in the configuration: they end in {values.suffix}"
    for policy in values.removed:
        yield f"{policy} is taken off {values.interface}; it stays in the configuration"
    if values.lan is not None:
        yield from _of_lan(values.lan, demand)
    for wanted in demand.classes:
        own = next(each for each in values.classes if each.name == values.named(wanted.name))
        if own.kbps is not None and wanted.assumed:
            yield f"{own.name} has {own.kbps} kb/s by assumption: --data states another share"


def _of_lan(lan: LanLines, demand: EdgeDemand) -> Iterator[str]:
    for policy in lan.removed:
        yield f"{policy} is taken off {lan.interface}; it stays in the configuration"
    if any(each.kind is Kind.DSCP and not each.is_signalling for each in demand.classes):
        yield "data keeps the DSCP that it comes with: which packets are which is not stated"
