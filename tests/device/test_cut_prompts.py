"""Prompts that IOS cuts to 20 characters: which of several long names they are of."""

import pytest

from advisor.device.index import read_devices
from advisor.device.reading import Reading, Source
from advisor.settings import Settings

NORTH = "branch-office-amsterdam-north-r01"
SOUTH = "branch-office-amsterdam-south-r02"
PROMPT = NORTH[:20]


def version(name: str, prompt: str = PROMPT) -> str:
    return (
        f"{prompt}#show version\nCisco IOS Software, 2800 Software (C2800NM-IPBASE-M), "
        f"Version 15.1(4)M4, RELEASE SOFTWARE (fc1)\n{name} uptime is 3 weeks, 1 day\n"
        "Cisco 2811 (revision 53.50) with 249856K/12288K bytes of memory.\n"
        "Configuration register is 0x2102\n"
    )


def run(name: str, prompt: str = PROMPT) -> str:
    return (
        f"{prompt}#show running-config\nversion 15.1\nhostname {name}\ninterface Serial0/0\n"
        " bandwidth 64\nend\n"
    )


def cpu(percent: int) -> str:
    load = f"{percent}%/1%; one minute: 1%; five minutes: 1%"
    return f"{PROMPT}#show processes cpu\nCPU utilization for five seconds: {load}\n"


def read(*texts: str) -> dict[str, Reading]:
    sources = [Source(f"{place}.log", text.encode()) for place, text in enumerate(texts)]
    return {reading.device.name: reading for reading in read_devices(sources, Settings())}


def loads(readings: dict[str, Reading]) -> dict[str, list[int]]:
    return {
        name: [load.five_seconds_percent for load in reading.device.seen.cpu]
        for name, reading in readings.items()
    }


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(
            (version(NORTH) + run(NORTH) + cpu(1) + version(SOUTH) + cpu(2),),
            id="one configuration in one file",
        ),
        pytest.param(
            (version(NORTH) + run(NORTH) + cpu(1) + version(SOUTH) + run(SOUTH) + cpu(2),),
            id="two configurations in one file",
        ),
        pytest.param((run(NORTH) + cpu(1) + run(SOUTH) + cpu(2),), id="without show version"),
        pytest.param((version(NORTH) + cpu(1) + version(SOUTH) + cpu(2),), id="show version alone"),
        pytest.param(
            (run(NORTH) + cpu(1), version(SOUTH) + cpu(2)), id="one configuration in two files"
        ),
        pytest.param(
            (run(NORTH), run(SOUTH), version(SOUTH) + cpu(2), version(NORTH) + cpu(1)),
            id="outputs in files of their own",
        ),
    ],
)
def test_name_in_show_version_or_configuration_decides(texts: tuple[str, ...]) -> None:
    assert loads(read(*texts)) == {NORTH: [1], SOUTH: [2]}


UNDECIDED = (
    f"the prompt is cut and fits {NORTH}, {SOUTH}: nothing tells which, and its outputs are "
    "joined with none; take `show version` with them"
)


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param((run(NORTH), run(SOUTH), cpu(3)), id="in a file of its own"),
        pytest.param((cpu(3) + run(NORTH) + run(SOUTH),), id="ahead of both"),
        pytest.param(
            (run(NORTH) + run(SOUTH) + f"{PROMPT}#exit\n" + cpu(3),), id="in another session"
        ),
    ],
)
def test_output_that_nothing_decides_is_joined_with_none_and_said(texts: tuple[str, ...]) -> None:
    readings = read(*texts)

    assert loads(readings) == {NORTH: [], SOUTH: [], PROMPT: [3]}
    assert readings[PROMPT].incomplete == (f"{len(texts) - 1}.log: {UNDECIDED}",)


def test_repeated_output_may_be_of_the_next_session() -> None:
    readings = read(run(NORTH) + cpu(1) + cpu(3) + run(SOUTH))

    assert loads(readings) == {NORTH: [1], SOUTH: [], PROMPT: [3]}


def test_clock_ahead_of_both_needs_no_device() -> None:
    clock = f"{PROMPT}#show clock\n10:00:00.000 UTC Wed May 1 2024\n"

    assert set(read(clock + run(NORTH) + run(SOUTH))) == {NORTH, SOUTH}


def test_name_in_show_version_of_a_short_prompt_decides_nothing() -> None:
    assert set(read(run("r1", "r1") + version("r10", "r1"))) == {"r1"}
