"""Classes of TCP and other traffic behind one line, in few words."""

from typing import TypeAlias

from msgspec.structs import replace

from advisor.model import (
    Arrival,
    DropProfile,
    Interface,
    Poisson,
    Queue,
    SizeMix,
    Tcp,
    Traffic,
    WredAverage,
)

WredClass: TypeAlias = tuple[Queue, tuple[Traffic, ...]]


def tcp_flows(  # noqa: PLR0917 - in the order of a table of flows
    name: str,
    flows: int,
    rtt_ms: float,
    packet_bytes: int,
    window: int,
    profile: DropProfile | None = None,
    transfer: int | None = None,
    *,
    minimum_rto_ms: float = 1000.0,
) -> Traffic:
    """Flows of a queue that `wred_class` names."""
    arrival = Tcp(rtt_ms, window, transfer, minimum_rto_ms=minimum_rto_ms)
    return Traffic(name, "", arrival, SizeMix(((packet_bytes, 1.0),)), flows, profile=profile)


def udp_packets(
    name: str,
    per_s: float,
    packet_bytes: int,
    profile: DropProfile | None = None,
    arrival: Arrival | None = None,
) -> Traffic:
    """Packets that come at random unless `arrival` says otherwise."""
    sizes = SizeMix(((packet_bytes, 1.0),))
    return Traffic(name, "", arrival or Poisson(per_s), sizes, profile=profile)


def wred_class(queue: Queue, groups: tuple[Traffic, ...], exponent: int | None = 9) -> WredClass:
    """A queue with its traffic; `exponent` None: no WRED."""
    wred = None if exponent is None else WredAverage(exponent)
    return replace(queue, wred=wred), tuple(replace(group, queue=queue.name) for group in groups)


def behind(line: Interface, *classes: WredClass) -> Interface:
    """The line with these classes."""
    traffic = tuple(group for _, groups in classes for group in groups)
    return replace(line, queues=tuple(queue for queue, _ in classes), traffic=traffic)
