"""The average queue of WRED: its memory, the delay that it shows, drops at its maximum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import CLASS_DEFAULT
from advisor.ground.quantity import Basis, Figure, Input, enclosing, exact, rate_text
from advisor.ground.units import kbps_from_bps, serialization_ms, whole_or_none
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import interface_name
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.wrd import WredClass, WredSetting, queues_not_modelled, wred_classes
from advisor.lint.checks.wrd.decision import cure_of
from advisor.lint.checks.wrd.steps import EXPONENTS, round_trip, time_constant, tuned_classes
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.class_service import (
    LARGEST_DATA_BYTES,
    SMALLEST_DATA_BYTES,
    ClassService,
    class_services,
    guarantee,
    remainder,
)
from advisor.outlet.measured import SeenClass, carried_rate_bps, mean_counted_bytes, seen_classes

if TYPE_CHECKING:
    from advisor.shows.policy_map import ShownWredRow
    from advisor.shows.queueing import RandomDetect, RandomDetectRow


# The exponential weighting constant as a time: the memory of the average queue size.


class WrongWeightParams(Struct, frozen=True):
    """Time constant in ms above which the average is too slow for any traffic."""

    most_ms: float


class WrongWeight(Struct, frozen=True):
    """The exponent, its time constant, its fault, and the advised exponent."""

    exponent: str  # "9 (the default)"
    packets: int
    constant_ms: str
    rate_kbps: str
    fault: str
    wred: WredSetting


def find_wred_weight_wrong(device: Device, params: WrongWeightParams) -> Found[WrongWeight]:
    """Yield a hit for each WRED class whose average is slower than 1 s, or faster than one RTT.

    The second case and the remedy lines need a measured or stated RTT of the class.
    """
    yield from queues_not_modelled(device)
    for wred_class in tuned_classes(device):
        services = class_services(device, wred_class.policy, wred_class.policy_class)
        if not services:
            yield Skip(wred_class.label, "the rate of the class is not known")
            continue
        exponent = wred_class.exponent
        if exponent is None:
            reason = f"the default weight of {device.platform.title} is not known"
            yield Skip(wred_class.label, reason)
            continue
        constants = [time_constant(service, exponent) for service in services]
        rtts = [round_trip(device, service, wred_class.policy_class) for service in services]
        known_rtts = [rtt for rtt in rtts if rtt is not None]
        slow = min(constant.low for constant in constants) > params.most_ms
        shortest = min((rtt.low for rtt in known_rtts), default=0.0)
        fast = bool(known_rtts) and max(constant.high for constant in constants) < shortest
        if slow or fast:
            rtt = known_rtts[0] if known_rtts else None
            yield _wrong_weight(device, wred_class, services, rtt, params.most_ms, slow=slow)


def _wrong_weight(
    device: Device,
    wred_class: WredClass,
    services: tuple[ClassService, ...],
    rtt: Input | None,
    most_ms: float,
    *,
    slow: bool,
) -> Hit[WrongWeight]:
    service, exponent = services[0], wred_class.exponent or 0
    now = time_constant(service, exponent)
    cure = cure_of(device, wred_class)
    advised = whole_or_none(cure.setting.exponent) if rtt is not None else None
    stated = wred_class.wred.exponent
    evidence = WrongWeight(
        exponent=str(exponent) if stated is not None else f"{exponent} (the default)",
        packets=2**exponent,
        constant_ms=f"{now.low:.0f}-{now.high:.0f}" if now.low != now.high else f"{now.low:.0f}",
        rate_kbps=rate_text(kbps_from_bps(service.rate.value)),
        fault=_fault(rtt, most_ms, slow=slow),
        wred=cure.setting,
    )
    basis = Basis.DEFAULT if stated is None else Basis.CONFIGURED
    inputs = [exact("exponential_weighting_constant", exponent, basis, "random-detect")]
    inputs += [service.rate, service.mean_packet, *([rtt] if rtt is not None else [])]
    after = time_constant(service, advised) if advised is not None else None
    exactly = service.mean_packet.basis is not Basis.ASSUMED and stated is not None
    return Hit(
        wred_class.label,
        (stated.at if stated is not None else wred_class.wred.at,),
        evidence,
        Confidence.CERTAIN if exactly else Confidence.LIKELY,
        Forecast(
            "time constant of the average queue size", now, after, tuple(inputs), is_felt=False
        ),
        level=cure.level,
        curable=advised is not None,
        advice=None if advised is not None else _advice(service, most_ms),
    )


def _fault(rtt: Input | None, most_ms: float, *, slow: bool) -> str:
    if slow:
        return f"more than {most_ms:g} ms, so drops come too late for the queue"
    words = f"{rtt.low:.0f}" if rtt is not None else "one"
    return f"less than the round trip of {words} ms, so the average follows every burst"


def _advice(service: ClassService, most_ms: float) -> str:
    """Constants for two common round trips, where the round trip of the class is not known."""
    constants = []
    for rtt_ms in (50.0, 200.0):
        fitting = (n for n in EXPONENTS if time_constant(service, n).value >= rtt_ms)
        exponent = next(fitting, max(EXPONENTS))
        if time_constant(service, exponent).value <= most_ms:
            constants.append(f"{exponent} for round trips of {rtt_ms:g} ms (with queueing)")
    return (
        "set `random-detect exponential-weighting-constant` so that 2^n packets take one to two "
        f"round trips: {', '.join(constants)}"
        if constants
        else "no constant is right at this rate: use `fair-queue`, or tail drop with a short queue"
    )


def measure_wred_weight_wrong(device: Device, label: str) -> Figure | None:
    """Time constant of the class's average, for the proof of a remedy."""
    for wred_class in wred_classes(device):
        services = class_services(device, wred_class.policy, wred_class.policy_class)
        if wred_class.label == label and services and wred_class.exponent is not None:
            return time_constant(services[0], wred_class.exponent)
    return None


# The average queue that WRED shows is a delay of each packet that joins it.


class AverageDelayParams(Struct, frozen=True):
    """Budgets of the profile for the queues of classes; None where it does not judge them."""

    bandwidth_queue_ms: float | None
    default_queue_ms: float | None


class AverageDelay(Struct, frozen=True):
    """The average queue and its delay."""

    queue: str
    delay_ms: str
    rate_kbps: str
    budget_ms: float


def find_wred_per_packet_delay_observed(
    device: Device, params: AverageDelayParams
) -> Found[AverageDelay]:
    """Yield a hit for each WRED class whose average queue takes longer to send than its budget."""
    for seen_class in seen_classes(device.seen):
        is_default = seen_class.seen.name == CLASS_DEFAULT
        budget_ms = params.default_queue_ms if is_default else params.bandwidth_queue_ms
        wred = seen_class.seen.wred
        if wred is None or budget_ms is None or wred.mean_depth is None:
            continue
        queue = _queue_bytes(seen_class)
        if queue is None:
            yield Skip(
                seen_class.label, "its average queue is in a unit that is not packets or bytes"
            )
            continue
        if queue.high == 0:
            continue
        rate = _rate(device, seen_class)
        if rate is None:
            yield Skip(seen_class.label, "the rate of the class is not known")
        elif serialization_ms(queue.low, rate.value) > budget_ms:
            yield _average_delay(seen_class, queue, rate, budget_ms)


def _queue_bytes(seen_class: SeenClass) -> Input | None:
    """Average queue in bytes, with the layer-2 header, which the rate counts too."""
    depth = seen_class.seen.wred.mean_depth if seen_class.seen.wred is not None else None
    if depth is None:
        return None
    at = str(seen_class.seen.at)
    if depth.bytes is not None:
        return exact("average_queue_bytes", depth.bytes, Basis.MEASURED, at)
    if depth.packets is None:
        return None
    mean_bytes = mean_counted_bytes(seen_class.seen)
    if mean_bytes is not None:
        return exact("average_queue_bytes", depth.packets * mean_bytes, Basis.MEASURED, at)
    low, high = depth.packets * SMALLEST_DATA_BYTES, depth.packets * LARGEST_DATA_BYTES
    source = f"{at}, packets of {SMALLEST_DATA_BYTES} to {LARGEST_DATA_BYTES} bytes"
    return Input("average_queue_bytes", (low + high) / 2, low, high, Basis.ASSUMED, source)


def _rate(device: Device, seen_class: SeenClass) -> Input | None:
    """Rate that empties the queue: the guarantee, or the carried rate if that is higher."""
    rate = guarantee(device, seen_class)
    if rate is None and seen_class.seen.name == CLASS_DEFAULT and seen_class.seen.bandwidth is None:
        rate = remainder(device, seen_class)
    carried_bps = carried_rate_bps(seen_class.seen)
    if rate is None or carried_bps is None or carried_bps <= rate.value:
        return rate
    return exact("carried_bps", carried_bps, Basis.MEASURED, str(seen_class.seen.at))


def _average_delay(
    seen_class: SeenClass, queue: Input, rate: Input, budget_ms: float
) -> Hit[AverageDelay]:
    low_ms, high_ms = (serialization_ms(end, rate.value) for end in (queue.low, queue.high))
    value_ms = serialization_ms(queue.value, rate.value)
    depth = seen_class.seen.wred.mean_depth if seen_class.seen.wred is not None else None
    packets = depth.packets if depth is not None else None
    evidence = AverageDelay(
        queue=f"{packets} packets" if packets is not None else f"{queue.value:.0f} bytes",
        delay_ms=f"{low_ms:.0f}" if low_ms == high_ms else f"{low_ms:.0f}-{high_ms:.0f}",
        rate_kbps=rate_text(kbps_from_bps(rate.value)),
        budget_ms=budget_ms,
    )
    return Hit(
        seen_class.label,
        (seen_class.seen.at,),
        evidence,
        Confidence.LIKELY,
        Forecast(
            "delay of the average queue",
            enclosing(value_ms, low_ms, high_ms, "ms"),
            None,
            (queue, rate),
        ),
    )


# WRED that drops at its maximum instead of early: it acts like tail drop.


class TailDrops(Struct, frozen=True):
    """Tail and random drops in total, and of the row with most tail drops."""

    tail: int
    random: int
    row: str
    row_tail: int


class _TailDrops(Struct, frozen=True):
    name: str
    tail: int
    random: int


def find_wred_tail_drops_observed(device: Device) -> Found[TailDrops]:
    """Yield a hit for each class or interface whose WRED tail-drops no less than it drops early."""
    for seen_class in seen_classes(device.seen):
        wred = seen_class.seen.wred
        if wred is not None and wred.rows:
            yield from _judge(
                seen_class.label, seen_class.seen.at, [_of_class(row) for row in wred.rows]
            )
    for label, random_detect in _latest(device).items():
        yield from _judge(
            label, random_detect.at, [_of_interface(row) for row in random_detect.rows]
        )


def _latest(device: Device) -> dict[str, RandomDetect]:
    """WRED of interfaces and circuits, from the latest capture of each."""
    queueing = [interface.random_detect for interface in device.seen.queueing]
    all_wred = [
        random_detect
        for random_detect in (*queueing, *device.seen.random_detect)
        if random_detect is not None
    ]
    return {_label(random_detect): random_detect for random_detect in all_wred}


def _label(random_detect: RandomDetect) -> str:
    name, circuit = interface_name(random_detect.interface), random_detect.circuit
    return f"interface {name}" + (f" > pvc {circuit.vpi}/{circuit.vci}" if circuit else "")


def _of_class(row: ShownWredRow) -> _TailDrops | None:
    tail = row.tail_drops.packets if row.tail_drops is not None else None
    random = row.random_drops.packets if row.random_drops is not None else None
    return None if tail is None or random is None else _TailDrops(row.name, tail, random)


def _of_interface(row: RandomDetectRow) -> _TailDrops | None:
    tail, random = row.tail_drops_packets, row.random_drops_packets
    return None if tail is None or random is None else _TailDrops(row.name, tail, random)


def _judge(label: str, at: Location, rows: list[_TailDrops | None]) -> Found[TailDrops]:
    printed_rows = [row for row in rows if row is not None]
    if len(printed_rows) < len(rows):
        yield Skip(label, "drops of a WRED row are not printed, or their counter has wrapped")
        return
    tail, random = sum(row.tail for row in printed_rows), sum(row.random for row in printed_rows)
    if tail == 0 or tail < random:
        return
    worst = max(printed_rows, key=lambda row: row.tail)
    yield Hit(
        label,
        (at,),
        TailDrops(tail, random, worst.name, worst.tail),
        Confidence.CERTAIN,
    )
