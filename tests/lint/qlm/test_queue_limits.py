"""QLM001, QLM002, QLM003: stated queue limits against the budget and the round trip."""

from collections.abc import Iterator
from typing import Any

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.qlm.limits import one_flow_ratio
from advisor.lint.findings import Confidence, Severity
from advisor.settings import Settings
from advisor.settings.file import settings_of_text
from tests.support.devices import device_read
from tests.support.verdicts import hit_of, hits_of, skip_of

HOLD_QUEUE_TOO_DEEP = CHECKS["hold-queue-too-deep"]
QUEUE_TOO_DEEP = CHECKS["queue-too-deep"]
QUEUE_TOO_SHALLOW = CHECKS["queue-too-shallow"]

BUDGETS = QUEUE_TOO_DEEP.params(rtt_ms=100.0, bandwidth_queue_ms=200.0, default_queue_ms=500.0)
ROUND_TRIP = QUEUE_TOO_SHALLOW.params(100.0, 200.0, 500.0)
TRAFFIC = '[[traffic]]\nclass = "DATA"\npacket_bytes = 1000\n'


def router(action: str, kbps: int = 1000, default: str = "  fair-queue\n") -> str:
    """A class DATA of 500 kb/s with an action; 1000 bytes take 16 ms."""
    return (
        "version 15.2\nhostname R1\nclass-map match-all DATA\n match dscp af21\n"
        f"policy-map WAN\n class DATA\n  bandwidth 500\n{action} class class-default\n{default}"
        f"interface Serial0/0/0\n bandwidth {kbps}\n ip address 192.0.2.1 255.255.255.252\n"
        f" clock rate {kbps}000\n encapsulation ppp\n service-policy output WAN\nend\n"
    )


def found(check: Any, params: Any, text: str, traffic: str = "") -> Iterator[Hit[Any] | Skip]:
    settings = Settings(traffic=settings_of_text(traffic).traffic)
    yield from check.find(device_read(text, settings, file="r1.ios"), params)


def too_deep(action: str, traffic: str = "", **router_of: Any) -> list[Hit[Any]]:
    return hits_of(found(QUEUE_TOO_DEEP, BUDGETS, router(action, **router_of), traffic))


def too_shallow(action: str, traffic: str = "") -> list[Hit[Any]]:
    return hits_of(found(QUEUE_TOO_SHALLOW, ROUND_TRIP, router(action), traffic))


@pytest.mark.parametrize(
    ("action", "traffic", "limit"),
    [
        pytest.param("  queue-limit 13\n", TRAFFIC, "12", id="208 ms of known packets"),
        pytest.param("  queue-limit 37\n", "", "8", id="201 ms of the smallest mean, 340 bytes"),
        pytest.param("  queue-limit 201 ms\n", "", "200 ms", id="a limit in ms"),
        pytest.param("  queue-limit 12501 bytes\n", "", "12500 bytes", id="a limit in bytes"),
        pytest.param(
            "  queue-limit 52\n  fair-queue\n", TRAFFIC, "48", id="208 ms of one flow, a quarter"
        ),
    ],
)
def test_a_queue_over_the_budget_is_found(action: str, traffic: str, limit: str) -> None:
    assert hit_of(too_deep(action, traffic)).evidence.limit == limit


EQUAL = "  bandwidth 500\n"  # class-default reserves as much as DATA


@pytest.mark.parametrize(
    ("default", "kbps", "limit", "low_high_kbps"),
    [
        pytest.param(EQUAL, 1000, "12", (500, 500), id="all is reserved: the guarantee"),
        pytest.param(EQUAL, 4000, "48", (1940, 2060), id="half of a line four times as fast"),
        pytest.param("  bandwidth 1500\n", 4000, "24", (970, 1030), id="a quarter of it"),
        pytest.param("  fair-queue\n", 4000, "12", (500, 500), id="class-default takes the rest"),
    ],
)
def test_a_queue_is_judged_at_the_rate_of_the_congested_case(
    default: str, kbps: int, limit: str, low_high_kbps: tuple[float, float]
) -> None:
    hit = hit_of(too_deep("  queue-limit 400\n", TRAFFIC, kbps=kbps, default=default))

    assert hit.evidence.limit == limit
    assert hit.forecast is not None
    (rate,) = (item for item in hit.forecast.inputs if item.name == "class_rate_bps")
    assert (rate.low / 1000, rate.high / 1000) == pytest.approx(low_high_kbps)


def test_a_queue_that_is_long_at_the_guarantee_alone_is_not_too_deep() -> None:
    action = "  queue-limit 100\n"  # 1600 ms at 500 kb/s

    assert too_deep(action, TRAFFIC, kbps=40000, default=EQUAL) == []
    assert hits_of(found(QUEUE_TOO_SHALLOW, ROUND_TRIP, router(action, 40000, EQUAL), TRAFFIC))


def test_a_budget_below_the_round_trip_says_what_a_flow_loses() -> None:
    strict = QUEUE_TOO_DEEP.params(rtt_ms=300.0, bandwidth_queue_ms=200.0, default_queue_ms=500.0)

    hit = hit_of(hits_of(found(QUEUE_TOO_DEEP, strict, router("  queue-limit 90\n"), TRAFFIC)))

    assert "a round trip of 300 ms then uses 98 % of the rate" in (hit.advice or "")


@pytest.mark.parametrize(
    ("action", "traffic"),
    [
        pytest.param("  queue-limit 12\n", TRAFFIC, id="192 ms of known packets"),
        pytest.param("  queue-limit 36\n", "", id="196 ms of the smallest mean"),
        pytest.param("  queue-limit 200 ms\n", "", id="200 ms"),
        pytest.param("", TRAFFIC, id="the default of IOS"),
        pytest.param("  queue-limit 1000\n  random-detect\n", TRAFFIC, id="WRED has its own rule"),
        pytest.param("  queue-limit 48\n  fair-queue\n", TRAFFIC, id="192 ms of one flow"),
    ],
)
def test_other_queues_are_silent(action: str, traffic: str) -> None:
    assert too_deep(action, traffic) == []


def test_before_hqf_the_part_of_a_flow_is_not_known() -> None:
    text = router("", default="  fair-queue\n  queue-limit 3000\n").replace("15.2", "12.3")

    assert "one flow of `fair-queue`" in skip_of(found(QUEUE_TOO_DEEP, BUDGETS, text)).reason


def test_a_short_queue_of_flows_is_not_too_shallow_for_one() -> None:
    assert too_shallow("  queue-limit 4\n  fair-queue\n", TRAFFIC) == []


def test_class_default_has_its_own_budget() -> None:
    hit = hit_of(too_deep("", default="  bandwidth 200\n  queue-limit 501 ms\n"))

    assert (hit.object, hit.evidence.budget_ms) == ("policy-map WAN > class class-default", 500.0)


def test_known_packets_make_it_certain() -> None:
    known, unknown = too_deep("  queue-limit 90\n", TRAFFIC), too_deep("  queue-limit 90\n")

    assert [hit_of(hits).confidence for hits in (known, unknown)] == [
        Confidence.CERTAIN,
        Confidence.LIKELY,
    ]


@pytest.mark.parametrize(
    ("limit", "advised"),
    [pytest.param(5, ["4"], id="five"), pytest.param(4, [], id="four are the least")],
)
def test_a_slow_class_keeps_the_four_packets_that_tcp_needs(limit: int, advised: list[str]) -> None:
    text = router(f"  queue-limit {limit}\n").replace("bandwidth 500", "bandwidth 16")

    hits = hits_of(found(QUEUE_TOO_DEEP, BUDGETS, text))
    assert [hit.evidence.limit for hit in hits] == advised


def test_a_rate_that_is_not_known_is_skipped() -> None:
    text = router("  queue-limit 1000\n").replace("  bandwidth 500\n", "  bandwidth percent 10\n")
    text = text.replace(" service-policy output WAN\n", "")

    skip = skip_of(found(QUEUE_TOO_DEEP, BUDGETS, text))

    assert skip.reason == "the rate of the class is not known"


@pytest.mark.parametrize(
    ("action", "traffic", "limit"),
    [
        pytest.param("  queue-limit 6\n", TRAFFIC, "7", id="96 ms of known packets"),
        pytest.param("  queue-limit 4\n", "", "5", id="96 ms of full-size packets"),
        pytest.param("  queue-limit 99 ms\n", "", "100 ms", id="a limit in ms"),
    ],
)
def test_a_queue_under_the_round_trip_is_found(action: str, traffic: str, limit: str) -> None:
    assert hit_of(too_shallow(action, traffic)).evidence.limit == limit


@pytest.mark.parametrize(
    ("action", "traffic"),
    [
        pytest.param("  queue-limit 7\n", TRAFFIC, id="112 ms of known packets"),
        pytest.param("  queue-limit 5\n", "", id="120 ms of full-size packets"),
        pytest.param("", "", id="the default of IOS"),
    ],
)
def test_a_queue_of_a_round_trip_is_silent(action: str, traffic: str) -> None:
    assert too_shallow(action, traffic) == []


@pytest.mark.parametrize("limit", [1, 4, 12, 40, 200, 1000])
def test_a_queue_is_never_both_too_deep_and_too_shallow(limit: int) -> None:
    action = f"  queue-limit {limit}\n"

    assert not (too_deep(action) and too_shallow(action))


FLOWS = (
    '[[traffic]]\nclass = "DATA"\ntcp_flows = 1\nrtt_ms = {}\n'
    "receiver_window_bytes = 65535\npacket_bytes = 1000\n"
)


def test_a_queue_is_not_too_shallow_for_a_satellite_where_it_is_too_deep_for_the_budget() -> None:
    action = "  queue-limit 13\n"  # 208 ms

    assert len(too_deep(action, FLOWS.format(600))) == 1
    assert too_shallow(action, FLOWS.format(600)) == []


@pytest.mark.parametrize(
    ("action", "traffic", "severity", "confidence"),
    [
        pytest.param("  queue-limit 4\n", "", Severity.INFO, Confidence.POSSIBLE,
                     id="a round trip that nobody states"),
        pytest.param("  queue-limit 4\n", FLOWS.format(100), None, Confidence.LIKELY,
                     id="a stated round trip"),
    ],
)  # fmt: skip
def test_how_sure_the_round_trip_is(
    action: str, traffic: str, severity: Severity | None, confidence: Confidence
) -> None:
    hit = hit_of(too_shallow(action, traffic))

    assert (hit.severity, hit.confidence) == (severity, confidence)


def test_a_stated_round_trip_decides() -> None:
    assert too_shallow("  queue-limit 4\n", FLOWS.format(60)) == []  # 64 ms


def test_voice_alone_does_not_slow_down() -> None:
    text = router("  queue-limit 4\n").replace("match dscp af21", "match dscp ef")

    assert hits_of(found(QUEUE_TOO_SHALLOW, ROUND_TRIP, text)) == []


@pytest.mark.parametrize(
    ("check", "params", "limit"),
    [
        pytest.param(QUEUE_TOO_DEEP, BUDGETS, 1000, id="deep"),
        pytest.param(QUEUE_TOO_SHALLOW, ROUND_TRIP, 4, id="shallow"),
    ],
)
def test_a_class_around_a_nested_policy_has_its_queues_there(
    check: Any, params: Any, limit: int
) -> None:
    text = router(f"  queue-limit {limit}\n  service-policy CHILD\n")
    nested = text.replace("policy-map WAN\n", "policy-map CHILD\npolicy-map WAN\n")

    assert hits_of(found(check, params, nested)) == []


@pytest.mark.parametrize(
    ("other_kbps", "is_curable"),
    [
        pytest.param(1000, True, id="outputs of one rate"),
        pytest.param(100000, False, id="a hundred times as fast"),
        pytest.param(1000000, False, id="so fast that the old limit was short as well"),
    ],
)
def test_a_limit_for_a_slow_output_is_not_laid_on_a_fast_one(
    other_kbps: int, is_curable: bool
) -> None:
    text = router("  queue-limit 4000\n").replace("bandwidth 500", "bandwidth percent 50")
    other = (
        f"interface Serial0/0/1\n bandwidth {other_kbps}\n clock rate {other_kbps}000\n"
        " encapsulation ppp\n service-policy output WAN\nend\n"
    )

    hit = hit_of(hits_of(found(QUEUE_TOO_DEEP, BUDGETS, text.replace("end\n", other))))

    assert hit.curable is is_curable
    assert ("fits the slowest output" in (hit.advice or "")) is not is_curable


@pytest.mark.parametrize(
    ("marks", "is_judged"),
    [
        pytest.param("cs3", False, id="call signalling"),
        pytest.param("cs6", False, id="routing updates"),
        pytest.param("af21 cs6", True, id="bulk data beside"),
        pytest.param("af21", True, id="bulk data"),
    ],
)
def test_bursts_of_signalling_and_routing_are_held_to_no_time(marks: str, is_judged: bool) -> None:
    text = router("  queue-limit 400\n").replace("dscp af21", f"dscp {marks}")
    (said,) = found(QUEUE_TOO_DEEP, BUDGETS, text)

    assert isinstance(said, Hit) is is_judged
    assert isinstance(said, Hit) or "come in bursts" in said.reason


@pytest.mark.parametrize(
    ("packets", "severity"),
    [
        pytest.param(64, Severity.INFO, id="what IOS sets by itself"),
        pytest.param(65, None, id="more than IOS sets"),
    ],
)
def test_the_default_written_down_is_no_warning(packets: int, severity: Severity | None) -> None:
    hit = hit_of(too_deep(f"  queue-limit {packets}\n"))

    assert hit.severity is severity
    assert "lose packets at once" in (hit.advice or "")


@pytest.mark.parametrize(
    ("rate", "is_curable"),
    [
        pytest.param("bandwidth percent 50", False, id="a share of an unknown rate"),
        pytest.param("bandwidth 500", True, id="a rate of its own"),
    ],
)
def test_a_limit_is_not_laid_on_an_output_of_unknown_rate(rate: str, is_curable: bool) -> None:
    text = router("  queue-limit 4000\n").replace("bandwidth 500", rate)
    other = "interface Hssi1/0\n service-policy output WAN\nend\n"

    hit = hit_of(hits_of(found(QUEUE_TOO_DEEP, BUDGETS, text.replace("end\n", other))))

    assert hit.curable is is_curable
    assert ("interface Hssi1/0 is not known" in (hit.advice or "")) is not is_curable


@pytest.mark.parametrize(
    ("queue_ms", "part"),
    [
        pytest.param(0.0, 0.75, id="no queue: the mean of half a window and a whole one"),
        pytest.param(50.0, 0.964, id="half a round trip"),
        pytest.param(300.0, 1.0, id="more than a round trip"),
    ],
)
def test_what_one_flow_uses(queue_ms: float, part: float) -> None:
    assert one_flow_ratio(queue_ms, 100.0) == pytest.approx(part, abs=0.001)


def holding(lines: str, kbps: int = 256) -> list[Hit[Any]]:
    text = (
        "version 12.4\nhostname R1\ninterface Serial0/0\n ip address 192.0.2.1 255.255.255.252\n"
        f" bandwidth {kbps}\n clock rate {kbps}000\n encapsulation ppp\n{lines}end\n"
    )
    params = HOLD_QUEUE_TOO_DEEP.params(default_queue_ms=500.0)
    return hits_of(found(HOLD_QUEUE_TOO_DEEP, params, text))


@pytest.mark.parametrize(
    ("lines", "kbps"),
    [
        pytest.param(" no fair-queue\n hold-queue 48 out\n", 256, id="510 ms of 340 bytes"),
        pytest.param(" no fair-queue\n hold-queue 400 out\n", 2048, id="at E1"),
    ],
)
def test_a_hold_queue_over_the_budget_is_found(lines: str, kbps: int) -> None:
    assert hit_of(holding(lines, kbps)).object == "interface Serial0/0"


@pytest.mark.parametrize(
    ("lines", "kbps"),
    [
        pytest.param(" no fair-queue\n hold-queue 47 out\n", 256, id="499 ms of 340 bytes"),
        pytest.param(" no fair-queue\n", 256, id="the default of IOS"),
        pytest.param(" hold-queue 1000 out\n", 256, id="weighted fair queueing"),
        pytest.param(" no fair-queue\n hold-queue 4000 out\n", 2049, id="above E1"),
        pytest.param(" no fair-queue\n hold-queue 4000 in\n", 256, id="inbound"),
    ],
)
def test_other_hold_queues_are_silent(lines: str, kbps: int) -> None:
    assert holding(lines, kbps) == []


SHARED = (
    "version 15.2\nhostname R1\nclass-map match-all DATA\n match dscp af21\n"
    "policy-map WAN\n class DATA\n  bandwidth percent 50\n  queue-limit {limit}\n"
    "interface Serial0/0/0\n bandwidth 512\n clock rate 512000\n service-policy output WAN\n"
    "interface GigabitEthernet0/0\n service-policy output WAN\nend\n"
)


@pytest.mark.parametrize(
    ("limit", "rate_kbps", "curable"),
    [
        pytest.param(2, "256", True, id="too short at the slow output: longer for both"),
        pytest.param(16, "500000", False, id="too short at the fast one alone: no limit fits both"),
        pytest.param(64, None, None, id="too deep at the slow one: that is QLM001's"),
    ],
)
def test_a_limit_of_outputs_with_several_rates(
    limit: int, rate_kbps: str | None, curable: bool | None
) -> None:
    hits = hits_of(found(QUEUE_TOO_SHALLOW, ROUND_TRIP, SHARED.format(limit=limit)))

    judged = [(hit.evidence.rate_kbps, hit.curable) for hit in hits]
    assert judged == ([] if rate_kbps is None else [(rate_kbps, curable)])
    assert all(hit.curable or "at interface Serial0/0/0" in (hit.advice or "") for hit in hits)
