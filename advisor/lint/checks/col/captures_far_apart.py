"""Outputs of one device from different times: their rates and depths do not belong together."""

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

from advisor.capture.masking import mask_captured
from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast, ObjectKind
from advisor.quantity import Basis, Figure, exact
from advisor.shows.observations import Taken

_TIME_LENGTH = len("2008-04-18 13:15:22")


class Params(Struct, frozen=True):
    """Longest time between outputs that are still compared, in minutes."""

    apart_min: float


class Evidence(Struct, frozen=True):
    """The first and the last output and the minutes between them."""

    first: str
    last: str
    apart_min: float
    limit_min: float


class _Timed(Struct, frozen=True):
    taken: Taken
    at: datetime
    clock: str  # zone and source: times of two clocks are not compared


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit where outputs that carry a time of the same clock are too far apart."""
    by_clock: dict[str, list[_Timed]] = {}
    for taken in device.seen.taken:
        timed = _timed(taken)
        if timed is not None:
            by_clock.setdefault(timed.clock, []).append(timed)
    spans = [_span(outputs) for outputs in by_clock.values()]
    widest = max(spans, key=lambda span: span[1].at - span[0].at, default=None)
    if widest is None:
        return
    first, last = widest
    apart_min = (last.at - first.at).total_seconds() / 60
    if apart_min <= params.apart_min:
        return
    times = tuple(str(output.at) for output in widest)
    figure = Figure(apart_min, apart_min, apart_min, "min")
    yield Hit(
        "capture",
        (last.taken.at, first.taken.at),
        Evidence(
            f"{mask_captured(first.taken.command)} ({times[0]})",
            f"{mask_captured(last.taken.command)} ({times[1]})",
            apart_min,
            params.apart_min,
        ),
        Confidence.CERTAIN,
        Forecast(
            "time between outputs",
            figure,
            None,
            (exact("apart_min", apart_min, Basis.MEASURED, last.clock.strip(", ")),),
        ),
    )


def _timed(taken: Taken) -> _Timed | None:
    if taken.time is None:
        return None
    at = datetime.fromisoformat(taken.time[:_TIME_LENGTH])
    return _Timed(taken, at, taken.time[_TIME_LENGTH:])


def _span(outputs: list[_Timed]) -> tuple[_Timed, _Timed]:
    return min(outputs, key=lambda output: output.at), max(outputs, key=lambda output: output.at)


CHECK = Check(Params, Evidence, find, object_kind=ObjectKind.NAME)
