"""CPU load of DLSw+ fitted to steady measurements of the router itself, at process level."""

from collections.abc import Sequence

from msgspec import Struct

from advisor.theory.dlsw.cpu import BATCHING_FROM_FPS, CpuBand

# Total and interrupt are printed in whole percents: each may be half a point off.
_ROUNDING_POINTS = 1.0


class CalibrationError(ValueError):
    """Measurements that give no line of DLSw+ load; the message says why."""


class Sample(Struct, frozen=True):
    """A steady load: frames per second in and out, and CPU at process level in percent.

    Process level is the total less the interrupt share: DLSw+ over TCP is a process.
    """

    fps: float
    process_percent: float


class Fit(Struct, frozen=True):
    """A line through measured loads; see `fit`."""

    base_percent: float
    slope_percent: float
    samples: tuple[Sample, ...]
    is_base_measured: bool

    @property
    def highest_fps(self) -> float:
        """The highest rate that was measured."""
        return max(sample.fps for sample in self.samples)

    def at(self, fps: float) -> CpuBand:
        """Load at a rate of frames.

        The interval covers the rounding to whole percents and the distance of the samples from the
        line. An unknown base may be anything up to the whole measured load. Above the highest
        measured rate and `BATCHING_FROM_FPS`, frames may share TCP packets by a factor that is not
        published: there the low end stays constant.
        """
        known_fps = max(self.highest_fps, BATCHING_FROM_FPS)
        low = self._line(min(fps, known_fps)) - self._half_width(min(fps, known_fps))
        high = self._line(fps) + self._half_width(fps)
        if fps >= self.highest_fps:  # more frames never cost less than those that were measured
            low = max(low, self._line(self.highest_fps) - self._half_width(self.highest_fps))
        if not self.is_base_measured:
            least = min(sample.process_percent for sample in self.samples)
            low, high = min(low, least - _ROUNDING_POINTS), max(high, least + _ROUNDING_POINTS)
        return CpuBand(self._line(fps), max(low, 0.0), max(high, 0.0))

    def _line(self, fps: float) -> float:
        return self.base_percent + fps * self.slope_percent

    def _half_width(self, fps: float) -> float:
        """How far the line moves if every sample has its largest possible error."""
        weights = _weights(self.samples, fps, through_origin=not self.is_base_measured)
        distance = (
            max(_ROUNDING_POINTS, abs(sample.process_percent - self._line(sample.fps)))
            for sample in self.samples
        )
        return sum(abs(weight) * points for weight, points in zip(weights, distance, strict=True))


def fit(samples: Sequence[Sample]) -> Fit:
    """The line of least squares through steady measurements.

    Parameters
    ----------
    samples : sequence of Sample
        Two rates give base and slope; one gives the slope under a base of 0.

    Returns
    -------
    Fit
        `is_base_measured` is false where the base was taken as 0.

    Raises
    ------
    CalibrationError
        If there is no sample with frames, the load does not rise with the rate, or the line
        starts below 0 by more than whole percents explain.

    Examples
    --------
    >>> line = fit([Sample(200, 7), Sample(800, 24)])
    >>> round(line.base_percent, 2), round(line.slope_percent, 4)
    (1.33, 0.0283)
    >>> fit([Sample(800, 24)]).slope_percent
    0.03
    """
    if not any(sample.fps > 0 for sample in samples):
        raise CalibrationError("no measurement with frames: a slope needs one")
    if len({sample.fps for sample in samples}) == 1:
        return _through_origin(samples)
    slope = _value(samples, 1.0) - _value(samples, 0.0)
    if slope <= 0:
        raise CalibrationError(
            "the load does not rise with the frames per second: something else made it"
        )
    line = Fit(_value(samples, 0.0), slope, tuple(samples), is_base_measured=True)
    if line.base_percent >= 0:
        return line
    if -line.base_percent > line._half_width(0.0):  # noqa: SLF001 -- of this module
        raise CalibrationError(
            f"the line through them starts at {line.base_percent:.1f} % without a frame: "
            "something else rose with the load"
        )
    return _through_origin(samples)


def _through_origin(samples: Sequence[Sample]) -> Fit:
    weights = _weights(samples, 1.0, through_origin=True)
    pairs = zip(weights, samples, strict=True)
    slope = sum(weight * sample.process_percent for weight, sample in pairs)
    if slope <= 0:
        raise CalibrationError("no load at process level was measured: no slope can be taken")
    return Fit(0.0, slope, tuple(samples), is_base_measured=False)


def _value(samples: Sequence[Sample], fps: float) -> float:
    weights = _weights(samples, fps, through_origin=False)
    return sum(
        weight * sample.process_percent for weight, sample in zip(weights, samples, strict=True)
    )


def _weights(samples: Sequence[Sample], fps: float, *, through_origin: bool) -> list[float]:
    """Weights of the samples in the value of the fitted line at a rate."""
    if through_origin:
        squares = sum(sample.fps**2 for sample in samples)
        return [fps * sample.fps / squares for sample in samples]
    mean_fps = sum(sample.fps for sample in samples) / len(samples)
    squares = sum((sample.fps - mean_fps) ** 2 for sample in samples)
    return [
        1 / len(samples) + (fps - mean_fps) * (sample.fps - mean_fps) / squares
        for sample in samples
    ]
