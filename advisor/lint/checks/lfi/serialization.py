"""One full-size packet on the wire already costs voice its budget: fragment and interleave."""

from collections.abc import Container, Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.interface import Interface
from advisor.ground.quantity import Figure, Input, Unknown, point, rate_text, rate_words
from advisor.ground.units import bytes_in_ms, kbps_from_bps
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.lfi import (
    AtmLfi,
    FragmentLimits,
    LabelledMember,
    SerialLfi,
    as_member,
    atm_lfi,
    other_end,
    serial_lfi,
    without_multilink,
    wrong_labels,
)
from advisor.lint.checks.lfi.frame_relay import FrameRelayLfi, ends_to_change, frame_relay_lfi
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.fragments import Fragment, fragment_for, how_to_fragment
from advisor.outlet.framing import Layer2
from advisor.outlet.link_rates import far_end, rate_of_both, slowest_bps
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.parts import uninterleaved
from advisor.outlet.plain import queueing_outlets
from advisor.outlet.rated_classes import calls_at_link_rate

_BOTH_ENDS = (Layer2.PPP, Layer2.HDLC, Layer2.FRAME_RELAY)  # that lines of here can fragment


class LongPacketParams(Struct, frozen=True):
    """Budgets of one packet and of the ring (None: not judged); the rate up to which LFI helps."""

    serialization_ms: float | None
    lfi_up_to_kbps: float
    ring_wait_ms: float | None = None


class StandingBundle(Struct, frozen=True):
    """A bundle that is there already: it lacks fragments and interleaving only."""

    interface: str
    delay_words: str
    members: tuple[LabelledMember, ...]  # whose `bandwidth` the lines set


Form = StandingBundle | SerialLfi | FrameRelayLfi | AtmLfi


class Cut(Struct, frozen=True):
    """A fragment, its time at a rate, and what else made its size."""

    size_bytes: int
    time: Figure
    rate_bps: float
    slowest: str = ""


class LongPacket(Struct, frozen=True):
    """The packet, the link, and the fragment that fits."""

    mtu_bytes: int
    rate_kbps: str
    packet_ms: float
    cut: str  # "", " (8.0 ms in 3 fragments, as MLPPP may cut it by default)"
    budget_ms: float
    fragment_bytes: int
    fragment_ms: float
    fragment_rate_kbps: str  # of the line where lines make the fragment, else the slowest
    slowest: str  # "", "; they fit 128 kb/s, the slowest rate on their way"
    bundle: StandingBundle | None  # where MLPPP is there already
    serial: SerialLfi | None  # where MLPPP is new
    frame_relay: FrameRelayLfi | None
    atm: AtmLfi | None
    members: tuple[LabelledMember, ...]  # without the `bandwidth` that IOS cuts fragments by
    multiclass: bool  # several links interleave only so
    fragments_disabled: bool
    delay_is_set: bool  # the bundle has this fragment delay, and misses other lines


def find_serialization_over_budget(device: Device, params: LongPacketParams) -> Found[LongPacket]:
    """Yield a hit for each LLQ without LFI on a link that is too slow for its MTU."""
    budget_ms = params.serialization_ms
    if budget_ms is None:
        return
    taken: set[int] = set()  # groups of the bundles that hits before make
    for outlet in _to_judge(device):
        packet = outlet.largest_ms
        if outlet.wire is None or packet is None:
            yield Skip(outlet.label, outlet.why_rate_unknown)
        elif packet.value > budget_ms:
            hit = _hit(device, outlet, (outlet.wire, packet), (params, taken))
            taken |= {hit.evidence.serial.group} if hit.evidence.serial is not None else set()
            yield hit


def _to_judge(device: Device) -> Iterator[Outlet]:
    """Outputs with an LLQ and without LFI; then those whose other end has an LLQ."""
    sections = set()
    for outlet in outlets(device):
        if outlet.llq_classes and outlet.section not in sections:
            sections.add(outlet.section)  # the members of a bundle share one finding
            place = outlet.bundle or outlet.session or outlet.interface
            if outlet.fragment_bytes is None and uninterleaved(device.facts, place) is None:
                yield outlet  # else LFI005
    for outlet in queueing_outlets(device) if device.fleet.links.ends else ():
        if outlet.section not in sections and _has_far_llq(device, outlet):
            sections.add(outlet.section)
            yield outlet


def _has_far_llq(device: Device, outlet: Outlet) -> bool:
    """Whether the other end needs LFI for its voice: then this end must do the same."""
    if outlet.fragment_bytes is not None or outlet.bundle is not None or outlet.llq_classes:
        return False
    end = far_end(device, outlet.attached_to)
    kind = outlet.encapsulation.kind if outlet.encapsulation is not None else None
    return end is not None and end.has_llq and not end.is_fragmented and kind in _BOTH_ENDS


def _hit(
    device: Device,
    outlet: Outlet,
    timed: tuple[Input, Figure],
    wanted: tuple[LongPacketParams, Container[int]],
) -> Hit[LongPacket]:
    (wire, packet), (params, taken) = timed, wanted
    budget_ms = params.serialization_ms or 0.0
    fragment = fragment_for(outlet, budget_ms, slowest_bps(device, outlet))
    is_uncertain = packet.low <= budget_ms
    mild = is_uncertain or kbps_from_bps(wire.value) > params.lfi_up_to_kbps
    confidence = Confidence.LIKELY if wire.is_label else Confidence.CERTAIN
    rate = rate_of_both(device, outlet.interface.name, wire)
    limits = FragmentLimits(budget_ms, params.ring_wait_ms, params.lfi_up_to_kbps)
    form = _form(device, outlet, (fragment, rate), limits, taken)
    cut = None if isinstance(form, Unknown) else _cut(outlet, form, rate, budget_ms)
    evidence = _evidence(outlet, (wire, packet), (cut or _by_hand(fragment), budget_ms), form)
    inputs = [wire, outlet.mtu, *outlet.overhead_inputs]
    return Hit(
        outlet.label,
        (outlet.at,),
        evidence,
        Confidence.POSSIBLE if is_uncertain else confidence,
        Forecast(
            "serialization of the largest packet",
            packet,
            cut.time if cut is not None else None,
            tuple(inputs),
        )
        if outlet.llq_classes
        else None,
        severity=Severity.INFO if mild or not outlet.llq_classes else None,
        curable=not isinstance(form, Unknown),
        advice=form.reason if isinstance(form, Unknown) else _advice(device, outlet, form),
        link_of=outlet.attached_to,
        bundle=f"Multilink{form.group}" if isinstance(form, SerialLfi) else None,
    )


def _advice(device: Device, outlet: Outlet, form: Form) -> str:
    """Advise on the lines: the other end, and their effect on the traffic."""
    sets_bandwidth = isinstance(form, SerialLfi)
    calls = calls_at_link_rate(device, outlet) if sets_bandwidth else ""
    words = [other_end(device, outlet.attached_to), calls]
    if not outlet.llq_classes:
        words.append("it has the LLQ, and cannot fragment alone")
    if isinstance(form, StandingBundle):
        # The first link to join decides on multiclass: Cisco, Multiclass Multilink PPP, 12.2SB.
        if outlet.most_pieces > 1:
            words.append("see `show ppp multilink` first: whole packets may be cut already")
        words.append("after the lines `shutdown` all members, then `no shutdown` them")
    if isinstance(form, FrameRelayLfi):
        words.append(ends_to_change(device, form))
    return "; ".join(filter(None, words))


def _form(
    device: Device,
    outlet: Outlet,
    wanted: tuple[Fragment, Input],
    limits: FragmentLimits,
    taken: Container[int],
) -> Form | Unknown:
    """Choose the form of the remedy, or advise where there is none."""
    (fragment, rate), budget_ms = wanted, limits.fragment_ms
    if not fragment.holds_voice:
        return Unknown(
            f"raise the rate: no fragment that a voice packet fits keeps {budget_ms:g} ms"
        )
    bundle = outlet.bundle
    if bundle is not None:
        return _of_bundle(device, bundle)
    how = how_to_fragment(outlet, fragment, budget_ms)
    if outlet.session is not None or outlet.pvc is not None:
        atm = atm_lfi(device, outlet)
        if isinstance(atm, AtmLfi):
            return atm
        alone = without_multilink(fragment.size_bytes)
        return Unknown(f"{how}; no lines: {atm.reason}; {alone}")
    if kbps_from_bps(rate.value) > limits.lfi_up_to_kbps:
        return Unknown(
            f"above {limits.lfi_up_to_kbps:g} kb/s Cisco's design has no LFI; "
            f"if voice needs it: {how}"
        )
    is_frame_relay = (
        outlet.encapsulation is not None and outlet.encapsulation.kind is Layer2.FRAME_RELAY
    )
    form: SerialLfi | FrameRelayLfi | Unknown = (
        frame_relay_lfi(device, outlet, budget_ms)
        if is_frame_relay
        else serial_lfi(device, outlet, rate, limits, taken)
    )
    return Unknown(f"{how}; no lines: {form.reason}") if isinstance(form, Unknown) else form


def _of_bundle(device: Device, bundle: Interface) -> StandingBundle | Unknown:
    members = wrong_labels(device, bundle)
    if isinstance(members, Unknown):
        return members
    return StandingBundle(bundle.name, bundle.multilink.delay_words, members)


def _evidence(
    outlet: Outlet,
    timed: tuple[Input, Figure],
    wanted: tuple[Cut, float],
    form: Form | Unknown,
) -> LongPacket:
    (wire, packet), (cut, budget_ms) = timed, wanted
    bundle = outlet.bundle
    return LongPacket(
        mtu_bytes=int(outlet.mtu.value),
        rate_kbps=rate_text(kbps_from_bps(wire.value)),
        packet_ms=packet.value,
        cut=_default_cut(outlet, packet),
        budget_ms=budget_ms,
        fragment_bytes=cut.size_bytes,
        fragment_ms=cut.time.high,
        fragment_rate_kbps=rate_text(kbps_from_bps(cut.rate_bps)),
        slowest=cut.slowest,
        bundle=form if isinstance(form, StandingBundle) else None,
        serial=form if isinstance(form, SerialLfi) else None,
        frame_relay=form if isinstance(form, FrameRelayLfi) else None,
        atm=form if isinstance(form, AtmLfi) else None,
        members=form.members if isinstance(form, StandingBundle) else (),
        multiclass=outlet.members > 1,
        fragments_disabled=bundle is not None and bundle.multilink.fragment_disable is not None,
        delay_is_set=_fragment_delay_ms(bundle) == budget_ms,
    )


def _default_cut(outlet: Outlet, time: Figure) -> str:
    """Time of a piece of the packet, where IOS may cut it though no size is set."""
    if outlet.most_pieces == 1:
        return ""
    pieces = f"{outlet.most_pieces} fragments, as MLPPP may cut it by default"
    return f" ({time.low:.1f} ms in {pieces})"


def _fragment_delay_ms(bundle: Interface | None) -> float | None:
    stated = bundle.multilink.fragment_delay_ms if bundle is not None else None
    return None if stated is None else stated.value


def _by_hand(fragment: Fragment) -> Cut:
    time_ms = fragment.time_ms
    return Cut(fragment.size_bytes, point(time_ms, "ms"), fragment.rate_bps)


def _cut(outlet: Outlet, form: Form, rate: Input, budget_ms: float) -> Cut | None:
    """The largest piece that the lines leave on this link: IOS cuts a delay by the rate."""
    member = as_member(outlet, rate, budget_ms) if isinstance(form, SerialLfi) else outlet
    slowest = ""
    if isinstance(form, FrameRelayLfi):
        size_bytes = form.size_bytes
        if round(form.slowest_kbps) < round(kbps_from_bps(member.wire_bps)):
            slowest = f"; they fit {rate_words(form.slowest_kbps)}, the slowest rate on their way"
    else:
        delay_ms = form.delay_ms if isinstance(form, AtmLfi) else budget_ms
        size_bytes = int(bytes_in_ms(member.wire_bps, delay_ms))
    size_bytes = min(size_bytes, int(outlet.mtu.value))
    time = member.longest_ms(size_bytes)
    return None if time is None else Cut(size_bytes, time, member.wire_bps, slowest)


def measure_serialization_over_budget(device: Device, label: str) -> Figure | None:
    """Serialization of the largest whole packet of the output with this label.

    A serial that has become a member of a bundle is found by its own name.
    """
    for outlet in outlets(device):
        is_member = outlet.bundle is not None and label == f"interface {outlet.interface.name}"
        if is_member or outlet.label == label:
            return outlet.largest_ms
    return None
