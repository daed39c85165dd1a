"""The weight of the average queue size: its time constant is 2^n packets of service."""

from typing import Final

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, Unit
from advisor.outlet.class_service import ClassService, measured_rtt_ms, stated_rtt_ms
from advisor.quantity import Figure, Input

MOST_MS: Final = 1000.0  # a slower average is too slow for any traffic
EXPONENTS: Final = range(1, 17)
_QUEUE_PART: Final = 2 / 3  # of the maximum threshold: a queue between minimum and maximum


def time_constant(service: ClassService, exponent: int) -> Figure:
    """Time constant of the average: 2^n packets of service."""
    return service.queue_ms(2**exponent, Unit.PACKETS)


def round_trip(device: Device, service: ClassService, policy_class: PolicyClass) -> Input | None:
    """The measured RTT, which includes queueing, else the stated RTT, which does not."""
    measured = measured_rtt_ms(device, service, policy_class)
    return measured if measured is not None else stated_rtt_ms(device, service, policy_class)


def advised_exponent(
    device: Device,
    service: ClassService,
    policy_class: PolicyClass,
    queue_ms: float,
    otherwise_ms: float | None,
) -> int | None:
    """The least exponent whose time constant is one RTT with queueing, where it is not too slow.

    `queue_ms` is the queue at the highest maximum; `otherwise_ms` is the round trip where none is
    measured or stated. None where nothing is known of it.
    """
    rtt_ms = _with_queueing(device, service, policy_class, queue_ms, otherwise_ms)
    for exponent in EXPONENTS if rtt_ms is not None else ():
        constant = time_constant(service, exponent)
        if rtt_ms is not None and constant.value >= rtt_ms:
            return exponent if constant.low <= MOST_MS else None
    return None


def _with_queueing(
    device: Device,
    service: ClassService,
    policy_class: PolicyClass,
    queue_ms: float,
    otherwise_ms: float | None,
) -> float | None:
    measured = measured_rtt_ms(device, service, policy_class)
    if measured is not None:
        return measured.value
    stated = stated_rtt_ms(device, service, policy_class)
    idle_ms = stated.value if stated is not None else otherwise_ms
    return None if idle_ms is None else idle_ms + _QUEUE_PART * queue_ms
