"""Scenarios of TCP and WRED with thresholds or flows moved over a range."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from advisor.predict.scenario import NotModelledError
from advisor.predict.what_if.device_moves import WRED_MIN
from advisor.predict.what_if.errors import InputError
from advisor.predict.what_if.moves import FLOWS, is_flows
from advisor.predict.what_if.moves import is_of_wred as key_is_of_wred
from advisor.predict.what_if.prediction import Unpredicted
from advisor.predict.what_if.sweep import Axis, Point, Setting
from advisor.predict.wred.scenario import is_of_wred, solved_scenario
from advisor.predict.wred.shares import WredShares, forecast_shares
from advisor.settings.scenario import Queue, Scenario, TcpGroup, wred_of

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
        if not key_is_of_wred(axis.key):
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
    if not is_of_wred(scenario):
        raise InputError(f"{where}: has no TCP and no WRED to sweep")
    try:
        classes, forecast = solved_scenario(_moved(scenario, moves, where))
    except NotModelledError as error:
        raise InputError(f"{where}: {error}") from error
    return tuple(
        ClassShares(scenario.id, "scenario", shares.class_name, shares)
        for shares in forecast_shares(classes, forecast)
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
