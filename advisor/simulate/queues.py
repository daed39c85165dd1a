"""The software queues of an interface: their drops and their next packet."""

from collections import deque
from collections.abc import Container, Mapping
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import Protocol

from advisor.simulate.frames import Packet


class Discipline(Protocol):
    """Order of the packets inside one class.

    `drops_worst`: above the limit of the class not the arrival is dropped, but the worst packet.
    """

    drops_worst: bool

    def __len__(self) -> int:
        """Packets that wait."""

    def has_room(self, packet: Packet) -> bool:
        """Whether the packet would not be tail-dropped."""

    def push(self, packet: Packet) -> None:
        """Take the packet in, room or not."""

    def head(self) -> Packet:
        """The packet that `pop` will give."""

    def pop(self) -> Packet:
        """Give the next packet away."""

    def pop_worst(self, kept: Container[int]) -> Packet:
        """Give the packet away that would be the last to be sent, none of the streams in `kept`."""


class Fifo:
    """First in, first out."""

    drops_worst = False

    def __init__(self) -> None:
        self._packets: deque[Packet] = deque()

    def __len__(self) -> int:
        return len(self._packets)

    def has_room(self, packet: Packet) -> bool:  # noqa: ARG002 - the class alone has a limit
        return True

    def push(self, packet: Packet) -> None:
        self._packets.append(packet)

    def head(self) -> Packet:
        return self._packets[0]

    def pop(self) -> Packet:
        return self._packets.popleft()

    def pop_worst(self, kept: Container[int]) -> Packet:
        place = next(at for at, one in enumerate(reversed(self._packets)) if one.stream not in kept)
        packet = self._packets[-1 - place]
        del self._packets[-1 - place]
        return packet


class _Conversation:
    """Packets of one conversation; `tag` is the finish tag of its head, or of its last packet."""

    __slots__ = ("packets", "tag", "weight")

    def __init__(self, weight: float) -> None:
        self.packets: deque[Packet] = deque()
        self.tag = 0.0
        self.weight = weight

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

    def has_room(self, packet: Packet) -> bool:
        conversation = self._conversations.get((packet.stream, packet.conversation))
        return conversation is None or len(conversation.packets) < self._limit

    def push(self, packet: Packet) -> None:
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

    def head(self) -> Packet:
        return self._heads[0][2].packets[0]

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

    def pop_worst(self, kept: Container[int]) -> Packet:
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
