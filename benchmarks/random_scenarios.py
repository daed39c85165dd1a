"""Write random variants of the reference scenarios with their simulated results.

    python benchmarks/random_scenarios.py SEED COUNT FILE
    python benchmarks/model_vs_truth.py FILE

Each variant moves the rate, the ring, the packet sizes and the load of every class, so that any
seed is a set of scenarios that nobody has seen before. A hundred take some five minutes.
"""

import copy
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from advisor.settings.read_scenarios import read_scenarios
from advisor.simulate import ClassResult, simulate

REFERENCE = Path(__file__).parents[1] / "fixtures/scenarios/reference.json"
PACKETS, REPLICATIONS = 300_000, 20
RATES = (0.5, 0.75, 1.0, 1.0, 1.5, 2.0)
RINGS = (0.4, 0.7, 1.0, 1.5, 2.0, 3.0)
LOADS = (0.7, 0.85, 1.0, 1.0, 1.1)
SIZES = (1.0, 1.0, 0.6, 0.8, 1.25)
PER_SECOND = ("packets_per_second", "packets_per_second_while_on", "bursts_per_second")
CALL_PER_S = 50


def variant(scenario: dict[str, Any], number: int, random: Random) -> dict[str, Any]:
    """A scenario of the same kind with other numbers."""
    draft = copy.deepcopy(scenario)
    draft["id"] = f"{scenario['id']}-{number}"
    rate, size = random.choice(RATES), random.choice(SIZES)
    draft["link"]["rate_kbps"] *= rate
    ring = draft["tx_ring"]
    ring["limit"] = max(1, round(ring["limit"] * random.choice(RINGS)))
    priority = {queue["name"] for queue in draft["queues"] if queue["kind"] == "priority"}
    for queue in draft["queues"]:
        if "priority_kbps" in queue:
            queue["priority_kbps"] *= rate
    for traffic in draft["traffic"]:
        is_priority = traffic["queue"] in priority
        _move(traffic, rate * random.choice(LOADS), 1.0 if is_priority else size)
    return draft


def _move(traffic: dict[str, Any], load: float, size: float) -> None:
    """Offer `load` times the traffic; calls stay calls, there are more or fewer of them."""
    arrival, sizes = traffic["arrival"], traffic["ip_packet_bytes"]
    if arrival.get("packets_per_second") == CALL_PER_S and arrival["process"] == "cbr":
        streams = traffic["independent_identical_streams"]
        traffic["independent_identical_streams"] = max(1, round(streams * load))
        return
    if sizes["distribution"] == "fixed" and size != 1:
        packet_bytes = min(1500, max(64, round(sizes["bytes"] * size)))
        load *= sizes["bytes"] / packet_bytes
        sizes["bytes"] = packet_bytes
    for key in PER_SECOND:
        if key in arrival:
            arrival[key] *= load


def truth(result: ClassResult) -> dict[str, Any]:
    """A result as `model_vs_truth.py` reads it; a class that sent nothing is not compared."""
    delay = result.delay
    if delay is None or delay.ipdv_ms is None or not delay.ipdv_ms.value:
        return {"scored": False}
    return {
        "mean_ms": delay.mean_ms.value,
        "p95_ms": delay.p95_ms.value,
        "p99_ms": delay.p99_ms.value,
        "max_ms": delay.max_ms,
        "ipdv_ms": delay.ipdv_ms.value,
    }


def main() -> None:
    seed, count, file = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    random = Random(seed)
    base = json.loads(REFERENCE.read_text("utf-8"))
    scenarios = []
    for number in range(count):
        draft = variant(base[number % len(base)], number, random)
        (scenario,) = read_scenarios(json.dumps(draft), draft["id"])
        results = simulate(scenario, PACKETS, REPLICATIONS, random.randrange(2**31)).classes
        draft["results"] = {"classes": [truth(result) for result in results]}
        scenarios.append(draft)
        file.write_text(json.dumps(scenarios), "utf-8")
        print(f"{len(scenarios)} of {count}: {draft['id']}", file=sys.stderr)


if __name__ == "__main__":
    main()
