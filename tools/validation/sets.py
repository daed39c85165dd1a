"""Sets of scenarios with true results, read from files: what the model says to each of them."""

import gc
import json
import time
from collections.abc import Sequence
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

from msgspec import Struct

from advisor.predict.scenario import NotModelledError, predict_scenario
from advisor.predict.scenario_interface import interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.scenario import Scenario, TcpGroup
from advisor.theory.wred.solver import solve_wred
from tools.drawn.truth import SETS, cache_file, model_seed
from tools.validation.errors import Compared, of_scenario
from tools.validation.truth import read_results
from tools.validation.wred_errors import WredCompared, wred_compared

VALIDATION = Path(__file__).parents[3] / "shared/validation"
_ROUNDS = 3  # the machine may be busy with other work: the least of so many


class Scored(Struct, frozen=True):
    """Answers of the model to the scenarios of a set; it has none to those that are `declined`."""

    delays: tuple[Compared, ...]
    groups: tuple[WredCompared, ...]
    declined: tuple[str, ...]


def files_of(name: str) -> tuple[Path, ...]:
    """The files of a set.

    Raises
    ------
    OSError
        If the model has no commit to name its random scenarios.
    """
    if name in SETS:
        return (cache_file(model_seed(), name),)
    return tuple(VALIDATION / f"{kind}_{name}.json" for kind in ("delay", "wred"))


def is_wide(path: Path) -> bool:
    """Whether the goals of the wide kinds hold for a file: for all but the tuning scenarios."""
    return not path.name.endswith("_tuning.json")


def scored(paths: Sequence[Path]) -> Scored:
    """Every scenario of the files, predicted and true.

    Raises
    ------
    TruthError
        If a file holds no true results.
    ScenarioError
        If a file holds no scenarios.
    OSError
        If a file cannot be read.
    """
    delays: list[Compared] = []
    groups: list[WredCompared] = []
    declined: list[str] = []
    for path in paths:
        delay_text, tcp_text = _parts(path)
        if delay_text is not None:
            truths = read_results(delay_text, path.name)
            for scenario, truth in zip(read_scenarios(delay_text, path.name), truths, strict=True):
                try:
                    delays += of_scenario(scenario, truth)
                except NotModelledError as error:
                    declined.append(f"{scenario.id}: {error}")
        if tcp_text is not None:
            groups += wred_compared(tcp_text, tcp_text, path.name)
    return Scored(tuple(delays), tuple(groups), tuple(declined))


def _parts(path: Path) -> tuple[str | None, str | None]:
    """Scenarios with delays of classes, and those with TCP groups, each as JSON."""
    rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    delay = [row for row in rows if "classes" in row["results"]]
    tcp = [row for row in rows if "groups" in row["results"]]
    return json.dumps(delay) if delay else None, json.dumps(tcp) if tcp else None


def costs_ms(paths: Sequence[Path], *, tcp: bool) -> list[float]:
    """Processor time of each solve, of scenarios with TCP or of those without."""
    return sorted(
        min(_once_ms(scenario) for _ in range(_ROUNDS))
        for path in paths
        for scenario in read_scenarios(path.read_text("utf-8"), path.name)
        if tcp is any(isinstance(traffic, TcpGroup) for traffic in scenario.traffic)
    )


def _once_ms(scenario: Scenario) -> float:
    forget_answers()
    began_s = time.process_time()
    if any(isinstance(traffic, TcpGroup) for traffic in scenario.traffic):
        solve_wred(interface_of(scenario))
    else:
        predict_scenario(scenario)
    return (time.process_time() - began_s) * 1000


def forget_answers() -> None:
    """Empty the caches of answers, which are bounded; what is loaded once stays."""
    for found in gc.get_objects():
        if (
            isinstance(found, _lru_cache_wrapper)
            and found.cache_parameters()["maxsize"] is not None
        ):
            found.cache_clear()
