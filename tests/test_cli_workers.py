"""`--workers` and `--scheduler`: the same report from as many processes as are asked for."""

import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from advisor.cli import run
from advisor.cli.workers import Bar, executor
from advisor.device.device import Device
from advisor.device.sources import in_this_process
from advisor.lint.cards import Rule
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.rulebook import rules_of
from advisor.settings import Settings
from tests.support.runs import branches

Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three routers."""
    monkeypatch.chdir(tmp_path)
    for source in branches(3):
        (tmp_path / source.name).write_bytes(source.payload)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["lint", ".", "--format", "json"], id="lint"),
        pytest.param(["fix", ".", "--format", "diff"], id="fix as a diff"),
    ],
)
def test_processes_print_what_one_prints(arguments: list[str], capsys: Said) -> None:
    code = run([*arguments, "--workers", "1"])
    one = capsys.readouterr()

    assert run([*arguments, "--workers", "2"]) == code
    assert capsys.readouterr() == one


def kills(device: Device, _: object) -> Iterator[Hit[Any] | Skip]:
    """End the process of a worker that judges one device."""
    if device.name == "branch1" and parent_process() is not None:
        os._exit(9)
    return iter(())


def with_a_rule_that_kills(settings: Settings) -> list[Rule]:
    rules = rules_of(settings)
    bad = rules[0]
    card = replace(bad.card, id="BAD001", name="bad-rule")
    return [replace(bad, card=card, bound=replace(bad.check, find=kills)), *rules]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["lint", "fix"])
def test_a_file_that_kills_its_worker_twice_is_a_fault_of_its_device(
    command: str, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.lint.rulebook.rules_of", with_a_rule_that_kills)
    files = [source.name for source in branches(3)]

    assert run([command, *files, "--workers", "2"]) == 4

    said = capsys.readouterr()
    assert "a worker process died: what it was judging is judged again" in said.err
    assert "branch1.ios: internal error (ended two worker processes)" in said.out + said.err
    assert "branch0" in said.out
    assert "branch2" in said.out


def is_alive(process: int) -> bool:
    try:
        return bool(Path(f"/proc/{process}/cmdline").read_bytes())
    except OSError:
        return False


def children_of(process: int) -> list[int]:
    file = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in file.read_text("ascii").split()]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc to look into")
@pytest.mark.parametrize(
    ("end", "code"),
    [
        pytest.param(signal.SIGINT, 130, id="Ctrl-C"),
        pytest.param(signal.SIGKILL, -signal.SIGKILL, id="killed outright"),
    ],
)
def test_processes_end_with_the_command(end: signal.Signals, code: int, folder: Path) -> None:
    for source in branches(200):
        (folder / source.name).write_bytes(source.payload)
    arguments = [sys.executable, "-m", "advisor", "lint", ".", "--workers", "2"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with (folder / "said").open("wb") as said:
        command = subprocess.Popen(  # noqa: S603
            arguments, stdout=subprocess.DEVNULL, stderr=said, env=environment
        )
        while len(workers := children_of(command.pid)) < 3:  # two, and what tracks resources
            time.sleep(0.01)
        for process in (command.pid, *workers) if end == signal.SIGINT else (command.pid,):
            os.kill(process, end)

        assert command.wait(60) == code
    left = time.monotonic() + 20
    while any(map(is_alive, workers)):
        assert time.monotonic() < left
        time.sleep(0.05)
    if end == signal.SIGINT:  # a process that was about to start when its parent is killed has one
        assert b"Traceback" not in (folder / "said").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc to look into")
@pytest.mark.parametrize(
    ("end", "gaps_s", "code"),
    [
        pytest.param(signal.SIGINT, (0.03,), 130, id="Ctrl-C twice at once"),
        pytest.param(signal.SIGINT, (0.05,) * 5, 130, id="Ctrl-C many times"),
        pytest.param(signal.SIGTERM, (0.05,), 143, id="SIGTERM twice"),
    ],
)
def test_signals_to_the_whole_group_end_it_without_words(
    end: signal.Signals, gaps_s: tuple[float, ...], code: int, folder: Path
) -> None:
    for source in branches(200):
        (folder / source.name).write_bytes(source.payload)
    arguments = [sys.executable, "-m", "advisor", "lint", ".", "--workers", "2"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with (folder / "said").open("wb") as said:
        command = subprocess.Popen(  # noqa: S603
            [*arguments, "--output", "report"],
            stderr=said,
            env=environment,
            start_new_session=True,
        )
        while len(children_of(command.pid)) < 3:
            time.sleep(0.01)
        time.sleep(0.3)
        os.killpg(command.pid, end)
        for gap_s in gaps_s:
            time.sleep(gap_s)
            os.killpg(command.pid, end)  # a process that nobody has waited for is still there

        assert command.wait(20) == code
    assert (folder / "said").read_bytes() == b""
    assert not (folder / "report").exists()


@pytest.mark.parametrize(
    ("workers", "paths", "is_here"),
    [
        pytest.param(None, ["branch0.ios"], True, id="one file: this process"),
        pytest.param(None, ["branch0.ios", "branch1.ios"], True, id="a few files"),
        pytest.param(None, ["."], False, id="a folder: one for each core"),
        pytest.param(None, ["*.ios"], False, id="a pattern: one for each core"),
        pytest.param(1, ["."], True, id="one is asked for"),
        pytest.param(2, ["branch0.ios"], False, id="two are asked for"),
    ],
)
def test_where_devices_are_judged(
    workers: int | None, paths: list[str], is_here: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.lint.many.cores", lambda: 2)

    with executor(paths, workers) as judging:
        assert (judging is in_this_process) is is_here


def test_a_folder_of_a_few_devices_starts_no_process(
    monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setattr("advisor.lint.many.cores", lambda: 2)
    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", pytest.fail)

    run(["lint", ".", "--format", "concise"])

    assert "branch2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--workers", "0"], "0", id="no worker"),
        pytest.param(["--scheduler", "tcp://127.0.0.1:1"], "cannot be reached", id="no scheduler"),
        pytest.param(["--scheduler", "nonsense://x"], "cannot be reached", id="no such protocol"),
        pytest.param(
            ["--scheduler", "tcp://127.0.0.1:1", "--workers", "2"], "leave out one", id="both"
        ),
    ],
)
@pytest.mark.filterwarnings("default")
def test_wrong_use(
    arguments: list[str], said: str, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    monkeypatch.setattr("advisor.lint.many._CONNECT_S", 0.5)

    assert run(["lint", "branch0.ios", *arguments]) == 2

    assert said in capsys.readouterr().err


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "quiet", "total", "is_shown"),
    [
        pytest.param(Terminal(), False, 100, True, id="a terminal"),
        pytest.param(Terminal(), False, 10, False, id="a few devices"),
        pytest.param(Terminal(), True, 100, False, id="--quiet"),
        pytest.param(io.StringIO(), False, 100, False, id="a pipe"),
    ],
)
def test_progress(
    stream: io.StringIO,
    quiet: bool,
    total: int,
    is_shown: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)

    with Bar(quiet=quiet) as bar:
        bar(1, total)
        bar(total, total)

    assert ("judging" in stream.getvalue()) is is_shown


@pytest.mark.parametrize(
    ("seconds", "is_shown"), [(1.0, False), (3.0, True)], ids=["soon over", "slow ones"]
)
def test_progress_of_a_few_devices(
    seconds: float, is_shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream, now_s = Terminal(), [0.0]
    monkeypatch.setattr(sys, "stderr", stream)

    with Bar(quiet=False, now_s=lambda: now_s[0]) as bar:
        now_s[0] = seconds
        bar(1, 10)
        bar(10, 10)

    assert ("judging" in stream.getvalue()) is is_shown


def test_progress_shows_the_rate_since_the_first_device(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, now_s = Terminal(), [0.0]
    monkeypatch.setattr(sys, "stderr", stream)

    with Bar(quiet=False, now_s=lambda: now_s[0]) as bar:
        for now_s[0], count in ((9.0, 1), (10.0, 51), (11.0, 101)):
            bar(count, 1000)

    assert "50/s" in stream.getvalue()


@pytest.mark.parametrize("is_plain", [True, False], ids=["--no-color", "with colour"])
def test_colour_of_progress(is_plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)

    with Bar(quiet=False, is_plain=is_plain) as bar:
        bar(50, 100)

    assert bool(re.search(r"\x1b\[[0-9;]*3\d", stream.getvalue())) is not is_plain


def test_a_run_over_one_file_loads_nothing_of_this(
    capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Put back after it: a module loaded twice has its functions twice, and no worker can take them.
    for name in ("advisor.lint.many", "rich.progress", "distributed"):
        monkeypatch.delitem(sys.modules, name, raising=False)

    run(["lint", "branch0.ios"])

    assert capsys.readouterr().out
    assert not {"advisor.lint.many", "rich.progress", "distributed"} & sys.modules.keys()
