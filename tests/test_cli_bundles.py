"""Bundles on the command line: found in folders, read once, mixed with loose files."""

import json
import shutil
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.device.inputs import Inputs

ROOT = Path(__file__).resolve().parent.parent
A1, HEAD1 = ROOT / "fixtures/bundles/a1", ROOT / "fixtures/bundles/head1-incomplete"
CONFIG = "version 15.1\nhostname R1\ninterface Serial0/0\n bandwidth 512\nend\n"
CPU = "R1#show processes cpu\nCPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: 5%\n"

Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(A1, "fleet/a1")
    Path("fleet/r1.cfg").write_text(CONFIG, encoding="utf-8")
    Path("fleet/r1-cpu.txt").write_text(CPU, encoding="utf-8")
    return tmp_path


def report_on(arguments: str, capsys: Said) -> dict[str, list[dict[str, object]]]:
    run(["lint", *arguments.split(), "--format", "json"])
    report: dict[str, list[dict[str, object]]] = json.loads(capsys.readouterr().out)
    return report


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param("fleet/a1", ["fleet/a1"], id="a bundle"),
        pytest.param("fleet/a1/", ["fleet/a1/"], id="a bundle with a slash"),
        pytest.param("fleet/a1/manifest.json", ["fleet/a1"], id="its manifest stands for it"),
        pytest.param("fleet/a1/*", ["fleet/a1"], id="a glob of all its files"),
        pytest.param(
            "fleet/a1 fleet/a1/running-config", ["fleet/a1"], id="a file of it is not read twice"
        ),
        pytest.param(
            "fleet/a1/running-config",
            ["fleet/a1/running-config"],
            id="a file of it alone is a loose file",
        ),
        pytest.param(
            "fleet",
            ["fleet/r1-cpu.txt", "fleet/r1.cfg", "fleet/a1"],
            id="a folder with a bundle and loose files",
        ),
        pytest.param(
            "fleet/r1.cfg ./fleet/r1.cfg fleet/../fleet/r1.cfg",
            ["fleet/r1.cfg"],
            id="a file spelled in three ways",
        ),
    ],
)
def test_what_is_read(arguments: str, expected: list[str]) -> None:
    assert [source.name for source in Inputs(arguments.split())] == expected


def test_hidden_files_of_a_bundle_are_left_alone(capsys: Said) -> None:
    Path("fleet/a1/.swp").write_text("no text of a router", encoding="utf-8")
    assert len(report_on("fleet/a1", capsys)["coverage"]) == 1


def test_loose_outputs_join_the_config_of_their_host(capsys: Said) -> None:
    report = report_on("fleet", capsys)
    devices = {each["device"]: each["captured"] for each in report["devices"]}
    assert devices["R1"] == ["show processes cpu"]
    assert "show policy-map interface" in devices["a1"]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(f"{A1} --select REF", 0, id="a whole bundle without findings"),
        pytest.param(f"{A1}", 1, id="a whole bundle with findings"),
        pytest.param(f"{HEAD1} --select REF", 3, id="a bundle that lacks outputs is incomplete"),
        pytest.param(f"{HEAD1} none --select REF", 2, id="a path that is not there wins"),
        pytest.param("fleet --select REF", 0, id="a folder with bundles and loose files"),
    ],
)
def test_exit_code(arguments: str, code: int) -> None:
    assert run(["lint", *arguments.split(), "-q"]) == code


def test_gaps_of_a_bundle_are_why_it_is_incomplete(capsys: Said) -> None:
    assert run(["lint", str(HEAD1), "--ignore", "DLS008", "--format", "json"]) == 3
    incomplete = json.loads(capsys.readouterr().out)["incomplete"]
    assert f"{HEAD1}: show running-config: missing, privilege 1 is too low" in incomplete


def test_manifest_of_something_else_leaves_loose_files(capsys: Said) -> None:
    Path("fleet/manifest.json").write_text('{"name": "a web page"}', encoding="utf-8")
    assert run(["lint", "fleet", "--format", "json"]) == 1
    said = capsys.readouterr()
    files = [each["file"] for each in json.loads(said.out)["coverage"]]
    assert files == ["fleet/r1.cfg", "fleet/r1-cpu.txt", "fleet/a1"]
    assert "fleet: manifest.json: unreadable" in said.err
    assert "its files are read one by one" in said.err


def test_each_pass_reads_the_same_and_says_it_once() -> None:
    Path("fleet/image.bin").write_bytes(b"\0")
    inputs = Inputs(["fleet", "none.cfg"])
    first, second = ([each.name for each in inputs] for _ in range(2))
    assert first == second
    assert inputs.unreadable == ["none.cfg: No such file or directory"]
    assert inputs.notes == ["fleet/image.bin: skipped, looks binary"]


def test_warnings_are_not_doubled(capsys: Said) -> None:
    Path("fleet/image.bin").write_bytes(b"\0")
    run(["lint", "fleet", "none.cfg"])
    assert sorted(capsys.readouterr().err.splitlines()) == [
        "advisor: fleet/image.bin: skipped, looks binary",
        "advisor: none.cfg: No such file or directory",
    ]


@pytest.mark.parametrize(("name", "is_said"), [("R9", True), ("A1", False), ("a1.lan", False)])
def test_a_bundle_whose_manifest_names_another_device_is_said(
    name: str, is_said: bool, capsys: Said
) -> None:
    manifest = Path("fleet/a1/manifest.json")
    manifest.write_text(json.dumps(json.loads(manifest.read_text("utf-8")) | {"device": name}))
    (covered,) = report_on("fleet/a1", capsys)["coverage"]
    assert f"the manifest names {name}, and the configuration a1" in str(covered) or not is_said
    assert ("the manifest names" in str(covered)) is is_said


def test_a_bundle_is_predicted(capsys: Said) -> None:
    assert run(["predict", "fleet/a1"]) == 0
    assert capsys.readouterr().out.startswith("a1: interface Serial0/1/0\n  Echo waits ")


def test_the_config_of_a_bundle_is_what_a_diff_edits(capsys: Said) -> None:
    assert run(["fix", "fleet/a1", "--format", "diff"]) == 0
    assert capsys.readouterr().out.startswith("--- a/fleet/a1/running-config\n")


class TestVerbose:
    def said(self, arguments: str, capsys: Said) -> list[str]:
        run(["lint", *arguments.split(), "-v", "--quiet"])
        return capsys.readouterr().err.splitlines()

    def test_each_part_is_said_with_how_it_is_known_and_when_it_was_taken(
        self, capsys: Said
    ) -> None:
        assert (
            "advisor: fleet/a1/show_version.txt:1: show version (named by the manifest), "
            "taken 2008-04-18 13:16:02 UTC, manifest"
        ) in self.said("fleet/a1", capsys)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            pytest.param(CONFIG, ["r.txt:1: configuration"], id="a configuration"),
            pytest.param(CPU, ["r.txt:1: show processes cpu (typed at a prompt)"], id="an output"),
            pytest.param(
                "R1#sh run\n" + CONFIG + CPU,
                [
                    "r.txt:1: configuration of show running-config (typed at a prompt)",
                    "r.txt:7: show processes cpu (typed at a prompt)",
                ],
                id="a session with both",
            ),
            pytest.param(
                "R1#sh ver\n% Incomplete command.\n",
                ["r.txt:1: show version (typed at a prompt); % Incomplete command."],
                id="a refused command",
            ),
            pytest.param(
                "R1#show users\n   Line  User\n*  0 con 0\n",
                ["r.txt:1: show users (typed at a prompt); show users: kept, not read"],
                id="an output that nothing reads",
            ),
            pytest.param(
                "!Command: show running-config\nversion 5.2(1)N1(1)\nfeature telnet\nvdc leaf id 1\n"
                "vrf context management\ninterface Ethernet1/1\n  switchport\n",
                ["r.txt:1: configuration; Cisco NX-OS, skipped"],
                id="another system",
            ),
        ],
    )
    def test_parts_of_a_file(self, text: str, expected: list[str], capsys: Said) -> None:
        Path("r.txt").write_text(text, encoding="utf-8")
        assert self.said("r.txt", capsys) == [f"advisor: {line}" for line in expected]

    def test_unknown_layout_is_said_with_its_line_and_without_a_secret(self, capsys: Said) -> None:
        Path("r.txt").write_text(
            "R1#show dlsw peers\nusername bob password s3nt1nel\n", encoding="utf-8"
        )
        (line,) = self.said("r.txt", capsys)
        assert "r.txt:2: 'username <removed>' is not the layout of" in line
