"""Rings whose size does harm, is refused, has no use, or differs from what the driver uses."""

from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attachments, hiding, interface_line
from advisor.facts.interface import Interface, Pvc, Side
from advisor.facts.policy import PolicyClass, Unit
from advisor.ground.quantity import Basis, count, exact, point, rate_text, rate_words
from advisor.ground.questions import derived
from advisor.ground.units import (
    bps_from_kbps,
    bytes_in_ms,
    kbps_from_bps,
    ms_from_s,
    percent_from_ratio,
    serialization_ms,
)
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.txr import (
    JudgedRing,
    RingBudget,
    RingPlace,
    judged,
    judged_ring,
    ring_place,
    ring_place_of,
)
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.model import Framing, wire_bytes
from advisor.outlet.background import IMIX_MEAN_BYTES
from advisor.outlet.carriers import carriers_of
from advisor.outlet.class_service import service_at
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.parts import policy_queues
from advisor.outlet.ring import ObservedRing, observed_ring
from advisor.outlet.ring_homes import RingHome, default_ring, freed_ring, ring_homes
from advisor.outlet.wires import wire_rate
from advisor.predict.classes.congested import congested

# A tx-ring-limit that the platform refuses or rounds up.


class BelowMinimumParams(Struct, frozen=True):
    """Smallest limit of an xDSL or ATM circuit that any platform is sure to take."""

    unknown_platform_minimum: int


class BelowMinimum(Struct, frozen=True):
    """The ring and the smallest limit that the platform takes."""

    limit: int
    advised: int
    platform: str
    place: RingPlace


def find_tx_ring_below_platform_minimum(
    device: Device, params: BelowMinimumParams
) -> Found[BelowMinimum]:
    """Yield a hit for each configured ring under the platform's minimum."""
    for home in ring_homes(device):
        is_known = home.ring.platform_known
        atm = home.pvc is not None or home.interface.type == "ATM"
        minimum = home.ring.minimum
        if not is_known and atm:
            minimum = params.unknown_platform_minimum
        if home.stated.value >= minimum:
            continue
        name = device.platform.model_name or "an unknown platform"
        if device.platform.model_name is not None and not is_known:
            name += " (not in the table of rings; xDSL takes no less)"
        place = ring_place(home.interface.name, home.pvc)
        evidence = BelowMinimum(home.stated.value, minimum, name, place)
        is_sure = is_known and home.ring.is_minimum_sourced
        confidence = Confidence.LIKELY if is_sure else Confidence.POSSIBLE
        yield Hit(home.label, (home.stated.at,), evidence, confidence)


# A ring of particles that one full-size packet overfills.


class BelowPacket(Struct, frozen=True):
    """The ring, the packet and the particles that it takes."""

    ring: str  # "1 particle", "2 particles"
    mtu_bytes: int
    particle_bytes: str
    advised: int
    place: RingPlace


def find_tx_ring_smaller_than_packet(device: Device) -> Found[BelowPacket]:
    """Yield a hit for each configured ring of fewer particles than the MTU takes."""
    for home in ring_homes(device):
        counting_types = [
            ring_type for ring_type in home.ring.types if ring_type.particle_bytes is not None
        ]
        needed = [ring_type.units(home.mtu_bytes, home.framing) for ring_type in counting_types]
        if needed and home.stated.value < max(needed):
            yield _below_packet(
                home, max(needed), certain=len(counting_types) == len(home.ring.types)
            )


def _below_packet(home: RingHome, advised: int, *, certain: bool) -> Hit[BelowPacket]:
    sizes = sorted(
        {ring_type.particle_bytes for ring_type in home.ring.types if ring_type.particle_bytes}
    )
    evidence = BelowPacket(
        ring=count(home.stated.value, "particle"),
        mtu_bytes=home.mtu_bytes,
        particle_bytes=" or ".join(str(size) for size in sizes),
        advised=advised,
        place=ring_place(home.interface.name, home.pvc),
    )
    return Hit(
        home.label,
        (home.stated.at,),
        evidence,
        Confidence.LIKELY if certain else Confidence.POSSIBLE,
        severity=None if certain else Severity.INFO,
    )


# A ring of one or two packets on a fast line: each packet or two costs an interrupt.


class ShallowRingParams(Struct, frozen=True):
    """The largest ring that counts as short, the rate from which it does, and the ring's budget."""

    short_ring_packets: int
    above_kbps: float
    ring_wait_ms: float | None


class ShallowRing(Struct, frozen=True):
    """The ring, the packets that the line sends, and the longest ring within the budget."""

    limit: int
    rate_kbps: str
    packets_per_second: str
    longest: int
    bound_ms: float
    budget_ms: float


def find_tx_ring_too_shallow_for_rate(
    device: Device, params: ShallowRingParams
) -> Found[ShallowRing]:
    """Yield a hit for each short ring of packets before a fast wire that could be longer.

    Only a ring that the configuration states, or that was observed, is judged; each ring once.
    """
    seen = set()
    for entry in judged(device, params.ring_wait_ms):
        if isinstance(entry, Skip):
            continue  # TXR001 says why this ring is not judged
        if entry.outlet.ring_key not in seen and _is_short(entry, params):
            seen.add(entry.outlet.ring_key)
            yield _shallow_ring(entry, params.ring_wait_ms or 0.0)


def _is_short(entry: JudgedRing, params: ShallowRingParams) -> bool:
    ring, wire_bps = entry.ring, entry.outlet.wire_bps
    in_packets = all(kind.particle_bytes is None for kind in ring.types)
    is_known = ring.basis in (Basis.CONFIGURED, Basis.MEASURED)
    return (
        in_packets
        and is_known
        and ring.limit_high <= params.short_ring_packets
        and wire_bps > bps_from_kbps(params.above_kbps)
        and entry.advice.meets is not False
        and entry.advice.limit > ring.limit_high
    )


def _shallow_ring(entry: JudgedRing, budget_ms: float) -> Hit[ShallowRing]:
    outlet, ring, advice = entry.outlet, entry.ring, entry.advice
    fewest, most = _packets_per_second(outlet)
    return Hit(
        outlet.label,
        (ring.at, outlet.at) if ring.at is not None else (outlet.at,),
        ShallowRing(
            ring.limit_high,
            rate_text(kbps_from_bps(outlet.wire_bps)),
            f"{fewest:.0f}-{most:.0f}",
            advice.limit,
            advice.bound.high_ms,
            budget_ms,
        ),
        Confidence.LIKELY if ring.platform_known else Confidence.POSSIBLE,
    )


def _packets_per_second(outlet: Outlet) -> tuple[float, float]:
    """Packets that fill the wire in a second: of the MTU, and of the mean of IMIX."""
    per_second = bytes_in_ms(outlet.wire_bps, ms_from_s(1.0))
    framing = outlet.encapsulation
    low, high = (Framing(0), Framing(0)) if framing is None else (framing.low, framing.high)
    largest = wire_bytes(int(outlet.mtu.value), high)
    return per_second / largest, per_second / wire_bytes(IMIX_MEAN_BYTES, low)


# A tuned class whose queue is shorter than the ring: the order of the scheduler is lost in it.

_SHORTEST: Final = "the ring is as short as it can be: give the class more queue"


class SaturatedRing(Struct, frozen=True):
    """Contents of the ring and of the class's queue, in ms of full-size packets."""

    class_name: str
    policy_map: str
    queue_ms: float
    ring: str
    ring_ms: float
    ring_share_percent: float
    advised: int
    place: RingPlace


def find_tx_ring_saturated_by_best_effort(
    device: Device, params: RingBudget
) -> Found[SaturatedRing]:
    """Yield a hit for each class with WRED or a queue-limit that its ring outlasts.

    Both are taken full of the same packets, the longest ones; a contested ring by its low end.
    """
    budget_ms = params.ring_wait_ms
    if budget_ms is None:
        return
    for outlet in outlets(device):
        tuned = list(filter(_longest, outlet.queueing.classes))
        if not tuned or outlet.ring is None or outlet.ring_idle:
            continue
        filled = judged_ring(congested(device, outlet), budget_ms)
        if isinstance(filled, Skip):
            yield filled
        elif filled is not None:
            hits = (_saturated_ring(device, filled, policy_class) for policy_class in tuned)
            yield from (hit for hit in hits if hit is not None)


def _longest(policy_class: PolicyClass) -> tuple[float, Unit] | None:
    """The queue that somebody tuned: the highest maximum of WRED, or a stated queue-limit."""
    if policy_class.priority is not None:
        return None
    wred, limit = policy_class.wred, policy_class.queue_limit
    tops = [] if wred is None else [(row.max_threshold, row.unit) for row in wred.profiles]
    known = [(high, unit) for high, unit in tops if high is not None]
    if known:
        return max(known)
    return None if limit is None else (limit.amount, limit.unit)


def _saturated_ring(
    device: Device, filled: JudgedRing, policy_class: PolicyClass
) -> Hit[SaturatedRing] | None:
    outlet, ring, advice = filled.outlet, filled.ring, filled.advice
    service = service_at(device, outlet, policy_class)
    longest = _longest(policy_class)
    if longest is None or service is None:
        return None
    queue_ms = service.queue_ms(*longest).high
    ring_ms = filled.view.bound(ring.limit_low).low_ms
    if ring_ms <= queue_ms:
        return None
    after_ms = filled.view.bound(advice.limit).low_ms
    now, then = (percent_from_ratio(item / (item + queue_ms)) for item in (ring_ms, after_ms))
    name = policy_class.name
    inputs = (ring.as_input, exact("queue_ms", queue_ms, Basis.CONFIGURED, f"class {name}"))
    is_shorter = advice.limit < ring.limit_low
    return Hit(
        f"{outlet.label} > class {name}",
        (policy_class.at, ring.at) if ring.at is not None else (policy_class.at,),
        SaturatedRing(
            name,
            outlet.queueing.name,
            queue_ms,
            f"{ring.limit_low} {ring.unit_of(ring.limit_low)}",
            ring_ms,
            now,
            advice.limit,
            ring_place_of(outlet),
        ),
        Confidence.LIKELY if ring.platform_known else Confidence.POSSIBLE,
        Forecast(
            "share of the longest wait that is in the ring",
            point(now, "%"),
            point(then, "%") if is_shorter else None,
            inputs,
        ),
        curable=is_shorter,
        advice=None if is_shorter else _SHORTEST,
    )


# A small ring helps only where software queues before it; else it just drops earlier.


class UselessRingParams(Struct, frozen=True):
    """Largest ring that counts as small, in its own unit; the budget of the only queue."""

    small_ring: int
    default_queue_ms: float | None


class UselessRing(Struct, frozen=True):
    """The ring and where it is set."""

    limit: int
    unit: str
    place: RingPlace


def find_tx_ring_without_queueing(device: Device, params: UselessRingParams) -> Found[UselessRing]:
    """Yield a hit for each small ring with a plain FIFO before it."""
    for home in ring_homes(device):
        if home.queues_before or home.stated.value > params.small_ring:
            continue
        if _place(home.interface, home.pvc) in _with_policy_over(device):
            continue
        limit = home.stated.value
        place = ring_place(home.interface.name, home.pvc)
        evidence = UselessRing(limit, home.ring.unit_of(limit), place)
        longer = _longer_wait(device, home, params.default_queue_ms)
        yield Hit(
            home.label,
            (home.stated.at,),
            evidence,
            Confidence.LIKELY,
            curable=longer is None,
            advice=longer,
        )


def _longer_wait(device: Device, home: RingHome, budget_ms: float | None) -> str | None:
    """Why the ring of IOS would be worse: it holds more than the queue ahead of it may."""
    rate = wire_rate(home.interface, home.pvc, device.facts.main_of(home.interface))
    freed = freed_ring(device, home.interface, home.pvc)
    if rate is None or freed is None or budget_ms is None:
        return None
    longest_ms = freed.limit_high * serialization_ms(home.mtu_bytes, rate.value)
    if longest_ms <= budget_ms:
        return None
    return (
        f"without the limit the ring may hold {longest_ms:.0f} ms at "
        f"{rate_words(kbps_from_bps(rate.value))}: put a policy with an LLQ or `fair-queue` "
        "before it, or leave it"
    )


@derived
def _with_policy_over(device: Device) -> frozenset[tuple[str, str]]:
    """Rings over which a tunnel, a session or a circuit with a policy sends.

    A longer ring would let other packets in before those that the policy put in order.
    """
    sources = {tunnel.interface.name: tunnel.source for tunnel in hiding(device.facts).tunnels}
    over = [
        (sources.get(carrier.interface.name, carrier.interface), carrier.pvc)
        for attached in attachments(device.facts)
        if attached.attachment.direction is Side.OUTPUT
        and _queues(device, attached.attachment.policy)
        for carrier in carriers_of(device.facts, attached)
    ]
    return frozenset(
        _place(interface, item)
        for interface, pvc in over
        for item in (None, *(interface.pvcs if pvc is None else (pvc,)))
    )


def _place(interface: Interface, pvc: Pvc | None) -> tuple[str, str]:
    """Place of a ring: a PVC has one of its own, beside that of the main interface."""
    if pvc is not None:
        return interface.name, pvc.label
    return interface.parent or interface.name, ""


def _queues(device: Device, name: str) -> bool:
    policy = device.facts.policy_map(name)
    return policy is None or policy_queues(device.facts, policy)


# The driver uses another ring than the configuration, or the default, says.


class OtherRing(Struct, frozen=True):
    """The ring in force and the one expected."""

    observed: int
    command: str
    expected: str
    why: str


def find_tx_ring_observed_differs(device: Device) -> Found[OtherRing]:
    """Yield a hit for each ring whose length in force is neither configured nor the default."""
    if not (device.seen.controllers or device.seen.atm_circuits):
        return
    for interface in device.facts.interfaces:
        if interface.shutdown or (interface.is_subinterface and not interface.pvcs):
            continue
        for pvc in (None, *interface.pvcs):
            observed = observed_ring(device.seen, interface, pvc)
            if observed is not None:
                yield from _judge(device, interface, pvc, observed)


def _judge(
    device: Device, interface: Interface, pvc: Pvc | None, observed: ObservedRing
) -> Found[OtherRing]:
    label = interface_line(interface) + (f" > {pvc.label}" if pvc is not None else "")
    stated = pvc.tx_ring_limit if pvc is not None else interface.tx_ring_limit
    if stated is not None:
        if stated.value != observed.limit and not stated.at.is_of_an_edit:
            evidence = OtherRing(observed.limit, observed.command, str(stated.value), "configured")
            yield Hit(label, (stated.at, observed.at), evidence, Confidence.CERTAIN)
        return
    expected = default_ring(device, interface, pvc)
    if expected is None:
        yield Skip(label, "the ring that this platform gives it by default is not known")
    elif not expected.limit_low <= observed.limit <= expected.limit_high:
        ends = dict.fromkeys((expected.limit_low, expected.limit_high))
        words = " to ".join(str(end) for end in ends)
        evidence = OtherRing(observed.limit, observed.command, words, expected.source)
        at = (interface.at, observed.at)
        yield Hit(label, at, evidence, Confidence.POSSIBLE, severity=Severity.INFO)
