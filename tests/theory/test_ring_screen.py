"""The bound of the ring screens rings: on the wide scenarios it hides no delay that a ring costs."""

import json
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from advisor.model import Interface, QueueKind, RingUnit, particles, wire_ms
from advisor.predict.scenario import NotModelledError, open_interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.scenario import Scenario
from advisor.theory.ring import Ring, Size, bound_ms
from advisor.theory.solver import solve_all
from tests.support.outside import VALIDATION, needs

WIDE = VALIDATION / "delay_wide.json"

pytestmark = needs(WIDE)


def interfaces() -> Iterator[tuple[Scenario, Interface]]:
    """Scenarios with an LLQ, lower classes and a ring of more than one packet."""
    for scenario in read_scenarios(WIDE.read_text("utf-8"), WIDE.name):
        try:
            interface = open_interface_of(scenario)
        except NotModelledError:
            continue
        kinds = {queue.kind for queue in interface.queues}
        if QueueKind.PRIORITY in kinds and len(kinds) > 1 and interface.ring.limit > 1:
            yield scenario, interface


def ring_bound_ms(interface: Interface) -> float:
    """Bound of the ring by its largest packets, whole or in fragments."""
    ring, framing, cut = interface.ring, interface.framing, interface.fragmentation
    llq = {queue.name for queue in interface.queues if queue.kind is QueueKind.PRIORITY}
    sizes = {
        size if cut is None or traffic.queue in llq else min(size, cut.fragment_bytes)
        for traffic in interface.traffic
        for size, _ in traffic.sizes.bytes_and_weights
    }
    overhead = framing.overhead_bytes
    kinds = [
        Size(
            0.0,
            wire_ms(size, framing, interface.rate_bps),
            1 if ring.unit is RingUnit.PACKETS else particles(size, overhead, ring.particle_bytes),
        )
        for size in sizes
    ]
    return bound_ms(Ring(ring.limit, ring.beside_wire), kinds)


@pytest.fixture(scope="module")
def true_means_ms() -> dict[tuple[str, str], float]:
    return {
        (scenario["id"], result["class"]): result["mean_ms"]
        for scenario in json.loads(WIDE.read_text("utf-8"))
        for result in scenario["results"]["classes"]
    }


def test_what_a_ring_costs_the_llq_is_within_its_bound(
    true_means_ms: dict[tuple[str, str], float],
) -> None:
    asked = list(interfaces())
    bare = [replace(known, ring=replace(known.ring, limit=1)) for _, known in asked]
    judged = 0
    for (scenario, interface), solution in zip(asked, solve_all(bare), strict=True):
        llq = {queue.name for queue in interface.queues if queue.kind is QueueKind.PRIORITY}
        for traffic, result in zip(interface.traffic, solution.classes, strict=True):
            mean_ms = true_means_ms.get((scenario.id, traffic.name))
            if traffic.queue in llq and mean_ms is not None:
                judged += 1
                cost_ms = mean_ms - result.high.mean_ms
                assert cost_ms <= ring_bound_ms(interface) * (1 + 1e-6), scenario.id

    assert judged > 20
