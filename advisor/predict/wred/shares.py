"""Shares, drops and delay of the groups of a class under WRED, with intervals and regimes."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from math import isfinite

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.quantity import Figure, Input, Unknown, enclosing, number
from advisor.ground.units import percent_from_ratio
from advisor.model import DropProfile, Interface, Queue, Tcp, Traffic
from advisor.outlet.wred_rows import Group
from advisor.predict.wred import ServedClass, WredRequest
from advisor.predict.wred.input_ends import ends_of, limit_input, model_of
from advisor.theory.solution import SAMPLED, ModelError
from advisor.theory.wred import (
    ClassForecast,
    EstimateRange,
    GroupForecast,
    Regime,
    WredForecast,
)

# Regimes of a class under WRED in words, with the figures that show them.


class RegimeSaid(Struct, frozen=True):
    """A regime with its figure; `certain` is False if it occurs only at an end of the inputs."""

    name: Regime
    said: str
    certain: bool


def _regimes(
    queue: Queue,
    offered: Sequence[Traffic],
    own: Sequence[ClassForecast],
    groups: Sequence[GroupForecast],
) -> Iterator[RegimeSaid]:
    """Regimes of a class at the values of its inputs, then those of their ends alone."""
    first, *ends = own
    profiles = [group.profile for group in offered if group.profile is not None]
    lowest = min((profile.min_threshold_packets for profile in profiles), default=0.0)
    figures = _figures(first, groups, lowest, queue.limit_packets)
    for regime in first.regimes:
        yield RegimeSaid(regime, figures[regime], certain=True)
    elsewhere = {regime for found in ends for regime in found.regimes} - set(first.regimes)
    for regime in Regime:
        if regime in elsewhere:
            yield RegimeSaid(regime, "only at an end of the unknown inputs", certain=False)


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
    wanted = {served.name: served for served in request.classes if _has_shares(served)}
    if not wanted:
        return ()
    values, *others = (model_of(request, ends) for ends in ends_of(request))
    try:
        forecasts = _forecasts(values, others)
    except ModelError as error:
        return Unknown(str(error))
    return tuple(
        _of_request(request, wanted[shares.class_name], shares)
        for shares in forecast_shares(values, forecasts, wanted)
    )


def _has_shares(served: ServedClass) -> bool:
    under_wred = served.facts is not None and served.facts.wred is not None
    return bool(served.groups) and (under_wred or any(group.stated.tcp for group in served.groups))


def _forecasts(values: Interface, ends: Sequence[Interface]) -> Sequence[WredForecast]:
    """Results at the values of the inputs, then at their ends, on all cores."""
    from advisor.theory.kernel.threads import together  # noqa: PLC0415 -- lint must not wait for it
    from advisor.theory.wred.runs import BRIEF, FULL  # noqa: PLC0415
    from advisor.theory.wred.solver import solve_wred  # noqa: PLC0415

    asked = [(values, FULL), *((end, BRIEF) for end in dict.fromkeys(ends) if end != values)]
    return together(lambda item: solve_wred(*item), asked)


def _of_request(request: WredRequest, served: ServedClass, shares: WredShares) -> WredShares:
    """The shares of a class with its rows, its targets and its inputs."""
    groups = tuple(map(_of_group, served.groups, shares.groups))
    inputs = (*request.inputs.values(), limit_input(request, served))
    return replace(shares, groups=groups, inputs=inputs)


def _of_group(group: Group, share: GroupShare) -> GroupShare:
    row, tcp = group.row, group.stated.tcp
    return replace(
        share,
        code=None if row is None else row.code,
        row="none" if row is None else f"{row.label} {share.row} ({row.basis.value})",
        target_share_percent=None if tcp is None else tcp.target_share_percent,
    )


def forecast_shares(
    interface: Interface, forecasts: Sequence[WredForecast], names: Container[str] | None = None
) -> tuple[WredShares, ...]:
    """Shares of the classes of an interface, or of those with `names`.

    Parameters
    ----------
    interface : Interface
        The interface at the values of all inputs.
    forecasts : sequence of WredForecast
        What becomes of it, then of the interface at the ends of unknown inputs.
    names : container of str or None
        The classes to look at; None: all.
    """
    return tuple(
        _class(interface, queue, forecasts)
        for queue in interface.queues
        if interface.offered_to(queue) and (names is None or queue.name in names)
    )


def _class(interface: Interface, queue: Queue, forecasts: Sequence[WredForecast]) -> WredShares:
    own = [
        next(found for found in forecast.classes if found.name == queue.name)
        for forecast in forecasts
    ]
    offered = interface.offered_to(queue)
    groups = [
        [next(row for row in forecast.groups if row.name == group.name) for forecast in forecasts]
        for group in offered
    ]
    averages = [found.aqs_packets for found in own if found.aqs_packets is not None]
    first = own[0]
    return WredShares(
        class_name=queue.name,
        queue=_spanned([found.queue_packets for found in own], "packets"),
        aqs=_spanned(averages, "packets") if averages else None,
        time_constant_ms=first.time_constant_ms,
        utilization=_utilization(own),
        regimes=tuple(_regimes(queue, offered, own, [rows[0] for rows in groups])),
        groups=tuple(map(_group, offered, groups)),
        converged=forecasts[0].converged,
        inputs=(),
    )


def _group(group: Traffic, forecasts: Sequence[GroupForecast]) -> GroupShare:
    profile, rule = group.profile, forecasts[0].share_by_flows_over_p
    shares = [forecast.share for forecast in forecasts if forecast.share is not None]
    return GroupShare(
        name=group.name,
        code=None,
        flows=group.streams if isinstance(group.arrival, Tcp) else None,
        row="none" if profile is None else _row_words(profile),
        share=_spanned(shares, "%", percent_from_ratio) if shares else None,
        share_by_flows_over_p=None if rule is None else percent_from_ratio(rule),
        drops=_spanned([forecast.loss_ratio for forecast in forecasts], "%", percent_from_ratio),
        delay=_spanned([forecast.mean_ms for forecast in forecasts], "ms"),
        target_share_percent=None,
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


def _row_words(profile: DropProfile) -> str:
    low, high = profile.min_threshold_packets, profile.max_threshold_packets
    return f"{low:g} {high:g} {profile.mark_probability_denominator:g}"
