"""Draw scenarios of all kinds afresh, simulate them, and keep both outside the project.

    python benchmarks/random_scenarios.py [--set NAME] [--seed SEED] [--count N] [FILE]
    python -m tools.validation.score random

The seed is the hash of the last commit that touches the model, so that the model cannot have been
tuned on what it draws. Nothing is dropped: every scenario that is drawn is simulated and scored.
Two hundred take two idle processors some twenty minutes; what is not exact by then has a wider
interval of its own.
"""

import argparse
import sys
from pathlib import Path

from tools.drawn.truth import COUNT, SETS, Runs, cache_file, model_seed, with_truth, written


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", default="", help="default: the last commit of the model")
    parser.add_argument("--set", choices=SETS, default="random", help="default: random")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("file", nargs="?", type=Path, help="default: a cache, named by the seed")
    options = parser.parse_args()
    seed = options.seed or model_seed()
    file = options.file or cache_file(seed, options.set)
    if file.is_file():
        print(f"{file}: there already")
        return
    scenarios = []
    runs = Runs(workers=options.workers)
    for scenario in with_truth(seed, range(options.count), options.set, runs):
        scenarios.append(scenario)
        print(f"{len(scenarios)} of {options.count}: {scenario['id']}", file=sys.stderr)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(written(scenarios), "utf-8")
    print(f"{file}: seed {seed}, {len(scenarios)} scenarios")


if __name__ == "__main__":
    main()
