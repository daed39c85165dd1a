"""Whether flows that all timed out together keep doing so: WRED's collapse, in the mean field.

A slow average stays above max while the queue is long gone: all flows lose everything, their timers
end together, and together they fill the queue before the average follows. The fixed point does not
see it; this follows the flows' windows from such a moment, round trip by round trip.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from advisor.model.wred_curve import drop_probability
from advisor.model.wred_interface import DropProfile

_LARGEST_WINDOW = 24
_SIMULATED_S = 13.0
_JUDGED_FROM_S = 5.0
_SLOTS = 400  # of the timers' wheel, over the longest timeout that is followed
_BACK_OFFS = 4
_PARTS = (0.1, 0.3, 0.5, 0.7, 0.9)  # of a round trip, while the average follows the queue


@dataclass(frozen=True, slots=True)
class Herd:
    """Flows of one group, as far as their common fate goes."""

    flows: int
    base_s: float
    receiver_window_packets: int
    minimum_rto_s: float
    profile: DropProfile | None


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Long after all flows timed out together: means over time."""

    utilization_ratio: float
    loss_ratio: float
    queue_packets: float


class _Windows:
    """One group: flows by window, and those that wait for their timers."""

    def __init__(self, herd: Herd) -> None:
        self.herd = herd
        self.cap = min(herd.receiver_window_packets, _LARGEST_WINDOW)
        self.sizes = np.arange(1, self.cap + 1)
        self.halves = np.maximum(self.sizes // 2, min(2, self.cap)) - 1
        self.flows = np.zeros(self.cap)
        self.slot_s = herd.minimum_rto_s * 2**_BACK_OFFS / _SLOTS
        self.waiting = np.zeros((_BACK_OFFS + 1, _SLOTS + 1))  # back-offs so far, slot
        self.beginners = np.zeros(_BACK_OFFS + 1)  # first packet after a timeout, by back-offs
        self.waiting[0, self._slots(0)] = herd.flows
        self.debt_s = 0.0

    def _slots(self, back_offs: int) -> int:
        return round(self.herd.minimum_rto_s * 2**back_offs / self.slot_s)

    @property
    def flight(self) -> float:
        return float(self.flows @ self.sizes) + float(self.beginners.sum())

    def step(self, drop: float, elapsed_s: float) -> None:
        """A round trip: losses, growth, timers."""
        kept = 1 - drop
        whole = kept**self.sizes
        others = self.sizes - 1
        fast = np.where(others >= 3, np.exp(-drop * others) * kept, 0.0)  # noqa: PLR2004
        repaired = (1 - whole) * np.minimum(fast, 1.0) * self.flows
        lost = self.flows - whole * self.flows - repaired
        grown = np.zeros_like(self.flows)
        grown[1:] = (whole * self.flows)[:-1]
        grown[-1] += whole[-1] * self.flows[-1]
        grown += np.bincount(self.halves, repaired, self.cap)
        grown[min(1, self.cap - 1)] += kept * float(self.beginners.sum())
        again = drop * self.beginners
        self.flows = grown
        self._tick(elapsed_s)
        self.waiting[0, self._slots(0)] += float(lost.sum())
        for back_offs, count in enumerate(again):
            later = min(back_offs + 1, _BACK_OFFS)
            self.waiting[later, self._slots(later)] += count

    def _tick(self, elapsed_s: float) -> None:
        self.debt_s += elapsed_s
        slots = int(self.debt_s / self.slot_s)
        self.debt_s -= slots * self.slot_s
        due = self.waiting[:, :slots]
        self.beginners = due.sum(axis=1)
        self.waiting = np.concatenate([self.waiting[:, slots:], np.zeros_like(due)], axis=1)


def aftermath(
    herds: Sequence[Herd],
    *,
    packets_per_second: float,
    ring_packets: float,
    queue_limit_packets: int,
    exponent: int,
) -> Aftermath:
    """What follows after all flows have timed out at an average at max.

    Parameters
    ----------
    herds : sequence of Herd
        The TCP groups of the class.
    packets_per_second : float
        Rate of the class.
    ring_packets : float
        Places of the ring that the class fills.
    queue_limit_packets, exponent : int
        Of the class.

    Notes
    -----
    Mean field: no chance but expected numbers of flows for each window, one step a round trip. It
    keeps flows in step longer than chance would: low utilization here says that the regime is
    near, and what it looks like, not that it must come.
    """
    groups = [_Windows(herd) for herd in herds]
    highest = max((h.profile.max_threshold_packets for h in herds if h.profile), default=0.0)
    average, now_s = float(highest), 0.0
    base_s = sum(h.base_s * h.flows for h in herds) / sum(h.flows for h in herds)
    pipe = packets_per_second * base_s
    sent = lost = waited = 0.0
    while now_s < _SIMULATED_S:
        flight = sum(group.flight for group in groups)
        backlog = max(flight - pipe, 0.0)
        queue = min(max(backlog - ring_packets, 0.0), queue_limit_packets)
        tail = max(backlog - ring_packets - queue_limit_packets, 0.0) / max(flight, 1e-9)
        step_s = base_s + min(backlog, queue + ring_packets) / packets_per_second
        seen = max(flight, packets_per_second * step_s) / 2.0**exponent
        path = [queue + (average - queue) * exp(-seen * part) for part in _PARTS]
        drops = [_mean_drop(path, g.herd.profile, tail) for g in groups]
        average = queue + (average - queue) * exp(-seen)
        for group, drop in zip(groups, drops, strict=True):
            if now_s >= _JUDGED_FROM_S:
                lost += group.flight * drop
                sent += group.flight
            group.step(drop, step_s)
        if now_s >= _JUDGED_FROM_S:
            waited += queue * step_s
        now_s += step_s
    judged_s = now_s - _JUDGED_FROM_S
    through = (sent - lost) / judged_s / packets_per_second
    return Aftermath(min(through, 1.0), lost / max(sent, 1e-9), waited / judged_s)


def _mean_drop(path: Sequence[float], profile: DropProfile | None, tail: float) -> float:
    drop = 0.0
    if profile is not None:
        drop = sum(drop_probability(average, profile) for average in path) / len(path)
    return 1 - (1 - drop) * (1 - tail)
