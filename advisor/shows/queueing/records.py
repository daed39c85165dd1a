"""Typed records of the `show queueing` family."""

from msgspec import Struct

from advisor.ios.syntax.tree import Location
from advisor.shows.interfaces.queue_lines import QueueState


class CircuitId(Struct, frozen=True):
    """VPI and VCI of an ATM virtual circuit."""

    vpi: int
    vci: int


class RandomDetectRow(Struct, frozen=True):
    """WRED of one precedence, DSCP or class; None for bytes that IOS does not print.

    `mark_probability_denominator` is the n of `1/n`: one packet in n is dropped at the maximum
    threshold.
    """

    name: str
    random_drops_packets: int | None
    random_drops_bytes: int | None
    tail_drops_packets: int | None
    tail_drops_bytes: int | None
    min_threshold_packets: int
    max_threshold_packets: int
    mark_probability_denominator: int
    output_packets: int | None
    at: Location


class RandomDetect(Struct, frozen=True):
    """WRED of an interface or VC.

    `weight_exponent` is the n of `Exp-weight-constant: n (1/2^n)`.
    """

    interface: str
    circuit: CircuitId | None
    strategy: str | None
    weight_exponent: int | None
    mean_queue_depth_packets: int | None
    total_output_drops_packets: int | None
    rows: tuple[RandomDetectRow, ...]
    at: Location


class InterfaceQueueing(Struct, frozen=True):
    """One interface of `show queueing interface`.

    `strategy` is the word of its first line (`none` is FIFO, `fair` WFQ or CBWFQ). It is None
    for a VC, which has no such line. `queues` is None if IOS prints only that line.
    """

    interface: str
    circuit: CircuitId | None
    strategy: str | None
    queues: QueueState | None
    random_detect: RandomDetect | None
    at: Location


class FairQueueing(Struct, frozen=True):
    """One row of `show queueing fair`; IOS prints the last two columns since 12.3."""

    interface: str
    discard_threshold_packets: int
    dynamic_queues: int
    reserved_queues: int
    link_queues: int | None
    priority_queues: int | None
    at: Location
