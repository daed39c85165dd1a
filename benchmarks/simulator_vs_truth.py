"""Simulate compared validation scenario and print the results beside the published ones.

    python benchmarks/simulator_vs_truth.py [--packets N] [--replications N] [ID...]

The scenarios are looked for beside the repository. A star marks a figure that is further from
the published one than twice the confidence intervals of both together (the published median has
none). `max`, the largest of so many samples, grows with their number and has no star.
"""

import argparse
import json
from collections.abc import Iterator
from math import hypot
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from advisor.ground.units import bps_from_kbps, percent_from_ratio
from advisor.settings.read_scenarios import read_scenarios
from advisor.simulate import ClassSummary, Estimate, simulate

VALIDATION = Path(__file__).parents[1].parent / "shared" / "validation"
FILES = ("delay_tuning.json", "wred_tuning.json")


class Compared(NamedTuple):
    """One figure, simulated and published."""

    name: str
    simulated: Estimate
    published: float
    published_half_width: float

    @property
    def error_percent(self) -> float:
        if not self.published:
            return 0.0 if not self.simulated.value else float("inf")
        return percent_from_ratio(self.simulated.value / self.published - 1)

    @property
    def is_off(self) -> bool:
        combined = hypot(self.simulated.half_width or 0.0, self.published_half_width)
        rounding = 1e-4 * self.published
        return abs(self.simulated.value - self.published) > 2 * combined + rounding


def compared(result: ClassSummary, truth: dict[str, Any]) -> Iterator[Compared]:
    """Figures that both have; nothing of a delay that only shows the backlog kept."""
    if result.delay is not None and truth["scored"]:
        delay = result.delay
        for name, estimate in (
            ("mean", delay.mean_ms),
            ("p50", delay.p50_ms),
            ("p95", delay.p95_ms),
            ("p99", delay.p99_ms),
            ("ipdv", delay.ipdv_ms),
        ):
            if estimate is not None:
                half_width = truth.get(f"{name}_ci95_ms", 0.0)
                yield Compared(name, estimate, truth[f"{name}_ms"], half_width)
    if result.loss_ratio is not None:
        yield Compared("loss", result.loss_ratio, truth["loss_ratio"], truth["loss_ci95"])
    if result.tcp_share_ratio is not None:
        half_width = truth.get("share_ci95", 0.0)
        yield Compared("share", result.tcp_share_ratio, truth["share"], half_width)


def printed(result: ClassSummary, truth: dict[str, Any]) -> list[Compared]:
    rows = list(compared(result, truth))
    for row in rows:
        half_width = row.simulated.half_width or 0.0
        print(
            f"    {result.class_name:14} {row.name:6}"
            f" {row.simulated.value:11.5g} ± {half_width:<9.2g}"
            f" published {row.published:11.5g} ± {row.published_half_width:<9.2g}"
            f" {row.error_percent:+7.2f} %{' *' if row.is_off else ''}"
        )
    if result.delay is not None:
        print(
            f"    {result.class_name:14} max    {result.delay.max_ms:11.5g}  "
            f"{'':10} published {truth['max_ms']:11.5g}"
        )
    rate_bps, published_bps = (
        result.throughput_wire_bps,
        bps_from_kbps(truth["throughput_wire_kbps"]),
    )
    print(
        f"    {result.class_name:14} bit/s  {rate_bps.value:11.5g}"
        f" ± {rate_bps.half_width or 0.0:<9.2g}"
        f" published {published_bps:11.5g}"
    )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packets", type=int, default=100_000)
    parser.add_argument("--replications", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("ids", nargs="*", metavar="ID", help="scenarios; all, where none is named")
    arguments = parser.parse_args()
    compared: list[Compared] = []
    spent_s = 0.0
    for file in FILES:
        text = (VALIDATION / file).read_text(encoding="utf-8")
        results_by_id = {scenario["id"]: scenario["results"] for scenario in json.loads(text)}
        for scenario in read_scenarios(text, file):
            if arguments.ids and scenario.id not in arguments.ids:
                continue
            began_s = perf_counter()
            result = simulate(scenario, arguments.packets, arguments.replications, arguments.seed)
            took_s = perf_counter() - began_s
            spent_s += took_s
            print(f"{scenario.id}  {took_s:.1f} s")
            truths = results_by_id[scenario.id]
            class_truths = truths.get("classes") or truths["groups"]
            for predicted, truth in zip(result.classes, class_truths, strict=True):
                compared += printed(predicted, truth)
    print(
        f"\n{arguments.packets} packets in {arguments.replications} replications,"
        f" {spent_s:.0f} s in all"
    )
    for name in ("mean", "p50", "p95", "p99", "ipdv", "loss", "share"):
        rows = [row for row in compared if row.name == name and row.published]
        if rows:
            errors = [abs(row.error_percent) for row in rows]
            off_count = sum(row.is_off for row in rows)
            print(
                f"{name:6} {len(rows):3} figures: median error {median(errors):5.2f} %,"
                f" worst {max(errors):6.2f} %, {off_count} starred"
            )


if __name__ == "__main__":
    main()
