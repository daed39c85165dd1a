"""CPU load: the head line, the table of processes, and the charts."""

from pathlib import Path

import pytest

from advisor.capture.transcript import transcript
from advisor.shows.cpu import CpuTable, read_cpu, read_platform_cpu
from advisor.shows.output import LayoutError
from tests.support.devices import device_read
from tests.support.readers import read_cpu_processes

FIXTURES = Path(__file__).parents[2] / "fixtures" / "show" / "processes_cpu"


def text_of(name: str) -> str:
    return transcript((FIXTURES / f"{name}.txt").read_text(encoding="utf-8"))


def table(name: str) -> CpuTable:
    return read_cpu_processes(text_of(name), name)


@pytest.mark.parametrize(
    ("name", "load"),
    [
        pytest.param("12.4-a1-include-cpu", (8, 6, 8, 5), id="include CPU, a quiet router"),
        pytest.param("12.4-a2-include-cpu", (20, 10, 12, 8), id="include CPU, a busier one"),
        pytest.param("12.0-table", (11, 4, 9, 9), id="ahead of a table"),
        pytest.param("12.4-sorted", (20, 10, 12, 8), id="repeated by the pager"),
    ],
)
def test_the_head_line_says(name: str, load: tuple[int, int, int, int]) -> None:
    head = read_cpu(text_of(name), name)
    assert head is not None
    assert (
        head.five_seconds_percent,
        head.interrupt_percent,
        head.one_minute_percent,
        head.five_minutes_percent,
    ) == load


def test_the_busiest_core_counts_and_each_is_kept() -> None:
    head = read_cpu(text_of("xe-cores"), "f")
    assert head is not None
    assert (head.core, head.one_minute_percent, head.interrupt_percent) == (1, 57, 2)
    assert str(head.at) == "f:4"
    assert [(core.core, core.one_minute_percent) for core in head.cores] == [
        (0, 4),
        (1, 57),
        (2, 8),
    ]


def test_the_load_of_all_cores_counts_where_no_core_has_more() -> None:
    text = "CPU utilization for five seconds: 9%/1%; one minute: 9%; five minutes: 9%\n"
    text += "Core 0: CPU utilization for five seconds: 1%; one minute: 2%; five minutes: 2%\n"
    head = read_cpu(text, "f")
    assert head is not None
    assert (head.core, head.one_minute_percent, len(head.cores)) == (None, 9, 1)


@pytest.mark.parametrize(
    ("name", "names"),
    [
        pytest.param(
            "12.0-table", ["Check heaps", "DLSw msg proc", "IP Input"], id="old column widths"
        ),
        pytest.param(
            "12.4-sorted",
            ["IP Input", "TCP Driver", "Chunk Manager", "Virtual Exec"],
            id="sorted, the head repeated",
        ),
        pytest.param("12.4-exclude-zero", ["IP Input"], id="exclude 0.00"),
        pytest.param("xe-cores", ["Chunk Manager", "IP Input"], id="a head for each core, a note"),
        pytest.param("12.4-a1-include-cpu", [], id="include CPU leaves no process"),
    ],
)
def test_the_processes_of_a_table(name: str, names: list[str]) -> None:
    assert [process.name for process in table(name).processes] == names


def test_a_process_says_its_load() -> None:
    process = table("12.0-table").processes[1]
    assert (process.pid, process.runtime_ms, process.five_seconds_percent) == (2, 181_040, 5.12)


def test_a_process_says_its_mean_run() -> None:
    assert table("12.0-table").processes[1].us_per_invocation == 2095


def test_a_run_time_that_wrapped_is_unknown() -> None:
    process = table("12.0-table").processes[2]
    assert (process.runtime_ms, process.invocations) == (None, None)


def test_microseconds_are_told_from_milliseconds() -> None:
    (process,) = table("15.2-microseconds").processes
    assert process.runtime_ms == 2500.0


def test_without_its_head_a_row_keeps_its_loads_only() -> None:
    row = "  87     3582279     1466728       2442  5.55%  4.87%  2.77%   0 IP Input"
    found = read_cpu_processes(f"a1#sh proc cpu | i IP Input\n{row}\n", "f")
    assert found.load is None
    assert (found.processes[0].runtime_ms, found.processes[0].one_minute_percent) == (None, 4.87)


def test_a_process_points_to_its_line() -> None:
    assert str(table("12.4-sorted").processes[2].at) == "12.4-sorted:9"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a1#show proc cpu | i DLSw\na1#", id="nothing left by the filter"),
        pytest.param("% Invalid input detected at '^' marker.", id="refused"),
        pytest.param(
            "CPU utilization for five seconds:  2%, one minute:  5%, five minutes: 22%",
            id="the platform's own load",
        ),
        pytest.param(
            "CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: 5%\n 1 2 3",
            id="a row cut off",
        ),
    ],
)
def test_what_is_no_process_table_is_declined(text: str) -> None:
    with pytest.raises(LayoutError):
        read_cpu_processes(text, "f")


def test_percents_without_a_sign() -> None:
    shown = table("xe-3.x-table")
    assert shown.load is not None
    assert (shown.load.core, shown.load.one_minute_percent) == (1, 57)
    assert [(process.name, process.five_seconds_percent) for process in shown.processes] == [
        ("iosd", 31.37),
        ("fed", 13.17),
        ("eicored", 1.83),
    ]


_AHEAD = "Load for five secs: {five}%/3%; one minute: {minute}%; five minutes: 40%\n"
_CLOCK = "Time source is NTP, 10:11:12.123 UTC Mon Mar 3 2008\n"


def _logged(*loads: int) -> str:
    outputs = (
        f"r1#show ip sla statistics {n}\n{_AHEAD.format(five=load, minute=load)}{_CLOCK}\n"
        for n, load in enumerate(loads, 1)
    )
    return "".join(outputs) + "r1#\n"


@pytest.mark.parametrize(
    ("text", "minute", "line"),
    [
        pytest.param(_logged(71), 71, 2, id="one line"),
        pytest.param(_logged(12, 88, 40), 88, 6, id="the busiest of several"),
        pytest.param(
            _logged(90)
            + "r1#show processes cpu\n"
            + "CPU utilization for five seconds: 9%/1%; one minute: 8%; five minutes: 5%\nr1#\n",
            8,
            7,
            id="the output itself tells more",
        ),
    ],
)
def test_load_ahead_of_outputs_is_that_of_the_processor(text: str, minute: int, line: int) -> None:
    (load,) = device_read(text).seen.cpu

    assert (load.one_minute_percent, load.at.line) == (minute, line)


PLATFORM = FIXTURES.parent / "processes_cpu_platform"


@pytest.mark.parametrize(
    ("name", "loads"),
    [
        pytest.param(
            "xe-16-sorted",
            [(None, 54, 53, 53), (0, 4, 7, 6), (1, 12, 9, 9), (2, 99, 98, 98), (3, 98, 98, 97)],
            id="sorted, four cores",
        ),
        pytest.param(
            "xe-17-planes",
            [(None, 9, 11, 10), (0, 9, 11, 10)],
            id="with the shares of the planes",
        ),
    ],
)
def test_a_platform_says_the_load_of_its_cores(
    name: str,
    loads: list[tuple[int | None, int, int, int]],
) -> None:
    (cpu,) = read_platform_cpu((PLATFORM / f"{name}.txt").read_text("utf-8"), "f").records
    assert [
        (None, cpu.five_seconds_percent, cpu.one_minute_percent, cpu.five_minutes_percent),
        *(
            (
                core.core,
                core.five_seconds_percent,
                core.one_minute_percent,
                core.five_minutes_percent,
            )
            for core in cpu.cores
        ),
    ] == loads


def test_cores_that_poll_are_no_busy_cpu() -> None:
    text = (PLATFORM / "xe-16-sorted.txt").read_text("utf-8").replace("54%", "94%")
    seen = device_read(text.partition("\n")[2]).seen
    assert (len(seen.platform_cpu), seen.cpu) == (1, ())


def test_a_platform_without_its_load_is_not_understood() -> None:
    text = (PLATFORM / "xe-17-planes.txt").read_text("utf-8")
    with pytest.raises(LayoutError):
        read_platform_cpu(text.replace("\nCPU utilization", "\n! CPU utilization"), "f")
