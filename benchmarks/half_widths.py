"""Errors by regime and weakness beside the half-widths of their intervals.

    python benchmarks/random_scenarios.py SEED COUNT FILE
    python benchmarks/half_widths.py FILE...

This is the experiment behind every half-width in `advisor.theory.regimes`: a half-width is no less
than the error that 95 % of the classes stay below, what other terms of the interval cover taken
off. The error is that of the mean, relative to the prediction, as the interval is.
"""

import json
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from advisor.predict.scenario import interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.theory.interface import QueueKind
from advisor.theory.regimes import REGIMES
from advisor.theory.solver import solve

MOST_SHARE = 0.95


class Row(Struct, frozen=True):
    """One class of one scenario: the kind of its result, its error, and its interval."""

    kind: str
    error_ratio: float
    half_ratio: float
    table_ratio: float
    is_inside: bool


def rows_of(path: Path) -> Iterator[Row]:
    """Every compared class of a file of scenarios with results."""
    for scenario in json.loads(path.read_text("utf-8")):
        (scenario_read,) = read_scenarios(json.dumps(scenario), scenario["id"])
        interface = interface_of(scenario_read)
        priority = {queue.name for queue in interface.queues if queue.kind is QueueKind.PRIORITY}
        results = zip(
            solve(interface).classes,
            interface.traffic,
            scenario["results"]["classes"],
            strict=True,
        )
        for result, traffic, truth in results:
            if not truth.get("scored", True):
                continue
            mean_ms, true_ms = result.delay.mean_ms, truth["mean_ms"]
            side = "LLQ" if traffic.queue in priority else "lower"
            yield Row(
                " ".join([result.regime, side, *result.weak]),
                abs(true_ms / mean_ms - 1),
                (result.mean_high_ms - result.mean_low_ms) / 2 / mean_ms,
                REGIMES[result.regime].half_width,
                result.mean_low_ms <= true_ms <= result.mean_high_ms,
            )


def main() -> None:
    rows = [row for path in sys.argv[1:] for row in rows_of(Path(path))]
    print(f"{'regime, class, weakness':40s}   n  median    95 %   table  interval  inside")
    for kind in sorted({row.kind for row in rows}):
        kind_rows = [row for row in rows if row.kind == kind]
        errors = sorted(row.error_ratio for row in kind_rows)
        largest = errors[min(len(errors) - 1, int(MOST_SHARE * len(errors)))]
        median_ratio = statistics.median(row.half_ratio for row in kind_rows)
        inside_ratio = sum(row.is_inside for row in kind_rows) / len(kind_rows)
        print(
            f"{kind:40s} {len(kind_rows):3d}  {statistics.median(errors):6.1%}  {largest:6.1%}  "
            f"{kind_rows[0].table_ratio:6.1%}  {median_ratio:7.1%}   {inside_ratio:5.0%}"
        )


if __name__ == "__main__":
    main()
