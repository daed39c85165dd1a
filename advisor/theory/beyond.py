"""Parts of an interface beyond one wire, one LLQ and classes by weight: they name its regime."""

from enum import Enum, auto

from advisor.theory.interface import Excess, Interface, OnOff, QueueKind

DEEPEST = 2048  # units of a ring: beyond, reports call it deep


class Beyond(Enum):
    """A part of an interface."""

    SHAPER = auto()
    LEVELS = auto()
    POLICE = auto()
    PRECEDENCE = auto()
    EXCESS = auto()
    SPURTS = auto()
    BUNDLE = auto()
    DEEP = auto()


def parts_beyond(interface: Interface) -> frozenset[Beyond]:
    """Parts that an interface has beyond one wire, one LLQ and classes by weight."""
    queues, shaper = interface.queues, interface.shaper
    priority = {queue.name: queue for queue in queues if queue.kind is QueueKind.PRIORITY}
    weighed = {queue.name for queue in queues if queue.by_precedence}
    slower = shaper is not None and shaper.rate_bps < interface.rate_bps
    guaranteed = any(queue.guarantee_bps > 0 for queue in queues)
    parts = {
        Beyond.SHAPER: slower or any(queue.shaper is not None for queue in queues),
        Beyond.LEVELS: len({queue.level for queue in priority.values()}) > 1,
        Beyond.POLICE: any(queue.police is not None for queue in queues),
        Beyond.PRECEDENCE: len(
            {traffic.precedence for traffic in interface.traffic if traffic.queue in weighed}
        )
        > 1,
        Beyond.EXCESS: interface.excess is not Excess.PROPORTIONAL and guaranteed,
        Beyond.SPURTS: any(
            isinstance(traffic.arrival, OnOff) and traffic.queue in priority
            for traffic in interface.traffic
        ),
        Beyond.BUNDLE: bool(interface.members_bps),
    }
    parts[Beyond.DEEP] = interface.ring.limit > DEEPEST
    return frozenset(part for part, is_there in parts.items() if is_there)
