"""One output interface, its queues and its traffic: what theory and simulation read."""

from enum import StrEnum

from msgspec import Struct

from advisor.model.wire import Framing
from advisor.units import s_from_ms

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
