"""A scenario: one output interface, its queues and its traffic, as scenario files describe it.

The keys are those of the files, and each field explains its key; `docs/simulation.md` says exactly
what they do. This module knows no model and no router.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

_Positive = Annotated[float, Meta(gt=0, le=1e9)]
_NotNegative = Annotated[float, Meta(ge=0, le=1e9)]
_Count = Annotated[int, Meta(ge=1, le=1_000_000)]
_Flows = Annotated[int, Meta(ge=1, le=100_000)]  # the time of a solution grows with them
_Weight = Annotated[float, Meta(gt=0, le=100)]
_IpBytes = Annotated[int, Meta(ge=1, le=65_535)]
_Overhead = Annotated[int, Meta(ge=0, le=1_000)]
_Name = Annotated[str, Meta(min_length=1)]
_Ratio = Annotated[float, Meta(gt=0, le=65_536)]
_Precedence = Annotated[int, Meta(ge=0, le=7)]
_Kbps = Annotated[float, Meta(ge=1, le=1e9)]  # the range of --link
_Level = Annotated[int, Meta(ge=1, le=2)]
_CountedBytes = Annotated[int, Meta(ge=-63, le=1_000)]
SchedulerName: TypeAlias = Literal["llq+cbwfq", "cbwfq", "fifo", "wfq"]
ExcessName: TypeAlias = Literal["proportional", "unreserved_first", "equal"]


class ScenarioLink(Struct, frozen=True):
    """The wire. With `atm_cell_tax`, overhead is the header before the AAL5 trailer (8 or 0).

    `member_rates_kbps` are the links of a multilink bundle, each with a ring of its own;
    `rate_kbps` is their sum. Empty: one wire.
    """

    rate_kbps: _Kbps
    l2_overhead_bytes_per_packet: _Overhead
    atm_cell_tax: bool = False
    encapsulation: str | None = None
    member_rates_kbps: tuple[_Kbps, ...] = ()


class TxRing(Struct, frozen=True):
    """The transmit ring; a packet is admitted while fewer than `limit` units are used.

    With `wire_beside_ring`, the packet on the wire uses none of them.
    """

    unit: Literal["packets", "particles"]
    limit: _Count
    particle_bytes: _Count = 512
    wire_beside_ring: bool = False


class ScenarioShaper(Struct, frozen=True):
    """A shaper: a token bucket of Bc + Be bits that gets `rate_kbps`.

    `per_interval`: Bc at the start of every Tc = Bc / rate. `smooth`: as time goes. It counts the
    IP bytes of a packet and `counted_l2_bytes_per_packet` (None: those of the link); with
    `counts_cells`, the cells that carry them.
    """

    rate_kbps: _Kbps
    committed_burst_bits: _Positive
    excess_burst_bits: _NotNegative = 0.0
    refill: Literal["per_interval", "smooth"] = "per_interval"
    counted_l2_bytes_per_packet: _CountedBytes | None = None
    counts_cells: bool = False


class ScenarioPolicer(Struct, frozen=True):
    """The `police` statement of a class: a token bucket that meters every packet."""

    rate_kbps: _Kbps
    burst_bytes: _Positive


class Fragmentation(Struct, frozen=True):
    """LFI: non-priority packets above `fragment_ip_bytes` are cut into fragments of that size.

    `overhead_bytes_per_fragment` replaces the overhead of the link per packet.
    """

    fragment_ip_bytes: _IpBytes
    overhead_bytes_per_fragment: _Overhead


class ScenarioWredProfile(Struct, frozen=True):
    """Drop profile of one precedence or DSCP."""

    name: str
    min_threshold_packets: _NotNegative
    max_threshold_packets: _Positive
    mark_probability_denominator: _Positive


class ScenarioWred(Struct, frozen=True):
    """WRED of one class: one average queue size, several profiles."""

    exponential_weighting_constant: Annotated[int, Meta(ge=1, le=16)]
    profiles: tuple[ScenarioWredProfile, ...]
    idle_decay_packet_time_ms: _Positive
    kind: Literal["dscp-based", "prec-based"] | None = None


class FairQueue(Struct, frozen=True):
    """Flow-based fair queueing inside a class; conversations weigh alike or by IP precedence."""

    per_flow_queue_limit_packets: _Count
    weighted_by_precedence: bool = False


class _Queue(Struct, frozen=True, tag_field="kind"):
    name: _Name
    queue_limit_packets: _Count


class PriorityQueue(_Queue, frozen=True, tag="priority"):
    """A class of the LLQ; `burst_bytes` and the rate count only if it is policed.

    Classes of one `level` share one FIFO; level 1 goes before level 2.
    """

    priority_kbps: _Positive
    burst_bytes: _Positive
    policed_under_congestion: bool
    level: _Level = 1
    police: ScenarioPolicer | None = None


class SharedQueue(_Queue, frozen=True, tag="bandwidth"):
    """A CBWFQ class: its guarantee (`bandwidth_percent`) or its part of the rest, not both.

    Under proportional sharing only the ratio of the figures of all classes matters; otherwise the
    base of the percentages is the rate of the interface's shaper, or of the link.
    """

    bandwidth_percent: _Weight | None = None
    wred: ScenarioWred | None = None
    fair_queue: FairQueue | None = None
    bandwidth_remaining_ratio: _Ratio | None = None
    shape: ScenarioShaper | None = None
    police: ScenarioPolicer | None = None

    @property
    def weight(self) -> float:
        """Its part of what classes share in proportion; 1 where nothing is said."""
        return self.bandwidth_percent or self.bandwidth_remaining_ratio or 1.0


class DefaultQueue(SharedQueue, frozen=True, tag="class-default"):
    """class-default, which shares the link like any other class."""


class FifoQueue(_Queue, frozen=True, tag="fifo"):
    """The one queue of an interface without a service policy: `hold-queue out` is its limit."""

    wred: ScenarioWred | None = None


class WfqQueue(_Queue, frozen=True, tag="wfq"):
    """Interface `fair-queue` without a policy: conversations weigh by IP precedence.

    `queue_limit_packets` is `hold-queue out`, over all conversations.
    """

    congestive_discard_threshold_packets: _Count = 64


Queue: TypeAlias = PriorityQueue | SharedQueue | DefaultQueue | FifoQueue | WfqQueue


def wred_of(queue: Queue) -> ScenarioWred | None:
    """WRED of a queue, of the kinds that can have it."""
    return queue.wred if isinstance(queue, SharedQueue | FifoQueue) else None


class _SizeLaw(Struct, frozen=True, tag_field="distribution"):
    pass


class FixedSize(_SizeLaw, frozen=True, tag="fixed"):
    """Every packet has `bytes`."""

    bytes: _IpBytes


class DiscreteSizes(_SizeLaw, frozen=True, tag="discrete"):
    """Sizes with their weights."""

    bytes_and_weights: Annotated[tuple[tuple[_IpBytes, _Positive], ...], Meta(min_length=1)]


class UniformSizes(_SizeLaw, frozen=True, tag="uniform_integer"):
    """Every whole number of bytes from `min_bytes` to `max_bytes` has the same probability."""

    min_bytes: _IpBytes
    max_bytes: _IpBytes


Sizes: TypeAlias = FixedSize | DiscreteSizes | UniformSizes


class _Arrival(Struct, frozen=True, tag_field="process"):
    pass


class Cbr(_Arrival, frozen=True, tag="cbr"):
    """Packet k at phase + k / packets_per_second + U(0, uniform_jitter_ms)."""

    packets_per_second: _Positive
    uniform_jitter_ms: _NotNegative = 0.0


class Poisson(_Arrival, frozen=True, tag="poisson"):
    """Independent exponential gaps."""

    packets_per_second: _Positive


class PoissonBursts(_Arrival, frozen=True, tag="poisson_bursts"):
    """Bursts start as a Poisson process; their packets follow at a fixed spacing."""

    bursts_per_second: _Positive
    packets_per_burst: _Count
    spacing_within_burst_ms: _NotNegative


class OnOff(_Arrival, frozen=True, tag="on_off"):
    """Exponential on and off times; periodic while on."""

    packets_per_second_while_on: _Positive
    mean_on_ms: _Positive
    mean_off_ms: _Positive


class Saturated(_Arrival, frozen=True, tag="saturated"):
    """A constant number of packets waits in the software queue."""

    backlog_packets_kept_in_queue: _Count


Arrival: TypeAlias = Cbr | Poisson | PoissonBursts | OnOff | Saturated


class Stream(Struct, frozen=True, tag_field="loop", tag="open"):
    """Traffic that does not react to loss; the rates are those of one stream.

    IP `precedence` matters only to fair queueing that weighs by it.
    """

    class_name: str = field(name="class")
    queue: str
    arrival: Arrival
    ip_packet_bytes: Sizes
    independent_identical_streams: _Count = 1
    conversations_per_stream: _Count = 1
    wred_profile: str | None = None
    precedence: _Precedence = 0


class TcpGroup(Struct, frozen=True, tag_field="loop", tag="tcp"):
    """Identical TCP flows. `transfer_size_packets` None: greedy."""

    class_name: str = field(name="class")
    queue: str
    tcp_flows: _Flows
    base_rtt_ms: _Positive
    ip_packet_bytes: _IpBytes
    receiver_window_packets: _Count
    initial_window_packets: _Count = 2
    minimum_rto_ms: _Positive = 1000.0
    transfer_size_packets: _Count | None = None
    wred_profile: str | None = None
    delayed_ack: bool = False
    limited_transmit: bool = False
    precedence: _Precedence = 0


class Scenario(Struct, frozen=True):
    """One interface under traffic. `not_read` names the keys of the file that are not read.

    `shape` is the parent shaper around all queues, `excess_bandwidth` who gets what no guarantee
    claims.
    """

    id: _Name
    link: ScenarioLink
    tx_ring: TxRing
    scheduler: SchedulerName
    queues: Annotated[tuple[Queue, ...], Meta(min_length=1)]
    traffic: Annotated[tuple[Stream | TcpGroup, ...], Meta(min_length=1)]
    fragmentation: Fragmentation | None = None
    shape: ScenarioShaper | None = None
    excess_bandwidth: ExcessName = "proportional"
    not_read: tuple[str, ...] = ()

    def queue_named(self, name: str) -> Queue:
        """The queue of that name; `read_scenarios` guarantees that it exists."""
        return next(queue for queue in self.queues if queue.name == name)
