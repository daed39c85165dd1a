"""A sweep of the ring costs what depends on the ring: work is counted, not timed."""

from collections import Counter
from pathlib import Path

import pytest

from advisor.device.reading import Source, read_source
from advisor.outlet.scheduler import OutputScheduler
from advisor.predict.classes import corners
from advisor.predict.what_if.subject import Subject
from advisor.predict.what_if.sweeps import axes_of, sweep
from advisor.settings import Settings
from advisor.theory import solver
from advisor.theory.kernel import threads
from advisor.theory.kernel.threads import measure
from advisor.theory.solver import plan_of

CONFIG = Path(__file__).parents[2] / "fixtures/configs/wan-edge-512k.ios"


def counted(first: int, points: int, patched: pytest.MonkeyPatch) -> Counter[str]:
    """Plans of runs, layouts of queues and solutions of interfaces in a sweep of the limit."""
    work: Counter[str] = Counter()
    queues = OutputScheduler.queues

    def planning(*given: object) -> object:
        work["plans"] += 1
        return plan_of(*given)  # type: ignore[arg-type]

    def queueing(*given: object) -> object:
        work["queues"] += 1
        return queues(*given)  # type: ignore[arg-type]

    def measuring(*given: object) -> object:
        work["runs"] += 1
        return measure(*given)  # type: ignore[arg-type]

    patched.setattr(threads, "cores", lambda: 1)  # two that begin together may both lay it out
    patched.setattr(solver, "plan_of", planning)
    patched.setattr(OutputScheduler, "queues", queueing)
    patched.setattr(solver, "measure", measuring)
    solver._planned.cache_clear()
    corners._before_ring.cache_clear()
    axes = axes_of((f"tx-ring-limit={first}..{first + points - 1}:1",))
    reading = read_source(Source(CONFIG.name, CONFIG.read_bytes()), Settings())
    sweep(Subject(reading, Settings()), axes)
    patched.undo()
    return work


def test_points_share_the_queues_and_the_plans_of_their_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few, many = counted(70, 3, monkeypatch), counted(80, 9, monkeypatch)
    assert (few["plans"], few["queues"]) == (many["plans"], many["queues"])
    assert few["runs"] > few["plans"] > 0
    assert many["runs"] > few["runs"]
