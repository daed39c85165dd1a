"""How a TCP window grows while nothing is lost: windows and times by acknowledgement.

Times are in round trips. Knows slow start, congestion avoidance and the receiver window; no losses.
"""

from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST_THRESHOLD_PACKETS = 2  # RFC 5681, equation 4
# All numeric: packets, times and flights that are treated one by one, and the ratios of the grids
# beyond.
_EXACT_POINTS = 32
_POINT_RATIO = 1.2
_LAST_POINT = 900
_EXACT_TIMES = 160
_FOLLOWERS = 8
_EXACT_FLIGHTS = 12
_FLIGHT_RATIO = 1.15
_LEAST_TIME_RTT = 0.05


class Growth(Struct, frozen=True, eq=False):
    """Loss-free growth from every way a period without loss can begin; rows are beginnings.

    Rows: one for each of `flights` of four packets or more (a fast retransmit repaired a loss in
    such a flight), then one for each of `thresholds` (a timeout left that slow-start threshold),
    then a new connection. Columns: the packet that is lost, counted from the beginning.
    """

    flights: Ints  # packets in flight that are told apart, ascending from 1
    thresholds: Ints  # slow-start thresholds that are told apart, ascending from 2
    first_packets: Ints  # a column stands for the packets from here to the next column's
    packets: Ints  # the packet that a column is computed for
    flight_at: Ints  # row, column: index into `flights` when the packet's loss stalls the flow
    window_at: Ints  # row, column: that flight in packets
    time_rtt: Floats  # row, column: acknowledgement of the packet before
    later_rtt: Floats  # k, row, column: acknowledgement of the k + 1-th packet after, from then
    window_sum: Floats  # row, column: windows summed over the acknowledgements until then

    @property
    def repaired_rows(self) -> int:
        return len(self.flights) - 3

    @property
    def timeout_rows(self) -> int:
        return len(self.thresholds)


def nearest(grid: Ints, values: NDArray[np.generic]) -> Ints:
    """Index of the grid's member nearest to each value."""
    middles = (grid[1:] + grid[:-1]) / 2
    return np.searchsorted(middles, values, side="left").astype(np.int64)


def _flight_grid(receiver_window_packets: int) -> Ints:
    last = max(receiver_window_packets, 4)
    grid = list(range(1, min(last, _EXACT_FLIGHTS) + 1))
    while grid[-1] < last:
        grid.append(min(last, max(grid[-1] + 2, int(grid[-1] * _FLIGHT_RATIO))))
    return np.array(grid, dtype=np.int64)


@lru_cache(maxsize=1)
def _points() -> tuple[Ints, Ints]:
    first = list(range(1, _EXACT_POINTS + 1))
    while first[-1] < _LAST_POINT:
        first.append(int(first[-1] * _POINT_RATIO))
    starts = np.array(first, dtype=np.int64)
    middles = starts.copy()
    middles[:-1] = (starts[:-1] + starts[1:] - 1) // 2
    return starts, middles


def _windows(begin: Floats, threshold: Floats, count: int) -> Floats:
    congestion = np.empty((len(begin), count))
    congestion[:, 0] = begin
    for acknowledgement in range(_EXACT_TIMES):
        window = congestion[:, acknowledgement]
        step = np.where(window < threshold, 1.0, 1 / window)
        congestion[:, acknowledgement + 1] = window + step
    # beyond, all are in congestion avoidance: (c + 1/c)^2 is c^2 + 2 and little more
    steps = np.arange(1, count - _EXACT_TIMES)
    base = congestion[:, _EXACT_TIMES, None]
    congestion[:, _EXACT_TIMES + 1 :] = np.sqrt(base**2 + 2 * steps)
    return congestion


def _first_times(window: Floats, flights: Ints, receiver_window_packets: int) -> Floats:
    """Acknowledgement times of the first window, which depend on how the period began."""
    times = np.ones((len(window), int(window.max()) + 1))
    for row, flight in enumerate(flights[3:]):
        half = int(flight) // 2
        inflated = min(half + int(flight) - 1, receiver_window_packets)
        under_way = min(max(inflated - int(flight), 0), half)
        # New packets leave in the second half of the duplicates' round trip, at their spacing.
        number = np.arange(1, under_way + 1)
        times[row, 1 : under_way + 1] = np.maximum(
            (flight - half + number - 3) / flight, _LEAST_TIME_RTT
        )
    return times


def _times(window: Floats, first: Floats) -> Floats:
    rows, count = window.shape
    limit = np.arange(count) + window
    exact_times = np.arange(_EXACT_TIMES + 1)
    released = np.stack([np.searchsorted(line, exact_times) for line in limit])
    released = np.minimum(released, count - 1)
    times = np.zeros((rows, count))
    rows_index = np.arange(rows)
    for packet in range(1, _EXACT_TIMES + 1):
        next_times = times[rows_index, released[:, packet]] + 1.0
        ordered_times = np.maximum(next_times, times[:, packet - 1])
        if packet < first.shape[1]:
            ordered_times = np.where(packet <= window[:, 0], first[:, packet], ordered_times)
        times[:, packet] = ordered_times
    steps = 1 / window[:, _EXACT_TIMES:-1]
    times[:, _EXACT_TIMES + 1 :] = times[:, _EXACT_TIMES, None] + np.cumsum(steps, axis=1)
    return times


@lru_cache(maxsize=32)
def growth(receiver_window_packets: int, initial_window_packets: int) -> Growth:
    """Growth of a TCP flow's window in all periods without loss.

    Parameters
    ----------
    receiver_window_packets : int
        Largest flight.
    initial_window_packets : int
        Window of a new connection.

    Notes
    -----
    One acknowledgement a packet. Slow start adds a packet each, congestion avoidance 1/window.
    Packet m leaves with acknowledgement j where j + window(j) reaches m, and is acknowledged one
    round trip later. After a fast retransmit the window is half the flight and the new packets of
    the recovery are under way (RFC 5681, section 3.2).
    """
    flights = _flight_grid(receiver_window_packets)
    thresholds = np.unique(np.maximum(-(-flights // 2), LEAST_THRESHOLD_PACKETS))
    restart = np.ones(len(thresholds))
    begin = np.concatenate([flights[3:] / 2, restart, [initial_window_packets]])
    threshold = np.concatenate([flights[3:] / 2, thresholds, [np.inf]])
    starts, packets = _points()
    count = int(packets[-1]) + _FOLLOWERS + 2
    window = np.minimum(np.floor(_windows(begin, threshold, count)), receiver_window_packets)
    window = np.maximum(window, 1.0)
    times = _times(window, _first_times(window, flights, receiver_window_packets))
    sums = np.concatenate([np.zeros((len(window), 1)), np.cumsum(window, axis=1)], axis=1)
    time_rtt = times[:, packets - 1]
    later = np.stack([times[:, packets + 1 + index] - time_rtt for index in range(_FOLLOWERS)])
    window_at = window[:, packets - 1].astype(np.int64)
    return Growth(
        flights=flights,
        thresholds=thresholds,
        first_packets=starts,
        packets=packets,
        flight_at=nearest(flights, window_at),
        window_at=window_at,
        time_rtt=time_rtt,
        later_rtt=later,
        window_sum=sums[:, packets - 1],
    )
