"""Fragments that nothing goes between, rings of members, and what one end of a link does alone."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from advisor.device.device import Device, unread_policies
from advisor.device.links import Link, LinkEnd
from advisor.facts.interface import Interface, Side
from advisor.lint.checks.base import Found, Hit, Skip, check
from advisor.lint.checks.lfi import PacketBudget
from advisor.lint.checks.lfi.multilink import LabelledMember, wrong_labels
from advisor.lint.checks.txr import (
    JudgedRing,
    RingBudget,
    RingPlace,
    forecasts,
    judged,
    measure,
    ring_place_of,
)
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.model import Framing, wire_ms
from advisor.outlet.carriers import bundle_of, members_of, mtu_of
from advisor.outlet.framing import encapsulation_of
from advisor.outlet.link_rates import far_rate
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.parts import mtu_input, uninterleaved
from advisor.outlet.wrapping import CRTP, Wrapping
from advisor.quantity import Basis, Input, Unknown, exact, number, point, span
from advisor.units import bits_from_bytes, kbps_from_bps

# Fragments that nothing goes between: voice waits for all pieces of a packet.

_NO_LLQ: Final = (
    "no LLQ is on the bundle, and new fragments take it down: at the next window, take the "
    "fragments away, or interleave if voice is to come"
)
_NOT_KNOWN: Final = (
    "policy-map {} is not in this text, and whether it has an LLQ is not known: interleave if it "
    "has one, else take the fragments away"
)
_BUNDLES: Final = ("Multilink", "Virtual-Template", "Dialer")


class NoInterleave(Struct, frozen=True):
    """The interface, and what its fragments need beside interleaving."""

    interface: str
    delay_ms: int | None  # None: the delay stays as it is
    delay_words: str
    members: tuple[LabelledMember, ...]  # without the `bandwidth` that IOS cuts fragments by
    multiclass: bool  # several links interleave only so
    needless: str | None = None  # the statement of the fragments, where whole packets are in time


def find_no_interleave(device: Device, params: PacketBudget) -> Found[NoInterleave]:
    """Yield a hit for each interface with fragments of MLPPP and without interleaving.

    Without an LLQ on it, it is a warning without lines: fragments then cost, and no voice is worth
    taking the bundle down. Where its links send a whole packet within the budget, the fragments go:
    interleaving would give nothing.
    """
    known = tuple(outlets(device))
    with_llq = {outlet.attached_to for outlet in known if outlet.llq_classes}
    for interface in device.facts.interfaces:
        stated = uninterleaved(device.facts, interface)
        if stated is None or interface.shutdown or interface.type not in _BUNDLES:
            continue
        members = wrong_labels(device, interface)
        here = [outlet for outlet in known if outlet.attached_to == interface.name]
        needless = _fragments(interface) if _is_fast(here, params.serialization_ms) else None
        is_unknown = isinstance(members, Unknown) and needless is None
        has_llq = interface.name in with_llq
        delay_ms = _delay_ms(interface, params.serialization_ms)
        advice = _beside(interface, delay_ms) if needless is None else None
        if isinstance(members, Unknown) and is_unknown:
            advice = members.reason
        yield Hit(
            f"interface {interface.name}",
            (stated.at, interface.at),
            NoInterleave(
                interface=interface.name,
                delay_ms=delay_ms,
                delay_words=interface.multilink.delay_words,
                members=() if isinstance(members, Unknown) else members,
                multiclass=len(members_of(device.facts, interface)) > 1,
                needless=needless,
            ),
            Confidence.CERTAIN,
            severity=None if has_llq else Severity.WARNING,
            curable=has_llq and not is_unknown,
            advice=advice if has_llq else _without_llq(device, interface),
        )


def _without_llq(device: Device, interface: Interface) -> str:
    """Advise where no LLQ is seen on a bundle; its policy may not be in the text."""
    unread = {place.policy for place in unread_policies(device)}
    for attachment in interface.policies:
        if attachment.direction is not Side.OUTPUT:
            continue
        nested = device.facts.nested_policies(attachment.policy)
        names = [attachment.policy, *(name for policy in nested for name in policy.children)]
        lost = next((name for name in names if name in unread), None)
        if lost is not None:
            return _NOT_KNOWN.format(lost)
    return _NO_LLQ


def _is_fast(outlets_here: Sequence[Outlet], budget_ms: float | None) -> bool:
    """Whether each link of the bundle sends a whole packet within the budget."""
    if budget_ms is None or not outlets_here:
        return False
    return all(
        outlet.wire is not None
        and outlet.encapsulation is not None
        and wire_ms(int(outlet.mtu.value), outlet.encapsulation.high, outlet.wire.value)
        <= budget_ms
        for outlet in outlets_here
    )


def _fragments(interface: Interface) -> str | None:
    """The statement of the fragments; None for a delay that is no whole number of ms."""
    delay, size = interface.multilink.fragment_delay_ms, interface.multilink.fragment_bytes
    if delay is None:
        return None if size is None else f"ppp multilink fragment size {size.value}"
    is_whole = delay.value == int(delay.value)
    command = f"ppp multilink {interface.multilink.delay_words} {int(delay.value)}"
    return command if is_whole and not size else None


def _delay_ms(interface: Interface, budget_ms: float | None) -> int | None:
    """The delay that keeps the budget, where the stated one does not."""
    stated = interface.multilink.fragment_delay_ms
    if budget_ms is None or stated is None or stated.value <= budget_ms:
        return None
    return int(budget_ms)


def _beside(interface: Interface, delay_ms: int | None) -> str | None:
    """Name the side effect beside interleaving: the delay, which makes more fragments."""
    stated = interface.multilink.fragment_delay_ms
    if delay_ms is None or stated is None:
        return None
    return (
        f"the fragment delay becomes {delay_ms} ms, the budget of a fragment, for the "
        f"{number(stated.value)} ms stated: {number(stated.value / delay_ms)} times as many "
        "fragments of a full packet, each with a header"
    )


MULTILINK_WITHOUT_INTERLEAVE = check(find_no_interleave)


# Interleaving over several links without multiclass: voice has no sequence numbers there.


class NoMulticlass(Struct, frozen=True):
    """The bundle and its links."""

    interface: str
    members: str  # "Serial0/0, Serial0/1"


def find_no_multiclass(device: Device) -> Found[NoMulticlass]:
    """Yield a hit for each bundle of several links that interleaves without multiclass."""
    for interface in device.facts.interfaces:
        interleave = interface.multilink.interleave
        links = members_of(device.facts, interface)
        states = [item.multilink.multiclass for item in (interface, *links)]
        if interleave is None or interface.shutdown or len(links) < 2 or any(states):  # noqa: PLR2004
            continue
        yield Hit(
            f"interface {interface.name}",
            (interleave.at, *(link.at for link in links)),
            NoMulticlass(interface.name, ", ".join(link.name for link in links)),
            Confidence.POSSIBLE,
        )


SEVERAL_LINKS_WITHOUT_MULTICLASS = check(find_no_multiclass)


# A member of a bundle with an LLQ and no ring of its own: it may keep the ring of a FIFO.


class LongMemberRing(Struct, frozen=True):
    """The ring that the member may have, and the ring advised, with the longest wait in each."""

    bundle: str
    member: str
    ring: str
    unit: str
    bound_ms: str
    advised: int
    advised_bound_ms: str
    place: RingPlace


def find_long_member_ring(device: Device, params: RingBudget) -> Found[LongMemberRing]:
    """Yield a hit for each member without `tx-ring-limit` whose FIFO ring would be too long.

    What cannot be judged of such a ring is said by TXR001.
    """
    budget_ms = params.ring_wait_ms
    members = [
        entry
        for entry in judged(device, budget_ms)
        if not isinstance(entry, Skip)
        and entry.outlet.is_unset_member
        and entry.advice.shortens(entry.ring) is not False
    ]
    predicted = forecasts([(member, member.advice.limit) for member in members])
    for item, forecast in zip(members, predicted, strict=True):
        yield _long_member_ring(item, forecast, budget_ms or 0.0)


def _long_member_ring(
    member: JudgedRing, forecast: Forecast, budget_ms: float
) -> Hit[LongMemberRing]:
    ring, advice, outlet = member.ring, member.advice, member.outlet
    bound = member.view.bound(ring.limit_low, ring.limit_high)
    evidence = LongMemberRing(
        bundle=outlet.attached_to,
        member=outlet.interface.name,
        ring=span(ring.limit_low, ring.limit_high),
        unit=ring.unit_of(ring.limit_high),
        bound_ms=span(bound.low_ms, bound.high_ms),
        advised=advice.limit,
        advised_bound_ms=span(advice.bound.low_ms, advice.bound.high_ms),
        place=ring_place_of(outlet),
    )
    is_open = bound.low_ms <= budget_ms or not ring.platform_known
    return Hit(
        outlet.label,
        (outlet.interface.at, outlet.at),
        evidence,
        Confidence.POSSIBLE if is_open else Confidence.LIKELY,
        forecast,
        severity=Severity.INFO if is_open else None,
    )


MULTILINK_MEMBER_RING = check(find_long_member_ring, measure=measure)


# A link with fragments from one end only.

_FRAME_RELAY: Final = "frame-relay"


class OneSidedFragments(Struct, frozen=True):
    """The end of this device, the end that fragments, and what follows."""

    interface: str
    far_end: str
    signs: str
    cost: str  # "its fragments are dropped here", "voice … waits up to 23.4 ms"


def find_one_sided_fragments(device: Device, params: PacketBudget) -> Found[OneSidedFragments]:
    """Yield a hit for each end that does not fragment, of a link with voice whose other end does.

    Of MLPPP only where a whole packet is over the budget. LFI005 has the end that cuts and does
    not interleave.
    """
    budget_ms = params.serialization_ms
    if budget_ms is None:
        return
    for interface in device.facts.interfaces:
        link = device.fleet.links.link(device.name, interface.name)
        if link is None or uninterleaved(device.facts, interface) is not None:
            continue
        if bundle_of(device.facts, interface) is not None:
            continue  # its bundle is the end, where lines made it a member
        far = link.far_end(device.name)
        own = next(end for end in link.ends if end is not far)
        if not far.cuts or own.cuts or not (own.has_llq or far.has_llq):
            continue
        rate = far_rate(own) or far_rate(far)
        if rate is None:
            yield Skip(f"interface {interface.name}", "the rate of the link is not known")
            continue
        mtu = mtu_input(mtu_of(device.facts, interface))
        whole_ms = _whole_ms(device, interface, rate, mtu)
        timed = (whole_ms, rate, mtu)
        is_frame_relay = _carries_frame_relay(device, interface)
        if is_frame_relay or whole_ms > budget_ms:
            ends = (own, far, link)
            yield (
                _dropped_fragments(device, interface, ends)
                if is_frame_relay
                else _one_sided_fragments(interface, ends, timed)
            )


def _dropped_fragments(
    device: Device, interface: Interface, ends: tuple[LinkEnd, LinkEnd, Link]
) -> Hit[OneSidedFragments]:
    """The link loses every packet that the far end cuts: an end without FRF.12 joins none."""
    own, far, link = ends
    size = far.port_fragment_bytes
    over = "all large packets" if size is None else f"all packets over {size} bytes"
    cost = f"without FRF.12 this end drops the fragments: {over} to it are lost, small ones pass"
    main = interface.parent or interface.name
    cure = (
        f"see both ends (`show frame-relay fragment`), then give this one the size of {far.label}"
    )
    if size is not None:
        cure = f"`interface {main}`, `frame-relay fragment {size} end-to-end` on {device.name}"
    off = f"`no frame-relay fragment` on {far.label}" if size else f"none on {far.label}"
    lost = Forecast(
        f"loss of {over} from {far.label}",
        point(100.0, "%"),
        point(0.0, "%"),
        () if size is None else (exact("fragment_bytes", size, Basis.CONFIGURED, str(far.at)),),
    )
    return Hit(
        f"interface {interface.name}",
        (own.at,),
        OneSidedFragments(own.interface, far.label, ", ".join(link.signs), cost),
        Confidence.LIKELY,
        lost,
        advice=f"{cure}; or, until both ends have a window, {off}",
    )


def _one_sided_fragments(
    interface: Interface,
    ends: tuple[LinkEnd, LinkEnd, Link],
    timed: tuple[float, Input, Input],
) -> Hit[OneSidedFragments]:
    (own, far, link), (whole_ms, rate, mtu) = ends, timed
    cost = f"voice from here waits up to {number(whole_ms)} ms"
    return Hit(
        f"interface {interface.name}",
        (own.at,),
        OneSidedFragments(own.interface, far.label, ", ".join(link.signs), cost),
        Confidence.LIKELY,
        Forecast(
            "serialization of the largest packet from here",
            point(whole_ms, "ms"),
            None,
            (rate, mtu),
        ),
        severity=Severity.WARNING,
    )


def _whole_ms(device: Device, interface: Interface, rate: Input, mtu: Input) -> float:
    """Time of a packet of the MTU with its header; bare where the encapsulation is not known."""
    main = device.facts.interface(interface.parent or "") or interface
    encapsulation = encapsulation_of(main, None)
    framing = encapsulation.high if encapsulation is not None else Framing(0)
    return wire_ms(int(mtu.value), framing, rate.value)


def _carries_frame_relay(device: Device, interface: Interface) -> bool:
    main = device.facts.interface(interface.parent or "") or interface
    return main.encapsulation is not None and main.encapsulation.value.startswith(_FRAME_RELAY)


FRAGMENTATION_ONE_SIDED = check(find_one_sided_fragments)


# RTP headers that one end compresses alone: calls have their full size both ways.

_CALL_PACKETS_PER_S: Final = 50
_FULL_SIZE: Final = "neither end compresses, by what they agree on"
_UNREAD: Final = "and cannot read what comes compressed"


class OneSidedCompression(Struct, frozen=True):
    """The end that compresses, the other one, and what follows."""

    interface: str
    far: str
    signs: str
    effect: str
    call_kbps: str


def find_one_sided_compression(device: Device) -> Found[OneSidedCompression]:
    """Yield a hit for each end that compresses headers of RTP, of a link whose other end does not.

    Frame Relay compresses by circuit and is not judged. Over PPP both ends agree on it first.
    """
    for interface in device.facts.interfaces:
        stated = interface.rtp_compression
        link = device.fleet.links.link(device.name, interface.name)
        if stated is None or link is None or _carries_frame_relay(device, interface):
            continue
        far = link.far_end(device.name)
        own = next(end for end in link.ends if end is not far)
        if far.compresses or not (own.is_two_ended and far.is_two_ended):
            continue
        kind = interface.encapsulation.value.split()[0] if interface.encapsulation else "hdlc"
        is_agreed = kind == "ppp" or interface.type == "Multilink"
        yield Hit(
            f"interface {interface.name}",
            (stated.at, far.at),
            OneSidedCompression(
                interface.name,
                far.label,
                ", ".join(link.signs),
                _FULL_SIZE if is_agreed else _UNREAD,
                span(*map(_call_kbps, (CRTP, CRTP.least or CRTP))),
            ),
            Confidence.LIKELY if is_agreed else Confidence.POSSIBLE,
        )


def _call_kbps(around: Wrapping) -> float:
    """What compression takes off a call of 20 ms packets."""
    return kbps_from_bps(_CALL_PACKETS_PER_S * bits_from_bytes(-around.header_bytes))


HEADER_COMPRESSION_ONE_SIDED = check(find_one_sided_compression)
