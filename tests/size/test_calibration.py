"""Calibrations: the user's own measurements."""

from pathlib import Path

import pytest

from advisor.predict.size.platform_line import moving, read_calibration
from advisor.settings import SettingsError
from advisor.shows.cpu import CpuLoad, read_cpu

HEAD = "CPU utilization for five seconds: {}; one minute: {}%; five minutes: {}%"
EXAMPLE = Path(__file__).parents[2] / "fixtures/dlsw/calibration-3640.toml"


def seen(five: str, minute: int, minutes: int) -> CpuLoad:
    load = read_cpu(HEAD.format(five, minute, minutes), "r1.txt")
    assert load is not None
    return load


def own(tmp_path: Path, *samples: str, head: str = 'platform = "3640"\n') -> Path:
    file = tmp_path / "own.toml"
    file.write_text(head + "".join(f"[[sample]]\n{each}\n" for each in samples), "utf-8")
    return file


def sample(fps: float, five: str, minute: int, minutes: int) -> str:
    return f'fps = {fps}\ncpu = "{HEAD.format(five, minute, minutes)}"'


def test_the_example_gives_base_and_slope_at_process_level() -> None:
    line = read_calibration(EXAMPLE).line

    assert line is not None
    assert round(line.base_percent, 2) == 1.33
    assert round(line.slope_percent, 4) == 0.0283


def test_8_6_8_5_is_steady_and_leaves_2_percent_to_dlsw() -> None:
    load = seen("8%/6%", 8, 5)

    assert moving(load) is None
    assert load.process_percent == 2


def test_a_load_on_the_move_is_named() -> None:
    assert moving(seen("20%/2%", 12, 8)) == (
        "five seconds and one minute differ by 8 points: not a steady load"
    )


def test_a_sample_without_frames_is_a_base(tmp_path: Path) -> None:
    found = read_calibration(own(tmp_path, sample(0, "5%/1%", 5, 5)))

    assert found.line is None
    assert found.base_percent == 4


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        pytest.param([], "holds no [[sample]] table", id="nothing measured"),
        pytest.param([sample(200, "20%/2%", 12, 8)], "own.toml:4: [[sample]] cpu: five seconds",
                     id="not steady: refused with its line"),
        pytest.param([sample(200, "9%", 9, 9)], "prints no interrupt share", id="no interrupts"),
        pytest.param([sample(200, "9%/2%", int("9" * 25), 9)], "not a number of at most",
                     id="endless digits"),
        pytest.param([sample(200, "9%/10%", 9, 9)], "above the total", id="more than the total"),
        pytest.param(['fps = 200\ncpu = "9/2"'], "not the head line of", id="not the line itself"),
        pytest.param(["fps = -1\ncpu = '9'"], "own.toml:3: [[sample]] fps", id="negative rate"),
        pytest.param(["fps = 1\nrate = 2"], "unknown key rate", id="unknown key"),
        pytest.param([sample(200, "9%/2%", 9, 9), sample(800, "9%/2%", 9, 9)],
                     "does not rise", id="no slope in it"),
    ],
)  # fmt: skip
def test_what_gives_no_line_is_refused(tmp_path: Path, samples: list[str], said: str) -> None:
    with pytest.raises(SettingsError) as error:
        read_calibration(own(tmp_path, *samples))

    assert said in str(error.value)


def test_a_medium_that_is_none_is_refused(tmp_path: Path) -> None:
    file = own(tmp_path, sample(200, "9%/2%", 9, 9), head='platform = "3640"\nlan = "fddi"\n')

    with pytest.raises(SettingsError, match="lan: unknown 'fddi'"):
        read_calibration(file)
