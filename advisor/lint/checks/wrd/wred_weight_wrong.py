"""The exponential weighting constant as a time: the memory of the average queue size."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.wrd.shared.decision import cure_of
from advisor.lint.checks.wrd.shared.rows import WredClass, queues_not_modelled, wred_classes
from advisor.lint.checks.wrd.shared.setting import WredSetting
from advisor.lint.checks.wrd.shared.weight import EXPONENTS, round_trip, time_constant
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.class_service import ClassService, class_services
from advisor.quantity import Basis, Figure, Input, exact, rate_text
from advisor.units import kbps_from_bps, whole_or_none


class Params(Struct, frozen=True):
    """Time constant in ms above which the average is too slow for any traffic."""

    most_ms: float


class Evidence(Struct, frozen=True):
    """The exponent, its time constant, its fault, and the advised exponent."""

    exponent: str  # "9 (the default)"
    packets: int
    constant_ms: str
    rate_kbps: str
    fault: str
    wred: WredSetting


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each WRED class whose average is slower than 1 s, or faster than one RTT.

    The second case and the remedy lines need a measured or stated RTT of the class.
    """
    yield from queues_not_modelled(device)
    for wred_class in wred_classes(device):
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
            yield _hit(device, wred_class, services, rtt, params.most_ms, slow=slow)


def _hit(
    device: Device,
    wred_class: WredClass,
    services: tuple[ClassService, ...],
    rtt: Input | None,
    most_ms: float,
    *,
    slow: bool,
) -> Hit[Evidence]:
    service, exponent = services[0], wred_class.exponent or 0
    now = time_constant(service, exponent)
    cure = cure_of(device, wred_class)
    removes = cure.setting.removes
    advised = whole_or_none(cure.setting.exponent) if rtt is not None else None
    stated = wred_class.wred.exponent
    evidence = Evidence(
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
        curable=advised is not None or removes,
        advice=None if advised is not None or removes else _advice(service, most_ms),
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


def measure(device: Device, label: str) -> Figure | None:
    """Time constant of the class's average, for the proof of a remedy."""
    for wred_class in wred_classes(device):
        services = class_services(device, wred_class.policy, wred_class.policy_class)
        if wred_class.label == label and services and wred_class.exponent is not None:
            return time_constant(services[0], wred_class.exponent)
    return None


CHECK = Check(Params, Evidence, find, measure)
