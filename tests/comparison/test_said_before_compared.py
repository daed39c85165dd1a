"""What forbids to compare a measurement is said by its type; windows and ways stand in each row."""

from collections.abc import Iterator

import pytest

from advisor.capture.masking import mask_captured
from advisor.device.index import read_devices
from advisor.device.reading import Source
from advisor.predict.comparison import compared, with_compared
from advisor.predict.what_if.compared import (
    Compared,
    NotComparable,
    NotCompared,
    Way,
    Window,
    WindowKind,
    Within,
)
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import Settings
from tests.support.counters import ROUTER, counted_class, counters, latest_operation
from tests.support.devices import device_read


def found_in(*texts: str) -> tuple[Compared, ...]:
    sources = [Source(f"r1-{number}.txt", text.encode()) for number, text in enumerate(texts)]
    (reading,) = read_devices(sources, Settings())
    return compared(reading.device, Settings())


def reasons(rows: tuple[Compared, ...]) -> Iterator[tuple[str | None, str, NotCompared]]:
    for row in rows:
        if isinstance(row.verdict, NotComparable):
            yield row.class_name, row.metric, row.verdict.reason


PORT = """\
r1#show interfaces Serial0/0
Serial0/0 is up, line protocol is up
  Hardware is GT96K Serial
  MTU 1500 bytes, BW 512 Kbit, DLY 20000 usec,
     reliability 255/255, txload 250/255, rxload 3/255
  Last clearing of "show interface" counters {}
  5 minute input rate 6000 bits/sec, 9 packets/sec
  5 minute output rate 400000 bits/sec, 60 packets/sec
     112000 packets output, 44232000 bytes, 0 underruns
"""


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        pytest.param(
            counters(counted_class("DATA", 0, packets=0)),
            ("DATA", "offered", NotCompared.COUNTS_NOTHING),
            id="a class counts nothing, and others do",
        ),
        pytest.param(
            counters(counted_class("DATA", 200, packets=12)),
            ("DATA", "offered", NotCompared.TOO_FEW),
            id="too few packets for a mean size",
        ),
        pytest.param(
            counters(counted_class("DATA", 0)),
            ("DATA", "offered", NotCompared.IDLE),
            id="a class that counted is idle now",
        ),
        pytest.param(
            PORT.format("00:00:20") + counters(interval="5 minute"),
            ("DATA", "offered", NotCompared.CLEARED),
            id="counters of 20 seconds beside rates of 5 minutes",
        ),
        pytest.param(
            counters(counted_class("DATA", 10_000, dropped_bps=90_000)),
            ("DATA", "drops", NotCompared.MORE_DROPPED),
            id="more is dropped than offered",
        ),
        pytest.param(
            counters(counted_class("DATA", 700_000)),
            ("DATA", "offered", NotCompared.BEYOND_LINE),
            id="twice the line is carried",
        ),
        pytest.param(
            counters(counted_class("DATA", 100_000, depth=37)),
            ("DATA", "queue now", NotCompared.MOMENT),
            id="the depth of a queue is of one moment",
        ),
        pytest.param(
            counters() + counters(way="input"),
            (None, "offered to policy WAN", NotCompared.INPUT),
            id="nothing queues on input",
        ),
        pytest.param(
            counters() + latest_operation(
                rtt_ms=0, jitter_ms=0, packets=0, successes=0, failures=31, code="Timeout"
            ),
            ("VOICE", "round trip of probe 10", NotCompared.NEVER_ANSWERED),
            id="a probe without an answer measures no 0 ms",
        ),
        pytest.param(
            counters() + latest_operation(latency_ms=14),
            ("VOICE", "latency of probe 10 from the destination", NotCompared.FAR_END),
            id="the way back has the queue of the far end",
        ),
    ],
)  # fmt: skip
def test_a_measurement_is_not_compared_where(
    output: str, expected: tuple[str | None, str, NotCompared]
) -> None:
    assert expected in list(reasons(found_in(ROUTER, output)))


@pytest.mark.parametrize(
    "cleared",
    [
        pytest.param("never", id="never"),
        pytest.param("01:10:00", id="before the window of the rates"),
    ],
)
def test_counters_are_compared_that_were_cleared(cleared: str) -> None:
    found = found_in(ROUTER, PORT.format(cleared) + counters(interval="5 minute"))
    drops = [row for row in found if row.metric == "drops"]
    assert [row.class_name for row in drops] == ["VOICE", "DATA", "class-default"]
    assert all(isinstance(row.verdict, Within) for row in drops)


def test_counters_that_the_router_updates_every_few_seconds_are_compared() -> None:
    head = "\n    Counters last updated 00:00:03 ago\n"
    assert found_in(ROUTER, counters(head=head)) is not None
    assert [row.metric for row in found_in(ROUTER, counters(head=head))] == ["drops"] * 3


def test_a_probe_to_a_far_network_is_named_with_its_reason() -> None:
    config = ROUTER.replace("192.0.2.2 16384", "203.0.113.9 16384")
    (row,) = (row for row in found_in(config, latest_operation()) if row.object == "ip sla 10")
    assert isinstance(row.verdict, NotComparable)
    assert row.verdict.reason is NotCompared.ELSEWHERE
    assert "203.0.113.9 is in no connected subnet" in row.verdict.why


def test_each_row_has_its_window_and_its_way() -> None:
    output = counters() + latest_operation(latency_ms=14, successes=20, failures=5)
    windows = {row.metric: (row.window, row.way) for row in found_in(ROUTER, output)}
    operation = Window(WindowKind.OPERATION, None, 1000, 20, 5)
    assert windows == {
        "round trip of probe 10": (operation, Way.ROUND),
        "latency of probe 10 to the destination": (operation, Way.THERE),
        "latency of probe 10 from the destination": (operation, Way.BACK),
        "jitter of probe 10 to the destination": (operation, Way.THERE),
        "jitter of probe 10 from the destination": (operation, Way.BACK),
        "drops": (Window(WindowKind.AVERAGE, 30), Way.OUTPUT),
    }


def test_the_measured_traffic_is_the_input_of_the_figure_beside_it() -> None:
    data = next(row for row in found_in(ROUTER, counters()) if row.class_name == "DATA")
    rate, size = data.given
    assert (rate.name, round(rate.value, 1)) == ("packets_per_second of DATA", 24.8)
    assert (size.name, size.value) == ("mean_ip_bytes of DATA", 500.0)
    assert rate.source.startswith("over 30 s, ")
    assert size.source.startswith("of 20000 packets, ")


CLOCK = "r1#show clock\n13:15:{:02d}.000 UTC Fri Apr 18 2008\n"


@pytest.mark.parametrize(
    ("counted", "window", "per_s"),
    [
        pytest.param(3000, WindowKind.SAMPLES, 100.0, id="enough packets between them"),
        pytest.param(50, WindowKind.AVERAGE, 24.8, id="too few: the average of IOS counts"),
    ],
)
def test_two_outputs_of_one_session_give_the_traffic_between_them(
    counted: int, window: WindowKind, per_s: float
) -> None:
    later = counted_class("DATA", 100_000, packets=20_000 + counted)
    log = CLOCK.format(0) + counters() + CLOCK.format(30) + counters(later, packets=20_600)
    (row,) = (row for row in found_in(ROUTER, log) if row.class_name == "DATA")
    assert row.window == Window(window, 30)
    assert row.given[0].value == pytest.approx(per_s, rel=0.01)


def test_a_prediction_carries_its_measurements() -> None:
    device = device_read(ROUTER + counters() + latest_operation())
    predictions = predict_device(device, "r1.txt", Settings(), None, ())
    by_class = {
        each.class_name: [row.metric for row in each.compared]
        for each in with_compared(device, Settings(), predictions)
    }
    assert by_class["DATA"] == ["drops"]
    assert "round trip of probe 10" in by_class["VOICE"]


def test_masked_files_give_the_same_comparison() -> None:
    """No figure, window or verdict of a comparison rests on what the mask removes."""
    texts = ROUTER, counters(counted_class("DATA", 100_000, dropped_bps=9000)) + latest_operation()
    plain, masked = found_in(*texts), found_in(*map(mask_captured, texts))
    assert [_kept(row) for row in plain] == [_kept(row) for row in masked]


def _kept(row: Compared) -> tuple[object, ...]:
    return (row.metric, row.measured, row.predicted, row.verdict, row.window, row.way, row.explains)


CALL = """\
r1#show call active voice brief
1F4  : 4171198hs.1 +329 pid:20 Originate 5100 active
 dur 00:08:43 tx:7044/139565 rx:26165/523127
 IP 192.0.2.2:18682 rtt:51ms pl:148590/290ms lost:0/0/15 delay:65/60/132ms g729r8

Telephony call-legs: 0
SIP call-legs: 0
H323 call-legs: 1
Call agent controlled call-legs: 0
Multicast call-legs: 0
Total call-legs: 1
"""


def test_calls_in_progress_are_the_input_of_a_class_that_no_output_counts() -> None:
    found = found_in(ROUTER, CALL + latest_operation(rtt_ms=900, jitter_ms=400))
    row = next(row for row in found if row.metric == "round trip of probe 10")
    (calls,) = (known for known in row.given if known.name.startswith("calls of"))
    assert (calls.name, calls.value) == ("calls of VOICE", 1.0)
