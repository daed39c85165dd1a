"""`show atm pvc` and `show atm vc`."""

import re
from collections.abc import Mapping
from string import ascii_letters
from typing import Final

from msgspec import Struct

from advisor.ground.units import bps_from_kbps
from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import interface_name
from advisor.shows.output import (
    Block,
    Output,
    OutputPart,
    OutputReading,
    Row,
    blocks_of,
    count,
    present,
    read_blocks,
    read_table,
    record_of,
    take_facts,
)

# `show atm vc` and `show atm pvc`: tables of circuits, and one circuit in detail.

_EXPECTED: Final = "show atm vc"


class CircuitCounters(Struct, frozen=True):
    """Totals of one circuit. Only the detailed output prints them."""

    input_packets: int | None
    output_packets: int | None
    input_bytes: int | None
    output_bytes: int | None
    input_drops_packets: int | None
    output_drops_packets: int | None


class AtmCircuit(Struct, frozen=True):
    """One ATM virtual circuit.

    `interface` is as printed: the class table of IOS 12.x omits the type (`0/0.2`).
    `service_class` is `CBR`, `VBR`, `VBR-NRT`, `UBR`…; `average_bps` is the sustained rate of VBR
    or the minimum of UBR+. Rates count cells. `ring_limit` is the transmit ring of the circuit in
    `ring_unit` (`particles`, or None if IOS prints no unit). `ring_owner` is `VC` if a limit of
    the circuit is in force, and `PA` if the limit of the port adapter is.
    """

    interface: str
    vcd: int | None
    name: str | None
    vpi: int
    vci: int
    type: str | None
    encapsulation: str | None
    service_class: str | None
    peak_bps: float | None
    average_bps: float | None
    burst_cells: int | None
    ring_owner: str | None
    ring_limit: int | None
    ring_unit: str | None
    receive_limit_particles: int | None
    transmit_priority: int | None
    status: str | None
    counters: CircuitCounters | None
    at: Location

    def is_at(self, name: str) -> bool:
        """Whether it is of an interface of this full name: some tables leave out the type."""
        return interface_name(self.interface) == name or (
            self.interface == name.lstrip(ascii_letters)
        )


_LAYOUT: Final = layout("shows/atm.txt")
_HEAD: Final = _LAYOUT.part("HEAD")
_FACTS: Final = _LAYOUT.patterns("facts").values()
_UNUSED: Final = _LAYOUT.any_of("unused")


def read_atm_circuits(text: str, file: str, first_line: int = 1) -> OutputReading[AtmCircuit]:
    """Circuits of a `show atm vc` or `show atm pvc` output, with or without a number.

    A circuit with an unknown line, and an unknown row, are declined.

    Raises
    ------
    LayoutError
        If no circuit is printed: IOS then prints no head either.
    """
    output = Output(text, file, first_line, _EXPECTED)
    lines = tuple(output.lines())
    blocks = blocks_of(lines, _HEAD, name=_name)
    if not blocks.blocks:
        table = read_table("atm_vc", output, lines, lambda row: _row(output, row))
        if not table.records:
            raise output.nothing()
        return table

    last = None if output.is_filtered else blocks.blocks[-1]

    def read(block: Block) -> AtmCircuit:
        fields = present(block.match)
        for line in block.lines:
            if not take_facts(line.text, fields, _FACTS, _UNUSED):
                raise output.unknown(line)
        if block is last and "status" not in fields:
            raise output.ends((block.head, *block.lines)[-1], "its line of Status")
        return _detail(fields, output.at(block.head))

    return read_blocks(output, OutputPart.CIRCUIT, blocks, read)


def _name(head: re.Match[str]) -> str:
    return f"{head['interface']} {head['vpi']}/{head['vci']}"


def _row(output: Output, row: Row) -> AtmCircuit:
    """Circuit of a table row. The second column holds the number of the circuit or its name."""
    fields, line = row
    is_name = not fields["vcd"].isdecimal()
    fields = {key: text for key, text in fields.items() if text and not (is_name and key == "vcd")}
    if is_name:
        fields["name"] = row[0]["vcd"]
    return _circuit(fields, None, output.at(line))


def _detail(fields: Mapping[str, str], at: Location) -> AtmCircuit:
    drops = fields.get("output_drops")
    total = drops.rpartition("/")[2] if drops else None  # the last of holdq/outputq/total
    counters = record_of(CircuitCounters, fields, output_drops_packets=count(total))
    return _circuit(fields, counters, at)


def _circuit(
    fields: Mapping[str, str], counters: CircuitCounters | None, at: Location
) -> AtmCircuit:
    return record_of(
        AtmCircuit,
        fields,
        peak_bps=_bps(fields.get("peak_kbps")),
        average_bps=_bps(fields.get("average_kbps")),
        burst_cells=_figure(fields.get("burst_cells")),
        counters=counters,
        at=at,
    )


def _figure(text: str | None) -> int | None:
    return None if text == "N/A" else count(text)


def _bps(text: str | None) -> float | None:
    rate_kbps = _figure(text)
    return None if rate_kbps is None else bps_from_kbps(rate_kbps)
