"""WRED: the average queue size that arrivals keep, and the random drops it makes."""

from random import Random

from advisor.settings.scenario import Wred


class AverageQueue:
    """Average queue size of one class, and the draws against its profiles.

    Draws are independent of each other: no count since the last drop enters. `dropped_at_random`:
    the latest drop came below the maximum threshold.
    """

    __slots__ = (
        "_idle_since_ms",
        "_packet_ms",
        "_profiles",
        "_random",
        "_weight",
        "average",
        "dropped_at_random",
    )

    def __init__(self, wred: Wred, random: Random) -> None:
        self._weight = 0.5**wred.exponential_weighting_constant
        self._packet_ms = wred.idle_decay_packet_time_ms
        self._profiles = {profile.name: profile for profile in wred.profiles}
        self._random = random
        self.average = 0.0
        self.dropped_at_random = False
        self._idle_since_ms = 0.0

    def emptied(self, now_ms: float) -> None:
        """Note that the software queue has become empty."""
        self._idle_since_ms = now_ms

    def drops(self, now_ms: float, waiting: int, profile_name: str) -> bool:
        """Average in an arrival that finds `waiting` packets, and draw whether it is dropped."""
        if waiting:
            self.average += self._weight * (waiting - self.average)
        else:
            idle_packets = (now_ms - self._idle_since_ms) / self._packet_ms
            self.average *= (1 - self._weight) ** idle_packets
            self._idle_since_ms = now_ms
        profile, average = self._profiles[profile_name], self.average
        excess = average - profile.min_threshold_packets
        if excess < 0:
            return False
        self.dropped_at_random = average < profile.max_threshold_packets
        if not self.dropped_at_random:
            return True
        width = profile.max_threshold_packets - profile.min_threshold_packets
        return self._random.random() < excess / width / profile.mark_probability_denominator
