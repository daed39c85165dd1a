"""`show queue`: the packets that wait in the software queue of one interface or VC."""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.shows.interfaces import QueueState, queue_state, take_queue_line
from advisor.shows.output import Output, figures_of, record_of, take_facts

_EXPECTED: Final = "show queue"


class WaitingPacket(Struct, frozen=True):
    """The packet at the head of a conversation, or one packet of a WRED or FIFO queue.

    `length_bytes` includes the layer-2 header. Only IP packets have addresses and ports.
    """

    link_type: str
    length_bytes: int
    source: str | None
    destination: str | None
    time_to_live: int | None
    type_of_service: int | None
    protocol_number: int | None
    source_port: int | None
    destination_port: int | None
    at: Location


class Conversation(Struct, frozen=True):
    """One flow or class of a fair queue. Numbers above the dynamic queues belong to classes."""

    number: int | None
    depth_packets: int | None
    weight: int | None
    drops_packets: int | None
    no_buffer_drops_packets: int | None
    tail_drops_packets: int | None
    interleaves: int | None
    packet: WaitingPacket | None
    at: Location


class QueueContents(Struct, frozen=True):
    """A `show queue` output.

    Only WRED queues and VCs print `interface`; it is None otherwise. `queues` is None if no queue
    line is printed. `is_fifo` is set for FIFO interfaces, which print only that they do not support
    the command.
    """

    interface: str | None
    queues: QueueState | None
    conversations: tuple[Conversation, ...]
    packets: tuple[WaitingPacket, ...]
    is_fifo: bool
    at: Location


_LABELLED: Final = re.compile(r"\((depth/weight(?:/[a-z -]+)+)\) (-?\d+(?:/-?\d+)+)")
_LAYOUT: Final = layout("shows/queueing/lines.txt")
_LABELS: Final = _LAYOUT.fields("conversation")
_PACKET: Final = _LAYOUT.part("PACKET")
_DETAILS: Final = _LAYOUT.patterns("details").values()
_NAMES: Final = _LAYOUT.patterns("names").values()
_FIFO: Final = re.compile(r"'Show queue' not supported with FIFO queueing\.?", re.IGNORECASE)


class _ShownPart(Struct):
    """A conversation or packet while its lines are read."""

    at: Location
    fields: dict[str, str] = field(default_factory=dict)


class _QueueDraft(Struct):
    fields: dict[str, str] = field(default_factory=dict)
    conversations: list[_ShownPart] = field(default_factory=list)
    packets: list[_ShownPart] = field(default_factory=list)
    open: _ShownPart | None = None
    is_fifo: bool = False

    def take(self, body: str, at: Location) -> bool:
        """Read one line; False if it is not known."""
        if _FIFO.fullmatch(body):
            self.is_fifo = True
            return True
        labelled, packet = _LABELLED.fullmatch(body), _PACKET.fullmatch(body)
        if labelled is not None:
            figures = figures_of(_LABELS, labelled[1].split("/"), labelled[2].split("/"))
            self.open = _ShownPart(at, figures or {})
            self.conversations.append(self.open)
            return figures is not None
        if packet is not None and packet["kind"] == "Packet":
            self.open = _ShownPart(at)
            self.packets.append(self.open)
        of_part = (_PACKET, *_DETAILS)
        is_of_part = self.open is not None and take_facts(body, self.open.fields, of_part)
        return (
            is_of_part
            or take_facts(body, self.fields, _NAMES)
            or take_queue_line(body, self.fields)
        )


def read_queue(text: str, file: str, first_line: int = 1) -> QueueContents:
    """The packets that wait in the queue of one interface or VC.

    Raises
    ------
    LayoutError
        At a line of another layout, and if nothing is printed.
    """
    output = Output(text, file, first_line, _EXPECTED)
    draft, start = _QueueDraft(), None
    for line in output.lines():
        if not draft.take(line.text, output.at(line)):
            raise output.unknown(line)
        start = start or output.at(line)
    if start is None:
        raise output.nothing()
    has_queues = bool(draft.fields.keys() - {"interface", "queue_drops"})
    return QueueContents(
        interface=draft.fields.get("interface"),
        queues=queue_state(draft.fields) if has_queues else None,
        conversations=tuple(_conversation(part) for part in draft.conversations),
        packets=tuple(_packet(part.fields, part.at) for part in draft.packets),
        is_fifo=draft.is_fifo,
        at=start,
    )


def _conversation(part: _ShownPart) -> Conversation:
    packet = _packet(part.fields, part.at) if "length_bytes" in part.fields else None
    return record_of(Conversation, part.fields, packet=packet, at=part.at)


def _packet(fields: Mapping[str, str], at: Location) -> WaitingPacket:
    return record_of(WaitingPacket, fields, at=at)
