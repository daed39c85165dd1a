"""Formats on the command line: streams, files, colour and width."""

import contextlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.cli import lint_jobs, run
from advisor.lint.findings import Finding, Verdict
from advisor.report.formats import STREAMS, VERDICTS
from advisor.report.terminal import columns_of

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


@pytest.mark.parametrize("form", STREAMS)
def test_a_finding_is_printed_before_the_next_device_is_judged(
    form: str, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    from advisor.lint import run as judging  # noqa: PLC0415

    printed: list[set[str]] = []
    lint_device = judging.lint_device

    def watched(*given: object, **named: object) -> object:
        printed.append(set(re.findall(r"(r[123])\.cfg", capsys.readouterr().out)))
        return lint_device(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(judging, "lint_device", watched)
    run(["lint", "r1.cfg", "r2.cfg", "r3.cfg", "--format", form])

    assert printed == [set(), {"r1"}, {"r2"}]


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


@pytest.mark.parametrize("form", STREAMS)
def test_a_file_holds_the_whole_stream(form: str, capsys: Said, folder: Path) -> None:
    for name in ("fw1", "fw2"):  # of another system
        (folder / f"{name}.cfg").write_text(f": Saved\nASA Version 8.4(2)\nhostname {name}\n")
    run(["lint", ".", "--format", form])
    printed = capsys.readouterr().out.splitlines()
    run(["lint", ".", "--format", form, "--output", "out"])
    written = (folder / "out").read_text("utf-8").splitlines()

    assert capsys.readouterr().out == ""
    assert written[-1] == printed[-1] or form == "csv"
    assert sorted(written) == sorted(printed)


@pytest.mark.parametrize("form", STREAMS)
def test_a_stream_keeps_what_counts_of_its_findings_and_not_the_findings(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Finding] = []
    verdict_of = lint_jobs.FindingSink.verdict

    def counted(sink: lint_jobs.FindingSink, verdict: Verdict) -> Verdict:
        kept.extend((*verdict.findings, *verdict_of(sink, verdict).findings))
        return verdict_of(sink, verdict)

    monkeypatch.setattr(lint_jobs.FindingSink, "verdict", counted)
    run(["lint", ".", "--format", form])

    assert kept
    assert not any(item.object or item.locations or item.remedy for item in kept)


@pytest.mark.parametrize("form", VERDICTS)
def test_a_format_ends_with_the_exit_code_of_the_others(form: str, capsys: Said) -> None:
    assert run(["lint", "r1.cfg", "--format", form]) == 1
    assert "TXR001" in capsys.readouterr().out
    assert run(["lint", "r1.cfg", "--format", form, "--fail-on", "never"]) == 0


@pytest.mark.slow
def test_rows_end_as_the_format_says_on_standard_output(folder: Path) -> None:
    file = str(folder / "r1.cfg")
    command = [sys.executable, "-m", "advisor", "lint", file, "--format", "csv"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)  # noqa: S603
    assert said.stdout.count(b"\r\n") == 5
    assert b"\r\r" not in said.stdout


def in_terminal(folder: Path, columns: int, *command_line: str, **environment: str) -> str:
    """What a terminal of this width shows of a command, by default of a lint."""
    pty = pytest.importorskip("pty", reason="no terminals on this system")
    ours, theirs = pty.openpty()
    arguments = command_line or ("lint", str(folder / "r1.cfg"))
    command = [sys.executable, "-m", "advisor", *arguments]
    kept = {name: text for name, text in os.environ.items() if name not in VARIABLES}
    with subprocess.Popen(  # noqa: S603 -- advisor itself
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**kept, "COLUMNS": str(columns), "TERM": "xterm", **environment},
    ):
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(ours, 65_536):
                shown += part
    os.close(ours)
    return shown.decode("utf-8").replace("\r\n", "\n")


VARIABLES = {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}


@pytest.mark.slow
def test_a_report_fits_its_terminal(folder: Path) -> None:
    shown = in_terminal(folder, 60, NO_COLOR="1")
    too_long = [line for line in shown.splitlines() if columns_of(line) > 60]

    assert "TXR001" in shown
    assert [line for line in too_long if " " in line.strip()] == []


FLOWS = (
    str(ROOT / "fixtures/configs/seed-002-router.ios"),
    "--traffic",
    str(ROOT / "fixtures/traffic/seed-002.toml"),
)
LOAD = "--tps 100 --out-bytes 2000 --in-bytes 1000 --ru 1024".split()  # noqa: SIM905 -- as typed


@pytest.mark.slow
@pytest.mark.parametrize("columns", [60, 100])
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("lint", "r1.cfg"), id="lint"),
        pytest.param(("rules", "list"), id="rules list"),
        pytest.param(("explain", "formulas"), id="explain formulas"),
        pytest.param(("explain", "TXR001", "r1.cfg"), id="explain a rule"),
        pytest.param(("explain", "ring-bound", "r1.cfg"), id="explain a formula"),
        pytest.param(("inspect", "r1.cfg"), id="inspect"),
        pytest.param(("predict", "r1.cfg"), id="predict"),
        pytest.param(("predict", *FLOWS, "--sweep", "flows.AF11=2..4"), id="a sweep of flows"),
        pytest.param(("size", "dlsw", "--platform", "3640", *LOAD), id="size"),
        pytest.param(("demo", "--rings", "1..2"), id="demo"),
    ],
)
def test_text_fits_its_terminal(
    command: tuple[str, ...], columns: int, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name, text in {"COLUMNS": str(columns), "NO_COLOR": "1", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, text)
    run(list(command))
    shown = capsys.readouterr().out.splitlines()

    assert len(shown) > 4
    too_long = [line for line in shown if columns_of(line) > columns]
    assert [line for line in too_long if " " in line.strip()] == []


@pytest.mark.slow
def test_a_wide_terminal_shows_what_a_pipe_gets(folder: Path, capsys: Said) -> None:
    run(["lint", str(folder / "r1.cfg")])
    assert in_terminal(folder, 2000, NO_COLOR="1") == capsys.readouterr().out


@pytest.mark.parametrize(
    ("environment", "flags", "is_coloured"),
    [
        pytest.param({}, (), False, id="a pipe"),
        pytest.param({"FORCE_COLOR": "1"}, (), True, id="FORCE_COLOR"),
        pytest.param({"FORCE_COLOR": "1", "TERM": "dumb"}, (), True, id="in a dumb terminal"),
        pytest.param({"FORCE_COLOR": ""}, (), False, id="FORCE_COLOR is empty"),
        pytest.param({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (), False, id="NO_COLOR wins"),
        pytest.param({"FORCE_COLOR": "1"}, ("--no-color",), False, id="--no-color wins"),
        pytest.param({"FORCE_COLOR": "1"}, ("--format", "json"), False, id="for a program"),
        pytest.param({"FORCE_COLOR": "1"}, ("--output", "out.txt"), False, id="a file"),
    ],
)
def test_colour_is_forced_and_declined(  # noqa: PLR0917 -- fixtures
    environment: dict[str, str],
    flags: tuple[str, ...],
    is_coloured: bool,
    folder: Path,
    capsys: Said,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, text in environment.items():
        monkeypatch.setenv(name, text)
    run(["lint", "r1.cfg", *flags])
    written = folder / "out.txt"
    shown = written.read_text("utf-8") if written.exists() else capsys.readouterr().out

    assert "TXR001" in shown
    assert ("\x1b[" in shown) is is_coloured


def test_a_dry_run_has_no_findings_to_print(capsys: Said) -> None:
    assert run(["audit", "192.0.2.1", "--dry-run", "--format", "sarif"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "advisor: --format sarif: does not go with --dry-run\n")
