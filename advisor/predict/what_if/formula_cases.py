"""Formulas of the model with the numbers of an output."""

from collections.abc import Callable, Iterator
from math import ceil, floor, log10

from msgspec import Struct

from advisor.device.device import Device
from advisor.ground.quantity import Unknown
from advisor.ground.units import bps_from_bytes, bytes_in_ms, kbps_from_bps, ms_from_s
from advisor.ground.wording import load_words
from advisor.model import particles, wire_bytes, wire_ms
from advisor.outlet.background import ring_sizes
from advisor.outlet.class_bandwidth import llq_burst
from advisor.outlet.fragments import fragment_for
from advisor.outlet.framing import Encapsulation, Layer2
from advisor.outlet.offer import Offer
from advisor.outlet.operations import offers_at
from advisor.outlet.outlet import Outlet
from advisor.outlet.ring import RingFact
from advisor.outlet.scheduler import scheduler_of
from advisor.predict.classes import Question
from advisor.predict.classes.congested import CongestedCase, congested, solved_cases
from advisor.predict.classes.figures import SolvedClass
from advisor.predict.classes.solved import SolvedOutlet, solved_all
from advisor.predict.ring import Bound, largest_in_ring, longest_wait_ms
from advisor.predict.what_if import chosen_outlets
from advisor.predict.what_if.class_formulas import class_lines
from advisor.predict.what_if.subject import Subject
from advisor.predict.what_if.wred_formula import fixed_point_lines
from advisor.settings import Settings
from advisor.settings.tables import settings_of
from advisor.theory.ring import Ring, Size, sparse_wait_ms, units_held

_LEAST_DIGITS = 2
_OF_A_RING = ("ring-bound", "class-bound", "ring-content", "saturated-wait")
_OF_FLOWS = "wred-shares"
_OF_STATED = ("lower-delay", "fifo-delay", "backlog-delay", "shaper-backlog", "calls-alone")


class _Known(Struct, frozen=True):
    """An output with a known rate and framing; the longest packet has the larger framing.

    `question` is the congested case, `stated` that of its stated and measured traffic.
    """

    question: Question
    stated: Question
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


def case_of(name: str, question: Question, stated: Question, settings: Settings) -> tuple[str, ...]:
    """The formula of that name with the numbers of an output, one line for each case.

    Empty where the formula does not apply: no LLQ, no ATM, no shaper, no calls.
    """
    outlet = question.outlet
    if name not in _CASES or outlet.wire is None or outlet.encapsulation is None:
        return ()
    largest = outlet.largest_ip_bytes
    if name in _OF_A_RING:
        largest = largest_in_ring(outlet, question.offers)
    known = _Known(question, stated, settings, outlet.encapsulation, largest)
    return tuple(dict.fromkeys(_CASES[name](known)))  # kinds of ring may agree


def has_case(name: str) -> bool:
    """Whether a formula applies to outputs."""
    return name in _CASES or name == _OF_FLOWS


def _serialization(known: _Known) -> Iterator[str]:
    yield (
        f"{known.largest_ip_bytes} bytes, {known.wire_bytes} on the wire: "
        f"8 * {known.wire_bytes} / {known.rate_bps:.0f} = {_ms_to_multiply(known, 1)} ms"
    )


def _atm_cells(known: _Known) -> Iterator[str]:
    framing = known.encapsulation.high
    if framing.cells:
        yield (
            f"{known.largest_ip_bytes} bytes with {known.encapsulation.name}: 53 * "
            f"ceil(({known.largest_ip_bytes} + {framing.overhead_bytes} + 8) / 48) = "
            f"{known.wire_bytes} bytes"
        )


def _particles(known: _Known) -> Iterator[str]:
    ring, framing = known.question.outlet.ring, known.encapsulation.high
    sizes = {kind.particle_bytes for kind in ring.types} if ring is not None else set()
    for particle_bytes in sorted(size for size in sizes if size is not None):
        count = particles(known.largest_ip_bytes, framing.overhead_bytes, particle_bytes)
        total = known.largest_ip_bytes + framing.overhead_bytes
        yield f"ceil({total} / {particle_bytes}) = {count}"


def _ring_bound(known: _Known) -> Iterator[str]:
    for ring in _rings(known):
        for kind in ring.types:
            sizes = ring_sizes(known.question.offers, known.question.outlet) or (
                known.largest_ip_bytes,
            )
            bound = longest_wait_ms(
                kind, ring.limit_high, sizes, known.encapsulation.high, known.rate_bps
            )
            if kind.particle_bytes is None:
                factor = ring.limit_high + kind.beside_wire
                formula = (
                    f"({ring.limit_high} + {kind.beside_wire}) * {_ms_to_multiply(known, factor)}"
                )
            elif len(sizes) > 1:
                mix = ", ".join(map(str, sorted(sizes)))
                formula = (
                    f"worst mix of {mix} bytes in {ring.limit_high} particles of "
                    f"{kind.particle_bytes} bytes"
                )
            else:
                units = kind.units(known.largest_ip_bytes, known.encapsulation.high)
                formula = (
                    f"ceil({ring.limit_high} / {units}) * "
                    f"{_ms_to_multiply(known, ring.limit_high / units)} "
                    f"(particles of {kind.particle_bytes} bytes)"
                )
            yield f"{formula} = {bound:.1f} ms ({ring.source})"


def _ms_to_multiply(known: _Known, factor: float) -> str:
    """Time of the longest packet, with the digits that its product with a factor needs.

    Two digits after the point, more where half a unit of the last one would change the first digit
    of the product after the point, or fewer than three digits of the time would be left.
    """
    for_product = ceil(log10(max(1.0, factor))) + 1
    for_time = 2 - floor(log10(known.longest_ms))
    return f"{known.longest_ms:.{max(_LEAST_DIGITS, for_product, for_time)}f}"


def _ring_content(known: _Known) -> Iterator[str]:
    for ring in _rings(known):
        for kind in ring.types:
            units = kind.units(known.largest_ip_bytes, known.encapsulation.high)
            held = units_held(Ring(ring.limit_high), [Size(1.0, known.longest_ms, units)])
            yield (
                f"packets of {units}: {units} * ceil({ring.limit_high} / {units}) = "
                f"{held:.0f} {kind.unit}"
            )


def _saturated_wait(known: _Known) -> Iterator[str]:
    if not known.question.outlet.llq_classes:
        return
    for ring in _rings(known):
        for kind in ring.types:
            units = kind.units(known.largest_ip_bytes, known.encapsulation.high)
            size = Size(1.0, known.longest_ms, units)
            wait = sparse_wait_ms(Ring(ring.limit_high, kind.beside_wire), [size])
            ahead = wait / known.longest_ms - 0.5
            time_ms = _ms_to_multiply(known, ahead)
            yield (
                f"sparse probe, all others {known.largest_ip_bytes} bytes: "
                f"{time_ms} / 2 + {ahead:g} * {time_ms} = {wait:.1f} ms"
            )
    yield from _congested("ring-delay", known)


def _congested(name: str, known: _Known) -> Iterator[str]:
    """Every priority class in the congested case."""
    (case,) = solved_cases((known.question,))
    if isinstance(case, Unknown):
        return
    for solved in case.solved.classes:
        if solved.is_priority:
            when = f" while the lower classes are {load_words(case.lower)}"
            yield from class_lines(name, solved, case.solved, known.question, when)


def _of_llq(name: str) -> Callable[[_Known], Iterator[str]]:
    """Every priority class in the congested case, and as stated where that is another one."""

    def lines(known: _Known) -> Iterator[str]:
        yield from _congested(name, known)
        if known.stated != known.question:
            for solved, outlet in _stated(known):
                if solved.is_priority:
                    yield from class_lines(name, solved, outlet, known.stated)

    return lines


def _of_stated(name: str) -> Callable[[_Known], Iterator[str]]:
    """The classes as stated or measured that this formula answers."""

    def lines(known: _Known) -> Iterator[str]:
        for solved, outlet in _stated(known):
            yield from class_lines(name, solved, outlet, known.stated)

    return lines


def _stated(known: _Known) -> Iterator[tuple[SolvedClass, SolvedOutlet]]:
    (answer,) = solved_all((known.stated,))
    if not isinstance(answer, Unknown):
        yield from ((solved, answer) for solved in answer.classes)


def _class_bound(known: _Known) -> Iterator[str]:
    for _, first, ring in _llq(known):
        if first.mean.bound is not None:
            more_ms = first.mean.bound - ring.high_ms
            yield (
                f"class {first.name}: ring_bound {ring.high_ms:.1f} + packets of the LLQ "
                f"{more_ms:.1f} = {first.mean.bound:.1f} ms"
            )


def _llq(known: _Known) -> Iterator[tuple[CongestedCase, SolvedClass, Bound]]:
    """The first priority class in the congested case, with the bound of its ring."""
    (case,) = solved_cases((known.question,))
    if isinstance(case, Unknown) or case.ring_bound is None:
        return
    if (first := case.solved.first_priority) is not None:
        yield case, first, case.ring_bound


def _rings(known: _Known) -> Iterator[RingFact]:
    ring = known.question.outlet.ring
    if ring is not None and not known.question.outlet.ring_idle:
        yield ring


def _fragment_size(known: _Known) -> Iterator[str]:
    budget_ms = known.settings.budgets.serialization_ms
    if budget_ms is None:
        return
    fragment = fragment_for(known.question.outlet, budget_ms)
    header = known.encapsulation.high.overhead_bytes
    formula = f"{fragment.rate_bps:.0f} * {budget_ms:g} ms / 8"
    if known.encapsulation.high.cells:
        formula = f"48 * floor({formula} / 53) - {header} - 8"
    elif known.encapsulation.kind is Layer2.FRAME_RELAY:
        formula = f"{formula} - {header}"
    yield f"{formula} = {fragment.size_bytes} bytes"


def _shaper_interval(known: _Known) -> Iterator[str]:
    line_bps = known.question.line_bps
    if line_bps < known.rate_bps:
        scheduler = scheduler_of(known.question.outlet, known.question.platform)[0]
        tc_ms = scheduler.buckets.tc_ms(line_bps)
        bc_bits = 8 * bytes_in_ms(line_bps, tc_ms)
        yield f"{bc_bits:.0f} / {line_bps:.0f} = {tc_ms:g} ms ({scheduler.buckets.tc_basis[1]})"


def _priority_rate(known: _Known) -> Iterator[str]:
    for offer in known.question.offers:
        if offer.is_llq and offer.periodic and offer.packets_per_second:
            yield _calls_rate(offer, known.encapsulation.counted_bytes)


def _calls_rate(offer: Offer, header: int) -> str:
    period_ms = ms_from_s(offer.streams / (offer.packets_per_second or 1.0))
    kbps = kbps_from_bps(offer.streams * bps_from_bytes(offer.mean_ip_bytes + header, period_ms))
    return (
        f"{offer.streams} streams of {offer.class_name}: {offer.streams} * 8 * "
        f"({offer.mean_ip_bytes:g} + {header}) / {period_ms:g} ms = {kbps:.1f} kb/s"
    )


def _priority_burst(known: _Known) -> Iterator[str]:
    for policy_class in known.question.outlet.llq_classes:
        outlet = known.question.outlet
        rate_bps = outlet.priority_bps(policy_class)
        burst = llq_burst(outlet, policy_class)
        if rate_bps is not None and burst.default_bytes is not None:
            size, stated = burst.default_bytes, burst.stated_bytes
            instead = "" if stated is None else f", but {stated:g} bytes are configured"
            yield f"class {policy_class.name}: {rate_bps:.0f} * 0.2 / 8 = {size:.0f} bytes{instead}"


_CASES: dict[str, Callable[[_Known], Iterator[str]]] = {
    "serialization": _serialization,
    "atm-cells": _atm_cells,
    "particles": _particles,
    "ring-bound": _ring_bound,
    "class-bound": _class_bound,
    "ring-content": _ring_content,
    "saturated-wait": _saturated_wait,
    "ring-delay": _of_llq("ring-delay"),
    "calls-delay": _of_llq("calls-delay"),
    "shaper-delay": _of_llq("shaper-delay"),
    **{name: _of_stated(name) for name in _OF_STATED},
    "fragment-size": _fragment_size,
    "shaper-interval": _shaper_interval,
    "priority-rate": _priority_rate,
    "priority-burst": _priority_burst,
}


class FormulaCase(Struct, frozen=True):
    """A formula with the numbers of one output; no lines where it does not apply."""

    device: str
    object: str
    lines: tuple[str, ...]


def formula_cases(name: str, subject: Subject) -> tuple[FormulaCase, ...]:
    """A formula of the model with the numbers of each output of a device.

    Raises
    ------
    InputError
        If the device is not Cisco IOS, or there is no such output.
    """
    device = subject.reading.device
    settings = settings_of(subject.settings, device.name)
    return tuple(
        FormulaCase(device.name, outlet.label, formula_lines(name, device, outlet, settings))
        for outlet in chosen_outlets(device, subject.file, None)
    )


def formula_lines(name: str, device: Device, outlet: Outlet, settings: Settings) -> tuple[str, ...]:
    """A formula with the numbers of an output, by the settings of its device."""
    if name == _OF_FLOWS:
        return tuple(fixed_point_lines(device, outlet, settings))
    stated = Question(outlet, offers_at(device, outlet), device.platform)
    return case_of(name, congested(device, outlet), stated, settings)
