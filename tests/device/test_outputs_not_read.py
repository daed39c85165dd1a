"""Outputs of IOS that no rule needs are not used, and no error; each file says what it is."""

import pytest

from advisor.device.reading import DeviceInputs, Reading, Source, read_device, read_source
from advisor.settings import Settings

ROUTES = "Codes: L - local, C - connected, S - static\n\nC    192.0.2.0/24 is directly connected\n"
LLDP = "Local Intf: Gi0/1\nChassis id: 0000.5e00.5301\nSystem Description:\nCisco IOS Software, X\n"
XR = "GigabitEthernet0/0/0/0 is up, line protocol is up\n  Interface state transitions: 3\n"
CLOCK = "r1#show clock\n*10:00:00.000 UTC Mon Mar 1 2010\nr1#\n"
CPU = "CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: 5%\n"


def alone(text: str) -> Reading:
    return read_source(Source("r1.txt", text.encode()), Settings())


@pytest.mark.parametrize(
    ("text", "taken_for", "incomplete"),
    [
        pytest.param(
            ROUTES, "show ip route, not used", (), id="known by its lines",
        ),
        pytest.param(
            LLDP, "show lldp neighbors detail, not used", (),
            id="what a neighbor says of its version is no show version",
        ),
        pytest.param(
            f"r1#show ip route\n{ROUTES}r1#\n", "show ip route, not used", (),
            id="known by its prompt",
        ),
        pytest.param(
            XR, "Cisco IOS XR, skipped",
            ("r1.txt: Cisco IOS XR, not judged", "r1.txt:1: show interfaces of Cisco IOS XR, not read"),
            id="IOS XR",
        ),
        pytest.param(
            f"r1#show ip route\n{ROUTES}r1#show processes cpu\n{CPU}r1#\n",
            "show ip route, not used, show processes cpu", (), id="beside one that is read",
        ),
        pytest.param(CLOCK, "show clock", (), id="the time is taken"),
    ],
)  # fmt: skip
def test_a_file_of_outputs(text: str, taken_for: str, incomplete: tuple[str, ...]) -> None:
    reading = alone(text)
    assert ([file.taken_for for file in reading.coverage], reading.incomplete) == (
        [taken_for],
        incomplete,
    )


def test_a_file_beside_the_configuration_is_no_reason_either() -> None:
    inputs = DeviceInputs(
        Source("r1.cfg", b"version 12.4\nhostname r1\ninterface Serial0/0\nend\n"),
        (Source("routes.txt", f"r1#show ip route\n{ROUTES}r1#\n".encode()),),
    )
    reading = read_device(inputs, Settings())
    assert [file.taken_for for file in reading.coverage][1:] == ["show ip route, not used"]
    assert reading.incomplete == ()


def test_outputs_of_another_system_beside_the_configuration_are_declined() -> None:
    inputs = DeviceInputs(
        Source("r1.cfg", b"version 12.4\nhostname r1\ninterface Serial0/0\nend\n"),
        (Source("xr.txt", XR.encode()),),
    )
    reading = read_device(inputs, Settings())
    assert reading.device.seen.interfaces == ()
    assert "xr.txt:1: show interfaces of Cisco IOS XR, not read" in reading.incomplete
