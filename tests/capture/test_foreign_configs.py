"""Configurations of other systems beside one of IOS: each is a part of its own, and declined."""

from itertools import permutations

import pytest

from advisor.device.index import read_devices
from advisor.device.reading import Reading, Source
from advisor.ios.syntax.detect import Dialect
from advisor.settings import Settings

IOS = "version 15.7\nhostname r1\n!\ninterface Serial0/0\n bandwidth 512\n!\nend\n"
JUNOS = (
    "## Last changed: 2025-03-03 10:11:12 UTC\nversion 18.4R1;\nsystem {\n    host-name jun1;\n}\n"
    "interfaces {\n    ge-0/0/0 {\n        unit 0;\n    }\n}\n"
)
JUNOS_LINES = "set version 18.4R1\nset system host-name jun1\nset interfaces ge-0/0/0 unit 0\n"
ASA = (
    ": Saved\n:\nASA Version 9.8(2)\n!\nhostname asa1\ninterface GigabitEthernet0/0\n nameif out\n"
)
XR = "!! IOS XR Configuration 6.5.3\nhostname xr1\npolicy-map P\n class V\n  priority level 1\n!\nend\n"
KNOWN = {"r1": Dialect.IOS, "jun1": Dialect.JUNOS, "asa1": Dialect.ASA, "xr1": Dialect.IOS_XR}


def read(text: str) -> dict[str, Reading]:
    readings = read_devices([Source("all.txt", text.encode())], Settings())
    return {reading.device.name: reading for reading in readings}


def dialects(text: str) -> dict[str, Dialect]:
    return {name: reading.device.dialect for name, reading in read(text).items()}


@pytest.mark.parametrize("texts", list(permutations((IOS, JUNOS, ASA, XR))))
def test_systems_in_any_order(texts: tuple[str, ...]) -> None:
    assert dialects("".join(texts)) == KNOWN


@pytest.mark.parametrize(
    "junos",
    [
        pytest.param(JUNOS, id="with its last change"),
        pytest.param(JUNOS.partition("\n")[2], id="from version on"),
        pytest.param(JUNOS.partition(";\n")[2], id="from system on"),
        pytest.param(JUNOS_LINES, id="as set commands"),
    ],
)
@pytest.mark.parametrize(
    "ios",
    [
        pytest.param(IOS, id="whole"),
        pytest.param(IOS.partition("\n")[2], id="from hostname on"),
        pytest.param(IOS.replace("end\n", ""), id="without end"),
    ],
)
@pytest.mark.parametrize("is_first", [True, False], ids=["ahead", "behind"])
def test_junos_beside_ios(junos: str, ios: str, *, is_first: bool) -> None:
    text = junos + ios if is_first else ios + junos

    readings = read(text)

    assert {name: reading.device.dialect for name, reading in readings.items()} == {
        "r1": Dialect.IOS,
        "jun1": Dialect.JUNOS,
    }
    assert readings["jun1"].incomplete == ("all.txt: Juniper JunOS, not judged",)
    assert readings["r1"].device.facts.interfaces[0].name == "Serial0/0"


def test_two_configurations_of_junos_are_two() -> None:
    assert list(read(JUNOS + JUNOS.replace("jun1", "jun2"))) == ["jun1", "jun2"]


def test_name_that_ios_has_too_hides_no_configuration_of_another_system() -> None:
    text = IOS + JUNOS.replace("jun1", "r1")
    readings = list(read_devices([Source("all.txt", text.encode())], Settings()))

    assert [reading.device.dialect for reading in readings] == [Dialect.IOS, Dialect.JUNOS]


def test_session_of_ios_xr_is_one_part() -> None:
    session = f"RP/0/RSP0/CPU0:xr1#show running-config\nMon Mar  3 10:11:12.123 UTC\n{XR}"

    assert dialects(session) == {"RP/0/RSP0/CPU0:xr1": Dialect.IOS_XR}


@pytest.mark.parametrize(
    ("prompt", "system"),
    [
        pytest.param("RP/0/RSP0/CPU0:pe1#", Dialect.IOS_XR, id="the route processor of IOS XR"),
        pytest.param("RP/0/0/CPU0:pe1#", Dialect.IOS_XR, id="IOS XR in a virtual machine"),
        pytest.param("sysadmin-vm:0_RP0#", Dialect.IOS_XR, id="the administration of IOS XR"),
        pytest.param("A:pe1#", Dialect.SROS, id="the active card of SR OS"),
        pytest.param("pe1#", Dialect.IOS, id="a name alone"),
    ],
)
@pytest.mark.parametrize(
    ("command", "printed"),
    [
        pytest.param(
            "show running-config policy-map EDGE",
            "policy-map EDGE\n class V\n  priority level 1\n",
            id="a part of a configuration",
        ),
        pytest.param("show clock", "10:11:12.123 UTC Mon Mar 3 2008\n", id="the time"),
        pytest.param(
            "show interfaces",
            "Serial0/0 is up, line protocol is up\n",
            id="an output as IOS has it",
        ),
    ],
)
def test_prompt_tells_the_system_whatever_was_typed_there(
    prompt: str, system: Dialect, command: str, printed: str
) -> None:
    told = dialects(f"{prompt}{command}\n{printed}{prompt}\nr1#show running-config\n{IOS}r1#\n")

    assert {told.pop("r1"), *told.values()} == {Dialect.IOS, system}


@pytest.mark.parametrize("last", ["end-policy-map", "end-class-map"])
def test_end_of_a_map_is_of_ios_xr_at_any_prompt(last: str) -> None:
    session = (
        f"pe1#show running-config policy-map EDGE\npolicy-map EDGE\n class V\n {last}\n!\npe1#\n"
    )

    assert dialects(session) == {"pe1": Dialect.IOS_XR}
