"""A cause is named where it could move the metric by about the difference, and in its direction."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from advisor.device.index import read_devices
from advisor.device.reading import Source
from advisor.ground.quantity import Basis, Figure, Input, RateKind
from advisor.outlet.outlets import outlets
from advisor.predict.comparison.rows import (
    ComparedClass,
    ComparedMetric,
    NotComparable,
    Off,
    PossibleCause,
    causes_of,
    explaining,
)
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import Settings
from tests.comparison.test_verdict import COUNTERS, ROUTER, SLA, rows


@pytest.fixture(scope="module")
def subject() -> ComparedClass:
    sources = [Source(f"r1-{n}", text.encode()) for n, text in enumerate((ROUTER, COUNTERS))]
    (reading,) = read_devices(sources, Settings())
    device = reading.device
    (outlet,) = outlets(device)
    data = next(
        each
        for each in predict_device(device, "r1", Settings(), None, (), explained=False)
        if each.class_name == "DATA"
    )
    assert isinstance(data, ClassPrediction)
    return ComparedClass(device, Settings(), outlet, replace(data, inputs=(), weak=()))


def given(name: str, value: float, basis: Basis = Basis.DEFAULT) -> Input:
    return Input(name, value, value, value, basis, "")


LOSS, DELAY, QUEUE = ComparedMetric.LOSS, ComparedMetric.DELAY, ComparedMetric.QUEUE
UNITS = {LOSS: "%", DELAY: "ms", QUEUE: "packets"}


@pytest.mark.parametrize(
    ("known", "metric", "predicted", "measured", "is_named"),
    [
        pytest.param(given("mtu_bytes", 1500), LOSS, 11.2, 0, False, id="an MTU loses nothing"),
        pytest.param(given("mtu_bytes", 1500), QUEUE, 239, 3, False, id="an MTU queues nothing"),
        pytest.param(given("mtu_bytes", 1500), DELAY, 60, 40, True, id="one packet less"),
        pytest.param(given("mtu_bytes", 1500), DELAY, 300, 100, False, id="many packets less"),
        pytest.param(given("mtu_bytes", 1500), DELAY, 40, 60, False, id="no larger packet comes"),
        pytest.param(
            given("ip_kbps of ip sla 10", 0.32), LOSS, 11.2, 0, False, id="a probe is no 11 points"
        ),
        pytest.param(
            given("ip_kbps of ip sla 10", 0.32), DELAY, 288, 148, False, id="nor half a delay"
        ),
        pytest.param(
            given("ip_kbps of ip sla 10", 64), LOSS, 11.2, 0, True, id="an eighth of the line is"
        ),
        pytest.param(
            given("tx_ring_limit_packets", 4), QUEUE, 239, 3, False, id="a ring of 4 is no 236"
        ),
        pytest.param(given("tx_ring_limit_packets", 4), DELAY, 20, 90, True, id="a ring of 4 is"),
        pytest.param(
            given("queue_limit_packets of DATA", 64), LOSS, 2, 9, True, id="its limit drops"
        ),
        pytest.param(
            given("queue_limit_packets of VOICE", 64), LOSS, 2, 9, False, id="not that of another"
        ),
        pytest.param(
            given("wire_rate_bps", 512_000, Basis.ASSUMED), DELAY, 20, 400, True, id="the rate is"
        ),
        pytest.param(
            given("wire_rate_bps", 512_000, Basis.MEASURED), DELAY, 20, 400, False, id="measured"
        ),
    ],
)
def test_an_input_is_named_if_it_could_move_the_metric_so_far(
    subject: ComparedClass,
    known: Input,
    metric: ComparedMetric,
    predicted: float,
    measured: float,
    *,
    is_named: bool,
) -> None:
    asked = replace(subject, prediction=replace(subject.prediction, inputs=(known,)))
    ends = [Figure(value, value, value, UNITS[metric]) for value in (predicted, measured)]
    assert bool(explaining(causes_of(asked, metric, *ends), *ends)) is is_named


def test_bursts_only_lift_what_is_measured(subject: ComparedClass) -> None:
    rate = replace(given("packets_per_second of DATA", 30, Basis.MEASURED), kind=RateKind.MEASURED)
    asked = replace(subject, prediction=replace(subject.prediction, inputs=(rate,)))
    low, high = Figure(1, 1, 1, "%"), Figure(9, 9, 9, "%")
    assert explaining(causes_of(asked, LOSS, low, high), low, high)
    assert not explaining(causes_of(asked, LOSS, high, low), high, low)


def test_the_distance_counts_from_the_near_end_of_the_interval() -> None:
    def some() -> Iterator[PossibleCause]:
        yield PossibleCause("up to 10", 10.0)

    assert explaining(some(), Figure(50, 20, 80, "ms"), Figure(95, 95, 95, "ms"))
    assert not explaining(some(), Figure(50, 20, 80, "ms"), Figure(105, 105, 105, "ms"))


PROBE = ROUTER.replace("icmp-echo 10.0.0.2", "icmp-jitter 10.0.0.2")
RESULT = """\
r1#show ip sla statistics aggregated
Round Trip Time (RTT) for       Index 10
Start Time Index: 13:15:22.851 UTC Fri Apr 18 2008
Type of operation: icmpJitter
RTT Values:
        Number Of RTT: 3600             RTT Min/Avg/Max: 100/400/900
Jitter Time:
        Number of Jitter Samples: 3240
        Source to Destination Jitter Min/Avg/Max: 1/8/21
        Destination to Source Jitter Min/Avg/Max: 1/{}/60
"""


@pytest.mark.parametrize(
    ("jitter_back_ms", "words"),
    [
        pytest.param(1, "the far end, or the path behind the link", id="steady: no queue adds it"),
        pytest.param(90, "the way back is taken as idle", id="it varies: a queue may add it"),
    ],
)
def test_the_jitter_of_the_way_back_tells_a_queue_from_the_far_end(
    jitter_back_ms: int, words: str
) -> None:
    row = rows(PROBE, RESULT.format(jitter_back_ms))["round trip of probe 10, aggregated"]
    assert row.explains
    assert row.explains[-1].startswith(words)


def test_the_latest_operation_is_not_compared_beside_those_of_an_hour() -> None:
    latest = RESULT.replace("statistics aggregated", "statistics")
    names = rows(PROBE, RESULT.format(1), latest.format(1))
    assert [name for name in names if name.startswith("round trip")] == [
        "round trip of probe 10, aggregated"
    ]


@pytest.mark.parametrize(
    ("rtt_ms", "is_comparable"),
    [
        pytest.param(3, False, id="below it: perhaps nothing was congested"),
        pytest.param(900, True, id="above it: not even congestion explains it"),
    ],
)
def test_an_assumed_congestion_is_not_compared_with_less(
    rtt_ms: int, *, is_comparable: bool
) -> None:
    """Nothing says what the lower classes carry: the prediction has packets of them wait always."""
    row = rows(ROUTER, SLA.format(rtt_ms))["round trip of probe 10"]
    assert isinstance(row.verdict, Off if is_comparable else NotComparable)
    assert ("class-default is not known" in str(row.verdict)) is not is_comparable
