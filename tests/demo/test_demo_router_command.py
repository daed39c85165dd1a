"""`advisor demo-router` as a process."""

# ruff: noqa: S603 -- the program is the one under test

import os
import signal
import socket
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from advisor.cli import run
from advisor.collect.demo.script import DemoFault

pytestmark = pytest.mark.slow


ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("ADVISOR_")},
    "PYTHONPATH": str(ROOT),
    "PYTHONWARNINGS": "error",
}
DEMO = [sys.executable, "-m", "advisor", "demo-router"]


def test_it_says_where_it_is_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*DEMO, "--count", "2", "--write-inventory", str(tmp_path)],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        said = list(takewhile(lambda line: not line.startswith("Ctrl-C"), process.stdout))
        hosts = YAML(typ="safe").load((tmp_path / "hosts.yaml").read_text())
        with socket.create_connection(("127.0.0.1", hosts["demo-2"]["port"])) as line:
            assert line.recv(8) == b"SSH-2.0-"
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert said[1] == f"demo-branch-2  127.0.0.1:{hosts['demo-2']['port']}\n"
    assert said[3] == "User advisor, password demo. In another terminal:\n"
    known = (tmp_path / "known_hosts").read_text().splitlines()
    assert [each.split()[0] for each in known[1:]] == [
        f"[127.0.0.1]:{host['port']}" for host in hosts.values()
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["--fault", "x"], "--fault x: unknown; it takes refused", id="a fault that is none"
        ),
        pytest.param(["--bundle", "no"], "--bundle no: no such folder", id="no bundle"),
        pytest.param(["--port", "65535", "--count", "2"], "end above 65535", id="ports run out"),
        pytest.param(["--bundle", "empty"], "holds no output of a command", id="an empty bundle"),
        pytest.param(
            ["--write-inventory", "taken"], "was not written by demo-router", id="another's file"
        ),
    ],
)
def test_wrong_use_is_said(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "hosts.yaml").write_text("mine: {}\n")
    assert run(["demo-router", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "advisor.collect.demo.ssh_server", raising=False)
    monkeypatch.delitem(sys.modules, "advisor.collect.demo.ssh_server", raising=False)
    monkeypatch.setitem(sys.modules, "asyncssh", None)
    assert run(["demo-router"]) == 2
    said = capsys.readouterr().err
    assert "demo-router needs asyncssh: pip install " in said
    assert "[demo]" in said


def test_every_fault_is_explained() -> None:
    assert all(fault.words for fault in DemoFault)
