"""Which of two outputs is the newer one: by a clock ahead of them, or by the last change."""

import pytest

from advisor.device.index import read_devices
from advisor.device.reading import Reading, Source
from advisor.settings import Settings
from tests.device.test_repeated import bandwidth, config, cpu


def clock(time: str, host: str = "r1") -> str:
    return f"{host}#show clock\n{time} UTC Wed May 1 2024\n"


def run(bandwidth_kbps: int) -> str:
    return f"r1#show running-config\n{config(bandwidth_kbps)}"


def processes(percent: int) -> str:
    return f"r1#show processes cpu\n{cpu(percent)}"


def changed(day: int, zone: str, bandwidth_kbps: int) -> str:
    change = f"! Last configuration change at 10:00:00 {zone} Wed May {day} 2024 by noc\n"
    return change + config(bandwidth_kbps)


def read(*texts: str) -> list[Reading]:
    sources = [Source(f"{place}.log", text.encode()) for place, text in enumerate(texts)]
    return list(read_devices(sources, Settings()))


NEW = clock("11:00:00.000") + run(128) + processes(40)
OLD = clock("10:00:00.000") + run(64) + processes(90)


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param((NEW + OLD,), id="the newer session first"),
        pytest.param((OLD + NEW,), id="the older session first"),
        pytest.param((NEW, OLD), id="the newer file first"),
        pytest.param((OLD, NEW), id="the older file first"),
    ],
)
def test_clock_orders_all_that_follows_at_its_prompt(texts: tuple[str, ...]) -> None:
    (reading,) = read(*texts)

    assert bandwidth(reading) == 128
    assert reading.device.seen.cpu[-1].five_seconds_percent == 40


def test_clock_of_another_prompt_orders_nothing() -> None:
    other = clock("11:00:00.000", "r2") + run(128)

    (reading,) = (one for one in read(OLD + other + run(32)) if one.device.name == "r1")

    assert bandwidth(reading) == 32


def test_clock_ahead_of_an_output_gives_no_time_to_compute_rates_with() -> None:
    (reading,) = read(NEW)

    times = {taken.command: taken.time for taken in reading.device.seen.taken}
    assert times["show processes cpu"] is None


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param((changed(8, "UTC", 128) + changed(2, "UTC", 64),), id="in one file"),
        pytest.param((changed(8, "UTC", 128), changed(2, "UTC", 64)), id="in two files"),
        pytest.param((changed(2, "UTC", 64), changed(8, "UTC", 128)), id="the older file first"),
    ],
)
def test_last_change_orders_configurations_without_a_clock(texts: tuple[str, ...]) -> None:
    (reading,) = read(*texts)

    assert bandwidth(reading) == 128


def test_clock_stands_above_the_last_change() -> None:
    newer = clock("11:00:00.000") + "r1#show running-config\n" + changed(2, "UTC", 128)
    older = clock("10:00:00.000") + "r1#show running-config\n" + changed(8, "UTC", 64)

    (reading,) = read(newer + older)

    assert bandwidth(reading) == 128


def test_last_changes_of_different_zones_order_nothing() -> None:
    (reading,) = read(changed(8, "UTC", 128) + changed(2, "CET", 64))

    assert bandwidth(reading) == 64
    said = " ".join(reading.coverage[0].assumed)
    assert "is another one, and no time tells which is newer" in said
