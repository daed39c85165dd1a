"""How far analysis is from true delays, by method and validity, and how much it answers.

    python -m tools.validation.analytic [--list] [--intervals] [SET or FILE ...]
    python -m tools.validation.analytic --draw N [--seed SEED] [--set random|exact|policies]

Sets are `tuning`, `wide`, `seams`, `own`, those of the project, and what
`benchmarks/random_scenarios.py` has drawn and simulated. A missing file is skipped and named.
`--intervals` counts the true figures inside the intervals. `--draw` draws and simulates N
scenarios; its seed is the last commit of the model unless another is given. Of `exact` only those
count in which a formula is exact: every one has to hold.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import median

from msgspec import Struct

from advisor.model import QueueKind
from advisor.predict.scenario import NotModelledError, open_interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.scenario import Scenario
from advisor.theory.analytic import FIGURES, Answer, Outside, Result, Validity, answer, is_figure
from advisor.theory.check import FormulaCheck, checks_of
from advisor.theory.solution import SAMPLED, ClassResult
from advisor.theory.solver import solve
from tools.drawn.truth import (
    PACKETS,
    REPLICATIONS,
    Runs,
    cache_file,
    draw,
    model_seed,
    with_truth,
    written,
)
from tools.drawn.truth import SETS as DRAWN
from tools.validation.sets import files_of
from tools.validation.truth import ClassTruth, ScenarioTruth, read_results, read_truth

SETS = ("tuning", "wide", "seams", "own")
# Errors of which none may be larger, beside the three standard errors of the truth (MODEL: exact is
# 0.1 %, the worst within 5 % is 15 %).
MOST = {Validity.EXACT: 0.001, Validity.WITHIN_5: 0.15}
LOSS_SEEN = 1e-4  # of the truth: less is none
_TRIES = 20  # draws for each scenario in which a formula is exact, at most
OWN = tuple(
    Path(__file__).parents[2] / f"fixtures/scenarios/{name}.json"
    for name in ("reference", "seams", "ip_sla")
)


class Compared(Struct, frozen=True):
    """A class of a scenario: analysis and truth, and a run of the kernel where it is asked for."""

    name: str
    is_llq: bool
    answer: Answer
    truth: ClassTruth
    check: FormulaCheck | None = None

    def errors(self, found: Result) -> tuple[float, float, float]:
        """Errors of mean, p95 and p99; 0.1 is 10 % too much."""
        truth = self.truth
        return (
            found.mean_ms / truth.mean_ms - 1,
            found.p95_ms / truth.p95_ms - 1,
            found.p99_ms / truth.p99_ms - 1,
        )

    @property
    def spreads(self) -> tuple[float, float, float]:
        """Three standard errors of the true mean, p95 and p99, as parts of them."""
        truth = self.truth
        pairs = (
            (truth.mean_ci95_ms, truth.mean_ms),
            (truth.p95_ci95_ms, truth.p95_ms),
            (truth.p99_ci95_ms, truth.p99_ms),
        )
        return tuple(1.5 * (ci95 or 0.0) / ms for ci95, ms in pairs)  # type: ignore[return-value]


def compared(path: Path, costs_ms: list[float], *, with_runs: bool = False) -> Iterator[Compared]:
    """Every scored class of a file; what each interface costs is added to `costs_ms`."""
    for scenario, truth in _with_truth(path):
        try:
            interface = open_interface_of(scenario)
        except NotModelledError:
            continue
        began_s = time.process_time()
        answers = answer(interface)
        costs_ms.append((time.process_time() - began_s) * 1000)
        kinds = {queue.name: queue.kind for queue in interface.queues}
        true = {row.class_name: row for row in truth.classes}
        checks = checks_of(interface) if with_runs else [None] * len(answers)
        for traffic, found, check in zip(interface.traffic, answers, checks, strict=True):
            row = true[traffic.name]
            if row.scored:
                is_llq = kinds[traffic.queue] is QueueKind.PRIORITY
                yield Compared(f"{scenario.id} {traffic.name}", is_llq, found, row, check)


def _with_truth(path: Path) -> Iterator[tuple[Scenario, ScenarioTruth]]:
    """Scenarios with the truth that stands in them, or in a file beside them."""
    text, beside = path.read_text("utf-8"), path.with_name(f"{path.stem}_truth.json")
    if beside.is_file():
        truths = read_truth(beside.read_text("utf-8"), beside.name)
    else:
        rows = [row for row in json.loads(text) if "classes" in row["results"]]
        if not rows:
            return
        text = json.dumps(rows)
        truths = read_results(text, path.name)
    yield from zip(read_scenarios(text, path.name), truths, strict=True)


def table(classes: Sequence[Compared]) -> Iterator[str]:
    """Lines of the table by method and validity."""
    errors: dict[tuple[str, str, Validity], list[tuple[float, float]]] = {}
    for row in classes:
        if isinstance(row.answer, Outside):
            continue
        found = row.answer
        validities = (found.mean, found.p95, found.p99)
        names = ("mean", "p95", "p99")
        values = zip(names, validities, row.errors(found), row.spreads, strict=True)
        for name, validity, error, spread in values:
            errors.setdefault((found.method, name, validity), []).append((error, spread))
    yield f"{'method':52} {'':5} {'validity':12} count  median   90 %  worst  beyond"
    for (method, name, how), pairs in sorted(errors.items()):
        sizes = [abs(error) for error, _ in pairs]
        middle, most, worst = median(sizes), quantile(sizes, 0.9), max(sizes)
        limit = MOST.get(how)
        beyond = sum(abs(error) > limit + spread for error, spread in pairs) if limit else ""
        yield (
            f"{method:52} {name:5} {how:12} {len(pairs):5} {middle:7.1%}{most:7.1%}{worst:7.1%}"
            f" {beyond:7}"
        )


_FIGURES = ("mean", "p50", "p95", "p99", "ipdv")


def inside_intervals(paths: Iterable[Path]) -> Iterator[str]:
    """How often a true figure, give or take its own error, is in the interval of the figure."""
    counts: dict[tuple[str, str], list[bool]] = {}
    for path in paths:
        for scenario, truth in _with_truth(path):
            try:
                rows = solve(open_interface_of(scenario)).classes
            except NotModelledError:
                continue
            true = {row.class_name: row for row in truth.classes if row.scored}
            for row in (row for row in rows if row.name in true):
                by = "a run" if row.method == SAMPLED else "a formula"
                for name, holds in _inside(row, true[row.name]):
                    counts.setdefault((by, name), []).append(holds)
    yield "true figures inside their interval"
    for (by, name), inside in sorted(counts.items()):
        yield f"  {name:5} by {by:10} {len(inside):5} {sum(inside) / len(inside):7.1%}"


def _inside(row: ClassResult, truth: ClassTruth) -> Iterator[tuple[str, bool]]:
    for name in _FIGURES:
        true_ms = getattr(truth, f"{name}_ms")
        error_ms = getattr(truth, f"{name}_ci95_ms", None) or 0.0
        low, high = getattr(row.low, f"{name}_ms"), getattr(row.high, f"{name}_ms")
        yield name, low - error_ms <= true_ms <= high + error_ms
    if truth.loss_ratio is not None:
        error = LOSS_SEEN
        holds = row.loss_low_ratio - error <= truth.loss_ratio <= row.loss_high_ratio + error
        yield "loss", holds


def quantile(values: Iterable[float], level: float) -> float:
    """Smallest value with at least this part of all at or below it."""
    ordered = sorted(values)
    return ordered[min(int(level * len(ordered)), len(ordered) - 1)]


def summary(classes: Sequence[Compared], costs_ms: Sequence[float]) -> Iterator[str]:
    """Numbers of answers, reasons where there is none, and the cost."""
    for title, rows in (
        ("LLQ classes", [row for row in classes if row.is_llq]),
        ("other classes", [row for row in classes if not row.is_llq]),
    ):
        if rows:
            figures = sum(is_figure(row.answer) for row in rows)
            means = sum(
                not isinstance(row.answer, Outside) and row.answer.mean in FIGURES for row in rows
            )
            part = figures / len(rows)
            yield f"{title}: {len(rows)}; mean answered {means}, all {figures} ({part:.0%})"
    reasons: dict[str, int] = {}
    for row in classes:
        if isinstance(row.answer, Outside):
            reasons[row.answer.why] = reasons.get(row.answer.why, 0) + 1
    yield from (f"  outside {count:4}: {why}" for why, count in sorted(reasons.items()))
    if costs_ms:
        middle, most = median(costs_ms), quantile(costs_ms, 0.9)
        yield f"ms an interface: median {middle:.1f}, 90 % {most:.1f}, most {max(costs_ms):.1f}"


def listed(classes: Sequence[Compared]) -> Iterator[str]:
    """Every answered class, the worst mean first."""
    answered = [(row, row.answer) for row in classes if isinstance(row.answer, Result)]
    ordered = sorted(answered, key=lambda pair: -abs(pair[0].errors(pair[1])[0]))
    for row, found in ordered:
        mean, p95, p99 = row.errors(found)
        spread = (row.truth.mean_ci95_ms or 0.0) / row.truth.mean_ms
        yield (
            f"{row.name:36} {mean:7.1%}{p95:7.1%}{p99:7.1%}  true ±{spread:.1%}"
            f"  {found.mean}, {found.p99}  g {found.loading:.2f}  {found.why}"
        )


def draw_file(name: str, seed: str, options: argparse.Namespace) -> Path:
    """Draw and simulate scenarios, into a file of the cache; those of a seed once."""
    count, runs = options.draw, Runs(options.packets, options.replications, options.workers)
    file = cache_file(f"{seed}-{count}-{runs.packets}-{runs.replications}", name)
    if file.is_file():
        return file
    numbers = list(islice(_wanted(name, seed, count), count))
    scenarios = []
    for scenario in with_truth(seed, numbers, name, runs):
        scenarios.append(scenario)
        sys.stderr.write(f"\r{len(scenarios)} of {len(numbers)}")
    sys.stderr.write("\n")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(written(scenarios), "utf-8")
    return file


def _wanted(name: str, seed: str, count: int) -> Iterator[int]:
    """Numbers of a seed without TCP; of `exact` those in which a formula is exact."""
    for number in range(count * _TRIES):
        text = json.dumps([draw(seed, number, name)])
        (scenario,) = read_scenarios(text, name)
        try:
            answers = answer(open_interface_of(scenario))
        except NotModelledError:
            continue
        found = [row for row in answers if isinstance(row, Result)]
        if name != "exact" or any(row.mean is Validity.EXACT for row in found):
            yield number


def main() -> None:
    """Print the tables of the sets or files that are named, or of what is drawn."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--list", action="store_true", help="every answered class too")
    parser.add_argument("--intervals", action="store_true", help="true figures inside them")
    parser.add_argument("--draw", type=int, metavar="N", help="scenarios to draw and simulate")
    parser.add_argument("--seed", help="of the draw; default: the last commit of the model")
    parser.add_argument("--set", choices=DRAWN, default="random", help="kinds that are drawn")
    parser.add_argument("--packets", type=int, default=PACKETS, help="simulated in each")
    parser.add_argument("--replications", type=int, default=REPLICATIONS, help="phases of calls")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("sets", nargs="*", default=SETS)
    options = parser.parse_args()
    if options.draw:
        seed = options.seed or model_seed()
        drawn = draw_file(options.set, seed, options)
        options.sets = [str(drawn)]
        sys.stdout.write(f"{options.draw} drawn of {options.set}, seed {seed}: {drawn}\n")
    classes: list[Compared] = []
    costs_ms: list[float] = []
    read: list[Path] = []
    for name in options.sets:
        paths = OWN if name == "own" else files_of(name)
        paths = (Path(name),) if name.endswith(".json") else paths
        for path in paths:
            if path.is_file():
                classes += compared(path, costs_ms)
                read.append(path)
            elif not path.name.startswith("wred"):
                sys.stdout.write(f"{path}: missing, skipped\n")
    lines = [*table(classes), *summary(classes, costs_ms)]
    if options.intervals:
        lines += inside_intervals(read)
    if options.list:
        lines += listed(classes)
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
