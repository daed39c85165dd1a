"""A platform that the user states: by a flag, for all devices, or by the name of a device."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from advisor.cli import run

CONFIG = "version 16.9\nhostname edge-1\ninterface GigabitEthernet0/0/0\n no ip address\nend\n"
SWITCH = "version 15.0\nhostname sw1\nmls qos\ninterface GigabitEthernet1/0/1\n mls qos trust cos\n"

Said = pytest.CaptureFixture[str]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r1.cfg").write_text(CONFIG, encoding="utf-8")
    return tmp_path


def inspected(capsys: Said, *flags: str) -> dict[str, Any]:
    assert run(["inspect", "r1.cfg", "--format", "json", *flags]) == 0
    device: dict[str, Any] = msgspec.json.decode(capsys.readouterr().out)["devices"][0]
    return device


def test_inspect_shows_family_and_evidence_with_its_line(here: Path, capsys: Said) -> None:
    text = CONFIG.replace("version 16.9\n", "version 16.9\nlicense udi pid ISR4331/K9 sn F1\n")
    (here / "r1.cfg").write_text(text, encoding="utf-8")
    device = inspected(capsys)
    assert device["family"] == {"value": "IOS XE on QFP", "at": "r1.cfg:2"}
    assert device["platform"] == {"value": "4331", "at": "r1.cfg:2"}
    assert [
        (piece["evidence"], piece["kind"], piece["grade"], piece["at"])
        for piece in device["platform_evidence"]
    ] == [
        ("licence ISR4331/K9", "licence", "sourced", "r1.cfg:2"),
        ("version 16.9", "version line", "sourced", "r1.cfg:1"),
        ("port GigabitEthernet0/0/0", "hint", "derived", "r1.cfg:4"),
    ]


@pytest.mark.usefixtures("here")
def test_the_family_is_not_known_where_nothing_names_it(capsys: Said) -> None:
    device = inspected(capsys)
    assert (device["family"], device["queueing"]["generation"]) == (None, "IOS XE")


@pytest.mark.usefixtures("here")
def test_a_flag_states_the_platform(capsys: Said) -> None:
    assert inspected(capsys, "--platform", "qfp")["family"] == "IOS XE on QFP"


@pytest.mark.parametrize(
    ("settings", "family"),
    [
        pytest.param('platform = "ISR4331"\n', "IOS XE on QFP", id="of all devices"),
        pytest.param('[platforms]\n"edge-*" = "ASR-920"\n', "IOS XE without QFP", id="by name"),
        pytest.param(
            'platform = "ISR4331"\n[platforms]\n"edge-*" = "ASR-920"\n', "IOS XE without QFP",
            id="the name of the device wins",
        ),
        pytest.param('[platforms]\n"core-*" = "ASR-920"\n', None, id="of other devices"),
    ],
)  # fmt: skip
def test_settings_state_the_platform(
    settings: str, family: str | None, here: Path, capsys: Said
) -> None:
    (here / "advisor.toml").write_text(settings, encoding="utf-8")
    assert inspected(capsys)["family"] == family


@pytest.mark.parametrize("command", ["lint", "fix", "predict", "inspect"])
@pytest.mark.usefixtures("here")
def test_an_unknown_name_is_wrong_use_and_gives_the_nearest(command: str, capsys: Said) -> None:
    assert run([command, "r1.cfg", "--platform", "ISR433"]) == 2
    assert capsys.readouterr().err == (
        "advisor: --platform: unknown platform 'ISR433'; did you mean ISR4331?\n"
    )


def test_an_unknown_name_in_a_file_says_its_line(here: Path, capsys: Said) -> None:
    (here / "advisor.toml").write_text('profile = "voice"\nplatform = "ISR433"\n', encoding="utf-8")
    assert run(["lint", "r1.cfg"]) == 2
    assert capsys.readouterr().err == (
        "advisor: advisor.toml:2: unknown platform 'ISR433'; did you mean ISR4331?\n"
    )


def test_a_switch_with_qos_is_one_information(here: Path, capsys: Said) -> None:
    (here / "r1.cfg").write_text(f"{SWITCH}end\n", encoding="utf-8")
    assert run(["lint", "r1.cfg", "--format", "concise"]) == 0
    assert "PLT001 platform-not-judged" in capsys.readouterr().out


def test_the_mask_leaves_the_words_about_a_switch(here: Path, capsys: Said) -> None:
    (here / "r1.cfg").write_text(f"{SWITCH}end\n", encoding="utf-8")
    run(["lint", "r1.cfg", "-v"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "  --> r1.cfg:3  sw1: device"
    assert "  not judged yet: QoS of a switch (2 lines)" in lines


def test_a_prediction_for_a_lab_image_says_what_its_figures_are(here: Path, capsys: Said) -> None:
    text = (
        "version 15.1\nhostname r1\nlicense udi pid CISCO2911/K9 sn FTX1524PNC4-\n"
        "policy-map P\n class class-default\n  shape average 64000\n"
        "interface GigabitEthernet0/0\n ip address 192.0.2.1 255.255.255.0\n"
        " service-policy output P\nend\n"
    )
    (here / "r1.cfg").write_text(text, encoding="utf-8")
    assert run(["predict", "r1.cfg"]) == 0
    assert capsys.readouterr().err == (
        "advisor: lab image: its transmit rings and times mean nothing for a router\n"
    )


POLICY = """\
class-map VOICE
 match dscp ef
policy-map EDGE
 class VOICE
  priority 512
"""


@pytest.mark.parametrize("command", ["predict", "lint"])
def test_hardware_that_must_be_named_is_asked_for(here: Path, capsys: Said, command: str) -> None:
    attached = CONFIG.replace(" no ip address", " service-policy output EDGE")
    (here / "r1.cfg").write_text(attached.replace("interface", POLICY + "interface", 1))
    run([command, "r1.cfg"])
    printed = capsys.readouterr()

    assert "name it with --platform" in printed.out + printed.err


def test_an_output_without_known_queueing_says_so_in_a_sentence(here: Path, capsys: Said) -> None:
    beside = "interface GigabitEthernet0/0/1\n ip address 192.0.2.1 255.255.255.0\nend\n"
    (here / "r1.cfg").write_text(CONFIG.replace("end\n", beside), encoding="utf-8")
    assert run(["predict", "r1.cfg", "--platform", "ISR4331"]) == 2
    said = "no policy queues here, and what queues instead is not known of this platform"
    assert said in capsys.readouterr().err


_POLICED = "version 12.4\nhostname r1\npolicy-map WAN\n class class-default\n  fair-queue\n!\nend\n"


@pytest.mark.parametrize(
    ("flags", "start"),
    [
        pytest.param((), "platform: not known: name it with --platform", id="nothing names it"),
        pytest.param(("--platform", "2811"), "platform: software router (2811)", id="a flag does"),
    ],
)
def test_lint_says_how_to_name_a_platform_that_no_file_shows(
    here: Path, capsys: Said, flags: tuple[str, ...], start: str
) -> None:
    (here / "r1.cfg").write_text(_POLICED, encoding="utf-8")
    run(["lint", "r1.cfg", "--fail-on", "never", *flags])
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("platform:")]
    assert [line.startswith(start) for line in told] == [True]


def test_a_finding_of_an_own_rule_tells_its_pattern_and_where_its_card_is(
    here: Path, capsys: Said
) -> None:
    assert run(["rules", "new", "BRA001-described", "--rules", "own", "--declared"]) == 0
    card = here / "own/BRA001-described.toml"
    (here / "r1.cfg").write_text("hostname r1\ninterface Serial0/0\n no ip address\nend\n", "utf-8")
    text = card.read_text("utf-8").replace('["no cdp enable"]', '["description *"]')
    card.write_text(text, "utf-8")
    capsys.readouterr()
    run(["lint", "r1.cfg", "--rules", "own", "--select", "BRA"])
    told = capsys.readouterr().out
    assert "has `description *` missing" in told
    assert "advisor explain BRA001 r1.cfg --rules own" in told
