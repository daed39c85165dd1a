"""One output point: where a policy queues, with the wire, ring and framing behind it."""

from enum import StrEnum
from math import ceil
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts import Stated
from advisor.facts.config import Unplaced
from advisor.facts.interface import Interface, Pvc
from advisor.facts.policy import CLASS_DEFAULT, Police, PolicyClass, PolicyMap, Shape, Unit
from advisor.ground.quantity import Basis, Figure, Input, RateKind, Unknown, count, exact
from advisor.ground.questions import question
from advisor.ground.units import bps_from_kbps, bytes_in_ms, ratio_from_percent
from advisor.ios.syntax import Location
from advisor.model import Framing, wire_ms
from advisor.outlet.framing import Encapsulation
from advisor.outlet.measured import MeasuredClass
from advisor.outlet.ring import RingFact
from advisor.outlet.wrapping import Wrapping, wrapping_in_class

# The rate of a priority class, by its statements and the base of their percentages.

_POLICE_BURST_MS, _LEAST_POLICE_BYTES = 250.0, 1500.0


def priority_rate_bps(policy_class: PolicyClass, base_bps: float | None) -> float | None:
    """Rate that `priority` states; None for `priority` without a rate or an unknown base."""
    priority = policy_class.priority
    if priority is None or priority.amount is None:
        return None
    if priority.unit is Unit.KBPS:
        return bps_from_kbps(priority.amount)
    return None if base_bps is None else base_bps * ratio_from_percent(priority.amount)


def police_rate_bps(police: Police, base_bps: float | None) -> float | None:
    """Rate that `police` states; None without one in bit/s or with an unknown base."""
    if police.rate_bps is not None or police.percent is None:
        return police.rate_bps
    return None if base_bps is None else base_bps * ratio_from_percent(police.percent)


def police_burst_bytes(rate_bps: float) -> float:
    """Burst that IOS takes where `police` states none: 250 ms of the rate, at least 1500 bytes.

    Sources: Cisco LLQ guide; printouts (50 Mb/s: 1562500 bytes).
    """
    return max(bytes_in_ms(rate_bps, _POLICE_BURST_MS), _LEAST_POLICE_BYTES)


def held_rate_bps(policy_class: PolicyClass, base_bps: float | None) -> float | None:
    """Rate that a priority class is held to: that of `priority`, or of its own `police` below it.

    The policer of `priority` meters under congestion, `police` always.
    """
    rate_bps, police = priority_rate_bps(policy_class, base_bps), policy_class.police
    if policy_class.priority is None or police is None:
        return rate_bps
    policed_bps = police_rate_bps(police, base_bps)
    if rate_bps is None or policed_bps is None:
        return rate_bps if policed_bps is None else policed_bps
    return min(rate_bps, policed_bps) if police.drops else rate_bps


# Queueing of an output.


class Queueing(StrEnum):
    """Kinds of queueing of an output."""

    POLICY = "policy"
    FIFO = "FIFO"
    FAIR_QUEUE = "weighted fair queueing"
    RANDOM_DETECT = "random-detect"
    LEGACY = "queueing older than MQC"
    CIRCUIT = "the queue of the circuit"
    BUNDLE = "the queues of its bundle"  # a policy of the member itself has no effect
    VOID = "a policy that queues no packet"  # its place gives it none
    UNREAD = "a policy that this part of the configuration does not hold"
    UNKNOWN = "unknown"  # no source states the default of IOS XE


_LEAST_COUNTED_BYTES: Final = -19  # a header of IP has 20


class Outlet(Struct, frozen=True, cache_hash=True):
    """One output point with an attached policy.

    `policy` is the attached policy. `queueing` is the policy that queues: `policy` or one nested in
    it. `policy_label` is the object path of the attachment:
    of the bundle, not of a member; with a class's child. `circuit` is the number of a PVC or DLCI
    as show outputs print it. `ring_section` are the commands that enter the mode where the ring is
    set: of a bundle member, not of the bundle. `ring_key` names the ring. `wire` is the rate that
    the ring drains at, `link` the smaller one of `wire` and an effective shaper.
    """

    label: str
    policy_label: str
    circuit: str | None
    ring_key: str
    section: tuple[str, ...]
    at: Location
    interface: Interface
    pvc: Pvc | None
    policy: PolicyMap
    queueing: PolicyMap
    shaper_bps: float | None
    wire: Input | None
    encapsulation: Encapsulation | None
    mtu: Input
    fragment_bytes: Stated[float] | None
    ring: RingFact | None
    ring_section: tuple[str, ...]
    admission_bps: float | None  # base of `percent` and of the sum of reservations
    admits_by_min_cir: bool = False  # `admission_bps` is the mincir of Frame Relay traffic shaping
    bundle: Interface | None = None
    bundle_wire: Input | None = None  # of all members together
    members: int = 1  # of the bundle: its traffic is split over them
    members_down: str | None = None  # those of the bundle or channel that carry nothing
    members_bps: tuple[float, ...] = ()  # their wires; empty where one is not known
    session: Interface | None = None  # the Dialer or Virtual-Template that it carries
    shape: Shape | None = None  # the statement of `shaper_bps`; None for the CIR of a circuit
    shaper_share: float | None = None  # of the line, where only percentages lead to `shaper_bps`
    ceiling_bps: float | None = None  # that the attached policy lets pass; None: not all is shaped
    shaped_sum_bps: float | None = None  # all shapers before this ring; None: some is not shaped
    shares_ring: bool = False  # policies beside this one queue before the same ring
    circuit_bc_bits: Stated[int] | None = None  # of Frame Relay traffic shaping
    circuit_be_bits: Stated[int] | None = None
    map_class: str | None = None  # of Frame Relay, where it sets the fragments of the circuit
    is_never_full: bool = False  # at its place: no packet waits for a class of its policy
    why_not_modelled: str | None = None  # a policer around the policy, a queue of several policies
    why_unread: str | None = None  # a line that sets the ring or a shaper is not understood
    has_unread_lines: bool = False  # of its policies, interfaces or circuit: not understood
    is_rate_unread: bool = False  # of the ATM circuit: its line is not understood
    why_fragment_unknown: str | None = None  # its size is one of two, or not understood
    open_fragments: tuple[Stated[float], ...] = ()  # the two, the smaller first
    is_frame_relay_shaped: bool = False  # by Frame Relay traffic shaping of the interface
    measured: tuple[MeasuredClass, ...] = ()  # classes as they were counted
    unread_classes: tuple[str, ...] = ()  # counted, not understood: `measured` is empty then
    measured_mean: Input | None = None  # mean IP packet of all classes, of a link that was busy
    kind: Queueing = Queueing.POLICY  # else `policy` is one without classes
    hold_queue: Input | None = None  # packets, of an output without a policy
    wrapping: Wrapping | Unknown | None = None  # around calls: a tunnel, a crypto map

    @property
    def known_wrapping(self) -> Wrapping | None:
        """Return the headers around calls, where their bytes are known."""
        return self.wrapping if isinstance(self.wrapping, Wrapping) else None

    def around(self, class_name: str) -> Wrapping | None:
        """Return what is around the packets of calls of a class, where their bytes are known."""
        place = self.bundle or self.session or self.interface
        return wrapping_in_class(self.known_wrapping, place, self.class_named(class_name))

    @property
    def at_fragments(self) -> tuple["Outlet", ...]:
        """The output at each size that its fragment may have; () where that is not open."""
        return tuple(
            replace(self, fragment_bytes=size, open_fragments=(), why_fragment_unknown=None)
            for size in self.open_fragments
        )

    @property
    def unnamed(self) -> "Outlet":
        """The output without names and places: what one of several alike interfaces is."""
        return _unnamed(self)

    @property
    def link(self) -> Input | None:
        """Link rate of the rules: the smaller one of the wire and an effective shaper."""
        wire = self.bundle_wire or self.wire
        if self.shaper_bps is None or (wire is not None and self.shaper_bps >= wire.value):
            return wire
        source = "shape or CIR"
        return exact("link_rate_bps", self.shaper_bps, Basis.CONFIGURED, source, RateKind.SHAPER)

    @property
    def wire_bps(self) -> float:
        """Rate that the ring drains at; 0 where it is not known."""
        return self.wire.value if self.wire is not None else 0.0

    @property
    def line_bps(self) -> float:
        """Rate that an effective shaper leaves of the wire of this ring; 0 where unknown."""
        return min(self.wire_bps, self.shaper_bps or self.wire_bps)

    def line_framing(self, wire: Framing) -> Framing:
        """Bytes of a packet by which the line is filled: a shaper counts fewer than the wire."""
        if self.line_bps >= self.wire_bps:
            return wire
        return Framing(self.with_account(self.counted_in(wire)))

    def counted_in(self, wire: Framing) -> int:
        """Bytes beside IP that IOS counts, at one end of the framing on the wire."""
        return self.counted_bytes if wire.counted_bytes is None else wire.counted_bytes

    @property
    def why_rate_unknown(self) -> str:
        """Why there is no rate of the wire."""
        slots, modem = self.interface.open_timeslots, self.interface.modem
        if modem is not None:
            return f"the rate of the link is not known: {modem.value} ({modem.at}) trains it"
        if slots is None:
            return (
                "the rate of the link is not known (no clock rate, timeslots, PVC rate, speed or "
                "bandwidth)"
            )
        return (
            f"the rate of the link is not known: {count(slots.value, 'timeslot')} of 56 or 64 "
            f"kb/s ({slots.at}) without `linecode b8zs` or `speed`"
        )

    @property
    def attached_to(self) -> str:
        """Interface that the policy is attached to: the bundle of a member, a Dialer."""
        return (self.bundle or self.session or self.interface).name

    @property
    def counted_bytes(self) -> int:
        """Layer-2 bytes of a packet as IOS counts them; 0 where the encapsulation is unknown."""
        return self.encapsulation.counted_bytes if self.encapsulation is not None else 0

    @property
    def shaper_bytes(self) -> int:
        """Bytes of a packet beside IP that the shaper counts: layer 2 and those of `account`."""
        return self.with_account(self.counted_bytes)

    def with_account(self, counted_bytes: int) -> int:
        """Bytes beside IP with those of `account`: the smallest packet counts for something."""
        account_bytes = self.shape.account_bytes if self.shape is not None else None
        return max(counted_bytes + (account_bytes or 0), _LEAST_COUNTED_BYTES)

    @property
    def place(self) -> tuple[str, str | None]:
        """Where show outputs have the policy: the interface, and the number of its circuit."""
        return self.attached_to, self.circuit

    @property
    def overhead_inputs(self) -> tuple[Input, ...]:
        """The bytes around a packet as an input; empty where the encapsulation is not known."""
        return (self.encapsulation.overhead_input,) if self.encapsulation is not None else ()

    @property
    def line_overhead_inputs(self) -> tuple[Input, ...]:
        """`overhead_inputs`, or the bytes that a shaper counts where it is the line."""
        if self.encapsulation is None or self.line_bps >= self.wire_bps:
            return self.overhead_inputs
        source = f"{self.encapsulation.name}: what a shaper counts"
        framing = self.encapsulation.low, self.encapsulation.high
        low, high = (self.with_account(self.counted_in(end)) for end in framing)
        name, value = "shaper_overhead_bytes", self.shaper_bytes
        return (Input(name, value, low, high, Basis.DEFAULT, source),)

    @property
    def most_pieces(self) -> int:
        """Fragments that IOS may send of a packet though nothing sets their size; 1: it is whole.

        MLPPP cuts by default, and `fragment disable` ends it (Cisco 10000 guide, OL-2226 page
        22-12). How many pieces is contested: as many as links, or two (support forum, 3 T1s).
        """
        settings = self.bundle.multilink if self.bundle is not None else None
        if settings is None or self.fragment_bytes is not None or settings.fragment_disable:
            return 1
        if settings.uninterleaved is not None:
            return 1
        return max(self.members, len(self.members_bps))  # a whole bundle has members_bps

    @property
    def largest_ms(self) -> Figure | None:
        """Time of the largest packet on the wire; the low end is of the least piece of it."""
        whole = self.longest_ms(self.largest_ip_bytes)
        piece = self.longest_ms(ceil(self.largest_ip_bytes / self.most_pieces))
        return None if whole is None or piece is None else replace(whole, low=piece.low)

    def longest_ms(self, ip_bytes: int) -> Figure | None:
        """Time in ms that the wire is busy with a packet, over the range of its framing.

        The value is the time with the larger framing: it decides. None without a rate. Without a
        known encapsulation, the time of the bare packet.
        """
        if self.wire is None:
            return None
        bare, framing = Framing(0), self.encapsulation
        ends = (framing.low, framing.high) if framing is not None else (bare, bare)
        low, high = (wire_ms(ip_bytes, end, self.wire.value) for end in ends)
        return Figure(high, low, high, "ms", high)

    @property
    def llq_classes(self) -> tuple[PolicyClass, ...]:
        classes = self.queueing.classes
        return tuple(policy_class for policy_class in classes if policy_class.priority is not None)

    def class_named(self, name: str) -> PolicyClass | None:
        """The class of that name in the policy that queues."""
        return self.queueing.class_by_name.get(name)

    def queue_of(self, name: str) -> str:
        """The class in whose queue the packets of a class wait: class-default, or itself."""
        policy_class = self.class_named(name)
        shares = policy_class is not None and policy_class.shares_default
        return CLASS_DEFAULT if shares else name

    def is_fair(self, name: str) -> bool:
        """Whether conversations of a class are queued one by one."""
        policy_class = self.class_named(name)
        fair = policy_class.fair_queue if policy_class is not None else None
        return self.kind is Queueing.FAIR_QUEUE or (fair is not None and fair.value)

    @property
    def is_unset_member(self) -> bool:
        """Whether this is a member of a bundle whose ring is neither set nor seen.

        Sources disagree on the ring that IOS gives it.
        """
        return (
            self.bundle is not None and self.ring is not None and (self.ring.basis is Basis.DEFAULT)
        )

    @property
    def ring_idle(self) -> bool:
        """Whether the ring is nearly empty: shapers before it sum to less than its wire.

        So is that of a place that is never full: what follows it is slower.
        """
        if self.is_never_full:
            return True
        if self.wire is None or self.shaped_sum_bps is None:
            return False
        return self.shaped_sum_bps < self.wire.value

    @property
    def largest_ip_bytes(self) -> int:
        """The largest packet that is sent whole: the MTU, or a fragment."""
        if self.fragment_bytes is None:
            return int(self.mtu.value)
        return int(min(self.mtu.value, self.fragment_bytes.value))

    def priority_bps(self, policy_class: PolicyClass) -> float | None:
        """Rate of a priority class; None for `priority` without a rate or an unknown base."""
        return priority_rate_bps(policy_class, self.admission_bps)

    def llq_rate_bps(self, policy_class: PolicyClass) -> float | None:
        """Rate that a priority class is held to: by `priority`, or by its `police` below it."""
        return held_rate_bps(policy_class, self.admission_bps)


_NO_PLACE_BEFORE: Final = 1_000_000  # more places than one output names


@question(1024)
def _unnamed(outlet: Outlet) -> Outlet:
    """The output without names: what a sweep moves is made nameless by itself, the rest once."""
    rest = _unnamed_rest(replace(outlet, ring=None, wire=None, admission_bps=None))
    wire, ring = Unplaced(_NO_PLACE_BEFORE).of((outlet.wire, outlet.ring))
    ring = None if ring is None else replace(ring, source="")
    return replace(rest, ring=ring, wire=wire, admission_bps=outlet.admission_bps)


@question(1024)
def _unnamed_rest(outlet: Outlet) -> Outlet:
    bare = Unplaced().of(outlet)
    policy = replace(bare.policy, name="")
    around = bare.wrapping
    return replace(
        bare,
        label="",
        policy_label="",
        circuit=None,
        ring_key="",
        section=(),
        ring_section=(),
        interface=_nameless(bare.interface),
        bundle=_nameless(bare.bundle) if bare.bundle is not None else None,
        session=_nameless(bare.session) if bare.session is not None else None,
        policy=policy,
        wrapping=replace(around, through="") if isinstance(around, Wrapping) else around,
        queueing=policy if bare.queueing is bare.policy else replace(bare.queueing, name=""),
    )


def _nameless(interface: Interface) -> Interface:
    """The interface without names; its circuits go too: the one of the output is in its fields."""
    parent = None if interface.parent is None else "main"
    group = interface.multilink.group
    return replace(
        interface,
        name="",
        parent=parent,
        description=None,
        ip_address=None,
        policies=(),
        circuits=(),
        multilink=interface.multilink
        if group is None
        else replace(interface.multilink, group=replace(group, value=1)),
    )
