"""Settings moved over a range, of a device or a scenario: a prediction for each point."""

import re
from collections.abc import Mapping, Sequence
from itertools import product
from math import floor
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ground.quantity import Figure, LowerLoad, Unknown
from advisor.ground.units import decimal
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.predict.classes.congested import CongestedCase, solved_cases, with_ring
from advisor.predict.ring import advise_ring, ring_view
from advisor.predict.scenario import NotModelledError, solved_scenario
from advisor.predict.scenario_interface import interface_of
from advisor.predict.what_if import InputError
from advisor.predict.what_if.device_moves import WRED_MIN
from advisor.predict.what_if.moves import (
    FLOWS,
    Moves,
    checked_key,
    checked_value,
    is_flows,
    is_of_wred,
    is_whole,
)
from advisor.predict.what_if.prediction import Prediction, Unpredicted, congested_question
from advisor.predict.what_if.predictions import predict_points
from advisor.predict.what_if.subject import Subject
from advisor.predict.wred.shares import WredShares, forecast_shares
from advisor.settings import Settings
from advisor.settings.scenario import Queue, Scenario, TcpGroup, wred_of
from advisor.settings.tables import settings_of

# The ring of an output over its lengths, in the congested case that lint judges.

_FEWEST = 20  # lengths, so that a short ring stands among longer ones
_MOST = 64
_POINTS = 20


class RingPoint(Struct, frozen=True):
    """The first priority class behind a ring of a length: mean delay, and bounds in ms."""

    limit: int
    mean: Figure
    ring_bound_ms: float
    class_bound_ms: float | None


class RingSweep(Struct, frozen=True):
    """Rings of an output; `limit_low` to `limit_high` is the one in force, `advised` that of lint.

    `budget_ms` is that of the ring bound.
    """

    device: str
    object: str
    class_name: str
    unit: str
    limit_low: int
    limit_high: int
    advised: int | None
    budget_ms: float | None
    points: tuple[RingPoint, ...]
    lower: LowerLoad


def ring_sweeps(device: Device, settings: Settings) -> dict[str, RingSweep]:
    """Rings of the outputs of a device that have the congested case, by their paths."""
    sweeps = (_ring_sweep(device, outlet, settings) for outlet in outlets(device))
    return {sweep.object: sweep for sweep in sweeps if sweep is not None}


def _ring_sweep(device: Device, outlet: Outlet, settings: Settings) -> RingSweep | None:
    """Solve the congested case for rings up to beyond the one in force; None without such a case.

    The figures are those of lint and predict at each length.
    """
    question, ring = congested_question(device, outlet), outlet.ring
    if question is None or ring is None or outlet.ring_idle:
        return None
    view = ring_view(question.outlet, question.offers)
    if isinstance(view, Unknown):
        return None
    budget_ms = settings_of(settings, device.name).budgets.ring_wait_ms
    advised = None if budget_ms is None else advise_ring(view, budget_ms).limit
    limits = _limits(view.minimum, max(ring.limit_high, advised or 1))
    cases = solved_cases([with_ring(question, limit) for limit in limits])
    points: list[RingPoint] = []
    name, lower = None, LowerLoad.SATURATED
    for limit, case in zip(limits, cases, strict=True):
        if isinstance(case, CongestedCase) and case.ring_bound is not None:
            first = case.solved.first_priority
            if first is not None:
                name, lower = first.name, case.lower
                bound = case.ring_bound.high_ms
                points.append(RingPoint(limit, first.mean, bound, first.mean.bound))
    if name is None or len(points) < 2:  # noqa: PLR2004 -- a line has two ends
        return None
    return RingSweep(
        device.name,
        outlet.label,
        name,
        ring.unit,
        ring.limit_low,
        ring.limit_high,
        advised,
        budget_ms,
        tuple(points),
        lower,
    )


def _limits(least: int, needed: int) -> tuple[int, ...]:
    most = min(max(_FEWEST, needed + needed // 4), max(_MOST, least + _POINTS))
    step = max(1, round((most - least) / _POINTS))
    return tuple(range(least, most + 1, step))


# One or two settings moved over a range: a prediction for each point.

MOST_POINTS = 1000
_MOST_KEYS = 2
_NUMBER = r"[0-9]{1,20}(?:\.[0-9]{1,20})?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?::({_NUMBER}))?")


class Axis(Struct, frozen=True):
    """One setting and the values that it takes."""

    key: str
    values: tuple[float, ...]


class Setting(Struct, frozen=True):
    """One setting at one value."""

    key: str
    value: float


class Point(Struct, frozen=True):
    """Predictions with the settings moved."""

    settings: tuple[Setting, ...]
    predictions: tuple[Prediction, ...]


def axes_of(texts: Sequence[str]) -> tuple[Axis, ...]:
    """Read KEY=A..B[:STEP] once or twice.

    Without a step a range has about 20 points, of whole numbers where the setting is one.

    Raises
    ------
    InputError
        If a key is unknown or named twice, a range cannot be read, or there are too many points.

    Examples
    --------
    >>> axes_of(["tx-ring-limit=1..4"])[0].values
    (1.0, 2.0, 3.0, 4.0)
    """
    axes = tuple(_axis(text) for text in texts)
    if len(axes) > _MOST_KEYS:
        raise InputError(f"--sweep: takes one or two settings, not {len(axes)}")
    if len({axis.key for axis in axes}) < len(axes):
        raise InputError(f"--sweep: {axes[0].key} is named twice")
    points = 1
    for axis in axes:
        points *= len(axis.values)
    if points > MOST_POINTS:
        raise InputError(f"--sweep: {points} points; at most {MOST_POINTS}: take a larger step")
    return axes


def _axis(text: str) -> Axis:
    key, equals, span = text.partition("=")
    key, match = key.strip(), _RANGE.fullmatch(span.strip())
    if not equals or match is None:
        raise InputError(
            f"--sweep {text}: write KEY=A..B or KEY=A..B:STEP, like tx-ring-limit=1..20"
        )
    checked_key(key, "--sweep")
    low, high = decimal(match[1]), decimal(match[2])
    for end in (low, high):
        checked_value(key, end, f"--sweep {text}")
    if high < low:
        raise InputError(f"--sweep {text}: the range ends before it begins")
    step = decimal(match[3]) if match[3] else (high - low) / (_POINTS - 1)
    if (is_whole(key) or key == WRED_MIN) and not match[3]:
        step = max(1.0, float(floor(step)))
    if is_whole(key) and step != floor(step):
        raise InputError(f"--sweep {text}: the step must be a whole number")
    if step <= 0:
        if high > low:
            raise InputError(f"--sweep {text}: the step must be over 0")
        return Axis(key, (low,))
    points = (high - low) / step + 1e-9
    if points >= MOST_POINTS:
        raise InputError(f"--sweep {text}: {points:.10g} points; at most {MOST_POINTS}")
    count = floor(points) + 1
    return Axis(key, tuple(round(low + index * step, 9) for index in range(count)))


def sweep(subject: Subject, axes: Sequence[Axis]) -> tuple[Point, ...]:
    """Predict a device at every point of the axes.

    Raises
    ------
    InputError
        See `predict_device`.
    """
    points = [
        tuple((axis.key, value) for axis, value in zip(axes, values, strict=True))
        for values in product(*(axis.values for axis in axes))
    ]
    moved = [(*subject.moves, Moves(point, "--sweep")) for point in points]
    predictions = predict_points(
        subject.reading.device, subject.file, subject.settings, subject.interface, moved
    )
    return tuple(
        Point(tuple(Setting(key, value) for key, value in point), prediction)
        for point, prediction in zip(points, predictions, strict=True)
    )


# Scenarios of TCP and WRED with thresholds or flows moved over a range.

_Q = TypeVar("_Q", bound=Queue)


class ClassShares(Struct, frozen=True):
    """Shares of one class of an output of a device; a scenario has its id as the device."""

    device: str
    object: str
    class_name: str
    shares: WredShares


class SharesPoint(Struct, frozen=True):
    """Shares of all classes with the settings moved."""

    settings: tuple[Setting, ...]
    classes: tuple[ClassShares, ...]


def shares_points(points: Sequence[Point]) -> tuple[SharesPoint, ...]:
    """Shares of the points of a sweep of a config."""
    return tuple(
        SharesPoint(
            point.settings,
            tuple(
                ClassShares(
                    prediction.device,
                    prediction.object,
                    prediction.class_name,
                    prediction.wred.shares,
                )
                for prediction in point.predictions
                if not isinstance(prediction, Unpredicted)
                and prediction.wred is not None
                and prediction.wred.shares is not None
            ),
        )
        for point in points
    )


def sweep_scenarios(
    scenarios: Sequence[Scenario], file: str, axes: Sequence[Axis]
) -> tuple[SharesPoint, ...]:
    """Predict scenarios at every point of the axes.

    Raises
    ------
    InputError
        If a key moves nothing that a scenario has, a scenario is not of TCP or WRED, or the model
        has no answer to one.
    """
    for axis in axes:
        if not is_of_wred(axis.key):
            raise InputError(
                f"--sweep {axis.key}: a scenario takes only {WRED_MIN} and {FLOWS}GROUP"
            )
    return tuple(
        SharesPoint(
            tuple(Setting(axis.key, value) for axis, value in zip(axes, values, strict=True)),
            tuple(
                shares
                for scenario in scenarios
                for shares in _shares(
                    scenario,
                    {axis.key: value for axis, value in zip(axes, values, strict=True)},
                    file,
                )
            ),
        )
        for values in product(*(axis.values for axis in axes))
    )


def _shares(scenario: Scenario, moves: Mapping[str, float], file: str) -> tuple[ClassShares, ...]:
    where = f"{file}: scenario {scenario.id}"
    if not interface_of(scenario).reacts:
        raise InputError(f"{where}: has no TCP and no WRED to sweep")
    try:
        interface, forecast = solved_scenario(_moved(scenario, moves, where))
    except NotModelledError as error:
        raise InputError(f"{where}: {error}") from error
    return tuple(
        ClassShares(scenario.id, "scenario", shares.class_name, shares)
        for shares in forecast_shares(interface, [forecast])
    )


def _moved(scenario: Scenario, moves: Mapping[str, float], where: str) -> Scenario:
    for key, value in moves.items():
        if is_flows(key):
            scenario = _with_flows(scenario, key.removeprefix(FLOWS), int(value), where)
        else:
            queues = tuple(_with_min(queue, value) for queue in scenario.queues)
            scenario = replace(scenario, queues=queues)
    return scenario


def _with_flows(scenario: Scenario, group: str, count: int, where: str) -> Scenario:
    names = {flows.class_name.lower() for flows in scenario.traffic if isinstance(flows, TcpGroup)}
    if group.lower() not in names:
        raise InputError(f"{where}: has no TCP group {group}; it has {', '.join(sorted(names))}")
    traffic = tuple(
        replace(flows, tcp_flows=count)
        if isinstance(flows, TcpGroup) and flows.class_name.lower() == group.lower()
        else flows
        for flows in scenario.traffic
    )
    return replace(scenario, traffic=traffic)


def _with_min(queue: _Q, min_packets: float) -> _Q:
    """The queue with this lowest minimum, and all thresholds moved in proportion."""
    wred = wred_of(queue)
    if wred is None or not wred.profiles:
        return queue
    lowest = min(profile.min_threshold_packets for profile in wred.profiles)
    if lowest <= 0:
        return queue
    profiles = tuple(
        replace(
            profile,
            min_threshold_packets=profile.min_threshold_packets * min_packets / lowest,
            max_threshold_packets=profile.max_threshold_packets * min_packets / lowest,
        )
        for profile in wred.profiles
    )
    return replace(queue, wred=replace(wred, profiles=profiles))
