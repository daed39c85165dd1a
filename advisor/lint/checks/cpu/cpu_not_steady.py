"""A CPU load that still changes: no size may be derived from it."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast, ObjectKind
from advisor.quantity import Basis, Figure, exact
from advisor.shows.cpu import CpuLoad
from advisor.theory.dlsw import Difference, largest_movement


class Params(Struct, frozen=True):
    """Largest difference of two averages of a steady load: points, and percent of the larger."""

    difference_points: float
    difference_percent: float


class Evidence(Struct, frozen=True):
    """The three averages and the pair that differs most."""

    five_seconds_percent: int
    one_minute_percent: int
    five_minutes_percent: int
    pair: str
    difference_points: int


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit, for the load whose averages differ most, if they differ too much."""
    moving = [(load, pair) for load in device.seen.cpu if (pair := movement(load, params))]
    if not moving:
        return
    load, pair = max(moving, key=lambda load_pair: load_pair[1].points)
    evidence = Evidence(
        load.five_seconds_percent,
        load.one_minute_percent,
        load.five_minutes_percent,
        pair.name,
        round(pair.points),
    )
    figure = Figure(pair.points, pair.points, pair.points, "points")
    measured = (
        exact("five_seconds_percent", load.five_seconds_percent, Basis.MEASURED, str(load.at)),
        exact("one_minute_percent", load.one_minute_percent, Basis.MEASURED, str(load.at)),
        exact("five_minutes_percent", load.five_minutes_percent, Basis.MEASURED, str(load.at)),
    )
    forecast = Forecast("difference of CPU averages", figure, None, measured)
    yield Hit("processes cpu", (load.at,), evidence, Confidence.CERTAIN, forecast)


def movement(load: CpuLoad, params: Params) -> Difference | None:
    """The averages of a load that differ most and too much; None where it is steady."""
    return largest_movement(
        load.five_seconds_percent,
        load.one_minute_percent,
        load.five_minutes_percent,
        difference_points=params.difference_points,
        difference_percent=params.difference_percent,
    )


CHECK = Check(
    Params,
    Evidence,
    find,
    is_measured=True,
    object_kind=ObjectKind.NAME,
)
