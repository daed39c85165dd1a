"""When a packet has been sent for which others go first: fixed points of what may precede it."""

from collections.abc import Iterator, Sequence
from math import floor, inf
from typing import Self

from msgspec import Struct

from advisor.theory.bounds.curves import MOST_ROUNDS, Curve, Curves, fit_wire, work_ms

_ROUNDING = 1e-12  # numeric: sums of times


class Own(Struct, frozen=True):
    """A packet and those before it in its own queue or conversation."""

    work_ms: float
    frame_bytes: float

    @classmethod
    def of(cls, curve: Curve, window_ms: float) -> Self:
        """All that a curve brings within a window."""
        return cls(curve.work_ms(window_ms), curve.sent_bytes(window_ms))


class Rival(Struct, frozen=True):
    """A queue that is sent in turn with the queue of a packet, or `number` conversations alike.

    While a queue of weight w sends B bytes, self-clocked fair queueing sends of a queue of weight
    ``ratio * w`` one packet, and others of at most ``ratio * B`` bytes: the head had a tag of at
    least the virtual time, and the tags of those behind it are not above that of the packet (S. J.
    Golestani, IEEE INFOCOM 1994). An infinite `ratio`: nothing is known of the order.

    The head of a queue of `conversations` may change: instead of one packet it sends others of as
    many bytes. When a smaller one becomes the head of such a queue, the virtual time falls, and a
    queue that then becomes backlogged is ahead, as if the packet's queue had `lead_bytes` more.
    """

    curve: Curve
    ratio: float
    held_ms: float  # most work that waits when the packet comes
    number: int = 1
    conversations: bool = False
    lead_bytes: float = 0.0

    def shared_bytes(self, own: Own) -> float:
        """Most bytes that are sent in turn with those of the packet's queue."""
        return self.number * (self.curve.most_bytes + self._spare_bytes(own))

    def shared_ms(self, own: Own) -> float:
        """Most work that is sent in turn with that of the packet's queue."""
        spare_bytes = self._spare_bytes(own)
        longest_ms = first_ms = self.curve.longest_ms
        if spare_bytes == inf:
            return inf
        if self.conversations:
            first_ms = max(longest_ms, self.curve.most_bytes * self.curve.ms_per_byte)
        if self.curve.least_bytes == self.curve.most_bytes:
            more_ms = round(spare_bytes / self.curve.most_bytes) * longest_ms
        else:
            per_byte = self.curve.ms_per_byte
            more_ms = spare_bytes * per_byte
        return self.number * (first_ms + more_ms)

    def _spare_bytes(self, own: Own) -> float:
        """Most bytes of whole packets behind the first one."""
        bytes_ = (own.frame_bytes + self.lead_bytes) * self.ratio * (1 + _ROUNDING)
        if bytes_ < self.curve.least_bytes:
            return 0.0
        if bytes_ < inf and self.curve.least_bytes == self.curve.most_bytes:
            return floor(bytes_ / self.curve.most_bytes) * self.curve.most_bytes
        return bytes_


class Wait(Struct, frozen=True):
    """What may be sent before a packet.

    Until the packet enters the ring, `tail_ms` before it has been sent or earlier, packets of
    `higher` curves pass it, and `mates`, the other conversations of its queue, and `rivals`, the
    other queues, are sent in turn with it. `ahead_ms` is before all of them.
    """

    ahead_ms: float
    higher: Curves
    tail_ms: float
    mates: Sequence[Rival] = ()
    rivals: Sequence[Rival] = ()

    def sent_ms(self, own: Own, at_ms: float = 0.0, since_ms: float = 0.0) -> float:
        """When a packet that comes at `at_ms` has been sent; its queue waits since time 0.

        `since_ms` is a time before which it has not been sent.

        From time 0 on packets wait, so the ring is full and the wire busy. At a time u at which the
        packet waits, all that entered the ring before it is part of what came by then. So once
        that is no more than u and the least content of a full ring, the packet enters.
        """
        limits = [(rival, rival.held_ms, most_ms) for rival, most_ms in self._in_turn(own)]
        return self._least_ms(limits, self.ahead_ms + own.work_ms, at_ms, since_ms)

    def sent_since_empty_ms(self, own: Own, at_ms: float, since_ms: float = 0.0) -> float:
        """As `sent_ms`, where the interface was empty before time 0; nothing is `ahead_ms`.

        What is sent in turn with the packet comes beside what came before it.
        """
        limits = [
            (rival, 0.0, rival.curve.work_ms(at_ms) + most_ms)
            for rival, most_ms in self._in_turn(own)
        ]
        return self._least_ms(limits, own.work_ms, at_ms, since_ms)

    def _in_turn(self, own: Own) -> Iterator[tuple[Rival, float]]:
        """Rivals with the most work that is sent in turn with the packets of its own queue."""
        for mate in self.mates:
            yield mate, mate.shared_ms(own)
        more_bytes = sum(mate.shared_bytes(own) for mate in self.mates)
        total = Own(own.work_ms, own.frame_bytes + more_bytes)
        for rival in self.rivals:
            yield rival, rival.shared_ms(total)

    def _least_ms(
        self,
        in_turn: Sequence[tuple[Rival, float, float]],
        ahead_ms: float,
        at_ms: float,
        since_ms: float,
    ) -> float:
        """Least fixed point; a rival sends no more than `held + what comes`, nor than its most."""
        slope, until_ms = sum(curve.slope for curve in self.higher), since_ms
        if inf in (ahead_ms, since_ms) or not fit_wire(self.higher):
            return inf
        for _ in range(MOST_ROUNDS):
            entered_ms = max(at_ms, until_ms - self.tail_ms)
            passed_ms = work_ms(self.higher, entered_ms)
            beside_ms = sum(
                [
                    min(most_ms, held_ms + rival.curve.work_ms(entered_ms))
                    for rival, held_ms, most_ms in in_turn
                ]
            )
            longer_ms = ahead_ms + beside_ms + passed_ms
            if longer_ms == inf or longer_ms <= until_ms * (1 + _ROUNDING):
                return max(longer_ms, until_ms)
            rises = slope if until_ms - self.tail_ms >= at_ms else 0.0
            until_ms += (longer_ms - until_ms) / (1 - rises)
        return inf
