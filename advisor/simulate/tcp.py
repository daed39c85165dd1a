"""A TCP sender and its receiver, counted in packets: NewReno without SACK.

Slow start and congestion avoidance by acknowledgements, fast retransmit and recovery (RFC 6582),
timeouts (RFC 6298) with go-back-N. Knows no link: times and losses come from outside.
"""

from math import inf

from msgspec import Struct, field

from advisor.ground.units import ms_from_s
from advisor.model import Tcp

_FIRST_RTO_MS = ms_from_s(1)
_LARGEST_RTO_MS = ms_from_s(60)
_DUPLICATES_FOR_RETRANSMIT = 3
_LEAST_THRESHOLD_PACKETS = 2.0


class Receiver(Struct, eq=False):
    """Acknowledges every packet with the number of the first one that is missing."""

    expected: int = 0
    _beyond: set[int] = field(default_factory=set)

    def receive(self, number: int) -> int:
        """Take a packet in and give the acknowledgement."""
        if number == self.expected:
            self.expected += 1
            while self.expected in self._beyond:
                self._beyond.remove(self.expected)
                self.expected += 1
        elif number > self.expected:
            self._beyond.add(number)
        return self.expected


class RetransmissionTimer(Struct):
    """Round-trip estimate and timeout of RFC 6298; times in ms."""

    minimum_ms: float
    timeout_ms: float = _FIRST_RTO_MS
    _smoothed_ms: float | None = None
    _variation_ms: float = 0.0

    def measured(self, round_trip_ms: float) -> None:
        """Add a round trip to the averages."""
        if self._smoothed_ms is None:
            self._smoothed_ms, self._variation_ms = round_trip_ms, round_trip_ms / 2
        else:
            off_ms = abs(self._smoothed_ms - round_trip_ms)
            self._variation_ms += (off_ms - self._variation_ms) / 4
            self._smoothed_ms += (round_trip_ms - self._smoothed_ms) / 8

    def progressed(self) -> None:
        """Reset the doubled timeout: the network has acknowledged a new packet."""
        if self._smoothed_ms is None:
            self.timeout_ms = _FIRST_RTO_MS
        else:
            estimate_ms = self._smoothed_ms + 4 * self._variation_ms
            self.timeout_ms = min(_LARGEST_RTO_MS, max(self.minimum_ms, estimate_ms))

    def back_off(self) -> None:
        """Double the timeout."""
        self.timeout_ms = min(_LARGEST_RTO_MS, 2 * self.timeout_ms)


class Sender(Struct, eq=False):
    """One connection. `timeout_at_ms` is when `time_out` is due; inf: nothing is in flight.

    Every method that may send returns the numbers of the packets to send, in order.
    """

    _flow: Tcp
    timeout_at_ms: float = inf
    _congestion_window: float = 0.0
    _threshold: float = inf
    _unacknowledged: int = 0
    _next: int = 0
    _highest_sent: int = 0  # one above the highest number that was ever sent
    _duplicates: int = 0
    _recovering: bool = False
    _recover: int = 0
    # When packets were sent that may still measure a round trip: none of those in flight at a
    # repeat, whose acknowledgement may have waited for the repeat (Karn).
    _sent_ms: dict[int, float] = field(default_factory=dict)
    _timer: RetransmissionTimer = field(default_factory=lambda: RetransmissionTimer(0.0))

    def __post_init__(self) -> None:
        self._congestion_window = float(self._flow.initial_window_packets)
        self._timer.minimum_ms = self._flow.minimum_rto_ms

    @property
    def finished(self) -> bool:
        """Whether the whole transfer has been acknowledged."""
        return self._unacknowledged == self._flow.transfer_packets

    def send(self, now_ms: float, beyond_window: int = 0) -> list[int]:
        """Send the packets that the windows permit."""
        window = min(int(self._congestion_window), self._flow.receiver_window_packets)
        end = self._unacknowledged + window + beyond_window
        if self._flow.transfer_packets is not None:
            end = min(end, self._flow.transfer_packets)
        numbers = list(range(self._next, end))
        for number in numbers:
            self._note_sent(number, now_ms)
        self._next = max(self._next, end)
        return numbers

    def _note_sent(self, number: int, now_ms: float) -> None:
        if number >= self._highest_sent:
            self._highest_sent = number + 1
            self._sent_ms[number] = now_ms
        else:
            self._sent_ms.clear()
        if self.timeout_at_ms == inf:
            self.timeout_at_ms = now_ms + self._timer.timeout_ms

    def _resend_first(self, now_ms: float) -> int:
        self._note_sent(self._unacknowledged, now_ms)
        self._next = max(self._next, self._unacknowledged + 1)
        return self._unacknowledged

    def acknowledged(self, number: int, now_ms: float) -> list[int]:
        """Take an acknowledgement of all packets below `number`."""
        if number > self._unacknowledged:
            return self._progress(number, now_ms)
        if number == self._unacknowledged and self._highest_sent > self._unacknowledged:
            return self._duplicate(now_ms)
        return []

    def _progress(self, number: int, now_ms: float) -> list[int]:
        newly_acknowledged = number - self._unacknowledged
        sent_ms = self._sent_ms.get(number - 1)
        if sent_ms is not None:
            self._timer.measured(now_ms - sent_ms)
        self._timer.progressed()
        for acknowledged in range(self._unacknowledged, number):
            self._sent_ms.pop(acknowledged, None)
        self._unacknowledged = number
        self._next = max(self._next, number)
        in_flight = self._highest_sent > number
        self.timeout_at_ms = now_ms + self._timer.timeout_ms if in_flight else inf
        self._duplicates = 0
        if self._recovering and number < self._recover:
            self._congestion_window = max(1.0, self._congestion_window - newly_acknowledged + 1)
            return [self._resend_first(now_ms), *self.send(now_ms)]
        if self._recovering:
            self._recovering = False
            self._congestion_window = self._threshold
        elif self._congestion_window < self._threshold:
            self._congestion_window += 1
        else:
            self._congestion_window += 1 / self._congestion_window
        return self.send(now_ms)

    def _duplicate(self, now_ms: float) -> list[int]:
        if self._recovering:
            self._congestion_window += 1
            return self.send(now_ms)
        self._duplicates += 1
        if self._duplicates < _DUPLICATES_FOR_RETRANSMIT:
            return self.send(now_ms, self._duplicates) if self._flow.limited_transmit else []
        # duplicates of packets that a timeout repeated do not show a loss (RFC 6582, 3.2)
        if self._duplicates > _DUPLICATES_FOR_RETRANSMIT or self._unacknowledged < self._recover:
            return []
        self._halve()
        self._recovering = True
        self._congestion_window = self._threshold + _DUPLICATES_FOR_RETRANSMIT
        self.timeout_at_ms = now_ms + self._timer.timeout_ms
        return [self._resend_first(now_ms), *self.send(now_ms)]

    def _halve(self) -> None:
        in_flight = self._next - self._unacknowledged
        self._threshold = max(in_flight / 2, _LEAST_THRESHOLD_PACKETS)
        self._recover = self._highest_sent

    def time_out(self, now_ms: float) -> list[int]:
        """Go back to the first packet that is missing, with a window of one."""
        self._halve()
        self._recovering = False
        self._duplicates = 0
        self._congestion_window = 1.0
        self._timer.back_off()
        self._next = self._unacknowledged
        self.timeout_at_ms = inf
        return self.send(now_ms)
