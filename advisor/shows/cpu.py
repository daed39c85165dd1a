"""`show processes cpu`: load and processes."""

import re
from bisect import bisect_left
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.units import ms_from_s, whole
from advisor.ios import pattern
from advisor.ios.syntax import Location
from advisor.shows.output import (
    LayoutError,
    Output,
    OutputReading,
    Row,
    count,
    read_table,
    record_of,
)

# `show processes cpu`: the head line, alone or with the process table under it.

_STARTS: Final = "CPU utilization for five seconds:"
_TABLE: Final = "PID"
_HEAD: Final = pattern(
    r"(?:Core\s+(\d+):\s+)?CPU utilization for five seconds:\s*(\d+)%(?:/(\d+)%)?;"
    r"\s*one minute:\s*(\d+)%;\s*five minutes:\s*(\d+)%"
)


# `terminal exec prompt timestamp` prints the load ahead of each output.
_LOAD: Final = pattern(
    r"Load for five secs:\s*(\d+)%(?:/(\d+)%)?;\s*one minute:\s*(\d+)%;\s*five minutes:\s*(\d+)%"
)


class CoreLoad(Struct, frozen=True):
    """CPU load of one core in percent, as IOS XE prints it for a processor with several."""

    core: int
    five_seconds_percent: int
    interrupt_percent: int | None
    one_minute_percent: int
    five_minutes_percent: int
    at: Location


class CpuLoad(Struct, frozen=True):
    """CPU load in percent; `interrupt_percent` is part of the five-second figure.

    Where IOS XE prints a line for each core, the figures are those of `core`, the busiest one: a
    process runs on one core at a time. `cores` are all of them.
    """

    five_seconds_percent: int
    interrupt_percent: int | None
    one_minute_percent: int
    five_minutes_percent: int
    at: Location
    text: str
    core: int | None = None
    cores: tuple[CoreLoad, ...] = ()

    @property
    def process_percent(self) -> int | None:
        """Process-level load of the last five seconds: total minus interrupt; None if unknown.

        An interrupt share above the total is wrong and gives None.
        """
        if self.interrupt_percent is None or self.interrupt_percent > self.five_seconds_percent:
            return None
        return self.five_seconds_percent - self.interrupt_percent


def read_cpu(text: str, file: str, first_line: int = 1) -> CpuLoad | None:
    """Load in the first head line of a `show processes cpu` output; None if there is none.

    With a line for each core the load is that of the busiest one: that with the highest one-minute
    figure.

    >>> head = "CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: 5%"
    >>> load = read_cpu(head, "a1.txt")
    >>> load.five_seconds_percent, load.interrupt_percent, load.process_percent
    (8, 6, 2)
    """
    heads = tuple(_HEAD.finditer(text))
    if not heads:
        return None

    line_ends = [place for place, letter in enumerate(text) if letter == "\n"]

    def at(head: re.Match[str]) -> Location:
        return Location(file, first_line + bisect_left(line_ends, head.start()))

    of_cores = {head[1]: head for head in reversed(heads) if head[1] is not None}
    of_all = next((head for head in heads if head[1] is None), None)
    candidates = [*of_cores.values(), *((of_all,) if of_all is not None else ())]
    busiest = max(reversed(candidates), key=lambda head: (whole(head[4]), whole(head[2])))
    cores = tuple(_core(head, at(head)) for head in of_cores.values())
    return CpuLoad(
        five_seconds_percent=whole(busiest[2]),
        interrupt_percent=_known(busiest[3]),
        one_minute_percent=whole(busiest[4]),
        five_minutes_percent=whole(busiest[5]),
        at=at(busiest),
        text=busiest[0],
        core=_known(busiest[1]),
        cores=tuple(sorted(cores, key=lambda core: core.core)),
    )


def read_load_ahead(text: str, file: str, first_line: int = 1) -> CpuLoad | None:
    """Load in the line that `terminal exec prompt timestamp` prints ahead of an output.

    >>> head = "Load for five secs: 9%/6%; one minute: 8%; five minutes: 5%"
    >>> load = read_load_ahead(head, "a1.txt")
    >>> load.interrupt_percent, load.one_minute_percent
    (6, 8)
    """
    load = _LOAD.search(text)
    if load is None:
        return None
    five, interrupt, minute, five_minutes = load.groups()
    at = Location(file, first_line + text.count("\n", 0, load.start()))
    return CpuLoad(whole(five), _known(interrupt), whole(minute), whole(five_minutes), at, load[0])


def read_head(text: str, file: str, first_line: int = 1) -> CpuLoad | None:
    """Load of an output that holds nothing else; a table below an unknown head tells it.

    Raises
    ------
    LayoutError
        If the head was cut, or the terminal broke it.
    """
    load = read_cpu(text, file, first_line)
    start = text.find(_STARTS) if load is None and _TABLE not in text else -1
    if start < 0:
        return load
    at = Location(file, first_line + text.count("\n", 0, start))
    raise LayoutError(at, text[start:].partition("\n")[0], "show processes cpu")


def _core(head: re.Match[str], at: Location) -> CoreLoad:
    core, five, interrupt, minute, five_minutes = head.groups()
    return CoreLoad(
        whole(core), whole(five), _known(interrupt), whole(minute), whole(five_minutes), at
    )


def _known(digits: str | None) -> int | None:
    return None if digits is None else whole(digits)


# `show processes cpu`: the table of processes, complete, sorted or filtered.

_EXPECTED: Final = "show processes cpu"
_US_IN_S: Final = 1_000_000


class CpuProcess(Struct, frozen=True):
    """One process. IOS cuts names to 16 characters; several processes may have one name.

    `runtime_ms` and `invocations` count from the start of the process, and `us_per_invocation` is
    their mean. They are None if they wrapped into a negative number.
    """

    pid: int
    name: str
    runtime_ms: float | None
    invocations: int | None
    us_per_invocation: int | None
    five_seconds_percent: float
    one_minute_percent: float
    five_minutes_percent: float
    tty: int
    at: Location


class CpuTable(Struct, frozen=True):
    """Head line and processes; `load` is None if a filter removed the head line."""

    load: CpuLoad | None
    processes: tuple[CpuProcess, ...]


def read_cpu_processes(text: str, file: str, first_line: int = 1) -> OutputReading[CpuTable]:
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
    return OutputReading((CpuTable(load, rows.records),), rows.declined)


def _process(output: Output, row: Row) -> CpuProcess:
    fields, line = row
    return record_of(CpuProcess, fields, runtime_ms=_runtime_ms(fields), at=output.at(line))


def _runtime_ms(fields: dict[str, str]) -> float | None:
    """Run time; None too if a filter removed the head, which names the unit."""
    runtime = count(fields["runtime"])
    if runtime is None or not fields["unit"]:
        return None
    return runtime if fields["unit"] == "ms" else ms_from_s(runtime / _US_IN_S)


# `show processes cpu platform`: the processors of IOS XE. Its table of processes is not kept.
#
# Source: Genie's parser of the command, and Cisco's guide of the ISR 1000.


class PlatformCpu(Struct, frozen=True):
    """Load of all cores together, and of each.

    No load of the IOS daemon: where the data path runs on these cores too, as in an ISR 4000, its
    threads poll and take whole cores at any traffic. So no rule of the CPU uses it.
    """

    five_seconds_percent: int
    one_minute_percent: int
    five_minutes_percent: int
    cores: tuple[CoreLoad, ...]
    at: Location


def read_platform_cpu(text: str, file: str, first_line: int = 1) -> OutputReading[PlatformCpu]:
    """The loads of a `show processes cpu platform` output; one record in all.

    Raises
    ------
    LayoutError
        If the load of all cores is not printed, or no line is known.
    """
    output = Output(text, file, first_line, "show processes cpu platform")

    def read(row: Row) -> PlatformCpu | CoreLoad:
        cells, line = row
        if cells["core"]:
            return record_of(CoreLoad, cells, interrupt_percent=None, at=output.at(line))
        return record_of(PlatformCpu, cells, cores=(), at=output.at(line))

    rows = read_table("processes_cpu_platform", output, output.lines(), read)
    of_all = next((row for row in rows.records if isinstance(row, PlatformCpu)), None)
    if of_all is None:
        raise output.nothing()
    cores = tuple(row for row in rows.records if isinstance(row, CoreLoad))
    return OutputReading((replace(of_all, cores=cores),), rows.declined)


# `show platform software status control-processor brief`: the processor below the IOS daemon.
#
# Source: Cisco, Process Health Monitoring of the ISR 1000, IR1800 and IR8340.


class ControlProcessor(Struct, frozen=True):
    """A row of a slot of IOS XE: its load averages, its memory, or one core of its processor.

    Fields of the other rows are None. The load averages are those of Linux.
    """

    slot: str
    status: str | None
    load_1_min: float | None
    load_5_min: float | None
    load_15_min: float | None
    memory_kb: int | None
    used_kb: int | None
    free_kb: int | None
    committed_kb: int | None
    core: int | None
    user_percent: float | None
    system_percent: float | None
    nice_percent: float | None
    idle_percent: float | None
    irq_percent: float | None
    softirq_percent: float | None
    iowait_percent: float | None
    at: Location


def read_control_processors(
    text: str, file: str, first_line: int = 1
) -> OutputReading[ControlProcessor]:
    """Rows of the control processors, in order. An unknown row is declined.

    Raises
    ------
    LayoutError
        If no row is known.
    """
    output = Output(text, file, first_line, "show platform software status control-processor")

    def read(row: Row) -> ControlProcessor:
        cells, line = row
        known = {name: text for name, text in cells.items() if text}
        return record_of(ControlProcessor, known, at=output.at(line))

    rows = read_table("control_processor", output, output.lines(), read)
    if not rows.records:
        raise output.nothing()
    return rows
