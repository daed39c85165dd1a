"""CPU of DLSw+ over frames per second, with the design limit, now and after failover."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from advisor.report.svg import Axis, Mark, Rule, Series, plot

_SIZE: Final = (560, 340)
_FULL_PERCENT: Final = 100.0


class CpuPoint(Struct, frozen=True):
    """CPU in percent at a rate of frames, with the ends of its band."""

    fps: float
    percent: float
    low_percent: float
    high_percent: float


class CpuCurve(Struct, frozen=True):
    """The line of a platform; `states` are rates of frames with their names, like "now"."""

    title: str
    points: tuple[CpuPoint, ...]
    states: tuple[tuple[str, float], ...]
    limit_percent: float


def cpu_plot(curve: CpuCurve) -> str:
    """SVG text of a curve; what is over 100 % is drawn at 100 %."""
    marks = tuple(
        Mark(point.fps, _drawable(point.percent), _drawable(point.low_percent),
             _drawable(point.high_percent))
        for point in curve.points
    )  # fmt: skip
    rules = (
        Rule(f"limit {curve.limit_percent:g} %", curve.limit_percent),
        *(Rule(name, fps, is_upright=True) for name, fps in curve.states),
    )
    furthest = max(curve.points[-1].fps, *(fps for _, fps in curve.states))
    return plot(
        curve.title,
        Axis("frames per second, in and out", 0, furthest or 1),
        Axis("CPU, %", 0, _FULL_PERCENT),
        (Series("CPU, low to high", marks, joined=True, band=True, dots=False),),
        rules=rules,
        size=_SIZE,
    )


def words(states: Sequence[tuple[str, float, float, float, float]]) -> tuple[str, ...]:
    """The states of a curve in words: name, frames per second, and CPU with its band."""
    return tuple(
        f"{name}: {fps:.0f} frames/s, {percent:.0f} % ({low:.0f} to {high:.0f})"
        for name, fps, percent, low, high in states
    )


def _drawable(percent: float) -> float:
    return min(percent, _FULL_PERCENT)
