"""A CPU load that is on the move: no size may be taken from it."""

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.checks.base import Check, Hit, Skip
from advisor.findings import Confidence, Forecast
from advisor.observed.cpu import CpuLoad
from advisor.predict.quantity import Basis, Figure, exact
from advisor.snapshot import Device
from advisor.units import ratio_from_percent


@dataclass(frozen=True, slots=True)
class Params:
    """Difference of two averages that is still steady: points, and percent of the larger."""

    difference_points: float
    difference_percent: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """The three averages and the pair that differs most."""

    five_seconds_percent: int
    one_minute_percent: int
    five_minutes_percent: int
    pair: str
    difference_points: int


@dataclass(frozen=True, slots=True)
class _Pair:
    name: str
    one: int
    other: int

    @property
    def difference(self) -> int:
        return abs(self.one - self.other)


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit, for the load whose averages differ most, if they differ too much."""
    pairs = [(load, pair) for load in device.seen.cpu for pair in _pairs(load)]
    moving = [each for each in pairs if each[1].difference > _steady(each[1], params)]
    if not moving:
        return
    load, pair = max(moving, key=lambda each: each[1].difference)
    evidence = Evidence(
        load.five_seconds_percent,
        load.one_minute_percent,
        load.five_minutes_percent,
        pair.name,
        pair.difference,
    )
    figure = Figure(pair.difference, pair.difference, pair.difference, "points")
    measured = (
        exact("five_seconds_percent", load.five_seconds_percent, Basis.MEASURED, str(load.at)),
        exact("one_minute_percent", load.one_minute_percent, Basis.MEASURED, str(load.at)),
        exact("five_minutes_percent", load.five_minutes_percent, Basis.MEASURED, str(load.at)),
    )
    forecast = Forecast("difference of CPU averages", figure, None, measured)
    yield Hit("processes cpu", (load.at,), evidence, Confidence.CERTAIN, forecast)


def _pairs(load: CpuLoad) -> tuple[_Pair, _Pair]:
    return (
        _Pair("five seconds and one minute", load.five_seconds_percent, load.one_minute_percent),
        _Pair("one minute and five minutes", load.one_minute_percent, load.five_minutes_percent),
    )


def _steady(pair: _Pair, params: Params) -> float:
    larger = max(pair.one, pair.other)
    return max(params.difference_points, larger * ratio_from_percent(params.difference_percent))


CHECK = Check("cpu-not-steady", Params, Evidence, find, wants=("show processes cpu",))
