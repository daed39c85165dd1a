"""`show processes cpu`: the table of processes, complete, sorted or filtered."""

from typing import Final

from msgspec import Struct

from advisor.ios.syntax.tree import Location
from advisor.shows.cpu.load import CpuLoad, read_cpu
from advisor.shows.figures import count
from advisor.shows.flat_table import Row, read_table
from advisor.shows.layout import Reading
from advisor.shows.output import Output
from advisor.units import decimal, ms_from_s, whole

_EXPECTED: Final = "show processes cpu"
_US_IN_S: Final = 1_000_000


class CpuProcess(Struct, frozen=True):
    """One process. IOS cuts names to 16 characters; several processes may have one name.

    `runtime_ms` and `invocations` count from the start of the process. They are None if they
    wrapped into a negative number.
    """

    pid: int
    name: str
    runtime_ms: float | None
    invocations: int | None
    five_seconds_percent: float
    one_minute_percent: float
    five_minutes_percent: float
    tty: int
    at: Location


class CpuTable(Struct, frozen=True):
    """Head line and processes; `load` is None if a filter removed the head line."""

    load: CpuLoad | None
    processes: tuple[CpuProcess, ...]


def read_cpu_processes(text: str, file: str, first_line: int = 1) -> Reading[CpuTable]:
    """Head line and process table of a `show processes cpu` output.

    The table may be empty after a filter (`| include CPU`, `| exclude 0.00`). An unknown row is
    declined.

    Raises
    ------
    LayoutError
        If no row is known, and if neither head nor process is left.
    """
    output = Output(text, file, first_line, _EXPECTED)
    rows = read_table("processes_cpu", output, output.lines(), lambda row: _process(output, row))
    load = read_cpu(text, file, first_line)
    if load is None and not rows.records:
        raise output.nothing()
    return Reading((CpuTable(load, rows.records),), rows.declined)


def _process(output: Output, row: Row) -> CpuProcess:
    fields, line = row
    return CpuProcess(
        pid=whole(fields["pid"]),
        name=fields["process"],
        runtime_ms=_runtime_ms(fields),
        invocations=count(fields["invoked"]),
        five_seconds_percent=decimal(fields["five_seconds"]),
        one_minute_percent=decimal(fields["one_minute"]),
        five_minutes_percent=decimal(fields["five_minutes"]),
        tty=whole(fields["tty"]),
        at=output.at(line),
    )


def _runtime_ms(fields: dict[str, str]) -> float | None:
    """Run time; None too if a filter removed the head, which names the unit."""
    runtime = count(fields["runtime"])
    if runtime is None or not fields["unit"]:
        return None
    return runtime if fields["unit"] == "ms" else ms_from_s(runtime / _US_IN_S)
