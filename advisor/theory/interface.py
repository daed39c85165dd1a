"""Input and output of the queueing model: an interface, its queues and its traffic, as numbers."""

from collections.abc import Sequence
from enum import Enum, StrEnum, auto
from math import prod

from msgspec import Struct

from advisor.units import s_from_ms, serialization_ms

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
    aal5mux ip); `wire_bytes` adds the AAL5 trailer, padding and cell headers.
    """

    overhead_bytes: int
    cells: bool = False


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
    """Who gets the rate that no guarantee claims, by generation.

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


Arrival = Periodic | Poisson | Bursts | OnOff | Saturated


class Traffic(Struct, frozen=True):
    """A class of traffic: `streams` identical independent streams of one kind of arrival.

    `precedence` may weigh its conversations in a fair queue: precedence + 1.
    """

    name: str
    queue: str
    arrival: Arrival
    sizes: SizeMix
    streams: int = 1
    conversations: int = 1
    precedence: int = 0


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


class Queue(Struct, frozen=True):
    """A software queue; `share_percent` weighs it among the lower classes.

    Priority queues of one `level` are one FIFO; level 1 goes before level 2. `policer` meters while
    the ring is full, `police` every packet. `guarantee_bps` counts unless excess bandwidth is
    proportional: then the weights are all. With `by_precedence`, conversations weigh by it.
    """

    name: str
    kind: QueueKind
    share_percent: float = 100.0
    limit_packets: int = 64
    policer: Policer | None = None
    flow_limit_packets: int | None = None  # fair-queue: limit of one conversation
    level: int = 1
    police: Policer | None = None
    shaper: Shaper | None = None
    guarantee_bps: float = 0.0
    by_precedence: bool = False


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


class Regime(StrEnum):
    """Which mathematics answers an interface: its row in `advisor.theory.regimes.REGIMES`."""

    SHAPED = "shaped"
    LEVELS = "levels"
    POLICE = "police"
    PRECEDENCE = "precedence"
    EXCESS = "excess"
    SPURTS = "spurts"
    BUNDLE = "bundle"
    DEEP = "deep"
    LLQ_OVERLOADED = "llq_overloaded"
    MODULATED = "modulated"
    ALONE_PERIODIC = "alone_periodic"
    ALONE = "alone"
    FIFO_PERIODIC = "fifo_periodic"
    FIFO = "fifo"
    RING_FULL = "ring_full"
    PERIODIC = "periodic"
    BURSTS = "bursts"
    POISSON = "poisson"


class Weakness(StrEnum):
    """Why a result says less than others: its words are `advisor.theory.regimes.WEAKNESSES`."""

    CLOSED = "closed"
    STARVED = "starved"
    UNSAMPLED = "unsampled"


class Delay(Struct, frozen=True):
    """Distribution of one-way delay in ms: queueing, ring and own serialization."""

    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    ipdv_ms: float  # mean |difference| of consecutive packets of a stream


SAMPLED = "sampled"  # the method of figures that are counted in a run of the kernel


class ClassResult(Struct, frozen=True):
    """Prediction for one class of traffic; `bound_ms` is never exceeded, None where none exists.

    `method` is the formula of its delays, or `SAMPLED`: then its mean has a standard error.
    """

    name: str
    delay: Delay
    mean_low_ms: float
    mean_high_ms: float
    bound_ms: float | None
    ipdv_bound_ms: float | None
    loss_ratio: float
    throughput_bps: float
    regime: Regime
    loss_low_ratio: float | None = None  # where only an interval of the loss is known
    loss_high_ratio: float | None = None
    weak: tuple[Weakness, ...] = ()  # why it may be further off than its regime's usual error
    method: str = SAMPLED
    error_ms: float | None = None


class Solution(Struct, frozen=True):
    """Results in the order of the interface's traffic."""

    classes: tuple[ClassResult, ...]


class ModelError(ValueError):
    """The interface cannot be modelled as described."""


# How large an interface is solved: a larger one is declined before its memory is taken.
#
# Every array whose size follows from a number of the interface is announced here first.

MOST_LLQ_LOAD = 10.0  # times the line: more says nothing of a class below it
MOST_CLASSES = 256  # of one interface; IOS takes 256 classes in a policy-map
MOST_KINDS = 10_000  # sizes of a class that differ on the wire: all sizes up to a jumbo frame
MOST_PIECES = 200_000  # fragments of a class, of one packet of every size
MOST_ON_TIMES = 1000  # of an on/off source, for one packet of it
MOST_STREAMS = 50_000  # of one class: each is a source of its own
MOST_GAP_S = 1e9  # between two packets: a rate beyond it is none
MOST_STEPS = 200_000  # times at which a bound is looked at


class TooLargeError(ModelError):
    """The interface could be modelled, but it needs more memory or time than allowed."""


def bounded(name: str, most: float, *sides: float) -> None:
    """Decline a part of an interface with more than `most` values.

    Parameters
    ----------
    name : str
        What is counted, for the error.
    most : float
        How many are allowed.
    *sides : float
        Lengths whose product is the number of values.

    Raises
    ------
    TooLargeError
        If there are more.
    """
    values = prod(sides)
    if not values <= most:
        raise TooLargeError(f"{name}: {values:.3g}, more than is solved ({most:.7g})")


def bounded_traffic(traffic: Sequence[Traffic], cut: Fragmentation | None) -> None:
    """Decline more classes, or more streams, sizes or fragments of one, than are solved.

    Raises
    ------
    TooLargeError
        If there are more.
    """
    bounded("classes of traffic", MOST_CLASSES, len(traffic))
    for traffic_class in traffic:
        if not isinstance(traffic_class.arrival, Poisson | Saturated):  # those are one source
            bounded(f"class {traffic_class.name}: streams", MOST_STREAMS, traffic_class.streams)
        sizes = len(traffic_class.sizes.bytes_and_weights)
        bounded(f"class {traffic_class.name}: packet sizes", MOST_KINDS, sizes)
        if cut is not None:
            pieces = sum(
                -(-size // cut.fragment_bytes) for size, _ in traffic_class.sizes.bytes_and_weights
            )
            bounded(f"class {traffic_class.name}: fragments", MOST_PIECES, pieces)


# Parts of an interface beyond one wire, one LLQ and classes by weight: they name its regime.

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
