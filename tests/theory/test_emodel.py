"""The E-model: published points and laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.theory.voice import (
    IMPAIRMENTS,
    Impairment,
    delay_impairment,
    loss_impairment,
    mos,
    r_factor,
)

PERCENT = st.floats(0, 100)
DELAY_MS = st.floats(0, 2000)
CODECS = st.sampled_from(list(IMPAIRMENTS.values()))


@pytest.mark.parametrize(
    ("codec", "r"),
    [
        pytest.param("G.711", 93.2, id="G.711 is not impaired"),
        pytest.param("G.729", 82.2, id="G.729A costs 11"),
        pytest.param("g723r63", 78.2, id="G.723.1 at 6.3 kb/s costs 15"),
        pytest.param("g723r53", 74.2, id="G.723.1 at 5.3 kb/s costs 19"),
        pytest.param("g726r32", 86.2, id="G.726 at 32 kb/s costs 7"),
        pytest.param("g726r24", 68.2, id="G.726 at 24 kb/s costs 25"),
        pytest.param("G.728", 86.2, id="G.728 costs 7"),
    ],
)
def test_without_delay_and_loss_a_codec_costs_its_ie(codec: str, r: float) -> None:
    impairment = IMPAIRMENTS[codec]

    assert r_factor(0, impairment.ie, impairment.bpl_high, 0) == pytest.approx(r)


@pytest.mark.parametrize("ms", [0.0, 50.0, 100.0, 150.0, 200.0, 250.0, 300.0])
def test_up_to_300_ms_delay_costs_what_cole_and_rosenbluth_fitted(ms: float) -> None:
    fitted = 0.024 * ms + 0.11 * max(0.0, ms - 177.3)

    assert delay_impairment(ms) == pytest.approx(fitted, abs=0.3)


def test_delay_alone_costs_nothing_up_to_100_ms_and_25_points_at_most_beyond() -> None:
    before, after = (delay_impairment(d + 10) - delay_impairment(d) for d in (80.0, 200.0))

    assert after > 5 * before
    assert delay_impairment(5000.0) < 25 * 2 + 20


@pytest.mark.parametrize(
    ("codec", "lost_percent", "published"),
    [("G.729", 2, 19), ("G.729", 4, 26), ("G.729", 8, 36), ("g723r63", 2, 24), ("g723r63", 8, 41)],
)
def test_loss_costs_what_g_113_lists_for_random_loss(
    codec: str, lost_percent: float, published: float
) -> None:
    of = IMPAIRMENTS[codec]

    assert loss_impairment(of.ie, of.bpl_low, lost_percent) == pytest.approx(published, abs=1)


@pytest.mark.parametrize(
    ("r", "score"), [(50, 2.6), (60, 3.1), (70, 3.6), (80, 4.0), (90, 4.3)], ids=str
)
def test_mos_of_the_table_of_g_107(r: float, score: float) -> None:
    assert round(mos(r), 1) == score


@given(CODECS, DELAY_MS, DELAY_MS, PERCENT)
def test_more_delay_is_never_better(codec: Impairment, one: float, two: float, lost: float) -> None:
    ends = sorted((one, two))
    short, long = (r_factor(ms, codec.ie, codec.bpl_low, lost) for ms in ends)

    assert long <= short


@given(CODECS, DELAY_MS, PERCENT, PERCENT)
def test_more_loss_is_never_better(codec: Impairment, ms: float, one: float, two: float) -> None:
    ends = sorted((one, two))
    less, more = (r_factor(ms, codec.ie, codec.bpl_low, lost) for lost in ends)

    assert more <= less


@given(st.floats(-10, 110))
def test_a_score_lies_between_1_and_4_5(r: float) -> None:
    assert 1 <= mos(r) <= 4.5
