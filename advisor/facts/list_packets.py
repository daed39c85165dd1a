"""Packets that an access list permits, as boxes: an upper set, and a set that is certain."""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts.access_list import AccessEntry, AccessList, Ports
from advisor.facts.packet_overlaps import Overlaps
from advisor.facts.packet_set import (
    ALL_DSCPS,
    ANY_PORT,
    IPV4,
    Box,
    Condition,
    PortRange,
    addresses_of,
)

_DSCPS_PER_PRECEDENCE: Final = 8
_MOST_BOXES: Final = 20_000  # a longer list stands for itself only
_MOST_EXCEPTIONS: Final = 64  # denies before one permit: beyond them it is not certain
_V4: Final = frozenset((IPV4,))


class Permitted(Struct, frozen=True):
    """Boxes that hold all packets of a list, and boxes of which all packets are permitted."""

    most: tuple[Box, ...]
    sure: tuple[Box, ...]


def packets_of_list(access_list: AccessList | None, name: str) -> Permitted:
    """Packets that a list permits; a condition with the name of the list stands for all of them.

    The first entry that takes a packet decides. A permit is a box without the packets that earlier
    denies take: they are its exceptions.
    """
    whole = frozenset((Condition("access-group", (name,)),))
    itself = Box(conditions=whole)
    entries = access_list.entries if access_list is not None else ()
    if not entries or len(entries) > _MOST_BOXES:
        return Permitted((itself,), (itself,))
    boxes = [(entry.permit, _of_entry(entry)) for entry in entries]
    permits = tuple(_permits(boxes))
    sure = (itself, *(permit.box for permit in permits if permit.is_sure))
    if None in [box for _, box in boxes]:
        return Permitted((itself,), sure)
    most = (replace(permit.box, conditions=permit.box.conditions | whole) for permit in permits)
    return Permitted(tuple(most), sure)


class _Permit(Struct, frozen=True):
    """Packets of a permit that earlier denies leave.

    `is_sure`: exactly those; else more denies may take packets of it than its exceptions say.
    """

    box: Box
    is_sure: bool


def _permits(boxes: Iterable[tuple[bool, Box | None]]) -> Iterator[_Permit]:
    denied, is_open = Overlaps(), False
    for is_permit, box in boxes:
        if box is None:
            is_open = is_open or not is_permit  # a deny that is not read may take anything
        elif not is_permit:
            denied.add(box)
        else:
            exceptions = denied.of(box)
            if any(box.within(exception) for exception in exceptions):
                continue
            known = len(exceptions) <= _MOST_EXCEPTIONS
            kept = replace(box, exceptions=tuple(exceptions)) if known and exceptions else box
            yield _Permit(kept, known and not is_open)


def _of_entry(entry: AccessEntry) -> Box | None:
    """Packets that an entry takes; None if it is not read in full."""
    source, destination = addresses_of(entry.source), addresses_of(entry.destination)
    if not entry.understood or source is None or destination is None:
        return None
    dscps = ALL_DSCPS
    if entry.dscp is not None:
        dscps &= {entry.dscp}
    if entry.precedence is not None:
        low = entry.precedence * _DSCPS_PER_PRECEDENCE
        dscps &= frozenset(range(low, low + _DSCPS_PER_PRECEDENCE))
    return Box(
        families=_V4,
        dscps=dscps,
        protocol=None if entry.protocol == "ip" else entry.protocol,
        source=source,
        destination=destination,
        source_ports=_ranges(entry.source_ports),
        destination_ports=_ranges(entry.destination_ports),
        conditions=frozenset(Condition("entry", (words,)) for words in entry.narrowed_by),
    )


def _ranges(ports: tuple[Ports, ...]) -> tuple[PortRange, ...]:
    return tuple((port_range.low, port_range.high) for port_range in ports) or ANY_PORT
