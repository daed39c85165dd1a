"""A ring of one or two packets on a fast line: each packet or two costs an interrupt."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.txr.shared.judged import Judged, judged
from advisor.lint.findings import Confidence
from advisor.outlet.offer import IMIX_MEAN_BYTES
from advisor.outlet.outlet import Outlet
from advisor.quantity import Basis, rate_text
from advisor.theory.interface import Framing, wire_bytes
from advisor.units import bps_from_kbps, bytes_in_ms, kbps_from_bps, ms_from_s


class Params(Struct, frozen=True):
    """The largest ring that counts as short, the rate from which it does, and the ring's budget."""

    short_ring_packets: int
    above_kbps: float
    ring_wait_ms: float | None


class Evidence(Struct, frozen=True):
    """The ring, the packets that the line sends, and the longest ring within the budget."""

    limit: int
    rate_kbps: str
    packets_per_second: str
    longest: int
    bound_ms: float
    budget_ms: float


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each short ring of packets before a fast wire that could be longer.

    Only a ring that the configuration states, or that was observed, is judged; each ring once.
    """
    seen = set()
    for entry in judged(device, params.ring_wait_ms):
        if isinstance(entry, Skip):
            continue  # TXR001 says why this ring is not judged
        if entry.outlet.ring_key not in seen and _is_short(entry, params):
            seen.add(entry.outlet.ring_key)
            yield _hit(entry, params.ring_wait_ms or 0.0)


def _is_short(entry: Judged, params: Params) -> bool:
    ring, wire_bps = entry.ring, entry.outlet.wire_bps
    in_packets = all(kind.particle_bytes is None for kind in ring.types)
    is_known = ring.basis in (Basis.CONFIGURED, Basis.MEASURED)
    return (
        in_packets
        and is_known
        and ring.limit_high <= params.short_ring_packets
        and wire_bps > bps_from_kbps(params.above_kbps)
        and entry.advice.meets is not False
        and entry.advice.limit > ring.limit_high
    )


def _hit(entry: Judged, budget_ms: float) -> Hit[Evidence]:
    outlet, ring, advice = entry.outlet, entry.ring, entry.advice
    fewest, most = _packets_per_second(outlet)
    return Hit(
        outlet.label,
        (ring.at, outlet.at) if ring.at is not None else (outlet.at,),
        Evidence(
            ring.limit_high,
            rate_text(kbps_from_bps(outlet.wire_bps)),
            f"{fewest:.0f}-{most:.0f}",
            advice.limit,
            advice.bound.high_ms,
            budget_ms,
        ),
        Confidence.LIKELY if ring.platform_known else Confidence.POSSIBLE,
    )


def _packets_per_second(outlet: Outlet) -> tuple[float, float]:
    """Packets that fill the wire in a second: of the MTU, and of the mean of IMIX."""
    per_second = bytes_in_ms(outlet.wire_bps, ms_from_s(1.0))
    framing = outlet.encapsulation
    low, high = (Framing(0), Framing(0)) if framing is None else (framing.low, framing.high)
    largest = wire_bytes(int(outlet.mtu.value), high)
    return per_second / largest, per_second / wire_bytes(IMIX_MEAN_BYTES, low)


CHECK = Check(Params, Evidence, find)
