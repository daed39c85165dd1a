"""Queues with WRED, their rows as commands, and combinations that IOS refuses."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.interface import Interface, Side
from advisor.facts.policy import PolicyClass, PolicyMap, Unit, Wred
from advisor.facts.selectable import EVERYTHING, selectable_by_class
from advisor.ground.quantity import Basis, first_of, plain
from advisor.ground.questions import derived
from advisor.ground.records import picked
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Skip
from advisor.outlet.class_service import defaults_under, limit_of_class
from advisor.outlet.measured import seen_classes
from advisor.outlet.parts import policy_queues
from advisor.outlet.queue_limit import LimitKind, QueueLimit
from advisor.outlet.wred_rows import Defaults, WredRow, WredRows, exponent_of, wred_rows

# The values of one decision on WRED of a queue: what its template turns into commands.


class QueuePlace(Struct, frozen=True):
    """Where a queue is: a class of a policy-map, or an interface with WRED of its own."""

    interface: str = ""
    policy_map: str = ""
    class_name: str = ""


class RowSetting(Struct, frozen=True):
    """Values of one row. `unit` is "" for packets; `denominator` is "" where IOS chooses it."""

    label: str
    low: str
    high: str
    unit: str
    denominator: str

    def __str__(self) -> str:
        words = (self.label, f"{self.low}{self.unit}", f"{self.high}{self.unit}", self.denominator)
        return " ".join(filter(None, words))


class WredSetting(Struct, frozen=True):
    """All that changes in a queue with WRED; empty fields stay as they are.

    `removes`: the queue is better without WRED. `basis` is the word after `random-detect` where
    the queue starts anew by DSCP; `ecn` and `exponent` are then entered again.
    """

    place: QueuePlace
    removes: bool = False
    basis: str = ""
    ecn: bool = False
    queue_limit: str = ""
    rows: tuple[RowSetting, ...] = ()
    exponent: str = ""

    @property
    def changes(self) -> bool:
        """Whether there is anything to enter."""
        return bool(self.removes or self.basis or self.queue_limit or self.rows or self.exponent)


def row_setting(row: WredRow) -> RowSetting:
    """Values of a row in its own unit."""
    return RowSetting(
        row.label,
        plain(row.min_threshold),
        plain(row.max_threshold),
        row.unit_words,
        "" if row.denominator is None else str(row.denominator),
    )


# Combinations with WRED that IOS refuses, by generation and release.

_OF_CODES = ("precedence", "dscp")
_FIRST_TRAINS = ("12.0", "12.1")
_LISTS = ("priority-group", "custom-queue-list")
_GIVE_RATE = "give the class `bandwidth` (or `fair-queue`), or remove `random-detect` from it"
_ONE_SCHEME = "enter `no random-detect`, then `random-detect` with rows of one scheme"
_NO_ECN = "remove `random-detect ecn`: 12.2(8)T is the first release that has it"
_FAIR_FIRST = "enter `no random-detect`, then `fair-queue`, then `random-detect`"


class RefusedCombination(Struct, frozen=True):
    """A combination; `always`: in every generation. `advice` replaces the card's.

    `lines` are those that IOS does not take: the policy, where it comes after the WRED of its port.
    """

    combination: str
    at: tuple[Location, ...]
    always: bool
    advice: str | None = None
    lines: tuple[Location, ...] = ()


def refused_in_class(device: Device, policy_class: PolicyClass) -> RefusedCombination | None:
    """The first combination of a class with WRED that IOS refuses; None if IOS accepts it.

    Sources: Cisco LLQ feature module (priority); Cisco IOS 12.2 QoS guide (bandwidth). No document
    is at hand for the refusals of 12.0 and 12.1 and of rows of both schemes.
    """
    wred = policy_class.wred
    if wred is None:
        return None
    refused = _refused_beside(device, policy_class, wred)
    return None if refused is None else replace(refused, lines=_lines_of(wred))


def _lines_of(wred: Wred) -> tuple[Location, ...]:
    settings = (item.at for item in (wred.exponent, wred.ecn) if item is not None)
    return (wred.at, *(row.at for row in wred.profiles), *settings)


def _refused_beside(
    device: Device, policy_class: PolicyClass, wred: Wred
) -> RefusedCombination | None:
    if policy_class.priority is not None:
        return RefusedCombination(
            "`priority` in the same class", (wred.at, policy_class.priority.at), always=True
        )
    if _mixed(wred):
        lines = tuple(dict.fromkeys(row.at for row in wred.profiles))
        combination = "rows of precedence and of DSCP in one class"
        return RefusedCombination(combination, lines, always=True, advice=_ONE_SCHEME)
    if not device.platform.is_pre_hqf:
        return None
    fair = policy_class.fair_queue is not None and policy_class.fair_queue.value
    rated = policy_class.bandwidth is not None or policy_class.shape is not None or fair
    if not rated and not policy_class.is_default:
        combination = "neither `bandwidth` nor `fair-queue` in the class"
        return RefusedCombination(combination, (wred.at,), always=False, advice=_GIVE_RATE)
    return _refused_by_first_trains(device, policy_class, wred)


def _refused_by_first_trains(
    device: Device, policy_class: PolicyClass, wred: Wred
) -> RefusedCombination | None:
    release = device.platform.release_name
    if release is None or not release.startswith(_FIRST_TRAINS):
        return None
    fair = policy_class.fair_queue
    if fair is not None and fair.value and wred.at.line < fair.at.line:
        lines = (wred.at, fair.at)
        return RefusedCombination(
            "`fair-queue` entered after it", lines, always=False, advice=_FAIR_FIRST
        )
    if wred.ecn is not None and wred.ecn.value:
        return RefusedCombination(
            "`random-detect ecn`", (wred.ecn.at,), always=False, advice=_NO_ECN
        )
    return None


def _mixed(wred: Wred) -> bool:
    """Whether rows are of another scheme than the class, or of both schemes."""
    schemes = {row.scheme for row in wred.profiles} | {wred.scheme}
    return schemes.issuperset(_OF_CODES)


def refused_on_interfaces(device: Device) -> Iterator[tuple[str, RefusedCombination]]:
    """Object path and combination of each interface with both its own WRED and other queueing.

    IOS XE is not judged. A policy that queues is judged only before HQF.
    Source: Cisco IOS 15M&T guide, Configuring WRED (no PQ, CQ or WFQ on RSP-based interfaces).
    """
    if device.platform.is_xe:
        return
    beside_policy = dict(_beside_policies(device))
    may_be_distributed = device.platform.may_be_distributed
    for interface in device.facts.interfaces:
        on = interface.random_detect
        if on is None or not on.value:
            continue
        other = beside_policy.get(interface.name) or _other_queueing(interface)
        if other is not None and not may_be_distributed:
            rows = () if interface.wred is None else _lines_of(interface.wred)
            is_first = interface.name in beside_policy and on.at.line < other[1].line
            lines = (other[1],) if is_first else (on.at, *rows)
            yield (
                f"interface {interface.name}",
                RefusedCombination(other[0], (on.at, other[1]), always=False, lines=lines),
            )


def _beside_policies(device: Device) -> Iterator[tuple[str, tuple[str, Location]]]:
    if not device.platform.is_pre_hqf:
        return
    for attached in attachments(device.facts):
        name = attached.interface.name
        policy = device.facts.policy_map(attached.attachment.policy)
        whole = attached.section == (f"interface {name}",)
        if attached.attachment.direction is not Side.OUTPUT or policy is None or not whole:
            continue
        if policy_queues(device.facts, policy):
            combination = f"policy-map {policy.name}, which queues, on the same interface"
            yield name, (combination, attached.attachment.at)


def _other_queueing(interface: Interface) -> tuple[str, Location] | None:
    fair = interface.fair_queue
    if fair is not None and fair.value:
        return "`fair-queue` on the same interface", fair.at
    for statement in interface.legacy_queueing:
        word = statement.value.split()[0]
        if word in _LISTS:
            return f"`{word}` on the same interface", statement.at
    return None


# Shared parts of the WRED checks: queues to judge, and rows as commands.

_MOST_LABELS = 3


class WredQueue(WredRows, frozen=True, kw_only=True):
    """A queue with WRED: its object path, where it is, the rows it can meet."""

    label: str
    place: QueuePlace
    shared_lines: frozenset[int]  # lines that set the rows of several codes at once

    @property
    def noun(self) -> str:
        """Name the owner of the queue."""
        return "interface"

    def have_own_lines(self, rows: Iterable[WredRow]) -> bool:
        """Whether each of these rows can be set without setting others."""
        return self.shared_lines.isdisjoint(row.at.line for row in rows)


class WredClass(WredQueue, frozen=True, kw_only=True):
    """A class with WRED."""

    policy: PolicyMap
    policy_class: PolicyClass
    wred: Wred
    limit: QueueLimit  # in force
    exponent: int | None  # weight in force; None where the platform's default is not known

    @property
    def noun(self) -> str:
        """Name the owner of the queue."""
        return "class"

    @property
    def default_limit_packets(self) -> float | None:
        """Queue-limit by default in packets; None where one is configured or it is not known."""
        is_default = self.limit.kind is LimitKind.DEFAULT
        return self.limit.packets if is_default else None


@derived
def wred_classes(device: Device) -> tuple[WredClass, ...]:
    """Classes with WRED; not those where IOS refuses it as a whole, unless a device printed it.

    Nor those that no packet can match: their queue is empty.
    """
    return tuple(_each_wred_class(device))


def _each_wred_class(device: Device) -> Iterator[WredClass]:
    is_capture = device.facts.tree.is_capture
    classes = [
        (policy, policy_class, policy_class.queue_wred)
        for policy, policy_class in device.facts.policy_classes
        if policy_class.queue_wred is not None
        if is_capture or refused_in_class(device, policy_class) is None
    ]
    if not classes:
        return
    selectable = selectable_by_class(device.facts)
    for policy, policy_class, wred in classes:
        codes = selectable(policy_class.name)
        if not codes.dscps:
            continue
        limit = limit_of_class(device, policy, policy_class)
        printed = _printed_rows(device, (policy.name, policy_class.name))
        defaults = replace(defaults_under(limit, device.platform), printed=printed)
        yield picked(
            WredClass,
            wred_rows(wred, codes, defaults),
            label=policy.path_of(policy_class.name),
            place=QueuePlace(policy_map=policy.name, class_name=policy_class.name),
            shared_lines=_shared_lines(wred),
            policy=policy,
            policy_class=policy_class,
            wred=wred,
            limit=limit,
            exponent=exponent_of(wred, device.platform),
        )


def _printed_rows(device: Device, named: tuple[str, str]) -> tuple[tuple[str, int, int], ...]:
    """Rows of a class with thresholds in packets, where all outputs print them alike."""
    found: dict[str, set[tuple[int, int]]] = {}
    for known in seen_classes(device.seen):
        if (known.policy, known.seen.name) != named or known.seen.wred is None:
            continue
        for row in known.seen.wred.rows:
            low, high = row.min_threshold, row.max_threshold
            if low and high and low.packets is not None and high.packets is not None:
                found.setdefault(row.name, set()).add((low.packets, high.packets))
    return tuple((name, *pairs.pop()) for name, pairs in found.items() if len(pairs) == 1)


def _shared_lines(wred: Wred) -> frozenset[int]:
    return frozenset(row.at.line for row in wred.profiles if row.may_span)


def wred_queues(device: Device) -> Iterator[WredQueue | Skip]:
    """Classes with WRED, then interfaces with WRED of their own; a skip where it is distributed.

    Packets of every code can be in the queue of an interface. IOS XE has no such WRED.
    """
    yield from wred_classes(device)
    platform = device.platform
    defaults = Defaults(platform)
    refused = dict(refused_on_interfaces(device))
    for interface in _interfaces_with_wred(device):
        label, wred = f"interface {interface.name}", interface.wred
        if label in refused and not device.facts.tree.is_capture:
            yield Skip(label, f"IOS refuses its WRED beside {refused[label].combination}")
        elif platform.family_name == "distributed":
            reason = f"the WRED of an interface of {platform.title} is distributed: not modelled"
            yield Skip(label, reason)
        elif wred is not None:
            yield picked(
                WredQueue,
                wred_rows(wred, EVERYTHING, defaults),
                label=label,
                place=QueuePlace(interface=interface.name),
                shared_lines=_shared_lines(wred),
            )


def queues_not_modelled(device: Device) -> Iterator[Skip]:
    """A skip for each interface with WRED of its own, for checks of rates and averages."""
    reason = "the queue of an interface with WRED of its own is not modelled"
    for interface in _interfaces_with_wred(device):
        yield Skip(f"interface {interface.name}", reason)


def _interfaces_with_wred(device: Device) -> Iterator[Interface]:
    for interface in () if device.platform.is_xe else device.facts.interfaces:
        if interface.wred is not None:
            yield interface


def described(row: WredRow) -> str:
    """Label of a row, with its basis where IOS chooses the thresholds."""
    words = {
        Basis.MEASURED: " as printed",
        Basis.DEFAULT: " by default",
        Basis.ASSUMED: " by an assumed default",
    }
    return f"{row.label}{words.get(row.basis, '')}"


def why_order_changes(queue: WredQueue, moves: Sequence[tuple[WredRow, WredRow]]) -> str | None:
    """Why new thresholds change the order in which the packets of a queue are dropped.

    Parameters
    ----------
    queue : WredQueue
        All its rows count, the unnamed ones too: packets may meet them.
    moves : sequence of (WredRow, WredRow)
        Rows as they are and as they will be; the other rows of the queue stay.

    Returns
    -------
    str or None
        None if no row that has another's threshold or more falls below it.
    """
    moved = [row for row, _ in moves]
    if all(_thresholds(row) == _thresholds(after) for row, after in moves):
        return None
    missing = (*queue.unknown, *queue.unnamed_unknown)
    if missing:
        labels = first_of(missing, _MOST_LABELS)
        return (
            f"the {queue.noun} can carry {labels}, whose default thresholds are not known: "
            f"give each code that the {queue.noun} carries a row of its own, in the order of "
            "the drops"
        )
    kept = [row for row in (*queue.rows, *queue.unnamed) if row not in moved]
    rows = [*moves, *((row, row) for row in kept)]
    pairs = ((move[0], other[0]) for move in moves for other in rows if _is_passed(move, other))
    passing = next(pairs, None)
    if passing is None:
        return None
    first, row = passing
    noun = queue.noun
    if row in moved:
        return (
            f"{first.label} and {row.label} would change places in the order of the drops: give "
            "both rows thresholds in the order that is meant"
        )
    narrower = "match the codes of the class by name, or " if isinstance(queue, WredClass) else ""
    return (
        f"packets of {row.label} can enter the {noun}, and its row {plain(row.min_threshold)} to "
        f"{plain(row.max_threshold)} ({row.basis}) has to change too, or the order of the drops "
        f"changes: {narrower}enter a row for each code it carries"
    )


def _thresholds(row: WredRow) -> tuple[float, float, Unit]:
    return row.min_threshold, row.max_threshold, row.unit


def _is_passed(move: tuple[WredRow, WredRow], other: tuple[WredRow, WredRow]) -> bool:
    """Whether one of two rows falls below the other in minimum or maximum, or may do so."""
    if move[0].unit is not other[0].unit:
        return True
    pairs = [
        (
            row.min_threshold - beside.min_threshold,
            row.max_threshold - beside.max_threshold,
        )
        for row, beside in zip(move, other, strict=True)
    ]
    return any(
        (before >= 0 and after < 0) or (before <= 0 and after > 0)
        for before, after in zip(*pairs, strict=True)
    )


def is_counted_short(device: Device, wred_class: WredClass) -> bool:
    """Whether its average was counted below every minimum: without WRED the queue only grows."""
    named = wred_class.policy.name, wred_class.policy_class.name
    averages = [
        seen_class.seen.wred.mean_depth
        for seen_class in seen_classes(device.seen)
        if (seen_class.policy, seen_class.seen.name) == named and seen_class.seen.wred is not None
    ]
    packets = [None if average is None else average.packets for average in averages]
    least = min((row.min_threshold for row in wred_class.rows), default=0.0)
    in_packets = all(row.unit is Unit.PACKETS for row in wred_class.rows)
    is_short = all(average is not None and average < least for average in packets)
    return bool(packets) and in_packets and is_short
