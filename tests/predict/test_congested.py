"""The congested case: what lint judges and `predict` prints, and the bounds that both name."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from advisor.ground.quantity import Figure, Unknown
from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from advisor.predict.classes import Question
from advisor.predict.classes.congested import (
    CongestedCase,
    congested,
    saved,
    solved_cases,
    with_ring,
)
from advisor.predict.classes.solved import SolvedOutlet, solved
from advisor.predict.ring import advise_ring, ring_view
from advisor.settings import PacketShare, Settings, StatedTcp, Traffic
from advisor.theory.flows import case_of as sorted_traffic
from advisor.theory.flows import flows_of, passed_share
from tests.support.devices import device_read

LFI = """\
version 15.1
policy-map WAN
 class VOICE
  priority 64
 class class-default
interface Multilink1
 ppp multilink
 ppp multilink interleave
 ppp multilink fragment delay 10
 ppp multilink group 1
 service-policy output WAN
interface Serial0/0
 bandwidth 256
 encapsulation ppp
 tx-ring-limit 3
 ppp multilink
 ppp multilink group 1
"""
VIDEO = """\
version 15.1
policy-map WAN
 class VIDEO
  priority percent 85
 class class-default
interface Serial0/0
 clock rate 2000000
 encapsulation ppp
 tx-ring-limit 5
 service-policy output WAN
"""


def stated(
    class_name: str, ip_bytes: int, per_s: float | None, arrivals: str = "poisson", streams: int = 1
) -> Traffic:
    sizes = (PacketShare(ip_bytes, 1.0),)
    return Traffic("*", "*", class_name, sizes, per_s, streams, arrivals, "test")


CALLS = stated("VOICE", 60, 100, "periodic", streams=2)


def question(config: str, *traffic: Traffic) -> Question:
    device = device_read(config, Settings(traffic=traffic), file="r1.cfg")
    outlet = outlets(device)[0]
    return Question(outlet, offers_of(outlet, device.traffic), device.platform)


def case_of(config: str, *traffic: Traffic) -> CongestedCase:
    device = device_read(config, Settings(traffic=traffic), file="r1.cfg")
    (case,) = solved_cases([congested(device, outlets(device)[0])])
    assert isinstance(case, CongestedCase)
    return case


def bounds_ms(case: CongestedCase) -> tuple[float, float]:
    first = case.solved.first_priority
    assert first is not None
    assert case.ring_bound is not None
    assert first.mean.bound is not None
    return case.ring_bound.high_ms, first.mean.bound


def test_the_ring_bound_is_of_the_ring_alone() -> None:
    case = case_of(
        VIDEO, stated("VIDEO", 1500, 136.7), stated("class-default", 1500, None, "saturated")
    )

    ring_ms, _ = bounds_ms(case)

    assert ring_ms == pytest.approx(6 * 1508 * 8 / 2000)


def test_the_class_bound_has_the_packets_of_the_llq_too() -> None:
    ring_ms, class_ms = bounds_ms(case_of(VIDEO, stated("VIDEO", 200, 50, "periodic", streams=4)))

    assert class_ms >= ring_ms + 4 * (200 + 7) * 8 / 2000


def test_stated_lower_classes_are_saturated_in_the_congested_case() -> None:
    little = stated("class-default", 1500, 1)
    always = stated("class-default", 1500, None, "saturated")
    calls = stated("VIDEO", 200, 50, "periodic")

    light, full = (
        case_of(VIDEO, calls, traffic).solved.first_priority for traffic in (little, always)
    )

    assert light is not None
    assert light == full


FAIR = VIDEO.replace(" class class-default\n", " class class-default\n  fair-queue\n")
BULK = stated("class-default", 1500, None, "saturated")
TRICKLE = stated("class-default", 60, 2)


@pytest.mark.parametrize(
    ("config", "bulk"),
    [
        pytest.param(FAIR, BULK, id="packets that always wait, fair-queue"),
        pytest.param(VIDEO, BULK, id="packets that always wait, FIFO"),
        pytest.param(FAIR, stated("class-default", 1500, 200), id="a rate, fair-queue"),
        pytest.param(VIDEO, stated("class-default", 1500, 200), id="a rate, FIFO"),
        pytest.param(FAIR, replace(BULK, sizes=(), tcp=StatedTcp(3)), id="TCP of unknown sizes"),
    ],
)
def test_a_trickle_beside_the_bulk_of_a_class_leaves_the_congested_case(
    config: str, bulk: Traffic
) -> None:
    calls = stated("VIDEO", 60, 150, "periodic", streams=3)

    alone, beside = (
        case_of(config, calls, *lower).solved.first_priority for lower in ((bulk,), (bulk, TRICKLE))
    )

    assert alone is not None
    assert beside is not None
    assert beside.mean.value == pytest.approx(alone.mean.value, rel=0.1)
    assert beside.mean.high == pytest.approx(alone.mean.high, rel=0.1)


def test_the_bulk_of_a_fifo_is_the_mix_of_its_packets_by_their_rates() -> None:
    device = device_read(VIDEO, Settings(traffic=(stated("class-default", 1500, 100), TRICKLE)))

    (bulk,) = congested(device, outlets(device)[0]).offers

    assert bulk.always_waits
    assert {size.ip_bytes: size.share for size in bulk.sizes} == pytest.approx(
        {1500: 100 / 102, 60: 2 / 102}
    )


def test_a_class_that_carries_nothing_stays_idle_in_the_congested_case() -> None:
    case = case_of(VIDEO, stated("VIDEO", 200, 50), stated("class-default", 1500, 0))

    assert [silent.name for silent in case.solved.silent] == ["class-default"]


def test_fragments_are_not_made_of_packets_of_the_llq() -> None:
    config = LFI.replace("priority 64", "priority 128")
    known = question(
        config, stated("VOICE", 1000, 5), stated("class-default", 1500, None, "saturated")
    )
    view = ring_view(known.outlet, known.offers)

    assert not isinstance(view, Unknown)
    assert view.sizes is not None
    assert sorted(view.sizes) == [320, 1000]


SIZES = st.sampled_from([40, 64, 200, 576, 1000, 1500])
RATES = st.one_of(st.none(), st.just(0.0), st.floats(0.5, 400))


@st.composite
def configs(draw: st.DrawFn) -> str:
    lines = [
        draw(st.sampled_from(["", "version 12.4\n", "version 15.1\n"])),
        "policy-map WAN\n class VOICE\n",
        f"  priority percent {draw(st.integers(1, 60))}\n class BULK\n",
        f"  bandwidth percent {draw(st.integers(1, 15))}\n class class-default\n",
        draw(st.sampled_from(["", "  random-detect\n", "  fair-queue\n"])),
    ]
    ring = f" tx-ring-limit {draw(st.integers(1, 20))}\n" if draw(st.booleans()) else ""
    rate = f" bandwidth {draw(st.sampled_from([64, 256, 512, 1536, 2000]))}\n"
    if draw(st.booleans()):
        fragment = f" ppp multilink fragment delay {draw(st.integers(5, 40))}\n"
        lines += [
            "interface Multilink1\n ppp multilink\n ppp multilink interleave\n",
            f"{fragment} ppp multilink group 1\n service-policy output WAN\n",
            f"interface Serial0/0\n encapsulation ppp\n{rate}{ring}",
            " ppp multilink\n ppp multilink group 1\n",
        ]
    else:
        lines.append(f"interface Serial0/0\n{rate}{ring} service-policy output WAN\n")
    return "".join(lines)


@st.composite
def traffic(draw: st.DrawFn) -> tuple[Traffic, ...]:
    names = draw(st.lists(st.sampled_from(["VOICE", "BULK", "class-default"]), unique=True))
    rows = []
    for name in names:
        per_s = draw(RATES)
        if per_s is None and name == "VOICE":
            per_s = 20.0
        arrivals = "saturated" if per_s is None else draw(st.sampled_from(["poisson", "periodic"]))
        rows.append(stated(name, draw(SIZES), per_s, arrivals, draw(st.integers(1, 4))))
    return tuple(rows)


def figures(known: Question) -> list[Figure]:
    said = solved(known)
    if isinstance(said, Unknown):
        return []
    all_figures = []
    for solved_class in said.classes:
        all_figures += [solved_class.mean, solved_class.p50, solved_class.p95, solved_class.p99]
        all_figures += [
            figure
            for figure in (solved_class.jitter, solved_class.loss, solved_class.throughput)
            if figure is not None
        ]
    return all_figures


@settings(max_examples=40, deadline=None)
@given(configs(), traffic())
def test_every_figure_has_its_value_in_its_interval_under_its_bound(
    config: str, rows: tuple[Traffic, ...]
) -> None:
    for figure in figures(question(config, *rows)):
        ends = [figure.low, figure.value, figure.high]
        if figure.bound is not None:
            ends.append(figure.bound)
        assert ends == pytest.approx(sorted(ends), rel=1e-9)


HEAVY_LLQ = """\
version 15.1
policy-map WAN
 class VOICE
  priority percent 60
 class BULK
  bandwidth percent 5
 class class-default
interface Multilink1
 ppp multilink
 ppp multilink interleave
 ppp multilink fragment delay 5
 ppp multilink group 1
 service-policy output WAN
interface Serial0/0
 encapsulation ppp
 bandwidth 64
 ppp multilink
 ppp multilink group 1
"""


@settings(max_examples=40, deadline=None)
@given(configs(), traffic(), st.integers(1, 19))
@example(HEAVY_LLQ, (stated("VOICE", 200, 20),), 6)
def test_the_screen_by_the_ring_bound_hides_no_finding(
    config: str, rows: tuple[Traffic, ...], limit: int
) -> None:
    """The ring holds up packets of the LLQ by its bound, and these hold up the ones behind them.

    Of the wait W of a packet, rho W is for those of the LLQ, so W grows by the bound / (1 - rho).
    """
    device = device_read(config, Settings(traffic=rows), file="r1.cfg")
    asked = congested(device, outlets(device)[0])
    view = ring_view(asked.outlet, asked.offers)
    assert not isinstance(view, Unknown)
    long, short = with_ring(asked, limit), with_ring(asked, view.minimum)
    cases = solved_cases([long, short])
    if limit < view.minimum or any(isinstance(case, Unknown) for case in cases):
        return
    first, then = (case.solved for case in cases if isinstance(case, CongestedCase))
    improvement = saved(first, then, view.minimum)

    budget_ms = view.bound(limit).high_ms
    assert advise_ring(view, budget_ms).limit >= limit or view.rate_bps <= 128_000
    assert improvement is None or improvement.value <= budget_ms / (1 - llq_load(first)) * 1.02


def llq_load(outlet: SolvedOutlet) -> float:
    """The most that the LLQ sends of the wire, in any corner."""
    return max(
        sum(flow.load * passed_share(flow) for flow in sorted_traffic(case, flows_of(case)).llq)
        for case in (corner.interface for corner in outlet.corners)
    )
