"""Which device each section of a file is of."""

import pytest

from advisor.capture.cuts import read_capture
from advisor.capture.devices import by_device
from advisor.device.index import read_devices
from advisor.device.reading import Source
from advisor.settings import Settings

CPU = "CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: 5%\n"
LONG = "branch-office-berlin-rt1"  # longer than a prompt shows


def config(name: str, interface: str = "Serial0/0") -> str:
    return f"version 12.4\n!\nhostname {name}\n!\ninterface {interface}\n bandwidth 64\n!\nend\n"


def shown(host: str, text: str = CPU, command: str = "show processes cpu") -> str:
    return f"{host}#{command}\n{text}"


def version(name: str) -> str:
    return f"Cisco IOS Software, 2800 Software, Version 12.4(15)T9\n\n{name} uptime is 1 week\n"


def heading(command: str) -> str:
    return f"------------------ {command} ------------------\n\n"


def tech(name: str) -> str:
    return (
        heading("show version")
        + version(name)
        + heading("show running-config")
        + config(name)
        + heading("show processes cpu")
        + CPU
    )


@pytest.mark.parametrize(
    ("text", "devices"),
    [
        pytest.param(
            shown("r1") + shown("r2") + shown("r1", version("r1"), "show version"),
            {"r1": [1, 5], "r2": [3]},
            id="a session that hops and comes back",
        ),
        pytest.param(
            config("r1") + config("r2"), {"r1": [1], "r2": [9]}, id="two configurations, no prompt"
        ),
        pytest.param(
            "hostname r1\ninterface Serial0/0\n!\nhostname r2\ninterface Serial0/0\n",
            {"r1": [1], "r2": [3]},
            id="two configurations without version and end",
        ),
        pytest.param(
            f"hostname r1\ninterface A0\n{config('r2')}",
            {"r1": [1], "r2": [3]},
            id="a configuration behind a draft",
        ),
        pytest.param(
            "Building configuration...\n\nCurrent configuration : 92 bytes\n" * 1
            + config("r1")
            + "\nBuilding configuration...\n\nCurrent configuration : 92 bytes\n!\n"
            + config("r2"),
            {"r1": [1], "r2": [12]},
            id="what IOS prints ahead of the second one is of it",
        ),
        pytest.param(
            shown("r1", config("core"), "show running-config") + shown("r1"),
            None,
            id="the hostname of a configuration wins over its prompt",
        ),
        pytest.param(
            shown("r1", config("r1"), "show run") + shown("r2", config("r2"), "show run"),
            {"r1": [1], "r2": [10]},
            id="two show run of two routers",
        ),
        pytest.param(
            shown("r1", config("r1"), "show run") + shown("r1", config("old"), "show startup-config"),
            None,
            id="a stored configuration names no device",
        ),
        pytest.param(
            shown("r1", config("r1"), "show run")
            + "r1#conf t\nr1(config)#hostname r2\nr2(config)#end\n"
            + shown("r2"),
            None,
            id="a device that gets another name is one device",
        ),
        pytest.param(
            "root@jump:~#ssh r1\nPassword:\n" + shown("r1"), None, id="a jump host is no device"
        ),
        pytest.param(
            "root@jump:~#ssh r1\nPassword:\n" + shown("r1") + "root@jump:~#ssh r2\n" + shown("r2"),
            {"r1": [1, 3, 5], "r2": [6]},
            id="a jump host between two devices",
        ),
        pytest.param(
            shown("r1") + "r3#show run\n% Authorization failed.\n",
            {"r1": [1], "r3": [3]},
            id="a device that refuses what is asked is there",
        ),
        pytest.param(
            shown("hostname", version("hostname"), "show version"),
            None,
            id="a device that is called hostname",
        ),
        pytest.param(tech("r1"), None, id="one show tech-support"),
        pytest.param(
            tech("r1") + tech("r2"),
            {"r1": [1, 6, 16], "r2": [19, 24, 34]},
            id="two show tech-support",
        ),
        pytest.param(
            tech("r1") + heading("show processes cpu") + CPU + tech("r2"),
            {"r1": [1, 6, 16], "r2": [19, 22, 27, 37]},
            id="what stands ahead of show version is of the next one where it is there twice",
        ),
        pytest.param(
            config(LONG) + shown(LONG[:20]), None, id="a prompt that is cut at 20 characters"
        ),
        pytest.param(
            shown(LONG) + f"{LONG[:20]}(config)#do show processes cpu\n{CPU}",
            None,
            id="a prompt of config mode that is cut",
        ),
        pytest.param(
            config(f"{LONG[:20]}-1") + config(f"{LONG[:20]}-2") + shown(LONG[:20]),
            {f"{LONG[:20]}-1": [1], f"{LONG[:20]}-2": [9], LONG[:20]: [17]},
            id="a cut prompt of two names is of neither",
        ),
        pytest.param(
            "version 12.4\nhostname r1\nbanner motd ^C\ncut\n"
            + config("r2").replace("interface", "banner motd ^C\nx\n^C\ninterface"),
            {"r1": [1], "r2": [5]},
            id="a banner that was cut does not swallow the next device",
        ),
        pytest.param(
            "version 12.4\nhostname r1\nbanner motd ^C\ncut\n"
            + config("r2")
            + shown("r3")
            + "r3#show ver\n^C\n",
            {"r1": [1], "r2": [5], "r3": [13, 15]},
            id="text with a whole configuration in it is no banner",
        ),
        pytest.param(
            shown("r1") + "r1#exit\n" + config("r2").removeprefix("version 12.4\n!\n"),
            {"r1": [1, 3], "r2": [4]},
            id="a configuration behind the end of a session",
        ),
        pytest.param(
            shown("r1") + shown("r1", config("r2"), "more flash:r2.cfg"),
            None,
            id="a configuration in a file of a device",
        ),
        pytest.param(
            heading("show version") + version("r1") + config("r2"),
            {"r1": [1], "r2": [6]},
            id="a show version and the configuration of another device",
        ),
        pytest.param(
            "version 12.4\nhostname r1\nbanner motd ^C\nversion 12.4\nhostname r9\nr8#show version\n"
            "^C\nend\n",
            None,
            id="a banner names no device",
        ),
        pytest.param(
            shown("r1", "version 12.4\nhostname r1\nbanner motd ^C\nhostname r9\n^C\nend\n", "sh run")
            + shown("r1"),
            None,
            id="a banner gives no name",
        ),
        pytest.param(f"{CPU}\n", None, id="an output without any name"),
    ],
)  # fmt: skip
def test_sections_of_each_device(text: str, devices: dict[str, list[int]] | None) -> None:
    parts = by_device(read_capture(text, "x.log"))

    lines = {part.device or "": [section.first_line for section in part.sections] for part in parts}
    assert lines == (devices if devices is not None else {"": list(*lines.values())})


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_device_of_a_file_is_read_with_the_lines_of_the_file(end: str) -> None:
    text = shown("r1") + shown("r2", config("r2"), "show run") + shown("r2") + config("r3", "ATM0")

    readings = list(read_devices([Source("x.log", text.replace("\n", end).encode())], Settings()))

    found = {
        reading.device.name: (
            [str(interface.at) for interface in reading.device.facts.interfaces],
            [str(load.at) for load in reading.device.seen.cpu],
        )
        for reading in readings
    }
    assert found == {
        "r1": ([], ["x.log:2"]),
        "r2": (["x.log:8"], ["x.log:13"]),
        "r3": (["x.log:18"], []),
    }


def test_another_system_in_a_session_is_declined_by_itself() -> None:
    nexus = "n1# show version\nCisco Nexus Operating System (NX-OS) Software\nTAC support: x\n"

    readings = list(read_devices([Source("x.log", (shown("r1") + nexus).encode())], Settings()))

    systems = {reading.device.name: reading.device.is_ios for reading in readings}
    assert systems == {"r1": True, "n1": False}
