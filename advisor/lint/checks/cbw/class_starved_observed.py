"""A class that is offered far more than its guarantee, and drops."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.class_service import guarantee
from advisor.outlet.measured import SeenClass, drops_packets, seen_classes
from advisor.quantity import Basis, Figure, Input, count, exact, rate_text
from advisor.units import kbps_from_bps


class Params(Struct, frozen=True):
    """Ratio of offered to guaranteed rate at which a class that drops counts as starved."""

    offered_over_guarantee: float


class Evidence(Struct, frozen=True):
    """The offered and guaranteed rates of the class, and its drops."""

    class_name: str
    offered_kbps: str
    guaranteed_kbps: str
    ratio: float
    dropped: str


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class with `bandwidth` that drops and is offered far more than that."""
    for seen_class in seen_classes(device.seen):
        if seen_class.seen.bandwidth is None or seen_class.seen.priority is not None:
            continue
        dropped = _dropped(seen_class)
        if dropped == "":
            continue
        offered_bps, rate = seen_class.seen.offered_rate_bps, guarantee(device, seen_class)
        if rate is None:
            yield Skip(
                seen_class.label, "its guarantee in kb/s is not printed, nor known from a config"
            )
        elif offered_bps is None:
            yield Skip(seen_class.label, "its offered rate is not printed")
        elif offered_bps < params.offered_over_guarantee * rate.value:
            continue
        elif dropped is None:
            yield Skip(seen_class.label, "its drops are not printed, or their counter has wrapped")
        else:
            yield _hit(seen_class, rate, offered_bps, dropped)


def _dropped(seen_class: SeenClass) -> str | None:
    """Drops in words; "" if there are none, None if no counter is printed."""
    drops = drops_packets(seen_class.seen)
    if drops:
        return f"{count(drops, 'packet')} dropped"
    if seen_class.seen.drop_rate_bps:
        return f"{rate_text(kbps_from_bps(seen_class.seen.drop_rate_bps))} kb/s dropped"
    return None if drops is None else ""


def _hit(seen_class: SeenClass, rate: Input, offered_bps: float, dropped: str) -> Hit[Evidence]:
    offered_kbps = kbps_from_bps(offered_bps)
    evidence = Evidence(
        seen_class.seen.name,
        rate_text(kbps_from_bps(offered_bps)),
        rate_text(kbps_from_bps(rate.value)),
        offered_bps / rate.value,
        dropped,
    )
    measured = exact("offered_bps", offered_bps, Basis.MEASURED, str(seen_class.seen.at))
    return Hit(
        seen_class.label,
        (seen_class.seen.at,),
        evidence,
        Confidence.LIKELY,
        Forecast(
            "rate offered to the class",
            Figure(offered_kbps, offered_kbps, offered_kbps, "kb/s"),
            None,
            (measured, rate),
        ),
    )


CHECK = Check(Params, Evidence, find, is_measured=True)
