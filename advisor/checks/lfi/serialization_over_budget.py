"""One full-size packet on the wire already costs voice its budget: fragment and interleave."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.checks.base import Check, Hit, Skip
from advisor.findings import Confidence, Forecast, Severity
from advisor.predict.outlet import Outlet, outlets
from advisor.predict.quantity import Figure, Input
from advisor.snapshot import Device
from advisor.units import bytes_in_ms, kbps_from_bps, serialization_ms


class Params(Struct, frozen=True):
    """Budget of one packet (None: not judged) and the rate up to which LFI is the answer."""

    serialization_ms: float | None
    lfi_up_to_kbps: float


class Evidence(Struct, frozen=True):
    """The packet, the link, and the fragment that fits."""

    mtu_bytes: int
    rate_kbps: str
    packet_ms: float
    budget_ms: float
    fragment_bytes: int
    section: tuple[str, ...]


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each LLQ without LFI on a link that is too slow for its MTU."""
    budget_ms = params.serialization_ms
    if budget_ms is None:
        return
    seen = set()
    for outlet in outlets(device):
        if not outlet.llq_classes or outlet.fragment_bytes is not None or outlet.section in seen:
            continue
        seen.add(outlet.section)  # the members of a bundle share one finding
        if outlet.wire is None:
            yield Skip(outlet.label, "the rate of the link is not known")
        elif serialization_ms(outlet.mtu.value, outlet.wire.value) > budget_ms:
            yield _hit(outlet, outlet.wire, budget_ms, params.lfi_up_to_kbps)


def _hit(outlet: Outlet, wire: Input, budget_ms: float, up_to_kbps: float) -> Hit[Evidence]:
    packet_ms = serialization_ms(outlet.mtu.value, wire.value)
    fragment_bytes = int(bytes_in_ms(wire.value, budget_ms))
    bundle = outlet.bundle
    evidence = Evidence(
        mtu_bytes=int(outlet.mtu.value),
        rate_kbps=f"{kbps_from_bps(wire.value):g}",
        packet_ms=packet_ms,
        budget_ms=budget_ms,
        fragment_bytes=fragment_bytes,
        section=(f"interface {bundle.name}",) if bundle else outlet.section,
    )
    after = Figure(budget_ms, budget_ms, budget_ms, "ms", budget_ms)
    return Hit(
        outlet.label,
        (outlet.at,),
        evidence,
        Confidence.LIKELY if wire.is_label else Confidence.CERTAIN,
        Forecast(
            "serialization of the largest packet",
            Figure(packet_ms, packet_ms, packet_ms, "ms", packet_ms),
            after if bundle else None,
            (wire, outlet.mtu),
        ),
        severity=Severity.INFO if kbps_from_bps(wire.value) > up_to_kbps else None,
        curable=bundle is not None,
        advice=None if bundle else _advice(outlet, fragment_bytes),
    )


def _advice(outlet: Outlet, fragment_bytes: int) -> str:
    """What to do where lines alone do not do it: both ends of the link have to change."""
    words = outlet.encapsulation.name if outlet.encapsulation else ""
    if words.startswith("frame-relay"):
        return f"FRF.12 on both ends: `frame-relay fragment {fragment_bytes} end-to-end`"
    if outlet.pvc is not None:
        return f"MLPPP over ATM on both ends, fragments of {fragment_bytes} bytes in whole cells"
    return (
        f"MLPPP with interleaving on both ends (fragments of {fragment_bytes} bytes), "
        "with the policy on the Multilink interface"
    )


def measure(device: Device, label: str) -> Figure | None:
    """Serialization of the largest whole packet of the output with this label."""
    for outlet in outlets(device):
        if outlet.label == label and outlet.wire is not None:
            time_ms = serialization_ms(outlet.largest_ip_bytes, outlet.wire.value)
            return Figure(time_ms, time_ms, time_ms, "ms", time_ms)
    return None


CHECK = Check("serialization-over-budget", Params, Evidence, find, measure)
