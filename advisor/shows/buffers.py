"""`show buffers` and `show mls qos interface statistics`: packets that found no buffer or queue."""

from typing import Final

from msgspec import Struct

from advisor.ground.units import whole
from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.shows.output import (
    Block,
    Output,
    OutputPart,
    OutputReading,
    blocks_of,
    present,
    read_blocks,
    record_of,
    take_facts,
)

_LAYOUT: Final = layout("shows/buffers.txt")

# `show buffers`: the pools.

_POOL: Final = _LAYOUT.part("POOL")
_OF_POOL: Final = tuple(_LAYOUT.patterns("pool").values())
_UNUSED: Final = _LAYOUT.any_of("unused")


class BufferPool(Struct, frozen=True):
    """A pool of packet buffers; None: not printed.

    A miss found the pool empty, and IOS made a buffer; a failure dropped the packet, and
    `no_memory` of the failures found no memory for another buffer. A pool of an interface has
    `fallbacks`: packets that took a buffer of a public pool.
    """

    name: str
    buffer_bytes: int
    total: int
    permanent: int
    peak: int | None
    in_free_list: int | None
    min_free: int | None
    max_free: int | None
    hits: int | None
    misses: int | None
    fallbacks: int | None
    trims: int | None
    created: int | None
    failures: int | None
    no_memory: int | None
    cache_size: int | None
    in_cache: int | None
    cache_hits: int | None
    cache_misses: int | None
    threshold: int | None
    threshold_transitions: int | None
    at: Location


def read_buffer_pools(text: str, file: str, first_line: int = 1) -> OutputReading[BufferPool]:
    """Pools of a `show buffers` output, in order.

    Raises
    ------
    LayoutError
        If there is no pool.
    """
    output = Output(text, file, first_line, "show buffers")

    def read(block: Block) -> BufferPool:
        fields = present(block.match)
        for line in block.lines:
            if not take_facts(line.text, fields, _OF_POOL):
                raise output.unknown(line)
        if "hits" not in fields:
            raise output.ends((block.head, *block.lines)[-1], "its hits")
        return record_of(BufferPool, fields, at=output.at(block.head))

    lines = (line for line in output.lines() if not _UNUSED.fullmatch(line.text))
    return read_blocks(output, OutputPart.BUFFERS, blocks_of(lines, _POOL), read)


# `show mls qos interface … statistics`: what the queues of a switch port took and dropped.

_PORT: Final = _LAYOUT.part("PORT")
_TABLE: Final = _LAYOUT.part("TABLE")
_CODES: Final = _LAYOUT.part("CODES")
_QUEUES: Final = _LAYOUT.part("QUEUES")
_QUEUE: Final = _LAYOUT.part("QUEUE")
_POLICER: Final = _LAYOUT.part("POLICER")
_AROUND: Final = _LAYOUT.part("AROUND")


class MarkedPackets(Struct, frozen=True):
    """Packets of one value of DSCP or CoS that came in or went out."""

    marking: str
    direction: str
    value: int
    packets: int


class PortQueue(Struct, frozen=True):
    """Packets of a queue of a port, by its three thresholds; `fate` is `enqueued` or `dropped`."""

    queue: int
    fate: str
    packets: tuple[int, ...]


class SwitchPort(Struct, frozen=True):
    """The counters of a port with `mls qos`; `marked` has the values that any packet had."""

    interface: str
    marked: tuple[MarkedPackets, ...]
    queues: tuple[PortQueue, ...]
    in_profile: int | None
    out_of_profile: int | None
    at: Location

    @property
    def dropped_packets(self) -> int:
        return sum(sum(queue.packets) for queue in self.queues if queue.fate == "dropped")


def read_switch_ports(text: str, file: str, first_line: int = 1) -> OutputReading[SwitchPort]:
    """Ports of a `show mls qos interface statistics` output, in order.

    Raises
    ------
    LayoutError
        If there is no port.
    """
    output = Output(text, file, first_line, "show mls qos interface statistics")
    blocks = blocks_of(output.lines(), _PORT)
    return read_blocks(output, OutputPart.INTERFACE, blocks, lambda block: _port(output, block))


def _port(output: Output, block: Block) -> SwitchPort:
    fields: dict[str, str] = {}
    marked: list[MarkedPackets] = []
    queues: list[PortQueue] = []
    for line in block.lines:
        if take_facts(line.text, fields, (_TABLE, _QUEUES, _POLICER), _AROUND):
            continue
        codes, queue = _CODES.fullmatch(line.text), _QUEUE.fullmatch(line.text)
        if codes is not None and "marking" in fields:
            for value, packets in enumerate(codes["packets"].split(), whole(codes["first"])):
                table = fields["marking"], fields["direction"]
                if whole(packets):
                    marked.append(MarkedPackets(*table, value, whole(packets)))
        elif queue is not None and "fate" in fields:
            counted = tuple(map(whole, queue["packets"].split()))
            queues.append(PortQueue(whole(queue["queue"]), fields["fate"], counted))
        else:
            raise output.unknown(line)
    if not queues:
        raise output.ends((block.head, *block.lines)[-1], "its output queues")
    return record_of(
        SwitchPort,
        fields,
        interface=block.name,
        marked=tuple(marked),
        queues=tuple(queues),
        at=output.at(block.head),
    )
