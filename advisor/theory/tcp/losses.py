"""How a TCP flow reacts to a loss: fast retransmit or timeout, by flight and drop probability.

NewReno without SACK; losses independent of each other. Times in round trips and in timeouts.
"""

from math import comb

import numpy as np
from msgspec import Struct

from advisor.theory.tcp.growth import Floats, Growth, Ints, nearest

MOST_HOLES = 4  # numeric: lost packets in a window that are told apart
_MOST_LOSSES = 6  # numeric
_DUPLICATES_FOR_RETRANSMIT = 3  # RFC 5681, section 3.2
_WASTED_AT_MOST = 3  # window of go-back-N, one more per hole: more holes are not distinguished
_DRAIN_TO_HALF = 7 / 12  # mean square of a value that falls evenly from one to a half
_HIDDEN_ROUNDS = 3  # numeric: terms of the series of recoveries that reveal a loss


class Recovery(Struct, frozen=True, eq=False):
    """Mean course of events from a loss to the next period without loss.

    Shapes: probability, flight (index in `Growth.flights`), and the state that follows.
    """

    repaired: Floats  # next state: flight that a fast retransmit repaired
    timed_out: Floats  # next state: slow-start threshold x holes
    packets: Floats  # sent beyond the flight itself, and not counted in the next period
    round_trips: Floats  # after the third duplicate acknowledgement
    timeouts: Floats
    retransmits: Floats  # fast retransmits that began
    third_duplicate: Floats  # probability that the time to the third duplicate is spent
    squares: Floats  # flight squared, summed over the round trips from the loss on


class _Flights(Struct, frozen=True, eq=False):
    """Flights and further losses in them: arrays of probability, flight, losses, rounds."""

    drop: Floats
    flight: Ints
    losses: Ints
    probability: Floats
    repair: Floats  # probability that duplicates bring a fast retransmit
    first_new: Floats  # new packets in the first round of recovery; below 0: none for some rounds


def wasted_packets(holes: Floats, arrivals: Floats) -> Floats:
    """Packets that go-back-N repeats although they have arrived.

    After a hole is filled the window has grown by one, and the packets that it covers beyond the
    next hole are sent again. `holes` and `arrivals` are in random order.
    """
    window = np.minimum(holes - 1, _WASTED_AT_MOST)
    sent = window * (window + 1) / 2 + np.maximum(holes - 1 - window, 0) * window
    return np.asarray(sent * arrivals / np.maximum(arrivals + holes, 1))


def _flights(growth: Growth, drop: Floats, *, receiver_window: int, limited: bool) -> _Flights:
    flight = growth.flights[None, :, None]
    losses = np.arange(_MOST_LOSSES + 1)[None, None, :]
    lost, kept_ratio = drop[:, None, None], 1 - drop[:, None, None]
    companions = flight - 1
    ways = np.array(
        [
            [comb(int(flight_packets) - 1, count) for count in losses.flat]
            for flight_packets in growth.flights
        ],
        float,
    )
    probability = ways[None] * lost**losses * kept_ratio ** np.maximum(companions - losses, 0)
    # all larger numbers of losses are counted with the last number
    last = np.minimum(companions, _MOST_LOSSES)
    rest = 1 - probability.sum(axis=2, keepdims=True)
    probability = probability + np.where(losses == last, rest, 0.0)
    duplicates = np.maximum(companions - losses, 0)
    repair = np.where(duplicates >= _DUPLICATES_FOR_RETRANSMIT, 1.0, 0.0) + 0 * lost
    if limited:
        # RFC 3042: a new packet for each of the first two duplicates
        repair = np.where(duplicates == 2, 1 - lost**2, repair)  # noqa: PLR2004
        repair = np.where(duplicates == 1, kept_ratio**2, repair)
        duplicates = np.where(repair > 0, np.maximum(duplicates, 3), duplicates)
    half = np.maximum(flight / 2, 2)
    inflated = np.minimum(np.floor(half + duplicates), receiver_window)
    first_new = np.broadcast_to(inflated - flight, probability.shape)
    return _Flights(
        drop,
        flight,
        losses,
        probability,
        repair,
        first_new.astype(np.float64),
    )


def _new_packets(start: _Flights, receiver_window: int) -> Floats:
    """New packets sent in each round trip of recovery; last axis: rounds."""
    rounds = np.arange(_MOST_LOSSES + 2)
    acknowledged = rounds * start.flight[..., None] / (start.losses[..., None] + 1)
    room = receiver_window - start.flight[..., None] + acknowledged
    return np.clip(start.first_new[..., None] + rounds, 0, np.maximum(room, 0))


class _Sums:
    """Sums of outcomes by probability, flight and next state."""

    def __init__(self, growth: Growth, drops: int) -> None:
        self.growth = growth
        shape = (drops, len(growth.flights))
        self.repaired = np.zeros((*shape, max(growth.repaired_rows, 1)))
        self.timed_out = np.zeros((*shape, growth.timeout_rows * MOST_HOLES))
        self.hidden = np.zeros((*shape, len(growth.flights)))
        self.packets = np.zeros(shape)
        self.round_trips = np.zeros(shape)
        self.timeouts = np.zeros(shape)
        self.retransmits = np.zeros(shape)
        self.third_duplicate = np.zeros(shape)
        self.squares = np.zeros(shape)

    def time_out(self, probability: Floats, flight: Floats, holes: Ints) -> None:
        """Add timeouts; `flight` decides the threshold, `holes` the packets to send again."""
        threshold = nearest(self.growth.thresholds, np.ceil(flight / 2))
        state = threshold * MOST_HOLES + np.minimum(holes, MOST_HOLES) - 1
        drops, flights, states = self.timed_out.shape
        line = np.arange(drops * flights).reshape(drops, flights, *(1,) * (state.ndim - 2))
        index = np.broadcast_to(line * states + state, probability.shape)
        size = self.timed_out.size
        self.timed_out += np.bincount(index.ravel(), probability.ravel(), size).reshape(
            self.timed_out.shape
        )
        self.timeouts += probability.reshape(drops, flights, -1).sum(axis=2)

    def compose(self) -> Recovery:
        """Add the recoveries from losses that show only at the end of another recovery."""
        names = Recovery.__struct_fields__
        first = {name: getattr(self, name) for name in names}
        total = dict(first)
        for _ in range(_HIDDEN_ROUNDS):
            total = {
                name: value
                + (
                    np.einsum("gfh,ghs->gfs", self.hidden, total[name])
                    if value.ndim == 3  # noqa: PLR2004
                    else np.einsum("gfh,gh->gf", self.hidden, total[name])
                )
                for name, value in first.items()
            }
        return Recovery(**total)


def _plain_timeouts(sums: _Sums, start: _Flights, *, timer_first: bool) -> None:
    kept_ratio = 1 - start.drop[:, None, None]
    missed = start.probability * (1 - start.repair)
    early_ratio = start.probability * start.repair if timer_first else 0 * missed
    holes = np.broadcast_to(start.losses + 1, missed.shape)
    flight = np.broadcast_to(start.flight, missed.shape).astype(np.float64)
    arrivals = np.maximum(start.flight - 1 - start.losses, 0).astype(np.float64)
    sums.time_out(missed, flight, holes)
    sums.time_out(early_ratio, flight, holes)
    duplicates = wasted_packets(holes.astype(np.float64), arrivals)
    sums.packets += ((missed + early_ratio) * kept_ratio * duplicates + early_ratio).sum(axis=2)
    # the flight drains evenly in a round trip
    sums.squares += ((missed + early_ratio) * arrivals**2 / 3).sum(axis=2)
    sums.retransmits += early_ratio.sum(axis=2)


def _repairs(sums: _Sums, start: _Flights, new: Floats) -> None:
    kept_ratio = 1 - start.drop[:, None, None]
    beginning = start.probability * start.repair
    completion = beginning * kept_ratio ** (1 + start.losses)
    is_within = np.arange(new.shape[-1]) < start.losses[..., None]
    extra = np.where(is_within, new, 0.0).sum(axis=3)  # sent and acknowledged within the recovery
    no_loss = kept_ratio**extra
    growth = sums.growth
    by_flight = (completion * no_loss).sum(axis=2)
    rows = np.maximum(np.arange(len(growth.flights)) - 3, 0)
    for column, row in enumerate(rows):
        sums.repaired[:, column, row] += by_flight[:, column]
    halves = nearest(growth.flights, np.maximum(growth.flights // 2, 2))
    hidden = (completion * (1 - no_loss)).sum(axis=2)
    for column, half in enumerate(halves):
        sums.hidden[:, column, half] += hidden[:, column]
    sums.packets += (completion * (1 + start.losses + extra)).sum(axis=2)
    sums.round_trips += (completion * (1 + start.losses)).sum(axis=2)
    sums.retransmits += beginning.sum(axis=2)
    sums.third_duplicate += completion.sum(axis=2)
    arrived = np.maximum(start.flight - 1 - start.losses, 0)
    sums.squares += (beginning * arrived**2 * _DRAIN_TO_HALF).sum(axis=2)
    sums.squares += (completion * start.losses * (start.flight / 2) ** 2).sum(axis=2)


def _failed_repairs(
    sums: _Sums, start: _Flights, new: Floats, timeout_rtt: float, receiver_window: int
) -> None:
    """A lost retransmission: new packets go on, one for each arrival, until the timer ends."""
    lost, kept_ratio = start.drop[:, None, None, None], 1 - start.drop[:, None, None, None]
    losses, flight = start.losses[..., None], start.flight[..., None]
    attempt = np.arange(1, _MOST_LOSSES + 2)
    beginning = (start.probability * start.repair)[..., None]
    failed = np.where(attempt <= losses + 1, beginning * kept_ratio ** (attempt - 1) * lost, 0.0)
    sent = np.cumsum(new, axis=3)[..., :-1]
    turns = max(timeout_rtt - 1, 0.0)
    continuation = (
        new[..., :-1] * kept_ratio * (1 - kept_ratio**turns) / np.maximum(1 - kept_ratio, 1e-9)
    )
    acknowledged = (attempt - 1) * flight / (losses + 1)
    room = np.maximum(receiver_window - flight + acknowledged, 0)
    fresh = np.minimum(sent + continuation, room)
    in_flight = np.clip(flight - acknowledged + fresh, 1, receiver_window)
    arrivals = np.maximum(flight - 1 - losses, 0) * (1 - (attempt - 1) / (losses + 1))
    arrivals = arrivals + fresh * kept_ratio
    holes = np.maximum(losses - attempt + 2, 1)
    no_loss = kept_ratio**fresh
    one_loss = np.minimum(fresh * lost * kept_ratio ** np.maximum(fresh - 1, 0), 1 - no_loss)
    odds = (no_loss, one_loss, 1 - no_loss - one_loss)
    for extra_losses, loss_odds in enumerate(odds):
        probability = failed * loss_odds
        all_holes = np.broadcast_to(holes + extra_losses, probability.shape)
        sums.time_out(probability, in_flight, all_holes)
        duplicates = wasted_packets(all_holes.astype(np.float64), arrivals)
        sums.packets += (probability * kept_ratio * duplicates).sum(axis=(2, 3))
    sums.packets += (failed * (attempt + fresh)).sum(axis=(2, 3))
    sums.round_trips += (failed * (attempt - 1)).sum(axis=(2, 3))
    sums.squares += (failed * (attempt - 1) * (flight / 2) ** 2).sum(axis=(2, 3))
    sums.third_duplicate += (failed * (attempt > 1)).sum(axis=(2, 3))


def recovery(
    growth: Growth,
    drop_probabilities: Floats,
    timeout_rtt: float,
    *,
    receiver_window_packets: int,
    limited_transmit: bool,
    timer_first: bool = False,
) -> Recovery:
    """Outcomes of the first loss of a period, for each flight and drop probability.

    Parameters
    ----------
    growth : Growth
        Flights and thresholds that are told apart.
    drop_probabilities : array, shape (P,)
        Of every packet, retransmissions too.
    timeout_rtt : float
        Retransmission timeout in round trips.
    receiver_window_packets : int
        Largest flight.
    limited_transmit : bool
        RFC 3042.
    timer_first : bool
        The timer ends before a retransmission can be acknowledged (long round trips).

    Notes
    -----
    From the f - 1 packets behind the lost one, j are lost too. With fewer than three duplicates the
    timer has to end. Else j + 1 retransmissions follow, one per round trip (RFC 6582); if one of
    them is lost, the timer has to end as well. More than six losses are counted as six.
    """
    start = _flights(
        growth,
        drop_probabilities,
        receiver_window=receiver_window_packets,
        limited=limited_transmit,
    )
    new = _new_packets(start, receiver_window_packets)
    sums = _Sums(growth, len(drop_probabilities))
    _plain_timeouts(sums, start, timer_first=timer_first)
    if not timer_first:
        _repairs(sums, start, new)
        _failed_repairs(sums, start, new, timeout_rtt, receiver_window_packets)
    return sums.compose()
