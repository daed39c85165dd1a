"""The closed form of the LLQ that lint uses, beside the classes that `predict` solves."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from advisor.predict.classes.demand import Question
from advisor.predict.classes.solved import SolvedOutlet, solved
from advisor.predict.ring.llq import LlqDelay, OverloadError, llq_delay
from advisor.predict.ring.ring_bound import ring_view
from advisor.quantity import Figure, Unknown
from advisor.settings.values import PacketShare, Settings, Traffic
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
WEIGHTED = """\
version 15.1
policy-map WAN
 class VOICE
  priority 64
 class BULK
  bandwidth percent {bulk}
 class class-default
  bandwidth percent {default}
interface Serial0/0
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 10
 service-policy output WAN
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


def closed_form(known: Question) -> LlqDelay:
    view, ring = ring_view(known.outlet, known.offers), known.outlet.ring
    assert not isinstance(view, Unknown)
    assert ring is not None
    return llq_delay(view, known.offers, known.platform, ring.limit_low, ring.limit_high)


def solved_mean(known: Question) -> Figure:
    said = solved(known)
    assert isinstance(said, SolvedOutlet)
    return said.classes[0].mean


@pytest.mark.parametrize(
    ("config", "traffic"),
    [
        pytest.param(
            LFI, (CALLS, stated("class-default", 1500, None, "saturated")), id="fragments"
        ),
        pytest.param(
            WEIGHTED.format(bulk=10, default=60),
            (
                CALLS,
                stated("BULK", 1500, None, "saturated"),
                stated("class-default", 300, None, "saturated"),
            ),
            id="small packets have the larger share",
        ),
        pytest.param(
            WEIGHTED.format(bulk=30, default=40),
            (
                CALLS,
                stated("BULK", 1500, None, "saturated"),
                stated("class-default", 300, None, "saturated"),
            ),
            id="large packets have nearly the same share",
        ),
    ],
)
def test_the_mean_of_lint_is_that_of_predict(config: str, traffic: tuple[Traffic, ...]) -> None:
    known = question(config, *traffic)

    assert closed_form(known).delay.value == pytest.approx(solved_mean(known).value, rel=0.15)


def test_the_part_in_the_ring_has_the_bound_of_the_ring() -> None:
    known = question(
        VIDEO, stated("VIDEO", 1500, 136.7), stated("class-default", 1500, None, "saturated")
    )

    predicted = closed_form(known)

    assert predicted.in_ring.bound == pytest.approx(6 * 1508 * 8 / 2000)
    assert predicted.in_ring.value < 6 * 1508 * 8 / 2000 < predicted.wait.value


def test_fragments_are_not_made_of_packets_of_the_llq() -> None:
    config = LFI.replace("priority 64", "priority 128")
    known = question(
        config, stated("VOICE", 1000, 5), stated("class-default", 1500, None, "saturated")
    )
    view = ring_view(known.outlet, known.offers)

    assert not isinstance(view, Unknown)
    assert view.sizes is not None
    assert sorted(view.sizes) == [320, 1000]


def test_an_idle_llq_of_unknown_packets_takes_the_time_of_an_assumed_packet() -> None:
    idle = Traffic("*", "*", "VIDEO", (), 0, 1, "poisson", "test")

    predicted = closed_form(question(VIDEO, idle, stated("class-default", 1500, None, "saturated")))

    assert predicted.delay.low - predicted.wait.low == pytest.approx((60 + 7) * 8 / 2000)


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
    try:
        predicted = closed_form(known)
        all_figures += [predicted.in_ring, predicted.wait, predicted.delay, predicted.ipdv]
    except OverloadError:
        pass
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
