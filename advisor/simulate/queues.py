"""The software queues of an interface: their drops and their next packet."""

from collections import deque
from heapq import heappop, heappush
from typing import Protocol

from advisor.simulate.frames import Packet
from advisor.units import bps_from_kbps, bytes_in_ms


class Discipline(Protocol):
    """Order of the packets inside one class."""

    def __len__(self) -> int:
        """Packets that wait."""

    def has_room(self, packet: Packet) -> bool:
        """Whether the packet would not be tail-dropped."""

    def push(self, packet: Packet) -> None:
        """Take the packet in, room or not."""

    def next_bytes(self) -> int:
        """Frame bytes of the packet that `pop` will give."""

    def pop(self) -> Packet:
        """Give the next packet away."""


class Fifo:
    """First in, first out."""

    def __init__(self) -> None:
        self._packets: deque[Packet] = deque()

    def __len__(self) -> int:
        return len(self._packets)

    def has_room(self, packet: Packet) -> bool:  # noqa: ARG002 - the class alone has a limit
        return True

    def push(self, packet: Packet) -> None:
        self._packets.append(packet)

    def next_bytes(self) -> int:
        return self._packets[0].frame.frame_bytes

    def pop(self) -> Packet:
        return self._packets.popleft()


class _Conversation:
    __slots__ = ("packets", "tag")

    def __init__(self) -> None:
        self.packets: deque[Packet] = deque()
        self.tag = 0.0


class FairFlows:
    """Self-clocked fair queueing of conversations with equal weights.

    Source: S. J. Golestani, "A self-clocked fair queueing scheme for broadband applications",
    IEEE INFOCOM 1994.
    """

    def __init__(self, per_flow_limit: int) -> None:
        self._limit = per_flow_limit
        self._conversations: dict[tuple[int, int], _Conversation] = {}
        # heads: finish tag, order of becoming head, conversation
        self._heads: list[tuple[float, int, _Conversation]] = []
        self._virtual_time = 0.0
        self._turn = 0
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    def has_room(self, packet: Packet) -> bool:
        conversation = self._conversations.get((packet.stream, packet.conversation))
        return conversation is None or len(conversation.packets) < self._limit

    def push(self, packet: Packet) -> None:
        key = (packet.stream, packet.conversation)
        conversation = self._conversations.get(key)
        if conversation is None:
            conversation = self._conversations[key] = _Conversation()
        self._waiting += 1
        conversation.packets.append(packet)
        if len(conversation.packets) == 1:
            self._becomes_head(conversation, max(conversation.tag, self._virtual_time))

    def _becomes_head(self, conversation: _Conversation, start_tag: float) -> None:
        conversation.tag = start_tag + conversation.packets[0].frame.frame_bytes
        self._turn += 1
        heappush(self._heads, (conversation.tag, self._turn, conversation))

    def next_bytes(self) -> int:
        return self._heads[0][2].packets[0].frame.frame_bytes

    def pop(self) -> Packet:
        self._virtual_time, _, conversation = heappop(self._heads)
        packet = conversation.packets.popleft()
        self._waiting -= 1
        if conversation.packets:
            self._becomes_head(conversation, conversation.tag)
        elif not self._waiting:
            self._conversations.clear()
            self._virtual_time = 0.0
        return packet


class Policer:
    """Token bucket of a priority class; full at the start, metered only under congestion."""

    def __init__(self, priority_kbps: float, burst_bytes: float) -> None:
        self._bytes_per_ms = bytes_in_ms(bps_from_kbps(priority_kbps), 1.0)
        self._burst_bytes = self._tokens_bytes = burst_bytes
        self._filled_ms = 0.0

    def conforms(self, now_ms: float, frame_bytes: int) -> bool:
        """Take the packet's tokens, if there are enough."""
        refill_bytes = (now_ms - self._filled_ms) * self._bytes_per_ms
        self._tokens_bytes = min(self._burst_bytes, self._tokens_bytes + refill_bytes)
        self._filled_ms = now_ms
        if self._tokens_bytes < frame_bytes:
            return False
        self._tokens_bytes -= frame_bytes
        return True
