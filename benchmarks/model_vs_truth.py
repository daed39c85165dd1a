"""Error of the queueing model against simulated scenarios, by family and by goal, and its cost.

Run ``python benchmarks/model_vs_truth.py [FILE]``; FILE holds an array of scenarios with results
(default: the tuning scenarios, where they are beside the repository).
"""

import json
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from advisor.predict.scenario import interface_of as scenario_interface
from advisor.settings.read_scenarios import read_scenarios
from advisor.theory.interface import (
    ClassResult,
    Interface,
    Periodic,
    Poisson,
    Queue,
    QueueKind,
    Saturated,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.solver import solve
from advisor.theory.wire import Framing

TUNING = Path(__file__).parents[2] / "shared/validation/delay_tuning.json"
ROUNDED = 2e-5  # results are printed with six digits


class Row(Struct, frozen=True):
    """Relative errors of one class of one scenario."""

    scenario: str
    name: str
    family: str
    llq: bool
    mean: float
    p95: float
    p99: float
    ipdv: float
    bound: float | None  # bound divided by the observed maximum
    inside: bool


def interface_of(scenario: dict[str, Any]) -> Interface:
    """The interface that a scenario describes."""
    (scenario_read,) = read_scenarios(json.dumps(scenario), scenario["id"])
    return scenario_interface(scenario_read)


def rows_of(scenario: dict[str, Any]) -> Iterator[Row]:
    """Errors of every scored class."""
    interface = interface_of(scenario)
    kinds = {queue.name: queue.kind for queue in interface.queues}
    pairs = zip(
        solve(interface).classes, interface.traffic, scenario["results"]["classes"], strict=True
    )
    for predicted, traffic, truth in pairs:
        if truth.get("scored", True):
            llq = kinds[traffic.queue] is QueueKind.PRIORITY
            yield _row(scenario, predicted, truth, llq=llq)


def _row(
    scenario: dict[str, Any], predicted: ClassResult, truth: dict[str, Any], *, llq: bool
) -> Row:
    delay, bound = predicted.delay, predicted.bound_ms
    return Row(
        scenario["id"],
        predicted.name,
        scenario["family"],
        llq,
        delay.mean_ms / truth["mean_ms"] - 1,
        delay.p95_ms / truth["p95_ms"] - 1,
        delay.p99_ms / truth["p99_ms"] - 1,
        delay.ipdv_ms / truth["ipdv_ms"] - 1,
        None if bound is None else bound / truth["max_ms"],
        predicted.mean_low_ms <= truth["mean_ms"] <= predicted.mean_high_ms,
    )


def within(errors: list[float], limit: float) -> float:
    """Percent of the errors that are no larger than the limit."""
    return 100 * sum(abs(error) <= limit for error in errors) / len(errors)


def _line(title: str, errors: list[float], limit: float) -> str:
    median = 100 * statistics.median(map(abs, errors))
    worst = 100 * max(map(abs, errors))
    share = f"{within(errors, limit):3.0f} % within {100 * limit:.0f} %"
    return f"{title:26s} n {len(errors):3d}  median {median:5.1f} %  {share}  worst {worst:6.1f} %"


def _print_family(rows: list[Row], family: str) -> None:
    for llq in (True, False):
        part = [row for row in rows if row.family == family and row.llq is llq]
        if part:
            title = f"{family:4s}{'LLQ' if llq else 'lower'} mean"
            print(_line(title, [row.mean for row in part], 0.10 if llq else 0.20))


def _print_goals(rows: list[Row]) -> None:
    llq = [row for row in rows if row.llq]
    lower_rows = [row for row in rows if not row.llq]
    bounds = [row.bound for row in rows if row.bound is not None]
    llq_bounds = [row.bound for row in llq if row.bound is not None]
    if llq:
        print(_line("LLQ mean", [row.mean for row in llq], 0.10))
        print(_line("LLQ p95", [row.p95 for row in llq], 0.15))
        print(_line("LLQ p99", [row.p99 for row in llq], 0.15))
        print(_line("LLQ mean |ipdv|", [row.ipdv for row in llq], 0.20))
    if lower_rows:
        print(_line("lower classes, mean", [row.mean for row in lower_rows], 0.20))
        print(_line("lower classes, mean |ipdv|", [row.ipdv for row in lower_rows], 0.20))
    exceeded = sum(bound < 1 - ROUNDED for bound in bounds)
    print(f"bounds exceeded            {exceeded} of {len(bounds)}")
    if llq_bounds:
        print(f"LLQ bound / observed max   median {statistics.median(llq_bounds):.2f}")
    inside_count = sum(row.inside for row in rows)
    print(f"true mean inside low-high  {100 * inside_count / len(rows):.0f} %")


def cost_ms(interface: Interface, rounds: int = 25) -> float:
    """Least processor time of some rounds: the machine may be busy with other work."""
    solve(interface)
    least = float("inf")
    for _ in range(rounds):
        begin = time.process_time()
        solve(interface)
        least = min(least, time.process_time() - begin)
    return least * 1000


def six_classes(load: float, *, saturated: bool) -> Interface:
    """An LLQ of ten calls above five classes of mixed packets on 2 Mb/s."""
    sizes = SizeMix(((64, 0.5), (576, 0.25), (1500, 0.25)))
    mean_bits = 8 * sum(size * weight for size, weight in sizes.bytes_and_weights)
    parts = {"a": 0.3, "b": 0.2, "c": 0.15, "d": 0.1, "rest": 0.25}
    queues = [Queue(name, QueueKind.BANDWIDTH, 100 * part) for name, part in parts.items()]
    traffic = [
        Traffic(
            name,
            name,
            Saturated() if saturated and name == "rest" else Poisson(load * part * 2e6 / mean_bits),
            sizes,
        )
        for name, part in parts.items()
    ]
    calls = Traffic("voice", "voice", Periodic(50.0), SizeMix(((60, 1.0),)), 10)
    voice = Queue("voice", QueueKind.PRIORITY)
    return Interface(2e6, Framing(7), TxRing(4), (voice, *queues), (calls, *traffic))


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else TUNING
    scenarios = json.loads(path.read_text("utf-8"))
    rows = [row for scenario in scenarios for row in rows_of(scenario)]
    for family in dict.fromkeys(row.family for row in rows):
        _print_family(rows, family)
    print()
    _print_goals(rows)
    print("\nworst by mean:")
    for row in sorted(rows, key=lambda row: -abs(row.mean))[:8]:
        print(f"  {row.scenario} {row.name}: {100 * row.mean:+.1f} %")
    costs = [cost_ms(interface_of(scenario)) for scenario in scenarios]
    print(f"\ncost: median {statistics.median(costs):.2f} ms, worst {max(costs):.2f} ms")
    below_ms = cost_ms(six_classes(0.6, saturated=False))
    full_ms = cost_ms(six_classes(0.6, saturated=True))
    print(f"six classes: {below_ms:.2f} ms below saturation, {full_ms:.2f} ms with a full ring")


if __name__ == "__main__":
    main()
