"""Software queues of an interface, with WRED's random drops and token buckets."""

from collections import deque
from collections.abc import Container, Mapping
from heapq import heapify, heappop, heappush
from itertools import islice
from math import ceil, floor
from random import Random
from typing import Protocol

from msgspec import Struct, field

from advisor.ground.units import bits_from_bytes, bytes_in_ms, ms_from_s
from advisor.model import (
    DropProfile,
    Interface,
    Policer,
    Refill,
    Shaper,
    WredAverage,
    counted_framing,
)
from advisor.simulate.packets import ArrivedPacket, Frame, counted_bytes

# WRED: the average queue size that arrivals keep, and the random drops it makes.


class AverageQueue:
    """Average queue size of one class, and the draws against its profiles.

    Draws are independent of each other: no count since the last drop enters. `dropped_at_random`:
    the latest drop came below the maximum threshold.
    """

    __slots__ = (
        "_idle_since_ms",
        "_packet_ms",
        "_random",
        "_weight",
        "average",
        "dropped_at_random",
    )

    def __init__(self, wred: WredAverage, packet_ms: float, random: Random) -> None:
        self._weight = 0.5**wred.exponent
        self._packet_ms = packet_ms if wred.idle_packet_ms is None else wred.idle_packet_ms
        self._random = random
        self.average = 0.0
        self.dropped_at_random = False
        self._idle_since_ms = 0.0

    def emptied(self, now_ms: float) -> None:
        """Note that the software queue has become empty."""
        self._idle_since_ms = now_ms

    def drops(self, now_ms: float, waiting: int, profile: DropProfile | None) -> bool:
        """Average in an arrival that finds `waiting` packets, and draw whether it is dropped."""
        if waiting:
            self.average += self._weight * (waiting - self.average)
        else:
            idle_packets = (now_ms - self._idle_since_ms) / self._packet_ms
            self.average *= (1 - self._weight) ** idle_packets
            self._idle_since_ms = now_ms
        average = self.average
        if profile is None or average < profile.min_threshold_packets:
            return False
        excess = average - profile.min_threshold_packets
        self.dropped_at_random = average < profile.max_threshold_packets
        if not self.dropped_at_random:
            return True
        width = profile.max_threshold_packets - profile.min_threshold_packets
        return self._random.random() < excess / width / profile.mark_probability_denominator


# Token buckets: policers that drop, shapers that make packets wait.

_ROUNDING_BITS = 0.5  # packets are whole bits: what is missing below it is rounding
_ROUNDING_TICKS = 1e-9


class PolicerBucket:
    """Token bucket that is full at the start and meters the packets it is shown."""

    def __init__(self, policer: Policer, line: Interface) -> None:
        self._bytes_per_ms = bytes_in_ms(policer.rate_bps, 1.0)
        self._burst_bytes = self._tokens_bytes = policer.burst_bytes
        self._framing = counted_framing(policer, line.framing)
        self._filled_ms = 0.0

    def conforms(self, now_ms: float, ip_bytes: int) -> bool:
        """Take the packet's tokens, if there are enough."""
        frame_bytes = counted_bytes(ip_bytes, self._framing)
        refill_bytes = (now_ms - self._filled_ms) * self._bytes_per_ms
        self._tokens_bytes = min(self._burst_bytes, self._tokens_bytes + refill_bytes)
        self._filled_ms = now_ms
        if self._tokens_bytes < frame_bytes:
            return False
        self._tokens_bytes -= frame_bytes
        return True


class ShaperBucket:
    """Token bucket of Bc + Be bits, full at the start; tokens come per Tc or as time goes.

    A packet above the depth passes when the bucket is full, and leaves a debt. While a packet is
    held (`hold`), tokens above the depth are not lost: the shaper keeps its rate.
    """

    __slots__ = (
        "_bits_per_ms",
        "_committed_bits",
        "_counted_bits",
        "_depth_bits",
        "_filled_ms",
        "_framing",
        "_holds",
        "_interval_ms",
        "_is_smooth",
        "_phase_ms",
        "_ticks",
        "_tokens_bits",
    )

    def __init__(self, shaper: Shaper, line: Interface, random: Random) -> None:
        self._is_smooth = shaper.refill is Refill.SMOOTH
        self._framing = counted_framing(shaper, line.framing)
        self._bits_per_ms = shaper.rate_bps / ms_from_s(1)
        self._committed_bits = shaper.committed_bits
        self._depth_bits = shaper.committed_bits + shaper.excess_bits
        self._interval_ms = shaper.interval_ms
        self._tokens_bits = self._depth_bits
        self._counted_bits: dict[int, float] = {}
        self._filled_ms = 0.0
        self._holds = False
        self._phase_ms = self._interval_ms * random.random()  # of the timer, which is not known
        self._ticks = 0  # of the timer, until `_filled_ms`

    def ready_ms(self, frame: Frame, now_ms: float) -> float:
        """When the packet may pass if nothing passes before it; not before `now_ms`."""
        self._refill(now_ms)
        missing_bits = min(self._bits(frame), self._depth_bits) - self._tokens_bits
        if missing_bits < _ROUNDING_BITS:
            return now_ms
        if self._is_smooth:
            return now_ms + missing_bits / self._bits_per_ms
        ticks = ceil((missing_bits - _ROUNDING_BITS) / self._committed_bits)
        return self._phase_ms + (self._ticks - 1 + ticks) * self._interval_ms

    def hold(self) -> None:
        """Note that a packet waits for tokens since the last `ready_ms`."""
        self._holds = True

    def take(self, frame: Frame) -> None:
        """Let the packet pass, at the time of the last `ready_ms`; another may still be held."""
        self._tokens_bits -= self._bits(frame)

    def release(self) -> None:
        """Note that the packet that was held passes."""
        self._holds = False

    def _refill(self, now_ms: float) -> None:
        if self._is_smooth:
            new_bits = (now_ms - self._filled_ms) * self._bits_per_ms
            self._filled_ms = now_ms
        else:
            since_first = (now_ms - self._phase_ms) / self._interval_ms
            ticks = max(0, floor(since_first + _ROUNDING_TICKS) + 1)
            new_bits = (ticks - self._ticks) * self._committed_bits
            self._ticks = ticks
        self._tokens_bits += new_bits
        if not self._holds:
            self._tokens_bits = min(self._depth_bits, self._tokens_bits)

    def _bits(self, frame: Frame) -> float:
        bits = self._counted_bits.get(frame.ip_bytes)
        if bits is None:
            counted = counted_bytes(frame.ip_bytes, self._framing)
            bits = self._counted_bits[frame.ip_bytes] = bits_from_bytes(counted)
        return bits


# The software queues of an interface: their drops and their next packet.


class Discipline(Protocol):
    """Order of the packets inside one class.

    `drops_worst`: above the limit of the class not the arrival is dropped, but the worst packet.
    """

    drops_worst: bool

    def __len__(self) -> int:
        """Packets that wait."""

    def has_room(self, packet: ArrivedPacket) -> bool:
        """Whether the packet would not be tail-dropped."""

    def push(self, packet: ArrivedPacket) -> None:
        """Take the packet in, room or not."""

    def head(self) -> ArrivedPacket:
        """The packet that `pop` will give."""

    def pop(self) -> ArrivedPacket:
        """Give the next packet away."""

    def pop_worst(self, kept: Container[int]) -> ArrivedPacket:
        """Give the packet away that would be the last to be sent, none of the streams in `kept`."""


class Fifo:
    """First in, first out."""

    drops_worst = False

    def __init__(self) -> None:
        self._packets: deque[ArrivedPacket] = deque()

    def __len__(self) -> int:
        return len(self._packets)

    def has_room(self, packet: ArrivedPacket) -> bool:  # noqa: ARG002 - the class alone has a limit
        return True

    def push(self, packet: ArrivedPacket) -> None:
        self._packets.append(packet)

    def head(self) -> ArrivedPacket:
        return self._packets[0]

    def pop(self) -> ArrivedPacket:
        return self._packets.popleft()

    def pop_worst(self, kept: Container[int]) -> ArrivedPacket:
        place = next(at for at, one in enumerate(reversed(self._packets)) if one.stream not in kept)
        packet = self._packets[-1 - place]
        del self._packets[-1 - place]
        return packet


class _Conversation(Struct, eq=False):
    """Packets of one conversation; `tag` is the finish tag of its head, or of its last packet."""

    weight: float
    packets: deque[ArrivedPacket] = field(default_factory=deque)
    tag: float = 0.0

    def last_tag(self) -> float:
        """Finish tag of its last packet."""
        behind = islice(self.packets, 1, None)
        return self.tag + sum(packet.frame.frame_bytes for packet in behind) / self.weight


class FairFlows:
    """Self-clocked fair queueing of conversations; `weights` of the streams, 1 if not named.

    Source: S. J. Golestani, "A self-clocked fair queueing scheme for broadband applications",
    IEEE INFOCOM 1994.
    """

    def __init__(
        self, per_flow_limit: int, weights: Mapping[int, float], *, drops_worst: bool = False
    ) -> None:
        self._limit = per_flow_limit
        self._weights = weights
        self.drops_worst = drops_worst
        self._conversations: dict[tuple[int, int], _Conversation] = {}
        # heads: finish tag, order of becoming head, conversation
        self._heads: list[tuple[float, int, _Conversation]] = []
        self._virtual_time = 0.0
        self._turn = 0
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    def has_room(self, packet: ArrivedPacket) -> bool:
        conversation = self._conversations.get((packet.stream, packet.conversation))
        return conversation is None or len(conversation.packets) < self._limit

    def push(self, packet: ArrivedPacket) -> None:
        key = (packet.stream, packet.conversation)
        conversation = self._conversations.get(key)
        if conversation is None:
            conversation = self._conversations[key] = _Conversation(
                self._weights.get(packet.stream, 1.0)
            )
        self._waiting += 1
        conversation.packets.append(packet)
        if len(conversation.packets) == 1:
            self._becomes_head(conversation, max(conversation.tag, self._virtual_time))

    def _becomes_head(self, conversation: _Conversation, start_tag: float) -> None:
        frame_bytes = conversation.packets[0].frame.frame_bytes
        conversation.tag = start_tag + frame_bytes / conversation.weight
        self._turn += 1
        heappush(self._heads, (conversation.tag, self._turn, conversation))

    def head(self) -> ArrivedPacket:
        return self._heads[0][2].packets[0]

    def pop(self) -> ArrivedPacket:
        self._virtual_time, _, conversation = heappop(self._heads)
        packet = conversation.packets.popleft()
        self._waiting -= 1
        if conversation.packets:
            self._becomes_head(conversation, conversation.tag)
        elif not self._waiting:
            self._conversations.clear()
            self._virtual_time = 0.0
        return packet

    def pop_worst(self, kept: Container[int]) -> ArrivedPacket:
        backlogged = (
            conversation
            for _, _, conversation in self._heads
            if conversation.packets[0].stream not in kept
        )
        worst = max(backlogged, key=lambda one: (one.last_tag(), one.packets[-1].arrival_ms))
        self._waiting -= 1
        if len(worst.packets) > 1:
            return worst.packets.pop()
        (place,) = (place for place, head in enumerate(self._heads) if head[2] is worst)
        self._heads.pop(place)
        heapify(self._heads)
        packet = worst.packets.pop()
        worst.tag -= packet.frame.frame_bytes / worst.weight
        return packet
