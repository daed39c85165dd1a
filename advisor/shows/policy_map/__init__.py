"""Typed records of `show policy-map interface` and `show policy-map`."""

import re
from typing import Final, Literal

from msgspec import Struct

from advisor.ios.syntax import Location
from advisor.shows.output import ShownLine

# None stands for a value that was not printed, and for a counter that wrapped below zero.

Direction = Literal["input", "output"]
MatchKind = Literal["match-all", "match-any"]


class Count(Struct, frozen=True):
    """Packets and their bytes. Switches print only one of the two."""

    packets: int | None = None
    bytes: int | None = None


class QueueSize(Struct, frozen=True):
    """A queue length in the unit, or the two units, that IOS prints.

    `percent` is a percentage of the queue limit: the unit of WRED thresholds in 17.x.
    """

    packets: int | None = None
    bytes: int | None = None
    ms: int | None = None
    us: int | None = None
    percent: int | None = None


class ShownMatch(Struct, frozen=True):
    """A match criterion of a class, with its count if IOS counts each criterion."""

    criterion: str
    seen: Count | None = None
    rate_bps: int | None = None


class ShownPriority(Struct, frozen=True):
    """The priority of an LLQ class; `rate_kbps` is its policed rate, None if it has none."""

    level: int | None = None
    rate_kbps: int | None = None
    rate_percent: int | None = None
    burst_bytes: int | None = None
    exceed_drops_packets: int | None = None


class ShownBandwidth(Struct, frozen=True):
    """Guarantee or share of a CBWFQ class; the VIP of a 7500 prints `weight`.

    `account` of it, of a shaper or of a policer has the words behind `account`: the overhead that
    is counted beside layer 2.
    """

    rate_kbps: int | None = None
    rate_percent: int | None = None
    remaining_percent: int | None = None
    remaining_ratio: int | None = None
    weight: int | None = None
    account: str | None = None


class ShownQueue(Struct, frozen=True):
    """The queue of a class or of a priority level.

    `matched` counts packets of the class that arrived during congestion (before HQF), `queued`
    the packets put into the queue (12.2SB, XE), `output` the packets sent. IOS prints no unit with
    the depth: it has the unit of the limit, and packets if no limit is printed.
    `total_drops_unstated` is the lone `(total drops)` of switches, which has no unit.
    """

    limit: QueueSize | None = None
    depth: QueueSize | None = None
    conversation: int | None = None
    total_drops_packets: int | None = None
    dropped_bytes: int | None = None
    no_buffer_drops_packets: int | None = None
    flow_drops_packets: int | None = None
    other_drops_packets: int | None = None
    total_drops_unstated: int | None = None
    matched: Count | None = None
    queued: Count | None = None
    output: Count | None = None

    @property
    def most_drops(self) -> int | None:
        """The largest of the counters of drops; None where none is printed."""
        counters = (
            self.total_drops_packets,
            self.no_buffer_drops_packets,
            self.total_drops_unstated,
        )
        return max((count for count in counters if count is not None), default=None)

    @property
    def has_waiting(self) -> bool:
        """Whether packets wait in it, or found it full."""
        waits = self.depth is not None and any((self.depth.packets, self.depth.bytes))
        return waits or bool(self.most_drops)


class ShownFairQueue(Struct, frozen=True):
    """`fair-queue` of a class: hashed conversations before HQF, a limit per flow with HQF."""

    hashed_queues: int | None = None
    queued_packets: int | None = None
    per_flow_limit_packets: int | None = None


class ShownWredRow(Struct, frozen=True):
    """One precedence, DSCP or class of a WRED table; `name` as printed (`af31`, `rsvp`, `5`).

    The mark probability is `1 / mark_probability_denominator`.
    """

    name: str
    transmitted: Count | None = None
    random_drops: Count | None = None
    tail_drops: Count | None = None
    min_threshold: QueueSize | None = None
    max_threshold: QueueSize | None = None
    mark_probability_denominator: int | None = None
    ecn_marked: Count | None = None


class ShownWred(Struct, frozen=True):
    """`random-detect` of a class; `by` is the title of the first column of its table.

    `exponent` is the exponential weighting constant n: the weight is `2 ** -n`.
    """

    by: str | None = None
    exponent: int | None = None
    mean_depth: QueueSize | None = None
    ecn: bool = False
    rows: tuple[ShownWredRow, ...] = ()


class ShownShaper(Struct, frozen=True):
    """The shaper of a class. Bc and Be are in bits per interval, as IOS prints them.

    `target_rate_bps` is above the CIR for a peak shaper. IOS prints `interval_ms` (Tc) and the
    `delayed` counters only before HQF.
    """

    kind: Literal["average", "peak"] | None = None
    cir_bps: int | None = None
    cir_percent: int | None = None
    bc_bits: int | None = None
    be_bits: int | None = None
    bc_ms: int | None = None
    be_ms: int | None = None
    target_rate_bps: int | None = None
    lower_bound_bps: int | None = None
    byte_limit_bytes: int | None = None
    interval_ms: int | None = None
    increment_bytes: int | None = None
    queue_depth_packets: int | None = None
    max_buffers_packets: int | None = None
    sent: Count | None = None
    delayed: Count | None = None
    active: bool | None = None
    account: str | None = None


class PolicerOutcome(Struct, frozen=True):
    """The actions and counters of a policer for conforming, exceeding or violating packets."""

    actions: tuple[str, ...] = ()
    seen: Count | None = None
    rate_bps: int | None = None
    rate_pps: int | None = None


class ShownPolicer(Struct, frozen=True):
    """A policer: one rate or two, in bits or packets, absolute or in percent.

    `slot` is the `Earl in slot` of a 7600 or 6500, which has several policing engines.
    """

    cir_bps: int | None = None
    cir_percent: int | None = None
    bc_bytes: int | None = None
    bc_ms: int | None = None
    pir_bps: int | None = None
    pir_percent: int | None = None
    be_bytes: int | None = None
    be_ms: int | None = None
    rate_pps: int | None = None
    burst_packets: int | None = None
    slot: int | None = None
    conformed: PolicerOutcome | None = None
    exceeded: PolicerOutcome | None = None
    violated: PolicerOutcome | None = None
    account: str | None = None


class Mark(Struct, frozen=True):
    """One line of `QoS Set`: field and value; `marked_packets` is None if not counted."""

    field: str
    value: str
    marked_packets: int | None = None


class ShownPriorityQueue(Struct, frozen=True):
    """`queue stats for all priority classes`: one queue that the classes of a level share.

    Without a level it is the queue of all priority classes.
    """

    level: int | None
    queue: ShownQueue
    at: Location
    drops_at: Location | None = None

    def holds(self, priority: ShownPriority | None) -> bool:
        """Whether a class with this priority is in the queue; `priority` alone is level 1."""
        return priority is not None and self.level in (None, priority.level or 1)


class ClassFigures(Struct):
    """Figures of a class that one line states each.

    Each is declared only here: the draft that readers fill has the same fields. A 6500 or 7600
    prints a class twice: `in_hardware` tells the counters of the hardware from those of the
    software. `rates_at` is the line of the offered rate, `drops_at` one that counts drops.
    """

    name: str
    match_kind: MatchKind
    at: Location
    seen: Count | None = None
    interval_s: int | None = None
    offered_rate_bps: int | None = None
    drop_rate_bps: int | None = None
    priority: ShownPriority | None = None
    bandwidth: ShownBandwidth | None = None
    fair_queue: ShownFairQueue | None = None
    wred: ShownWred | None = None
    shaper: ShownShaper | None = None
    drops_all: bool = False
    in_hardware: bool | None = None
    child: "ChildPolicy | None" = None
    rates_at: Location | None = None
    drops_at: Location | None = None


class ObservedClass(ClassFigures, frozen=True):  # type: ignore[misc]  # its draft is not frozen
    """One class of an attached policy, with everything printed under it."""

    matches: tuple[ShownMatch, ...] = ()
    queue: ShownQueue | None = None
    policers: tuple[ShownPolicer, ...] = ()
    marks: tuple[Mark, ...] = ()

    @property
    def has_queue(self) -> bool:
        """Whether a line of its queue, or of what rules that queue, is printed."""
        ruled = (self.priority, self.bandwidth, self.fair_queue, self.wred, self.shaper)
        return self.queue is not None or any(figure is not None for figure in ruled)

    @property
    def is_definition(self) -> bool:
        """Whether all of its settings are printed; beside counters some releases leave out some."""
        return False

    @property
    def prints_queue(self) -> bool:
        """Whether the settings of its queue are printed: what is not there is not in force."""
        return self.queue is not None and self.in_hardware is None

    @property
    def queue_limit(self) -> QueueSize | None:
        """The limit of its queue."""
        return self.queue.limit if self.queue is not None else None

    @property
    def policer(self) -> ShownPolicer | None:
        """Its one policer; None of several, as engines of a switch have each their own."""
        return self.policers[0] if len(self.policers) == 1 else None

    @property
    def child_policy(self) -> str | None:
        """The policy that stands in it."""
        return self.child.policy if self.child is not None else None


class ChildPolicy(Struct, frozen=True):
    """A policy inside a class of another policy.

    `unread` names its classes that are not understood: of them nothing is known.
    """

    policy: str
    classes: tuple[ObservedClass, ...]
    priority_queues: tuple[ShownPriorityQueue, ...]
    at: Location
    unread: tuple[str, ...] = ()

    @property
    def has_all(self) -> bool:
        """Whether it prints all of its classes, those that are not understood too."""
        return True


class Circuit(Struct, frozen=True):
    """The part of an interface with a policy: `VC 0/33`, `DLCI 100`, `Service Group 1`."""

    kind: str
    number: str


class ObservedPolicy(Struct, frozen=True):
    """A policy attached to an interface; `interface` is the name as IOS prints it.

    `unread` names its classes that are not understood: of them nothing is known. `is_part` is
    true where the command named classes: the output says nothing of the others.
    """

    interface: str
    circuit: Circuit | None
    direction: Direction
    policy: str
    classes: tuple[ObservedClass, ...]
    priority_queues: tuple[ShownPriorityQueue, ...]
    at: Location
    unread: tuple[str, ...] = ()
    is_part: bool = False

    @property
    def has_all(self) -> bool:
        """Whether it prints all of its classes, those that are not understood too."""
        return not self.is_part

    @property
    def has_waiting(self) -> bool:
        """Whether packets wait in a queue of it, or were dropped by one: its place filled."""
        queues = [*(item.queue for item in self.classes)]
        queues += [item.queue for item in self.priority_queues]
        return any(queue is not None and queue.has_waiting for queue in queues)


class ShownClass(Struct, frozen=True):
    """One class of `show policy-map`: its configuration, without counters."""

    name: str
    at: Location
    priority: ShownPriority | None = None
    bandwidth: ShownBandwidth | None = None
    queue_limit: QueueSize | None = None
    fair_queue: ShownFairQueue | None = None
    wred: ShownWred | None = None
    shaper: ShownShaper | None = None
    policer: ShownPolicer | None = None
    marks: tuple[Mark, ...] = ()
    drops_all: bool = False
    child_policy: str | None = None

    @property
    def is_definition(self) -> bool:
        """Whether all of its settings are printed."""
        return True

    @property
    def prints_queue(self) -> bool:
        """Whether the settings of its queue are printed: what is not there is not in force."""
        return True


class ShownPolicy(Struct, frozen=True):
    """A policy-map as `show policy-map` prints it.

    `unread` names its classes that are not understood: of them nothing is known.
    """

    policy: str
    classes: tuple[ShownClass, ...]
    at: Location
    unread: tuple[str, ...] = ()
    is_part: bool = False

    @property
    def has_all(self) -> bool:
        """Whether it prints all of its classes, those that are not understood too."""
        return not self.is_part


# The lines above a policy in `show policy-map interface`: what it is attached to.

_INTERFACE: Final = re.compile(
    r"([A-Za-z][A-Za-z-]*(?:\d+[A-Za-z]+)*\s?\d+(?:[/.:]\d+)*)"
    r"(?:\s*:\s*(VC|DLCI|PVC|Service Group|Service Instance|EFP|bundle)\s+(\S+)(?:\s+-)?)?"
)
_MULTIPOINT: Final = re.compile(r"Interface (\S+\d) <--> (\S+)")
_CONTROL_PLANE: Final = re.compile(r"Control Plane(?: \S.*)?")


def target_of(line: ShownLine) -> tuple[str, Circuit | None] | None:
    """The interface and the circuit of it that a line names; None for any other line."""
    if _CONTROL_PLANE.fullmatch(line.text):
        return line.text, None
    if (match := _MULTIPOINT.fullmatch(line.text)) is not None:
        return match[1], Circuit("peer", match[2])
    if (match := _INTERFACE.fullmatch(line.text)) is not None:
        return match[1], Circuit(match[2], match[3]) if match[2] else None
    return None
