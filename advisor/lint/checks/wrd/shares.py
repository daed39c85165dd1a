"""Shares under WRED: all alike, below a target, or of traffic that never slows down."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.config import Facts
from advisor.facts.matched_packets import packets_of_classes
from advisor.facts.policy import Unit
from advisor.facts.selectable import Selectable, selectable_by_class
from advisor.ground.quantity import Basis, Figure, Unknown, plain
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit, RoundTripParams, Skip
from advisor.lint.checks.wrd import (
    QueuePlace,
    RowSetting,
    WredClass,
    WredSetting,
    is_counted_short,
    queues_not_modelled,
    row_setting,
    wred_classes,
)
from advisor.lint.checks.wrd.decision import Stage, cure_of
from advisor.lint.checks.wrd.steps import kinds_of, tuned_classes
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.outlet.wred_rows import DEFAULT_DENOMINATOR, WredRow
from advisor.predict.wred import WredRequest, wred_request
from advisor.predict.wred.shares import GroupShare, WredShares, wred_shares
from advisor.theory.wred import Regime

# WRED that treats all its packets alike: shares follow the numbers of flows.

_ADVICE_HIGH = "Lower the minimum thresholds until the average queue passes them"


class NoDifference(Struct, frozen=True):
    """Why WRED treats all packets alike, the shares that follow, and rows that differ."""

    cause: str
    shares: str
    wred: WredSetting


def find_wred_no_differentiation(device: Device, params: RoundTripParams) -> Found[NoDifference]:
    """Yield a hit for each class whose rows are equal, or whose queue ends below all minima."""
    yield from queues_not_modelled(device)
    classes = list(tuned_classes(device))
    if not classes:
        return
    selectable = selectable_by_class(device.facts)
    predicted = _predicted(device, params.rtt_ms)
    for wred_class in classes:
        if len(wred_class.rows) < 2:  # noqa: PLR2004 -- nothing to differentiate
            continue
        shares = predicted.get(wred_class.label)
        if len({_treatment(row) for row in wred_class.rows}) == 1:
            if wred_class.unknown:
                missing = ", ".join(wred_class.unknown)
                yield Skip(wred_class.label, f"default thresholds of {missing} are not known")
                continue
            yield _equal(device, wred_class, selectable(wred_class.policy_class.name), shares)
        elif (limit := _limit(device, wred_class)) is not None and _all_over(wred_class, limit):
            lowest = plain(min(row.min_threshold for row in wred_class.rows))
            cause = f"the queue-limit of {limit:g} is below the lowest minimum of {lowest}"
            yield _high(wred_class, cause, shares, possible=device.platform.doubts_defaults)
        elif shares is not None:
            yield from _by_windows(wred_class, shares)


def _treatment(row: WredRow) -> tuple[float, float, int, Unit]:
    denominator = DEFAULT_DENOMINATOR if row.denominator is None else row.denominator
    return row.min_threshold, row.max_threshold, denominator, row.unit


def _predicted(device: Device, rtt_ms: float) -> dict[str, WredShares]:
    """Shares of the classes whose flows are stated, at the first output of each."""
    shares_by_label: dict[str, WredShares] = {}
    if not any(traffic.tcp is not None for traffic in device.traffic):
        return shares_by_label
    for outlet in policies_out(device):
        question = wred_request(device, outlet, rtt_ms)
        answers = question if isinstance(question, Unknown) else wred_shares(question)
        for class_shares in () if isinstance(answers, Unknown) else answers:
            label = outlet.queueing.path_of(class_shares.class_name)
            shares_by_label.setdefault(label, class_shares)
    return shares_by_label


def _limit(device: Device, wred_class: WredClass) -> float | None:
    """Queue-limit in force in packets; before HQF the default does not hold with WRED."""
    stated = wred_class.policy_class.queue_limit
    if device.platform.is_pre_hqf:
        return None
    if stated is not None:
        return stated.packets
    return wred_class.default_limit_packets


def _all_over(wred_class: WredClass, limit: float) -> bool:
    return all(row.unit is Unit.PACKETS and row.min_threshold >= limit for row in wred_class.rows)


def _equal(
    device: Device, wred_class: WredClass, selectable: Selectable, shares: WredShares | None
) -> Hit[NoDifference]:
    low, high, denominator, unit = _treatment(wred_class.rows[0])
    words = "" if unit is Unit.PACKETS else f" {unit}"
    labels = ", ".join(row.label for row in wred_class.rows)
    cure = cure_of(device, wred_class)
    return Hit(
        wred_class.label,
        tuple(dict.fromkeys(row.at for row in wred_class.rows)),
        NoDifference(
            cause=f"{labels} have the same row, {plain(low)} to {plain(high)}{words}, "
            f"1 in {denominator}",
            shares=_shares(shares),
            wred=cure.setting,
        ),
        Confidence.CERTAIN if _is_certain(wred_class, selectable) else Confidence.POSSIBLE,
        level=cure.level,
        curable=cure.why_not(Stage.SPREAD) is None,
        advice=cure.why_not(Stage.SPREAD),
    )


def _is_certain(wred_class: WredClass, selectable: Selectable) -> bool:
    """Whether every packet meets one of the rows, none assumed; else default rows may differ."""
    if any(row.basis is Basis.ASSUMED for row in wred_class.rows):
        return False
    scheme = wred_class.rows[0].scheme
    codes = selectable.dscps if scheme == "dscp" else selectable.precedences
    return codes <= {row.code for row in wred_class.rows}


def _by_windows(wred_class: WredClass, shares: WredShares) -> Iterator[Hit[NoDifference]]:
    regimes = {regime.name: regime for regime in shares.regimes}
    windows = regimes.get(Regime.WINDOWS_END_FIRST)
    if windows is None or not windows.certain or Regime.DIFFERENTIATION in _certain(shares):
        return
    yield _high(wred_class, windows.said, shares, possible=Regime.DIFFERENTIATION in regimes)


def _certain(shares: WredShares) -> set[Regime]:
    return {regime.name for regime in shares.regimes if regime.certain}


def _high(
    wred_class: WredClass, cause: str, shares: WredShares | None, *, possible: bool
) -> Hit[NoDifference]:
    return Hit(
        wred_class.label,
        tuple(dict.fromkeys(row.at for row in wred_class.rows)),
        NoDifference(cause, _shares(shares), WredSetting(wred_class.place)),
        Confidence.POSSIBLE if possible else Confidence.LIKELY,
        severity=Severity.INFO if possible else None,
        curable=False,
        advice=_ADVICE_HIGH,
    )


def _shares(shares: WredShares | None) -> str:
    if shares is None:
        return "the share of each group follows its number of flows"
    parts = [
        f"{group.name} {group.share.value:.0f} % ({group.share.low:.0f} to {group.share.high:.0f})"
        for group in shares.groups
        if group.share is not None
    ]
    return f"predicted shares {', '.join(parts)}"


# WRED on traffic that does not slow down when it loses packets: it only loses them.


class UnresponsiveClass(Struct, frozen=True):
    """The matches of the class, and the kind of traffic that they select."""

    class_name: str
    traffic: str  # "UDP", "voice", "UDP and voice"
    matches: str
    wred: WredSetting


def find_wred_on_unresponsive_traffic(device: Device) -> Found[UnresponsiveClass]:
    """Yield a hit for each WRED class whose packets are all UDP or marked EF."""
    packets = packets_of_classes(device.facts)
    for wred_class in wred_classes(device):
        policy_class = wred_class.policy_class
        if policy_class.is_default:
            continue
        matched = packets.of(policy_class.name)
        if matched.most is None:
            if not matched.broken:
                yield Skip(wred_class.label, "what its class-map matches is not read in full")
            continue
        kinds = kinds_of(matched)
        if not kinds:
            continue
        yield Hit(
            wred_class.label,
            (wred_class.wred.at, policy_class.at),
            UnresponsiveClass(
                class_name=policy_class.name,
                traffic=" and ".join(kinds),
                matches=_matches(device.facts, policy_class.name),
                wred=WredSetting(wred_class.place, removes=True),
            ),
            Confidence.LIKELY,  # some applications over UDP do slow down
            severity=Severity.INFO if is_counted_short(device, wred_class) else None,
        )


def _matches(facts: Facts, name: str) -> str:
    class_map = facts.class_map(name)
    return ", ".join(match.text for match in class_map.matches) if class_map is not None else ""


# A group that gets a smaller share of the TCP bytes than the user wants.

_FACTORS = (2, 3, 4, 6, 8, 10)
_LARGEST_DENOMINATOR = 100  # beyond, a row hardly drops before its maximum
_ADVICE = (
    "Lower the denominators of the other groups, or give this one a class of its own: see advisor "
    "predict --sweep"
)


class LowShare(Struct, frozen=True):
    """The share that is predicted for the stated flows, and the share that is wanted."""

    group: str
    share: str
    target_percent: float
    flows: str
    rule_percent: str  # by the rule of thumb flows/p
    wred: WredSetting


def find_wred_share_below_target(device: Device, params: RoundTripParams) -> Found[LowShare]:
    """Yield a hit for each group whose predicted share is under its stated target."""
    if not any(traffic.tcp and traffic.tcp.target_share_percent for traffic in device.traffic):
        return
    own_lines = {wred_class.place: wred_class for wred_class in wred_classes(device)}
    for outlet in policies_out(device):
        question = wred_request(device, outlet, params.rtt_ms)
        if isinstance(question, Unknown):
            yield Skip(outlet.policy_label, question.reason)
            continue
        answers = wred_shares(question)
        if isinstance(answers, Unknown):
            yield Skip(outlet.policy_label, answers.reason)
            continue
        for class_shares in answers:
            place = QueuePlace(policy_map=outlet.queueing.name, class_name=class_shares.class_name)
            wred_class = own_lines.get(place)
            for group in filter(_is_below, class_shares.groups):
                if wred_class is not None:
                    yield _hit(
                        outlet,
                        class_shares,
                        group,
                        _cure(question, wred_class, class_shares.class_name, group),
                    )


def _is_below(group: GroupShare) -> bool:
    target, share = group.target_share_percent, group.share
    return target is not None and share is not None and share.value < target


class _Cure(Struct, frozen=True):
    """The row of the group with a larger denominator, and the share that it gives."""

    place: QueuePlace
    at: Location
    row: RowSetting | None
    share: Figure | None


def _cure(
    question: WredRequest, wred_class: WredClass, class_name: str, group: GroupShare
) -> _Cure:
    """The smallest of a few larger denominators that meets the target, if one does."""
    tcp_class = next(tcp_class for tcp_class in question.classes if tcp_class.name == class_name)
    row = next(candidate.row for candidate in tcp_class.groups if candidate.name == group.name)
    at = row.at if row is not None else question.outlet.at
    nothing = _Cure(wred_class.place, at, None, None)
    if row is None or row.basis is not Basis.CONFIGURED or not wred_class.have_own_lines((row,)):
        return nothing
    before = DEFAULT_DENOMINATOR if row.denominator is None else row.denominator
    for denominator in (before * factor for factor in _FACTORS):
        if denominator > _LARGEST_DENOMINATOR:
            break
        raised_share = _with_denominator(question, row, denominator, class_name, group.name)
        target = group.target_share_percent
        if raised_share is not None and target is not None and raised_share.value >= target:
            raised = row_setting(replace(row, denominator=denominator))
            return _Cure(wred_class.place, at, raised, raised_share)
    return nothing


def _with_denominator(
    question: WredRequest, row: WredRow, denominator: int, class_name: str, group_name: str
) -> Figure | None:
    """Share of a group where its row has another denominator."""
    classes = tuple(
        replace(
            tcp_class,
            groups=tuple(
                replace(group, row=replace(row, denominator=denominator))
                if group.row == row and tcp_class.name == class_name
                else group
                for group in tcp_class.groups
            ),
        )
        for tcp_class in question.classes
    )
    answers = wred_shares(replace(question, classes=classes))
    if isinstance(answers, Unknown):
        return None
    class_shares = next(shares for shares in answers if shares.class_name == class_name)
    return next(group.share for group in class_shares.groups if group.name == group_name)


def _hit(outlet: Outlet, class_shares: WredShares, group: GroupShare, cure: _Cure) -> Hit[LowShare]:
    """Hit of a group; it is only `info` where the target lies within the interval."""
    share, target = group.share or Figure(0.0, 0.0, 0.0, "%"), group.target_share_percent or 0.0
    is_uncertain = share.high >= target or not class_shares.converged
    rule = group.share_by_flows_over_p
    counts = ", ".join(
        f"{group.name} {group.flows}" for group in class_shares.groups if group.flows is not None
    )
    return Hit(
        f"{outlet.policy_label} > class {class_shares.class_name} > group {group.name}",
        (cure.at,),
        LowShare(
            group=group.name,
            share=f"{share.value:.1f} % ({share.low:.1f} to {share.high:.1f})",
            target_percent=target,
            flows=counts,
            rule_percent="none" if rule is None else f"{rule:.1f} %",
            wred=WredSetting(cure.place, rows=() if cure.row is None else (cure.row,)),
        ),
        Confidence.POSSIBLE if is_uncertain else Confidence.LIKELY,
        Forecast(f"share of {group.name}", share, cure.share, class_shares.inputs),
        severity=Severity.INFO if is_uncertain else None,
        curable=cure.row is not None,
        advice=None if cure.row is not None else _ADVICE,
    )
