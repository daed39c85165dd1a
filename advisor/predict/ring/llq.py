"""Delay and jitter of the LLQ of an output behind ring and wire."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from advisor.device.platform import Decision
from advisor.outlet.class_bandwidth import llq_burst
from advisor.outlet.class_packet import SPARSE_HIGH_BYTES, SPARSE_LOW_BYTES, class_packet
from advisor.outlet.offer import Offer, background_mixes, unstated_classes
from advisor.outlet.outlet import Outlet
from advisor.outlet.scheduler import scheduler_of
from advisor.predict.ring.given_inputs import given_inputs
from advisor.predict.ring.packets import Mix, RingCase, llq_packets, load, lower_packets
from advisor.predict.ring.ring_bound import RingView
from advisor.predict.ring.unread import offers_within
from advisor.quantity import Figure, Input, enclosing
from advisor.settings.values import PacketShare
from advisor.theory.ring.tx_ring import (
    Ring,
    Size,
    Wait,
    mean_ipdv_ms,
    saturated_wait,
    sparse_wait_ms,
)
from advisor.theory.wire import Framing, wire_bytes, wire_ms
from advisor.units import serialization_ms

_CLUMP_MARGIN = 1.15  # the sparse formula is up to 14 % low if LLQ packets come in clumps


class Regime(StrEnum):
    """The packets that an LLQ packet waits for."""

    SATURATED = "saturated lower class"
    BELOW = "below saturation"
    ALONE = "no other traffic"


class LlqDelay(Struct, frozen=True):
    """One-way delay of LLQ packets in ms: wait and own transmission; and their mean |ipdv|.

    The bound of `in_ring` is that of the ring alone; `wait` has the LLQ's own bursts too.
    """

    regime: Regime
    in_ring: Figure  # ring and wire only
    wait: Figure  # ring, wire and the LLQ's own queue, own transmission excluded
    delay: Figure
    ipdv: Figure
    inputs: tuple[Input, ...]


def llq_delay(
    view: RingView, offers: tuple[Offer, ...], platform: Decision, low: int, high: int
) -> LlqDelay:
    """Predict the LLQ of an output with a ring of `low` to `high` units.

    A lower class without known traffic is taken as saturated with packets between IMIX and the
    MTU. An LLQ without known traffic is taken as sparse (60 to 200 bytes). If only the mean size
    of a lower class was measured, two cases are solved: packets of that size, and the widest mix
    with that mean (smallest and largest packets). Where a class of the counted policy is not
    understood, an LLQ without known traffic is taken at its rate, too. Classes that are never
    empty divide the wire as the scheduler of `platform` does.

    Raises
    ------
    OverloadError
        If the stated LLQ traffic alone fills the wire.
    """
    results = [
        _solve(view, within, case)
        for within in offers_within(view, offers)
        for case in _cases(view, offers, platform, low, high)
    ]
    own = _own_ms(view, offers)
    ring_bound = view.bound(low, high).high_ms
    bound = ring_bound + _burst_ms(view, offers)
    wait = _figure([result.whole for result in results], bound)
    delay = Figure(
        wait.value + own.value, wait.low + own.low, wait.high + own.high, "ms", bound + own.high
    )
    jitters = [mean_ipdv_ms(result.wait) for result in results]
    ipdv = Figure(sum(jitters) / len(jitters), 0.0, max(jitters), "ms", None)
    unstated = bool(unstated_classes(view.outlet, offers))
    inputs = given_inputs(view.outlet, view.encapsulation, offers, unstated=unstated)
    in_ring = _figure([result.in_ring for result in results], ring_bound)
    return LlqDelay(results[0].regime, in_ring, wait, delay, ipdv, inputs)


def _cases(
    view: RingView, offers: tuple[Offer, ...], platform: Decision, low: int, high: int
) -> list[RingCase]:
    """All corners of the unknown inputs."""
    mean_only = any(offer.mean_only and not offer.is_llq for offer in offers)
    return [
        RingCase(Ring(limit, kind.beside_wire), kind, framing, scheduler, background, widest)
        for limit in dict.fromkeys((low, high))
        for kind in view.types
        for framing in _framings(view)
        for scheduler in scheduler_of(view.outlet, platform)
        for background in _backgrounds(view.outlet, offers)
        for widest in ((None, view.outlet.largest_ip_bytes) if mean_only else (None,))
    ]


def _backgrounds(
    outlet: Outlet, offers: tuple[Offer, ...]
) -> tuple[tuple[tuple[str, Mix], ...], ...]:
    """Packets of all lower classes without known traffic: the smallest and the largest."""
    names = unstated_classes(outlet, offers)
    if not names:
        return ((),)
    ends = zip(*(_class_ends(outlet, offers, name) for name in names), strict=True)
    return tuple(tuple(zip(names, mixes, strict=True)) for mixes in ends)


def _class_ends(outlet: Outlet, offers: tuple[Offer, ...], name: str) -> tuple[Mix, ...]:
    policy_class = outlet.class_named(name)
    if policy_class is None or policy_class.wred is None:
        return background_mixes(outlet)
    packet = class_packet(outlet, offers, name)
    return tuple((PacketShare(round(end), 1.0),) for end in (packet.low, packet.high))


def llq_bound_ms(
    view: RingView, offers: tuple[Offer, ...], platform: Decision, low: int, high: int
) -> float:
    """Only the bound of the LLQ's delay that `llq_delay` gives.

    Raises
    ------
    OverloadError
        If the stated LLQ traffic alone fills the wire.
    """
    kind, scheduler = view.types[0], scheduler_of(view.outlet, platform)[0]
    for framing in _framings(view):
        _llq(view, offers, RingCase(Ring(high), kind, framing, scheduler))
    bound = view.bound(low, high).high_ms + _burst_ms(view, offers)
    return bound + _own_ms(view, offers).high


class OverloadError(Exception):
    """The stated LLQ traffic is more than the wire carries."""


class _Span(Struct, frozen=True):
    """A mean in ms, with the ends that the formulas give it."""

    value_ms: float
    low_ms: float
    high_ms: float


class _Result(Struct, frozen=True):
    """One case: the wait in ring and wire, and the whole wait with the LLQ's own queue."""

    regime: Regime
    in_ring: _Span
    whole: _Span
    wait: Wait


def _solve(view: RingView, offers: tuple[Offer, ...], case: RingCase) -> _Result:
    llq = _llq(view, offers, case)
    lower, saturated = lower_packets(offers, case, load(llq))
    streams = _periodic_streams(offers)
    if not lower:
        return _alone(llq, streams)
    full = saturated_wait(case.ring, llq, lower, streams)
    sparse_ms = sparse_wait_ms(case.ring, llq, lower) * _CLUMP_MARGIN
    ring_high_ms = sparse_wait_ms(case.ring, (), lower) * _CLUMP_MARGIN
    if saturated or load(llq) + load(lower) >= 1:
        in_ring = _Span(full.ring_ms, full.ring_ms, ring_high_ms)
        most_ms = sparse_ms if llq else full.mean_ms
        return _Result(Regime.SATURATED, in_ring, _Span(full.mean_ms, full.ring_ms, most_ms), full)
    # Below saturation: unfinished work, which waits outside of the ring where the ring is full.
    work_ms = _poisson_work_ms([*llq, *lower])
    value_ms, ring_ms = min(work_ms, full.mean_ms), min(work_ms, full.ring_ms)
    return _Result(
        Regime.BELOW,
        _Span(ring_ms, 0.0, ring_high_ms),
        _Span(value_ms, 0.0, sparse_ms),
        Wait(value_ms, ring_ms, value_ms),
    )


def _alone(llq: list[Size], streams: int) -> _Result:
    own_ms = 0.0 if streams == 1 else _poisson_work_ms(llq)
    span = _Span(own_ms, 0.0 if streams else own_ms, own_ms)
    return _Result(Regime.ALONE, span, span, Wait(own_ms, own_ms, own_ms))


def _llq(view: RingView, offers: tuple[Offer, ...], case: RingCase) -> list[Size]:
    llq = llq_packets(offers, case)
    if load(llq) >= 1:
        raise OverloadError(f"the LLQ of {view.outlet.label} offers {load(llq):.0%} of the wire")
    return llq


def _poisson_work_ms(sizes: Sequence[Size]) -> float:
    """Mean unfinished work of M/G/1 in ms (Pollaczek-Khinchine)."""
    second = sum(size.packets_per_ms * size.wire_ms**2 for size in sizes)
    return second / 2 / (1 - load(sizes))


def _framings(view: RingView) -> tuple[Framing, ...]:
    return tuple(dict.fromkeys((view.encapsulation.low, view.encapsulation.high)))


def _periodic_streams(offers: tuple[Offer, ...]) -> int:
    """Number of periodic LLQ streams; 0 where one of them is not periodic."""
    llq = [offer for offer in offers if offer.is_llq]
    return sum(offer.streams for offer in llq) if all(offer.periodic for offer in llq) else 0


def _own_ms(view: RingView, offers: tuple[Offer, ...]) -> Figure:
    """The LLQ packet's own transmission; with a measured mean the single sizes are not known."""
    priority = [offer for offer in offers if offer.is_llq]
    sizes = [size.ip_bytes for offer in priority for size in offer.sizes]
    known = bool(sizes) and not any(offer.mean_only for offer in priority)
    if not known:
        sizes += [SPARSE_LOW_BYTES, SPARSE_HIGH_BYTES]
    times = [wire_ms(size, framing, view.rate_bps) for size in sizes for framing in _framings(view)]
    means = [offer.mean_ip_bytes for offer in priority if offer.sizes]
    means = means or [sum(sizes) / len(sizes)]
    framing = _framings(view)[-1]
    value = sum(wire_ms(round(mean), framing, view.rate_bps) for mean in means) / len(means)
    low = value if known else min(times)
    high = value if known else max(times)
    return Figure(value, low, high, "ms", max(times))


def _burst_ms(view: RingView, offers: tuple[Offer, ...]) -> float:
    """Wire time of the LLQ packets that can stand before another.

    For periodic streams, one packet of each other stream; else the bursts that the policer lets
    pass.
    """
    llq = [offer for offer in offers if offer.is_llq and offer.sizes]
    if not llq or not all(offer.periodic for offer in llq):
        return _policer_burst_ms(view)
    framing = _framings(view)[-1]
    longest = [
        max(wire_ms(size.ip_bytes, framing, view.rate_bps) for size in offer.sizes) for offer in llq
    ]
    packets_ms = sum(offer.streams * ms for offer, ms in zip(llq, longest, strict=True))
    return packets_ms - min(longest)


def _policer_burst_ms(view: RingView) -> float:
    """Wire time of the bursts that the LLQ's policers let pass.

    A policer counts the layer-2 header without flags, FCS and cells: small packets take the most
    wire time per counted byte.
    """
    outlet, framing = view.outlet, _framings(view)[-1]
    counted = SPARSE_LOW_BYTES + outlet.counted_bytes
    inflation = wire_bytes(SPARSE_LOW_BYTES, framing) / counted
    bursts = [llq_burst(outlet, policy_class).size_bytes for policy_class in outlet.llq_classes]
    burst_bytes = sum(burst for burst in bursts if burst is not None)
    return serialization_ms(burst_bytes * inflation, view.rate_bps)


def _figure(spans: Sequence[_Span], bound: float) -> Figure:
    value = sum(span.value_ms for span in spans) / len(spans)
    low, high = min(span.low_ms for span in spans), max(span.high_ms for span in spans)
    values = [span.value_ms for span in spans]
    return enclosing(value, min(low, *values), max(high, *values), "ms", bound)
