"""A defect in one device or one rule: exit 4, the rest judged, a crash report named."""

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from advisor.cli import inspect_jobs, run
from advisor.device.device import Device
from advisor.facts.read_config import read_facts
from advisor.lint.card_proof import CardResult
from advisor.lint.cards import Rule
from advisor.lint.rulebook import rules_of
from advisor.settings import Settings

SENTINEL = "s3nt1nel"
SIZE = (
    *("size", "dlsw", "--platform", "3640", "--tps", "1"),
    *("--out-bytes", "900", "--in-bytes", "900", "--ru", "1024"),
)
CONFIG = """\
version 12.4
hostname {name}
class-map match-all VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 64
 class class-default
  fair-queue
interface Serial0/0
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 10
 service-policy output EDGE
interface FastEthernet0/0
 service-policy input EDGE
end
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two good devices and a bad one between them."""
    for name in ("a1", "bad", "c1"):
        (tmp_path / f"{name}.cfg").write_text(CONFIG.format(name=name), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def fails(device: Device, *_: object) -> Iterator[Any]:
    if device.name == "bad":
        raise ZeroDivisionError(f"password {SENTINEL}")
    return iter(())


def with_bad_rule(settings: Settings) -> list[Rule]:
    """The catalogue with one more rule, that fails on one device."""
    rules = rules_of(settings)
    bad = rules[0]
    card = replace(bad.card, id="BAD001", name="bad-rule")
    return [replace(bad, card=card, bound=replace(bad.check, find=fails)), *rules]


def recursing(value: int) -> int:
    return recursing(value) + 1


def failing_reader(kind: str) -> Callable[..., Any]:
    def failing(tree: Any) -> Any:
        if tree.file == "bad.cfg":
            if kind == "recursion":
                recursing(1)
            raise MemoryError if kind == "memory" else ValueError(f"password {SENTINEL}")
        return read_facts(tree)

    return failing


def crash_report(folder: Path) -> str:
    (report,) = folder.glob("advisor-crash-*.txt")
    assert report.stat().st_mode & 0o777 == 0o600
    text = report.read_text("utf-8")
    assert SENTINEL not in text
    return text


def rules_by_device(report: dict[str, Any]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for finding in report["findings"]:
        found.setdefault(finding["device"], set()).add(finding["rule"])
    return found


def test_rule_that_fails_on_a_device_loses_nothing_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("advisor.lint.rulebook.rules_of", with_bad_rule)
    assert run(["lint", ".", "--format", "json"]) == 4
    said = capsys.readouterr()
    report = json.loads(said.out)
    rules = rules_by_device(report)
    assert rules["a1"] == rules["bad"] == rules["c1"]
    assert {"TXR001", "REF006"} <= rules["bad"]
    assert report["complete"] is False
    (reason,) = report["incomplete"]
    assert reason.startswith("./bad.cfg: rule BAD001: internal error (ZeroDivisionError)")
    assert "advisor-crash-" in reason
    assert SENTINEL not in said.out + said.err
    assert "in fails" in crash_report(folder)


@pytest.mark.usefixtures("folder")
def test_remedies_beside_a_rule_that_fails_are_still_proven(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("advisor.lint.rulebook.rules_of", with_bad_rule)
    run(["lint", "bad.cfg", "--format", "json", "--select", "TXR001"])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["remedy"]["lines"] == ["interface Serial0/0", " tx-ring-limit 1"]


@pytest.mark.parametrize("kind", ["value", "recursion", "memory"])
def test_device_that_fails_leaves_the_others(
    kind: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("advisor.device.reading.read_facts", failing_reader(kind))
    assert run(["lint", "a1.cfg", "bad.cfg", "c1.cfg", "--format", "json"]) == 4
    report = json.loads(capsys.readouterr().out)
    assert rules_by_device(report).keys() == {"a1", "c1"}
    assert report["complete"] is False
    assert report["incomplete"][0].startswith("bad.cfg: internal error (")
    assert len(crash_report(folder).splitlines()) < 200


@pytest.mark.parametrize("form", ["full", "concise"])
def test_text_report_names_device_rule_and_crash_report(
    form: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("advisor.lint.rulebook.rules_of", with_bad_rule)
    assert run(["lint", ".", "--format", form]) == 4
    said = capsys.readouterr()
    last = (said.err if form == "concise" else said.out).splitlines()[-1]
    assert "bad.cfg: rule BAD001: internal error" in last
    assert str(next(folder.glob("advisor-crash-*.txt"))) in last


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        pytest.param(["fix", "a1.cfg", "bad.cfg", "c1.cfg"], "tx-ring-limit 1", id="fix"),
        pytest.param(["inspect", "a1.cfg", "bad.cfg", "c1.cfg"], "c1", id="inspect"),
        pytest.param(
            [*SIZE, "a1.cfg", "bad.cfg", "c1.cfg"],
            "c1",
            id="size",
        ),
    ],
)
def test_every_command_on_many_files_goes_on(
    arguments: list[str],
    kept: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("advisor.device.reading.read_facts", failing_reader("value"))
    if arguments[0] == "size":
        for file in folder.glob("*.cfg"):
            text = CONFIG.format(name=file.stem)
            file.write_text(
                text.replace("interface", "dlsw local-peer peer-id 10.0.0.1\ninterface", 1)
            )
    assert run(arguments) == 4
    said = capsys.readouterr()
    assert kept in said.out
    assert "bad.cfg: internal error (ValueError)" in said.err
    assert SENTINEL not in said.out + said.err
    assert crash_report(folder)


def test_examples_of_a_card_that_fails_leave_those_of_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(rule: Rule, *_: object) -> Any:
        if rule.card.id == "TXR001":
            raise KeyError(SENTINEL)
        return CardResult(rule.card.id, ())

    monkeypatch.setattr(inspect_jobs, "prove_card", failing)
    assert run(["rules", "test"]) == 4
    said = capsys.readouterr().out
    assert "ok    TXR002" in said
    assert "rule TXR001: internal error (KeyError)" in said
    assert crash_report(folder)


def test_crash_report_that_cannot_be_written_is_no_second_fault(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "none"))
    monkeypatch.setattr("advisor.lint.rulebook.rules_of", with_bad_rule)
    assert run(["lint", "."]) == 4
    assert "crash report: could not be written" in capsys.readouterr().out


def test_one_crash_report_is_left_of_many_faults(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def everywhere(*_: object) -> Any:
        raise RuntimeError(SENTINEL)

    for number in range(30):
        (folder / f"r{number}.cfg").write_text(CONFIG.format(name=f"r{number}"))
    monkeypatch.setattr("advisor.device.reading.read_facts", everywhere)
    assert run(["lint", ".", "--format", "json"]) == 4
    assert len(json.loads(capsys.readouterr().out)["incomplete"]) == 33
    assert crash_report(folder).count("in everywhere") == 20
