"""Input and output of the WRED and TCP model: numbers with units, no IOS text."""

from enum import StrEnum

from msgspec import Struct

from advisor.theory.interface import Arrival, Queue, SizeMix


class WredModelError(ValueError):
    """The numbers describe no interface that could be modelled."""


class DropProfile(Struct, frozen=True):
    """Thresholds in packets of average queue size; one packet in `denominator` drops at max."""

    min_threshold_packets: float
    max_threshold_packets: float
    mark_probability_denominator: float


class TcpFlows(Struct, frozen=True):
    """Identical TCP flows that share one drop profile.

    `profile` None: WRED never drops them. `transfer_packets` None: they always have something to
    send; else each flow sends such transfers for ever, one round trip apart, over new connections.
    """

    name: str
    flows: int
    base_rtt_ms: float
    packet_bytes: int
    receiver_window_packets: int
    profile: DropProfile | None = None
    transfer_packets: int | None = None
    initial_window_packets: int = 2
    minimum_rto_ms: float = 1000.0
    limited_transmit: bool = False
    precedence: int = 0


class Unresponsive(Struct, frozen=True):
    """Traffic that does not react to loss; rate and packet are the means of the whole group.

    `arrival` is that of each of its streams, None for one Poisson process. `sizes` None: all
    packets are alike.
    """

    name: str
    packets_per_second: float
    packet_bytes: int
    profile: DropProfile | None = None
    arrival: Arrival | None = None
    streams: int = 1
    sizes: SizeMix | None = None
    conversations: int = 1
    precedence: int = 0


class WredClass(Struct, frozen=True):
    """A queue of the interface with its traffic. `exponent` None: no WRED.

    While the queue is idle, the average decays as if packets of `idle_packet_ms` had found it
    empty; None: the mean time of the packets of its groups.
    """

    queue: Queue
    groups: tuple[TcpFlows | Unresponsive, ...]
    exponent: int | None = 9
    idle_packet_ms: float | None = None

    @property
    def name(self) -> str:
        return self.queue.name


class Regime(StrEnum):
    """The mechanism that decides how a class with WRED shares its bandwidth."""

    DIFFERENTIATION = "differentiation"
    TAIL_DROP_FIRST = "tail drop before WRED"
    WINDOWS_END_FIRST = "windows end before the thresholds"
    UNDER_USE = "thresholds too low to keep the line busy"
    COLLAPSE = "average too slow for the flows: oscillation up to collapse"
    SYNCHRONIZATION = "average faster than a round trip: flows may slow down together"
    NO_WRED = "no WRED"
    NO_CONGESTION = "no congestion"


class Range(Struct, frozen=True):
    """An estimate with its lowest and highest possible value."""

    estimate: float
    low: float
    high: float


class GroupForecast(Struct, frozen=True):
    """One group. Shares are ratios of wire bytes: of all TCP groups, and of the link.

    `share_by_flows_over_p` is the rule of thumb flows times denominator, for comparison; None where
    it says nothing (no TCP). `mean_ms` is the time in the interface; None: nothing gets through.
    """

    name: str
    share: Range | None
    share_of_link: Range
    share_by_flows_over_p: float | None
    loss_ratio: Range
    mean_ms: Range
    packets_per_second: float


class ClassForecast(Struct, frozen=True):
    """One class; `aqs_packets` None without WRED. Time constant: that of the average, in ms.

    `utilization_ratio` is of the rate that the class can count on, `tail_drop_ratio` is the loss by
    a full queue, `round_trip_ms` the mean of its TCP flows with queueing, None without TCP.
    """

    name: str
    queue_packets: Range
    aqs_packets: Range | None
    time_constant_ms: float | None
    regimes: tuple[Regime, ...]
    utilization_ratio: float
    tail_drop_ratio: float
    round_trip_ms: float | None


class WredForecast(Struct, frozen=True):
    """All groups and classes in the order given.

    `converged` False: the replications do not agree well enough for one figure, use only the
    ranges.
    """

    groups: tuple[GroupForecast, ...]
    classes: tuple[ClassForecast, ...]
    utilization_ratio: float
    converged: bool
