"""Formats on the command line: streams, files, colour and width."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.report.formats import VERDICTS

ROOT = Path(__file__).parents[1]
CONFIG = (ROOT / "fixtures/configs/wan-edge-512k.ios").read_text("utf-8")
Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("r1", "r2", "r3"):
        (tmp_path / f"{name}.cfg").write_text(CONFIG.replace("br-lisbon", name), encoding="utf-8")
    return tmp_path


def lines_of(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_finding_is_printed_before_the_next_device_is_judged(
    capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    from advisor.lint import run as judging  # noqa: PLC0415

    printed: list[list[object]] = []
    lint_device = judging.lint_device

    def watched(*given: object, **named: object) -> object:
        printed.append([line["device"] for line in lines_of(capsys.readouterr().out)])
        return lint_device(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(judging, "lint_device", watched)
    run(["lint", "r1.cfg", "r2.cfg", "r3.cfg", "--format", "jsonl"])

    assert [set(devices) for devices in printed] == [set(), {"r1"}, {"r2"}]


def test_a_stream_holds_each_finding_of_the_report_once(capsys: Said) -> None:
    arguments = ["lint", ".", "--severity", "warning", "--ignore", "TXR002"]
    assert run([*arguments, "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert run([*arguments, "--format", "jsonl"]) == 1
    *findings, summary = lines_of(capsys.readouterr().out)

    def key(finding: dict[str, object]) -> tuple[object, ...]:
        return finding["device"], finding["rule"], finding["object"]

    assert sorted(map(key, findings)) == sorted(map(key, report["findings"]))
    assert summary["summary"] == report["summary"]
    assert summary["complete"] is True


def test_a_stream_knows_the_baseline_and_what_is_said_of_the_run(
    capsys: Said, folder: Path
) -> None:
    run(["baseline", ".", "--out", "known.json"])
    (folder / "r2.cfg").write_text(f"! advisor: ignore[WRD001] no\n{CONFIG}", encoding="utf-8")
    capsys.readouterr()
    run(["lint", ".", "--baseline", "known.json", "--format", "jsonl"])
    *findings, _ = lines_of(capsys.readouterr().out)
    standing = [finding for finding in findings if finding["suppressed"] is None]

    assert "SUP001" in {finding["rule"] for finding in standing}
    assert len(standing) < len(findings)


def test_a_file_holds_the_whole_stream(capsys: Said, folder: Path) -> None:
    run(["lint", ".", "--format", "jsonl"])
    printed = lines_of(capsys.readouterr().out)
    run(["lint", ".", "--format", "jsonl", "--output", "out.jsonl"])
    written = lines_of((folder / "out.jsonl").read_text("utf-8"))

    assert capsys.readouterr().out == ""
    assert written[-1] == printed[-1]
    assert sorted(map(str, written)) == sorted(map(str, printed))


@pytest.mark.parametrize("form", VERDICTS)
def test_a_format_ends_with_the_exit_code_of_the_others(form: str, capsys: Said) -> None:
    assert run(["lint", "r1.cfg", "--format", form]) == 1
    assert "TXR001" in capsys.readouterr().out
    assert run(["lint", "r1.cfg", "--format", form, "--fail-on", "never"]) == 0


def test_rows_end_as_the_format_says_on_standard_output(folder: Path) -> None:
    file = str(folder / "r1.cfg")
    command = [sys.executable, "-m", "advisor", "lint", file, "--format", "csv"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)  # noqa: S603
    assert said.stdout.count(b"\r\n") == 5
    assert b"\r\r" not in said.stdout
