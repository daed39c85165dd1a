"""Print how far the model is from scenarios with true results, by goal, regime and feature.

    python -m tools.validation.score [--no-cost] [tuning | wide | random | policies | FILE ...]

`tuning` and `wide` are looked for beside the repository; `random` and `policies` are what
`benchmarks/random_scenarios.py` has drawn for the present model.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from advisor.ground.faults import AdvisorError
from tools.validation import scores, wred_scores
from tools.validation.errors import ninth
from tools.validation.sets import costs_ms, files_of, is_wide, scored
from tools.validation.truth import TruthError

NAMED = ("tuning", "wide", "random", "policies")


def report(paths: Sequence[Path], *, wide: bool, cost: bool) -> Iterator[str]:
    """Sections of a set, as Markdown."""
    found = scored(paths)
    if found.delays:
        rows = found.delays
        scenarios = len({row.predicted.scenario_id for row in rows})
        yield f"## Delay: {len(rows)} classes of {scenarios} scenarios\n"
        yield scores.goals(rows, wide=wide)
        yield scores.by_regime(rows)
        yield scores.by_feature(rows)
        yield f"Worst {scores.WORST}:\n\n{scores.worst(rows, {})}"
        yield f"Bounds:\n\n{scores.broken_bounds(rows)}"
        yield f"True mean outside low-high:\n\n{scores.outside(rows)}"
    if found.groups:
        names = {row.scenario for row in found.groups}
        yield f"## TCP and WRED: {len(found.groups)} groups of {len(names)} scenarios\n"
        yield wred_scores.goals(found.groups, wide=wide)
        yield wred_scores.by_regime(found.groups)
        yield f"Worst {wred_scores.WORST}:\n\n{wred_scores.worst(found.groups)}"
    for line in found.declined:
        yield f"No answer: {line}"
    if cost:
        yield from _costs(paths)


def _costs(paths: Sequence[Path]) -> Iterator[str]:
    for tcp, words in ((False, "a delay scenario"), (True, "a scenario with TCP")):
        if spent := costs_ms(paths, tcp=tcp):
            yield (
                f"Processor time of {words}: median {median(spent):.2f} ms,"
                f" 90 % {ninth(spent):.1f} ms, worst {spent[-1]:.0f} ms"
            )


def main() -> int:
    """Run the command line and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--no-cost", action="store_true", help="do not measure processor time")
    parser.add_argument("sets", nargs="*", default=["tuning", "wide"], metavar="SET")
    options = parser.parse_args()
    for name in options.sets:
        try:
            paths = files_of(name) if name in NAMED else (Path(name),)
            wide = all(map(is_wide, paths))
            sys.stdout.write(f"# {name}\n\n")
            for section in report(paths, wide=wide, cost=not options.no_cost):
                sys.stdout.write(f"{section}\n")
        except (AdvisorError, TruthError, OSError) as error:
            sys.stderr.write(f"{name}: {error}\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
