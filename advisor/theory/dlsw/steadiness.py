"""Whether the averages of `show processes cpu` agree well enough for a sizing."""

from msgspec import Struct

from advisor.units import ratio_from_percent


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
