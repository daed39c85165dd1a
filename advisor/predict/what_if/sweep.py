"""One or two settings moved over a range: a prediction for each point."""

import re
from collections.abc import Sequence
from itertools import product
from math import floor

from msgspec import Struct

from advisor.device.reading import Source, read_source
from advisor.predict.what_if.device_moves import WRED_MIN
from advisor.predict.what_if.errors import InputError
from advisor.predict.what_if.moves import Moves, checked_key, checked_value, is_whole
from advisor.predict.what_if.prediction import Prediction
from advisor.predict.what_if.predictions import predict_points
from advisor.settings.values import Settings
from advisor.units import decimal

MOST_POINTS = 1000
_MOST_KEYS = 2
_POINTS = 20  # of a range without a step
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


def sweep(
    source: Source,
    settings: Settings,
    interface: str | None,
    moves: tuple[Moves, ...],
    axes: Sequence[Axis],
) -> tuple[Point, ...]:
    """Predict a config at every point of the axes.

    Raises
    ------
    InputError
        See `predict_sources`.
    """
    device = read_source(source, settings).device
    points = [
        tuple((axis.key, value) for axis, value in zip(axes, values, strict=True))
        for values in product(*(axis.values for axis in axes))
    ]
    moved = [(*moves, Moves(point, "--sweep")) for point in points]
    predictions = predict_points(device, source.name, settings, interface, moved)
    return tuple(
        Point(tuple(Setting(key, value) for key, value in point), prediction)
        for point, prediction in zip(points, predictions, strict=True)
    )
