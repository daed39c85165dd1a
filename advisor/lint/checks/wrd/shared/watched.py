"""What the flows of a class with WRED get: figures that a remedy of its thresholds must keep."""

from collections.abc import Iterator

from advisor.device.device import Device
from advisor.lint.checks.base import Watched
from advisor.outlet.outlets import policies_out
from advisor.predict.wred.inputs import wred_request
from advisor.predict.wred.shares import wred_shares
from advisor.quantity import Unknown
from advisor.settings.values import Budgets


def flows_of_class(device: Device, label: str) -> tuple[Watched, ...]:
    """Drops of the stated flows of a class and the use that it makes of its rate, at each output.

    Empty where no flows are stated, or where the model has no answer. Flows without a stated round
    trip have that of the default budgets.
    """
    if not any(traffic.tcp is not None for traffic in device.traffic):
        return ()
    return tuple(_watched(device, label))


def _watched(device: Device, label: str) -> Iterator[Watched]:
    for outlet in policies_out(device):
        policy = f"policy-map {outlet.queueing.name}"
        if not label.startswith(f"{policy} > "):
            continue
        request = wred_request(device, outlet, Budgets().rtt_ms)
        answer = request if isinstance(request, Unknown) else wred_shares(request)
        if isinstance(answer, Unknown):
            continue
        for shares in answer:
            if label == f"{policy} > class {shares.class_name}":
                yield Watched(
                    f"use of the rate of {shares.class_name}",
                    shares.utilization,
                    more_is_worse=False,
                )
                for group in shares.groups:
                    yield Watched(f"drops of {group.name}", group.drops, more_is_worse=True)
