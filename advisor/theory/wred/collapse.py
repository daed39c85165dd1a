"""Whether flows that all timed out together keep doing so: WRED's collapse, in the mean field.

A slow average stays above max for a long time after the queue is empty: all flows lose all packets,
their timers end together, and together they fill the queue before the average follows. The fixed
point does not show this; here the flows' windows are followed from such a moment, round trip by
round trip.
"""

from collections.abc import Sequence
from math import exp

import numpy as np
from msgspec import Struct

from advisor.theory.tcp.growth import Floats
from advisor.theory.wred.curve import drop_probability
from advisor.theory.wred.interface import DropProfile

# Windows after a common timeout begin at one packet; flows that reach 24 are out of step.
_LARGEST_WINDOW = 24
_SIMULATED_S, _JUDGED_FROM_S, _BLOCK_S = 10.0, 4.0, 2.0  # numeric: five timeouts, two to settle
_RECOVERED_RATIO = 0.85  # utilization of a block from which the flows are out of step: stated
_SLOTS = 400  # numeric: of the timers' wheel, over the longest timeout that is followed
_BACK_OFFS = 4  # numeric: further doublings are as rare as the drop ratio to the fifth power
_DUPLICATES = 3  # acknowledgements that a fast retransmit takes
_PARTS = (0.1, 0.3, 0.5, 0.7, 0.9)  # numeric: of a round trip, while the average follows the queue


class Herd(Struct, frozen=True):
    """Flows of one group that time out together."""

    flows: int
    base_s: float
    receiver_window_packets: int
    minimum_rto_s: float
    profile: DropProfile | None


class Aftermath(Struct, frozen=True):
    """Means over time, long after all flows timed out together."""

    utilization_ratio: float
    loss_ratio: float
    queue_packets: float


class _Windows:
    """All groups: flows by window, and those that wait for their timers."""

    def __init__(self, herds: Sequence[Herd]) -> None:
        caps = np.array([min(herd.receiver_window_packets, _LARGEST_WINDOW) for herd in herds])
        rto_s = np.array([herd.minimum_rto_s for herd in herds])
        self.groups = np.arange(len(herds))
        self.sizes = np.arange(1, int(caps.max()) + 1)
        self.cap_at = caps - 1
        self.flows = np.zeros((len(herds), len(self.sizes)))
        halves = np.maximum(self.sizes // 2, 2) - 1
        self.halving = np.zeros((len(self.sizes), len(self.sizes)))
        self.halving[np.arange(len(self.sizes)), np.minimum(halves, len(self.sizes) - 1)] = 1.0
        self.second = np.minimum(1, self.cap_at)
        self.slot_s = float(rto_s.max()) * 2**_BACK_OFFS / _SLOTS
        timers_s = rto_s[:, None] * 2.0 ** np.arange(_BACK_OFFS + 1)
        self.slots = np.rint(timers_s / self.slot_s).astype(np.int64)
        # group, back-offs so far, slot
        self.waiting = np.zeros((len(herds), _BACK_OFFS + 1, _SLOTS + 1))
        self.waiting[self.groups, 0, self.slots[:, 0]] = [herd.flows for herd in herds]
        self.beginners = np.zeros((len(herds), _BACK_OFFS + 1))  # first packet after a timeout
        self.debt_s = 0.0

    @property
    def flight(self) -> Floats:
        return np.asarray(self.flows @ self.sizes + self.beginners.sum(axis=1))

    def step(self, drop: Floats, elapsed_s: float) -> None:
        """A round trip: losses, growth, timers."""
        kept_ratio = 1 - drop
        no_loss = kept_ratio[:, None] ** self.sizes
        companions = self.sizes - 1
        repair_ratio = np.where(
            companions >= _DUPLICATES, np.exp(-drop[:, None] * companions) * kept_ratio[:, None], 0
        )
        growing_flows = no_loss * self.flows
        repaired_flows = (self.flows - growing_flows) * repair_ratio
        lost = (self.flows - growing_flows - repaired_flows).sum(axis=1)
        next_flows = repaired_flows @ self.halving
        next_flows[:, 1:] += growing_flows[:, :-1]
        next_flows[:, -1] += growing_flows[:, -1]
        is_over_cap = self.cap_at < len(self.sizes) - 1
        next_flows[is_over_cap, self.cap_at[is_over_cap]] += next_flows[
            is_over_cap, self.cap_at[is_over_cap] + 1
        ]
        next_flows[is_over_cap, self.cap_at[is_over_cap] + 1] = 0.0
        next_flows[self.groups, self.second] += kept_ratio * self.beginners.sum(axis=1)
        repeats = drop[:, None] * self.beginners
        self.flows = next_flows
        self._tick(elapsed_s)
        self.waiting[self.groups, 0, self.slots[:, 0]] += lost
        for back_offs in range(_BACK_OFFS + 1):
            later = min(back_offs + 1, _BACK_OFFS)
            self.waiting[self.groups, later, self.slots[:, later]] += repeats[:, back_offs]

    def _tick(self, elapsed_s: float) -> None:
        self.debt_s += elapsed_s
        slots = min(int(self.debt_s / self.slot_s), _SLOTS)
        self.debt_s -= slots * self.slot_s
        expiring = self.waiting[:, :, :slots]
        self.beginners = expiring.sum(axis=2)
        self.waiting = np.concatenate([self.waiting[:, :, slots:], np.zeros_like(expiring)], axis=2)


def aftermath(
    herds: Sequence[Herd],
    *,
    packets_per_second: float,
    ring_packets: float,
    queue_limit_packets: int,
    exponent: int,
) -> Aftermath | None:
    """The state after all flows have timed out at an average at max.

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

    Returns
    -------
    Aftermath or None
        None: the flows get out of step and the link is busy again.

    Notes
    -----
    Mean field: expected numbers of flows for each window without randomness, one step per round
    trip. It keeps flows in step longer than random losses do: low utilization here shows that the
    regime is near and what it looks like, not that it must occur.
    """
    windows = _Windows(herds)
    highest = max(
        (herd.profile.max_threshold_packets for herd in herds if herd.profile), default=0.0
    )
    average, now_s = float(highest), 0.0
    base_s = sum(herd.base_s * herd.flows for herd in herds) / sum(herd.flows for herd in herds)
    pipe = packets_per_second * base_s
    sent = lost = wait_sum = block = block_s = 0.0
    while now_s < _SIMULATED_S:
        flights = windows.flight
        flight = float(flights.sum())
        backlog = max(flight - pipe, 0.0)
        queue = min(max(backlog - ring_packets, 0.0), queue_limit_packets)
        tail = max(backlog - ring_packets - queue_limit_packets, 0.0) / max(flight, 1e-9)
        step_s = base_s + min(backlog, queue + ring_packets) / packets_per_second
        sample_rate = max(flight, packets_per_second * step_s) / 2.0**exponent
        path = [queue + (average - queue) * exp(-sample_rate * part) for part in _PARTS]
        drops = np.array([_mean_drop(path, herd.profile, tail) for herd in herds])
        average = queue + (average - queue) * exp(-sample_rate)
        dropped = float(flights @ drops)
        if now_s >= _JUDGED_FROM_S:
            lost, sent, wait_sum = lost + dropped, sent + flight, wait_sum + queue * step_s
        windows.step(drops, step_s)
        now_s += step_s
        block, block_s = block + flight - dropped, block_s + step_s
        if block_s >= _BLOCK_S:
            if block > _RECOVERED_RATIO * packets_per_second * block_s:
                return None
            block = block_s = 0.0
    judged_s = now_s - _JUDGED_FROM_S
    throughput = (sent - lost) / judged_s / packets_per_second
    return Aftermath(min(throughput, 1.0), lost / max(sent, 1e-9), wait_sum / judged_s)


def _mean_drop(path: Sequence[float], profile: DropProfile | None, tail: float) -> float:
    drop = 0.0
    if profile is not None:
        drop = sum(drop_probability(average, profile) for average in path) / len(path)
    return 1 - (1 - drop) * (1 - tail)
