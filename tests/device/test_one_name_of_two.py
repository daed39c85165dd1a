"""Two devices of one name in one run: never one that is complete."""

import pytest

from advisor.device.index import read_devices
from advisor.device.reading import Reading, Source
from advisor.settings import Settings


def version(model: str, board_id: str = "FTX0000AAAA", release: str = "15.1(4)M4") -> str:
    return (
        f"Router#show version\nCisco IOS Software, {model} Software (C{model}-IPBASE-M), "
        f"Version {release}, RELEASE SOFTWARE (fc1)\nRouter uptime is 3 weeks, 1 day\n"
        f"Cisco {model} (revision 53.50) with 249856K/12288K bytes of memory.\n"
        f"Processor board ID {board_id}\nConfiguration register is 0x2102\n"
    )


def config(network: int, bandwidth_kbps: int = 64, month: str = "Jan") -> str:
    return (
        f"! Last configuration change at 10:00:00 UTC Wed {month} 3 2024 by noc\n"
        f"version 15.1\nhostname Router\ninterface Serial0/0\n bandwidth {bandwidth_kbps}\n"
        f" ip address 10.{network}.0.1 255.255.255.0\nend\n"
    )


def clock(hour: int) -> str:
    return f"Router#show clock\n{hour}:00:00.000 UTC Wed May 1 2024\n"


def run(text: str) -> str:
    return f"Router#show running-config\n{text}"


def read(*texts: str) -> list[Reading]:
    sources = [Source(f"{place}.log", text.encode()) for place, text in enumerate(texts)]
    return list(read_devices(sources, Settings()))


def bandwidth_kbps(reading: Reading) -> float:
    bandwidth = reading.device.facts.interfaces[0].bandwidth_bps
    assert bandwidth is not None
    return bandwidth.value / 1000


@pytest.mark.parametrize(
    ("text", "model"),
    [
        pytest.param(version("2811") + version("1841"), "1841", id="the last one"),
        pytest.param(
            clock(11) + version("2811") + clock(10) + version("1841"), "2811", id="the newest one"
        ),
    ],
)
def test_counted_show_version_decides_the_platform(text: str, model: str) -> None:
    (reading,) = read(text)

    assert reading.device.platform.model_name == model
    others = {piece.trait.model for piece in reading.device.platform.contradicting}
    assert others == {"2811", "1841"} - {model}
    (said,) = reading.incomplete
    assert "show version names another model than that of 0.log:" in said


def test_release_of_before_an_upgrade_is_no_other_device() -> None:
    (reading,) = read(version("2811", release="12.4(15)T") + version("2811"))

    assert reading.device.platform.release_name == "15.1(4)M4"
    assert reading.incomplete == ()


def test_other_board_of_the_same_model_is_said() -> None:
    (reading,) = read(version("2811") + version("2811", "FTX0000BBBB"))

    (said,) = reading.incomplete
    assert "0.log:2: show version names another processor board ID than that of 0.log:" in said


def test_removed_board_is_no_other_one() -> None:
    (reading,) = read(version("2811") + version("2811", "<removed>"))

    assert reading.incomplete == ()


def test_show_versions_of_two_files_are_compared() -> None:
    (reading,) = read(run(config(1)), version("2811"), version("1841"))

    assert reading.device.platform.model_name == "1841"
    assert any("names another model" in said for said in reading.incomplete)


def test_configurations_without_a_common_address_are_said() -> None:
    (reading,) = read(run(config(1)) + run(config(2)))

    (said,) = reading.incomplete
    assert said.startswith("0.log:1: this configuration has no address of the one of 0.log:9,")


def test_configurations_with_a_common_address_are_states_of_one_device() -> None:
    (reading,) = read(run(config(1, 64)) + run(config(1, 128)))

    assert reading.incomplete == ()


@pytest.mark.parametrize("months", [("Jan", "May"), ("May", "Jan")])
def test_configuration_and_platform_are_of_one_session(months: tuple[str, str]) -> None:
    first, second = months
    text = version("2811") + run(config(1, 64, first))
    text += version("1841") + run(config(2, 128, second))

    (reading,) = read(text)

    assert (bandwidth_kbps(reading), reading.device.platform.model_name) == (128, "1841")


def test_two_files_of_different_devices_are_both_judged() -> None:
    first, second = read(config(1, 64, "Jan"), config(2, 128, "May"))

    assert [bandwidth_kbps(first), bandwidth_kbps(second)] == [64, 128]
