"""Release, box and uptime, as `show version` prints them."""

from pathlib import Path

import pytest

from advisor.shows.output import LayoutError
from advisor.shows.version import Version, release_of
from tests.support.readers import read_version

FIXTURES = Path(__file__).parents[2] / "fixtures" / "show" / "version"


def fixture(name: str) -> Version:
    return read_version((FIXTURES / f"{name}.txt").read_text(encoding="utf-8"), name)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param("12.0(5)XE3", (12, 0, 5, None, "XE", 3), id="early deployment"),
        pytest.param("12.1(3.1)", (12, 1, 3, "1", "", None), id="interim build"),
        pytest.param("12.2(15)T", (12, 2, 15, None, "T", None), id="technology train"),
        pytest.param("12.3(9a)", (12, 3, 9, None, "", None), id="mainline with a letter"),
        pytest.param("12.4(15)T9", (12, 4, 15, None, "T", 9), id="rebuild"),
        pytest.param("12.2(33)SRE0a", (12, 2, 33, None, "SRE", 0), id="rebuild with a letter"),
        pytest.param("15.1(4)M", (15, 1, 4, None, "M", None), id="15 M"),
        pytest.param("15.2(4.0.55)E", (15, 2, 4, "0.55", "E", None), id="weekly build"),
        pytest.param("16.9.2", (16, 9, 2, None, "", None), id="IOS XE 16"),
        pytest.param("17.3.4a", (17, 3, 4, None, "", None), id="IOS XE 17 with a letter"),
    ],
)
def test_a_release_has_parts(text: str, parts: tuple[object, ...]) -> None:
    release = release_of(text)
    assert release is not None
    assert (
        release.major,
        release.minor,
        release.release,
        release.interim,
        release.train,
        release.rebuild,
    ) == parts


@pytest.mark.parametrize("text", ["03.11.01.E", "15.0(20100325:222114)", "12", "7.0(3)I7(1", ""])
def test_other_numbers_are_no_release_of_ios(text: str) -> None:
    assert release_of(text) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param(
            "12.0-rsp4",
            ("12.0(5)XE3", "RSP-JSV-M", "RSP4", "R5000", 131_072 * 1024, 2_072 * 1024, False),
            id="12.0 on a 7500",
        ),
        pytest.param(
            "12.2-2600",
            ("12.2(15)T", "C2600-IK9S-M", "2621", "MPC860", 61_440 * 1024, 4_096 * 1024, False),
            id="12.2 on a 2600",
        ),
        pytest.param(
            "12.4-2811",
            (
                *("12.4(15)T9", "C2800NM-ADVENTERPRISEK9-M", "2811", None),
                *(251_904 * 1024, 10_240 * 1024, False),
            ),
            id="12.4T on a 2811",
        ),
        pytest.param(
            "15.1-7206",
            (
                *("15.1(4)M", "C7200-ADVIPSERVICESK9-M", "7206VXR", "NPE-G1"),
                *(491_520 * 1024, 32_768 * 1024, False),
            ),
            id="15.1 on a 7206VXR",
        ),
        pytest.param(
            "xe-16.9-isr4331",
            (
                *("16.9.4", "X86_64_LINUX_IOSD-UNIVERSALK9-M", "ISR4331/K9", "1RU"),
                *(1_795_979 * 1024, 6_147 * 1024, True),
            ),
            id="IOS XE on an ISR 4331",
        ),
    ],
)
def test_release_and_box(name: str, expected: tuple[object, ...]) -> None:
    version = fixture(name)
    assert (
        version.version_text,
        version.image_name,
        version.platform,
        version.processor,
        version.processor_memory_bytes,
        version.io_memory_bytes,
        version.is_xe,
    ) == expected


@pytest.mark.parametrize(
    ("name", "uptime_s"),
    [
        pytest.param("12.2-2600", 12 * 60, id="minutes"),
        pytest.param("15.1-7206", 86_400 + 30 * 60, id="a day"),
        pytest.param(
            "12.0-rsp4",
            365 * 86_400 + 17 * 86_400 + 4 * 3600 + 5 * 60,
            id="a year, weeks, days and hours",
        ),
    ],
)
def test_uptime(name: str, uptime_s: int) -> None:
    assert fixture(name).uptime_s == uptime_s


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("12.0-rsp4", "power-on", id="12.0: restarted by"),
        pytest.param(
            "12.2-2600",
            "bus error at PC 0x8048A5B4, address 0xD0D0D0D",
            id="a crash, its time taken off",
        ),
        pytest.param("15.1-7206", "reload", id="15.1"),
    ],
)
def test_why_it_came_back(name: str, reason: str) -> None:
    assert fixture(name).returned_to_rom_by == reason


def test_the_reason_of_the_last_reload_is_kept_apart() -> None:
    assert fixture("15.1-7206").reload_reason == "Reload Command"


def test_ios_xe_has_two_numbers() -> None:
    assert fixture("xe-16.9-isr4331").xe_version_text == "16.09.04"


def test_an_early_ios_xe_runs_as_15() -> None:
    text = (
        "Cisco IOS Software, IOS-XE Software (X86_64_LINUX_IOSD-UNIVERSALK9-M), "
        "Version 15.3(2)S1, RELEASE SOFTWARE (fc1)\nIOS XE Version: 03.09.01.S\n"
    )
    version = read_version(text, "f")
    assert (version.is_xe, version.xe_version_text) == (True, "03.09.01.S")


def test_an_experimental_build_is_no_release() -> None:
    text = (
        "Cisco IOS Software, 7200 Software (C7200P-ADVENTERPRISEK9-M), "
        "Experimental Version 15.0(20100325:222114) [build 221]\n"
    )
    version = read_version(text, "f")
    assert (version.version_text, version.release) == ("15.0(20100325:222114)", None)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("r1#show version\nr1#", id="nothing printed"),
        pytest.param("Cisco Nexus Operating System (NX-OS) Software", id="NX-OS"),
        pytest.param("AP Running Image : 17.12.0.78", id="an access point"),
        pytest.param(
            "Cisco IOS Software, X Software (X-M), Version 15.1(4)M, RELEASE SOFTWARE (fc1)\n"
            "System image file is flash:x.bin",
            id="an image line of another form",
        ),
    ],
)
def test_what_is_not_of_this_layout_is_declined(text: str) -> None:
    with pytest.raises(LayoutError):
        read_version(text, "f")


def test_a_box_of_ios_xe_says_its_memories() -> None:
    version = fixture("xe-16.9-isr4331")
    memories = (version.physical_memory_bytes, version.nvram_bytes)
    assert memories == (4_194_304 * 1024, 32_768 * 1024)
