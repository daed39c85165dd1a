"""WRD006: the time constant of the average, and the round trip that it is held against."""

import pytest

from advisor.cli import run
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.wrd.averages import (
    WrongWeight,
    WrongWeightParams,
    find_wred_weight_wrong,
)
from advisor.settings import PacketShare, Settings, StatedTcp, Traffic
from tests.support.devices import device_read
from tests.support.verdicts import hit_of, hits_of
from tests.support.wred import wred_lines

PARAMS = WrongWeightParams(most_ms=1000.0)
SIZES = (PacketShare(1500, 1.0),)
TRAFFIC = (Traffic("*", "*", "DATA", SIZES, None, 1, "saturated", "t.toml:1"),)
SLA = """\
r1#show ip sla monitor statistics aggregated
Round Trip Time (RTT) for       Index 7
Start Time Index: 13:15:22.851 UTC Fri Apr 18 2008
Type of operation: jitter
RTT Values:
        Number Of RTT: 1000             RTT Min/Avg/Max: 10/{}/900
r1#
"""


def config(exponent: int | None, kbps: int, rtt_ms: int | None = None, tos: int = 72) -> str:
    line = (
        "" if exponent is None else f"  random-detect exponential-weighting-constant {exponent}\n"
    )
    text = (
        "version 12.3\nhostname r1\nclass-map match-any DATA\n match ip dscp af21\n"
        f"policy-map P\n class DATA\n  bandwidth {kbps}\n  random-detect dscp-based\n{line}"
        "interface Serial0/0\n bandwidth 8000\n ip address 192.0.2.1 255.255.255.252\n"
        " clock rate 8000000\n service-policy output P\n"
        "ip sla monitor 7\n type jitter dest-ipaddr 192.0.2.2 dest-port 16400\n"
        f" tos {tos}\nend\n"
    )
    return text if rtt_ms is None else f"r1#show running-config\n{text}{SLA.format(rtt_ms)}"


def results(text: str, traffic: tuple[Traffic, ...] = TRAFFIC) -> list[Hit[WrongWeight] | Skip]:
    settings = Settings(traffic=traffic)
    return list(find_wred_weight_wrong(device_read(text, settings), PARAMS))


@pytest.mark.parametrize(
    ("exponent", "kbps", "rtt_ms", "statement"),
    [
        pytest.param(None, 2000, None, "no lines", id="9 by default at 2 Mb/s: 3 s"),
        pytest.param(None, 6000, None, "no lines", id="9 at 6 Mb/s: 1024 ms"),
        pytest.param(None, 6200, None, None, id="9 at 6.2 Mb/s: 991 ms"),
        pytest.param(7, 2000, None, None, id="7 at 2 Mb/s: 768 ms"),
        pytest.param(1, 2000, None, None, id="12 ms is not judged without a round trip"),
        pytest.param(4, 2000, 97, "5", id="96 ms is under the round trip of 97"),
        pytest.param(4, 2000, 96, None, id="96 ms is not under 96"),
        pytest.param(9, 2000, 150, "5", id="over 1 s, 192 ms is one to two round trips of 150"),
        pytest.param(9, 2000, 2000, "no lines", id="no constant fits a round trip over 1 s"),
    ],
)
def test_verdict(
    exponent: int | None, kbps: int, rtt_ms: int | None, statement: str | None
) -> None:
    hits = hits_of(results(config(exponent, kbps, rtt_ms)))

    said = [wred_lines(hit)[0].split()[-1] if hit.curable else "no lines" for hit in hits]
    assert said == ([] if statement is None else [statement])


def flows(low_ms: float | None, high_ms: float | None, class_name: str = "DATA") -> Traffic:
    tcp = StatedTcp(3, low_ms, high_ms, None, None, None)
    return Traffic("*", "*", class_name, SIZES, None, 1, "poisson", "t.toml:1", "dscp 18", tcp=tcp)


@pytest.mark.parametrize(
    ("exponent", "traffic", "statement"),
    [
        pytest.param(4, (flows(97, 97),), "5", id="96 ms is under the stated 97"),
        pytest.param(4, (flows(96, 96),), None, id="96 ms is not under the stated 96"),
        pytest.param(4, (flows(50, 500),), None, id="96 ms is not under the least of 50 to 500"),
        pytest.param(4, (flows(100, 150),), "5", id="192 ms is the geometric mean of it or more"),
        pytest.param(4, (flows(200, 200), flows(50, 50)), None, id="other flows have but 50"),
        pytest.param(4, (flows(200, 200), flows(None, None)), None, id="of other flows unknown"),
        pytest.param(4, (*TRAFFIC, flows(200, 200, "B")), None, id="flows of another class"),
        pytest.param(9, (flows(150, 150),), "6", id="over 1 s: the stated 150 and the queue"),
    ],
)
def test_a_round_trip_that_is_stated_counts_where_none_is_measured(
    exponent: int, traffic: tuple[Traffic, ...], statement: str | None
) -> None:
    hits = hits_of(results(config(exponent, 2000), traffic))

    said = [wred_lines(hit)[0].split()[-1] if hit.curable else "no lines" for hit in hits]
    assert said == ([] if statement is None else [statement])


def test_a_measured_round_trip_goes_before_a_stated_one() -> None:
    hit = hit_of(results(config(4, 2000, rtt_ms=97), (flows(20, 20),)))

    assert "less than the round trip of 97 ms" in hit.evidence.fault
    assert wred_lines(hit)[0] == "random-detect exponential-weighting-constant 5"
    assert results(config(4, 2000), (flows(20, 20),)) == []


def test_a_probe_of_another_class_says_nothing_of_this_one() -> None:
    assert results(config(4, 2000, 500, tos=184)) == []


def test_without_a_round_trip_the_constants_of_two_are_said() -> None:
    hit = hit_of(results(config(None, 2000)))

    assert hit.advice is not None
    assert "4 for round trips of 50 ms" in hit.advice
    assert "6 for round trips of 200 ms" in hit.advice


def test_a_class_that_no_packet_can_match_has_no_queue_to_judge() -> None:
    contradictory = "class-map match-all DATA\n match ip dscp af21\n match ip dscp af31"
    text = config(None, 2000).replace(
        "class-map match-any DATA\n match ip dscp af21", contradictory
    )

    assert len(results(config(None, 2000))) == 1
    assert results(text) == []


def test_a_larger_constant_is_a_longer_memory() -> None:
    hits = [each for n in (8, 9) for each in hits_of(results(config(n, 1000)))]

    shorter, longer = (hit.forecast.before.value for hit in hits if hit.forecast is not None)
    assert longer == 2 * shorter


def test_explain_says_which_way_the_weight_goes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "WRD006"]) == 0
    said = " ".join(capsys.readouterr().out.split())

    assert "A larger n gives a smaller Wq: more weight on the past, longer memory" in said
    assert "its own formula says the opposite" in said
