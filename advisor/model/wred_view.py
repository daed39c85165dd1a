"""A class with its fixed point and what surrounds it, and the regimes that it is in."""

from msgspec import Struct

from advisor.model.wred_collapse import Aftermath
from advisor.model.wred_interface import Regime, TcpFlows, WredClass
from advisor.model.wred_point import ClassPoint, GroupPoint

_SWINGING_MARGIN = 2.5
_RARE_DROP = 2e-3
_BUSY_RATIO = 0.97
_TAIL_PART = 0.2


class ClassView(Struct, frozen=True):
    """A class with its fixed point and what surrounds it.

    `herd`: where it could fall to, None if it would recover; `collapsed`: it will not stay out.
    """

    wred_class: WredClass
    point: ClassPoint
    packet_s: float
    capacity_ratio: float
    ring_s: float  # 0: the ring is this class's alone
    ring_packets: float
    wire_s: tuple[float, ...]
    time_constant_ms: float | None
    herd: Aftermath | None
    collapsed: bool

    @property
    def capacity_per_s(self) -> float:
        return self.capacity_ratio / self.packet_s

    @property
    def through_ratio(self) -> float:
        """Part of the link that the class uses."""
        if self.collapsed and self.herd is not None:
            return self.herd.utilization_ratio * self.capacity_ratio
        return self.point.through_per_s * self.packet_s

    @property
    def swinging(self) -> bool:
        return self.point.swing.margin < _SWINGING_MARGIN or self.herd is not None

    @property
    def drop_tail(self) -> bool:
        return self.wred_class.exponent is None and self.point.tail_drop > _RARE_DROP

    @property
    def tail_drops_early(self) -> bool:
        """Whether a full queue decides, not WRED."""
        return Regime.TAIL_DROP_FIRST in regimes(self)

    @property
    def round_trip_ms(self) -> float | None:
        """Mean round trip of the TCP flows, queue included; None without any."""
        found = [
            (group.flows, at.rtt_s)
            for group, at in zip(self.wred_class.groups, self.point.groups, strict=True)
            if isinstance(group, TcpFlows)
        ]
        flows = sum(count for count, _ in found)
        return sum(count * rtt_s for count, rtt_s in found) / flows * 1000 if flows else None


def regimes(view: ClassView) -> tuple[Regime, ...]:
    """What decides how the class shares its bandwidth; empty for WRED without TCP."""
    each, point = view.wred_class, view.point
    tcp = [
        (group, at)
        for group, at in zip(each.groups, point.groups, strict=True)
        if isinstance(group, TcpFlows)
    ]
    if not tcp:
        return (Regime.NO_WRED,) if each.exponent is None else ()
    idle = point.through_per_s < _BUSY_RATIO * view.capacity_per_s
    rare = all(at.drop < _RARE_DROP for _, at in tcp)
    found = []
    if each.exponent is None:
        found.append(Regime.NO_WRED)
    if view.herd is not None:
        found.append(Regime.COLLAPSE)
    if rare and idle:
        return (*found, Regime.NO_CONGESTION)
    if rare:
        return (*found, Regime.WINDOWS_END_FIRST)
    return (*found, *_of_drops(view, tcp, idle=idle))


def _of_drops(
    view: ClassView, tcp: list[tuple[TcpFlows, GroupPoint]], *, idle: bool
) -> list[Regime]:
    """Regimes of a class that drops."""
    each, point = view.wred_class, view.point
    found = []
    profiles = {group.profile for group, _ in tcp if group.profile is not None}
    highest = max((p.max_threshold_packets for p in profiles), default=0.0)
    mean = sum(at.drop * at.sent_per_s for _, at in tcp) / sum(at.sent_per_s for _, at in tcp)
    short = each.queue_limit_packets < highest and point.tail_drop > 0
    if each.exponent is not None and (point.tail_drop > _TAIL_PART * mean or short):
        found.append(Regime.TAIL_DROP_FIRST)
    if idle:
        found.append(Regime.UNDER_USE)
    if each.exponent is not None and len(profiles) > 1 and Regime.TAIL_DROP_FIRST not in found:
        found.append(Regime.DIFFERENTIATION)
    if _follows_bursts(view):
        found.append(Regime.SYNCHRONIZATION)
    return found


def _follows_bursts(view: ClassView) -> bool:
    """Whether the average follows the queue within a round trip.

    Source: S. Floyd and V. Jacobson, Random Early Detection gateways, IEEE/ACM Trans. Networking 1
    (1993): the weight has to keep bursts of a round trip out of the average.
    """
    constant_ms, turn_ms = view.time_constant_ms, view.round_trip_ms
    return constant_ms is not None and turn_ms is not None and constant_ms < turn_ms
