"""Daily use of `lint` and `fix`: statistics, watching, applying to a file, a first settings file."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.report.terminal import columns_of

FIXTURE = Path(__file__).parents[1] / "fixtures/configs/wan-edge-512k.ios"
LOOSE = """\
hostname r1
interface Serial0/0/0
 bandwidth 512
 service-policy output EDGE
"""
Said = pytest.CaptureFixture[str]
pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r1.cfg").write_bytes(FIXTURE.read_bytes())
    (tmp_path / "r2.cfg").write_text(LOOSE, encoding="utf-8")
    return tmp_path


def printed(said: Said, *arguments: str) -> str:
    run(list(arguments))
    return said.readouterr().out


def test_statistics_count_what_json_lists(capsys: Said) -> None:
    found = json.loads(printed(capsys, "lint", ".", "--format", "json"))["findings"]
    rows = json.loads(printed(capsys, "lint", ".", "--format", "json", "--statistics"))
    assert {row["rule"]: row["findings"] for row in rows} == {
        rule: sum(finding["rule"] == rule for finding in found)
        for rule in {finding["rule"] for finding in found}
    }


def test_statistics_begin_with_errors(capsys: Said) -> None:
    first = printed(capsys, "lint", ".", "--statistics", "--quiet").splitlines()[0]
    assert first.split() == [
        "1",
        "finding",
        "on",
        "1",
        "device",
        "error",
        "REF001",
        *first.split()[7:],
    ]


def test_statistics_end_with_the_summary(capsys: Said) -> None:
    assert "1 error, 3 warnings" in printed(capsys, "lint", ".", "--statistics").splitlines()[-1]


def test_statistics_line_up(capsys: Said) -> None:
    lines = printed(capsys, "lint", ".", "--statistics", "--quiet").splitlines()
    assert len({columns_of(line[: line.index(" on ")]) for line in lines}) == 1


def test_statistics_have_two_formats(capsys: Said) -> None:
    assert run(["lint", ".", "--statistics", "--format", "sarif"]) == 2
    assert "--statistics: has the formats full and json" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["r2.cfg"], 1, id="findings fail"),
        pytest.param(["r2.cfg", "--exit-zero"], 0, id="findings do not fail with it"),
        pytest.param(
            ["r1.cfg", "none.cfg", "--exit-zero"], 2, id="a wrong path fails all the same"
        ),
    ],
)
def test_exit_zero(arguments: list[str], code: int) -> None:
    assert run(["lint", *arguments]) == code


def test_exit_zero_of_an_incomplete_verdict(here: Path) -> None:
    (here / "cut.cfg").write_text("hostname r3\ninterface Serial0/0\n <output omitted>\n", "utf-8")
    assert run(["lint", "cut.cfg"]) == 3
    assert run(["lint", "cut.cfg", "--exit-zero"]) == 0


def test_the_applied_config_has_no_finding_that_lines_cure(capsys: Said) -> None:
    assert run(["fix", "r1.cfg", "--apply-to", "new.cfg"]) == 0
    assert "new.cfg: written, with" in capsys.readouterr().err
    assert "0 findings cured by lines to paste" in _said_by_fix(capsys, "new.cfg")


def _said_by_fix(capsys: Said, file: str) -> str:
    run(["fix", file])
    return capsys.readouterr().err


def test_the_config_itself_may_take_the_lines(capsys: Said) -> None:
    assert run(["fix", "r1.cfg", "--apply-to", "r1.cfg"]) == 0
    assert "0 findings cured by lines to paste" in _said_by_fix(capsys, "r1.cfg")


def test_line_ends_of_windows_stay(here: Path) -> None:
    (here / "w.cfg").write_bytes(FIXTURE.read_bytes().replace(b"\n", b"\r\n"))
    run(["fix", "w.cfg", "--apply-to", "w.cfg"])
    now = (here / "w.cfg").read_bytes()
    assert now.count(b"\n") == now.count(b"\r\n") > 10


def test_a_secret_of_the_config_stays(here: Path) -> None:
    secret = b"ip http client username u\nenable secret 5 $1$abcd$wJkq2Yb6/WvWkT0pBq1gB0\n"
    url = b"kron policy-list X\n cli copy run ftp://bob:xyzzy@192.0.2.1/x\n"
    (here / "r1.cfg").write_bytes(FIXTURE.read_bytes().replace(b"end\n", secret + url + b"end\n"))
    run(["fix", "r1.cfg", "--apply-to", "new.cfg"])
    assert (secret + url) in (here / "new.cfg").read_bytes()


@pytest.mark.parametrize(
    ("prepare", "arguments", "said"),
    [
        pytest.param("log", ["log.txt", "--apply-to", "log.txt"], "holds other text", id="a log"),
        pytest.param("two", [".", "--apply-to", "new.cfg"], "name one with --device", id="two"),
    ],
)
def test_what_cannot_be_applied_is_said_and_nothing_is_written(
    here: Path, capsys: Said, prepare: str, arguments: list[str], said: str
) -> None:
    text = FIXTURE.read_text("utf-8")
    if prepare == "log":
        log = f"r1#show running-config\n{text}\nr1#show clock\n10:00:00 UTC\nr1#\n"
        (here / "log.txt").write_text(log, encoding="utf-8")
    else:
        other = text.replace("hostname br-lisbon", "hostname br-porto")
        (here / "r3.cfg").write_text(other, encoding="utf-8")
    before = {path: path.read_bytes() for path in here.iterdir()}
    assert run(["fix", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert {path: path.read_bytes() for path in here.iterdir()} == before


def test_a_plan_without_lines_writes_nothing(here: Path, capsys: Said) -> None:
    run(["fix", "r2.cfg", "--apply-to", "new.cfg"])
    assert "new.cfg: not written; the plan has no lines" in capsys.readouterr().err
    assert not (here / "new.cfg").exists()


def test_a_first_settings_file_states_the_profile(capsys: Said) -> None:
    assert run(["config", "init", "--profile", "strict"]) == 0
    capsys.readouterr()
    assert 'profile = "strict"  # advisor.toml:4' in printed(capsys, "config", "show")


def test_each_comment_of_it_is_a_setting(here: Path, capsys: Said) -> None:
    run(["config", "init"])
    text = (here / "advisor.toml").read_text("utf-8")
    _head, _, rest = text.partition("\n\n")
    (here / "advisor.toml").write_text(
        "\n".join(line.removeprefix("# ") for line in rest.splitlines()), encoding="utf-8"
    )
    capsys.readouterr()
    assert run(["config", "show"]) == 0
    assert "ring_wait_ms = 25.0  # advisor.toml:" in capsys.readouterr().out


def test_a_settings_file_that_exists_stays(here: Path) -> None:
    (here / "advisor.toml").write_text('profile = "data"\n', "utf-8")
    assert run(["config", "init"]) == 2
    assert (here / "advisor.toml").read_text("utf-8") == 'profile = "data"\n'


def test_an_unknown_profile_is_wrong_use(capsys: Said) -> None:
    assert run(["config", "init", "--profile", "strikt"]) == 2
    assert "strict" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("version", "is_said"),
    [pytest.param("0.0.9", True, id="older"), pytest.param("0.1.0", False, id="the same")],
)
def test_rules_that_a_baseline_did_not_have_are_named(
    here: Path, capsys: Said, version: str, is_said: bool
) -> None:
    run(["baseline", "r1.cfg", "--out", "b.json"])
    baseline = json.loads((here / "b.json").read_text("utf-8"))
    baseline |= {"version": version, "findings": []}
    (here / "b.json").write_text(json.dumps(baseline), encoding="utf-8")
    capsys.readouterr()
    run(["lint", "r1.cfg", "--baseline", "b.json"])
    said = f"rules that b.json of version {version} did not have: "
    assert (said in capsys.readouterr().err) == is_said


def test_files_that_are_all_excluded_are_no_fault(here: Path) -> None:
    (here / "asa1.cfg").write_text("ASA Version 9.1\n", encoding="utf-8")
    assert run(["lint", "asa1.cfg", "--exclude", "asa*"]) == 0
    assert run(["lint", ".", "--exclude", "*.cfg"]) == 2


def test_a_baseline_counts_as_gone_what_it_has_of_devices_that_were_read(
    here: Path, capsys: Said
) -> None:
    run(["baseline", ".", "--out", "b.json"])
    (here / "r2.cfg").write_text("hostname r1\nend\n", encoding="utf-8")
    capsys.readouterr()
    run(["lint", "r1.cfg", "--baseline", "b.json"])
    assert "not found any more" not in capsys.readouterr().err
    run(["lint", "r2.cfg", "--baseline", "b.json"])
    assert "1 finding of b.json not found any more" in capsys.readouterr().err


def test_a_path_that_is_wrong_leaves_a_baseline_as_it_is(here: Path) -> None:
    (here / "b.json").write_text("kept", encoding="utf-8")
    assert run(["baseline", "typo.cfg", "--out", "b.json"]) == 2
    assert (here / "b.json").read_text("utf-8") == "kept"


@pytest.fixture
def watching(here: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "advisor", "lint", "r2.cfg", "--watch", "--format", "concise"]
    with subprocess.Popen(  # noqa: S603 -- our own command
        command, cwd=here, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        yield process
        process.kill()


def _until_it_waits(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        if "watching; Ctrl-C ends" in line:
            break
        lines.append(line)
    return "".join(lines)


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT of one process")
def test_watching_checks_again_after_a_change_and_ends_with_the_last_code(
    here: Path, watching: subprocess.Popen[str]
) -> None:
    assert "REF001" in _until_it_waits(watching)
    (here / "r2.cfg").write_text("hostname r1\ninterface Serial0/0/0\n bandwidth 512\n", "utf-8")
    assert "REF001" not in _until_it_waits(watching)
    watching.send_signal(signal.SIGINT)
    assert watching.wait(10) == 0


def test_standard_input_is_not_watched(capsys: Said) -> None:
    assert run(["lint", "-", "--watch"]) == 2
    assert "--watch: only files and folders can be watched" in capsys.readouterr().err
