"""What formulas answer needs no kernel; what the kernel runs carries no more than the wire."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from advisor.ground.questions import forget
from advisor.model import Interface, QueueKind, Saturated, Traffic
from advisor.theory.analytic import answer, calls, figures, is_figure
from advisor.theory.analytic.orbit import Delays, delays_of
from advisor.theory.solver import solve
from tests.theory.analytic.build import DATA_MS, data, every, interface, poisson, voice

ROOT = Path(__file__).parents[3]
SCRIPT = """
import sys
from advisor.theory.analytic.orbit import Delays, delays_of
from advisor.theory.solver import solve
from tests.theory.analytic.build import data, every, interface, voice
methods = [row.method for row in solve(interface(voice(every(20.0), 3), data(), ring=3)).classes]
assert "sampled" not in methods, methods
assert not {"numpy", "wasmtime"} & set(sys.modules)
"""


COMMAND = """
import sys
from advisor.cli import run
assert run(["predict", *sys.argv[1:]]) == 0
assert not {"numpy", "wasmtime"} & set(sys.modules)
"""
CONFIG = """version 12.4
class-map match-all VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 128
interface Serial0/0
 bandwidth 512
 encapsulation ppp
 tx-ring-limit 2
 service-policy output WAN
end
"""
TRAFFIC = """[[traffic]]
class = "VOICE"
calls = 1
codec = "G.729"
[[traffic]]
class = "class-default"
packet_bytes = 300
arrivals = "saturated"
backlog_packets = 20
"""


@pytest.mark.slow
@pytest.mark.parametrize("script", [SCRIPT, COMMAND], ids=["solver", "command"])
def test_an_interface_that_formulas_answer_loads_no_kernel(script: str, tmp_path: Path) -> None:
    config, traffic = tmp_path / "r1.cfg", tmp_path / "site.toml"
    config.write_text(CONFIG, "utf-8")
    traffic.write_text(TRAFFIC, "utf-8")
    command = [sys.executable, "-c", script, str(config), "--traffic", str(traffic)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)  # noqa: S603
    assert done.returncode == 0, done.stderr


def shared(load: float, percent: float) -> Interface:
    """Calls above two lower classes that together are offered so much more than their shares."""
    case = interface(voice(every(20.0)), data(poisson(load, DATA_MS)), ring=2)
    gold = Traffic("gold", "gold", poisson(0.45, DATA_MS), case.traffic[1].sizes)
    queue = type(case.queues[1])("gold", QueueKind.BANDWIDTH, share_percent=percent)
    return Interface(
        case.rate_bps, case.framing, case.ring, (*case.queues, queue), (*case.traffic, gold)
    )


@pytest.mark.parametrize(
    ("streams", "times"),
    [(18, 0), (11, 1)],
    ids=["calls of 90 % of the wire", "calls of 55 %"],
)
def test_calls_are_followed_for_a_figure_only_where_one_can_come_of_it(
    streams: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[object] = []

    def follow(*asked: Any) -> tuple[Delays, ...] | None:
        done.append(asked)
        return delays_of(*asked)

    monkeypatch.setattr(calls, "delays_of", follow)
    forget()
    case = shared(0.5, 40.0)
    voice_offer, data_offer, gold = case.traffic
    lower = (replace(data_offer, arrival=poisson(0.1, DATA_MS)), replace(gold, arrival=Saturated()))
    case = replace(case, traffic=(replace(voice_offer, streams=streams), *lower))
    found = figures(case)
    assert len(done) == times
    assert found == tuple(each if is_figure(each) else None for each in answer(case))
    assert len(done) == times + 1


@pytest.mark.parametrize("load", [0.5, 0.52, 0.6], ids="a load of {} beside gold".format)
@pytest.mark.parametrize("percent", [5.0, 60.0], ids="gold has {} %".format)
def test_sampled_classes_together_carry_no_more_than_the_wire(load: float, percent: float) -> None:
    case = shared(load, percent)
    carried = sum(row.throughput_bps for row in solve(case).classes)
    assert carried <= case.rate_bps * (1 + 1e-9)


@pytest.mark.parametrize(
    ("period_ms", "is_locked"),
    [(20.0, True), (40.0, True), (28.2842712, False)],
    ids=["equal periods", "twice the period", "periods without a common multiple"],
)
def test_the_interval_of_a_call_that_keeps_its_phase_holds_all_phases(
    period_ms: float, *, is_locked: bool
) -> None:
    (call, _) = solve(interface(voice(every(20.0)), data(every(period_ms)), ring=4)).classes
    assert (call.low.mean_ms == pytest.approx(1.0, rel=0.07)) is is_locked
    assert (call.high.mean_ms >= call.delay.p99_ms * 0.999) is is_locked
