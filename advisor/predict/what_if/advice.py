"""Advice of the model for an output with an LLQ: ring, priority rate, fragment, shaper."""

from collections.abc import Iterator
from math import ceil

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass
from advisor.ground.quantity import Unknown, count, number, rate_text
from advisor.ground.units import kbps_from_bps
from advisor.outlet.class_bandwidth import admission_of
from advisor.outlet.fragments import fragment_for
from advisor.outlet.link_rates import slowest_bps
from advisor.outlet.parts import uninterleaved
from advisor.outlet.shaper import VOICE_TC_MS, OutletShaper, shaper_of, short_interval
from advisor.predict.classes import Question
from advisor.predict.ring import advise_ring, ring_view
from advisor.predict.what_if.observed_load import counted_bps
from advisor.settings import Settings

_LFI_UP_TO_BPS = 768_000.0  # Cisco document 24041: above it no fragments are needed


def advice_of(question: Question, settings: Settings, device: Device) -> tuple[str, ...]:
    """One line for each setting that a budget limits, where it applies."""
    return tuple(_lines(question, settings, device))


def _lines(question: Question, settings: Settings, device: Device) -> Iterator[str]:
    shaped = question.line_bps < question.wire_bps
    if not shaped and not question.outlet.ring_idle:
        yield from _ring(question, settings.budgets.ring_wait_ms)
    yield from _priority(question)
    yield from _fragment(question, settings.budgets.serialization_ms, device)
    if shaped:
        yield from _tc(shaper_of(device.facts, question.outlet, question.platform))


def _ring(question: Question, budget_ms: float | None) -> Iterator[str]:
    """The ring to set, where the ring in force is longer or may be."""
    view, ring = ring_view(question.outlet, question.offers), question.outlet.ring
    if budget_ms is None or isinstance(view, Unknown) or ring is None:
        return
    advice = advise_ring(view, budget_ms)
    shortens = advice.shortens(ring)
    if shortens is False:
        return
    fit = {True: "within", False: "over", None: "perhaps within"}[advice.meets]
    low, high = number(advice.bound.low_ms), number(advice.bound.high_ms)
    bound = high if low == high else f"{low}–{high}"
    line = (
        f"tx-ring-limit {advice.limit}: bound of the ring {bound} ms, "
        f"{fit} the budget of {budget_ms:g} ms"
    )
    if question.outlet.is_unset_member or shortens is None:
        is_one = ring.limit_low == ring.limit_high
        size = f"{ring.limit_low}" if is_one else f"{ring.limit_low}–{ring.limit_high}"
        line += (
            f"; it assumes a ring of {size} {ring.unit_of(ring.limit_high)} in force: "
            f"see `show controllers`, and set it only where the ring is longer than {advice.limit}"
        )
    yield line


def _priority(question: Question) -> Iterator[str]:
    """Smallest `priority` that admits the known offers of a class, where its own is too small."""
    for policy_class in question.outlet.llq_classes:
        offers = [offer for offer in question.offers if offer.class_name == policy_class.name]
        needed_bps = sum(
            counted_bps(question, offer, offer.peak_packets_per_second) for offer in offers
        )
        if needed_bps == 0:
            continue
        needed_kbps = max(8, ceil(kbps_from_bps(needed_bps)))
        stated_bps = question.outlet.llq_rate_bps(policy_class)
        fit = ""
        if stated_bps is not None:
            if stated_bps >= needed_bps:
                continue
            fit = f"; {rate_text(kbps_from_bps(stated_bps))} kb/s is too little"
        if needed_bps > question.line_bps:
            link = f"more than the link, {rate_text(kbps_from_bps(question.line_bps))} kb/s"
            yield f"priority: {policy_class.name} offers {needed_kbps} kb/s, {link}"
            continue
        refused = _refused(question, policy_class, needed_kbps)
        if refused:
            yield f"priority: {policy_class.name} offers {needed_kbps} kb/s, {refused}"
            continue
        streams = sum(offer.streams for offer in offers if offer.has_streams)
        admitted = (
            f"{streams} streams of {policy_class.name}"
            if streams
            else f"what {policy_class.name} offers"
        )
        police = policy_class.police
        also = " with a `police` of that rate" if police is not None and police.drops else ""
        yield f"priority {needed_kbps}{also}: the least that admits {admitted}{fit}"


def _refused(question: Question, policy_class: PolicyClass, needed_kbps: int) -> str:
    """Why IOS does not take a `priority` beside what the other classes reserve; "" if it does."""
    admission = admission_of(question.outlet, question.platform)
    if isinstance(admission, Unknown):
        return ""
    own_bps = question.outlet.priority_bps(policy_class) or 0.0
    left_kbps = kbps_from_bps(admission.reservable_bps - admission.reserved_bps + own_bps)
    if needed_kbps <= left_kbps:
        return ""
    left = rate_text(max(left_kbps, 0.0))
    return f"and IOS admits {left} kb/s beside the other classes ({admission.why})"


def _fragment(question: Question, budget_ms: float | None, device: Device) -> Iterator[str]:
    outlet, framing = question.outlet, question.outlet.encapsulation
    if budget_ms is None or framing is None or outlet.fragment_bytes is not None:
        return
    if not framing.kind.fragments or (outlet.pvc is not None and not outlet.pvc.carries_ppp):
        return
    if question.line_bps > _LFI_UP_TO_BPS:
        return
    longest = outlet.largest_ms
    if longest is None or longest.value <= budget_ms:
        return
    place = outlet.bundle or outlet.session or outlet.interface
    if uninterleaved(device.facts, place) is not None:
        yield (
            f"ppp multilink interleave on interface {place.name}: it cuts fragments already, and "
            "nothing goes between them"
        )
        return
    fragment = fragment_for(outlet, budget_ms, slowest_bps(device, outlet))
    if not fragment.holds_voice:
        yield (
            f"fragment: none keeps {budget_ms:g} ms on the wire; that is "
            f"{count(fragment.size_bytes, 'byte')}, less than a voice packet"
        )
        return
    wire_kbps = rate_text(kbps_from_bps(outlet.wire_bps))
    yield (
        f"fragment {fragment.size_bytes} bytes: {fragment.time_ms:.1f} ms at "
        f"{rate_text(kbps_from_bps(fragment.rate_bps))} kb/s; {outlet.largest_ip_bytes} bytes take "
        f"{longest.value:.1f} ms at {wire_kbps} kb/s"
    )


def _tc(shaper: OutletShaper) -> Iterator[str]:
    """The line that SHP001 has, or why there is none."""
    if shaper.tc_ms <= VOICE_TC_MS:
        return
    bursts = short_interval(shaper)
    if shaper.why_tc_unknown is not None:
        yield f"shape: {shaper.why_tc_unknown}"
    elif isinstance(bursts, Unknown):
        yield f"shape: {bursts.reason}"
    else:
        yield (
            f"{bursts.line}: Tc {number(shaper.advised_tc_ms)} ms; now a packet may wait "
            f"{number(shaper.wait_ms(shaper.bc_bits))} ms for the next interval"
        )
