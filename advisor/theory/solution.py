"""Results of the queueing model, and how large an interface may be to be solved."""

from collections.abc import Sequence
from enum import Enum, StrEnum, auto
from math import prod

from msgspec import Struct

from advisor.model import (
    Excess,
    Fragmentation,
    Interface,
    OnOff,
    Poisson,
    QueueKind,
    Saturated,
    Tcp,
    Traffic,
)


class Regime(StrEnum):
    """Kind of queueing of an interface: its row in `advisor.theory.regimes.REGIMES`."""

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

    `low` and `high` are the ends of every figure of the delay. `method` is the formula of the
    delays and of the loss, or `SAMPLED`: then the mean has a standard error; `ipdv_method` that of
    the jitter, which may be sampled beside a formula. A class that is never empty carries what
    others leave: `part_low` to `part_high` of its throughput.
    """

    name: str
    delay: Delay
    low: Delay
    high: Delay
    bound_ms: float | None
    ipdv_bound_ms: float | None
    loss_ratio: float
    loss_low_ratio: float
    loss_high_ratio: float
    throughput_bps: float
    regime: Regime
    weak: tuple[Weakness, ...] = ()  # why it may be further off than its regime's usual error
    method: str = SAMPLED
    ipdv_method: str = SAMPLED
    error_ms: float | None = None
    part_low: float = 1.0
    part_high: float = 1.0

    @property
    def throughput_low_bps(self) -> float:
        """Throughput at the most loss."""
        return self._throughput_bps(self.loss_high_ratio) * self.part_low

    @property
    def throughput_high_bps(self) -> float:
        """Throughput at the least loss."""
        return self._throughput_bps(self.loss_low_ratio) * self.part_high

    def _throughput_bps(self, lost: float) -> float:
        passed = 1 - self.loss_ratio
        return self.throughput_bps * (1 - lost) / passed if passed else self.throughput_bps


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
        if not isinstance(traffic_class.arrival, Poisson | Saturated | Tcp):  # those are one source
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


class Feature(Enum):
    """A part of an interface."""

    SHAPER = auto()
    LEVELS = auto()
    POLICE = auto()
    PRECEDENCE = auto()
    EXCESS = auto()
    SPURTS = auto()
    BUNDLE = auto()
    DEEP = auto()


def features_of(interface: Interface) -> frozenset[Feature]:
    """Parts that an interface has beyond one wire, one LLQ and classes by weight."""
    queues, shaper = interface.queues, interface.shaper
    priority = {queue.name: queue for queue in queues if queue.kind is QueueKind.PRIORITY}
    weighed = {queue.name for queue in queues if queue.by_precedence}
    slower = shaper is not None and shaper.rate_bps < interface.rate_bps
    guaranteed = any(queue.guarantee_bps > 0 for queue in queues)
    parts = {
        Feature.SHAPER: slower or any(queue.shaper is not None for queue in queues),
        Feature.LEVELS: len({queue.level for queue in priority.values()}) > 1,
        Feature.POLICE: any(queue.class_policer is not None for queue in queues),
        Feature.PRECEDENCE: len(
            {traffic.precedence for traffic in interface.traffic if traffic.queue in weighed}
        )
        > 1,
        Feature.EXCESS: interface.excess is not Excess.PROPORTIONAL and guaranteed,
        Feature.SPURTS: any(
            isinstance(traffic.arrival, OnOff) and traffic.queue in priority
            for traffic in interface.traffic
        ),
        Feature.BUNDLE: bool(interface.members_bps),
    }
    parts[Feature.DEEP] = interface.ring.limit > DEEPEST
    return frozenset(part for part, is_there in parts.items() if is_there)
