"""CPU load of DLSw+ over TCP: estimated from frames, or fitted to steady measurements."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from advisor.ground.units import percent_from_ratio, ratio_from_percent

# CPU load of DLSw+ over TCP: frames per transaction, frames per second, percent of a CPU.
#
# A load is linear in the frames per second, in and out together (Cisco, DLSw+ TCP Performance).
# That document prints its curves only as pictures: a slope is estimated here from the
# process-switching rate of a platform, or fitted to measurements of the user. No slope comes from
# Cisco.

BATCHING_FROM_FPS = 1000.0  # below it Cisco's tests saw one frame in each TCP packet
DESIGN_LIMIT_PERCENT = 50.0  # of Cisco, DLSw+ TCP Performance

# Process-switched packets per frame, an engineering band: at least the packet that carries the
# frame; at most this packet, the LLC2 frame itself and an acknowledgement on either side. 2 is the
# geometric middle.
LEAST_PACKETS, MIDDLE_PACKETS, MOST_PACKETS = 1.0, 2.0, 4.0

# RFC 1795: 16 bytes before the frame of a data message; TCP and IP without options.
_SSP_BYTES, _TCP_BYTES, _IP_BYTES = 16, 20, 20
_STEPS_PER_FPS = 1_000_000_000  # numeric


def frames_of(size_bytes: int, ru_bytes: int, largest_frame_bytes: int | None = None) -> int:
    """Frames that carry one direction of a transaction.

    Parameters
    ----------
    size_bytes : int
        Bytes that are sent in this direction; 0 takes no frame.
    ru_bytes : int
        Largest SNA response unit.
    largest_frame_bytes : int, optional
        `lf` of the peer: an RU longer than it is sent as ``ceil(RU / lf)`` frames.

    Raises
    ------
    ValueError
        If a size is negative, or the RU or the largest frame below 1.

    Notes
    -----
    The last RU of a message holds the remaining bytes and counts by its own length, so it may fit
    into fewer frames than a full one. Headers of SNA (9 bytes in a first segment) are not counted.
    Source of ``ceil(size / RU)``: Cisco, DLSw+ TCP Performance.

    Examples
    --------
    >>> frames_of(2000, 1024), frames_of(1024, 1024), frames_of(0, 1024)
    (2, 1, 0)
    >>> frames_of(5000, 4096, 1500)  # an RU of 4096 in 3 frames, one of 904 in 1
    4
    """
    return sum(frames_by_size(size_bytes, ru_bytes, largest_frame_bytes).values())


def frames_by_size(
    size_bytes: int, ru_bytes: int, largest_frame_bytes: int | None = None
) -> dict[int, int]:
    """Frames of one direction of a transaction by their bytes; see `frames_of`.

    Raises
    ------
    ValueError
        If a size is negative, or the RU or the largest frame below 1.

    Examples
    --------
    >>> frames_by_size(5000, 4096, 1500)
    {1500: 2, 1096: 1, 904: 1}
    """
    frame_bytes = ru_bytes if largest_frame_bytes is None else largest_frame_bytes
    if size_bytes < 0 or ru_bytes < 1 or frame_bytes < 1:
        raise ValueError(f"{size_bytes} bytes, RU {ru_bytes}, lf {largest_frame_bytes}: too small")
    whole, rest = divmod(size_bytes, ru_bytes)
    frames: dict[int, int] = {}
    for unit_bytes, units in ((ru_bytes, whole), (rest, 1)):
        full, last_bytes = divmod(unit_bytes, frame_bytes)
        for each_bytes, count in ((frame_bytes, full * units), (last_bytes, units)):
            if each_bytes and count:
                frames[each_bytes] = frames.get(each_bytes, 0) + count
    return frames


def frames_per_transaction(
    out_bytes: int, in_bytes: int, ru_bytes: int, largest_frame_bytes: int | None = None
) -> int:
    """Frames of both directions of a transaction; see `frames_of`.

    >>> frames_per_transaction(2000, 1000, 1024)
    3
    """
    out_frames = frames_of(out_bytes, ru_bytes, largest_frame_bytes)
    return out_frames + frames_of(in_bytes, ru_bytes, largest_frame_bytes)


def ip_bytes_of(frame_bytes: int) -> int:
    """IP bytes of a TCP packet with one frame, without layer 2.

    >>> ip_bytes_of(128)
    184
    """
    return frame_bytes + _SSP_BYTES + _TCP_BYTES + _IP_BYTES


class CpuBand(Struct, frozen=True):
    """A CPU load in percent with its interval; a load over 100 cannot be carried."""

    value_percent: float
    low_percent: float
    high_percent: float


class CpuLine(Protocol):
    """CPU load over frames per second. `slope_percent` is for each frame per second."""

    @property
    def base_percent(self) -> float: ...

    @property
    def slope_percent(self) -> float: ...

    def at(self, fps: float) -> CpuBand:
        """Load at a rate of frames, in and out together."""
        ...


class CpuEstimate(Struct, frozen=True):
    """A line from the process-switching rate of a platform; a family has a low and a high rate.

    `base_percent` is the load without DLSw+: 0 unless measured.
    """

    pps_low: float
    pps_high: float
    base_percent: float = 0.0

    @property
    def slope_percent(self) -> float:
        return percent_from_ratio(MIDDLE_PACKETS / self.pps_low)

    def at(self, fps: float) -> CpuBand:
        """Load at a rate of frames.

        Above `BATCHING_FROM_FPS` frames share TCP packets; the factor is not published. The low
        end does not rise above its value at that rate: no more is certain.

        >>> CpuEstimate(4000, 4000).at(400)
        CpuBand(value_percent=20.0, low_percent=10.0, high_percent=40.0)
        """
        least = min(fps, BATCHING_FROM_FPS) * LEAST_PACKETS / self.pps_high
        return CpuBand(
            self.base_percent + fps * self.slope_percent,
            self.base_percent + percent_from_ratio(least),
            self.base_percent + percent_from_ratio(fps * MOST_PACKETS / self.pps_low),
        )


class FpsBand(Struct, frozen=True):
    """Frames per second that cause a load: by the line, and by the ends of its interval."""

    value_fps: float
    low_fps: float
    high_fps: float


def fps_at(line: CpuLine, limit_percent: float, ceiling_fps: float) -> FpsBand:
    """Frames per second at which a line reaches a limit.

    Parameters
    ----------
    line : CpuLine
        The load over the rate; each end of its interval never falls.
    limit_percent : float
        The load that may be reached.
    ceiling_fps : float
        Highest possible rate at any load: the process-switching rate.

    Returns
    -------
    FpsBand
        `low_fps` is where the high end of the interval reaches the limit; 0 where it lies above
        the limit without any frame.

    Examples
    --------
    >>> fps_at(CpuEstimate(4000, 4000), 50.0, 4000.0)
    FpsBand(value_fps=1000.0, low_fps=500.0, high_fps=4000.0)
    """
    return FpsBand(
        _reached(lambda fps: line.at(fps).value_percent, limit_percent, ceiling_fps),
        _reached(lambda fps: line.at(fps).high_percent, limit_percent, ceiling_fps),
        _reached(lambda fps: line.at(fps).low_percent, limit_percent, ceiling_fps),
    )


def _reached(percent: Callable[[float], float], limit_percent: float, most_fps: float) -> float:
    if percent(most_fps) <= limit_percent:
        return most_fps
    steps = range(1, int(most_fps * _STEPS_PER_FPS))
    reached = bisect_right(steps, limit_percent, key=lambda step: percent(step / _STEPS_PER_FPS))
    return round(reached / _STEPS_PER_FPS, 6)


# CPU load of DLSw+ fitted to steady measurements of the router itself, at process level.

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


# Whether the averages of `show processes cpu` agree well enough for a sizing.


class Difference(Struct, frozen=True):
    """Two averages of one output in percent, and the names of their periods."""

    name: str
    one_percent: float
    other_percent: float

    @property
    def points(self) -> float:
        """Difference in percentage points."""
        return abs(self.one_percent - self.other_percent)


def largest_movement(
    five_seconds_percent: float,
    one_minute_percent: float,
    five_minutes_percent: float,
    *,
    difference_points: float,
    difference_percent: float,
) -> Difference | None:
    """The neighbouring averages with the largest excessive difference; None for a steady load.

    Parameters
    ----------
    five_seconds_percent, one_minute_percent, five_minutes_percent : float
        The three averages of one head line.
    difference_points, difference_percent : float
        Largest steady difference: points, or percent of the larger one; the milder limit counts.

    Notes
    -----
    Source of the method: Cisco, DLSw+ TCP Performance: the one-minute average after seven minutes,
    once the five-second and five-minute averages agree with it. The limits are an engineering
    choice, not published values.

    Examples
    --------
    >>> limits = {"difference_points": 5.0, "difference_percent": 25.0}
    >>> largest_movement(8, 8, 5, **limits)
    >>> largest_movement(20, 12, 8, **limits).points
    8
    """
    pairs = (
        Difference("five seconds and one minute", five_seconds_percent, one_minute_percent),
        Difference("one minute and five minutes", one_minute_percent, five_minutes_percent),
    )
    share = ratio_from_percent(difference_percent)
    moving = [
        pair
        for pair in pairs
        if pair.points > max(difference_points, share * max(pair.one_percent, pair.other_percent))
    ]
    return max(moving, key=lambda pair: pair.points, default=None)
