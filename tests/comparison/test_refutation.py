"""A refuted prediction names the one input that explains the measurement, by number."""

import pytest

from advisor.device.index import read_devices
from advisor.device.reading import Source
from advisor.predict.comparison import compared
from advisor.predict.what_if.compared import (
    Compared,
    NotComparable,
    NotCompared,
    Off,
    Refutation,
)
from advisor.settings import Settings
from tests.comparison.test_verdict import rows
from tests.support.counters import ROUTER, counted_class, counters, latest_operation


def refuted_row(metric: str, *outputs: str, config: str = ROUTER) -> Compared:
    texts = (config, *outputs)
    sources = [Source(f"r1-{number}.txt", text.encode()) for number, text in enumerate(texts)]
    (reading,) = read_devices(sources, Settings())
    found = compared(reading.device, Settings())
    (row,) = (row for row in found if row.metric == metric and isinstance(row.verdict, Off))
    return row


def refutation(metric: str, *outputs: str, config: str = ROUTER) -> Refutation:
    row = refuted_row(metric, *outputs, config=config)
    assert row.refutation is not None
    return row.refutation


def test_losses_of_a_line_that_is_not_full_are_those_of_bursts() -> None:
    dropping = counted_class("DATA", 100_000, dropped_bps=9000)

    found = refutation("drops", counters(dropping))

    assert found.solved is not None
    assert found.solved.key == "burst_packets"
    assert 20 < found.solved.needed < 64
    assert found.solved.gives.low <= 9 <= found.solved.gives.high


def test_a_full_line_without_losses_is_faster_than_its_label() -> None:
    found = refutation("drops", counters(counted_class("DATA", 260_000), default_bps=250_000))

    assert found.solved is not None
    assert (found.solved.key, found.solved.used) == ("bandwidth", 512.0)
    assert 512 < found.solved.needed < 768


def test_a_short_jitter_is_that_of_a_smaller_load_below_the_llq() -> None:
    found = refutation(
        "jitter of probe 10 to the destination", counters(), latest_operation(jitter_ms=2)
    )

    assert found.solved is not None
    assert (found.solved.key, found.solved.of) == ("load", "the lower classes")
    assert found.solved.used == pytest.approx(59, abs=1)
    assert found.solved.needed < 30


def test_a_delay_that_does_not_vary_is_behind_the_link() -> None:
    found = refutation(
        "round trip of probe 10", counters(), latest_operation(rtt_ms=80, jitter_ms=1)
    )

    assert found.solved is not None
    assert found.solved.key == "fixed_delay"
    assert 60 < found.solved.needed < 70


def test_where_no_input_explains_it_the_extremes_of_all_are_named() -> None:
    config = ROUTER.replace("tx-ring-limit 4", "tx-ring-limit 1")
    full = counters(counted_class("DATA", 300_000), default_bps=400_000)
    row = rows(config, full, latest_operation(rtt_ms=2000, jitter_ms=900))["round trip of probe 10"]

    assert row.refutation is not None
    assert row.refutation.solved is None
    assert {tried.key for tried in row.refutation.tried} >= {"packet_bytes", "load"}
    assert row.explains[0].startswith("no single input explains it: ")


def test_what_a_configuration_or_an_output_states_is_not_moved() -> None:
    config = ROUTER.replace(" bandwidth 512\n", " clock rate 512000\n")
    dropping = counted_class("DATA", 100_000, dropped_bps=9000)

    tried = {item.key for item in refutation("drops", counters(dropping), config=config).tried}

    assert tried.isdisjoint({"bandwidth", "tx-ring-limit"})


def test_a_sentence_has_the_value_that_was_used_and_the_one_that_is_needed() -> None:
    dropping = counted_class("DATA", 100_000, dropped_bps=9000)
    (said,) = refuted_row("drops", counters(dropping)).explains

    assert said.startswith("bursts of ")
    assert " packets in DATA, not 1, would give " in said


CPU = (
    "r1#show processes cpu\n"
    "CPU utilization for five seconds: 97%/6%; one minute: 97%; five minutes: 97%\n"
)


@pytest.mark.parametrize(
    ("rtt_ms", "verdict"),
    [
        pytest.param(9000, NotComparable, id="slower: packets wait for the CPU"),
        pytest.param(1, Off, id="faster: no CPU does that"),
    ],
)
def test_a_busy_cpu_says_nothing_of_a_queue(rtt_ms: int, verdict: type) -> None:
    row = rows(ROUTER, counters(), CPU, latest_operation(rtt_ms=rtt_ms))["round trip of probe 10"]

    assert isinstance(row.verdict, verdict)
    if isinstance(row.verdict, NotComparable):
        assert row.verdict.reason is NotCompared.BUSY
