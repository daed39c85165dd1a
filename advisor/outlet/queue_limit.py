"""The queue-limit of a class in packets: from packets, bytes or ms, or the default of IOS."""

from enum import StrEnum

from msgspec import Struct

from advisor.device.platform import Decision
from advisor.facts.policy import PolicyClass, Unit
from advisor.ground.quantity import Basis, Input, plain
from advisor.ground.units import bytes_in_ms
from advisor.outlet.class_bandwidth import class_rate
from advisor.outlet.outlet import Outlet

DEFAULT_LIMIT_PACKETS = 64  # per class of a software router, all trains (printouts)
QFP_PRIORITY_PACKETS = 512  # of all priority classes together (printouts)
_QFP_MS = 50.0  # of the rate, in packets of the MTU
_QFP_LEAST_PACKETS = 64
PRE_HQF_WRED_PACKETS = 1000  # `Output queue: 0/1000/64` of WFQ and CBWFQ, all classes together


class LimitKind(StrEnum):
    """The origin of a queue-limit."""

    PACKETS = "packets"
    BYTES = "bytes"
    TIME = "time"
    NOT_CONVERTED = "not converted"  # a limit in ms, at a rate that is not known
    DEFAULT = "default"
    PRE_HQF_WRED = "pre-HQF with WRED"
    UNKNOWN = "unknown"  # the default of this platform is not known


class QueueLimit(Struct, frozen=True):
    """A queue-limit: a number of `packets`, or `size_bytes` that packets share."""

    kind: LimitKind
    packets: int | None
    size_bytes: float | None
    basis: Basis
    source: str

    @property
    def words(self) -> str:
        """The limit with its unit; where it is not known, why."""
        if self.kind in (LimitKind.UNKNOWN, LimitKind.NOT_CONVERTED):
            return self.source
        if self.packets is not None:
            return f"{self.packets} packets"
        return f"{plain(self.size_bytes or 0.0)} bytes"

    def in_packets(self, mean_bytes: float) -> int:
        """Packets of this mean size that the queue holds; at least one."""
        if self.packets is not None or self.size_bytes is None:
            return self.packets or DEFAULT_LIMIT_PACKETS
        return max(1, int(self.size_bytes / mean_bytes))

    def as_input(self, name: str, packet: Input) -> Input:
        """The limit over the range of the class's mean packet."""
        value, low, high = (
            float(self.in_packets(size)) for size in (packet.value, packet.high, packet.low)
        )
        label = f"queue_limit_packets of {name}"
        return Input(label, value, low, high, self.basis, self.source)


def queue_limit(
    outlet: Outlet | None, policy_class: PolicyClass | None, platform: Decision
) -> QueueLimit:
    """Queue-limit that is in force in a class of an output, or of a policy at no output.

    Milliseconds are converted at the rate that the class can count on. Before HQF the default does
    not apply to a class with WRED: all classes together hold 1000 packets. On QFP the default is
    50 ms of the interface, or of the shaper around the class, in packets of the MTU; priority
    classes have 512 packets. Of other families the default is not known. Sources: Cisco IOS QoS
    Command Reference, queue-limit; printouts of IOS 12 and 15; Cisco IOS XE 16.12 QoS Congestion
    Management guide, queue depth; printouts of ASR 1000 (the rate is the same for every class).
    """
    hold_queue = outlet.hold_queue if outlet is not None else None
    if hold_queue is not None:
        packets, basis = int(hold_queue.value), hold_queue.basis
        kind = LimitKind.DEFAULT if basis is Basis.DEFAULT else LimitKind.PACKETS
        return QueueLimit(kind, packets, None, basis, hold_queue.source)
    stated = policy_class.queue_limit if policy_class is not None else None
    if policy_class is None or stated is None or stated.amount < 1:
        return _default(outlet, policy_class, platform)
    source = f"queue-limit, {stated.at}"
    if stated.unit is Unit.PACKETS:
        packets = int(stated.amount)
        return QueueLimit(LimitKind.PACKETS, packets, None, Basis.CONFIGURED, source)
    words = f"queue-limit {plain(stated.amount)} {stated.unit.value}, {stated.at}"
    converted = f"{words}, in mean packets"
    if stated.unit is Unit.BYTES:
        return QueueLimit(LimitKind.BYTES, None, stated.amount, Basis.CONFIGURED, converted)
    rate = class_rate(outlet, policy_class) if outlet is not None else None
    if rate is None:
        source = f"{words}, is not converted: the rate of the class is not known"
        return QueueLimit(
            LimitKind.NOT_CONVERTED, DEFAULT_LIMIT_PACKETS, None, Basis.ASSUMED, source
        )
    size_bytes = bytes_in_ms(rate.value, stated.amount)
    return QueueLimit(LimitKind.TIME, None, size_bytes, Basis.CONFIGURED, converted)


def _default(
    outlet: Outlet | None, policy_class: PolicyClass | None, platform: Decision
) -> QueueLimit:
    if platform.is_qfp:
        return _default_of_qfp(outlet, policy_class)
    if not platform.has_classic_defaults:
        source = f"the default queue-limit of {platform.title} is not known"
        return QueueLimit(LimitKind.UNKNOWN, None, None, Basis.ASSUMED, source)
    under_wred = policy_class is not None and policy_class.queue_wred is not None
    if under_wred and platform.is_pre_hqf:
        source = "before HQF the default queue-limit does not hold with WRED: 1000 of all classes"
        kind, packets = LimitKind.PRE_HQF_WRED, PRE_HQF_WRED_PACKETS
        return QueueLimit(kind, packets, None, Basis.DEFAULT, source)
    source = "64 packets in printouts of IOS 12 and 15"
    return QueueLimit(LimitKind.DEFAULT, DEFAULT_LIMIT_PACKETS, None, Basis.DEFAULT, source)


def _default_of_qfp(outlet: Outlet | None, policy_class: PolicyClass | None) -> QueueLimit:
    if policy_class is not None and policy_class.priority is not None:
        source = "512 packets of all priority classes (IOS XE on QFP)"
        return QueueLimit(LimitKind.DEFAULT, QFP_PRIORITY_PACKETS, None, Basis.DEFAULT, source)
    if outlet is None or outlet.link is None:
        link = "a link that is not known" if outlet is None else "the link, whose rate is not known"
        source = f"50 ms of {link} (IOS XE on QFP)"
        return QueueLimit(LimitKind.UNKNOWN, None, None, Basis.ASSUMED, source)
    packets = int(bytes_in_ms(outlet.link.value, _QFP_MS) / outlet.mtu.value)
    source = "50 ms of the link in packets of the MTU, at least 64 (IOS XE on QFP)"
    limit = max(packets, _QFP_LEAST_PACKETS)
    return QueueLimit(LimitKind.DEFAULT, limit, None, Basis.DEFAULT, source)
