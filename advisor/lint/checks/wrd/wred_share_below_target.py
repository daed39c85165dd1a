"""A group that gets a smaller share of the TCP bytes than the user wants."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.wrd.shared.rows import WredClass, wred_classes
from advisor.lint.checks.wrd.shared.setting import QueuePlace, RowSetting, WredSetting, row_setting
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.outlet.wred_rows import DEFAULT_DENOMINATOR, WredRow
from advisor.predict.wred.inputs import WredRequest, wred_request
from advisor.predict.wred.shares import GroupShare, WredShares, wred_shares
from advisor.quantity import Basis, Figure, Unknown

_FACTORS = (2, 3, 4, 6, 8, 10)
_LARGEST_DENOMINATOR = 100  # beyond, a row hardly drops before its maximum
_ADVICE = (
    "Lower the denominators of the other groups, or give this one a class of its own: see advisor "
    "predict --sweep"
)


class Params(Struct, frozen=True):
    """Round trip of the profile, for flows without a stated round trip."""

    rtt_ms: float


class Evidence(Struct, frozen=True):
    """The share that is predicted for the stated flows, and the share that is wanted."""

    group: str
    share: str
    target_percent: float
    flows: str
    rule_percent: str  # by the rule of thumb flows/p
    wred: WredSetting


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
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


def _hit(outlet: Outlet, class_shares: WredShares, group: GroupShare, cure: _Cure) -> Hit[Evidence]:
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
        Evidence(
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


CHECK = Check(Params, Evidence, find)
