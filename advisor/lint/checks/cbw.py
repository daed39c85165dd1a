"""Checks of class-based weighted fair queueing."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.policy import CLASS_DEFAULT, Bandwidth, PolicyClass, PolicyMap, Priority, Unit
from advisor.ground.quantity import (
    Basis,
    Input,
    Unknown,
    count,
    exact,
    first_of,
    number,
    point,
    rate_text,
    rate_words,
)
from advisor.ground.units import kbps_from_bps, percent_from_ratio
from advisor.ios.syntax import Line, Location
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.ref import printed_doubt, unless_printed
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.class_bandwidth import Admission, admission_of, admitted_over_link, wrong_base
from advisor.outlet.class_service import guarantee
from advisor.outlet.link_rates import why_not_compared
from advisor.outlet.measured import SeenClass, drops_packets, seen_classes
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out, queueing_out
from advisor.outlet.rated_classes import calls_at_link_rate

# Kinds of `bandwidth` that IOS does not take beside each other.


class MixedUnits(Struct, frozen=True):
    """The kinds with a class of each, and a reason to doubt the finding."""

    policy_map: str
    kinds: str  # "kbps (class VOICE) and percent (class DATA)"
    generation: str
    doubt: str


def find_mixed_bandwidth_units(device: Device) -> Found[MixedUnits]:
    """Yield a hit for each policy-map, or class of IOS XE, with several kinds of `bandwidth`.

    Before HQF all classes of a policy-map need the same kind; IOS XE refuses two in one class. Of
    HQF it is not known.
    """
    if device.platform.is_xe:
        yield from _in_classes(device)
        return
    for policy in device.facts.policy_maps:
        stated = [
            (queue_class.name, queue_class.bandwidth)
            for queue_class in policy.classes
            if queue_class.bandwidth
        ]
        kinds = {str(item.unit): (name, item.at) for name, item in reversed(stated)}
        if len(kinds) < 2:  # noqa: PLR2004 - kinds that differ
            continue
        label = f"policy-map {policy.name}"
        if device.platform.is_pre_hqf:
            later = [item.at for _, item in stated if item.unit is not stated[0][1].unit]
            yield _mixed_units(
                device, label, policy, kinds, later=later, is_open=device.platform.assumed
            )
        else:
            yield Skip(label, "whether HQF takes several kinds of bandwidth is not known")


def _in_classes(device: Device) -> Iterator[Hit[MixedUnits]]:
    lines = {line.number: line for line in device.facts.tree.walk()}
    for policy, policy_class in device.facts.policy_classes:
        line = lines.get(policy_class.at.line)
        stated = (
            [] if line is None else [command for command in line.commands() if _is_kind(command)]
        )
        kinds = {
            _kind(item): (policy_class.name, Location(policy_class.at.file, item.number))
            for item in reversed(stated)
        }
        if len(kinds) > 1:
            label = policy.path_of(policy_class.name)
            _, *later = sorted((at for _, at in kinds.values()), key=lambda at: at.line)
            yield _mixed_units(device, label, policy, kinds, later=later, is_open=False)


def _is_kind(line: Line) -> bool:
    return line.words[0] == "bandwidth"


def _kind(line: Line) -> str:
    words = [word for word in line.words[1:] if not word[:1].isdigit()]
    return " ".join(words) or "kbps"


def _mixed_units(
    device: Device,
    label: str,
    policy: PolicyMap,
    kinds: Mapping[str, tuple[str, Location]],
    *,
    later: Sequence[Location],
    is_open: bool,
) -> Hit[MixedUnits]:
    named = [f"{kind} (class {name})" for kind, (name, _) in sorted(kinds.items())]
    places = tuple(sorted((at for _, at in kinds.values()), key=lambda at: at.line))
    return Hit(
        label,
        places,
        MixedUnits(
            policy.name,
            " and ".join(named),
            f"{device.platform.generation} ({device.platform.because})",
            printed_doubt(device),
        ),
        unless_printed(device, Confidence.POSSIBLE if is_open else Confidence.CERTAIN),
        severity=Severity.INFO if is_open else None,
        refused=tuple(later),
    )


# Reservations that fit the rate IOS takes for them, which is more than the line has.


class OverLink(Struct, frozen=True):
    """Reservation of the classes, the rate that IOS takes for the link, and the link."""

    policy_map: str
    reserved_kbps: str
    base: str  # "`bandwidth`, 1544 kb/s by default", "the shaper, 2000 kb/s"
    link_kbps: str
    interface: str
    kbps: int


def find_percent_of_wrong_rate(device: Device) -> Found[OverLink]:
    """Yield a hit for each output whose admitted reservations are more than its link."""
    for outlet in policies_out(device):
        admission, link = admission_of(outlet, device.platform), outlet.link
        if isinstance(admission, Unknown):
            yield Skip(outlet.policy_label, admission.reason)
            continue
        if not admission.reserved_bps:
            continue
        why_not = why_not_compared(device, outlet)
        if link is None or why_not is not None:
            yield Skip(outlet.policy_label, why_not or outlet.why_rate_unknown)
        elif admitted_over_link(outlet, device.platform) is not None:
            calls = calls_at_link_rate(device, outlet)
            yield _over_link(outlet, (link, calls), admission)


def _over_link(outlet: Outlet, at_line: tuple[Input, str], admission: Admission) -> Hit[OverLink]:
    (link, calls), wrong = at_line, wrong_base(outlet)
    base_kbps = rate_text(kbps_from_bps(admission.base_bps))
    link_kbps = kbps_from_bps(link.value)
    stated = None if wrong is None else wrong.stated
    if wrong is None:
        base = f"the {'shaper' if outlet.shape else 'circuit'}, {base_kbps} kb/s"
    elif stated is None:
        base = f"`bandwidth`, {base_kbps} kb/s by default"
    else:
        base = f"`bandwidth`, {base_kbps} kb/s"
    evidence = OverLink(
        policy_map=outlet.queueing.name,
        reserved_kbps=rate_text(kbps_from_bps(admission.reserved_bps)),
        base=base,
        link_kbps=rate_text(link_kbps),
        interface="" if wrong is None else wrong.home.name,
        kbps=int(link_kbps),
    )
    rate_at = outlet.shape.at if outlet.shape is not None else outlet.at
    certain = Confidence.LIKELY if link.is_label else Confidence.CERTAIN
    return Hit(
        outlet.policy_label,
        (stated.at if stated is not None else rate_at, outlet.queueing.at),
        evidence,
        Confidence.POSSIBLE if wrong is not None and wrong.is_recalled else certain,
        curable=wrong is not None,
        advice=(calls or None) if wrong is not None else _advice(outlet, link),
    )


def _advice(outlet: Outlet, link: Input) -> str:
    """Fit the classes to the line: the shaper alone where they are parts of its rate."""
    line = f"the {rate_words(kbps_from_bps(link.value))} of the line"
    stated = [item for member in outlet.queueing.classes for item in _reserved(member)]
    if outlet.shape is not None and all(item.unit is Unit.PERCENT for item in stated):
        return f"bring the shaper around the classes down to {line}: their percentages then fit it"
    return f"reduce the classes, or the rate around them, to {line}"


def _reserved(policy_class: PolicyClass) -> Iterator[Bandwidth | Priority]:
    if policy_class.bandwidth is not None:
        yield policy_class.bandwidth
    if policy_class.priority is not None and policy_class.priority.amount is not None:
        yield policy_class.priority


# A class-default with neither fair queueing nor a guarantee, beside classes that have one.

_WITH_WRED = (
    "give class-default a `bandwidth`: `fair-queue` beside `random-detect` takes its queue-limit "
    "out of force"
)


class UnmanagedDefault(Struct, frozen=True):
    """The policy-map, and its classes that have a guarantee."""

    policy_map: str
    guaranteed: str  # "class VOICE", "class VOICE and 2 more"


def find_class_default_unmanaged(device: Device) -> Found[UnmanagedDefault]:
    """Yield a hit for each policy-map that queues outbound and leaves class-default by itself."""
    for policy in queueing_out(device):
        guaranteed = [
            policy_class.name
            for policy_class in policy.classes
            if policy_class.priority is not None or policy_class.bandwidth is not None
        ]
        if guaranteed and not _is_managed(policy):
            label = policy.path_of(CLASS_DEFAULT)
            line = device.facts.unread_line(label, "fair-queue", "bandwidth", "service-policy")
            if line is not None:
                yield Skip(label, f"what manages it is not known: {line.at} is not understood")
            else:
                yield _unmanaged_default(device, policy, guaranteed, label)


def _is_managed(policy: PolicyMap) -> bool:
    default = policy.class_by_name.get(CLASS_DEFAULT)
    if policy.fragment is not None:
        return True  # by the policies that its fragments name
    if default is None:
        return False
    fair = default.fair_queue is not None and default.fair_queue.value
    return fair or default.bandwidth is not None or default.child is not None


def _unmanaged_default(
    device: Device, policy: PolicyMap, guaranteed: list[str], label: str
) -> Hit[UnmanagedDefault]:
    default = policy.class_by_name.get(CLASS_DEFAULT)
    has_wred = default is not None and default.wred is not None
    return Hit(
        label,
        (default.at if default is not None else policy.at,),
        UnmanagedDefault(policy.name, f"class {first_of(guaranteed)}"),
        Confidence.LIKELY if device.platform.may_be_xe else Confidence.CERTAIN,
        curable=not has_wred,
        advice=_WITH_WRED if has_wred else None,
    )


# A class that is offered far more than its guarantee, and drops.


_MORE_FOR_DEFAULT: Final = (
    "raise the rate of the line, send less over it, or give what matters of this traffic a class "
    "with `bandwidth`: the shares are a decision"
)


class StarvedClassParams(Struct, frozen=True):
    """Ratio of offered to guaranteed rate at which a class that drops counts as starved.

    class-default has no guarantee: it is starved where it loses a share of its packets.
    """

    offered_over_guarantee: float
    default_loss_percent: float


class StarvedClass(Struct, frozen=True):
    """The offered rate of the class, what it is more than, and its drops."""

    class_name: str
    offered_kbps: str
    beyond: str
    dropped: str


def find_class_starved_observed(device: Device, params: StarvedClassParams) -> Found[StarvedClass]:
    """Yield a hit for each class with `bandwidth` that drops and is offered far more than that."""
    for seen_class in seen_classes(device.seen):
        if seen_class.seen.priority is not None:
            continue
        if seen_class.seen.bandwidth is None:
            if seen_class.seen.name == CLASS_DEFAULT:
                yield from _losing_default(seen_class, params)
            continue
        dropped = _dropped(seen_class)
        if dropped == "":
            continue
        offered_bps, rate = seen_class.seen.offered_rate_bps, guarantee(device, seen_class)
        if rate is None:
            yield Skip(
                seen_class.label, "its guarantee in kb/s is not printed, nor known from a config"
            )
        elif offered_bps is None:
            yield Skip(seen_class.label, "its offered rate is not printed")
        elif offered_bps < params.offered_over_guarantee * rate.value:
            continue
        elif dropped is None:
            yield Skip(seen_class.label, "its drops are not printed, or their counter has wrapped")
        else:
            times = f"{offered_bps / rate.value:.1f} times its guarantee"
            beyond = f"{times} of {rate_text(kbps_from_bps(rate.value))} kb/s"
            yield _starved_class(seen_class, offered_bps, beyond, dropped, (rate,))


def _left_over(seen_class: SeenClass) -> str:
    """What class-default has less of than it is offered: a policy may have no other class."""
    if any(other.name != seen_class.seen.name for other in seen_class.siblings):
        return "more than the others leave"
    shaper = seen_class.seen.shaper
    if shaper is None or shaper.cir_bps is None:
        return "more than its output sends"
    return f"more than its shaper of {rate_text(kbps_from_bps(shaper.cir_bps))} kb/s passes"


def _losing_default(
    seen_class: SeenClass, params: StarvedClassParams
) -> Iterator[Hit[StarvedClass]]:
    """A hit for a class-default that loses far more than transfers need to find their rate."""
    offered_bps, drop_bps = seen_class.seen.offered_rate_bps, seen_class.seen.drop_rate_bps
    drops, seen = drops_packets(seen_class.seen), seen_class.seen.seen
    if not offered_bps or not drops or seen is None or not seen.packets:
        return
    lost = max(drops / seen.packets, (drop_bps or 0.0) / offered_bps)
    if percent_from_ratio(lost) >= params.default_loss_percent:
        dropped = _dropped(seen_class) or ""
        hit = _starved_class(seen_class, offered_bps, _left_over(seen_class), dropped, ())
        yield replace(hit, advice=_MORE_FOR_DEFAULT)


def _dropped(seen_class: SeenClass) -> str | None:
    """Drops in words, those of now first; "" if there are none, None if no counter is printed."""
    drops, seen = drops_packets(seen_class.seen), seen_class.seen.seen
    offered_bps, drop_bps = seen_class.seen.offered_rate_bps, seen_class.seen.drop_rate_bps
    words = []
    if drop_bps:
        part = f", {number(percent_from_ratio(drop_bps / offered_bps))} %" if offered_bps else ""
        words.append(f"{rate_words(kbps_from_bps(drop_bps))} dropped now{part}")
    if drops:
        part = ""
        if seen is not None and seen.packets:
            part = f", {number(percent_from_ratio(drops / seen.packets))} %"
        words.append(f"{count(drops, 'packet')} dropped{part} since the counters were cleared")
    return "; ".join(words) if words or drops is not None else None


def _starved_class(
    seen_class: SeenClass, offered_bps: float, beyond: str, dropped: str, rates: tuple[Input, ...]
) -> Hit[StarvedClass]:
    offered_kbps = kbps_from_bps(offered_bps)
    evidence = StarvedClass(
        seen_class.seen.name,
        rate_text(kbps_from_bps(offered_bps)),
        beyond,
        dropped,
    )
    measured = exact("offered_bps", offered_bps, Basis.MEASURED, str(seen_class.seen.at))
    return Hit(
        seen_class.label,
        (seen_class.seen.at,),
        evidence,
        Confidence.LIKELY,
        Forecast(
            "rate offered to the class",
            point(offered_kbps, "kb/s"),
            None,
            (measured, *rates),
        ),
    )
