"""Formulas of the model with the numbers of an output put in."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from advisor.outlet.class_bandwidth import llq_burst
from advisor.outlet.framing import Encapsulation
from advisor.outlet.offer import Offer, ring_sizes
from advisor.outlet.ring import RingFact
from advisor.outlet.scheduler import scheduler_of
from advisor.predict.classes.demand import Question
from advisor.predict.ring.ring_bound import largest_in_ring
from advisor.settings.values import Settings
from advisor.theory.ring.tx_ring import Ring, Size, sparse_wait_ms, units_held
from advisor.theory.wire import particles, wire_bytes, wire_ms
from advisor.units import bps_from_bytes, bytes_in_ms, kbps_from_bps, ms_from_s

_OF_A_RING = ("ring-bound", "ring-content", "saturated-wait")


class _Known(Struct, frozen=True):
    """An output of which rate and framing are known; the longest packet in the worst framing."""

    question: Question
    settings: Settings
    encapsulation: Encapsulation
    largest_ip_bytes: int

    @property
    def rate_bps(self) -> float:
        return self.question.wire_bps

    @property
    def wire_bytes(self) -> int:
        return wire_bytes(self.largest_ip_bytes, self.encapsulation.high)

    @property
    def longest_ms(self) -> float:
        return wire_ms(self.largest_ip_bytes, self.encapsulation.high, self.rate_bps)


def case_of(name: str, question: Question, settings: Settings) -> tuple[str, ...]:
    """The formula of that name with the numbers of an output, a line for each that it has.

    Empty where it says nothing of the output: no LLQ, no ATM, no shaper, no calls.
    """
    outlet = question.outlet
    if name not in _CASES or outlet.wire is None or outlet.encapsulation is None:
        return ()
    largest = outlet.largest_ip_bytes
    if name in _OF_A_RING:
        largest = largest_in_ring(outlet, question.offers)
    known = _Known(question, settings, outlet.encapsulation, largest)
    return tuple(dict.fromkeys(_CASES[name](known)))  # kinds of ring may agree


def has_case(name: str) -> bool:
    """Whether a formula speaks of an output."""
    return name in _CASES


def _serialization(of: _Known) -> Iterator[str]:
    yield (
        f"{of.largest_ip_bytes} bytes, {of.wire_bytes} on the wire: "
        f"8 * {of.wire_bytes} / {of.rate_bps:.0f} = {of.longest_ms:.2f} ms"
    )


def _atm_cells(of: _Known) -> Iterator[str]:
    framing = of.encapsulation.high
    if framing.cells:
        yield (
            f"{of.largest_ip_bytes} bytes with {of.encapsulation.name}: 53 * "
            f"ceil(({of.largest_ip_bytes} + {framing.overhead_bytes} + 8) / 48) = "
            f"{of.wire_bytes} bytes"
        )


def _particles(of: _Known) -> Iterator[str]:
    ring, framing = of.question.outlet.ring, of.encapsulation.high
    sizes = {each.particle_bytes for each in ring.types} if ring is not None else set()
    for size in sorted(each for each in sizes if each is not None):
        count = particles(of.largest_ip_bytes, framing.overhead_bytes, size)
        total = of.largest_ip_bytes + framing.overhead_bytes
        yield f"ceil({total} / {size}) = {count}"


def _ring_bound(of: _Known) -> Iterator[str]:
    for ring in _rings(of):
        for kind in ring.types:
            sizes = ring_sizes(of.question.offers, of.question.outlet) or (of.largest_ip_bytes,)
            bound = kind.bound_ms(ring.limit_high, sizes, of.encapsulation.high, of.rate_bps)
            if kind.particle_bytes is None:
                sum_of = f"({ring.limit_high} + {kind.beside_wire}) * {of.longest_ms:.2f}"
            elif len(sizes) > 1:
                mix = ", ".join(map(str, sorted(sizes)))
                sum_of = (
                    f"worst mix of {mix} bytes in {ring.limit_high} particles of "
                    f"{kind.particle_bytes} bytes"
                )
            else:
                units = kind.units(of.largest_ip_bytes, of.encapsulation.high)
                sum_of = (
                    f"ceil({ring.limit_high} / {units}) * {of.longest_ms:.2f} "
                    f"(particles of {kind.particle_bytes} bytes)"
                )
            yield f"{sum_of} = {bound:.1f} ms ({ring.source})"


def _ring_content(of: _Known) -> Iterator[str]:
    for ring in _rings(of):
        for kind in ring.types:
            units = kind.units(of.largest_ip_bytes, of.encapsulation.high)
            held = units_held(Ring(ring.limit_high), [Size(1.0, of.longest_ms, units)])
            yield (
                f"packets of {units}: {units} * ceil({ring.limit_high} / {units}) = "
                f"{held:.0f} {kind.unit}"
            )


def _saturated_wait(of: _Known) -> Iterator[str]:
    if not of.question.outlet.llq_classes:
        return
    for ring in _rings(of):
        for kind in ring.types:
            units = kind.units(of.largest_ip_bytes, of.encapsulation.high)
            size = Size(1.0, of.longest_ms, units)
            wait = sparse_wait_ms(Ring(ring.limit_high, kind.beside_wire), (), [size])
            ahead = wait / of.longest_ms - 0.5
            yield (
                f"sparse probe, all others {of.largest_ip_bytes} bytes: {of.longest_ms:.2f} / 2 + "
                f"{ahead:g} * {of.longest_ms:.2f} = {wait:.1f} ms"
            )


def _rings(of: _Known) -> Iterator[RingFact]:
    ring = of.question.outlet.ring
    if ring is not None and not of.question.outlet.ring_idle:
        yield ring


def _fragment_size(of: _Known) -> Iterator[str]:
    budget_ms = of.settings.budgets.serialization_ms
    if budget_ms is not None:
        line_bps = of.question.line_bps
        size = of.question.outlet.fragment_for(budget_ms)
        yield f"{line_bps:.0f} * {budget_ms:g} ms / 8 = {size} bytes"


def _shaper_interval(of: _Known) -> Iterator[str]:
    line_bps = of.question.line_bps
    if line_bps < of.rate_bps:
        scheduler = scheduler_of(of.question.outlet, of.question.train)[0]
        tc_ms = scheduler.tc_ms(line_bps)
        bc_bits = 8 * bytes_in_ms(line_bps, tc_ms)
        yield f"{bc_bits:.0f} / {line_bps:.0f} = {tc_ms:g} ms ({scheduler.tc_basis[1]})"


def _priority_rate(of: _Known) -> Iterator[str]:
    for offer in of.question.offers:
        if offer.is_llq and offer.periodic and offer.packets_per_second:
            yield _of_calls(offer, of.encapsulation.counted_bytes)


def _of_calls(offer: Offer, header: int) -> str:
    period_ms = ms_from_s(offer.streams / (offer.packets_per_second or 1.0))
    kbps = kbps_from_bps(offer.streams * bps_from_bytes(offer.mean_ip_bytes + header, period_ms))
    return (
        f"{offer.streams} streams of {offer.class_name}: {offer.streams} * 8 * "
        f"({offer.mean_ip_bytes:g} + {header}) / {period_ms:g} ms = {kbps:.1f} kb/s"
    )


def _priority_burst(of: _Known) -> Iterator[str]:
    for each in of.question.outlet.llq_classes:
        rate_bps = of.question.outlet.llq_rate_bps(each)
        burst = llq_burst(of.question.outlet, each)
        if rate_bps is not None and burst.default_bytes is not None:
            size, stated = burst.default_bytes, burst.stated_bytes
            instead = "" if stated is None else f", but {stated:g} bytes are configured"
            yield f"class {each.name}: {rate_bps:.0f} * 0.2 / 8 = {size:.0f} bytes{instead}"


_CASES: dict[str, Callable[[_Known], Iterator[str]]] = {
    "serialization": _serialization,
    "atm-cells": _atm_cells,
    "particles": _particles,
    "ring-bound": _ring_bound,
    "ring-content": _ring_content,
    "saturated-wait": _saturated_wait,
    "fragment-size": _fragment_size,
    "shaper-interval": _shaper_interval,
    "priority-rate": _priority_rate,
    "priority-burst": _priority_burst,
}
