"""Simulates drawn scenarios as long as the wide ones, and keeps their truth outside the project."""

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from types import MappingProxyType

import msgspec
from msgspec import Struct

from advisor.ground.units import kbps_from_bps
from advisor.predict.scenario_interface import interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.scenario import Saturated, Scenario, Stream, TcpGroup
from advisor.simulate import ClassSummary, Estimate, SimulationResult, simulate
from tools.drawn.delay import delay_scenario, exact_kind
from tools.drawn.parts import Json
from tools.drawn.policies import policy_scenario
from tools.drawn.wred import wred_scenario

ROOT = Path(__file__).parents[2]
MODEL = "advisor/theory"
COUNT = 200
WRED_EVERY = 5  # one scenario of five has TCP, as in the wide sets
# As in the wide sets, by their medians: the replications are how many phases of periodic streams
# meet, the packets how rare the rarest delay is that is seen.
PACKETS, REPLICATIONS = 2_000_000, 64
_TCP_PACKETS, _TCP_REPLICATIONS = 150_000, 20


def model_seed() -> str:
    """Hash of the last commit that touches the model: nobody chooses it.

    Raises
    ------
    OSError
        If git does not answer.
    """
    command = ["git", "log", "-1", "--format=%H", "--", MODEL]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode or not done.stdout.strip():
        raise OSError(f"{' '.join(command)}: {done.stderr.strip() or 'no commit'}")
    return done.stdout.strip()[:12]


def cache_file(seed: str, name: str = "random") -> Path:
    """The file with the scenarios of a seed and their truth; `name` is one of `SETS`."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "advisor-validation" / f"{name}-{seed}.json"


def _wide(random: Random, number: int) -> Json:
    """A scenario of a kind of the wide sets."""
    if number % WRED_EVERY == WRED_EVERY - 1:
        return wred_scenario(random, number)
    return delay_scenario(random, number)


SETS: Mapping[str, Callable[[Random, int], Json]] = MappingProxyType(
    {"random": _wide, "policies": policy_scenario, "exact": exact_kind}
)


def draw(seed: str, number: int, name: str = "random") -> Json:
    """One scenario of a seed, of one of `SETS`."""
    return SETS[name](Random(f"{seed} {number}"), number)


def drawn(seed: str, count: int = COUNT) -> list[Json]:
    """All scenarios of a seed, without results."""
    return [draw(seed, number) for number in range(count)]


class Runs(Struct, frozen=True):
    """How long scenarios are simulated, and in how many processes."""

    packets: int = PACKETS
    replications: int = REPLICATIONS
    workers: int = 2


class _Work(Struct, frozen=True):
    seed: str
    number: int
    name: str
    runs: Runs


def with_truth(
    seed: str, numbers: Iterable[int], name: str = "random", runs: Runs | None = None
) -> Iterator[Json]:
    """The scenarios of a seed and these numbers with their results, as they are done."""
    runs = runs or Runs()
    work = [_Work(seed, number, name, runs) for number in numbers]
    with ProcessPoolExecutor(runs.workers) as pool:
        yield from pool.map(_simulated, work)


def _simulated(work: _Work) -> Json:
    draft = draw(work.seed, work.number, work.name)
    (scenario,) = read_scenarios(msgspec.json.encode(draft).decode(), draft["id"])
    seed = Random(f"truth {work.seed} {work.number}").randrange(2**31)
    return draft | {"results": _results(scenario, _true(scenario, seed, work.runs))}


def _true(scenario: Scenario, seed: int, runs: Runs) -> SimulationResult:
    """Simulate long; what is not exact by then has a wider interval of its own."""
    if any(isinstance(traffic, TcpGroup) for traffic in scenario.traffic):
        return simulate(interface_of(scenario), _TCP_PACKETS, _TCP_REPLICATIONS, seed)
    return simulate(interface_of(scenario), runs.packets, runs.replications, seed)


def _fills(traffic: Stream | TcpGroup) -> bool:
    return isinstance(traffic, Stream) and isinstance(traffic.arrival, Saturated)


def _results(scenario: Scenario, result: SimulationResult) -> Json:
    tcp = any(isinstance(traffic, TcpGroup) for traffic in scenario.traffic)
    rows = [
        _row("group" if tcp else "class", row, scored=not _fills(traffic))
        for traffic, row in zip(scenario.traffic, result.classes, strict=True)
    ]
    return {"replications": result.replications, "groups" if tcp else "classes": rows}


def _row(name_key: str, row: ClassSummary, *, scored: bool) -> Json:
    """The keys of `validation`; a class that delivers nothing has no delay to compare."""
    delay = row.delay
    values: Json = {
        name_key: row.class_name,
        "measured_packets": row.delivered_packets,
        "throughput_wire_kbps": kbps_from_bps(row.throughput_wire_bps.value),
        "scored": scored and delay is not None and delay.ipdv_ms is not None,
        **_pair("loss_ratio", "loss_ci95", row.loss_ratio),
        **_pair("share", "share_ci95", row.tcp_share_ratio),
    }
    if delay is not None:
        for name in ("mean", "p50", "p95", "p99", "ipdv"):
            values |= _pair(f"{name}_ms", f"{name}_ci95_ms", getattr(delay, f"{name}_ms"))
        values["max_ms"] = delay.max_ms
    return values


def _pair(name: str, spread_name: str, estimate: Estimate | None) -> Json:
    if estimate is None:
        return {}
    return {name: estimate.value, spread_name: estimate.half_width}


def written(scenarios: Sequence[Json]) -> str:
    """JSON of scenarios with results: one line a scenario."""
    lines = (msgspec.json.encode(scenario).decode() for scenario in scenarios)
    return "[\n" + ",\n".join(lines) + "\n]\n"
