"""The average queue that WRED shows is a delay: that of each packet that joins it."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import CLASS_DEFAULT
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.class_packet import LARGEST_DATA_BYTES, SMALLEST_DATA_BYTES
from advisor.outlet.class_rates import guarantee, remainder
from advisor.outlet.measured import carried_rate_bps, mean_counted_bytes
from advisor.outlet.seen_classes import SeenClass, seen_classes
from advisor.quantity import Basis, Figure, Input, exact
from advisor.units import kbps_from_bps, serialization_ms


class Params(Struct, frozen=True):
    """Budgets of the profile for the queues of classes; None where it does not judge them."""

    bandwidth_queue_ms: float | None
    default_queue_ms: float | None


class Evidence(Struct, frozen=True):
    """The average queue and the delay that it is."""

    queue: str
    delay_ms: str
    rate_kbps: str
    budget_ms: float


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each WRED class whose average queue takes longer to send than its budget."""
    for each in seen_classes(device.seen):
        is_default = each.seen.name == CLASS_DEFAULT
        budget_ms = params.default_queue_ms if is_default else params.bandwidth_queue_ms
        wred = each.seen.wred
        if wred is None or budget_ms is None or wred.mean_depth is None:
            continue
        queue = _queue_bytes(each)
        if queue is None:
            yield Skip(each.label, "its average queue is in a unit that is not packets or bytes")
            continue
        if queue.high == 0:
            continue
        rate = _rate(device, each)
        if rate is None:
            yield Skip(each.label, "the rate of the class is not known")
        elif serialization_ms(queue.low, rate.value) > budget_ms:
            yield _hit(each, queue, rate, budget_ms)


def _queue_bytes(each: SeenClass) -> Input | None:
    """Average queue in bytes, with the layer-2 header that the rate counts too."""
    depth = each.seen.wred.mean_depth if each.seen.wred is not None else None
    if depth is None:
        return None
    at = str(each.seen.at)
    if depth.bytes is not None:
        return exact("average_queue_bytes", depth.bytes, Basis.MEASURED, at)
    if depth.packets is None:
        return None
    mean_bytes = mean_counted_bytes(each.seen)
    if mean_bytes is not None:
        return exact("average_queue_bytes", depth.packets * mean_bytes, Basis.MEASURED, at)
    low, high = depth.packets * SMALLEST_DATA_BYTES, depth.packets * LARGEST_DATA_BYTES
    source = f"{at}, packets of {SMALLEST_DATA_BYTES} to {LARGEST_DATA_BYTES} bytes"
    return Input("average_queue_bytes", (low + high) / 2, low, high, Basis.ASSUMED, source)


def _rate(device: Device, each: SeenClass) -> Input | None:
    """What empties the queue: the guarantee, or what is carried where that is more."""
    known = guarantee(device, each)
    if known is None and each.seen.name == CLASS_DEFAULT and each.seen.bandwidth is None:
        known = remainder(device, each)
    carried_bps = carried_rate_bps(each.seen)
    if known is None or carried_bps is None or carried_bps <= known.value:
        return known
    return exact("carried_bps", carried_bps, Basis.MEASURED, str(each.seen.at))


def _hit(each: SeenClass, queue: Input, rate: Input, budget_ms: float) -> Hit[Evidence]:
    low_ms, high_ms = (serialization_ms(end, rate.value) for end in (queue.low, queue.high))
    value_ms = serialization_ms(queue.value, rate.value)
    depth = each.seen.wred.mean_depth if each.seen.wred is not None else None
    packets = depth.packets if depth is not None else None
    evidence = Evidence(
        queue=f"{packets} packets" if packets is not None else f"{queue.value:g} bytes",
        delay_ms=f"{low_ms:.0f}" if low_ms == high_ms else f"{low_ms:.0f}-{high_ms:.0f}",
        rate_kbps=f"{kbps_from_bps(rate.value):g}",
        budget_ms=budget_ms,
    )
    return Hit(
        each.label,
        (each.seen.at,),
        evidence,
        Confidence.LIKELY,
        Forecast(
            "delay of the average queue",
            Figure(value_ms, low_ms, high_ms, "ms"),
            None,
            (queue, rate),
        ),
    )


CHECK = Check(
    Params,
    Evidence,
    find,
    wants=("show policy-map interface",),
)
