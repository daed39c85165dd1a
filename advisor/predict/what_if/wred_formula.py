"""WRED's fixed point with the numbers of an output, beside the sampled shares of a prediction."""

from collections.abc import Iterator, Sequence

from advisor.device.device import Device
from advisor.ground.quantity import Figure, Unknown, figure, number, plain
from advisor.ground.units import kbps_from_bps, percent_from_ratio, s_from_ms
from advisor.model import DropProfile
from advisor.outlet.outlet import Outlet
from advisor.predict.what_if.prediction import UNSTATED
from advisor.predict.wred import wred_request
from advisor.predict.wred.input_ends import InputEnds, model_of
from advisor.predict.wred.shares import GroupShare, WredShares, wred_shares
from advisor.settings import Settings
from advisor.theory.fixed_point import FixedPoint, GroupPoint, fixed_points, limit_of

_DIGITS = 4  # of numbers in a formula
_NO_POINT = "no fixed point: fair-queue divides the rate, or there is no TCP flow"


def fixed_point_lines(device: Device, outlet: Outlet, settings: Settings) -> Iterator[str]:
    """Each class of TCP flows under WRED: curve, operating point, rates, shares, validity.

    The inputs are at the values of the prediction, whose sampled figures stand beside.
    """
    under_wred = [item.name for item in outlet.queueing.classes if item.wred is not None]
    if not under_wred:
        return
    request = wred_request(device, outlet, settings.budgets.rtt_ms)
    sampled = request if isinstance(request, Unknown) else wred_shares(request)
    if isinstance(request, Unknown) or isinstance(sampled, Unknown):
        yield f"no shares: {sampled.reason if isinstance(sampled, Unknown) else UNSTATED}"
        return
    interface = model_of(request, InputEnds())
    points = {point.class_name: point for point in fixed_points(interface)}
    shares = {item.class_name: item for item in sampled}
    for name in under_wred:
        if name in points:
            yield from _class_lines(points[name], shares[name], interface.rate_bps)
        else:
            yield f"{name}: {_NO_POINT if name in shares else UNSTATED}"


def _class_lines(point: FixedPoint, sampled: WredShares, link_bps: float) -> Iterator[str]:
    named = {group.name: group for group in sampled.groups}
    pairs = [(group, named[group.name]) for group in point.groups]
    rate_kbps = kbps_from_bps(point.rate_ratio * link_bps)
    yield (
        f"{point.class_name}: {number(rate_kbps)} kb/s of the wire, U = "
        f"{plain(point.rate_per_s, _DIGITS)} packets/s; {_operating_point(point, sampled.groups)}"
    )
    for group, shown in pairs:
        yield _curve(group, shown.profile, point)
    yield from (_rate(group) for group, _ in pairs)
    parts = " + ".join(plain(group.packets_per_second, _DIGITS) for group in point.groups)
    total = plain(sum(group.packets_per_second for group in point.groups), _DIGITS)
    used = number(percent_from_ratio(point.used_ratio))
    yield f"sum: {parts} = {total} packets/s, {used} % of the rate"
    yield from (
        _share(group, shown.share, shown.share_by_flows_over_p)
        for group, shown in pairs
        if shown.share is not None
    )
    yield from _verdict(point, sampled)


def _operating_point(point: FixedPoint, groups: Sequence[GroupShare]) -> str:
    """The average between the thresholds, and the drop of each group there."""
    drops = ", ".join(f"{group.name} {_one_in(group.drop_ratio)}" for group in point.groups)
    profiles = [group.profile for group in groups if group.profile is not None]
    low = min((profile.min_threshold_packets for profile in profiles), default=0.0)
    high = max((profile.max_threshold_packets for profile in profiles), default=0.0)
    return f"AQS {number(point.aqs_packets)} of {low:g}/{high:g}: p {drops}"


def _one_in(ratio: float) -> str:
    return f"1/{number(1 / ratio)}" if ratio > 0 else "0"


def _curve(group: GroupPoint, profile: DropProfile | None, point: FixedPoint) -> str:
    p, aqs = f"p {number(percent_from_ratio(group.drop_ratio))} %", number(point.aqs_packets)
    if profile is None:
        return f"{group.name}: no row of WRED, {p}"
    low, high = profile.min_threshold_packets, profile.max_threshold_packets
    denominator = profile.mark_probability_denominator
    curve = f"{group.name}: curve 0 to {low:g}, 1/{denominator:g} at {high:g}, then 1"
    if point.aqs_packets <= low:
        return f"{curve}; {aqs} is below: {p}"
    if point.aqs_packets >= high:
        above = number(percent_from_ratio(point.above_max_ratio))
        return f"{curve}; the average is at max, {above} % of the arrivals above it: {p}"
    return f"{curve}; ({aqs} - {low:g}) / ({high:g} - {low:g}) / {denominator:g}: {p}"


def _rate(group: GroupPoint) -> str:
    p, through = number(percent_from_ratio(group.drop_ratio)), group.packets_per_second
    if group.flows is None or not group.round_trip_ms:
        sent = plain(through / max(1 - group.drop_ratio, 1e-9), _DIGITS)
        return f"{group.name}: {sent} * (1 - p) = {plain(through, _DIGITS)} packets/s"
    window, late = group.window_packets or 0.0, percent_from_ratio(group.timeout_ratio or 0.0)
    each = window / s_from_ms(group.round_trip_ms)
    return (
        f"{group.name}: {group.flows} * B({p} %, {number(group.round_trip_ms)} ms) * (1 - p) = "
        f"{group.flows} * {plain(each, _DIGITS)} * (1 - p) = {plain(through, _DIGITS)} packets/s; "
        f"{number(window)} packets of a flow under way, {number(late)} % of losses time out"
    )


def _share(group: GroupPoint, sampled: Figure, rule: float | None) -> str:
    share = percent_from_ratio(group.share or 0.0)
    by_rule = "" if rule is None else f", by flows/p {_beside(rule, sampled)}"
    return f"{group.name}: share {_beside(share, sampled)}{by_rule}; sampled {figure(sampled)}"


def _beside(percent: float, sampled: Figure) -> str:
    return f"{number(percent)} % ({percent - sampled.value:+.1f} points)"


def _verdict(point: FixedPoint, sampled: WredShares) -> Iterator[str]:
    if sampled.aqs is not None:
        off = point.aqs_packets - sampled.aqs.value
        yield f"AQS {number(point.aqs_packets)} packets ({off:+.1f}); sampled {figure(sampled.aqs)}"
    limit = limit_of([regime.name for regime in sampled.regimes if regime.certain])
    if limit is None:
        yield "the fixed point is within 20 %, it explains; the figures are sampled"
    else:
        yield f"the fixed point is outside: {limit.value}; the figures are sampled"
