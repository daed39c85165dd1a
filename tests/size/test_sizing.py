"""Sizes: now, after a failover, head room, the smallest platform."""

import pytest

from advisor.ground.quantity import Basis
from advisor.predict.size import (
    Load,
    SizingError,
    Takeover,
    Transactions,
    fault_domain,
    stated_load,
    takeovers,
)
from advisor.predict.size.platform_line import CALIBRATED, ESTIMATED, Calibration, line_of
from advisor.predict.size.sizing import Holds, Limits, RouterSizing, size
from advisor.theory.dlsw import Sample

PAIR = Limits()


def load(fps: float = 300, peers: int | None = 250, router: str = "dc1") -> Load:
    return Load(router, fps, Basis.CONFIGURED, "test", fps / 3, 2, 1, peers=peers)


def sized(platform: str, fps: float, limits: Limits = PAIR) -> RouterSizing:
    (after,) = takeovers((load(fps),))
    return size(load(fps), line_of(platform, None), limits, after)


def calibration(platform: str, *samples: Sample) -> Calibration:
    from advisor.theory.dlsw import fit  # noqa: PLC0415

    line = fit(samples) if any(each.fps for each in samples) else None
    base = sum(each.process_percent for each in samples if each.fps == 0)
    return Calibration(platform, samples, line, base, 3, None, None, "own.toml")


def test_a_pair_doubles_frames_and_peers_after_a_failure() -> None:
    now, after = sized("3640", 300).states

    assert (now.fps, now.peers) == (300, 250)
    assert (after.fps, after.peers) == (600, 500)
    assert after.cpu.value_percent == 2 * now.cpu.value_percent


def test_of_several_routers_each_takes_over_the_busiest_other() -> None:
    loads = (load(100, 10, "a"), load(300, 30, "b"), load(200, 20, "c"))

    assert takeovers(loads) == [
        Takeover(400, 40, is_alike=False),
        Takeover(500, 50, is_alike=False),
        Takeover(500, 50, is_alike=False),
    ]


@pytest.mark.parametrize(
    ("fps", "holds"),
    [
        pytest.param(250, Holds.YES, id="4 packets a frame: 50 % at 500 after a failure"),
        pytest.param(300, Holds.BY_MIDDLE, id="the upper end is over"),
        pytest.param(500, Holds.BY_MIDDLE, id="the middle is at the limit"),
        pytest.param(501, Holds.BY_LOW_END, id="the middle is over"),
        pytest.param(2001, Holds.NO, id="more frames than are process-switched"),
    ],
)
def test_whether_a_3640_holds_after_a_failure(fps: float, holds: Holds) -> None:
    assert sized("3640", fps).states[1].holds is holds


def test_above_the_process_switching_rate_nothing_holds() -> None:
    (now, _) = sized("2500", 801).states

    assert now.is_beyond_rate
    assert now.holds is Holds.NO


def test_a_survivor_may_be_allowed_more() -> None:
    strict = sized("3640", 600).states[1]
    allowed = sized("3640", 600, Limits(survivor_percent=70)).states[1]

    assert (strict.holds, allowed.holds) == (Holds.BY_LOW_END, Holds.BY_MIDDLE)


def test_head_room_is_in_transactions_up_to_half_of_the_cpu() -> None:
    now, after = sized("3640", 300).head_room

    assert now.tps == pytest.approx((1000 - 300) / 3, abs=0.01)
    assert after.tps == pytest.approx((1000 / 2 - 300) / 3, abs=0.01)


def test_what_is_too_much_is_a_negative_head_room() -> None:
    assert sized("3640", 1500).head_room[0].fps == pytest.approx(-500, abs=0.01)


def test_what_is_added_to_one_of_unlike_routers_is_not_doubled() -> None:
    one, other = load(100), load(300)
    (takeover, _) = takeovers((one, other))
    after = size(one, line_of("3640", None), PAIR, takeover).head_room[1]

    assert after.fps == pytest.approx(1000 - 400, abs=0.01)


def test_the_smallest_platform_holds_before_and_after_and_the_next_slower_does_not() -> None:
    of = sized("3640", 300)
    rows = {each.name: each for each in of.platforms}

    assert of.smallest.by_upper_end == "RSP2"
    assert rows["RSP2"].holds is Holds.YES
    assert rows["4700"].holds is Holds.BY_MIDDLE
    assert of.smallest.by_middle == "7000"


def test_a_platform_of_a_recalled_rate_is_never_proposed() -> None:
    rows = {each.name: each for each in sized("3640", 300).platforms}

    assert rows["RSP1"].holds is Holds.YES  # as fast as the RSP2, and listed before it


def test_where_nothing_of_the_table_holds_there_is_no_smallest() -> None:
    assert sized("NPE-G1", 60_000).smallest.by_middle is None


def test_the_table_has_every_platform_slowest_first() -> None:
    rows = sized("3640", 300).platforms

    assert [each.now.value_percent for each in rows] == sorted(
        (each.now.value_percent for each in rows), reverse=True
    )


def test_a_fault_domain_of_250_is_250_on_each_and_500_on_the_survivor() -> None:
    of = fault_domain(250, 1200)

    assert (of.routers, of.peers_per_router, of.peers_after_failure, of.pairs) == (2, 250, 500, 3)


def test_a_calibration_replaces_the_estimate() -> None:
    own = calibration("3640", Sample(200, 7), Sample(800, 24))
    of = size(load(300), line_of("3640", own), PAIR)

    assert of.basis == CALIBRATED
    assert of.states[0].cpu.value_percent == pytest.approx(1.333 + 300 * 0.02833, abs=0.01)
    assert {each.basis for each in of.platforms if each.name == "3640"} == {CALIBRATED}
    assert {each.basis for each in of.platforms if each.name != "3640"} == {ESTIMATED}


def test_a_platform_that_the_table_lacks_is_sized_by_its_calibration() -> None:
    own = calibration("2911", Sample(200, 7), Sample(800, 24))
    of = size(load(300), line_of(None, own), PAIR)

    assert (of.platform, of.platforms[0].name) == ("2911", "2911")


def test_samples_without_frames_put_a_base_under_the_estimate() -> None:
    of = size(load(300), line_of("3640", calibration("3640", Sample(0, 4))), PAIR)

    assert of.basis == ESTIMATED
    assert of.states[0].cpu.value_percent == 4 + 15


def test_interrupts_that_take_a_load_over_the_limit_are_said() -> None:
    own = calibration("3640", Sample(200, 10), Sample(400, 20))
    of = size(load(980), line_of("3640", own), PAIR)
    (now,) = of.states

    assert "now: 52.0 % with the interrupts, over 50 %" in of.remarks
    assert now.cpu.value_percent == pytest.approx(49)
    assert now.interrupt_percent == 3
    assert now.holds is Holds.BY_LOW_END


def test_head_room_leaves_the_interrupts_their_part_of_the_limit() -> None:
    own = calibration("3640", Sample(200, 10), Sample(400, 20))
    (room,) = size(load(300), line_of("3640", own), PAIR).head_room

    assert room.fps == pytest.approx((50 - 3) / 0.05 - 300)


@pytest.mark.parametrize(
    ("name", "own", "said"),
    [
        pytest.param("9999", None, "Calibrate it", id="an unknown platform"),
        pytest.param("2899", None, "2801, 2811, 2821, 2851", id="its series is named"),
        pytest.param(None, None, "platform is not known", id="no platform at all"),
        pytest.param("2811", calibration("3640", Sample(800, 24)), "measured on 3640", id="other"),
    ],
)
def test_without_a_line_there_is_no_figure(
    name: str | None, own: Calibration | None, said: str
) -> None:
    with pytest.raises(SizingError, match=said):
        line_of(name, own)


def test_a_name_of_another_model_of_the_same_rate_stays_as_asked() -> None:
    assert line_of("2611XM", None).name == "2611XM"


def test_no_slope_is_said_to_be_ciscos() -> None:
    assert "no slope is Cisco's" in " ".join(line_of("3640", None).remarks)


def test_transactions_of_several_kinds_add_up() -> None:
    kinds = [Transactions(10, 2000, 1000, 1024), Transactions(5, 100, 0, 1024)]
    of = stated_load("dc1", kinds, "test", None)

    assert (of.fps, of.tps) == (35, 15)
    assert of.wan is not None
    assert of.wan.out_bps == pytest.approx(8 * (10 * (2000 + 2 * 56) + 5 * (100 + 56)))


def test_transactions_without_a_byte_are_refused() -> None:
    with pytest.raises(SizingError, match="above 0"):
        stated_load("dc1", [Transactions(10, 0, 0, 1024)], "test", None)
