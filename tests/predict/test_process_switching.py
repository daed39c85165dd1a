"""Platforms by the names that users and routers give them."""

import pytest

from advisor.device.platforms.process_switching import alike, find_platform, platforms


@pytest.mark.parametrize(
    ("names", "found"),
    [
        pytest.param(("3640",), "3640", id="a name of the table"),
        pytest.param(("cisco 3640",), "3640", id="with the vendor"),
        pytest.param(("CISCO2811/K9",), "2801", id="a licence: an alias of the same rate"),
        pytest.param(("npe-300",), "NPE-300", id="an engine in any case"),
        pytest.param(("1600 with serial WAN",), "1600", id="a router over a serial line"),
        pytest.param(("NPE300", "7206VXR"), "NPE-300", id="the processor of show version first"),
        pytest.param(("7200 NPE-G1",), "NPE-G1", id="chassis and engine"),
        pytest.param(("RSP4", "7507"), "RSP4", id="an RSP"),
        pytest.param(("NSFC2",), "MSFC2", id="the slip of Cisco's tests"),
        pytest.param(("1601",), "1600", id="a model of a family of one rate"),
        pytest.param((None, "2611XM"), "2610", id="the next name where the first is unknown"),
    ],
)
def test_a_platform_is_found_by_its_names(names: tuple[str | None, ...], found: str) -> None:
    platform = find_platform(*names)

    assert platform is not None
    assert platform.name == found


@pytest.mark.parametrize("name", ["9999", "", None, "2911", "7206VXR", "ASR1001-X"])
def test_an_unknown_platform_is_none(name: str | None) -> None:
    assert find_platform(name) is None


def test_an_engine_is_asked_for_where_only_the_chassis_is_known() -> None:
    assert "NPE-G1" in alike("7206VXR")


def test_no_name_stands_for_two_platforms() -> None:
    names = [name for each in platforms() for name in (each.name, *each.aliases)]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("platform", platforms(), ids=lambda each: each.name)
def test_every_rate_has_a_grade_and_a_source(platform: object) -> None:
    found = find_platform(getattr(platform, "name", None))

    assert found is not None
    assert found.grade in {"sourced", "recalled", "contested"}
    assert found.source
    assert 0 < found.pps_low <= found.pps_high
