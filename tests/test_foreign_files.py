"""Files of other systems are skipped beside routers, and make a run incomplete where named alone."""

import json
from pathlib import Path

import pytest

from advisor import api
from advisor.cli import run

Said = pytest.CaptureFixture[str]

ROUTER = """
version 15.2
hostname r1
!
interface Serial0/0
 ip address 192.0.2.1 255.255.255.252
!
end
"""
ASA = ": Saved\nASA Version 9.1(5)\nhostname fw1\ninterface GigabitEthernet0/0\n nameif outside\n"
NXOS = "!Command: show running-config\nversion 9.2(3) Bios:version\nhostname n9k-1\nfeature bgp\n"
SWITCH = """
version 15.0
hostname sw1
!
mls qos
!
interface GigabitEthernet1/0/1
 priority-queue out
 mls qos trust dscp
!
end
"""
FILES = {"r1.cfg": ROUTER, "asa/fw1.cfg": ASA, "asa/fw2.cfg": ASA, "n9k.cfg": NXOS}


@pytest.fixture
def backups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        file = tmp_path / "backups" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "backups"


LINE = "3 files: recognised and skipped: 2 Cisco ASA, 1 Cisco NX-OS; -v lists them"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        pytest.param("lint backups", 0, f"info[PRS004] {LINE}", id="a folder"),
        pytest.param("lint backups/**", 0, f"info[PRS004] {LINE}", id="a glob"),
        pytest.param("lint backups --format markdown", 0, "recognised and skipped", id="a comment"),
        pytest.param(
            "lint backups/r1.cfg backups/n9k.cfg", 0, "info[PRS004]",
            id="a glob of the shell names each file",
        ),
        pytest.param("lint backups/n9k.cfg", 3, "error[PRS004]", id="named alone"),
        pytest.param("lint backups/asa", 3, "nothing to judge", id="a folder of nothing else"),
        pytest.param("lint backups --fail-on info", 0, LINE, id="whatever fails the run"),
        pytest.param("fix backups", 0, "", id="fix of a folder"),
        pytest.param("fix backups/n9k.cfg", 3, "", id="fix of one file"),
        pytest.param("inspect backups", 0, "", id="inspect of a folder"),
        pytest.param("inspect backups/asa", 3, "nothing to judge", id="inspect of nothing else"),
        pytest.param("baseline backups --out -", 0, "PRS004", id="baseline of a folder"),
        pytest.param("diff backups backups", 0, "", id="diff of folders"),
        pytest.param("predict backups/n9k.cfg", 3, "is Cisco NX-OS", id="predict of one file"),
    ],
)  # fmt: skip
def test_exit_codes(backups: Path, arguments: str, code: int, said: str, capsys: Said) -> None:
    assert backups.is_dir()
    assert run(arguments.split()) == code
    shown = capsys.readouterr()
    assert said in shown.out + shown.err


def test_json_holds_each_file_as_information(backups: Path, capsys: Said) -> None:
    assert run(["lint", str(backups), "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["complete"]
    severities = [each["severity"] for each in report["findings"] if each["rule"] == "PRS004"]
    assert severities == ["info"] * 3
    systems = [each["other_system"] for each in report["coverage"]]
    assert sorted(filter(None, systems)) == ["Cisco ASA", "Cisco ASA", "Cisco NX-OS"]


@pytest.mark.parametrize(
    ("exclude", "left"),
    [
        pytest.param(["asa"], ["n9k.cfg", "r1.cfg"], id="a folder by its name"),
        pytest.param(["fw*"], ["n9k.cfg", "r1.cfg"], id="files by their names"),
        pytest.param(["asa/*2.cfg"], ["fw1.cfg", "n9k.cfg", "r1.cfg"], id="a path by its end"),
        pytest.param(["backups/asa/"], ["n9k.cfg", "r1.cfg"], id="all below a path"),
        pytest.param(["back*"], ["fw1.cfg", "fw2.cfg", "n9k.cfg", "r1.cfg"], id="what was typed stays"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("place", ["flag", "file", "api"])
def test_excluded(
    backups: Path, exclude: list[str], left: list[str], place: str, capsys: Said
) -> None:
    flags = [f"--exclude={each}" for each in exclude if place == "flag"]
    if place == "file":
        (backups.parent / "advisor.toml").write_text(f"exclude = {json.dumps(exclude)}\n")
    if place == "api":
        names = [source.name for source in api.read("backups", exclude=exclude).sources]
    else:
        run(["lint", "backups", "--format", "json", *flags])
        names = [each["file"] for each in json.loads(capsys.readouterr().out)["coverage"]]
    assert sorted(Path(name).name for name in names) == left


def test_a_named_file_that_is_excluded_is_left_out(backups: Path, capsys: Said) -> None:
    paths = [str(backups / name) for name in ("r1.cfg", "n9k.cfg")]
    assert run(["lint", *paths, "--exclude", "n9k*"]) == 0
    shown = capsys.readouterr()
    assert "PRS004" not in shown.out
    assert "excluded: 1 file or folder" in shown.err


def test_a_switch_with_mls_qos_is_one_line_and_no_exit_code(tmp_path: Path, capsys: Said) -> None:
    (tmp_path / "sw1.cfg").write_text(SWITCH)
    assert run(["lint", str(tmp_path / "sw1.cfg")]) == 0
    assert capsys.readouterr().out.count("info[PLT001]") == 1


def test_a_text_in_the_code_of_a_word_processor_makes_the_folder_incomplete(
    backups: Path, capsys: Said
) -> None:
    (backups / "from-word.cfg").write_text("{\\rtf1\\ansi version 15.1\\par\nhostname r2\\par\n")
    assert run(["lint", "backups"]) == 3
    assert "incomplete: backups/from-word.cfg: RTF, PDF or encoded mail" in capsys.readouterr().out
