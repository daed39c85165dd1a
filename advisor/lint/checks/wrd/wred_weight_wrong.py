"""The exponential weighting constant: how many packets the average remembers, as a time."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, Unit
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.wrd.shared.rows import WredClass, wred_classes
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.class_service import ClassService, class_services
from advisor.outlet.round_trip import measured_rtt_ms, stated_rtt_ms
from advisor.quantity import Basis, Figure, Input, exact
from advisor.units import kbps_from_bps

DEFAULT_EXPONENT = 9  # `Exp-weight-constant: 9 (1/512)` of all trains
_EXPONENTS = range(1, 17)


class Params(Struct, frozen=True):
    """Time constant in ms above which the average is too slow for any traffic."""

    most_ms: float


class Evidence(Struct, frozen=True):
    """The exponent, what it is in ms, what is wrong with it, and the one advised."""

    exponent: str  # "9 by default"
    packets: int
    constant_ms: str
    rate_kbps: str
    fault: str
    statements: tuple[str, ...]
    section: tuple[str, ...]


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each WRED class whose average is slower than 1 s, or faster than one RTT.

    The latter only where an RTT of the class was measured or is stated; lines, too.
    """
    for judged in wred_classes(device):
        services = class_services(device, judged.policy, judged.policy_class)
        if not services:
            yield Skip(judged.label, "the rate of the class is not known")
            continue
        constants = [_constant(each, _exponent(judged)) for each in services]
        rtts = [_rtt_ms(device, each, judged.policy_class) for each in services]
        known = [rtt for rtt in rtts if rtt is not None]
        slow = min(each.low for each in constants) > params.most_ms
        shortest = min((rtt.low for rtt in known), default=0.0)
        fast = bool(known) and max(each.high for each in constants) < shortest
        if slow or fast:
            rtt = known[0] if known else None
            yield _hit(judged, services, rtt, params.most_ms, slow=slow)


def _rtt_ms(device: Device, service: ClassService, each: PolicyClass) -> Input | None:
    """What was measured, queueing included, before what is stated without it."""
    measured = measured_rtt_ms(device, service, each)
    return measured if measured is not None else stated_rtt_ms(device, service, each)


def _exponent(judged: WredClass) -> int:
    stated = judged.wred.exponent
    return DEFAULT_EXPONENT if stated is None else stated.value


def _constant(service: ClassService, exponent: int) -> Figure:
    """Time constant of the average: 2^n packets of service."""
    return service.queue_ms(2**exponent, Unit.PACKETS)


def _advised(service: ClassService, rtt: Input | None, most_ms: float) -> int | None:
    """The least exponent whose time constant is one RTT or more, where it is not too slow."""
    if rtt is None:
        return None
    for exponent in _EXPONENTS:
        constant = _constant(service, exponent)
        if constant.value >= rtt.value:
            return exponent if constant.low <= most_ms else None
    return None


def _hit(
    judged: WredClass,
    services: tuple[ClassService, ...],
    rtt: Input | None,
    most_ms: float,
    *,
    slow: bool,
) -> Hit[Evidence]:
    service, exponent = services[0], _exponent(judged)
    now = _constant(service, exponent)
    advised = _advised(service, rtt, most_ms)
    if len({each.rate.value for each in services}) > 1:
        advised = None
    stated = judged.wred.exponent
    evidence = Evidence(
        exponent=str(exponent) if stated is not None else f"{exponent} by default",
        packets=2**exponent,
        constant_ms=f"{now.low:.0f}-{now.high:.0f}" if now.low != now.high else f"{now.low:.0f}",
        rate_kbps=f"{kbps_from_bps(service.rate.value):g}",
        fault=_fault(rtt, most_ms, slow=slow),
        statements=(f"random-detect exponential-weighting-constant {advised}",),
        section=judged.section,
    )
    basis = Basis.DEFAULT if stated is None else Basis.CONFIGURED
    given = [exact("exponential_weighting_constant", exponent, basis, "random-detect")]
    given += [service.rate, service.mean_packet, *([rtt] if rtt is not None else [])]
    after = _constant(service, advised) if advised is not None else None
    exactly = service.mean_packet.basis is not Basis.ASSUMED and stated is not None
    return Hit(
        judged.label,
        (stated.at if stated is not None else judged.wred.at,),
        evidence,
        Confidence.CERTAIN if exactly else Confidence.LIKELY,
        Forecast("time constant of the average queue size", now, after, tuple(given)),
        curable=advised is not None,
        advice=None if advised is not None else _advice(service, most_ms),
    )


def _fault(rtt: Input | None, most_ms: float, *, slow: bool) -> str:
    if slow:
        return f"over {most_ms:g} ms: drops follow the queue of long ago"
    shown = f"{rtt.low:.0f}" if rtt is not None else "one"
    return f"under the round trip of {shown} ms: it follows every burst"


def _advice(service: ClassService, most_ms: float) -> str:
    """Constants for two round trips that links have, where none of this class is known."""
    shown = []
    for rtt_ms in (50.0, 200.0):
        fitting = (n for n in _EXPONENTS if _constant(service, n).value >= rtt_ms)
        exponent = next(fitting, max(_EXPONENTS))
        if _constant(service, exponent).value <= most_ms:
            shown.append(f"{exponent} for round trips of {rtt_ms:g} ms (with queueing)")
    return (
        "set `random-detect exponential-weighting-constant` so that 2^n packets take one to two "
        f"round trips: {', '.join(shown)}"
        if shown
        else "no constant is right at this rate: use `fair-queue`, or tail drop with a short queue"
    )


def measure(device: Device, label: str) -> Figure | None:
    """Time constant of the class's average, for the proof of a remedy."""
    for judged in wred_classes(device):
        services = class_services(device, judged.policy, judged.policy_class)
        if judged.label == label and services:
            return _constant(services[0], _exponent(judged))
    return None


CHECK = Check(Params, Evidence, find, measure)
