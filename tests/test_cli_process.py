"""The command as a process: pipes, signals, crashes, and what start-up imports."""

# ruff: noqa: S603 -- the program is the one under test

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


ADVISOR = [sys.executable, "-m", "advisor"]
ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
CONFIG = "interface Serial0/0\n service-policy output NONE\n"


def advisor(
    *arguments: str, cwd: Path, program: list[str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*(program or ADVISOR), *arguments],
        cwd=cwd,
        env=ENVIRONMENT,
        input=CONFIG,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*ADVISOR, "rules", "docs"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) == 0


def opened_for_writing(pipe: Path) -> int:
    """Handle of a pipe once another process has opened it for reading."""
    for _ in range(200):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.05)
    pytest.fail("nobody reads the pipe")


def test_interrupt_ends_without_a_traceback(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [*ADVISOR, "lint", str(pipe)],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    handle = opened_for_writing(pipe)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)
    os.close(handle)
    assert process.returncode == 130
    assert "Traceback" not in said[1]


FLOW_ON_A_SLOW_LINK = {
    "id": "slow",
    "link": {"rate_kbps": 1, "l2_overhead_bytes_per_packet": 7},
    "tx_ring": {"unit": "packets", "limit": 4},
    "scheduler": "cbwfq",
    "queues": [
        {"name": "c", "kind": "class-default", "bandwidth_percent": 100, "queue_limit_packets": 99}
    ],
    "traffic": [
        {
            "group": "A",
            "queue": "c",
            "tcp_flows": 1,
            "base_rtt_ms": 50,
            "ip_packet_bytes": 1500,
            "receiver_window_packets": 44,
        }
    ],
}
SLOWER_THAN_ALLOWED = """\
import sys
from msgspec.structs import replace
from advisor.cli import main, predict_jobs

def slow(text, file):
    (scenario,) = allowed(text, file)
    print("read", flush=True)
    return (replace(scenario, link=replace(scenario.link, rate_kbps=1e-9)),)

allowed, predict_jobs.read_scenarios = predict_jobs.read_scenarios, slow
main()
"""


@pytest.mark.parametrize(("end", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_solution_that_takes_minutes(
    end: signal.Signals, code: int, tmp_path: Path
) -> None:
    (tmp_path / "slow.json").write_text(json.dumps(FLOW_ON_A_SLOW_LINK), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", SLOWER_THAN_ALLOWED, "predict", "--scenario", "slow.json"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "read\n"
    time.sleep(1)  # it is in the kernel, which takes no signal
    process.send_signal(end)
    assert process.communicate(timeout=10)[1] == ""
    assert process.returncode == code


def test_pipe_below_a_folder_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "r1.cfg").write_text(CONFIG, encoding="utf-8")
    said = advisor("lint", ".", "--fail-on", "never", cwd=tmp_path)
    assert "./pipe: skipped, not a regular file" in said.stderr


CRASHING = """\
import sys
from advisor.cli import lint_jobs, run

def lint(options):
    secret = "s3nt1nel"
    raise KeyError(f"password {secret}")

lint_jobs.lint = lint
sys.exit(run(sys.argv[1:]))
"""


def test_defect_leaves_a_report_without_any_input(tmp_path: Path) -> None:
    program = [sys.executable, "-c", CRASHING]
    said = advisor("lint", "-", cwd=tmp_path, program=program)
    assert said.returncode == 4
    assert "Traceback" not in said.stderr
    assert "internal error (KeyError)" in said.stderr
    report = Path(said.stderr.split()[-1])
    try:
        text = report.read_text(encoding="utf-8")
        assert report.stat().st_mode & 0o777 == 0o600
    finally:
        report.unlink()
    assert "KeyError" in text
    assert "in lint" in text
    assert "s3nt1nel" not in text + said.stderr


def test_terminal_is_shown_color(tmp_path: Path) -> None:
    (tmp_path / "r1.cfg").write_text(CONFIG, encoding="utf-8")
    assert "\x1b[1;31mcheck[REF001]" in on_a_terminal(tmp_path, "lint", "r1.cfg")


def test_terminal_is_shown_no_color_where_declined(tmp_path: Path) -> None:
    (tmp_path / "r1.cfg").write_text(CONFIG, encoding="utf-8")
    assert "\x1b" not in on_a_terminal(tmp_path, "lint", "r1.cfg", "--no-color")


def on_a_terminal(cwd: Path, *arguments: str) -> str:
    reader, terminal = pty.openpty()
    environment = {**ENVIRONMENT, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [*ADVISOR, *arguments], cwd=cwd, env=environment, stdout=terminal, stderr=terminal
    )
    os.close(terminal)
    said = b""
    try:
        while piece := os.read(reader, 65536):
            said += piece
    except OSError:  # how Linux says that the other end is closed
        pass
    process.wait(timeout=60)
    os.close(reader)
    return said.decode()


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_start_up_imports_nothing_heavy(argument: str, tmp_path: Path) -> None:
    heavy = {
        "rich",
        "msgspec",
        "jinja2",
        "advisor.lint.judge",
        "advisor.lint.checks",
        "advisor.settings",
        "tomllib",
    }
    program = (
        "import sys; from advisor.cli import run; run(sys.argv[1:]);"
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    said = advisor(argument, cwd=tmp_path, program=[sys.executable, "-c", program])
    assert said.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("form", "unused"),
    [
        pytest.param("full", {"advisor.report.json_report", "advisor.report.plans"}, id="full"),
        pytest.param("json", {"advisor.report.lint_text", "advisor.report.plans"}, id="json"),
    ],
)
def test_clean_config_waits_for_nothing_it_does_not_need(
    form: str, unused: set[str], tmp_path: Path
) -> None:
    (tmp_path / "r1.cfg").write_text("version 15.1\nhostname R1\nend\n", encoding="utf-8")
    readers = {"advisor.shows.observe", "advisor.shows.interfaces.reader", "advisor.shows.atm"}
    heavy = {
        "jinja2",
        "textfsm",
        "rich",
        "statistics",
        "importlib.metadata",
        "advisor.capture.read_bundle",
        "advisor.device.inspection",
        *readers,
        *unused,
    }
    program = (
        "import sys; from advisor.cli import run; run(sys.argv[1:]);"
        f"sys.stderr.write(str(sorted({heavy} & set(sys.modules))))"
    )
    said = advisor(
        *("lint", "r1.cfg", "--format", form),
        cwd=tmp_path,
        program=[sys.executable, "-c", program],
    )
    assert said.stderr == "[]"


def test_report_is_printed_where_the_terminal_knows_ascii_alone(tmp_path: Path) -> None:
    (tmp_path / "r1.cfg").write_bytes(b"interface Serial0/0\n service-policy output caf\xe9\n")
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "ascii"}
    said = subprocess.run(
        [*ADVISOR, "lint", "r1.cfg"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert said.returncode == 1
    assert b"caf\\xe9" in said.stdout
