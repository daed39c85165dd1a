"""The commands as a user types them: exit code, report, and what is said beside it."""

import io
import json
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import jsonschema
import pytest
from typer.main import get_group

from advisor.cli import run
from advisor.cli.app import COMMANDS, GROUPS, NAMES, all_commands
from advisor.report.schema import output_schemas

MISSPELT = """\
version 15.1
hostname R1
policy-map WAN-EDGE
 class class-default
  fair-queue
interface Serial0/0
 bandwidth 512
 service-policy output WAN-EGDE
end
"""
COUNTERS = """\
r9#show policy-map interface
 Serial0/0
  Service-policy output: WAN
    Class-map: class-default (match-any)
      9 packets, 900 bytes
      Match: any
"""
CLEAN = MISSPELT.replace("EGDE", "EDGE")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("r1.cfg").write_text(MISSPELT, encoding="utf-8")
    Path("clean.cfg").write_text(CLEAN, encoding="utf-8")
    return tmp_path


Said = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("arguments", "code", "on_stdout", "on_stderr"),
    [
        pytest.param("--version", 0, "advisor 0.1.0\n", "", id="version"),
        pytest.param("--help", 0, "Commands:", "", id="help"),
        pytest.param("lint r1.cfg", 1, "error[REF001]", "", id="lint a file with an error"),
        pytest.param("lint clean.cfg --select REF", 0, "; complete", "", id="lint a clean file"),
        pytest.param(
            "lint r1.cfg --format concise --select REF001",
            1,
            "r1.cfg:8:2: error REF001 undefined-policy-map: R1: interface Serial0/0: ",
            "; complete",
            id="concise",
        ),
        pytest.param("lint r1.cfg --fail-on never", 0, "REF001", "", id="never fail"),
        pytest.param("lint r1.cfg --ignore REF", 0, "; complete", "", id="ignore by prefix"),
        pytest.param(
            "lint r1.cfg --select undefined-policy-map -q", 1, "REF001", "", id="select by name"
        ),
        pytest.param(
            "lint r1.cfg --select TXR001,REF001", 1, "REF001", "", id="select with a comma"
        ),
        pytest.param(
            "lint r1.cfg --select REF0001",
            2,
            "",
            "advisor: --select: no rule 'REF0001'; did you mean REF001?\n",
            id="a misspelt rule",
        ),
        pytest.param(
            "lint r1.cfg --select ref001 --ignore REF",
            2,
            "",
            "advisor: --ignore: no rule is left to run\n",
            id="nothing left to run",
        ),
        pytest.param("lint", 2, "", "lint: names no PATH", id="no path"),
        pytest.param("lint r1.cfg --fromat json", 2, "", "No such option", id="a misspelt flag"),
        pytest.param(
            "lint r1.cfg --format yaml", 2, "", "'yaml' is not one of", id="no such format"
        ),
        pytest.param(
            "lint none.cfg clean.cfg --select REF",
            2,
            "1 file, 9 lines",
            "advisor: none.cfg: No such file or directory\n",
            id="the readable file is judged all the same",
        ),
        pytest.param(
            "lint *.conf",
            2,
            "0 files",
            "advisor: *.conf: no file matches\n",
            id="a glob of nothing",
        ),
        pytest.param("lint *.cfg --fail-on never", 0, "2 files", "", id="a glob"),
        pytest.param("lint . --fail-on never", 0, "2 files", "", id="a folder"),
        pytest.param("lint r1.cfg ./r1.cfg r1.cfg -q", 1, "", "", id="a file named twice"),
        pytest.param(
            "lint r1.cfg --profile voce",
            2,
            "",
            "advisor: --profile: unknown 'voce'; did you mean voice?\n",
            id="a misspelt profile",
        ),
        pytest.param(
            "lint r1.cfg --traffic none.toml",
            2,
            "",
            "advisor: none.toml: cannot be read: No such file or directory\n",
            id="no such traffic file",
        ),
        pytest.param(
            "lint r1.cfg --output none/out.txt",
            2,
            "",
            "advisor: none/out.txt: cannot be written: No such file or directory\n",
            id="no folder for the output",
        ),
        pytest.param("explain REF001", 0, "undefined-policy-map", "", id="explain by id"),
        pytest.param("explain undefined-policy-map", 0, "REF001", "", id="explain by name"),
        pytest.param("explain REF001", 0, "remedy by hand,", "", id="a remedy without lines"),
        pytest.param("explain DLS001", 0, "peak_tps = 900", "", id="settings of an example"),
        pytest.param(
            "explain DLS011", 0, "Another device of the run", "", id="devices beside an example"
        ),
        pytest.param(
            "explain REF0001", 2, "", "did you mean REF001?\n", id="explain a misspelt rule"
        ),
        pytest.param("rules list", 0, "REF001  error", "", id="rules list"),
        pytest.param("rules test --rule REF001", 0, "1 card, 0 failed\n", "", id="rules test"),
        pytest.param("rules docs", 0, "## REF001 undefined-policy-map", "", id="rules docs"),
        pytest.param("config show", 0, 'profile = "voice"', "", id="config show"),
        pytest.param("config show --profile data", 0, "# jitter_ms: not judged", "", id="profile"),
        pytest.param(
            "predict .",
            0,
            "R1: interface Serial0/0",
            "advisor: ./r1.cfg: no output with known queueing\n",
            id="predict a folder",
        ),
        pytest.param(
            "predict none.cfg", 2, "", "advisor: none.cfg: No such file", id="predict nothing"
        ),
        pytest.param(
            "predict r1.cfg --set ring",
            2,
            "",
            "advisor: --set ring: write KEY=VALUE, like tx-ring-limit=5\n",
            id="a what-if without a value",
        ),
        pytest.param(
            "predict r1.cfg --set calls=3 --set calls=4",
            2,
            "",
            "advisor: --set calls=4: calls is set twice\n",
            id="a what-if that is set twice",
        ),
    ],
)
def test_command(arguments: str, code: int, on_stdout: str, on_stderr: str, capsys: Said) -> None:
    assert run(arguments.split()) == code
    said = capsys.readouterr()
    assert on_stdout in said.out
    assert on_stderr in said.err
    if not on_stderr:
        assert not said.err


def test_standard_input_is_read(capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(MISSPELT.encode())))
    assert run(["lint", "-", "--format", "concise", "--select", "REF001"]) == 1
    assert capsys.readouterr().out.startswith("<stdin>:8:2: error REF001")


def test_json_report_conforms_to_the_schema_that_is_printed(capsys: Said) -> None:
    assert run(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["$id"] == output_schemas()["$id"]
    run(["lint", "r1.cfg", "--format", "json"])
    jsonschema.Draft202012Validator(schema).validate(json.loads(capsys.readouterr().out))


def test_unreadable_path_leaves_the_verdict_incomplete(capsys: Said) -> None:
    run(["lint", "none.cfg", "clean.cfg", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert report["complete"] is False
    assert report["incomplete"] == ["none.cfg: No such file or directory"]


def test_documents_beside_configurations_are_skipped_with_a_word(capsys: Said) -> None:
    for name in ("README.md", "hosts.yaml", "sites.CSV"):
        Path(name).write_text("no IOS\n", encoding="utf-8")
    assert run(["lint", "."]) == 1
    assert "advisor: .: documents (.md, .toml, .json, …) skipped: 3; " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        pytest.param(f"version 12.4\nhostname r9\n{CLEAN}", True, id="a configuration"),
        pytest.param(f"<pre>\nhostname r9\n{CLEAN}</pre>\n", True, id="one in a page"),
        pytest.param(COUNTERS, True, id="counters"),
        pytest.param("Set `tx-ring-limit 3` below `interface Serial0/0`.\n", False, id="prose"),
        pytest.param("interface Serial0/0\n tx-ring-limit 3\n", False, id="an example"),
        pytest.param("[[suppress]]\nrule = 'TXR001'\ndevice = 'r1'\n", False, id="settings"),
    ],
)
@pytest.mark.parametrize("name", ["r9.html", "r9.csv", "r9.yml", "r9.md"])
def test_a_document_that_holds_a_device_leaves_the_folder_incomplete(
    name: str, text: str, is_told: bool, capsys: Said
) -> None:
    Path("docs").mkdir()
    Path("docs", name).write_text(text, encoding="utf-8")
    Path("docs/c.cfg").write_text("hostname c\ninterface Loopback0\nend\n", encoding="utf-8")
    run(["lint", "docs", "--format", "json"])
    said = [each for each in json.loads(capsys.readouterr().out)["incomplete"] if name in each]
    assert bool(said) == is_told


def test_a_document_that_is_named_is_read(capsys: Said) -> None:
    Path("README.md").write_text("Some words about a network.\n", encoding="utf-8")
    assert run(["lint", "README.md", "--format", "concise"]) == 3
    assert "PRS004" in capsys.readouterr().out


def test_a_file_that_is_declined_is_named_by_its_line_and_not_quoted(capsys: Said) -> None:
    Path("passwords").write_text("\nbob:s3nt1nel\n", encoding="utf-8")
    run(["lint", "passwords", "--format", "json"])
    said = capsys.readouterr().out
    (finding,) = json.loads(said)["findings"]
    assert "s3nt1nel" not in said
    assert finding["message"] == "no configuration, not judged (as line 2 shows)"
    (place,) = finding["locations"]
    assert (place["file"], place["line"], place["text"]) == ("passwords", 2, "")


def test_hidden_and_binary_files_of_a_folder_are_skipped_with_a_word(capsys: Said) -> None:
    Path(".hidden.cfg").write_text(MISSPELT, encoding="utf-8")
    Path("image.bin").write_bytes(b"\x7fELF\0\0")
    assert run(["lint", ".", "--fail-on", "never"]) == 0
    said = capsys.readouterr()
    assert "2 files" in said.out
    assert said.err == (
        "advisor: .: hidden files and folders skipped: 1\nadvisor: ./image.bin: skipped, looks binary\n"
    )


def test_folder_without_files_is_wrong_use(capsys: Said) -> None:
    Path("empty").mkdir()
    assert run(["lint", "empty"]) == 2
    assert capsys.readouterr().err == "advisor: empty: holds no file to read\n"


def test_misspelt_rule_in_the_settings_names_file_and_line(capsys: Said) -> None:
    Path("advisor.toml").write_text("# ours\nignore = ['REF0001']\n", encoding="utf-8")
    assert run(["lint", "r1.cfg"]) == 2
    assert capsys.readouterr().err == (
        "advisor: advisor.toml:2 ignore: no rule 'REF0001'; did you mean REF001?\n"
    )


def test_settings_are_looked_for_from_the_first_path(capsys: Said) -> None:
    Path("fleet").mkdir()
    Path("fleet/r2.cfg").write_text(MISSPELT, encoding="utf-8")
    Path("fleet/advisor.toml").write_text("ignore = ['REF']\n", encoding="utf-8")
    assert run(["lint", "fleet/r2.cfg"]) == 0
    assert "REF001" not in capsys.readouterr().out


class TestOutputFile:
    def test_report_is_written_and_nothing_printed(self, capsys: Said) -> None:
        assert run(["lint", "r1.cfg", "--output", "report.txt"]) == 1
        assert "error[REF001]" in Path("report.txt").read_text(encoding="utf-8")
        assert not capsys.readouterr().out

    def test_no_temporary_file_is_left(self) -> None:
        before = set(Path().iterdir())
        run(["lint", "r1.cfg", "--output", "report.txt"])
        assert set(Path().iterdir()) - before == {Path("report.txt")}

    def test_permissions_of_the_file_stay(self) -> None:
        Path("report.txt").touch()
        Path("report.txt").chmod(0o640)
        run(["lint", "r1.cfg", "--output", "report.txt"])
        assert Path("report.txt").stat().st_mode & 0o777 == 0o640

    def test_device_file_is_written_to(self) -> None:
        assert run(["lint", "r1.cfg", "--output", "/dev/null"]) == 1

    def test_color_never_goes_to_a_file(self) -> None:
        run(["lint", "r1.cfg", "--output", "report.txt"])
        assert "\x1b" not in Path("report.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["schema", "rules docs"])
class TestGeneratedFile:
    def test_is_up_to_date_when_written_now(self, command: str) -> None:
        assert run([*command.split(), "--output", "made"]) == 0
        assert run([*command.split(), "--check", "made"]) == 0

    def test_is_found_to_be_out_of_date(self, command: str, capsys: Said) -> None:
        Path("made").write_text("old\n", encoding="utf-8")
        assert run([*command.split(), "--check", "made"]) == 1
        assert capsys.readouterr().err == (
            f"advisor: made is out of date: run `advisor {command} --output made`\n"
        )

    def test_is_missing(self, command: str) -> None:
        assert run([*command.split(), "--check", "made"]) == 2


EDGE = """\
version 12.4
hostname EDGE1
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 32
 class class-default
  fair-queue
interface Serial0/0
 clock rate 128000
 encapsulation ppp
 tx-ring-limit 10
 service-policy output WAN
end
"""


class TestFix:
    @pytest.fixture(autouse=True)
    def edge(self, folder: Path) -> None:
        (folder / "edge.cfg").write_text(EDGE, encoding="utf-8")

    def test_prints_commands_with_rollback_and_proof_as_comments(self, capsys: Said) -> None:
        assert run(["fix", "edge.cfg", "--rule", "TXR001"]) == 0
        said = capsys.readouterr()
        commands = [line for line in said.out.splitlines() if not line.startswith("!")]
        assert commands == ["interface Serial0/0", " tx-ring-limit 1"]
        assert "! rollback:\n!   interface Serial0/0\n!    tx-ring-limit 10\n" in said.out
        assert "! proof: " in said.out
        assert said.err == "advisor: 1 finding cured by lines to paste, 0 by hand\n"

    def test_an_interface_that_no_device_has_is_wrong_use(self, capsys: Said) -> None:
        assert run(["fix", "edge.cfg", "--interface", "Serial0/9"]) == 2
        told = "--interface Serial0/9: no device of the run has it; did you mean Serial0/0?"
        assert told in capsys.readouterr().err
        assert run(["fix", "edge.cfg", "--interface", "s0/0"]) == 0

    def test_remedies_of_one_class_do_not_undo_each_other(
        self, capsys: Said, tmp_path: Path
    ) -> None:
        config = tmp_path / "wred.cfg"
        config.write_text(
            "version 12.4\nhostname W1\nclass-map match-any DATA\n match ip dscp af21 af22 af23\n"
            "policy-map EDGE\n class DATA\n  bandwidth 512\n  random-detect dscp-based\n"
            "  random-detect exponential-weighting-constant 4\n"
            "  random-detect dscp af21 20 40 10\n  random-detect dscp af22 24 40 10\n"
            "  random-detect dscp af23 28 40 10\n class class-default\n  fair-queue\nend\n",
            "utf-8",
        )
        run(["fix", str(config), "--format", "diff"])
        cured = tmp_path / "cured.cfg"
        changed = capsys.readouterr().out.splitlines()[3:]
        kept = [line[1:] for line in changed if not line.startswith(("-", "@"))]
        cured.write_text("\n".join([*config.read_text("utf-8").splitlines()[:5], *kept]), "utf-8")
        run(["lint", str(cured), "--format", "concise", "--select", "WRD"])
        assert " WRD00" not in capsys.readouterr().out

    def test_what_another_file_shows_is_known_to_the_proof(self, capsys: Said) -> None:
        design = Path(__file__).parents[1] / "fixtures/dlsw/design"
        paths = [str(design / "branches"), str(design / "after" / "branch-token-ring.txt")]
        run(["fix", *paths, "--rule", "DLS004"])
        said = capsys.readouterr().out

        assert "proof: re-linted: 1 found before, none of them after" in said
        assert "\n class DLSW\n" in said

    def test_diff_is_that_of_the_config(self, capsys: Said) -> None:
        run(["fix", "edge.cfg", "--rule", "TXR001", "--format", "diff"])
        said = capsys.readouterr().out.splitlines()
        assert said[:2] == ["--- a/edge.cfg", "+++ b/edge.cfg"]
        changed = [line for line in said[2:] if line.startswith(("-", "+"))]
        assert changed == ["- tx-ring-limit 10", "+ tx-ring-limit 1"]

    def test_json_holds_the_lines(self, capsys: Said) -> None:
        run(["fix", "edge.cfg", "--rule", "TXR001", "--format", "json"])
        (said,) = json.loads(capsys.readouterr().out)
        assert said["steps"][0]["lines"] == ["interface Serial0/0", " tx-ring-limit 1"]

    def test_a_folder_gets_what_to_paste_and_its_rollback_in_files(self, folder: Path) -> None:
        (folder / "out").mkdir()
        run(["fix", "edge.cfg", "--rule", "TXR001", "--output", "out"])
        written = sorted(path.name for path in (folder / "out").iterdir())
        assert [path.partition(".")[2] for path in written] == ["fix.ios", "rollback.ios"]
        rollback = (folder / "out" / written[1]).read_text("utf-8").splitlines()
        assert rollback[1:] == ["interface Serial0/0", " tx-ring-limit 10"]

    @pytest.mark.parametrize(
        ("form", "ending", "opening"),
        [
            pytest.param("json", "json", "[", id="JSON"),
            pytest.param("markdown", "md", "# ", id="Markdown"),
            pytest.param("diff", "diff", "--- a/edge.cfg", id="a diff"),
        ],
    )
    def test_a_folder_gets_a_file_in_the_format_that_is_asked_for(
        self, form: str, ending: str, opening: str, folder: Path
    ) -> None:
        (folder / "out").mkdir()
        run(["fix", "edge.cfg", "--rule", "TXR001", "--output", "out", "--format", form])
        (written,) = (folder / "out").iterdir()
        assert written.name.partition(".")[2] == f"fix.{ending}"
        assert written.read_text("utf-8").startswith(opening)

    @pytest.mark.parametrize(("interface", "count"), [("se0/0", 1), ("Serial0/1", 0)])
    def test_interface_keeps_what_concerns_it(
        self, interface: str, count: int, capsys: Said
    ) -> None:
        arguments = ["fix", "edge.cfg", "--rule", "TXR001", "--format", "json"]
        run([*arguments, "--interface", interface])
        assert len(json.loads(capsys.readouterr().out)) == count

    def test_a_guard_arms_the_reload_first(self, capsys: Said) -> None:
        run(["fix", "edge.cfg", "--rule", "TXR001", "--guard", "7"])
        typed = [line for line in capsys.readouterr().out.splitlines() if line[:1] != "!"]
        assert typed[:5] == ["write memory", "", "reload in 7", "", "configure terminal"]

    def test_a_guard_is_in_each_format_that_holds_lines(self, capsys: Said) -> None:
        fix = ["fix", "edge.cfg", "--rule", "TXR001", "--guard", "7", "--format"]
        run([*fix, "json"])
        (plan,) = json.loads(capsys.readouterr().out)
        run([*fix, "markdown"])
        page = capsys.readouterr().out
        run([*fix, "diff"])
        note = capsys.readouterr().err

        assert plan["guard"]["before"][:3] == ["write memory", "", "reload in 7"]
        assert plan["guard"]["after"] == ["end"]
        assert (
            page.index("reload in 7") < page.index("tx-ring-limit 1") < page.index("reload cancel")
        )
        assert "a diff shows the configuration alone" in note

    @pytest.mark.parametrize(("level", "count"), [("safe", 0), ("needs-window", 1)])
    def test_level_leaves_out_what_asks_for_more(
        self, level: str, count: int, capsys: Said
    ) -> None:
        arguments = ["fix", "edge.cfg", "--rule", "TXR001", "--format", "json"]
        run([*arguments, "--level", level])
        assert len(json.loads(capsys.readouterr().out)) == count

    def test_unreadable_file_is_wrong_use(self) -> None:
        assert run(["fix", "none.cfg"]) == 2


def test_severity_hides_what_is_milder_but_not_from_the_exit_code(capsys: Said) -> None:
    Path("both.cfg").write_text(
        MISSPELT.replace("end\n", "policy-map SPARE\n class class-default\n  fair-queue\nend\n"),
        encoding="utf-8",
    )
    milder = ["lint", "both.cfg", "--fail-on", "info", "--ignore", "REF001"]
    assert run([*milder, "--severity", "error", "--format", "json"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["findings"] == []
    assert said.err.endswith("below error not shown\n")
    assert run([*milder, "--severity", "error", "--quiet"]) == 1
    assert capsys.readouterr() == ("", "")


def test_file_name_that_is_no_text_is_shown_escaped(capsys: Said) -> None:
    Path(b"caf\xe9.cfg".decode("utf-8", "surrogateescape")).write_text(MISSPELT, encoding="utf-8")
    run(["lint", *map(str, Path().glob("caf*")), "--format", "json", "--select", "REF001"])
    assert json.loads(capsys.readouterr().out)["coverage"][0]["file"] == "caf\\xe9.cfg"


@pytest.mark.parametrize(
    ("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb"), ("UNRELATED", "1")]
)
def test_no_color_where_standard_output_is_no_terminal(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setenv(variable, value)
    run(["lint", "r1.cfg"])
    assert "\x1b" not in capsys.readouterr().out


class TestPredict:
    @pytest.fixture(autouse=True)
    def edge(self, folder: Path) -> None:
        (folder / "edge.cfg").write_text(EDGE, encoding="utf-8")

    def test_shows_delay_jitter_and_advice_of_the_class(self, capsys: Said) -> None:
        assert run(["predict", "edge.cfg", "--interface", "Serial0/0", "-v"]) == 0
        said = capsys.readouterr().out.splitlines()
        assert said[0] == "EDGE1: interface Serial0/0"
        words = [line.split()[0] for line in said[1:]]
        assert {"VOICE", "regime", "p50", "jitter", "advice", "given"} <= set(words)

    def test_what_if_moves_the_figure(self, capsys: Said) -> None:
        means = []
        for ring in ("10", "1"):
            run(["predict", "edge.cfg", "--format", "json", "--set", f"tx-ring-limit={ring}"])
            means.append(json.loads(capsys.readouterr().out)[0]["mean"]["value"])
        assert means[1] < means[0] / 2

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            pytest.param("--interface Serial9", "it is on Serial0/0", id="no such interface"),
            pytest.param("--set ring=3", "--set ring: unknown key", id="no such key"),
        ],
    )
    def test_wrong_use(self, arguments: str, expected: str, capsys: Said) -> None:
        assert run(["predict", "edge.cfg", *arguments.split()]) == 2
        assert expected in capsys.readouterr().err


WHOLE = get_group(all_commands())


def named(member: str) -> Any:
    module, _, name = member.partition(".")
    return getattr(import_module(f"advisor.cli.{module}"), name)


def test_every_command_is_offered_once() -> None:
    assert list(WHOLE.commands) == list(NAMES)
    assert {name.partition(" ")[0] for name in COMMANDS if " " in name} == set(GROUPS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_job_of_a_command_takes_its_record_of_options(name: str) -> None:
    record, job = (named(member) for member in COMMANDS[name][:2])
    taken = get_type_hints(job)["options"]

    assert record in (get_args(taken) or (taken,))


@pytest.mark.parametrize("name", sorted(WHOLE.commands))
def test_a_command_alone_has_the_help_that_it_has_beside_the_others(
    name: str, capsys: Said
) -> None:
    assert run([name, "--help"]) == 0
    alone = capsys.readouterr().out
    with pytest.raises(SystemExit):
        WHOLE(args=[name, "--help"], prog_name="advisor")
    assert alone == capsys.readouterr().out
