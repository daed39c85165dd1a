"""One full-size packet on the wire already costs voice its budget: fragment and interleave."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.carriers import members_of
from advisor.outlet.fragments import Fragment, fragment_for, how_to_fragment
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.quantity import Figure, Input, rate_text
from advisor.units import bytes_in_ms, kbps_from_bps

_SET_BANDWIDTH = (
    "set `bandwidth` of each member to its rate first: without it IOS takes 1544 kb/s, and makes "
    "fragments of that"
)


class Params(Struct, frozen=True):
    """Budget of one packet (None: not judged) and the rate up to which LFI is the answer."""

    serialization_ms: float | None
    lfi_up_to_kbps: float


class Member(Struct, frozen=True):
    """A member of a bundle without `bandwidth`, which IOS takes for 1544 kb/s, and its rate."""

    name: str
    kbps: int


class Evidence(Struct, frozen=True):
    """The packet, the link, and the fragment that fits."""

    mtu_bytes: int
    rate_kbps: str
    packet_ms: float
    budget_ms: float
    fragment_bytes: int
    fragment_ms: float
    fragment_rate_kbps: str  # of the slower one of wire and shaper
    section: tuple[str, ...]
    members: tuple[Member, ...]  # without the `bandwidth` of which IOS makes fragments
    multiclass: bool  # several links interleave only so
    fragments_disabled: bool


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each LLQ without LFI on a link that is too slow for its MTU."""
    budget_ms = params.serialization_ms
    if budget_ms is None:
        return
    sections = set()
    for outlet in outlets(device):
        if (
            not outlet.llq_classes
            or outlet.fragment_bytes is not None
            or outlet.section in sections
        ):
            continue
        sections.add(outlet.section)  # the members of a bundle share one finding
        packet = outlet.longest_ms(outlet.largest_ip_bytes)
        if outlet.wire is None or packet is None:
            yield Skip(outlet.label, "the rate of the link is not known")
        elif packet.value > budget_ms:
            yield _hit(device, outlet, (outlet.wire, packet), params)


def _hit(
    device: Device, outlet: Outlet, timed: tuple[Input, Figure], params: Params
) -> Hit[Evidence]:
    (wire, packet), budget_ms = timed, params.serialization_ms or 0.0
    fragment = fragment_for(outlet, budget_ms)
    bundle, is_uncertain = outlet.bundle, packet.low <= budget_ms
    mild = is_uncertain or kbps_from_bps(wire.value) > params.lfi_up_to_kbps
    confidence = Confidence.LIKELY if wire.is_label else Confidence.CERTAIN
    members = members_of(device.facts, bundle) if bundle is not None else ()
    unlabelled = [member for member in members if member.bandwidth_bps is None]
    has_rates = all(member.clock_rate_bps is not None for member in unlabelled)
    evidence = Evidence(
        mtu_bytes=int(outlet.mtu.value),
        rate_kbps=rate_text(kbps_from_bps(wire.value)),
        packet_ms=packet.value,
        budget_ms=budget_ms,
        fragment_bytes=fragment.size_bytes,
        fragment_ms=fragment.time_ms,
        fragment_rate_kbps=rate_text(kbps_from_bps(fragment.rate_bps)),
        section=(f"interface {bundle.name}",) if bundle else outlet.section,
        members=tuple(
            Member(member.name, int(kbps_from_bps(member.clock_rate_bps.value)))
            for member in unlabelled
            if member.clock_rate_bps is not None
        ),
        multiclass=len(members) > 1,
        fragments_disabled=bundle is not None and bundle.multilink.fragment_disable is not None,
    )
    after = outlet.longest_ms(int(bytes_in_ms(wire.value, budget_ms)))  # IOS cuts a delay by it
    inputs = [wire, outlet.mtu, *outlet.overhead_inputs]
    return Hit(
        outlet.label,
        (outlet.at,),
        evidence,
        Confidence.POSSIBLE if is_uncertain else confidence,
        Forecast(
            "serialization of the largest packet", packet, after if bundle else None, tuple(inputs)
        ),
        severity=Severity.INFO if mild else None,
        curable=bundle is not None and has_rates,
        advice=_SET_BANDWIDTH
        if bundle and not has_rates
        else None
        if bundle
        else _advice(outlet, fragment, budget_ms),
    )


def _advice(outlet: Outlet, fragment: Fragment, budget_ms: float) -> str:
    """Advice where lines on this device are not enough: both ends of the link must change."""
    if not fragment.holds_voice:
        return f"raise the rate: no fragment that a voice packet fits keeps {budget_ms:g} ms"
    return how_to_fragment(outlet, fragment, budget_ms)


def measure(device: Device, label: str) -> Figure | None:
    """Serialization of the largest whole packet of the output with this label."""
    for outlet in outlets(device):
        if outlet.label == label:
            return outlet.longest_ms(outlet.largest_ip_bytes)
    return None


CHECK = Check(Params, Evidence, find, measure)
