"""Delay and jitter of the LLQ of an output behind ring and wire."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from advisor.outlet.class_bandwidth import llq_burst
from advisor.outlet.class_packet import SPARSE_HIGH_BYTES, SPARSE_LOW_BYTES, class_packet
from advisor.outlet.offer import Offer, background_mixes, unstated_classes
from advisor.outlet.outlet import Outlet
from advisor.outlet.ring import RingType
from advisor.predict.ring.given_inputs import given_inputs
from advisor.predict.ring.ring_bound import RingView
from advisor.quantity import Figure, Input
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
from advisor.units import s_from_ms, serialization_ms

_SMALLEST_BYTES = 40  # a TCP acknowledgement
_LEAST_LEFT = 0.05  # of the wire, for unstated classes beside stated ones that fill it
_CLUMP_MARGIN = 1.15  # the sparse formula is up to 14 % low if LLQ packets come in clumps


class Regime(StrEnum):
    """The packets that an LLQ packet waits for."""

    SATURATED = "saturated lower class"
    BELOW = "below saturation"
    ALONE = "no other traffic"


class LlqDelay(Struct, frozen=True):
    """One-way delay of LLQ packets in ms: wait and own transmission; and their mean |ipdv|."""

    regime: Regime
    wait: Figure  # ring, wire and the LLQ's own queue, own transmission excluded
    delay: Figure
    ipdv: Figure
    inputs: tuple[Input, ...]


class _Case(Struct, frozen=True):
    """One corner of the unknown inputs: ring type and limit, framing, background."""

    ring: Ring
    kind: RingType
    framing: Framing
    background: tuple[PacketShare, ...] | None  # of unstated lower classes
    widest_ip_bytes: int | None = None  # a mean is then a mix of the smallest and these packets


def llq_delay(view: RingView, offers: tuple[Offer, ...], low: int, high: int) -> LlqDelay:
    """Predict the LLQ of an output with a ring of `low` to `high` units.

    A lower class without known traffic is taken as saturated with packets between IMIX and the
    MTU. An LLQ without known traffic is taken as sparse (60 to 200 bytes). If only the mean size
    of a lower class was measured, two cases are solved: packets of that size, and the widest mix
    with that mean (smallest and largest packets).

    Raises
    ------
    OverloadError
        If the stated LLQ traffic alone fills the wire.
    """
    unstated = bool(unstated_classes(view.outlet, offers))
    corners = _background_corners(view.outlet, offers) if unstated else (None,)
    mean_only = any(offer.mean_only and not offer.is_llq for offer in offers)
    cases = [
        _Case(Ring(limit, kind.beside_wire), kind, framing, corner, widest)
        for limit in dict.fromkeys((low, high))
        for kind in view.types
        for framing in _framings(view)
        for corner in corners
        for widest in ((None, view.outlet.largest_ip_bytes) if mean_only else (None,))
    ]
    results = [_solve(view, offers, case) for case in cases]
    own = _own_ms(view, offers)
    bound = view.bound(low, high).high_ms + _burst_ms(view, offers)
    wait = _figure(
        [result.low_ms for result in results],
        [result.high_ms for result in results],
        [result.value_ms for result in results],
        bound,
    )
    delay = Figure(
        wait.value + own.value, wait.low + own.low, wait.high + own.high, "ms", bound + own.high
    )
    jitters = [mean_ipdv_ms(result.wait) for result in results]
    ipdv = Figure(sum(jitters) / len(jitters), 0.0, max(jitters), "ms", None)
    inputs = given_inputs(view.outlet, view.encapsulation, offers, unstated=unstated)
    return LlqDelay(results[0].regime, wait, delay, ipdv, inputs)


def _background_corners(
    outlet: Outlet, offers: tuple[Offer, ...]
) -> tuple[tuple[PacketShare, ...], ...]:
    """Packets of all lower classes without known traffic: the smallest and the largest."""
    names = unstated_classes(outlet, offers)
    ends = zip(*(_class_corners(outlet, offers, name) for name in names), strict=True)
    return tuple(
        tuple(PacketShare(size.ip_bytes, size.share / len(names)) for mix in mixes for size in mix)
        for mixes in ends
    )


def _class_corners(
    outlet: Outlet, offers: tuple[Offer, ...], name: str
) -> tuple[tuple[PacketShare, ...], ...]:
    policy_class = outlet.class_named(name)
    if policy_class is None or policy_class.wred is None:
        return background_mixes(outlet)
    packet = class_packet(outlet, offers, name)
    return tuple((PacketShare(round(end), 1.0),) for end in (packet.low, packet.high))


def llq_bound_ms(view: RingView, offers: tuple[Offer, ...], low: int, high: int) -> float:
    """Only the bound of the LLQ's delay that `llq_delay` gives.

    Raises
    ------
    OverloadError
        If the stated LLQ traffic alone fills the wire.
    """
    for framing in _framings(view):
        case = _Case(Ring(high), view.types[0], framing, None)
        _llq_sizes(view, offers, case)
    bound = view.bound(low, high).high_ms + _burst_ms(view, offers)
    return bound + _own_ms(view, offers).high


class OverloadError(Exception):
    """The stated LLQ traffic is more than the wire carries."""


class _Result(Struct, frozen=True):
    regime: Regime
    value_ms: float
    low_ms: float
    high_ms: float
    wait: Wait


def _solve(view: RingView, offers: tuple[Offer, ...], case: _Case) -> _Result:
    llq = _llq_sizes(view, offers, case)
    lower = [offer for offer in offers if not offer.is_llq]
    others = [size for offer in lower for size in _sizes(offer, case, view.rate_bps)]
    saturated = any(offer.packets_per_second is None for offer in lower)
    if case.background is not None:
        left = max(1 - _load(llq) - _load(others), _LEAST_LEFT)
        single = _shares(case.background, 1.0, case, view.rate_bps)
        others += _shares(case.background, left / _load(single), case, view.rate_bps)
        saturated = True
    streams = _periodic_streams(offers)
    if saturated or _load(llq) + _load(others) >= 1:
        return _saturated(case.ring, llq, others, streams)
    return _unsaturated(case.ring, llq, others, streams)


def _llq_sizes(view: RingView, offers: tuple[Offer, ...], case: _Case) -> list[Size]:
    llq = [size for offer in offers if offer.is_llq for size in _sizes(offer, case, view.rate_bps)]
    load = _load(llq)
    if load >= 1:
        raise OverloadError(f"the LLQ of {view.outlet.label} offers {load:.0%} of the wire")
    return llq


def _saturated(ring: Ring, llq: list[Size], others: list[Size], streams: int) -> _Result:
    wait = saturated_wait(ring, llq, others, streams)
    if not llq:
        return _Result(Regime.SATURATED, wait.mean_ms, wait.mean_ms, wait.mean_ms, wait)
    high_ms = sparse_wait_ms(ring, llq, others) * _CLUMP_MARGIN
    return _Result(Regime.SATURATED, wait.mean_ms, wait.ring_ms, high_ms, wait)


def _unsaturated(ring: Ring, llq: list[Size], others: list[Size], streams: int) -> _Result:
    """From the LLQ's wait for itself to the saturated case; the value by Pollaczek-Khinchine."""
    work_ms = _poisson_work_ms([*llq, *others])
    own_ms = 0.0 if streams == 1 else _poisson_work_ms(llq)
    if not others:
        low_ms = 0.0 if streams else own_ms
        return _Result(Regime.ALONE, own_ms, low_ms, own_ms, Wait(own_ms, own_ms, own_ms))
    ceiling = sparse_wait_ms(ring, llq, others) * _CLUMP_MARGIN
    value_ms = min(work_ms, ceiling)
    return _Result(Regime.BELOW, value_ms, 0.0, ceiling, Wait(value_ms, value_ms, value_ms))


def _poisson_work_ms(sizes: Sequence[Size]) -> float:
    """Mean unfinished work of M/G/1 in ms (Pollaczek-Khinchine)."""
    load = _load(sizes)
    second = sum(size.packets_per_ms * size.wire_ms**2 for size in sizes)
    return second / 2 / (1 - load)


def _load(sizes: Sequence[Size]) -> float:
    return sum(size.packets_per_ms * size.wire_ms for size in sizes)


def _sizes(offer: Offer, case: _Case, rate_bps: float) -> list[Size]:
    per_s = offer.packets_per_second
    per_ms = offer.weight if per_s is None else s_from_ms(per_s)
    if per_ms == 0:
        return []
    return _shares(spread(offer, case.widest_ip_bytes), per_ms, case, rate_bps)


def spread(offer: Offer, widest_ip_bytes: int | None) -> tuple[PacketShare, ...]:
    """Sizes of an offer; a lower class with a measured mean may get the widest mix."""
    if widest_ip_bytes is None or not offer.mean_only or offer.is_llq:
        return offer.sizes
    mean = offer.mean_ip_bytes
    if not _SMALLEST_BYTES < mean < widest_ip_bytes:
        return offer.sizes
    share = (mean - _SMALLEST_BYTES) / (widest_ip_bytes - _SMALLEST_BYTES)
    return (PacketShare(_SMALLEST_BYTES, 1 - share), PacketShare(widest_ip_bytes, share))


def _shares(
    shares: tuple[PacketShare, ...], per_ms: float, case: _Case, rate_bps: float
) -> list[Size]:
    return [
        Size(
            per_ms * size.share,
            wire_ms(size.ip_bytes, case.framing, rate_bps),
            case.kind.units(size.ip_bytes, case.framing),
        )
        for size in shares
    ]


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
    means = [offer.mean_ip_bytes for offer in priority] or [sum(sizes) / len(sizes)]
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


def _figure(lows: list[float], highs: list[float], values: list[float], bound: float) -> Figure:
    value = sum(values) / len(values)
    return Figure(min(value, bound), min(lows), min(max(highs), bound), "ms", bound)
