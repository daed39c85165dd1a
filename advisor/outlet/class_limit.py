"""The queue-limit of a class wherever its policy queues, and the WRED rows that follow from it."""

from advisor.device.device import Device
from advisor.device.platform import Decision
from advisor.facts.policy import PolicyClass, PolicyMap, Unit
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.outlet.queue_limit import (
    DEFAULT_LIMIT_PACKETS,
    LimitKind,
    QueueLimit,
    queue_limit,
)
from advisor.outlet.wred_rows import Defaults
from advisor.quantity import Basis

_MOST_OUTPUTS = 3


def limit_of_class(device: Device, policy: PolicyMap, policy_class: PolicyClass) -> QueueLimit:
    """Queue-limit in force in a class of a policy.

    Where the policy queues at several outputs with different limits, it is not known; the source
    then names each output and its limit.
    """
    outlets = device.derived(_outlets_by_policy).get(policy.name, ())
    limits = {
        outlet.policy_label: queue_limit(outlet, policy_class, device.platform)
        for outlet in outlets
    }
    first = next(iter(limits.values()), None)
    if first is None:
        return queue_limit(None, policy_class, device.platform)
    if len(set(limits.values())) == 1:
        return first
    shown = [f"{label}: {limit.words}" for label, limit in limits.items()][:_MOST_OUTPUTS]
    more = len(limits) - len(shown)
    source = f"the queue-limit differs by output: {'; '.join(shown)}"
    source += f"; and {more} more" if more else ""
    kind = LimitKind.UNKNOWN if policy_class.queue_limit is None else LimitKind.NOT_CONVERTED
    packets = None if kind is LimitKind.UNKNOWN else DEFAULT_LIMIT_PACKETS
    return QueueLimit(kind, packets, None, Basis.ASSUMED, source)


def _outlets_by_policy(device: Device) -> dict[str, list[Outlet]]:
    """Outputs by the policy that queues there."""
    outlets: dict[str, list[Outlet]] = {}
    for outlet in policies_out(device):
        outlets.setdefault(outlet.queueing.name, []).append(outlet)
    return outlets


def wred_defaults(outlet: Outlet, policy_class: PolicyClass | None, platform: Decision) -> Defaults:
    """What the default rows of a class of an output follow from."""
    return defaults_under(queue_limit(outlet, policy_class, platform), platform)


def defaults_under(limit: QueueLimit, platform: Decision) -> Defaults:
    """Default rows of a class with this queue-limit: on QFP they follow from it."""
    if limit.packets is not None and limit.kind is not LimitKind.NOT_CONVERTED:
        return Defaults(platform, float(limit.packets))
    if limit.kind is LimitKind.BYTES:
        return Defaults(platform, limit.size_bytes, Unit.BYTES)
    return Defaults(platform)
