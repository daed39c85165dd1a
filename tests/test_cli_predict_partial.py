"""`advisor predict` of captures that are cut, and of outputs that carry nothing."""

import json
import re
from pathlib import Path

import pytest

from advisor.cli import run

Said = pytest.CaptureFixture[str]
BUNDLE = Path("fixtures/bundles/a1")
COUNTED = "show_policy-map_interface.txt"
OFFERED = re.compile(r"offered rate \d+ bps, drop rate \d+ bps")
PACKETS = re.compile(r"\d+ packets, \d+ bytes")
IDLE = "offered rate 0 bps, drop rate 0 bps"
SERIAL = ["--interface", "Serial0/1/0"]


def capture_with(folder: Path, counted: str) -> str:
    """A terminal log with a configuration and these counters."""
    log = f"a1#show running-config\n{CONFIG}a1#show policy-map interface\n{counted}\na1#\n"
    file = folder / "a1.log"
    file.write_text(log, encoding="utf-8")
    return str(file)


COUNTERS = (BUNDLE / COUNTED).read_text(encoding="utf-8")
UNCOUNTED = PACKETS.sub("0 packets, 0 bytes", OFFERED.sub(IDLE, COUNTERS, count=1), count=1)
CONFIG = (BUNDLE / "running-config").read_text(encoding="utf-8")
CUT = CONFIG.removesuffix("!\nend\n").replace(" 1071 bytes", " 9000 bytes")


def test_figures_of_a_cut_capture_have_a_caution_and_exit_code_3(
    tmp_path: Path, capsys: Said
) -> None:
    capture = capture_with(tmp_path, COUNTERS[: COUNTERS.index("Class-map: class-default")])

    assert run(["predict", capture, *SERIAL]) == 3
    said = capsys.readouterr()

    assert "caution the input is incomplete" in said.out
    assert "advisor: incomplete: " in said.err


@pytest.mark.parametrize(
    "more",
    [
        pytest.param([], id="a prediction"),
        pytest.param(["--sweep", "tx-ring-limit=1..2"], id="a sweep"),
    ],
)
def test_a_config_without_its_end_is_predicted_with_exit_code_3(
    more: list[str], tmp_path: Path, capsys: Said
) -> None:
    file = tmp_path / "r1.cfg"
    file.write_text(CUT, encoding="utf-8")

    assert run(["predict", str(file), *SERIAL, *more]) == 3
    assert "9000 bytes declared" in capsys.readouterr().err


def test_the_json_of_an_incomplete_input_has_the_caution_of_each_class(
    tmp_path: Path, capsys: Said
) -> None:
    file = tmp_path / "r1.cfg"
    file.write_text(CUT, encoding="utf-8")

    assert run(["predict", str(file), *SERIAL, "--format", "json"]) == 3
    classes = json.loads(capsys.readouterr().out)

    assert all("the input is incomplete" in each["weak"][-1] for each in classes)


def test_a_path_over_an_incomplete_config_has_exit_code_3(tmp_path: Path, capsys: Said) -> None:
    (tmp_path / "r1.cfg").write_text(CUT, encoding="utf-8")
    hops = tmp_path / "hops.toml"
    hops.write_text('[[hop]]\nconfig = "r1.cfg"\ninterface = "Serial0/1/0"\n', encoding="utf-8")

    assert run(["predict", "--hops", str(hops)]) == 3
    assert "9000 bytes declared" in capsys.readouterr().err


@pytest.mark.parametrize(
    "counted",
    [
        pytest.param(OFFERED.sub(IDLE, COUNTERS), id="all classes"),
        pytest.param(OFFERED.sub(IDLE, COUNTERS, count=1), id="the LLQ"),
        pytest.param(UNCOUNTED, id="an LLQ that counted no packet"),
        pytest.param(UNCOUNTED.replace("0 packets, 0", "1 packets, 64"), id="an LLQ of one probe"),
    ],
)
def test_an_idle_measurement_leaves_the_congested_case(
    counted: str, tmp_path: Path, capsys: Said
) -> None:
    capture = capture_with(tmp_path, counted)

    assert run(["predict", capture, *SERIAL]) == 0
    said = capsys.readouterr().out

    assert re.search(r"Echo waits about \d.* with the lower classes saturated: ring_bound", said)
    assert "Echo: no figures: carries nothing" in said


def test_an_idle_measurement_leaves_stated_calls(tmp_path: Path, capsys: Said) -> None:
    capture = capture_with(tmp_path, UNCOUNTED)
    (tmp_path / "calls.toml").write_text(
        '[[traffic]]\ndevice = "a1"\nclass = "Echo"\ncalls = 2\ncodec = "g729"\n', encoding="utf-8"
    )
    asked = ["predict", capture, *SERIAL, "--traffic", str(tmp_path / "calls.toml")]

    assert run([*asked, "--format", "json"]) == 0
    echo = json.loads(capsys.readouterr().out)[0]

    assert echo["offered"]["value"] == pytest.approx(51.2)  # 2 calls of 64 bytes, 50 a second


def test_the_json_of_an_idle_priority_class_has_its_congested_case(
    tmp_path: Path, capsys: Said
) -> None:
    capture = capture_with(tmp_path, OFFERED.sub(IDLE, COUNTERS))

    assert run(["predict", capture, *SERIAL, "--format", "json"]) == 0
    echo, *others = json.loads(capsys.readouterr().out)

    assert echo["congested"]["mean"]["value"] > 10
    assert [each["is_idle"] for each in (echo, *others)] == [True] * 3


def test_a_hop_whose_class_is_idle_is_named(tmp_path: Path, capsys: Said) -> None:
    capture_with(tmp_path, OFFERED.sub(IDLE, COUNTERS))
    hops = tmp_path / "hops.toml"
    hops.write_text('[[hop]]\nconfig = "a1.log"\nclass = "Echo"\n', encoding="utf-8")

    assert run(["predict", "--hops", str(hops)]) == 2
    assert "class Echo: carries nothing" in capsys.readouterr().err
