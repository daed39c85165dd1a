"""Shares, drops and delay of the groups of a class under WRED, with intervals and regimes."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import isfinite

from msgspec import Struct

from advisor.outlet.wred_groups import Group
from advisor.predict.wred.inputs import Asked, AskedClass
from advisor.predict.wred.regimes import RegimeSaid, regimes_said
from advisor.predict.wred.worlds import limit_input, lowest_min, model_of, profile_of, worlds
from advisor.quantity import Figure, Input, Unknown
from advisor.theory.wred.interface import (
    Bottleneck,
    ClassForecast,
    DropProfile,
    GroupForecast,
    Range,
    Regime,
    TcpFlows,
    Unresponsive,
    WredClass,
    WredForecast,
    WredModelError,
)
from advisor.units import percent_from_ratio

_SOLUTIONS = 512  # of a sweep


class GroupShare(Struct, frozen=True):
    """One group. `share` is of the bytes of all TCP groups of the output, None without TCP.

    `row` is the row it meets, in packets, with where it is known from, `code` its DSCP or
    precedence; `share_by_flows_over_p` the rule of thumb beside the share, in percent.
    """

    name: str
    code: int | None
    flows: int | None
    row: str
    share: Figure | None
    share_by_flows_over_p: float | None
    drops: Figure
    delay: Figure
    target_share_percent: float | None


class WredShares(Struct, frozen=True):
    """One class of TCP groups, or under WRED.

    `aqs` is the average queue size, `time_constant_ms` that of the average: None without WRED.

    `converged` False: the figures are of one of several states, take the intervals only.
    """

    class_name: str
    queue: Figure
    aqs: Figure | None
    time_constant_ms: float | None
    utilization: Figure
    regimes: tuple[RegimeSaid, ...]
    groups: tuple[GroupShare, ...]
    converged: bool
    inputs: tuple[Input, ...]


def wred_shares(asked: Asked) -> tuple[WredShares, ...] | Unknown:
    """Shares of each class under WRED or with TCP, of which groups are stated, or why none.

    The value is that of the model at the values of the inputs; low and high are the least and the
    most of each interval at its ends, with the model's own error.
    """
    wanted = [each for each in asked.classes if _is_asked(each)]
    try:
        found = [_solve(*model_of(asked, world)) for world in worlds(asked)] if wanted else []
    except WredModelError as error:
        return Unknown(str(error))
    return tuple(_class(asked, each, found) for each in wanted)


def _is_asked(each: AskedClass) -> bool:
    under_wred = each.facts is not None and each.facts.wred is not None
    return bool(each.groups) and (under_wred or any(g.stated.tcp for g in each.groups))


@lru_cache(maxsize=_SOLUTIONS)
def _solve(bottleneck: Bottleneck, classes: tuple[WredClass, ...]) -> WredForecast:
    from advisor.theory.wred.solver import solve_wred  # noqa: PLC0415 -- lint must not wait for numpy

    return solve_wred(bottleneck, classes)


def _class(asked: Asked, each: AskedClass, found: Sequence[WredForecast]) -> WredShares:
    mine = [next(c for c in one.classes if c.name == each.name) for one in found]
    groups = {
        group.name: [next(g for g in one.groups if g.name == group.name) for one in found]
        for group in each.groups
    }
    limit, first = limit_input(asked, each), mine[0]
    averages = [one.aqs_packets for one in mine if one.aqs_packets is not None]
    elsewhere = {regime for one in mine[1:] for regime in one.regimes} - set(first.regimes)
    return WredShares(
        class_name=each.name,
        queue=_spanned([one.queue_packets for one in mine], "packets"),
        aqs=_spanned(averages, "packets") if averages else None,
        time_constant_ms=first.time_constant_ms,
        utilization=_utilization(mine),
        regimes=regimes_said(
            first,
            [group[0] for group in groups.values()],
            lowest_min_packets=asked.moves.min_packets or lowest_min(asked, each),
            limit_packets=limit.value,
            elsewhere=tuple(each for each in Regime if each in elsewhere),
        ),
        groups=tuple(
            _group(group, _row(asked, each, group), groups[group.name]) for group in each.groups
        ),
        converged=found[0].converged,
        inputs=(*_inputs_of(asked), limit),
    )


def _inputs_of(asked: Asked) -> tuple[Input, ...]:
    """Inputs that say something: no LLQ where there is none."""
    return tuple(each for each in asked.inputs.values() if each.name != "llq_bps" or each.high > 0)


def _row(asked: Asked, each: AskedClass, group: Group) -> str:
    row = group.row
    if row is None:
        return "none"
    words = _row_words(profile_of(asked, each, row, lowest_min(asked, each)))
    return f"{row.label} {words} ({row.basis.value})"


def _group(of: Group, row: str, found: Sequence[GroupForecast]) -> GroupShare:
    shares = [one.share for one in found if one.share is not None]
    rule, tcp = found[0].share_by_flows_over_p, of.stated.tcp
    return GroupShare(
        name=of.name,
        code=None if of.row is None else of.row.code,
        flows=None if tcp is None else tcp.flows,
        row=row,
        share=_spanned(shares, "%", percent_from_ratio) if shares else None,
        share_by_flows_over_p=None if rule is None else percent_from_ratio(rule),
        drops=_spanned([one.loss_ratio for one in found], "%", percent_from_ratio),
        delay=_spanned([one.mean_ms for one in found], "ms"),
        target_share_percent=None if tcp is None else tcp.target_share_percent,
    )


def _spanned(
    ranges: Sequence[Range], unit: str, scaled: Callable[[float], float] = float
) -> Figure:
    first = ranges[0]
    finite = [end for one in ranges for end in (one.low, one.high) if isfinite(end)]
    return Figure(scaled(first.estimate), scaled(min(finite)), scaled(max(finite)), unit)


def _utilization(found: Sequence[ClassForecast]) -> Figure:
    used = [percent_from_ratio(min(one.utilization_ratio, 1.0)) for one in found]
    return Figure(used[0], min(used), max(used), "%")


def forecast_shares(classes: Sequence[WredClass], forecast: WredForecast) -> tuple[WredShares, ...]:
    """Shares of classes whose numbers are all known, with the model's own intervals."""
    groups = {each.name: each for each in forecast.groups}
    return tuple(
        _known_class(each, of, [groups[one.name] for one in each.groups], forecast)
        for each, of in zip(classes, forecast.classes, strict=True)
    )


def _known_class(
    each: WredClass, of: ClassForecast, found: Sequence[GroupForecast], forecast: WredForecast
) -> WredShares:
    profiles = [group.profile for group in each.groups if group.profile is not None]
    return WredShares(
        class_name=each.name,
        queue=_spanned([of.queue_packets], "packets"),
        aqs=None if of.aqs_packets is None else _spanned([of.aqs_packets], "packets"),
        time_constant_ms=of.time_constant_ms,
        utilization=_utilization([of]),
        regimes=regimes_said(
            of,
            found,
            lowest_min_packets=min((p.min_threshold_packets for p in profiles), default=0.0),
            limit_packets=each.queue_limit_packets,
            elsewhere=(),
        ),
        groups=tuple(
            _known_group(group, one) for group, one in zip(each.groups, found, strict=True)
        ),
        converged=forecast.converged,
        inputs=(),
    )


def _known_group(of: TcpFlows | Unresponsive, found: GroupForecast) -> GroupShare:
    row, rule = of.profile, found.share_by_flows_over_p
    return GroupShare(
        name=of.name,
        code=None,
        flows=of.flows if isinstance(of, TcpFlows) else None,
        row="none" if row is None else _row_words(row),
        share=None if found.share is None else _spanned([found.share], "%", percent_from_ratio),
        share_by_flows_over_p=None if rule is None else percent_from_ratio(rule),
        drops=_spanned([found.loss_ratio], "%", percent_from_ratio),
        delay=_spanned([found.mean_ms], "ms"),
        target_share_percent=None,
    )


def _row_words(of: DropProfile) -> str:
    low, high = of.min_threshold_packets, of.max_threshold_packets
    return f"{low:g} {high:g} {of.mark_probability_denominator:g}"
