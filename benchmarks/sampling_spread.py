"""Spread of the sampled means over seeds, beside the sampling error that intervals hold.

Run ``python benchmarks/sampling_spread.py [SEEDS]``. Each reference scenario is solved with that
many sets of lanes; twice the standard deviation of a mean is compared with `sampling_error`. This
is the experiment behind `advisor.theory.half_widths.CORRELATED`: of most classes the error that is
stated is no less than the spread.
"""

import json
import statistics
import sys
from collections import defaultdict
from pathlib import Path

from advisor.predict.scenario import interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.theory import results
from advisor.theory.classes import nd_d_1, saturated_ring, work_conservation
from advisor.theory.ring import sampling
from advisor.theory.ring.full_ring import Sample
from advisor.theory.solver import solve

REFERENCE = Path(__file__).parents[1] / "fixtures/scenarios/reference.json"
SEEDS = 20


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS
    stated: list[float] = []

    def recorded(sample: Sample) -> float:
        stated.append(results.sampling_error(sample))
        return stated[-1]

    for module in (nd_d_1, saturated_ring, work_conservation):
        module.sampling_error = recorded  # type: ignore[attr-defined]
    ratios = []
    for scenario in json.loads(REFERENCE.read_text("utf-8")):
        (scenario_read,) = read_scenarios(json.dumps(scenario), scenario["id"])
        interface = interface_of(scenario_read)
        means, errors = defaultdict(list), []
        for seed in range(seeds):
            sampling.SEED = seed
            sampling.uniforms.cache_clear()
            sampling._exponentials.cache_clear()  # noqa: SLF001
            stated.clear()
            for result in solve(interface).classes:
                means[result.name].append(result.delay.mean_ms)
            errors.append(statistics.fmean(stated) if stated else 0.0)
        error = statistics.fmean(errors)
        spreads = [
            2 * statistics.stdev(values) / statistics.fmean(values) for values in means.values()
        ]
        if error:
            ratios.append(max(spreads) / error)
            print(f"{scenario_read.id:8s} stated {error:6.2%}  spread {max(spreads):6.2%}")
    held_count, median = sum(ratio <= 1 for ratio in ratios), statistics.median(ratios)
    print(f"spread no more than stated: {held_count} of {len(ratios)}; median {median:.2f}")


if __name__ == "__main__":
    main()
