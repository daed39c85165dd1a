"""A TCP flow under random drops: packets, round trips and timeouts between two losses.

A Markov chain from the beginning of one period without loss to the next, solved for many drop
probabilities together.
"""

from copy import copy
from math import comb

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from advisor.theory.tcp.growth import Floats, Growth, Ints, growth, nearest
from advisor.theory.tcp.losses import MOST_HOLES, Recovery, recovery

_LONGEST_BACK_OFF = 60  # RFC 6298 lets the timer stop doubling at 60 s; it begins near 1 s
# A later timer cannot end before the first retransmission's round trip: the lost packet's, the
# retransmission's, and `_SOFTNESS_RTT`.
_LATE_TIMEOUT_RTT = 2.3
# Timers and round trips vary, so the order of a timer and a round trip is not certain. The width is
# stated, not derived (docs/model.md).
_SOFTNESS_RTT = 0.3
_PACKETS, _ROUND_TRIPS, _TIMEOUTS, _SQUARES, _RETRANSMITS, _EXPIRIES = range(6)


class Cycle(Struct, frozen=True, eq=False):
    """Means over the periods of a flow, by drop probability; `packets` counts every sending."""

    packets: Floats
    round_trips: Floats
    timeouts: Floats  # in units of the timeout, doubled ones counted by their length
    squared_flight: Floats  # flight squared, summed over round trips
    retransmits: Floats
    expiries: Floats  # of the timer, each counted once


class Opening(Struct, frozen=True, eq=False):
    """Mean first period of a transfer, by drop probability; as in `Cycle`."""

    packets: Floats
    round_trips: Floats
    timeouts: Floats


class _Periods(Struct, frozen=True, eq=False):
    """Next states (drop, row, state) and rewards (kind, drop, row) of periods."""

    following: Floats
    rewards: Floats

    def weighted(self, odds: Floats) -> "_Periods":
        return _Periods(self.following * odds[..., None], self.rewards * odds)

    def plus(self, addend: "_Periods") -> "_Periods":
        return _Periods(self.following + addend.following, self.rewards + addend.rewards)


class _Chain:
    """States: repaired flights, then threshold x holes; rows of `Growth` are their beginnings."""

    def __init__(
        self,
        paths: Growth,
        drop: Floats,
        recoveries: tuple[Recovery, ...],
        window: int,
        timeout: float,
    ) -> None:
        self.paths, self.drop, self.recoveries, self.window = paths, drop, recoveries, window
        self.timeout_rtt = timeout
        self.kept = 1 - drop
        self.outcomes = [
            np.concatenate([recovery_sums.repaired, recovery_sums.timed_out], axis=2)
            for recovery_sums in recoveries
        ]
        survival = self.kept[:, None] ** (paths.first_packets - 1.0)
        self.mass = survival.copy()
        self.mass[:, :-1] -= survival[:, 1:]
        self.beyond = (survival[:, -1] / drop)[:, None]  # packets after the last column
        doublings = np.arange(1, 60)
        waits = np.minimum(2.0**doublings, _LONGEST_BACK_OFF)
        self.back_off = (drop[:, None] ** doublings * waits).sum(axis=1)[:, None]
        self.third = self._third_duplicate()

    def _third_duplicate(self) -> Floats:
        """Round trips from the stall to the third duplicate: drop, row, column."""
        later = self.paths.later_rtt
        place = np.minimum(3 / self.kept, len(later) - 0.001)
        floor = place.astype(np.int64)
        part = (place - floor)[:, None, None]
        ceiling = np.minimum(floor, len(later) - 1)
        return np.asarray(later[floor - 1] * (1 - part) + later[ceiling] * part)

    def _flight_odds(self, rows: slice, odds: Floats) -> Floats:
        flights = len(self.paths.flights)
        drops, count, columns = odds.shape
        line = np.arange(drops * count).reshape(drops, count, 1) * flights
        index = line + self.paths.flight_at[rows, :columns]
        size = drops * count * flights
        sums = np.bincount(index.ravel(), odds.ravel(), size)
        return np.asarray(sums.reshape(drops, count, flights), dtype=np.float64)

    def periods(self, rows: slice, mass: Floats) -> _Periods:
        """Periods whose loss falls on the columns with the odds `mass` (drop, column)."""
        paths, columns = self.paths, mass.shape[1]
        third, flight_at = self.third[:, rows, :columns], paths.flight_at[rows, :columns]
        odds = np.broadcast_to(mass[:, None, :], third.shape)
        rewards = np.zeros((6, *third.shape[:2]))
        packets = paths.packets[:columns] - 1 + paths.window_at[rows, :columns]
        rewards[_PACKETS] = mass @ packets.T
        rewards[_ROUND_TRIPS] = mass @ paths.time_rtt[rows, :columns].T
        rewards[_SQUARES] = mass @ paths.window_sum[rows, :columns].T
        early = np.zeros_like(third)
        if len(self.recoveries) > 1:
            early = np.clip((third + 1 - self.timeout_rtt) / _SOFTNESS_RTT + 0.5, 0.0, 1.0)
            self._credit(rewards, odds * early, third, flight_at)
        following = np.zeros((*third.shape[:2], self.outcomes[0].shape[2]))
        parts = (odds * (1 - early), odds * early)
        for recovery_sums, outcome, part in zip(
            self.recoveries, self.outcomes, parts, strict=False
        ):
            flights = self._flight_odds(rows, part)
            following += flights @ outcome
            rewards[_ROUND_TRIPS] += (
                part * recovery_sums.third_duplicate[:, flight_at] * third
            ).sum(2)
            for kind, values in (
                (_PACKETS, recovery_sums.packets),
                (_ROUND_TRIPS, recovery_sums.round_trips),
                (_TIMEOUTS, recovery_sums.timeouts),
                (_SQUARES, recovery_sums.squares),
                (_RETRANSMITS, recovery_sums.retransmits),
                (_EXPIRIES, recovery_sums.timeouts),
            ):
                rewards[kind] += (flights @ values[:, :, None])[:, :, 0]
        return _Periods(following, rewards)

    def _credit(self, rewards: Floats, odds: Floats, third: Floats, flight_at: Ints) -> None:
        """The timer ends while a retransmission is under way; the chain ignores its arrival.

        Its acknowledgement comes before one of the repeated packet could, so the loss of the
        repeated packet costs nothing.
        """
        saved_rtt = np.clip(self.timeout_rtt - third, 0.0, 1.0)
        retransmits = self.recoveries[1].retransmits[:, flight_at]
        arrived = odds * retransmits * self.kept[:, None, None]
        rewards[_ROUND_TRIPS] -= (arrived * saved_rtt).sum(axis=2)
        rewards[_TIMEOUTS] -= arrived.sum(axis=2) * self.back_off
        rewards[_EXPIRIES] -= arrived.sum(axis=2) * (self.drop / self.kept)[:, None]

    def _endless(self, periods: _Periods) -> _Periods:
        periods.rewards[_PACKETS] += self.beyond
        periods.rewards[_ROUND_TRIPS] += self.beyond / self.window
        periods.rewards[_SQUARES] += self.beyond * self.window
        return periods

    def _repeated(self, rows: slice, column: int, holes: int) -> _Periods:
        """A hole is lost again: no fast retransmit below `recover` (RFC 6582, section 3.2)."""
        paths, count = self.paths, self.paths.timeout_rows
        following = np.zeros((len(self.drop), count, self.outcomes[0].shape[2]))
        rewards = np.zeros((6, len(self.drop), count))
        windows = paths.window_at[rows, column]
        for flight in (int(window) for window in np.unique(windows)):
            columns = np.flatnonzero(windows == flight)
            gap = max(0, holes - column - flight)
            half = max(-(-flight // 2), 2) - 2
            for lost in range(flight):
                odds = comb(flight - 1, lost) * self.drop**lost * self.kept ** (flight - 1 - lost)
                state = half * MOST_HOLES + min(1 + lost + gap, MOST_HOLES) - 1
                following[:, columns, paths.repaired_rows + state] += odds[:, None]
        rewards[_PACKETS] = column + paths.window_at[rows, column]
        rewards[_ROUND_TRIPS] = paths.time_rtt[rows, column]
        rewards[_SQUARES] = paths.window_sum[rows, column]
        rewards[_TIMEOUTS] = rewards[_EXPIRIES] = 1.0
        return _Periods(following, rewards)

    def _restarts(self, holes: int, late: _Periods, rows: slice) -> _Periods:
        """Periods from a timeout on, given that the first packet arrives."""
        mass = self.mass / self.kept[:, None]
        total = late
        for column in range(1, MOST_HOLES):
            odds = mass[:, column, None]
            if column < holes:
                total = total.plus(self._repeated(rows, column, holes).weighted(odds))
            else:
                initial_mass = np.zeros((len(mass), column + 1))
                initial_mass[:, column] = mass[:, column]
                total = total.plus(self.periods(rows, initial_mass))
        return total

    def solve(self) -> Cycle:
        paths = self.paths
        first, count = paths.repaired_rows, paths.timeout_rows
        states = first + count * MOST_HOLES
        chain = np.zeros((len(self.drop), states, states))
        rewards = np.zeros((6, len(self.drop), states))
        repair_periods = self._endless(self.periods(slice(0, first), self.mass))
        chain[:, :first], rewards[:, :, :first] = repair_periods.following, repair_periods.rewards
        mass = self.mass / self.kept[:, None]
        mass[:, :MOST_HOLES] = 0.0
        rows = slice(first, first + count)
        timeout_periods = self._endless(self.periods(rows, mass))
        kept_ratio, lost = self.kept[:, None], self.drop[:, None]
        for holes in range(1, MOST_HOLES + 1):
            part = slice(first + holes - 1, None, MOST_HOLES)
            restart = self._restarts(holes, timeout_periods, rows)
            # the first packet is lost too: the timer doubles, the threshold falls to two
            lowest = _Periods(restart.following[:, :1], restart.rewards[:, :, :1])
            mixed = restart.weighted(kept_ratio).plus(lowest.weighted(lost))
            chain[:, part], rewards[:, :, part] = mixed.following, mixed.rewards
            rewards[_PACKETS, :, part] += lost / kept_ratio
            rewards[_TIMEOUTS, :, part] += self.back_off
            rewards[_EXPIRIES, :, part] += lost / kept_ratio
        return Cycle(*np.einsum("rgs,gs->rg", rewards, _stationary(chain)))

    def opening(self, packets: int) -> Opening:
        """From a new connection's first packet to its first repaired loss, or its last packet."""
        paths, row = self.paths, len(self.paths.time_rtt) - 1
        no_loss = self.kept[:, None] ** packets
        is_late = paths.first_packets > packets
        mass = np.where(is_late, 0.0, self.mass)
        mass *= (1 - no_loss) / np.maximum(mass.sum(axis=1, keepdims=True), 1e-12)
        # a flight ends with the transfer's last packet
        windows = np.clip(packets - paths.packets + 1, 1, paths.window_at)
        short_chain = copy(self)
        short_chain.paths = replace(
            paths, window_at=windows, flight_at=nearest(paths.flights, windows)
        )
        lossy_rewards = short_chain.periods(slice(row, row + 1), mass).rewards[:, :, 0]
        last_rtt = float(np.interp(packets + 1, paths.packets, paths.time_rtt[row]))
        return Opening(
            lossy_rewards[_PACKETS] + no_loss[:, 0] * packets,
            lossy_rewards[_ROUND_TRIPS] + no_loss[:, 0] * last_rtt,
            lossy_rewards[_TIMEOUTS],
        )


def _stationary(chain: Floats) -> Floats:
    drops, states, _ = chain.shape
    balance = chain.transpose(0, 2, 1) - np.eye(states)
    balance[:, -1] = 1.0
    constants = np.zeros((drops, states, 1))
    constants[:, -1] = 1.0
    return np.asarray(np.linalg.solve(balance, constants)[:, :, 0])


def cycle(
    drop_probabilities: Floats,
    timeout_rtt: float,
    *,
    receiver_window_packets: int,
    initial_window_packets: int,
    limited_transmit: bool,
    transfer_packets: int | None = None,
) -> tuple[Cycle, Opening | None]:
    """Mean period of a TCP flow that always has something to send, and the first of a transfer.

    Parameters
    ----------
    drop_probabilities : array, shape (P,)
        Of every packet, above 0 and below 1; independent of each other.
    timeout_rtt : float
        Retransmission timeout in round trips.
    receiver_window_packets, initial_window_packets : int
        Windows in packets.
    limited_transmit : bool
        RFC 3042.
    transfer_packets : int, optional
        Packets that each connection carries; None: no end.

    Returns
    -------
    Cycle, Opening
        The second None without transfers. Greedy throughput is `packets` /
        (`round_trips` · RTT + `timeouts` · RTO).

    Notes
    -----
    A period begins when a loss has been repaired, or when a timeout has. Its first lost packet is
    geometric; the flight around it decides what follows (`tcp_losses`). Against a packet-level
    simulation of one flow with independent losses the throughput is within 2 % where the timeout
    is above 2.3 round trips, and up to 14 % low below (spurious timeouts).
    """
    paths = growth(receiver_window_packets, initial_window_packets)
    timers = (False,) if timeout_rtt > _LATE_TIMEOUT_RTT else (False, True)
    recoveries = tuple(
        recovery(
            paths,
            drop_probabilities,
            timeout_rtt,
            receiver_window_packets=receiver_window_packets,
            limited_transmit=limited_transmit,
            timer_first=timer_first,
        )
        for timer_first in timers
    )
    chain = _Chain(paths, drop_probabilities, recoveries, receiver_window_packets, timeout_rtt)
    opening = None if transfer_packets is None else chain.opening(transfer_packets)
    return chain.solve(), opening
