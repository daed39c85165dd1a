"""Bounds against an adversary: phases, jitter and sizes at their worst, where runs draw them.

    python benchmarks/extreme_delays.py [--seconds N]

Runs of a scenario draw the phases of periodic streams and the sizes of packets: the largest delay
that they show is far from what may happen. Here the scenarios of `random_scenarios.py` are
simulated with all phases equal, every second packet as late as its jitter allows, and the largest
size of each mix: all of that may be drawn. Printed is the median of bound to largest delay of an
LLQ, over the runs alone and with the adversary, and how often a bound is exceeded.
"""

import argparse
import sys
import time
from collections.abc import Callable
from random import Random
from statistics import median
from unittest.mock import patch

from advisor.ground.units import ms_from_s
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.scenario import Cbr, DiscreteSizes, FixedSize, Scenario, Sizes
from advisor.simulate import SimulationError, simulate
from tools.validation.sets import files_of, scored

PACKETS, REPLICATIONS, SEEDS = 8_000, 4, (1, 2)
SECONDS = 600.0


def aligned(arrival: Cbr, until_ms: float, random: Random) -> list[float]:
    """Periodic packets of phase 0; every second one is as late as its jitter allows."""
    del random
    period_ms = ms_from_s(1 / arrival.packets_per_second)
    late_ms = arrival.uniform_jitter_ms
    count = int(until_ms / period_ms) + 1
    return [number * period_ms + late_ms * (number % 2 == 0) for number in range(count)]


def spread(arrival: Cbr, until_ms: float, random: Random) -> list[float]:
    """The same with a phase that is drawn."""
    phase_ms = ms_from_s(1 / arrival.packets_per_second) * random.random()
    return [phase_ms + time_ms for time_ms in aligned(arrival, until_ms, random)]


def largest(sizes: Sizes, random: Random) -> Callable[[], int]:
    """The largest size, always."""
    del random
    match sizes:
        case FixedSize():
            most = sizes.bytes
        case DiscreteSizes():
            most = max(size for size, _ in sizes.bytes_and_weights)
        case _:
            most = sizes.max_bytes
    return lambda: most


def extreme_ms(scenario: Scenario) -> dict[str, float]:
    """Largest delay of each class that the adversary reaches."""
    found: dict[str, float] = {}
    for phases in (aligned, spread):
        with (
            patch("advisor.simulate.packets._cbr", phases),
            patch("advisor.simulate.interface.size_draw", largest),
        ):
            for seed in SEEDS:
                for each in simulate(scenario, PACKETS, REPLICATIONS, seed).classes:
                    if each.delay is not None:
                        known = found.get(each.class_name, 0.0)
                        found[each.class_name] = max(known, each.delay.max_ms)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=SECONDS, help="stop after these")
    until = time.monotonic() + parser.parse_args().seconds
    files = files_of("random")
    scenarios = {
        each.id: each
        for file in files
        for each in read_scenarios(file.read_text("utf-8"), str(file))
    }
    by_runs: list[float] = []
    with_adversary: list[float] = []
    for row in scored(files).delays:
        bound_ms = row.predicted.bound_ms
        scenario_id, _, class_name = row.name.partition(" ")
        if not row.llq or bound_ms is None or time.monotonic() > until:
            continue
        try:
            reached = extreme_ms(scenarios[scenario_id]).get(class_name, 0.0)
        except SimulationError:
            continue
        by_runs.append(bound_ms / row.truth.max_ms)
        with_adversary.append(bound_ms / max(row.truth.max_ms, reached))
    exceeded = sum(ratio < 1 - 1e-6 for ratio in with_adversary)
    print(f"{len(by_runs)} LLQ classes: bound / largest delay, median")
    print(f"  of runs {median(by_runs):.2f}, with the adversary {median(with_adversary):.2f}")
    print(f"  bounds exceeded: {exceeded}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
