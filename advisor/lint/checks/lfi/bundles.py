"""Bundles: fragments that nothing goes between, links without multiclass, rings of members."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from advisor.device.device import Device, unread_policies
from advisor.facts.interface import Interface, Side
from advisor.ground.quantity import Unknown, number, span
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.lfi import LabelledMember, PacketBudget, wrong_labels
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
from advisor.model import wire_ms
from advisor.outlet.carriers import members_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.parts import uninterleaved

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


def find_multilink_without_interleave(device: Device, params: PacketBudget) -> Found[NoInterleave]:
    """Yield a hit for each interface with fragments of MLPPP and without interleaving.

    Without an LLQ on it, it has no lines: fragments then cost, and no voice is worth
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


# Interleaving over several links without multiclass: voice has no sequence numbers there.


class NoMulticlass(Struct, frozen=True):
    """The bundle and its links."""

    interface: str
    members: str  # "Serial0/0, Serial0/1"


def find_several_links_without_multiclass(device: Device) -> Found[NoMulticlass]:
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


def find_multilink_member_ring(device: Device, params: RingBudget) -> Found[LongMemberRing]:
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


measure_multilink_member_ring = measure
