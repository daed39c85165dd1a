"""`show dlsw circuits`."""

import re
from typing import Final

from msgspec import Struct, field

from advisor.ios.syntax import Location
from advisor.shows.dlsw import (
    DlswCircuit,
    DlswCircuits,
    DlswReader,
    FlowControl,
)
from advisor.shows.output import (
    Block,
    Output,
    OutputPart,
    OutputReading,
    ShownLine,
    age_s,
    blocks_of,
    read_blocks,
)
from advisor.units import whole

# `show dlsw circuits`, and the lines that `detail` adds under each circuit.
#
# Sources: the rows are those of Cisco IOS Cookbook, recipe 15.14; the lines of `detail` follow
# Cisco IOS Bridging and IBM Networking Command Reference 12.2, `show dlsw circuits`, and are
# recalled.

_HEAD: Final = re.compile(r"Index\s+local addr\(lsap\)\s+remote addr\(dsap\)\s+state(?:\s+uptime)?")
_STATION: Final = r"([0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})\(([0-9A-Fa-f]{1,2})\)"
_ROW: Final = re.compile(
    rf"([0-9]{{1,10}})\s+{_STATION}\s+{_STATION}\s+([A-Z_]+)"
    r"(?:\s+([0-9]{1,6}:[0-5][0-9]:[0-5][0-9]|(?:[0-9]{1,4}[ywdhm]){1,3}|-))?"
)
_TOTAL: Final = re.compile(
    r"Total number of circuits(?: connected)?\s*:\s*([0-9]{1,9})", re.IGNORECASE
)
_PORT: Final = re.compile(r"Port:\s*(\S+)\s+peer:?\s*(\S+)", re.IGNORECASE)
_PACING: Final = re.compile(
    r"Flow-Control-Tx CW:([0-9]{1,9}), Permitted:([0-9]{1,9}); "
    r"Rx CW:([0-9]{1,9}), Granted:([0-9]{1,9})(?: Op: \w+)?"
)
_PAIR: Final = re.compile(r"([A-Za-z-]{1,30}):\s*([0-9]{1,20})/([0-9]{1,20})(?:\s+|$)")
_PAIRS: Final = frozenset(("bytes", "info-frames", "xid-frames", "uinfo-frames"))
_WITHOUT_USE: Final = re.compile(
    r"""PCEP: \s* [0-9A-Fa-f]+ \s+ UCEP: \s* [0-9A-Fa-f]+
      | Congestion: \s* \w+ (?:\([0-9A-Fa-f]+\))? (?:, \s Flow \s Op: \s .{1,60})?
      | RIF \s = \s (?: [0-9a-f.]+ | --no\ rif-- )
      | s/r: \s .{1,60} | Priority: \s* \w+""",
    re.VERBOSE | re.IGNORECASE,
)


class _CircuitDraft(Struct):
    row: re.Match[str]
    at: Location
    port: str | None = None
    peer: str | None = None
    flow_control: FlowControl | None = None
    counters: dict[str, int] = field(default_factory=dict)

    def take_detail(self, line: str) -> bool:
        port, pacing = _PORT.fullmatch(line), _PACING.fullmatch(line)
        if port is not None:
            self.port, self.peer = port.groups()
            return True
        if pacing is not None:
            self.flow_control = FlowControl(*(whole(number) for number in pacing.groups()))
            return True
        pairs = _PAIR.findall(line)
        if (
            not pairs
            or _PAIR.sub("", line)
            or any(name.lower() not in _PAIRS for name, *_ in pairs)
        ):
            return _WITHOUT_USE.fullmatch(line) is not None
        self.counters.update(
            {name.lower(): whole(sent) + whole(received) for name, sent, received in pairs}
        )
        return True

    def freeze(self) -> DlswCircuit:
        index, local_mac, local_sap, remote_mac, remote_sap, state, uptime = self.row.groups()
        return DlswCircuit(
            index=whole(index),
            local_mac=local_mac,
            local_sap=local_sap,
            remote_mac=remote_mac,
            remote_sap=remote_sap,
            state=state,
            uptime_s=age_s(uptime),
            port=self.port,
            peer=self.peer,
            flow_control=self.flow_control,
            information_frames=self.counters.get("info-frames"),
            circuit_bytes=self.counters.get("bytes"),
            at=self.at,
        )


def _circuits(output: Output) -> OutputReading[DlswCircuits]:
    lines = tuple(output.lines())
    if not lines:
        raise output.nothing()
    totals = [total for line in lines if (total := _TOTAL.fullmatch(line.text))]
    of_circuits = (line for line in lines if not _TOTAL.fullmatch(line.text))
    blocks = blocks_of((line for line in of_circuits if not _HEAD.fullmatch(line.text)), _index)

    def read(block: Block) -> DlswCircuit:
        row = _ROW.fullmatch(block.head.text)
        if row is None:
            raise output.unknown(block.head)
        draft = _CircuitDraft(row, output.at(block.head))
        for line in block.lines:
            if not draft.take_detail(line.text):
                raise output.unknown(line)
        return draft.freeze()

    is_empty = not blocks.blocks and not blocks.before
    circuits: OutputReading[DlswCircuit] = (
        OutputReading(()) if is_empty else read_blocks(output, OutputPart.CIRCUIT, blocks, read)
    )
    connected = whole(totals[-1][1]) if totals else None
    table = DlswCircuits(circuits.records, connected, output.at(lines[0]), not circuits.declined)
    return OutputReading((table,), circuits.declined)


def _index(line: ShownLine) -> str | None:
    row = _ROW.fullmatch(line.text)
    return None if row is None else row[1]


read_dlsw_circuits: Final = DlswReader("show dlsw circuits", _circuits)
