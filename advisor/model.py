"""One output interface, its queues and its traffic: what theory and simulation read."""

from enum import StrEnum

from msgspec import Struct

from advisor.ground.units import s_from_ms, serialization_ms

# Bytes and time of a packet on the wire: layer-2 overhead, ATM cells.
#
# Bit stuffing (HDLC framing, about 0.8 % for random bits) is not counted.

# ITU-T I.361 and I.363.5
CELL_BYTES = 53
CELL_PAYLOAD_BYTES = 48
AAL5_TRAILER_BYTES = 8


class Framing(Struct, frozen=True):
    """Layer-2 bytes added to an IP packet.

    If `cells` is set, `overhead_bytes` is only the encapsulation header (8 for aal5snap, 0 for
    aal5mux ip); `wire_bytes` adds the AAL5 trailer, padding and cell headers. `counted_bytes` are
    those that policers and shapers count, where the ends of a framing differ in them.
    """

    overhead_bytes: int
    cells: bool = False
    counted_bytes: int | None = None


def wire_bytes(ip_bytes: int, framing: Framing) -> int:
    """Bytes that an IP packet takes on the wire.

    Parameters
    ----------
    ip_bytes : int
        Size of the IP packet.
    framing : Framing
        Layer-2 overhead.

    Notes
    -----
    ATM: ``53 * ceil((ip + header + 8) / 48)``, the trailer of AAL5 being 8 bytes.
    Source: Cisco document 10420, "What Bytes Are Counted by IP to ATM CoS Queueing".

    Examples
    --------
    >>> wire_bytes(1500, Framing(overhead_bytes=8))
    1508
    >>> wire_bytes(1000, Framing(overhead_bytes=8, cells=True))
    1166
    """
    framed = ip_bytes + framing.overhead_bytes
    if not framing.cells:
        return framed
    return CELL_BYTES * -(-(framed + AAL5_TRAILER_BYTES) // CELL_PAYLOAD_BYTES)


def wire_ms(ip_bytes: int, framing: Framing, rate_bps: float) -> float:
    """Time on the wire in ms.

    >>> round(wire_ms(1000, Framing(0, cells=True), 1_000_000), 3)
    8.904
    """
    return serialization_ms(wire_bytes(ip_bytes, framing), rate_bps)


def particles(ip_bytes: int, overhead_bytes: int, particle_bytes: int) -> int:
    """Particles of private buffer memory that a packet takes; no cell tax, no trailer.

    >>> particles(1000, overhead_bytes=8, particle_bytes=512)
    2
    """
    return -(-(ip_bytes + overhead_bytes) // particle_bytes)


# No IOS types here: `predict` translates a config. Times in ms, rates in bit/s or packets/s,
# sizes in IP bytes unless the name says otherwise.


class RingUnit(StrEnum):
    """Unit that a transmit ring counts."""

    PACKETS = "packets"
    PARTICLES = "particles"


class QueueKind(StrEnum):
    """How the scheduler serves a queue; `FIFO` and `FAIR` are the only queue of their interface.

    `FAIR` is weighted fair queueing of an interface without a policy.
    """

    PRIORITY = "priority"
    BANDWIDTH = "bandwidth"
    CLASS_DEFAULT = "class-default"
    FIFO = "fifo"
    FAIR = "fair-queue"


class Refill(StrEnum):
    """How tokens come to a shaper: Bc at the start of each Tc, or as time goes."""

    PER_INTERVAL = "per_interval"
    SMOOTH = "smooth"


class Excess(StrEnum):
    """Division of the rate that no guarantee claims, by generation.

    `PROPORTIONAL`: all classes by their weights (before HQF). `UNRESERVED_FIRST`: the classes
    without a guarantee, the others only if none of them waits (HQF). `EQUAL`: all classes alike, or
    by their remaining ratio (IOS XE on QFP). `docs/simulation.md` has the exact rules.
    """

    PROPORTIONAL = "proportional"
    UNRESERVED_FIRST = "unreserved_first"
    EQUAL = "equal"


class SizeMix(Struct, frozen=True, cache_hash=True):
    """Packet sizes in IP bytes with their weights, drawn independently per packet."""

    bytes_and_weights: tuple[tuple[int, float], ...]

    @property
    def mean_bytes(self) -> float:
        total = sum(weight for _, weight in self.bytes_and_weights)
        return sum(size * weight for size, weight in self.bytes_and_weights) / total


class Periodic(Struct, frozen=True):
    """One packet per period, up to `jitter_ms` late (uniform); phases are random."""

    packets_per_s: float
    jitter_ms: float = 0.0


class Poisson(Struct, frozen=True):
    """Independent packets."""

    packets_per_s: float


class Bursts(Struct, frozen=True):
    """Bursts of a fixed number of packets that begin as a Poisson process."""

    bursts_per_s: float
    packets_per_burst: int
    spacing_ms: float


class OnOff(Struct, frozen=True):
    """Exponential on and off times; packets at the peak rate while on."""

    peak_packets_per_s: float
    mean_on_ms: float
    mean_off_ms: float


class Saturated(Struct, frozen=True):
    """A queue that never empties: `backlog_packets` always wait in it."""

    backlog_packets: int = 20


class Tcp(Struct, frozen=True):
    """A flow that reacts to loss, one packet after the acknowledgement of another.

    `transfer_packets` None: it always has something to send; else it sends such transfers for ever,
    one round trip apart, over new connections.
    """

    base_rtt_ms: float
    receiver_window_packets: int
    transfer_packets: int | None = None
    initial_window_packets: int = 2
    minimum_rto_ms: float = 1000.0
    limited_transmit: bool = False
    delayed_ack: bool = False


Arrival = Periodic | Poisson | Bursts | OnOff | Saturated | Tcp


UNSCALED_WINDOW_BYTES = 65_535  # the largest receiver window without scaling, RFC 7323
_IP_AND_TCP_BYTES = 40


def segment_bytes(packet_bytes: int) -> int:
    """Data in a packet of TCP, without the headers of IP and TCP."""
    return max(1, packet_bytes - _IP_AND_TCP_BYTES)


def window_packets(window_bytes: float, packet_bytes: int) -> int:
    """Whole packets in a receiver window.

    >>> window_packets(UNSCALED_WINDOW_BYTES, 1500)
    44
    """
    return max(1, int(window_bytes // segment_bytes(packet_bytes)))


class DropProfile(Struct, frozen=True):
    """Thresholds in packets of average queue size; one packet in `denominator` drops at max."""

    min_threshold_packets: float
    max_threshold_packets: float
    mark_probability_denominator: float


class Traffic(Struct, frozen=True):
    """A class of traffic: `streams` identical independent streams of one kind of arrival.

    `precedence` may weigh its conversations in a fair queue: precedence + 1. WRED of its queue
    drops it by `profile`; None: never.
    """

    name: str
    queue: str
    arrival: Arrival
    sizes: SizeMix
    streams: int = 1
    conversations: int = 1
    precedence: int = 0
    profile: DropProfile | None = None

    @property
    def packets_per_s(self) -> float:
        """Mean rate of all streams; 0 where it follows what is sent: of TCP, and of a backlog."""
        match self.arrival:
            case Periodic(rate) | Poisson(rate):
                return self.streams * rate
            case Bursts(bursts_per_s, packets):
                return self.streams * (bursts_per_s * packets)
            case OnOff(peak, on_ms, off_ms):
                return self.streams * (peak * on_ms / (on_ms + off_ms))
            case Saturated() | Tcp():
                return 0.0

    @property
    def packet_bytes(self) -> int:
        """Mean size of its packets."""
        return round(self.sizes.mean_bytes)


class Policer(Struct, frozen=True):
    """Token bucket of a class; `framing` has the layer-2 bytes that it counts, None: the link's."""

    rate_bps: float
    burst_bytes: float
    framing: Framing | None = None


class Shaper(Struct, frozen=True):
    """A shaper of the whole interface or of one queue.

    A token bucket of Bc + Be bits gets `rate_bps` in steps of `interval_ms` (Tc) or smoothly, and
    a packet goes when its tokens are there. `framing` has the layer-2 bytes that it counts; None:
    the link's, without cells.
    """

    rate_bps: float
    interval_ms: float
    framing: Framing | None = None
    excess_bits: float = 0.0
    refill: Refill = Refill.PER_INTERVAL

    @property
    def committed_bits(self) -> float:
        """Bc: what comes in one Tc."""
        return self.rate_bps * s_from_ms(self.interval_ms)


def counted_framing(bucket: Policer | Shaper, link: Framing) -> Framing:
    """The layer-2 bytes that a token bucket counts: its own, else those of the link."""
    return bucket.framing or Framing(link.overhead_bytes)


class WredAverage(Struct, frozen=True):
    """WRED of a queue, whose average gives each new sample the weight 2^-exponent.

    While the queue is idle, the average decays as if packets of `idle_packet_ms` had found it
    empty; None: the mean time of the packets of its traffic.
    """

    exponent: int = 9
    idle_packet_ms: float | None = None


class Queue(Struct, frozen=True):
    """A software queue; `share_percent` weighs it among the lower classes.

    Priority queues of one `level` are one FIFO; level 1 goes before level 2. `priority_policer`
    meters while the ring is full, `class_policer` every packet. `guarantee_bps` counts unless
    excess bandwidth is proportional: then the weights are all. With `by_precedence`, conversations
    weigh by it.
    """

    name: str
    kind: QueueKind
    share_percent: float = 100.0
    limit_packets: int = 64
    priority_policer: Policer | None = None
    flow_limit_packets: int | None = None  # fair-queue: limit of one conversation
    level: int = 1
    class_policer: Policer | None = None
    shaper: Shaper | None = None
    guarantee_bps: float = 0.0
    by_precedence: bool = False
    wred: WredAverage | None = None


class TxRing(Struct, frozen=True):
    """The transmit ring; `beside_wire` is 1 where the packet on the wire has left the ring."""

    limit: int
    unit: RingUnit = RingUnit.PACKETS
    particle_bytes: int = 512
    beside_wire: int = 0


class Fragmentation(Struct, frozen=True):
    """LFI: lower-class packets are cut into fragments of at most `fragment_bytes` IP bytes."""

    fragment_bytes: int
    overhead_bytes: int


class Interface(Struct, frozen=True):
    """One output interface with everything that is offered to it.

    `members_bps` are the rates of the links of a multilink bundle, each with a ring as `ring`;
    `rate_bps` is then their sum. Empty: one wire.
    """

    rate_bps: float
    framing: Framing
    ring: TxRing
    queues: tuple[Queue, ...]
    traffic: tuple[Traffic, ...]
    fragmentation: Fragmentation | None = None
    shaper: Shaper | None = None
    members_bps: tuple[float, ...] = ()
    excess: Excess = Excess.PROPORTIONAL

    def offered_to(self, queue: Queue) -> tuple[Traffic, ...]:
        """The traffic of a queue."""
        return tuple(traffic for traffic in self.traffic if traffic.queue == queue.name)

    @property
    def reacts(self) -> bool:
        """Whether traffic reacts to loss (TCP) or meets WRED."""
        return any(isinstance(traffic.arrival, Tcp) for traffic in self.traffic) or any(
            queue.wred is not None and self.offered_to(queue) for queue in self.queues
        )
