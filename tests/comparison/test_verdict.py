"""The verdict of a measurement on a prediction, and the way back of a probe."""

import pytest
from msgspec.structs import replace

from advisor.device.index import read_devices
from advisor.device.reading import Source
from advisor.ground.quantity import Figure, Unknown
from advisor.outlet.outlets import outlets
from advisor.predict.comparison import PROCESSING_MS, Compared, compared, round_trip
from advisor.predict.comparison.counted import counted
from advisor.predict.comparison.rows import ClassFigures, ComparedClass, verdict_of
from advisor.predict.what_if.compared import (
    NotComparable,
    NotCompared,
    Off,
    PredictionFault,
    TooWide,
    Verdict,
    Within,
)
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.predictions import predict_device, predict_sources
from advisor.settings import ReturnPath, Settings

NARROW = Figure(20.0, 15.0, 25.0, "ms")


def seen(mean: float, unit: str = "ms") -> Figure:
    return Figure(mean, mean, mean, unit)


@pytest.mark.parametrize(
    ("predicted", "measured", "verdict"),
    [
        pytest.param(NARROW, 24.0, Within(), id="in a narrow interval"),
        pytest.param(NARROW, 30.0, Off(10.0, "ms", 50.0), id="over it"),
        pytest.param(NARROW, 10.0, Off(-10.0, "ms", -50.0), id="under it"),
        pytest.param(Figure(20.0, 15.7, 24.3, "ms"), 15.0, Within(), id="rounded down to below it"),
        pytest.param(Figure(20.0, 15.7, 24.3, "ms"), 25.0, Within(), id="rounded up to above it"),
        pytest.param(
            Figure(50.0, 10.0, 90.0, "ms"), 20.0, TooWide(10.0, 90.0), id="in a wide interval"
        ),
        pytest.param(
            Figure(50.0, 10.0, 90.0, "ms"), 100.0, Off(50.0, "ms", 100.0), id="over a wide interval"
        ),
        pytest.param(
            Figure(1.0, 0.0, 3.0, "ms"), 2.0, Within(), id="IP SLA prints whole milliseconds"
        ),
        pytest.param(Unknown("no rate"), 2.0, NotComparable("no rate"), id="nothing predicted"),
    ],
)
def test_verdict(predicted: Figure | Unknown, measured: float, verdict: Verdict) -> None:
    assert verdict_of(predicted, seen(measured)) == verdict


def test_a_difference_from_nothing_has_no_percent() -> None:
    assert verdict_of(Figure(0, 0, 0, "%"), seen(2, "%")) == Off(2, "%", None)


def test_drops_have_no_room_for_rounding_beside_that_of_their_interval() -> None:
    found = verdict_of(Figure(20.0, 16.0, 24.0, "%"), seen(24.5, "%"))
    assert found == Off(4.5, "%", 22.5)


ROUTER = """\
version 15.1
hostname r1
policy-map WAN
 class VOICE
  priority 96
 class DATA
  bandwidth 128
  random-detect
class-map match-any VOICE
 match protocol icmp
class-map match-all DATA
 match dscp af21
interface Serial0/0
 ip address 10.0.0.1 255.255.255.252
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 4
 service-policy output WAN
ip sla 10
 icmp-echo 10.0.0.2
end
"""
SLA = """\
r1#show ip sla statistics
Round Trip Time (RTT) for       Index 10
        Latest RTT: {0} milliseconds
Latest operation start time: 13:15:22.851 UTC Fri Apr 18 2008
Latest operation return code: OK
RTT Values:
        Number Of RTT: 10               RTT Min/Avg/Max: {0}/{0}/{0} milliseconds
"""


def voice() -> ClassFigures:
    (source,) = [Source("r1.cfg", ROUTER.encode())]
    first = predict_sources(source, Settings(), None, {})[0]
    assert isinstance(first, ClassPrediction)
    return ClassFigures(first.mean, first.jitter, first.loss, first.least_ms, first.bound_ms)


def test_an_unstated_way_back_is_idle_in_the_mean_and_loaded_in_the_bound() -> None:
    there = voice()
    found = round_trip(there, ReturnPath.UNSTATED)

    assert there.bound_ms is not None
    assert found.value == pytest.approx(there.mean.value + there.least_ms)
    assert found.bound == pytest.approx(2 * there.bound_ms + PROCESSING_MS)


def test_a_loaded_way_back_doubles_the_mean() -> None:
    there = voice()

    assert round_trip(there, ReturnPath.LOADED).value == pytest.approx(2 * there.mean.value)


def test_an_idle_way_back_is_idle_in_the_bound_too() -> None:
    there = voice()
    found = round_trip(there, ReturnPath.IDLE)

    assert there.bound_ms is not None
    assert found.bound == pytest.approx(there.bound_ms + there.least_ms + PROCESSING_MS)


def rows(config: str, *shows: str, settings: Settings | None = None) -> dict[str, Compared]:
    texts = (config, *shows)
    sources = [Source(f"r1-{n}.txt", text.encode()) for n, text in enumerate(texts)]
    settings = settings or Settings()
    (reading,) = read_devices(sources, settings)
    return {each.metric: each for each in compared(reading.device, settings)}


@pytest.mark.parametrize(
    ("dropped_bps", "verdict"),
    [
        pytest.param(51_200, NotComparable("what the class is offered is not known"), id="all"),
        pytest.param(
            70_000,
            NotComparable(
                "more is dropped than offered: the two were not counted over the same time",
                NotCompared.MORE_DROPPED,
            ),
            id="more than offered",
        ),
    ],
)
def test_drops_are_a_part_of_what_is_offered(dropped_bps: int, verdict: Verdict) -> None:
    counters = (
        "r1#show policy-map interface Serial0/0\n Serial0/0\n\n  Service-policy output: WAN\n\n"
        "    Class-map: VOICE (match-any)\n      1000 packets, 64000 bytes\n"
        f"      30 second offered rate 51200 bps, drop rate {dropped_bps} bps\n"
        "      Match: protocol icmp\n"
    )
    found = rows(ROUTER, counters)["drops"]
    assert found.verdict == verdict


def test_the_stated_way_back_moves_the_prediction_of_a_round_trip() -> None:
    idle, loaded = (
        rows(ROUTER, SLA.format(30), settings=replace(Settings(), return_path=way))
        for way in (ReturnPath.IDLE, ReturnPath.LOADED)
    )
    name = "round trip of probe 10"

    predicted = idle[name].predicted, loaded[name].predicted
    assert predicted[0] is not None
    assert predicted[1] is not None
    assert predicted[0].value < predicted[1].value


def test_a_round_trip_in_a_class_without_known_traffic_is_not_comparable() -> None:
    config = ROUTER.replace("match protocol icmp", "match dscp ef")
    row = rows(config, SLA.format(30))["round trip of probe 10"]

    assert row.class_name == "class-default"
    assert isinstance(row.verdict, NotComparable)
    assert "state it in [[traffic]]" in row.verdict.why


COUNTERS = """\
r1#show policy-map interface Serial0/0
 Serial0/0

  Service-policy output: WAN

    Class-map: DATA (match-all)
      20000 packets, 20000000 bytes
      5 minute offered rate 240000 bps, drop rate 0 bps
      Match: ip dscp af21
      Queueing
      queue limit 64 packets
      (queue depth/total drops/no-buffer drops) 0/0/0
      (pkts output/bytes output) 20000/20000000
      bandwidth 128 kbps
        Exp-weight-constant: 9 (1/512)
        Mean queue depth: 3 packets

    Class-map: class-default (match-any)
      20000 packets, 20000000 bytes
      5 minute offered rate 40000 bps, drop rate 0 bps
      Match: any
"""


def test_an_average_queue_over_the_maximum_of_wred_is_a_fault_of_the_prediction() -> None:
    texts = (ROUTER, COUNTERS)
    sources = [Source(f"r1-{n}.txt", text.encode()) for n, text in enumerate(texts)]
    (reading,) = read_devices(sources, Settings())
    device = reading.device
    (outlet,) = outlets(device)
    data = next(
        each
        for each in predict_device(device, "r1", Settings(), None, (), explained=False)
        if each.class_name == "DATA"
    )
    assert isinstance(data, ClassPrediction)
    subject = ComparedClass(
        device, Settings(), outlet, replace(data, mean=Figure(4e3, 3e3, 5e3, "ms"))
    )

    queue = next(row for row in counted(subject, ()) if row.metric == "average queue (AQS)")

    assert isinstance(queue.verdict, PredictionFault)
    assert "WRED drops every packet at 40" in queue.verdict.why


def test_the_model_fills_a_queue_under_wred_to_its_highest_maximum() -> None:
    config = ROUTER.replace("  random-detect\n", "  queue-limit 64\n  random-detect\n")
    counters = COUNTERS.replace("240000 bps, drop rate 0", "600000 bps, drop rate 300000")

    queue = rows(config, counters)["average queue (AQS)"]

    assert queue.predicted is not None
    assert not isinstance(queue.verdict, PredictionFault)
