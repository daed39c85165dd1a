"""WRED and TCP model against simulated scenarios: shares, delay, loss; the bad cases too.

    python benchmarks/wred_vs_truth.py [SCENARIOS.json ...]

Default: the tuning scenarios, where they are beside the repository.
"""

import json
import statistics
import sys
import time
from pathlib import Path

from msgspec import Struct

from advisor.predict.wred.scenario import wred_interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.theory.wred.interface import GroupForecast, Range, Regime
from advisor.theory.wred.solver import solve_wred
from tools.validation.wred_test import balanced, predicted

TUNING = Path(__file__).parents[2] / "shared/validation/wred_tuning.json"


class Row(Struct, frozen=True):
    """One TCP group, predicted and true."""

    scenario: str
    forecast: GroupForecast
    share: float
    mean_ms: float
    loss_ratio: float
    collapse: bool
    predicted_in_ms: float

    @property
    def share_error(self) -> float:
        return abs(self.forecast.share.estimate - self.share) if self.forecast.share else 0.0

    @property
    def rule_error(self) -> float:
        return abs((self.forecast.share_by_flows_over_p or 0.0) - self.share)

    @property
    def delay_error(self) -> float:
        return abs(self.forecast.mean_ms.estimate / self.mean_ms - 1)

    @property
    def loss_error(self) -> float:
        return abs(self.forecast.loss_ratio.estimate / max(self.loss_ratio, 1e-4) - 1)

    @property
    def inside(self) -> tuple[bool, bool, bool]:
        forecast = self.forecast
        share = forecast.share or Range(0.0, 0.0, 1.0)
        return (
            share.low <= self.share <= share.high,
            forecast.mean_ms.low <= self.mean_ms <= forecast.mean_ms.high,
            forecast.loss_ratio.low <= self.loss_ratio <= forecast.loss_ratio.high,
        )


def rows_of(scenario: dict) -> list[Row]:
    (scenario_read,) = read_scenarios(json.dumps(scenario), scenario["id"])
    bottleneck, classes = wred_interface_of(scenario_read)
    begin_s = time.process_time()
    forecast = solve_wred(bottleneck, classes)
    took_ms = (time.process_time() - begin_s) * 1000
    truth = {group["group"]: group for group in scenario["results"]["groups"]}
    return [
        Row(
            scenario["id"],
            group,
            truth[group.name]["share"],
            truth[group.name]["mean_ms"],
            truth[group.name]["loss_ratio"],
            any(Regime.COLLAPSE in member.regimes for member in forecast.classes),
            took_ms,
        )
        for group in forecast.groups
        if group.share is not None
    ]


def summary(rows: list[Row]) -> list[str]:
    shares = sorted(row.share_error for row in rows)
    inside_ratios = [sum(row.inside[index] for row in rows) / len(rows) for index in range(3)]
    small_ratio = sum(error <= 0.05 for error in shares) / len(shares)
    figures = (statistics.median(shares), small_ratio, shares[-1])
    times = sorted({row.predicted_in_ms for row in rows})
    rules = statistics.median(row.rule_error for row in rows)
    return [
        f"{len(rows)} TCP groups",
        "share   median {:.4f}, {:.0%} <= 0.05, worst {:.3f}".format(*figures),
        f"        rule of thumb flows/p: median {rules:.4f}",
        f"delay   median {statistics.median(row.delay_error for row in rows):.1%}",
        f"loss    median {statistics.median(row.loss_error for row in rows):.1%}",
        "in range: share {:.0%}, delay {:.0%}, loss {:.0%}".format(*inside_ratios),
        f"CPU     median {statistics.median(times):.0f} ms, worst {times[-1]:.0f} ms",
    ]


def line(row: Row) -> str:
    forecast, marks = row.forecast, "".join("." if is_inside else "X" for is_inside in row.inside)
    share = forecast.share.estimate if forecast.share else 0.0
    return (
        f"{row.scenario:8} {forecast.name:10} share {share:.3f} / {row.share:.3f}"
        f"  delay {forecast.mean_ms.estimate:6.1f} / {row.mean_ms:6.1f} ms"
        f"  loss {forecast.loss_ratio.estimate:.4f} / {row.loss_ratio:.4f}"
        f"  {marks}{'  collapse' if row.collapse else ''}"
    )


def main() -> None:
    files = [Path(name) for name in sys.argv[1:]] or [TUNING]
    for file in files:
        rows = [
            row for scenario in json.loads(file.read_text("utf-8")) for row in rows_of(scenario)
        ]
        print(f"{file}: model / truth; X: outside the range (share, delay, loss)")
        for row in rows:
            print(line(row))
        print("\n".join(summary(rows)))
    print("\npublished test, AF11 AF12 AF13 shares (flows: share)")
    for flows in ((3, 3, 3), (3, 10, 3), (3, 20, 3), (3, 3, 20), (20, 3, 3)):
        print(flows, [round(share.estimate, 3) for share in predicted(flows).shares])
    for point in balanced():
        print(f"min {point.min_packets:g}", [round(share.estimate, 3) for share in point.shares])


if __name__ == "__main__":
    main()
