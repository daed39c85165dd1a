"""Queue lines that `show interfaces`, `show queueing` and `show queue` share."""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from advisor.ground.units import bps_from_kbps
from advisor.ios.grammar import layout
from advisor.shows.output import count, figures_of, record_of, take_facts


class ListQueue(Struct, frozen=True):
    """One queue of priority or custom queueing: `high`, or the number of the queue."""

    name: str
    size_packets: int | None
    limit_packets: int | None
    drops_packets: int | None


class QueueState(Struct, frozen=True):
    """Input and output queue of an interface or VC; None if IOS does not print a figure.

    `strategy` is in the words of IOS: `fifo`, `weighted fair`, `Class-based queueing`.
    `discard_threshold_packets` is the length at which WFQ drops from a conversation;
    `interleaves` counts packets that LFI sent between the fragments of another.
    """

    strategy: str | None
    input_size_packets: int | None
    input_limit_packets: int | None
    input_drops_packets: int | None
    input_flushes_packets: int | None
    total_output_drops_packets: int | None
    output_size_packets: int | None
    output_limit_packets: int | None
    discard_threshold_packets: int | None
    output_drops_packets: int | None
    interleaves: int | None
    active_conversations: int | None
    max_active_conversations: int | None
    max_conversations: int | None
    reserved_conversations: int | None
    max_reserved_conversations: int | None
    available_bandwidth_bps: float | None
    lists: tuple[ListQueue, ...]

    @property
    def all_output_drops_packets(self) -> int | None:
        """Output drops: the total, where IOS prints it."""
        total = self.total_output_drops_packets
        return total if total is not None else self.output_drops_packets


_FIGURES = r"(?P<figures>-?\d+(?:/-?\d+)*)\s*\((?P<labels>[a-z/ ]+)\)"
_LABELLED: Final = re.compile(
    r"(?P<subject>Input queue|Output queue|Conversations|Reserved Conversations)\s*+:?\s*+"
    rf"{_FIGURES}(?:;\s*Total output drops:\s*(?P<drops>-?\d+))?",
    re.IGNORECASE,
)
_LAYOUT: Final = layout("shows/interfaces/lines.txt")
_PLAIN: Final = _LAYOUT.patterns("queue", re.IGNORECASE).values()
_LISTS: Final = re.compile(
    r"(?:(?:high|medium|normal|low|\d++)(?::\s*+\d++/\d++/-?\d++|/\d++),?\s*+)+", re.IGNORECASE
)
_LIST: Final = re.compile(r"(?<!\w)(\w+)(?::\s*(\d+)/(\d+)/(-?\d+)|/(\d+))")
_KEYS: Final = _LAYOUT.fields("queue figures")
_STARTS: Final = ("Input", "Output q", "Conversations", "Reserved", "Queueing", "Total", "Availab")
LISTS_KEY: Final = "lists"


def take_queue_line(body: str, fields: dict[str, str]) -> bool:
    """Add the figures of a queue line to the raw fields; False if the line is unknown."""
    if body.startswith(_STARTS):
        return _take_labelled(body, fields) or take_facts(body, fields, _PLAIN)
    if _LISTS.fullmatch(body):
        fields[LISTS_KEY] = f"{fields.get(LISTS_KEY, '')} {body}"
        return True
    return False


def _take_labelled(body: str, fields: dict[str, str]) -> bool:
    match = _LABELLED.fullmatch(body)
    if match is None:
        return False
    subject = match["subject"].lower()
    labels = [f"{subject} {label.strip()}" for label in match["labels"].lower().split("/")]
    figures = figures_of(_KEYS, labels, match["figures"].split("/"))
    if figures is None:
        return False
    fields.update(figures)
    if match["drops"] is not None:
        fields["total_output_drops_packets"] = match["drops"]
    return True


def queue_state(fields: Mapping[str, str]) -> QueueState:
    """Typed figures from the raw fields that `take_queue_line` collects."""
    available_kbps = count(fields.get("available_kbps"))
    return record_of(
        QueueState,
        fields,
        available_bandwidth_bps=None if available_kbps is None else bps_from_kbps(available_kbps),
        lists=tuple(_lists(fields.get(LISTS_KEY, ""))),
    )


def _lists(text: str) -> list[ListQueue]:
    queues = []
    for name, size, limit, drops, depth in _LIST.findall(text):
        if depth:
            queues.append(ListQueue(name, count(depth), None, None))
        else:
            queues.append(ListQueue(name, count(size), count(limit), count(drops)))
    return queues
