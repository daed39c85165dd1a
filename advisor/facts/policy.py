"""MQC: class-maps, policy-maps and the actions of their classes."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from advisor.facts import Stated
from advisor.ground.units import whole
from advisor.ios.syntax import Location

CLASS_DEFAULT = "class-default"
USER_DEFINED = "user-defined"  # of `account`


class Match(Struct, frozen=True):
    """One `match` line: `match ip dscp ef af31` → kind "dscp", values ("46", "26").

    Kinds: "dscp", "precedence" (numbers as text, names resolved), "access-group" (number or name),
    "protocol", "class-map", "any", "rtp" (values: first port, range), "packet-length", "qos-group",
    "cos", "input-interface", "mpls-experimental", "other" (values: the words).
    """

    kind: str
    values: tuple[str, ...]
    negated: bool
    at: Location
    text: str


class ClassMap(Struct, frozen=True):
    """A `class-map`; `match_all` is IOS's default."""

    name: str
    match_all: bool
    matches: tuple[Match, ...]
    at: Location


class Unit(StrEnum):
    """Unit of a guarantee or of a queue-limit."""

    KBPS = "kbps"
    PERCENT = "percent"
    REMAINING_PERCENT = "remaining percent"
    REMAINING_RATIO = "remaining ratio"
    STRICT = "strict"  # `priority` without a rate
    PACKETS = "packets"
    BYTES = "bytes"
    MS = "ms"


class Priority(Struct, frozen=True):
    """`priority`, `priority 64 [burst]`, `priority percent 10 [burst]`, `priority level 1`."""

    unit: Unit  # KBPS, PERCENT or STRICT
    amount: float | None  # kbit/s or percent; None for STRICT
    burst_bytes: int | None
    level: int | None
    at: Location


class Bandwidth(Struct, frozen=True):
    """`bandwidth 256`, `bandwidth percent 20`, `bandwidth remaining percent 30`…"""

    unit: Unit
    amount: float
    at: Location


class Shape(Struct, frozen=True):
    """`shape average|peak R [Bc [Be]]` or `shape average percent P`."""

    mode: str  # "average" or "peak"
    rate_bps: float | None
    percent: float | None
    bc_bits: int | None
    be_bits: int | None
    at: Location
    bc_ms: float | None = None  # `shape average percent 20 10 ms`
    be_ms: float | None = None
    account: str | None = None  # words after `account`: overhead that is counted beside layer 2

    @property
    def account_bytes(self) -> int | None:
        """Bytes that it counts more for a packet; None where `account` names cells or headers."""
        if self.account is None:
            return 0
        kind, *rest = self.account.split()
        return whole(rest[0]) if kind == USER_DEFINED and len(rest) == 1 else None


class Police(Struct, frozen=True):
    """`police …` in its one-line and sub-mode forms."""

    at: Location
    rate_bps: float | None = None
    percent: float | None = None
    burst_bytes: int | None = None
    excess_bytes: int | None = None
    conform: str | None = None
    exceed: str | None = None
    violate: str | None = None
    peak_rate_bps: float | None = None  # `pir` of a two-rate policer

    @property
    def drops(self) -> bool:
        """Whether packets above the rate are dropped, as they are where no action is stated."""
        return self.exceed in (None, "drop")


class QueueLimit(Struct, frozen=True):
    """`queue-limit N [packets|bytes|ms]`."""

    amount: float
    unit: Unit  # PACKETS, BYTES or MS
    at: Location
    has_unit: bool = False  # the line names it, as HQF prints it

    @property
    def packets(self) -> float | None:
        """The limit where it is in packets; None where it is in bytes or milliseconds."""
        return self.amount if self.unit is Unit.PACKETS else None


class WredProfile(Struct, frozen=True):
    """One `random-detect precedence|dscp|…` row. `key` as given; `code` its number if known.

    `may_span` is set if the line has the form that can set the rows of several codes at once:
    `random-detect dscp values … minimum-thresh …`.
    """

    scheme: str  # "precedence", "dscp", "class", "clp", "discard-class", "ecn"…
    key: str
    code: int | None
    min_threshold: float
    max_threshold: float
    mark_probability_denominator: int | None
    unit: Unit
    at: Location
    may_span: bool = False


class Wred(Struct, frozen=True):
    """All `random-detect` lines of a class. `at` is the first of them.

    `is_whole` is false where a line is not understood, as one that redaction masked: a code without
    a row may have one.
    """

    at: Location
    scheme: str  # "precedence" (IOS's default), "dscp", …
    profiles: tuple[WredProfile, ...]
    exponent: Stated[int] | None
    ecn: Stated[bool] | None
    is_whole: bool = True


class Fragment(Struct, frozen=True):
    """A name by which classes of several policies share a queue; the service has the queue."""

    kind: str  # "fragment", "service-fragment"
    name: str
    at: Location

    @property
    def is_service(self) -> bool:
        return self.kind == "service-fragment"


class ClassLines(Struct):
    """Settings of a class in a policy-map that its lines state as they are."""

    name: str
    at: Location
    priority: Priority | None = None
    bandwidth: Bandwidth | None = None
    shape: Shape | None = None
    police: Police | None = None
    queue_limit: QueueLimit | None = None
    fair_queue: Stated[bool] | None = None
    child: Stated[str] | None = None  # nested service-policy
    dynamic_queues: Stated[int] | None = None  # `fair-queue N`
    drops: bool = False  # `drop`: all of its packets
    compresses_rtp: bool = False  # `compression header ip`, of RTP alone or of TCP too
    fragment: Fragment | None = None


class PolicyClass(ClassLines, frozen=True):  # type: ignore[misc]  # its draft is not frozen
    """A `class` of a policy-map; at most one of every action, as in IOS."""

    wred: Wred | None = None
    sets: tuple[Stated[str], ...] = ()  # "dscp ef", "precedence 5", …

    @property
    def is_default(self) -> bool:
        return self.name == CLASS_DEFAULT

    @property
    def actions_beside_drop(self) -> tuple[str, ...]:
        """Its actions other than `drop`, by the words of their lines."""
        stated = (
            ("priority", self.priority),
            ("bandwidth", self.bandwidth),
            ("shape", self.shape),
            ("police", self.police),
            ("queue-limit", self.queue_limit),
            ("fair-queue", self.fair_queue),
            ("random-detect", self.wred),
            ("set", self.sets or None),
            ("service-policy", self.child),
        )
        return tuple(name for name, action in stated if action is not None)

    @property
    def discards(self) -> bool:
        """Whether all of its packets are dropped: IOS refuses `drop` beside another action."""
        return self.drops and not self.actions_beside_drop

    @property
    def shares_default(self) -> bool:
        """Whether its packets wait in the queue of class-default: no action makes it a queue.

        Sources: Cisco 110850 has queues for classes with `priority`, `bandwidth` or `fair-queue`
        and for class-default; printouts have no queue in a class that only marks (genieparser). A
        `queue-limit` makes no queue: IOS XE refuses it alone.
        """
        has_queue = self.is_default or self._makes_queue or self.child is not None
        return not (has_queue or self.drops)

    @property
    def queue_wred(self) -> Wred | None:
        """WRED of its own queue; a priority class has none, and every generation refuses it."""
        return None if self.priority is not None else self.wred

    @property
    def queues(self) -> bool:
        """Whether the class has a queueing action, which IOS refuses on input."""
        return self._makes_queue or self.queue_limit is not None

    @property
    def _makes_queue(self) -> bool:
        actions = (self.priority, self.bandwidth, self.shape, self.wred)
        fair = self.fair_queue is not None and self.fair_queue.value
        return fair or any(action is not None for action in actions)


class PolicyMap(Struct, frozen=True, cache_hash=True, dict=True):
    """A `policy-map` with its classes in the order of the config: order is meaning."""

    name: str
    classes: tuple[PolicyClass, ...]
    at: Location

    @property
    def fragment(self) -> Fragment | None:
        """The first one of its classes; None without one.

        Source: Cisco, QoS Policies Aggregation: `class class-default fragment NAME` of a
        subinterface sends by the `service-fragment NAME` of its port, and needs no shaper.
        """
        return next((entry.fragment for entry in self.classes if entry.fragment is not None), None)

    @property
    def children(self) -> tuple[str, ...]:
        """Names of the policy-maps that stand in its classes."""
        return tuple(entry.child.value for entry in self.classes if entry.child is not None)

    def path_of(self, class_name: str) -> str:
        """The object path of a class: "policy-map EDGE > class VOICE"."""
        return f"policy-map {self.name} > class {class_name}"

    @cached_property
    def class_by_name(self) -> Mapping[str, PolicyClass]:
        """The first class of each name."""
        return {policy_class.name: policy_class for policy_class in reversed(self.classes)}
