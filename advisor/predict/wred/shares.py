"""Shares, drops and delay of the groups of a class under WRED, with intervals and regimes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite

from msgspec import Struct

from advisor.outlet.wred_rows import Group
from advisor.predict.wred import ServedClass, WredRequest
from advisor.predict.wred.worlds import limit_input, lowest_min, model_of, profile_of, worlds
from advisor.quantity import Figure, Input, Unknown, enclosing, number
from advisor.theory.solution import SAMPLED
from advisor.theory.wred import (
    ClassForecast,
    DropProfile,
    EstimateRange,
    GroupForecast,
    Regime,
    TcpFlows,
    Unresponsive,
    WredClass,
    WredForecast,
    WredModelError,
)
from advisor.units import percent_from_ratio

# Regimes of a class under WRED in words, with the figures that show them.


class RegimeSaid(Struct, frozen=True):
    """A regime with its figure; `certain` is False if it occurs only at an end of the inputs."""

    name: Regime
    said: str
    certain: bool


def regimes_said(
    forecast: ClassForecast,
    groups: Sequence[GroupForecast],
    *,
    lowest_min_packets: float,
    limit_packets: float,
    elsewhere: Sequence[Regime],
) -> tuple[RegimeSaid, ...]:
    """Regimes of a class: its own, then the regimes of other worlds.

    Parameters
    ----------
    forecast, groups : ClassForecast, sequence of GroupForecast
        The class and its groups at the values of all inputs.
    lowest_min_packets, limit_packets : float
        The lowest minimum threshold that a group meets; the queue-limit.
    elsewhere : sequence of Regime
        Regimes that occur only at the ends of the inputs.
    """
    figures = _figures(forecast, groups, lowest_min_packets, limit_packets)
    regimes = [RegimeSaid(regime, figures[regime], certain=True) for regime in forecast.regimes]
    regimes += [
        RegimeSaid(regime, "only at an end of the unknown inputs", certain=False)
        for regime in elsewhere
    ]
    return tuple(regimes)


def _figures(
    forecast: ClassForecast, groups: Sequence[GroupForecast], lowest: float, limit: float
) -> Mapping[Regime, str]:
    queue = forecast.aqs_packets or forecast.queue_packets
    used = percent_from_ratio(min(forecast.utilization_ratio, 1.0))
    turns = (
        f"time constant {_ms(forecast.time_constant_ms)}, round trip {_ms(forecast.round_trip_ms)}"
    )
    return {
        Regime.DIFFERENTIATION: (
            f"drops of {_drops(groups)} at an average of {queue.estimate:.1f} packets"
        ),
        Regime.TAIL_DROP_FIRST: (
            f"queue-limit {limit:g}, "
            f"{number(percent_from_ratio(forecast.tail_drop_ratio))} % lost by the full queue"
        ),
        Regime.WINDOWS_END_FIRST: (
            f"all windows together make a queue of {queue.estimate:.1f} packets, the lowest "
            f"minimum is {lowest:g}: shares follow the numbers of flows"
        ),
        Regime.UNDER_USE: f"the class sends {used:.0f} % of what it could",
        Regime.COLLAPSE: turns,
        Regime.SYNCHRONIZATION: turns,
        Regime.NO_CONGESTION: f"the class sends {used:.0f} % of its rate",
        Regime.NO_WRED: "tail drop alone",
    }


def _drops(groups: Sequence[GroupForecast]) -> str:
    return ", ".join(_drop_words(groups))


def _drop_words(groups: Sequence[GroupForecast]) -> Iterator[str]:
    for group in groups:
        yield f"{group.name} {number(percent_from_ratio(group.loss_ratio.estimate))} %"


def _ms(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.0f} ms"


class GroupShare(Struct, frozen=True):
    """One group. `share` is its part of the bytes of all TCP groups, None without TCP.

    `row` is its WRED row in packets with the basis, `profile` the same as numbers, None without
    WRED; `code` is its DSCP or precedence.
    `share_by_flows_over_p` is the rule of thumb beside the share, in percent.
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
    profile: DropProfile | None = None


class WredShares(Struct, frozen=True):
    """One class of TCP groups, or under WRED.

    `aqs` is the average queue size, `time_constant_ms` the time constant of that average. Both are
    None without WRED. `converged` is False if replications do not agree: use only the
    intervals. Every figure is sampled, which is its `method`.
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
    method: str = SAMPLED


def wred_shares(request: WredRequest) -> tuple[WredShares, ...] | Unknown:
    """Shares of each class with stated groups under WRED or with TCP, or why there are none.

    The value is the result of the model at the values of the inputs. Low and high are the least
    and the largest results at the ends of each interval, with the model's own error; the ends are
    run briefly.
    """
    wanted = [served for served in request.classes if _has_shares(served)]
    try:
        forecasts = _forecasts(request) if wanted else []
    except WredModelError as error:
        return Unknown(str(error))
    return tuple(_class(request, served, forecasts) for served in wanted)


def _has_shares(served: ServedClass) -> bool:
    under_wred = served.facts is not None and served.facts.wred is not None
    return bool(served.groups) and (under_wred or any(group.stated.tcp for group in served.groups))


def _forecasts(request: WredRequest) -> list[WredForecast]:
    """Results at the values of the inputs, then at their ends."""
    from advisor.theory.wred.runs import BRIEF, FULL  # noqa: PLC0415 -- lint must not wait for it
    from advisor.theory.wred.solver import solve_wred  # noqa: PLC0415

    values, *ends = (model_of(request, world) for world in worlds(request))
    return [
        solve_wred(*values, FULL),
        *(solve_wred(*end, BRIEF) for end in dict.fromkeys(ends) if end != values),
    ]


def _class(
    request: WredRequest, served: ServedClass, forecasts: Sequence[WredForecast]
) -> WredShares:
    own = [
        next(wred_class for wred_class in forecast.classes if wred_class.name == served.name)
        for forecast in forecasts
    ]
    groups = {
        group.name: [
            next(row for row in forecast.groups if row.name == group.name) for forecast in forecasts
        ]
        for group in served.groups
    }
    limit, first = limit_input(request, served), own[0]
    averages = [
        class_forecast.aqs_packets
        for class_forecast in own
        if class_forecast.aqs_packets is not None
    ]
    elsewhere = {regime for class_forecast in own[1:] for regime in class_forecast.regimes} - set(
        first.regimes
    )
    return WredShares(
        class_name=served.name,
        queue=_spanned([class_forecast.queue_packets for class_forecast in own], "packets"),
        aqs=_spanned(averages, "packets") if averages else None,
        time_constant_ms=first.time_constant_ms,
        utilization=_utilization(own),
        regimes=regimes_said(
            first,
            [group[0] for group in groups.values()],
            lowest_min_packets=lowest_min(request, served),
            limit_packets=limit.value,
            elsewhere=tuple(regime for regime in Regime if regime in elsewhere),
        ),
        groups=tuple(_group(group, request, served, groups[group.name]) for group in served.groups),
        converged=forecasts[0].converged,
        inputs=(*_inputs_of(request), limit),
    )


def _inputs_of(request: WredRequest) -> tuple[Input, ...]:
    """Inputs without the rate of the LLQ if there is no LLQ."""
    return tuple(
        known for known in request.inputs.values() if known.name != "llq_bps" or known.high > 0
    )


def _profile(request: WredRequest, served: ServedClass, group: Group) -> DropProfile | None:
    if group.row is None:
        return None
    return profile_of(request, served, group.row)


def _group(
    group: Group, request: WredRequest, served: ServedClass, forecasts: Sequence[GroupForecast]
) -> GroupShare:
    row, profile = group.row, _profile(request, served, group)
    words = "none"
    if row is not None and profile is not None:
        words = f"{row.label} {_row_words(profile)} ({row.basis.value})"
    shares = [forecast.share for forecast in forecasts if forecast.share is not None]
    rule, tcp = forecasts[0].share_by_flows_over_p, group.stated.tcp
    return GroupShare(
        name=group.name,
        code=None if row is None else row.code,
        flows=None if tcp is None else tcp.flows,
        row=words,
        share=_spanned(shares, "%", percent_from_ratio) if shares else None,
        share_by_flows_over_p=None if rule is None else percent_from_ratio(rule),
        drops=_spanned([forecast.loss_ratio for forecast in forecasts], "%", percent_from_ratio),
        delay=_spanned([forecast.mean_ms for forecast in forecasts], "ms"),
        target_share_percent=None if tcp is None else tcp.target_share_percent,
        profile=profile,
    )


def _spanned(
    ranges: Sequence[EstimateRange], unit: str, scaled: Callable[[float], float] = float
) -> Figure:
    first = ranges[0]
    finite = [end for span in ranges for end in (span.low, span.high) if isfinite(end)]
    return enclosing(scaled(first.estimate), scaled(min(finite)), scaled(max(finite)), unit)


def _utilization(forecasts: Sequence[ClassForecast]) -> Figure:
    used = [percent_from_ratio(min(forecast.utilization_ratio, 1.0)) for forecast in forecasts]
    return enclosing(used[0], min(used), max(used), "%")


def forecast_shares(classes: Sequence[WredClass], forecast: WredForecast) -> tuple[WredShares, ...]:
    """Shares of classes whose numbers are all known, with the model's own intervals."""
    groups = {group.name: group for group in forecast.groups}
    return tuple(
        _known_class(
            wred_class,
            class_forecast,
            [groups[group.name] for group in wred_class.groups],
            forecast,
        )
        for wred_class, class_forecast in zip(classes, forecast.classes, strict=True)
    )


def _known_class(
    wred_class: WredClass,
    class_forecast: ClassForecast,
    groups: Sequence[GroupForecast],
    forecast: WredForecast,
) -> WredShares:
    profiles = [group.profile for group in wred_class.groups if group.profile is not None]
    return WredShares(
        class_name=wred_class.name,
        queue=_spanned([class_forecast.queue_packets], "packets"),
        aqs=None
        if class_forecast.aqs_packets is None
        else _spanned([class_forecast.aqs_packets], "packets"),
        time_constant_ms=class_forecast.time_constant_ms,
        utilization=_utilization([class_forecast]),
        regimes=regimes_said(
            class_forecast,
            groups,
            lowest_min_packets=min(
                (profile.min_threshold_packets for profile in profiles), default=0.0
            ),
            limit_packets=wred_class.queue.limit_packets,
            elsewhere=(),
        ),
        groups=tuple(
            _known_group(group, group_forecast)
            for group, group_forecast in zip(wred_class.groups, groups, strict=True)
        ),
        converged=forecast.converged,
        inputs=(),
    )


def _known_group(group: TcpFlows | Unresponsive, forecast: GroupForecast) -> GroupShare:
    row, rule = group.profile, forecast.share_by_flows_over_p
    return GroupShare(
        name=group.name,
        code=None,
        flows=group.flows if isinstance(group, TcpFlows) else None,
        row="none" if row is None else _row_words(row),
        share=None
        if forecast.share is None
        else _spanned([forecast.share], "%", percent_from_ratio),
        share_by_flows_over_p=None if rule is None else percent_from_ratio(rule),
        drops=_spanned([forecast.loss_ratio], "%", percent_from_ratio),
        delay=_spanned([forecast.mean_ms], "ms"),
        target_share_percent=None,
    )


def _row_words(profile: DropProfile) -> str:
    low, high = profile.min_threshold_packets, profile.max_threshold_packets
    return f"{low:g} {high:g} {profile.mark_probability_denominator:g}"
