"""Lines of one class that contradict each other, and classes that match nothing."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.platform import Decision
from advisor.facts import AccessList
from advisor.facts.config import Facts
from advisor.facts.policy import Bandwidth, ClassMap, PolicyClass, PolicyMap, Priority, Unit
from advisor.ground.units import kbps_from_bps, percent_from_ratio
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit
from advisor.lint.checks.ref import empty_class_maps, printed_doubt
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.outlets import is_priority_refused, queueing_out
from advisor.outlet.rated_classes import rated_classes


class ContradictingLines(Struct, frozen=True):
    """The class, its lines that do not stand together, and what follows."""

    class_name: str
    policy_map: str
    lines: str  # "`drop` beside `bandwidth`"
    consequence: str


class _Contradiction(Struct, frozen=True):
    lines: str
    consequence: str
    severity: Severity | None = None  # of what IOS does not refuse
    is_recalled: bool = False  # without a source of its own
    refused: Location | None = None  # the line, where another class has what contradicts it


def find_class_lines_contradict(device: Device) -> Found[ContradictingLines]:
    """Yield a hit for each pair of lines that IOS refuses of a class, or whose effect is open."""
    doubt = printed_doubt(device)
    counted = {
        rated.llq_class.at
        for rated in rated_classes(device)
        if rated.may_be_voice and rated.reserved_in_vain_bps
    }
    for policy, policy_class in device.facts.policy_classes:
        is_counted = policy_class.at in counted
        within = _contradictions(policy_class, device.platform, is_counted=is_counted)
        for found in (*within, *_among_levels(policy, policy_class)):
            is_refused = found.severity is None
            is_open = found.is_recalled or found.severity is Severity.INFO
            is_doubted = is_refused and device.facts.tree.is_capture
            yield Hit(
                policy.path_of(policy_class.name),
                (policy_class.at,),
                ContradictingLines(
                    policy_class.name,
                    policy.name,
                    found.lines,
                    found.consequence + (doubt if is_refused else ""),
                ),
                Confidence.POSSIBLE if is_open or is_doubted else Confidence.LIKELY,
                severity=found.severity,
                refused=() if found.refused is None else (found.refused,),
            )


def _among_levels(policy: PolicyMap, own: PolicyClass) -> Iterator[_Contradiction]:
    """The `priority` of a class of the kind that no class above it has: with `level`, or plain.

    Source: Cisco IOS QoS: Congestion Management Configuration Guide, 15S and XE 3S, Multi-Level
    Priority Queues, restrictions.
    """
    first = next((item for item in policy.classes if item.priority is not None), None)
    if first is None or first.priority is None or own.priority is None:
        return
    if (own.priority.level is None) is (first.priority.level is None):
        return
    kinds = {True: "`priority`", False: "`priority level`"}
    yield _Contradiction(
        f"{kinds[own.priority.level is None]} beside {kinds[first.priority.level is None]} of "
        f"class {first.name}",
        "a policy has one of the two kinds: IOS refuses the later line, and the class has no LLQ",
        refused=own.priority.at,
    )


def _contradictions(
    policy_class: PolicyClass, platform: Decision, *, is_counted: bool
) -> Iterator[_Contradiction]:
    others = policy_class.actions_beside_drop
    if policy_class.drops and others:
        names = " and ".join(f"`{name}`" for name in others)
        yield _Contradiction(
            f"`drop` beside {names}",
            "IOS takes `drop` as the only action of a class, and refuses the later line",
        )
    yield from _void_lines(policy_class, platform, is_counted=is_counted)
    if _policed_below_shape(policy_class):
        yield _Contradiction(
            "`police` below its `shape`, around a nested policy",
            "the policer drops packets of all classes alike, voice too, and no figure includes it",
            severity=Severity.WARNING,
        )
    if policy_class.priority is None:
        return
    if policy_class.bandwidth is not None:
        yield _Contradiction("`bandwidth` beside `priority`", "IOS refuses the later line")
    if is_priority_refused(policy_class, platform):
        yield _Contradiction("`priority` in class-default", "IOS refuses it")
    if policy_class.shape is not None:
        yield _Contradiction(
            "`shape` beside `priority`",
            "the Cisco 10000 refuses it, and no source says what others do: the figures are "
            "without the shaper",
            severity=Severity.INFO,
        )


# A policer is entered in steps of 8 kb/s: 96 beside 100 is the same rate.
# Source: Cisco 10000 Series Router Quality of Service Configuration Guide, OL-7433-09, policing.
_ROUNDING: Final = 0.95


def _void_lines(
    policy_class: PolicyClass, platform: Decision, *, is_counted: bool
) -> Iterator[_Contradiction]:
    """Lines that IOS may take, though another line of the class makes them useless.

    `is_counted`: LLQ003 counts the calls of the class by its policer, and names both lines.
    """
    police, shape = policy_class.police, policy_class.shape
    if police is not None and police.drops and not is_counted:
        held = _held_percent(policy_class.priority, police.rate_bps, police.percent)
        if held is not None and held < percent_from_ratio(_ROUNDING):
            yield _Contradiction(
                "`police` below its `priority`",
                f"the policer drops what is above {held:.3g} % of the priority rate at all times, "
                "and what is reserved above it is for nobody",
                severity=Severity.WARNING,
            )
    if shape is not None and shape.mode == "average":
        held = _held_percent(policy_class.bandwidth, shape.rate_bps, shape.percent)
        if held is not None and held < percent_from_ratio(_ROUNDING):
            yield _Contradiction(
                "`bandwidth` above its `shape`",
                f"the shaper holds the class to {held:.3g} % of its guarantee",
                severity=Severity.WARNING,
            )
    if policy_class.queue_limit is not None and policy_class.shares_default:
        yield _Contradiction(
            "`queue-limit` without `bandwidth`, `shape` or `priority`",
            "IOS XE refuses it; elsewhere it limits no queue, for the class has none",
            severity=None if platform.is_xe else Severity.WARNING,
            is_recalled=not platform.is_xe,
        )


def _held_percent(
    stated: Priority | Bandwidth | None, rate_bps: float | None, percent: float | None
) -> float | None:
    """Part of a stated rate that another line of its class lets pass, of the same unit."""
    if stated is None or not stated.amount:
        return None
    held = {Unit.KBPS: None if rate_bps is None else kbps_from_bps(rate_bps), Unit.PERCENT: percent}
    known = held.get(stated.unit)
    return None if known is None else percent_from_ratio(known / stated.amount)


def _policed_below_shape(policy_class: PolicyClass) -> bool:
    """Whether a policer drops what the shaper of the class lets pass of a nested policy."""
    police, shape = policy_class.police, policy_class.shape
    if policy_class.child is None or police is None or shape is None or not police.drops:
        return False
    rates = (police.rate_bps, shape.rate_bps)
    percents = (police.percent, shape.percent)
    return any(
        held is not None and passed is not None and held < passed
        for held, passed in (rates, percents)
    )


# A class whose class-map has no criterion: nothing is in it.

_OF_IOS: Final = "non-client-nrt-class"  # which IOS XE of a Catalyst writes without a `match`


class NoMatch(Struct, frozen=True):
    """The class, and the policy-map that acts on it."""

    class_name: str
    policy_map: str
    lack: str  # "class-map VOICE has no `match`", "access list 101 of class-map VOICE has no entry"


def find_class_without_match(device: Device) -> Found[NoMatch]:
    """Yield a hit for each class that reserves bandwidth and whose class-map has no `match`.

    What IOS takes a list without entries for has no source: there the hit is `possible`.
    """
    empty = empty_class_maps(device)
    for policy, policy_class in device.facts.policy_classes:
        name, class_map = policy_class.name, device.facts.class_map(policy_class.name)
        if class_map is None or name == _OF_IOS or not _reserves(policy_class):
            continue
        lists = _empty_lists(device.facts, class_map)
        if name not in empty and not lists:
            continue
        lack = f"class-map {name} has no `match`"
        if lists:
            lack = f"access list {lists[0].name} of class-map {name} has no entry"
        yield Hit(
            policy.path_of(name),
            (policy_class.at, class_map.at, *(item.at for item in lists)),
            NoMatch(name, policy.name, lack),
            Confidence.POSSIBLE if lists else Confidence.CERTAIN,
        )


def _empty_lists(facts: Facts, class_map: ClassMap) -> tuple[AccessList, ...]:
    """Access lists without entries that leave a class-map no packet; empty where it has some."""
    found = [
        None
        if match.negated or match.kind != "access-group"
        else facts.access_list(match.values[0])
        for match in class_map.matches
    ]
    heads = {line.under.split()[-1] for line in facts.unread if "access-list" in line.under}
    lists = tuple(
        item for item in found if item is not None and not item.entries and item.name not in heads
    )
    is_nothing = bool(lists) if class_map.match_all else len(lists) == len(found)
    return lists if is_nothing else ()


def _reserves(policy_class: PolicyClass) -> bool:
    return policy_class.priority is not None or policy_class.bandwidth is not None


# A class that no action gives a queue: its packets share that of class-default.


class WithoutQueue(Struct, frozen=True):
    """The class, and the policy-map in which others queue."""

    class_name: str
    policy_map: str
    lines: str  # "`set` alone", "no line"


def find_class_without_queue(device: Device) -> Found[WithoutQueue]:
    """Yield a hit for each class without a queue in a policy that queues outbound.

    A class-map without a criterion takes no packets: it needs none. CLS001 has a `queue-limit`
    without a queue.
    """
    empty = empty_class_maps(device)
    for policy in queueing_out(device):
        if not any(policy_class.queues for policy_class in policy.classes):
            continue
        for policy_class in policy.classes:
            label = policy.path_of(policy_class.name)
            has_unread = any(line.under == label for line in device.facts.unread)
            is_other = policy_class.queue_limit is not None or policy_class.name in empty
            if not policy_class.shares_default or is_other or has_unread:
                continue
            actions = " and ".join(f"`{name}`" for name in policy_class.actions_beside_drop)
            yield Hit(
                label,
                (policy_class.at,),
                WithoutQueue(
                    policy_class.name, policy.name, f"{actions} alone" if actions else "no action"
                ),
                Confidence.POSSIBLE if device.platform.is_pre_hqf else Confidence.LIKELY,
            )
