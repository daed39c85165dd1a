"""A shaper nearly as fast as the wire behind it can lose tokens while its packets wait for the ring.

Then it is slower than its rate, and no bound is given: one that takes it as a line of its rate is
exceeded threefold.
"""

import json
from random import Random

import pytest

from advisor.predict.scenario_interface import interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.scenario import Scenario
from advisor.simulate import simulate
from advisor.theory.bounds.classes import bound_ms
from advisor.theory.flows import case_of, flows_of
from tools.drawn.parts import DATA_SIZES, Json, fixed, traffic

MANY_PACKETS, REPLICATIONS = 30_000, 4
OVERHEAD_BYTES = 7


def behind(
    shape: Json, *, wire_ratio: float, ring: int, sizes: Json, packets_per_second: float
) -> Scenario:
    """A FIFO under a shaper, `wire_ratio` times as fast a wire behind it."""
    arrival = {"process": "poisson", "packets_per_second": packets_per_second}
    draft = {
        "id": "tight",
        "scheduler": "cbwfq",
        "link": {
            "rate_kbps": shape["rate_kbps"] * wire_ratio,
            "encapsulation": "ppp",
            "l2_overhead_bytes_per_packet": OVERHEAD_BYTES,
            "atm_cell_tax": False,
        },
        "tx_ring": {"unit": "packets", "limit": ring},
        "fragmentation": None,
        "queues": [{"name": "class-default", "kind": "class-default", "queue_limit_packets": 64,
                    "bandwidth_percent": 100}],
        "traffic": [traffic("class-default", "class-default", arrival, sizes)],
        "shape": shape,
    }  # fmt: skip
    (scenario,) = read_scenarios(json.dumps([draft]), "tight")
    return scenario


def bound_of(scenario: Scenario) -> float | None:
    interface = interface_of(scenario)
    case = case_of(interface, flows_of(interface))
    return bound_ms(case, case.flows[0], fills=True)


def longest_ms(scenario: Scenario) -> float:
    (row,) = simulate(interface_of(scenario), MANY_PACKETS, REPLICATIONS, seed=1).classes
    assert row.delay is not None
    return row.delay.max_ms


def shape_of(
    rate_kbps: int, committed_bits: int, excess_bits: int = 0, refill: str = "per_interval"
) -> Json:
    return {
        "rate_kbps": rate_kbps,
        "committed_burst_bits": committed_bits,
        "excess_burst_bits": excess_bits,
        "refill": refill,
    }


@pytest.mark.parametrize(
    ("committed_bits", "wire_ratio", "ring", "is_bounded"),
    [
        pytest.param(13000, 1.03, 1, False, id="a packet of Bc, wire as fast"),
        pytest.param(3430, 1.08, 1, False, id="Bc below a packet, wire nearly as fast"),
        pytest.param(3430, 1.08, 64, True, id="a ring that Bc never fills"),
        pytest.param(3430, 2.2, 1, True, id="a fast wire"),
        pytest.param(800, 1.5, 1, True, id="steps so small that none is lost"),
    ],
)
def test_a_bound_is_given_where_no_token_can_be_lost(
    committed_bits: int, wire_ratio: float, ring: int, is_bounded: bool
) -> None:
    scenario = behind(
        shape_of(512, committed_bits), wire_ratio=wire_ratio, ring=ring,
        sizes=fixed(1500), packets_per_second=50,
    )  # fmt: skip

    assert (bound_of(scenario) is not None) is is_bounded


def drawn(number: int) -> Scenario:
    random = Random(f"tight {number}")  # noqa: S311 -- repeatable draws, no secret
    bits = random.choice((800, 3430, 9000, 12100, 13000, 40000))
    rate_kbps = random.choice((64, 128, 256, 512))
    refill = random.choice(("per_interval", "per_interval", "smooth"))
    sizes, mean_bytes = random.choice(
        ((fixed(1500), 1500), (fixed(576), 576), (DATA_SIZES[0], 700))
    )
    return behind(
        shape_of(rate_kbps, bits, random.choice((0, bits)), refill),
        wire_ratio=random.choice((1.01, 1.03, 1.08, 1.2, 1.5, 2.2)),
        ring=random.choice((1, 1, 2, 8, 64)),
        sizes=sizes,
        packets_per_second=random.choice((0.9, 1.0, 1.2)) * rate_kbps * 125 / mean_bytes,
    )


@pytest.mark.slow
@pytest.mark.parametrize("number", range(24))
def test_no_packet_behind_a_tight_wire_is_later_than_its_bound(number: int) -> None:
    scenario = drawn(number)
    most_ms = bound_of(scenario)
    if most_ms is None:
        return  # nothing is promised

    assert longest_ms(scenario) <= most_ms
