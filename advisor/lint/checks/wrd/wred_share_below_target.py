"""A group that gets less of the TCP bytes than the user wants for it."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.wrd.shared.rows import WredClass, row_command, wred_classes
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.outlet import Outlet, policies_out
from advisor.outlet.wred_rows import DEFAULT_DENOMINATOR, WredRow
from advisor.predict.wred.inputs import Asked, asked_of
from advisor.predict.wred.shares import GroupShare, WredShares, wred_shares
from advisor.quantity import Basis, Figure, Unknown

_FACTORS = (2, 3, 4, 6, 8, 10)
_LARGEST_DENOMINATOR = 100  # beyond, a row hardly drops before its maximum
_ADVICE = (
    "Lower the denominators of the other groups, or give this one a class of its own: see "
    "`advisor predict --sweep`"
)


class Params(Struct, frozen=True):
    """Round trip of the profile, for flows of which none is stated."""

    rtt_ms: float


class Evidence(Struct, frozen=True):
    """The share that is predicted under the stated flows, and the one that is wanted."""

    group: str
    share: str
    target_percent: float
    flows: str
    rule_percent: str  # by the rule of thumb flows/p
    statements: tuple[str, ...]
    section: tuple[str, ...]


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each group whose predicted share is under its stated target."""
    if not any(each.tcp and each.tcp.target_share_percent for each in device.traffic):
        return
    own_lines = {each.section: each for each in wred_classes(device)}
    for outlet in policies_out(device):
        asked = asked_of(device, outlet, params.rtt_ms)
        if isinstance(asked, Unknown):
            yield Skip(outlet.policy_label, asked.reason)
            continue
        said = wred_shares(asked)
        if isinstance(said, Unknown):
            yield Skip(outlet.policy_label, said.reason)
            continue
        for of in said:
            section = (f"policy-map {outlet.queueing.name}", f"class {of.class_name}")
            judged = own_lines.get(section)
            for group in filter(_is_below, of.groups):
                if judged is not None:
                    yield _hit(outlet, of, group, _cure(asked, judged, of.class_name, group))


def _is_below(group: GroupShare) -> bool:
    target, share = group.target_share_percent, group.share
    return target is not None and share is not None and share.value < target


class _Cure(Struct, frozen=True):
    """The row of the group with a larger denominator, and the share that it gives."""

    section: tuple[str, ...]
    at: Location
    statement: str | None
    share: Figure | None


def _cure(asked: Asked, judged: WredClass, class_name: str, group: GroupShare) -> _Cure:
    """The smallest of a few larger denominators that meets the target, if one does."""
    mine = next(each for each in asked.classes if each.name == class_name)
    row = next(each.row for each in mine.groups if each.name == group.name)
    at = row.at if row is not None else asked.outlet.at
    nothing = _Cure(judged.section, at, None, None)
    if row is None or row.basis is not Basis.CONFIGURED or not judged.have_own_lines((row,)):
        return nothing
    before = DEFAULT_DENOMINATOR if row.denominator is None else row.denominator
    for denominator in (before * factor for factor in _FACTORS):
        if denominator > _LARGEST_DENOMINATOR:
            break
        found = _with_denominator(asked, row, denominator, class_name, group.name)
        target = group.target_share_percent
        if found is not None and target is not None and found.value >= target:
            command = row_command(row, row.min_threshold, row.max_threshold, denominator)
            return _Cure(judged.section, at, command, found)
    return nothing


def _with_denominator(
    asked: Asked, row: WredRow, denominator: int, class_name: str, group_name: str
) -> Figure | None:
    """Share of a group where its row has another denominator."""
    classes = tuple(
        replace(
            each,
            groups=tuple(
                replace(group, row=replace(row, denominator=denominator))
                if group.row == row and each.name == class_name
                else group
                for group in each.groups
            ),
        )
        for each in asked.classes
    )
    said = wred_shares(replace(asked, classes=classes))
    if isinstance(said, Unknown):
        return None
    found = next(each for each in said if each.class_name == class_name)
    return next(each.share for each in found.groups if each.name == group_name)


def _hit(outlet: Outlet, of: WredShares, group: GroupShare, cure: _Cure) -> Hit[Evidence]:
    """Within the interval it may be met: that is worth knowing, not a warning."""
    share, target = group.share or Figure(0.0, 0.0, 0.0, "%"), group.target_share_percent or 0.0
    maybe = share.high >= target or not of.converged
    rule = group.share_by_flows_over_p
    counts = ", ".join(f"{each.name} {each.flows}" for each in of.groups if each.flows is not None)
    return Hit(
        f"{outlet.policy_label} > class {of.class_name} > group {group.name}",
        (cure.at,),
        Evidence(
            group=group.name,
            share=f"{share.value:.1f} % ({share.low:.1f} to {share.high:.1f})",
            target_percent=target,
            flows=counts,
            rule_percent="none" if rule is None else f"{rule:.1f} %",
            statements=() if cure.statement is None else (cure.statement,),
            section=cure.section,
        ),
        Confidence.POSSIBLE if maybe else Confidence.LIKELY,
        Forecast(f"share of {group.name}", share, cure.share, of.inputs),
        severity=Severity.INFO if maybe else None,
        curable=cure.statement is not None,
        advice=None if cure.statement is not None else _ADVICE,
    )


CHECK = Check(Params, Evidence, find)
