"""One interface has one figure by one method: in lint, predict, sweeps, proofs, explain, designs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from advisor.cli import run
from advisor.ground.quantity import Figure, figure
from advisor.model import Periodic, Poisson
from advisor.theory.analytic import Method
from advisor.theory.solution import SAMPLED
from advisor.theory.solver import solve
from tests.theory.analytic.build import data, interface, voice

Said = pytest.CaptureFixture[str]
Told = Callable[..., Any]
RING = 20
CONFIG = f"""\
version 12.4
hostname edge
class-map match-all VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 128
 class class-default
interface Serial0/0
 bandwidth 512
 encapsulation ppp
 tx-ring-limit {RING}
 service-policy output WAN
end
"""
TRAFFIC = """\
[[traffic]]
class = "VOICE"
calls = 1
codec = "G.729"
[[traffic]]
class = "class-default"
packet_bytes = {data_bytes}
arrivals = "saturated"
"""


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said) -> Told:
    """The JSON that a command prints on the config."""
    monkeypatch.chdir(tmp_path)
    Path("edge.cfg").write_text(CONFIG, "utf-8")

    def of(command: str, *more: str, form: str = "json") -> Any:
        flags = ["--traffic", "site.toml", *(["--format", form] if form else [])]
        assert run([command, *more, "edge.cfg", *flags]) in {0, 1}
        said = capsys.readouterr().out
        return json.loads(said) if form == "json" else said

    return of


@pytest.mark.parametrize(
    ("data_bytes", "is_sampled"),
    [
        pytest.param(300, False, id="by a formula"),
        pytest.param(1500, True, id="sampled"),
    ],
)
def test_every_command_has_the_same_figure_by_the_same_method(
    data_bytes: int, is_sampled: bool, told: Told
) -> None:
    Path("site.toml").write_text(TRAFFIC.format(data_bytes=data_bytes), "utf-8")
    (found,) = (item for item in told("lint")["findings"] if item["rule"] == "TXR001")
    now, after = found["prediction"]["before"], found["prediction"]["after"]
    method, after_method = found["prediction"]["method"], found["prediction"]["after_method"]
    limit = int(found["remedy"]["lines"][-1].split()[-1])

    assert (method == SAMPLED) is is_sampled
    voice = told("predict")[0]
    assert (voice["congested"]["mean"], voice["congested"]["method"]) == (now, method)
    assert (voice["mean"], voice["method"]) == (now, method)
    moved = told("predict", "--set", f"tx-ring-limit={limit}")[0]
    assert (moved["congested"]["mean"], moved["congested"]["method"]) == (after, after_method)
    points = told("predict", "--sweep", f"tx-ring-limit=1..{RING}")
    at = {point["settings"][0]["value"]: point["predictions"][0] for point in points}
    assert (at[RING]["mean"], at[RING]["method"]) == (now, method)
    assert (at[limit]["mean"], at[limit]["method"]) == (after, after_method)
    proof = f"{_text(now)} before, {_text(after)} after"
    assert any(proof in line for line in found["remedy"]["proof"])
    explained = told("explain", "ring-delay", form="").splitlines()
    assert any(f"{_text(now)}, {method}" in line for line in explained)


def _text(mean: dict[str, Any]) -> str:
    return figure(msgspec.convert(mean, Figure))


def test_a_design_is_predicted_as_its_lines_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ("design", "edge", "--link", "2m", "--calls", "4", "--platform", "2811")
    assert run([*asked, "--ios", "12.4(15)T", "--format", "json"]) == 0
    design = json.loads(capsys.readouterr().out)
    (voice,) = (row for row in design["classes"] if row["kind"] == "priority")

    config = "\n".join(("version 12.4", "hostname edge", *design["lines"], "end", ""))
    Path("edge.cfg").write_text(config, "utf-8")
    stated = f'[[traffic]]\nclass = "{voice["class_name"]}"\ncalls = 4\ncodec = "G.729"\n'
    Path("site.toml").write_text(stated, "utf-8")
    flags = ("--platform", "2811", "--traffic", "site.toml", "--format", "json")
    assert run(["predict", "edge.cfg", *flags]) == 0
    rows = json.loads(capsys.readouterr().out)
    (again,) = (row for row in rows if row.get("class_name") == voice["class_name"])
    assert (again["mean"], again["method"]) == (voice["mean"], voice["method"])


@pytest.mark.parametrize(
    ("voice_arrival", "method", "of_jitter"),
    [
        (Poisson(40.0), Method.RING_FULL, "sampled"),
        (Periodic(5.0, 30.0), Method.RING_FULL, Method.RING_FULL),
    ],
    ids=[
        "random packets that meet have a formula, and no other figure than that of a run for jitter",
        "a slow probe with jitter has a formula for both",
    ],
)
def test_jitter_has_a_method_of_its_own(
    voice_arrival: Poisson | Periodic, method: str, of_jitter: str
) -> None:
    found = solve(interface(voice(voice_arrival), data(), ring=2)).classes[0]
    assert (found.method, found.ipdv_method) == (method, of_jitter)
