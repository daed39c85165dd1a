"""A scenario: one output interface, its queues and its traffic, as scenario files describe it.

The keys are those of the files, and each field explains its key. This module knows no model and no
router.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

_Positive = Annotated[float, Meta(gt=0, le=1e9)]
_NotNegative = Annotated[float, Meta(ge=0, le=1e9)]
_Count = Annotated[int, Meta(ge=1, le=1_000_000)]
_Weight = Annotated[float, Meta(gt=0, le=100)]
_IpBytes = Annotated[int, Meta(ge=1, le=65_535)]
_Overhead = Annotated[int, Meta(ge=0, le=1_000)]
_Name = Annotated[str, Meta(min_length=1)]
SchedulerName: TypeAlias = Literal["llq+cbwfq", "cbwfq", "fifo"]


class Link(Struct, frozen=True):
    """The wire. With `atm_cell_tax`, overhead is the header before the AAL5 trailer (8 or 0)."""

    rate_kbps: _Positive
    l2_overhead_bytes_per_packet: _Overhead
    atm_cell_tax: bool = False
    encapsulation: str | None = None


class TxRing(Struct, frozen=True):
    """The transmit ring; a packet is admitted while fewer than `limit` units are used."""

    unit: Literal["packets", "particles"]
    limit: _Count
    particle_bytes: _Count = 512


class Fragmentation(Struct, frozen=True):
    """LFI: non-priority packets above `fragment_ip_bytes` are cut into fragments of that size.

    `overhead_bytes_per_fragment` replaces the overhead of the link per packet.
    """

    fragment_ip_bytes: _IpBytes
    overhead_bytes_per_fragment: _Overhead


class WredProfile(Struct, frozen=True):
    """Drop profile of one precedence or DSCP."""

    name: str
    min_threshold_packets: _NotNegative
    max_threshold_packets: _Positive
    mark_probability_denominator: _Positive


class Wred(Struct, frozen=True):
    """WRED of one class: one average queue size, several profiles."""

    exponential_weighting_constant: Annotated[int, Meta(ge=1, le=16)]
    profiles: tuple[WredProfile, ...]
    idle_decay_packet_time_ms: _Positive
    kind: Literal["dscp-based", "prec-based"] | None = None


class FairQueue(Struct, frozen=True):
    """Flow-based fair queueing inside a class."""

    per_flow_queue_limit_packets: _Count


class _Queue(Struct, frozen=True, tag_field="kind"):
    name: _Name
    queue_limit_packets: _Count


class PriorityQueue(_Queue, frozen=True, tag="priority"):
    """A class of the LLQ; `burst_bytes` and the rate count only if it is policed."""

    priority_kbps: _Positive
    burst_bytes: _Positive
    policed_under_congestion: bool


class SharedQueue(_Queue, frozen=True, tag="bandwidth"):
    """A CBWFQ class; only the ratio of the percentages matters."""

    bandwidth_percent: _Weight
    wred: Wred | None = None
    fair_queue: FairQueue | None = None


class DefaultQueue(SharedQueue, frozen=True, tag="class-default"):
    """class-default, which shares the link like any other class."""


class FifoQueue(_Queue, frozen=True, tag="fifo"):
    """The one queue of an interface without a service policy."""

    wred: Wred | None = None


Queue: TypeAlias = PriorityQueue | SharedQueue | DefaultQueue | FifoQueue


class _Sizes(Struct, frozen=True, tag_field="distribution"):
    pass


class FixedSize(_Sizes, frozen=True, tag="fixed"):
    """Every packet has `bytes`."""

    bytes: _IpBytes


class DiscreteSizes(_Sizes, frozen=True, tag="discrete"):
    """Sizes with their weights."""

    bytes_and_weights: Annotated[tuple[tuple[_IpBytes, _Positive], ...], Meta(min_length=1)]


class UniformSizes(_Sizes, frozen=True, tag="uniform_integer"):
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
    """Traffic that does not react to loss; the rates are those of one stream."""

    class_name: str = field(name="class")
    queue: str
    arrival: Arrival
    ip_packet_bytes: Sizes
    independent_identical_streams: _Count = 1
    conversations_per_stream: _Count = 1
    wred_profile: str | None = None


class TcpGroup(Struct, frozen=True, tag_field="loop", tag="tcp"):
    """Identical TCP flows. `transfer_size_packets` None: greedy."""

    class_name: str = field(name="class")
    queue: str
    tcp_flows: _Count
    base_rtt_ms: _Positive
    ip_packet_bytes: _IpBytes
    receiver_window_packets: _Count
    initial_window_packets: _Count = 2
    minimum_rto_ms: _Positive = 1000.0
    transfer_size_packets: _Count | None = None
    wred_profile: str | None = None
    delayed_ack: bool = False
    limited_transmit: bool = False


class Scenario(Struct, frozen=True):
    """One interface under traffic. `not_read` names the keys of the file that are not read."""

    id: _Name
    link: Link
    tx_ring: TxRing
    scheduler: SchedulerName
    queues: Annotated[tuple[Queue, ...], Meta(min_length=1)]
    traffic: Annotated[tuple[Stream | TcpGroup, ...], Meta(min_length=1)]
    fragmentation: Fragmentation | None = None
    not_read: tuple[str, ...] = ()

    def queue_named(self, name: str) -> Queue:
        """The queue of that name; `read_scenarios` guarantees that it exists."""
        return next(queue for queue in self.queues if queue.name == name)
