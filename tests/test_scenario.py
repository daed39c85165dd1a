"""Files of scenarios: what they say, and what is said of those that say it wrong."""

import json
from typing import Any

import pytest

from advisor.settings.read_scenarios import ScenarioError, read_scenarios
from advisor.settings.scenario import (
    Cbr,
    DefaultQueue,
    FixedSize,
    PriorityQueue,
    Saturated,
    ScenarioPolicer,
    ScenarioShaper,
    Stream,
    TcpGroup,
)
from tests.support.outside import VALIDATION

SCENARIO: dict[str, Any] = {
    "id": "edge",
    "link": {"rate_kbps": 512, "l2_overhead_bytes_per_packet": 7, "note": "words"},
    "tx_ring": {"unit": "packets", "limit": 4},
    "scheduler": "llq+cbwfq",
    "queues": [
        {
            "name": "voice",
            "kind": "priority",
            "priority_kbps": 128,
            "burst_bytes": 3200,
            "policed_under_congestion": True,
            "queue_limit_packets": 64,
        },
        {
            "name": "class-default",
            "kind": "class-default",
            "bandwidth_percent": 75,
            "queue_limit_packets": 64,
        },
    ],
    "traffic": [
        {
            "class": "voice",
            "queue": "voice",
            "arrival": {"process": "cbr", "packets_per_second": 50},
            "ip_packet_bytes": {"distribution": "fixed", "bytes": 60},
        },
        {
            "class": "data",
            "queue": "class-default",
            "arrival": {"process": "saturated", "backlog_packets_kept_in_queue": 20},
            "ip_packet_bytes": {
                "distribution": "uniform_integer",
                "min_bytes": 40,
                "max_bytes": 90,
            },
        },
    ],
    "results": {"anything": "is ignored"},
}
LIMIT = {"queue_limit_packets": 64}


def changed(path: str, value: object) -> str:
    """The scenario as text, with the key at a dotted path set."""
    scenario = json.loads(json.dumps(SCENARIO))
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    here = scenario
    for step in way:
        here = here[step]
    here[last] = value
    return json.dumps([scenario])


def test_a_scenario_is_read_with_its_types() -> None:
    (scenario,) = read_scenarios(json.dumps([SCENARIO]), "s.json")
    voice, data = scenario.traffic
    assert isinstance(scenario.queue_named("voice"), PriorityQueue)
    assert voice == Stream("voice", "voice", Cbr(50), FixedSize(60))
    assert isinstance(data, Stream)
    assert data.arrival == Saturated(20)
    assert scenario.not_read == ()


def test_one_scenario_needs_no_array() -> None:
    assert len(read_scenarios(json.dumps(SCENARIO), "s.json")) == 1


def test_a_tcp_group_is_told_by_its_flows() -> None:
    group = {
        "group": "af11",
        "queue": "class-default",
        "tcp_flows": 10,
        "base_rtt_ms": 80,
        "ip_packet_bytes": 1500,
        "receiver_window_packets": 44,
    }
    (scenario,) = read_scenarios(changed("traffic.1", group), "s.json")
    assert scenario.traffic[1] == TcpGroup("af11", "class-default", 10, 80, 1500, 44)


def test_levels_police_shapers_and_shares_are_read() -> None:
    scenario = json.loads(json.dumps(SCENARIO))
    scenario["excess_bandwidth"] = "unreserved_first"
    scenario["shape"] = {"rate_kbps": 256, "committed_burst_bits": 2560}
    scenario["queues"][0] |= {"level": 2, "police": {"rate_kbps": 64, "burst_bytes": 2000}}
    scenario["queues"][1] |= {"shape": scenario["shape"] | {"refill": "smooth"}}
    scenario["traffic"][1]["precedence"] = 5
    (read,) = read_scenarios(json.dumps(scenario), "s.json")
    voice, data = read.queues
    assert read.shape == ScenarioShaper(256, 2560)
    assert isinstance(voice, PriorityQueue)
    assert (voice.level, voice.police) == (2, ScenarioPolicer(64, 2000))
    assert isinstance(data, DefaultQueue)
    assert data.shape == ScenarioShaper(256, 2560, refill="smooth")
    assert read.traffic[1].precedence == 5
    assert read.not_read == ()


def test_a_key_that_nothing_reads_is_told() -> None:
    (scenario,) = read_scenarios(changed("traffic.0.arrival.jitter_ms", 3), "s.json")
    assert scenario.not_read == ("traffic[0].arrival.jitter_ms",)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        pytest.param("[\n{", "s.json:2: not JSON", id="not JSON"),
        pytest.param("[" * 100_000, "s.json: not JSON that can be read", id="nested too deep"),
        pytest.param("[5]", "s.json: scenario number 1: Expected `object`", id="not an object"),
        pytest.param("[{}]", "scenario number 1: Object missing required field `id`", id="no id"),
        pytest.param(
            changed("link.rate_kbps", 0),
            "s.json: scenario edge: link.rate_kbps: Expected `float` >= 1.0",
            id="a rate of zero",
        ),
        pytest.param(
            changed("link.rate_kbps", 1e-9),
            "link.rate_kbps: Expected `float` >= 1.0",
            id="a link that sends a packet in years",
        ),
        pytest.param(
            changed("shape", {"rate_kbps": 1e-9, "committed_burst_bits": 8000}),
            "shape.rate_kbps: Expected `float` >= 1.0",
            id="a shaper that sends a packet in years",
        ),
        pytest.param(
            changed("link.rate_kbps", float("inf")), "link.rate_kbps: ", id="an infinite rate"
        ),
        pytest.param(
            changed("traffic.0.arrival", {"process": "cbr"}),
            "traffic[0].arrival: Object missing required field `packets_per_second`",
            id="a missing key",
        ),
        pytest.param(
            changed("traffic.0.arrival.process", "fractal"),
            "traffic[0].arrival.process: Invalid value 'fractal'",
            id="an arrival process nobody knows",
        ),
        pytest.param(
            changed("traffic.1.queue", "gold"),
            "traffic[1].queue: no queue gold; there are voice, class-default",
            id="traffic for a queue that is not there",
        ),
        pytest.param(
            changed("traffic.1.class", "voice"), "traffic: two entries have one class", id="twice"
        ),
        pytest.param(
            changed("traffic.1.ip_packet_bytes.min_bytes", 91),
            "traffic[1].ip_packet_bytes: min_bytes is above max_bytes",
            id="sizes the wrong way round",
        ),
        pytest.param(
            changed("traffic.1.wred_profile", "af11"),
            "traffic[1].wred_profile: af11 is not a profile of queue class-default",
            id="a profile without WRED",
        ),
        pytest.param(
            changed("link.member_rates_kbps", [256, 128]),
            "link.member_rates_kbps: their sum is 384, link.rate_kbps is 512",
            id="members that are not the bundle",
        ),
        pytest.param(
            changed("queues.1.bandwidth_remaining_ratio", 4),
            "queues[1]: bandwidth_percent beside bandwidth_remaining_ratio; leave out one",
            id="a guarantee and a part of the rest",
        ),
        pytest.param(
            changed("queues", [*SCENARIO["queues"], {"name": "x", "kind": "bandwidth"} | LIMIT]),
            "queues: proportional sharing needs bandwidth_percent in all classes",
            id="a class without a weight among others",
        ),
        pytest.param(
            json.dumps(
                SCENARIO
                | {
                    "excess_bandwidth": "equal",
                    "queues": [
                        *SCENARIO["queues"],
                        {"name": "x", "kind": "bandwidth", "bandwidth_percent": 30} | LIMIT,
                    ],
                }
            ),
            "queues: bandwidth_percent of all classes is 105: over 100",
            id="guarantees above the link",
        ),
        pytest.param(
            changed("scheduler", "wfq"),
            "queues: scheduler wfq has one queue",
            id="WFQ of two queues",
        ),
        pytest.param(
            changed("scheduler", "cbwfq"),
            "queues[0].kind: scheduler cbwfq has no priority queue",
            id="an LLQ without a scheduler for it",
        ),
        pytest.param(
            changed("queues.1.name", "voice"), "queues: two queues have one name", id="two queues"
        ),
        pytest.param(
            json.dumps([SCENARIO, SCENARIO]), "scenario edge: id occurs 2 times", id="an id twice"
        ),
    ],
)
def test_an_error_names_file_scenario_and_key(text: str, error: str) -> None:
    with pytest.raises(ScenarioError) as raised:
        read_scenarios(text, "s.json")
    assert error in str(raised.value)
    assert str(raised.value).startswith("s.json:")


@pytest.mark.parametrize(("file", "count"), [("delay_tuning.json", 25), ("wred_tuning.json", 9)])
def test_every_published_scenario_is_read_whole(file: str, count: int) -> None:
    path = VALIDATION / file
    if not path.is_file():
        pytest.skip(f"{file} is not part of this repository")
    scenarios = read_scenarios(path.read_text(encoding="utf-8"), file)
    assert len(scenarios) == count
    assert all(not scenario.not_read for scenario in scenarios)
