"""`design wred`: what is configured for a demand, and that it holds in every generation."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as searching
from hypothesis import strategies as st

from advisor.design.proof import UnprovenDesignError
from advisor.design.wred import WredDesign, design_wred
from advisor.design.wred_plan import DemandError, WredBasis, WredDemand, demand_of, plans
from advisor.design.wred_shares import PoorKind
from advisor.device.reading import Source
from advisor.ground.quantity import Basis
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.settings import PacketShare, Settings, Traffic
from advisor.theory.wred import Regime
from tests.support.platforms import platform_named

pytestmark = pytest.mark.slow


SETTINGS = Settings()
RULES = load_rules(SETTINGS.budgets)
AF1 = ("af11", "af12", "af13")
SEED_FLOWS = ("af11=3", "af12=20", "af13=3")


def demand(
    *,
    rate_bps: float = 2e6,
    target_ms: float | None = 100.0,
    dscps: tuple[str, ...] = AF1,
    flows: tuple[str, ...] = (),
    shares: tuple[str, ...] = (),
    rtt_ms: float | None = None,
    release: str = "15.1",
    basis: WredBasis = WredBasis.DSCP,
    packet_bytes: int | None = 1500,
) -> WredDemand:
    return demand_of(
        rate_bps=rate_bps,
        target_ms=target_ms,
        packet_bytes=packet_bytes,
        dscps=dscps,
        flows=flows,
        shares=shares,
        rtt_ms=rtt_ms,
        release=release,
        basis=basis,
    )


@cache
def design(of: WredDemand) -> WredDesign:
    return design_wred(of, RULES, SETTINGS)


@pytest.mark.parametrize("release", ["12.2", "12.4", "12.4(24)T", "15.1", "xe"])
@pytest.mark.parametrize(
    ("basis", "dscps"),
    [
        pytest.param(WredBasis.DSCP, AF1, id="by DSCP"),
        pytest.param(WredBasis.PRECEDENCE, ("cs5", "cs4", "cs3"), id="by precedence"),
    ],
)
def test_2_mbps_100_ms_and_1500_bytes_are_clean_when_linted_anew(
    release: str, basis: WredBasis, dscps: tuple[str, ...]
) -> None:
    found = design(demand(release=release, basis=basis, dscps=dscps))

    text = "".join(
        f"{line}\n" for line in (f"version {found.release}", "hostname r1", *found.lines)
    )
    text += "interface Serial0/0\n bandwidth 4000\n service-policy output WRED-EDGE\nend\n"
    packet = Traffic("*", "*", "WRED-DATA", (PacketShare(1500, 1.0),), None, 1, "saturated", "t:1")
    verdict = review([Source("r1.cfg", text.encode())], RULES, Settings(traffic=(packet,)))
    assert not verdict.findings
    assert [(row.min_threshold, row.max_threshold) for row in found.rows] == [(6, 17)] * 3
    assert not found.unmet


@pytest.mark.parametrize(
    ("release", "basis", "lines"),
    [
        pytest.param("12.2", WredBasis.DSCP,
                     ["match ip dscp af11", "random-detect dscp-based"], id="12.2 by DSCP"),
        pytest.param("15.1", WredBasis.DSCP,
                     ["match dscp af11", "random-detect dscp-based"], id="15.1 by DSCP"),
        pytest.param("12.2", WredBasis.PRECEDENCE,
                     ["match ip precedence 1", "random-detect"], id="12.2 by precedence"),
        pytest.param("xe", WredBasis.DSCP,
                     ["match dscp af11", "queue-limit 64 packets"], id="IOS XE states a limit"),
    ],
)  # fmt: skip
def test_lines_by_generation(release: str, basis: WredBasis, lines: list[str]) -> None:
    found = [line.strip() for line in design(demand(release=release, basis=basis)).lines]

    assert set(lines) <= set(found)


@pytest.mark.parametrize(
    ("release", "rate_bps", "limit"),
    [
        pytest.param("12.2", 10e6, None, id="before HQF there is none beside WRED"),
        pytest.param("15.1", 2e6, None, id="34 packets fit in the 64 of HQF"),
        pytest.param("15.1", 10e6, 166, id="twice the maximum of 83"),
        pytest.param("xe", 2e6, 64, id="the default of IOS XE is not known"),
    ],
)
def test_queue_limit(release: str, rate_bps: float, limit: int | None) -> None:
    assert design(demand(release=release, rate_bps=rate_bps)).queue_limit_packets == limit


def test_af11_keeps_20_percent_with_20_flows_against_3() -> None:
    found = design(demand(flows=SEED_FLOWS, shares=("af11=20%",)))

    assert not found.unmet
    assert found.shares[0].share >= 0.2
    assert found.shares[0].low < found.shares[0].share < found.shares[0].high


def test_balanced_flows_share_by_their_drop_precedence() -> None:
    shares = [each.share for each in design(demand()).shares]

    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)


def test_sensitivity_halves_and_doubles_the_flows_of_each_group() -> None:
    found = design(demand(flows=("af11=4", "af12=8", "af13=1"), shares=()))

    said = [(each.group, each.flows) for each in found.sensitivity]
    assert said == [("af11", 2), ("af11", 8), ("af12", 4), ("af12", 16), ("af13", 1), ("af13", 2)]
    fewer, more = (each.shares[0] for each in found.sensitivity[:2])
    assert fewer < found.shares[0].share < more


@pytest.mark.parametrize(
    ("of", "said"),
    [
        pytest.param(demand(shares=("af13=60",)), "a share of 60 % for af13: the best settings give",
                     id="the most dropped group cannot have the most"),
        pytest.param(demand(rate_bps=64e3), "the smallest maximum threshold is 3 packets, 562 ms",
                     id="100 ms of 64 kb/s is less than a packet"),
        pytest.param(demand(rate_bps=1e9), "the largest maximum threshold is 4096 packets, 49 ms",
                     id="100 ms of 1 Gb/s is more than IOS takes"),
        pytest.param(
            demand(basis=WredBasis.PRECEDENCE, shares=("af11=50",)), "a share of 50 % for af11",
            id="one precedence is one row",
        ),
    ],
)  # fmt: skip
def test_what_is_out_of_reach_is_said_with_the_best_that_is_not(of: WredDemand, said: str) -> None:
    found = design(of)

    assert any(said in each for each in found.unmet)
    assert found.lines
    assert found.proof


@pytest.mark.parametrize(
    ("dscps", "shares"),
    [
        pytest.param(AF1, ("af11=45", "af13=20"), id="the first and the last"),
        pytest.param(AF1, ("af11=55", "af12=30"), id="nearly all for two of three"),
        pytest.param(AF1, ("af12=45",), id="the second, so that the first gets as much"),
        pytest.param(("af11", "af21", "af31"), ("af31=50",), id="of three AF classes the last"),
        pytest.param(("cs1", "cs2", "cs3"), ("cs1=20", "cs3=50"), id="no order of drop"),
    ],
)
def test_floors_between_those_of_the_usual_denominators_are_met(
    dscps: tuple[str, ...], shares: tuple[str, ...]
) -> None:
    found = design(demand(dscps=dscps, shares=shares))

    assert not found.unmet
    assert all(each.low >= each.floor for each in found.shares if each.floor is not None)


def test_floors_of_more_than_all_are_out_of_reach() -> None:
    assert design(demand(shares=("af11=70", "af12=40"))).unmet


def test_groups_of_one_precedence_share_a_row_and_this_is_said() -> None:
    found = design(demand(basis=WredBasis.PRECEDENCE))

    assert [row.code for row in found.rows] == [1]
    assert any("af11, af12, af13 are all precedence 1" in note for note in found.notes)


@pytest.mark.parametrize(
    ("of", "poor"),
    [
        pytest.param(demand(), [], id="2 Mb/s are enough for nine flows"),
        pytest.param(demand(rate_bps=512e3), [(PoorKind.LOSS, "af11")], id="losses of the protected"),
        pytest.param(
            demand(rate_bps=512e3, shares=("af12=10",)), [(PoorKind.LOSS, "af12")],
            id="a stated share says who is protected",
        ),
        pytest.param(
            demand(rate_bps=256e3), [(PoorKind.LOSS, "af11"), (PoorKind.DELAY, None)],
            id="a maximum of 3 packets is over the target",
        ),
        pytest.param(
            demand(rate_bps=100e6), [(PoorKind.NOT_FILLED, None)],
            id="the windows of nine flows do not fill 100 Mb/s",
        ),
        pytest.param(
            demand(rate_bps=10e6, target_ms=10.0, flows=("af11=1", "af12=1", "af13=1")),
            [(PoorKind.UNDER_USE, None)],
            id="thresholds of 10 ms leave a round trip of 100 ms unused",
        ),
    ],
)  # fmt: skip
def test_a_poor_prediction_is_said(of: WredDemand, poor: list[tuple[PoorKind, str | None]]) -> None:
    found = design(of)

    assert [(figure.kind, figure.group) for figure in found.poor] == poor


def test_a_poor_figure_is_beyond_its_limit() -> None:
    (loss,) = design(demand(rate_bps=512e3)).poor

    assert (loss.limit, loss.unit) == (5.0, "%")
    assert loss.predicted > loss.limit


@pytest.mark.parametrize("dscps", [("af11", "af21", "af31"), ("af31", "af11", "af21")])
def test_a_higher_precedence_is_dropped_later_in_whatever_order_it_is_given(
    dscps: tuple[str, ...],
) -> None:
    found = design(demand(basis=WredBasis.PRECEDENCE, dscps=dscps))

    assert [row.denominator for row in sorted(found.rows, key=lambda row: row.code)] == [2, 5, 10]
    losses = {share.group: share.loss_ratio for share in found.shares}
    assert losses["af31"] < losses["af21"] < losses["af11"]


def test_a_floor_does_not_turn_the_order_of_precedence() -> None:
    of = demand(basis=WredBasis.PRECEDENCE, dscps=("cs1", "cs3"), shares=("cs1=80",))

    low, high = sorted(design(of).rows, key=lambda row: row.code)
    assert low.denominator <= high.denominator


def test_voice_is_not_designed() -> None:
    with pytest.raises(UnprovenDesignError, match="LLQ009"):
        design(demand(dscps=("ef",)))


def test_a_faster_average_is_taken_where_the_flows_would_fall_in_step() -> None:
    found = design(demand(flows=("af11=10", "af12=10", "af13=10")))

    assert Regime.COLLAPSE not in found.regimes
    assert found.utilization_ratio > 0.9


def test_the_time_constant_is_one_to_two_round_trips() -> None:
    for rtt_ms in (20.0, 100.0, 300.0):
        found = design(demand(rtt_ms=rtt_ms, rate_bps=10e6))
        round_trip_ms = rtt_ms + found.max_delay_ms * 2 / 3
        assert round_trip_ms <= found.time_constant_ms < 2 * round_trip_ms


@given(
    st.floats(2e5, 1e8),
    st.floats(20, 500),
    st.integers(100, 1500),
    st.sampled_from([("af11",), ("af11", "af12"), AF1, ("af21", "af23", "af11"), ("cs1", "cs2")]),
)
@searching(max_examples=60)
def test_no_plan_has_a_minimum_of_half_or_treats_a_higher_drop_precedence_better(
    rate_bps: float, target_ms: float, packet_bytes: int, dscps: tuple[str, ...]
) -> None:
    of = demand(rate_bps=rate_bps, target_ms=target_ms, dscps=dscps, packet_bytes=packet_bytes)
    for plan in plans(of, platform_named("hqf")):
        treatments = [
            (row.min_threshold, row.max_threshold, row.denominator)
            for row in sorted(plan.rows, key=lambda row: row.code % 8)
        ]
        assert all(2 * low < high for low, high, _ in treatments)
        if dscps[0] == "af11":
            assert treatments == sorted(treatments, reverse=True)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        pytest.param({"dscps": ("af15",)}, "--dscp af15", id="no DSCP"),
        pytest.param({"dscps": ("af11", "10")}, "named twice", id="twice"),
        pytest.param({"dscps": ()}, "--dscp: takes 1 to 16", id="none"),
        pytest.param({"flows": ("af21=3",)}, "--dscp has no af21", id="flows of another group"),
        pytest.param({"flows": ("af11",)}, "write CODE=NUMBER", id="no number"),
        pytest.param({"flows": ("af11=0",)}, "must be between 1", id="no flows"),
        pytest.param({"flows": ("af11=1", "af11=2")}, "given twice", id="flows twice"),
        pytest.param({"shares": ("af11=120%",)}, "up to 100", id="more than all"),
        pytest.param({"shares": ("af11=x",)}, "must be a percentage", id="no percentage"),
        pytest.param({"target_ms": 0.0}, "--target-delay 0", id="no delay"),
        pytest.param({"packet_bytes": 20}, "--packet 20", id="no packet"),
        pytest.param({"rate_bps": 1000.0}, "--rate", id="no rate of a class"),
        pytest.param({"rtt_ms": -1.0}, "--rtt", id="no round trip"),
        pytest.param({"release": "new"}, "--release new", id="no release"),
    ],
)
def test_a_demand_that_cannot_be_read_names_its_flag(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(DemandError, match=said):
        demand(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "name", "basis", "source"),
    [
        pytest.param({}, "target_delay_ms", Basis.CONFIGURED, "--target-delay", id="stated delay"),
        pytest.param(
            {"target_ms": None}, "target_delay_ms", Basis.DEFAULT, "as in WRD001", id="no delay"
        ),
        pytest.param({}, "packet_ip_bytes", Basis.CONFIGURED, "--packet", id="stated packet"),
        pytest.param(
            {"packet_bytes": None},
            "packet_ip_bytes",
            Basis.ASSUMED,
            "--packet states it",
            id="no packet",
        ),
    ],
)
def test_an_input_says_whether_it_was_stated(
    asked: dict[str, Any], name: str, basis: Basis, source: str
) -> None:
    (found,) = (each for each in design(demand(**asked)).inputs if each.name == name)
    assert (found.basis, found.source) == (basis, source)
