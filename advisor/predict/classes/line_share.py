"""What a class takes of its line: in the bytes that fill the line, and in those of IP."""

from collections.abc import Sequence

from msgspec.structs import replace

from advisor.theory.flows import flows_of
from advisor.theory.interface import ClassResult, Interface, Traffic
from advisor.theory.wire import Framing, wire_bytes
from advisor.units import bytes_in_ms


def counted_bps(
    interface: Interface, traffic: tuple[Traffic, ...], results: Sequence[ClassResult]
) -> float:
    """Throughput of some traffic as the shaper of all traffic counts it.

    A shaper of Ethernet counts 14 bytes of a packet that takes 38 on the wire: what the wire
    carries may be more than the rate of the shaper. Without a shaper, the throughput of the wire.

    Parameters
    ----------
    interface : Interface
        The interface that was solved.
    traffic, results : sequence
        The traffic of one class, and what was solved of each.
    """
    shaper = interface.shaper
    if shaper is None:
        return sum(result.throughput_bps for result in results)
    framing = shaper.framing or Framing(interface.framing.overhead_bytes)
    flows = flows_of(replace(interface, traffic=traffic))
    total_bps = 0.0
    for result, flow in zip(results, flows, strict=True):
        sizes = flow.traffic.sizes.bytes_and_weights
        counted_bytes = sum(weight * wire_bytes(size, framing) for size, weight in sizes)
        on_wire_bytes = bytes_in_ms(interface.rate_bps, flow.mean_ms)
        total_bps += result.throughput_bps * counted_bytes / on_wire_bytes
    return total_bps


def ip_bps(
    interface: Interface, traffic: tuple[Traffic, ...], results: Sequence[ClassResult]
) -> float:
    """Throughput of some traffic in bytes of IP: without the headers of frames and fragments.

    Parameters
    ----------
    interface : Interface
        The interface that was solved.
    traffic, results : sequence
        The traffic of one class, and what was solved of each.
    """
    total_bps = 0.0
    for result, flow in zip(results, flows_of(replace(interface, traffic=traffic)), strict=True):
        sizes = zip(flow.ip_bytes, flow.weights, strict=True)
        mean_bytes = sum(size * weight for size, weight in sizes)
        on_wire_bytes = bytes_in_ms(interface.rate_bps, flow.mean_ms)
        total_bps += result.throughput_bps * mean_bytes / on_wire_bytes
    return total_bps
