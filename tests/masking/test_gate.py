"""One gate: no secret of any place of an input is in an output of any command and format."""

import re
import shlex
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.report.formats import (
    COMPARISONS,
    DRY_RUNS,
    EDGE_DESIGNS,
    FLEETS,
    INSPECTIONS,
    PLANS,
    PREDICTIONS,
    SIZINGS,
    SWEEPS,
    VERDICTS,
)
from tests.masking.gate_inputs import CONFIG, LOG

pytestmark = pytest.mark.slow

BASE = "version 15.1\nhostname r1\ninterface Serial0/0\n bandwidth 512\nend\n"
SOME = "--select TXR001,LLQ006,SLA,REF,PRS"
COMMANDS = (
    "lint -v {}",
    *(f"lint -v {{}} --format {form} {SOME}" for form in VERDICTS if form != "full"),
    *(f"fix {{}} --format {form} --rule TXR001" for form in PLANS),
    *(f"predict -v {{}} --format {form}" for form in PREDICTIONS),
    *(
        f"predict -v {{}} --format {form} --sweep tx-ring-limit=1..2 --interface Serial0/0"
        for form in SWEEPS
    ),
    "predict {} --format html",
    *(f"diff base.cfg {{}} --format {form} {SOME}" for form in COMPARISONS),
    *(f"inspect {{}} --format {form}" for form in INSPECTIONS),
    *(f"explain {rule} {{}}" for rule in ("TXR001", "PRS001")),
    *(f"size dlsw {{}} --platform 3640 --format {form}" for form in SIZINGS),
    *(
        f"design edge --link 512k --interface Serial0/0 --calls 2 --on {{}} --format {form}"
        for form in EDGE_DESIGNS
    ),
    f"baseline {{}} --out - {SOME}",
    "suppress {} --rule TXR001 --reason because",
    "redact {}",
)
OF_A_LOG = (
    f"lint -v {{}} {SOME}",
    *("predict -v {}", "inspect {}", "inspect {} --format json", "redact {}"),
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"base.cfg": BASE, "r1.cfg": CONFIG, "r1.log": LOG}.items():
        Path(name).write_text(text, encoding="utf-8")


def _leaks(command: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    run(shlex.split(command))
    said = capsys.readouterr()
    assert said.out + said.err
    assert "internal error" not in said.err
    return [line for line in (said.out + said.err).split("\n") if re.search(r"zQ\d{4}q", line)]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_secret_of_a_configuration_passes(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _leaks(command.format("r1.cfg"), capsys) == []


@pytest.mark.parametrize("command", OF_A_LOG)
def test_no_secret_of_a_session_passes(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _leaks(command.format("r1.log"), capsys) == []


def test_every_format_that_there_is_has_its_command() -> None:
    named = {match for command in COMMANDS for match in re.findall(r"--format (\S+)", command)}
    forms = {
        *VERDICTS,
        *PLANS,
        *SWEEPS,
        *COMPARISONS,
        *INSPECTIONS,
        *SIZINGS,
        *EDGE_DESIGNS,
    }
    # collect and audit have no other: they print what `tests/collect` searches for secrets
    assert {*forms, *FLEETS, *DRY_RUNS} - named == set()
