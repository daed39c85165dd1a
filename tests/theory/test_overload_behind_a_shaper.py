"""A full queue before a shaper: its tokens are gone, and packets find room only after each Tc."""

import json

import pytest

from advisor.predict.scenario import predict_scenario
from advisor.predict.scenario_interface import interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.scenario import Scenario
from advisor.simulate import simulate
from tools.drawn.parts import fixed, traffic

pytestmark = pytest.mark.slow
PACKETS, REPLICATIONS = 200_000, 4
OVERHEAD_BYTES = 7


def overloaded(
    *, rate_kbps: int, load: float, committed_bits: int, excess_bits: int, limit_packets: int
) -> Scenario:
    packets_per_second = load * rate_kbps * 125 / (1500 + OVERHEAD_BYTES)
    arrival = {"process": "poisson", "packets_per_second": packets_per_second}
    draft = {
        "id": "overload",
        "scheduler": "cbwfq",
        "link": {"rate_kbps": 3 * rate_kbps, "encapsulation": "ppp", "atm_cell_tax": False,
                 "l2_overhead_bytes_per_packet": OVERHEAD_BYTES},
        "tx_ring": {"unit": "packets", "limit": 8},
        "fragmentation": None,
        "queues": [{"name": "class-default", "kind": "class-default", "bandwidth_percent": 100,
                    "queue_limit_packets": limit_packets}],
        "traffic": [traffic("class-default", "class-default", arrival, fixed(1500))],
        "shape": {"rate_kbps": rate_kbps, "committed_burst_bits": committed_bits,
                  "excess_burst_bits": excess_bits, "refill": "per_interval"},
    }  # fmt: skip
    (scenario,) = read_scenarios(json.dumps([draft]), "overload")
    return scenario


@pytest.mark.parametrize(
    ("rate_kbps", "load", "committed_bits", "excess_bits", "limit_packets"),
    [
        pytest.param(512, 1.3, 200_000, 200_000, 500, id="Be"),
        pytest.param(1000, 1.3, 800_000, 0, 500, id="Tc of 0.8 s"),
        pytest.param(256, 2.0, 800_000, 0, 64, id="a queue less than Bc"),
        pytest.param(512, 1.3, 20_000, 0, 64, id="Tc of 40 ms"),
    ],
)
def test_the_mean_is_that_of_the_simulation(
    rate_kbps: int, load: float, committed_bits: int, excess_bits: int, limit_packets: int
) -> None:
    scenario = overloaded(
        rate_kbps=rate_kbps, load=load, committed_bits=committed_bits, excess_bits=excess_bits,
        limit_packets=limit_packets,
    )  # fmt: skip
    (row,) = predict_scenario(scenario)
    (truth,) = simulate(interface_of(scenario), PACKETS, REPLICATIONS, seed=1).classes
    assert truth.delay is not None

    assert row.mean_ms == pytest.approx(truth.delay.mean_ms.value, rel=0.06)


def test_a_queue_that_holds_less_than_a_tc_loses_what_comes_while_tokens_lack() -> None:
    """The class sends what waits at each Tc, and what comes until the tokens are gone."""
    scenario = overloaded(
        rate_kbps=20_000, load=1.5, committed_bits=1_000_000, excess_bits=0, limit_packets=20
    )
    (row,) = predict_scenario(scenario)
    (truth,) = simulate(interface_of(scenario), PACKETS, REPLICATIONS, seed=1).classes
    assert truth.loss_ratio is not None
    assert row.loss_ratio == pytest.approx(truth.loss_ratio.value, abs=0.03)
