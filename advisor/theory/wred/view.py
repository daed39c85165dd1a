"""A class with its fixed point and its surroundings."""

from msgspec import Struct

from advisor.theory.wred.collapse import Aftermath
from advisor.theory.wred.interface import TcpFlows, WredClass
from advisor.theory.wred.point import ClassPoint

# Critical gain over gain below which shares and delays get the half-widths of swinging classes: an
# experiment's, as those are (`benchmarks/wred_vs_truth.py`).
_SWINGING_MARGIN = 2.5
# Loss ratio below which drops do not rule the windows: by 1.22 / sqrt(p) (M. Mathis et al., ACM CCR
# 27, 1997) a flow that loses one packet in 500 keeps 27 under way; receiver windows without scaling
# end at 12 to 44.
RARE_DROP = 2e-3


class ClassView(Struct, frozen=True):
    """A class with its fixed point and its surroundings.

    `herd` is the collapsed state that the class may reach, None if it recovers from it. `collapsed`
    is true if the class does not stay out of that state.
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
        return self.wred_class.exponent is None and self.point.tail_drop > RARE_DROP

    @property
    def round_trip_ms(self) -> float | None:
        """Mean round trip of the TCP flows, queue included; None without any."""
        round_trips = [
            (group.flows, point.rtt_s)
            for group, point in zip(self.wred_class.groups, self.point.groups, strict=True)
            if isinstance(group, TcpFlows)
        ]
        flows = sum(count for count, _ in round_trips)
        return sum(count * rtt_s for count, rtt_s in round_trips) / flows * 1000 if flows else None
