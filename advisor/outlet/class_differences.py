"""Settings of classes that outputs print otherwise than the configuration states them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from advisor.device.device import is_hidden
from advisor.facts.config import Facts
from advisor.facts.policy import (
    CLASS_DEFAULT,
    Bandwidth,
    ClassMap,
    Match,
    Police,
    PolicyClass,
    PolicyMap,
    Priority,
    Shape,
    Unit,
    Wred,
    WredProfile,
)
from advisor.facts.read_classes import class_map_of, without_code
from advisor.facts.read_words import Ledger
from advisor.ground.quantity import plain
from advisor.ground.units import bps_from_kbps, bytes_in_ms
from advisor.ios.syntax import Line, Location
from advisor.ios.syntax.names import dscp_code, precedence_code
from advisor.outlet.class_bandwidth import LLQ_BURST_MS

if TYPE_CHECKING:
    from advisor.shows.policy_map import (
        ChildPolicy,
        ObservedClass,
        ObservedPolicy,
        QueueSize,
        ShownBandwidth,
        ShownClass,
        ShownPolicer,
        ShownPolicy,
        ShownPriority,
        ShownShaper,
        ShownWred,
        ShownWredRow,
    )

_LEAST_BURST_BYTES: Final = 1600  # below it some releases print a least burst of their own
_TOLERANCE_RATIO: Final = 0.02  # what platforms round rates by


class Figures(Enum):
    """Source of the figures where an output and the configuration differ."""

    OF_CONFIG = auto()
    OF_OUTPUT = auto()
    OF_MEMBERS = auto()  # those that are up: the outlet tells how many


class Difference(Struct, frozen=True):
    """A value that an output shows in place of the configured one, with the lines of both.

    `mend` says what to do where the two still differ; None where the policy is attached again.
    """

    said: str
    stated_at: Location
    seen_at: Location
    figures: Figures = Figures.OF_CONFIG
    mend: str | None = None


def differ(stated: float, seen: float) -> bool:
    """Whether two values differ by more than what platforms round by."""
    return abs(stated - seen) > _TOLERANCE_RATIO * stated


def differing_counted(
    facts: Facts, policy: PolicyMap, seen: ObservedPolicy | ChildPolicy
) -> Iterator[Difference]:
    """Classes of a policy that are others in its counters, and those of policies nested in it."""
    if _is_unnamed(policy, seen):
        return
    yield from differing_shown(policy, seen)
    for item in seen.classes:
        own, class_map = policy.class_by_name.get(item.name), facts.class_map(item.name)
        if class_map is not None:
            criteria = [match.criterion for match in item.matches]
            yield from differing_matches(class_map, _matches_of(criteria, item.at), item.at)
        child = facts.policy_map(own.child.value) if own is not None and own.child else None
        if child is not None and item.child is not None and item.child.policy == child.name:
            yield from differing_counted(facts, child, item.child)


def differing_shown(
    policy: PolicyMap, seen: ObservedPolicy | ChildPolicy | ShownPolicy
) -> Iterator[Difference]:
    """Classes of a policy that an output of it has with other settings, or has not."""
    if _is_unnamed(policy, seen):
        return
    shown = {item.name: item for item in seen.classes}
    for item in policy.classes:
        own = shown.get(item.name)
        if own is None and not item.is_default and seen.has_all and item.name not in seen.unread:
            yield Difference(f"no class {item.name} in {policy.name}", item.at, seen.at)
        elif own is not None:
            for text in (*_settings(item, own), *_nested(item, own)):
                yield Difference(text, item.at, own.at)
    for name, own in shown.items():
        if name not in policy.class_by_name and name != CLASS_DEFAULT:
            yield Difference(f"class {name}, which {policy.name} lacks", policy.at, own.at)


def _is_unnamed(policy: PolicyMap, seen: ObservedPolicy | ChildPolicy | ShownPolicy) -> bool:
    """Whether a mask hides the name of a class, which none is compared with then."""
    names = (*(item.name for item in seen.classes), *seen.unread, *policy.class_by_name)
    return any(map(is_hidden, names))


def _nested(stated: PolicyClass, seen: ObservedClass | ShownClass) -> Iterator[str]:
    """Another policy in a class, or none where the output would name it."""
    own = stated.child.value if stated.child is not None else None
    shown = seen.child_policy
    if shown == own or any(is_hidden(name) for name in (own, shown) if name is not None):
        return
    if shown is not None:
        yield _said(stated, f"`service-policy {shown}`", own and f"`service-policy {own}`")
    elif seen.is_definition:
        yield _said(stated, None, f"service-policy {own}")


def _said(stated: PolicyClass, shown: str | None, own: str | None) -> str:
    """The words of a difference: another setting, one that is not there, or one more."""
    if shown is None:
        return f"no `{own}` in class {stated.name}"
    if own is None:
        return f"{shown} in class {stated.name}, which states none"
    return f"{shown} in class {stated.name} for {own}"


_Pairs = Iterator[tuple[str | None, str | None]]  # what is shown and what is stated


def _settings(stated: PolicyClass, seen: ObservedClass | ShownClass) -> Iterator[str]:
    """The settings of a class that differ, in words."""
    readers = (_priorities, _bandwidths, _shapers, _policers, _limits, _wreds, _fair_queues)
    for reader in readers:
        for shown, own in reader(stated, seen):
            yield _said(stated, shown, own)


def _priorities(stated: PolicyClass, seen: ObservedClass | ShownClass) -> _Pairs:
    own, shown = stated.priority, seen.priority
    if own is not None and shown is not None:
        yield from _priority(own, shown)
    elif shown is not None:
        yield _priority_words(shown), None
    elif own is not None and (seen.is_definition or seen.bandwidth is not None):
        yield None, "priority"


def _bandwidths(stated: PolicyClass, seen: ObservedClass | ShownClass) -> _Pairs:
    own, shown = stated.bandwidth, seen.bandwidth
    if own is not None and shown is not None:
        yield from _bandwidth(own, shown, is_sure=seen.is_definition)
    elif own is not None and seen.prints_queue and seen.priority is None:
        yield None, "bandwidth"
    elif shown is not None and stated.priority is None and not stated.is_default:
        yield from ((f"bandwidth {words}", None) for words in _shares(shown).values())


def _shapers(stated: PolicyClass, seen: ObservedClass | ShownClass) -> _Pairs:
    own, shown = stated.shape, seen.shaper
    if own is not None and shown is not None:
        yield from _shaper(own, shown)
    elif own is not None and seen.prints_queue:
        yield None, "shape"
    elif shown is not None:
        yield "a shaper", None


def _fair_queues(stated: PolicyClass, seen: ObservedClass | ShownClass) -> _Pairs:
    is_fair = stated.fair_queue is not None and stated.fair_queue.value
    if is_fair and seen.fair_queue is None and seen.prints_queue:
        yield None, "fair-queue"
    elif seen.fair_queue is not None and not is_fair:
        yield "fair-queue", None


def _priority_words(seen: ShownPriority) -> str:
    if seen.rate_percent is not None:
        return f"priority percent {seen.rate_percent}"
    return "priority" if seen.rate_kbps is None else f"priority {seen.rate_kbps}"


def _priority(stated: Priority, seen: ShownPriority) -> _Pairs:
    own, kbps, percent = stated.amount, seen.rate_kbps, seen.rate_percent
    if own is None:
        if kbps or percent:
            yield _priority_words(seen), "`priority` without a rate"
    elif stated.unit is Unit.PERCENT:
        if percent is not None and differ(own, percent):
            yield f"priority percent {percent}", plain(own)
    elif kbps is not None:
        if differ(own, kbps):
            yield f"priority {kbps}", plain(own)
    elif percent is not None:
        yield _priority_words(seen), f"`priority {plain(own)}`"
    yield from _burst(stated, seen)
    if seen.level is not None and seen.level != (stated.level or 1):
        yield f"priority level {seen.level}", str(stated.level or 1)


def _burst(stated: Priority, seen: ShownPriority) -> _Pairs:
    """Another burst than the stated one, or than that of the rate where none is stated."""
    burst, kbps = stated.burst_bytes, seen.rate_kbps
    if burst and seen.burst_bytes and differ(burst, seen.burst_bytes):
        yield f"a burst of {seen.burst_bytes} bytes", str(burst)
    elif burst is None and kbps and seen.burst_bytes:
        usual = bytes_in_ms(bps_from_kbps(kbps), LLQ_BURST_MS)
        if usual > _LEAST_BURST_BYTES and differ(usual, seen.burst_bytes):
            yield f"a burst of {seen.burst_bytes} bytes", f"{plain(usual)} by default"


def _shares(seen: ShownBandwidth) -> Mapping[Unit, str]:
    """A printed bandwidth in the words of its command."""
    fields = {
        Unit.KBPS: ("", seen.rate_kbps),
        Unit.PERCENT: ("percent ", seen.rate_percent),
        Unit.REMAINING_PERCENT: ("remaining percent ", seen.remaining_percent),
        Unit.REMAINING_RATIO: ("remaining ratio ", seen.remaining_ratio),
    }
    return {unit: f"{words}{amount}" for unit, (words, amount) in fields.items() if amount}


def _bandwidth(stated: Bandwidth, seen: ShownBandwidth, *, is_sure: bool) -> _Pairs:
    """A guarantee of another size or kind; some counters print a percentage in kb/s alone."""
    shown = _shares(seen)
    same = shown.get(stated.unit)
    if same is not None:
        if differ(stated.amount, float(same.split()[-1])):
            yield f"bandwidth {same}", plain(stated.amount)
    elif shown and not (stated.unit is Unit.PERCENT and [*shown] == [Unit.KBPS] and not is_sure):
        unit = "" if stated.unit is Unit.KBPS else f"{stated.unit} "
        yield f"bandwidth {next(iter(shown.values()))}", f"`bandwidth {unit}{plain(stated.amount)}`"


def _shaper(stated: Shape, seen: ShownShaper) -> _Pairs:
    if seen.kind is not None and seen.kind != stated.mode:
        yield f"shape {seen.kind}", stated.mode
        return
    rates = (
        (f"shape {stated.mode}", stated.rate_bps, seen.cir_bps),
        (f"shape {stated.mode} percent", stated.percent, seen.cir_percent),
        ("a shaper's Bc of", stated.bc_bits, seen.bc_bits),
    )
    for words, own, shown in rates:
        if own and shown and differ(own, shown):
            yield f"{words} {plain(shown)}", plain(own)


def _policers(stated: PolicyClass, seen: ObservedClass | ShownClass) -> _Pairs:
    own, shown = stated.police, seen.policer
    if own is not None and shown is not None:
        yield from _policer(own, shown)
    elif own is not None and seen.is_definition:
        yield None, "police"
    elif shown is not None and own is None and stated.priority is None:
        yield "police", None


def _policer(stated: Police, seen: ShownPolicer) -> _Pairs:
    rates = (
        ("police", stated.rate_bps, seen.cir_bps),
        ("police percent", stated.percent, seen.cir_percent),
        ("a policer's burst of", stated.burst_bytes, seen.bc_bytes),
        ("police pir", stated.peak_rate_bps, seen.pir_bps),
    )
    for words, own, shown in rates:
        if own and shown and differ(own, shown):
            yield f"{words} {plain(shown)}", plain(own)
    actions = seen.exceeded.actions if seen.exceeded is not None else ()
    if actions and ("drop" in actions) is not stated.drops:
        yield f"exceed-action {actions[0]}", stated.exceed or "drop"


def _sizes(size: QueueSize) -> Mapping[Unit, int | None]:
    return {Unit.PACKETS: size.packets, Unit.BYTES: size.bytes, Unit.MS: size.ms}


def _limits(stated: PolicyClass, seen: ObservedClass | ShownClass) -> _Pairs:
    own, size = stated.queue_limit, seen.queue_limit
    shown = _sizes(size).get(own.unit) if own is not None and size is not None else None
    if own is not None and shown is not None and differ(own.amount, shown):
        yield f"queue-limit {shown} {own.unit}", plain(own.amount)


_WRED_BY: Final = {"dscp": "dscp", "class": "precedence", "prec": "precedence"}


def _wreds(stated: PolicyClass, seen: ObservedClass | ShownClass) -> _Pairs:
    own, shown = stated.wred, seen.wred
    if own is None or shown is None:
        if own is not None and own.is_whole and seen.prints_queue and stated.priority is None:
            yield None, "random-detect"
        elif shown is not None and own is None:
            yield "random-detect", None
        return
    scheme = _WRED_BY.get(shown.by or "")
    if scheme is not None and own.scheme in _WRED_BY.values() and scheme != own.scheme:
        yield f"random-detect by {scheme}", own.scheme
        return
    if own.exponent is not None and shown.exponent not in (None, own.exponent.value):
        yield f"exponential-weighting-constant {shown.exponent}", str(own.exponent.value)
    yield from _rows(own, shown)


def _rows(stated: Wred, seen: ShownWred) -> _Pairs:
    """Rows of WRED with other thresholds; rows that no line states have defaults."""
    rows = {_code(stated.scheme, row.name): row for row in seen.rows}
    for profile in stated.profiles:
        row = rows.get(profile.code) if profile.code is not None else None
        numbers = _thresholds(profile, row) if row is not None else ()
        if row is not None and any(own != shown for own, shown in numbers):
            owns, shows = (
                " ".join(plain(float(n)) for n in column) for column in zip(*numbers, strict=True)
            )
            yield f"random-detect {stated.scheme} {row.name} {shows}", owns


def _thresholds(profile: WredProfile, row: ShownWredRow) -> tuple[tuple[float, float], ...]:
    """Stated and shown thresholds, where both are in one unit, and the denominators."""
    ends = ((profile.min_threshold, row.min_threshold), (profile.max_threshold, row.max_threshold))
    pairs = [(own, _sizes(size).get(profile.unit)) for own, size in ends if size is not None]
    marks = (profile.mark_probability_denominator, row.mark_probability_denominator)
    known = [(own, shown) for own, shown in (*pairs, marks) if own is not None and shown]
    return tuple(known)


def _code(scheme: str, name: str) -> int | None:
    return dscp_code(name) if scheme == "dscp" else precedence_code(name)


# Matches of classes, by their counters and by `show class-map`.

_COMPARED: Final = ("dscp", "precedence", "access-group")


def _matches_of(criteria: Sequence[str], at: Location) -> tuple[Match, ...] | None:
    """Printed criteria as the configuration would be read; None where it has no such line."""
    lines = (Line(f"match {without_code(text)}", at.line, text) for text in criteria)
    ledger = Ledger(at.file)
    head = Line("class-map match-all printed", at.line, "", children=tuple(lines))
    class_map = class_map_of(head, ledger)
    return None if class_map is None or ledger.unread else class_map.matches


def differing_matches(
    stated: ClassMap, seen: tuple[Match, ...] | None, seen_at: Location
) -> Iterator[Difference]:
    """Criteria of a class that an output prints otherwise; those of nested class-maps are not."""
    kinds = {match.kind for match in (*stated.matches, *(seen or ()))}
    if seen is None or kinds & {"class-map", "other"}:
        return
    own, shown = _criteria(stated.matches), _criteria(seen)
    if own == shown or not (own and shown):
        return
    more = ", ".join(_texts(seen, shown - own))
    less = ", ".join(_texts(stated.matches, own - shown))
    if more and less:
        said = f"class {stated.name} matches {more} for {less}"
    elif more:
        said = f"class {stated.name} matches {more} too"
    else:
        said = f"class {stated.name} does not match {less}"
    yield Difference(said, stated.at, seen_at)


_Criterion = tuple[str, str, bool]


def _criteria(matches: Iterable[Match]) -> set[_Criterion]:
    return {
        (match.kind, value, match.negated)
        for match in matches
        if match.kind in _COMPARED
        for value in match.values
        if not is_hidden(value)
    }


def _texts(matches: Iterable[Match], criteria: set[_Criterion]) -> Iterator[str]:
    """The lines that hold criteria, each once."""
    for match in matches:
        if any((match.kind, value, match.negated) in criteria for value in match.values):
            yield match.text.removeprefix("match ")
