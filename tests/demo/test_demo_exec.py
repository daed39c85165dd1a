"""The exec of a simulated router says what IOS says."""

import pytest

from advisor.collect.demo.exec_mode import Exec
from advisor.collect.demo.script import Script, TerminalView

CONFIG = "!\nhostname r1\n!\ninterface Serial0/0\n bandwidth 512\n!\nend\n"
ANSWERS = {
    "show version": "Cisco IOS Software\nr1 uptime is 1 day\n",
    "show interfaces": "Serial0/0 is up\n  BW 512 Kbit\nSerial0/1 is down\n  BW 64 Kbit\n",
    "show interfaces Serial0/0": "Serial0/0 is up\n",
    "show running-config": CONFIG,
}
INVALID = "% Invalid input detected at '^' marker.\n\n"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        pytest.param("show version", ANSWERS["show version"], id="a whole command"),
        pytest.param("sh ver", ANSWERS["show version"], id="words as short as they are clear"),
        pytest.param("SHOW Version", ANSWERS["show version"], id="case does not matter"),
        pytest.param("sh int serial0/0", "Serial0/0 is up\n", id="a command with an argument"),
        pytest.param("", "", id="an empty line"),
        pytest.param("! remark", "", id="a remark"),
        pytest.param("terminal length 0", "", id="a setting of the terminal"),
        pytest.param("sh pr", '% Ambiguous command:  "sh pr"\n\n', id="a word that is ambiguous"),
        pytest.param("show", "% Incomplete command.\n\n", id="half a command"),
        pytest.param("show foo", f"        ^\n{INVALID}", id="the marker is under the bad word"),
        pytest.param("reload", f"   ^\n{INVALID}", id="a command that it does not have"),
        pytest.param("sh ver | inc uptime", "r1 uptime is 1 day\n", id="include"),
        pytest.param("sh ver | exc uptime", "Cisco IOS Software\n", id="exclude"),
        pytest.param("sh ver | b uptime", "r1 uptime is 1 day\n", id="begin"),
        pytest.param(
            "sh int | sec Serial0/1",
            "Serial0/1 is down\n  BW 64 Kbit\n",
            id="section with its body",
        ),
        pytest.param("sh ver | inc", "% Incomplete command.\n\n", id="a filter of nothing"),
        pytest.param("sh priv", "Current privilege level is 15\n", id="privilege"),
    ],
)
def test_reply(line: str, text: str) -> None:
    assert Exec(Script("r1", ANSWERS)).run(line).text == text


def test_privilege_decides_prompt_and_commands() -> None:
    ios = Exec(Script("r1", ANSWERS, privilege=1, enable_password="en"))  # noqa: S106
    assert ios.prompt == "r1>"
    assert ios.run("show running-config").text.endswith(INVALID)
    assert not ios.enabled("wrong")
    assert ios.enabled("en")
    assert ios.prompt == "r1#"
    assert "interface Serial0/0" in ios.run("show running-config").text


def test_low_privilege_shortens_the_configuration_unless_the_full_view_is_asked() -> None:
    ios = Exec(Script("r1", ANSWERS, privilege=7, command_privilege={"show running-config": 7}))
    assert "interface" not in ios.run("show running-config").text
    assert "interface" in ios.run("show running-config view full").text


def test_a_view_holds_its_commands_alone() -> None:
    view = TerminalView("qos", "vw", ("show running-config", "show version"))
    ios = Exec(Script("r1", ANSWERS, privilege=1, view=view))
    assert ios.run("enable view qos").command == "enable view qos"
    assert ios.entered("qos", "vw")
    assert ios.run("show privilege").text == "Currently in View Context with view 'qos'\n"
    assert ios.run("show version").text == ANSWERS["show version"]
    assert ios.run("show interfaces").text.endswith(INVALID)
    assert "interface" in ios.run("show running-config view full").text


def test_later_answers_follow_and_the_last_stays() -> None:
    ios = Exec(Script("r1", {"show clock": "1\n"}, {"show clock": ("2\n", "3\n")}))
    assert [ios.run("show clock").text for _ in range(4)] == ["1\n", "2\n", "3\n", "3\n"]
