"""CPU of DLSw+: frames of a transaction, the band of an estimate, lines through measurements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.theory.dlsw import (
    CalibrationError,
    CpuBand,
    CpuEstimate,
    CpuLine,
    Sample,
    fit,
    fps_at,
    frames_of,
    frames_per_transaction,
)

TWO = (Sample(200, 9 - 2), Sample(800, 27 - 3))
RATES = st.floats(0, 20_000)


@pytest.mark.parametrize(
    ("size", "ru", "lf", "frames"),
    [
        pytest.param(0, 1024, None, 0, id="nothing takes no frame"),
        pytest.param(1, 1024, None, 1, id="a byte takes a frame"),
        pytest.param(1024, 1024, None, 1, id="exactly one RU is one frame"),
        pytest.param(1025, 1024, None, 2, id="a byte more is a second RU"),
        pytest.param(2048, 1024, 1500, 2, id="a largest frame above the RU cuts nothing"),
        pytest.param(2048, 1024, 1024, 2, id="a largest frame of the RU cuts nothing"),
        pytest.param(4096, 4096, 1500, 3, id="an RU above the largest frame: ceil(RU / lf)"),
        pytest.param(8192, 4096, 1500, 6, id="each of two RUs is cut"),
        pytest.param(4097, 4096, 1500, 4, id="the last RU of a byte is one frame"),
        pytest.param(4500, 4500, 1500, 3, id="an RU of exactly three largest frames"),
        pytest.param(1000, 4096, 1500, 1, id="a message below the largest frame is one"),
        pytest.param(0, 4096, 1500, 0, id="nothing is not cut"),
    ],
)
def test_frames_of_one_direction(size: int, ru: int, lf: int | None, frames: int) -> None:
    assert frames_of(size, ru, lf) == frames


def test_a_transaction_of_2000_and_1000_bytes_at_an_ru_of_1024_takes_three_frames() -> None:
    assert frames_per_transaction(2000, 1000, 1024) == 3


@pytest.mark.parametrize(("size", "ru", "lf"), [(-1, 1024, None), (1, 0, None), (1, 1024, 0)])
def test_a_size_that_cannot_be_is_refused(size: int, ru: int, lf: int | None) -> None:
    with pytest.raises(ValueError, match="too small"):
        frames_of(size, ru, lf)


@given(st.integers(0, 50_000), st.integers(1, 8192), st.integers(1, 8192))
def test_frames_carry_the_message_and_none_is_empty(size: int, ru: int, lf: int) -> None:
    frames = frames_of(size, ru, lf)

    assert frames * min(ru, lf) >= size
    assert frames <= size


@given(st.integers(0, 50_000), st.integers(1, 8192), st.integers(1, 8192), st.integers(0, 8192))
def test_a_larger_largest_frame_never_takes_more_frames(
    size: int, ru: int, lf: int, more: int
) -> None:
    assert frames_of(size, ru, lf + more) <= frames_of(size, ru, lf)


def test_an_estimate_is_a_band_of_one_to_four_process_switched_packets() -> None:
    assert CpuEstimate(5000, 5000).at(500) == CpuBand(20.0, 10.0, 40.0)


def test_a_family_takes_its_slowest_for_the_value_and_its_fastest_for_the_low_end() -> None:
    assert CpuEstimate(1500, 2000).at(150) == CpuBand(20.0, 7.5, 40.0)


def test_above_1000_frames_the_low_end_stays_where_it_is() -> None:
    line = CpuEstimate(10_000, 10_000)

    assert line.at(4000).low_percent == line.at(1000).low_percent == 10
    assert line.at(4000).value_percent == 4 * line.at(1000).value_percent


def test_a_measured_base_lies_under_the_whole_band() -> None:
    assert CpuEstimate(5000, 5000, base_percent=3.0).at(500) == CpuBand(23.0, 13.0, 43.0)


def test_two_samples_give_base_and_slope_at_process_level() -> None:
    line = fit(TWO)

    assert line.base_percent == pytest.approx(1.33, abs=0.005)
    assert line.slope_percent == pytest.approx(0.0283, abs=0.00005)
    assert line.is_base_measured


@pytest.mark.parametrize("sample", TWO)
def test_a_line_of_two_samples_goes_through_them_give_or_take_whole_percents(
    sample: Sample,
) -> None:
    cpu = fit(TWO).at(sample.fps)

    assert cpu.value_percent == pytest.approx(sample.process_percent)
    assert cpu.high_percent - cpu.low_percent == pytest.approx(2.0)


def test_one_sample_gives_the_slope_under_a_base_of_0() -> None:
    line = fit([Sample(800, 24)])

    assert (line.base_percent, line.slope_percent) == (0.0, 0.03)
    assert not line.is_base_measured


def test_with_one_sample_all_of_it_may_be_base() -> None:
    cpu = fit([Sample(800, 24)]).at(1600)

    assert cpu.value_percent == 48
    assert cpu.low_percent <= 24


def test_two_samples_at_one_rate_give_no_base() -> None:
    line = fit([Sample(800, 23), Sample(800, 25)])

    assert line.slope_percent == pytest.approx(0.03)
    assert not line.is_base_measured


def test_a_line_that_starts_just_under_0_goes_through_the_origin() -> None:
    line = fit([Sample(200, 5), Sample(800, 22)])

    assert line.base_percent == 0
    assert not line.is_base_measured


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        pytest.param([], "no measurement with frames", id="nothing"),
        pytest.param([Sample(0, 3)], "no measurement with frames", id="a base alone"),
        pytest.param([Sample(500, 0)], "no load at process level", id="no load"),
        pytest.param([Sample(200, 9), Sample(800, 9)], "does not rise", id="flat"),
        pytest.param([Sample(200, 24), Sample(800, 7)], "does not rise", id="falling"),
        pytest.param([Sample(500, 5), Sample(800, 40)], "starts at", id="far below 0 at no frame"),
    ],
)
def test_samples_without_a_line_are_refused_with_why(samples: list[Sample], said: str) -> None:
    with pytest.raises(CalibrationError, match=said):
        fit(samples)


def test_more_samples_widen_the_band_by_what_they_miss() -> None:
    exact = fit([*TWO, Sample(500, 15.5)]).at(500)
    off = fit([*TWO, Sample(500, 20)]).at(500)

    assert off.high_percent - off.low_percent > exact.high_percent - exact.low_percent


LINES = st.one_of(
    st.builds(lambda pps: CpuEstimate(pps, pps), st.integers(600, 80_000)),
    st.builds(
        lambda low, rise: fit([Sample(200, low), Sample(800, low + rise)]),
        st.integers(8, 30),
        st.integers(3, 20),
    ),
    st.builds(lambda percent: fit([Sample(800, percent)]), st.integers(1, 90)),
)


@given(LINES, RATES, RATES)
def test_more_frames_never_take_less_cpu(line: CpuLine, one: float, other: float) -> None:
    low, high = line.at(min(one, other)), line.at(max(one, other))

    assert low.value_percent <= high.value_percent + 1e-9
    assert low.high_percent <= high.high_percent + 1e-9


@given(LINES, RATES)
def test_the_value_lies_within_its_band(line: CpuLine, fps: float) -> None:
    cpu = line.at(fps)

    assert cpu.low_percent - 1e-9 <= cpu.value_percent <= cpu.high_percent + 1e-9


@given(LINES, st.floats(1, 100))
def test_at_the_rate_of_a_limit_the_limit_is_kept(line: CpuLine, limit: float) -> None:
    reached = fps_at(line, limit, 50_000.0)

    assert reached.low_fps <= reached.value_fps + 1e-6
    assert reached.value_fps <= reached.high_fps + 1e-6
    if reached.value_fps:
        assert line.at(reached.value_fps).value_percent <= limit + 1e-4


def test_the_process_switching_rate_bounds_the_frames_per_second() -> None:
    assert fps_at(CpuEstimate(4000, 4000), 100.0, 4000.0).high_fps == 4000
