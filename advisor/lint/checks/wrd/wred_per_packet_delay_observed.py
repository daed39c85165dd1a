"""The average queue that WRED shows is a delay of each packet that joins it."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import CLASS_DEFAULT
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.class_service import (
    LARGEST_DATA_BYTES,
    SMALLEST_DATA_BYTES,
    guarantee,
    remainder,
)
from advisor.outlet.measured import SeenClass, carried_rate_bps, mean_counted_bytes, seen_classes
from advisor.quantity import Basis, Input, enclosing, exact, rate_text
from advisor.units import kbps_from_bps, serialization_ms


class Params(Struct, frozen=True):
    """Budgets of the profile for the queues of classes; None where it does not judge them."""

    bandwidth_queue_ms: float | None
    default_queue_ms: float | None


class Evidence(Struct, frozen=True):
    """The average queue and its delay."""

    queue: str
    delay_ms: str
    rate_kbps: str
    budget_ms: float


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
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
            yield _hit(seen_class, queue, rate, budget_ms)


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


def _hit(seen_class: SeenClass, queue: Input, rate: Input, budget_ms: float) -> Hit[Evidence]:
    low_ms, high_ms = (serialization_ms(end, rate.value) for end in (queue.low, queue.high))
    value_ms = serialization_ms(queue.value, rate.value)
    depth = seen_class.seen.wred.mean_depth if seen_class.seen.wred is not None else None
    packets = depth.packets if depth is not None else None
    evidence = Evidence(
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


CHECK = Check(
    Params,
    Evidence,
    find,
    is_measured=True,
)
