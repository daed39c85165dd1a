"""Standard streams as a shell may leave them, of the command as a process."""

# ruff: noqa: S603 -- the program is the one under test

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.cli import run

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
ADVISOR = f"{shlex.quote(sys.executable)} -m advisor"
CONFIG = "interface Serial0/0\n service-policy output NONE\n"
FULL = "advisor: standard output: cannot be written: No space left on device\n"
CLOSED = "advisor: standard output: cannot be written: Bad file descriptor\n"


def shell(command: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    (cwd / "r1.cfg").write_text(CONFIG, encoding="utf-8")
    return subprocess.run(
        ["/bin/bash", "-c", command.replace("advisor", ADVISOR, 1)],
        cwd=cwd,
        env={**ENVIRONMENT, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        pytest.param("advisor --version >/dev/full", 2, FULL, id="version to a full device"),
        pytest.param("advisor --help >/dev/full", 2, FULL, id="help to a full device"),
        pytest.param("advisor lint r1.cfg >/dev/full", 2, FULL, id="report to a full device"),
        pytest.param(
            "advisor lint /dev/null >/dev/full", 2, FULL, id="incomplete, to a full device"
        ),
        pytest.param("advisor --version >&-", 2, CLOSED, id="version to a closed stream"),
        pytest.param("advisor lint r1.cfg >&-", 2, CLOSED, id="report to a closed stream"),
        pytest.param(
            "advisor lint r1.cfg --output report >&-", 1, "", id="a file beside a closed stream"
        ),
        pytest.param("advisor lint - <&- >&- 2>&-", 2, "", id="all streams closed"),
    ],
)
def test_output_that_cannot_be_written(
    command: str, code: int, said: str, unbuffered: str, tmp_path: Path
) -> None:
    ended = shell(command, tmp_path, PYTHONUNBUFFERED=unbuffered)
    assert ended.returncode == code
    assert ended.stderr.decode() == said


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["2>&-", "2>/dev/full"])
def test_nobody_hears_what_is_said(stream: str, tmp_path: Path) -> None:
    ended = shell(f"advisor lint none r1.cfg {stream}", tmp_path)
    assert ended.returncode == 2
    assert b"REF001" in ended.stdout


@pytest.mark.slow
def test_closed_input_is_unreadable(tmp_path: Path) -> None:
    ended = shell("advisor lint - <&-", tmp_path)
    assert ended.returncode == 2
    assert ended.stderr == b"advisor: <stdin>: Bad file descriptor\n"


@pytest.mark.slow
@pytest.mark.parametrize("arguments", ["--version", "--help", "rules docs", "lint r1.cfg"])
def test_reader_that_leaves_says_nothing(arguments: str, tmp_path: Path) -> None:
    ended = shell(f"advisor {arguments} | true", tmp_path)
    assert ended.stderr == b""


@pytest.mark.slow
def test_file_is_not_opened_in_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    shell("advisor lint r1.cfg --format json --output report >&- 2>&-", tmp_path)
    assert (tmp_path / "report").read_bytes().startswith(b"{")
    assert (tmp_path / "r1.cfg").read_text(encoding="utf-8") == CONFIG


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param("\x1b[31m", id="a command"),
        pytest.param("lint --\x1b[31m", id="an option"),
        pytest.param("lint \x1b[31m", id="a path"),
        pytest.param("lint --format \x1b[31m r1.cfg", id="a choice"),
        pytest.param("lint --select \x1b[31m r1.cfg", id="a rule"),
        pytest.param("lint --config \x1b[31m r1.cfg", id="settings"),
        pytest.param("lint --output \x1b[31m/x r1.cfg", id="an output"),
        pytest.param("predict --link \x1b[31m", id="a rate"),
        pytest.param("predict r1.cfg --set \x1b[31m=1", id="a key"),
        pytest.param("redact \x1b[31m", id="a file to redact"),
        pytest.param("explain \x1b[31m", id="a rule to explain"),
        pytest.param("predict --scenario \x1b[31m", id="a scenario"),
        pytest.param("size dlsw --table \x1b[31m", id="a table"),
        pytest.param("collect \x1b[31m --out out --dry-run", id="a host"),
        pytest.param("predict --tx-ring-limit \x1b[31m", id="a number"),
        pytest.param("lint r\x9b31m", id="a control character of eight bits"),
        pytest.param("lint r\udc9b31m", id="a byte that is one"),
    ],
)
def test_nothing_raw_reaches_a_terminal(
    arguments: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r1.cfg").write_text(CONFIG, encoding="utf-8")
    assert run(arguments.split(" ")) == 2
    said = "".join(capsys.readouterr())
    assert all(char.isprintable() or char == "\n" for char in said)
    assert "Traceback" not in said
    assert "internal error" not in said


@pytest.mark.slow
def test_nothing_raw_of_a_process_reaches_a_terminal(tmp_path: Path) -> None:
    ended = shell("advisor lint $'\\e[31m'", tmp_path)
    assert ended.returncode == 2
    assert b"\x1b" not in ended.stderr + ended.stdout
    assert b"\\x1b[31m" in ended.stderr


@pytest.mark.slow
def test_command_of_a_process_substitution_may_take_its_time(tmp_path: Path) -> None:
    ended = shell("advisor lint <(sleep 1; cat r1.cfg) --format concise", tmp_path)
    assert b"REF001" in ended.stdout
