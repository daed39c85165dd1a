"""`diff` and `baseline`: what a change adds, moves and removes, and the exit code for worse."""

import csv
import json
import re
import subprocess
from collections.abc import Callable
from gzip import compress
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from junitparser import JUnitXml

from advisor.cli import run
from advisor.report.formats import COMPARISONS
from advisor.report.schema import output_schema

DOCS = (Path(__file__).parents[1] / "docs/diff.md").read_text("utf-8")
Said = pytest.CaptureFixture[str]


def shown(name: str) -> str:
    """An example of the page."""
    found = re.search(rf"<!-- {name} -->\n(.*?)\n?<!-- end -->", DOCS, re.DOTALL)
    assert found is not None
    return "".join(f"{line.removeprefix('    ')}\n" for line in found[1].splitlines())


OLD = shown("config")
DEEPER = OLD.replace("tx-ring-limit 2", "tx-ring-limit 12")
WITHOUT_VOICE = OLD.replace(" class VOICE\n  priority 128\n", "")
WITHOUT_PRIORITY = OLD.replace("priority 128", "bandwidth 128")
MOVED_LINES = "! a comment\n! another\n" + OLD
NEW_FINDING = OLD.replace("end\n", "interface Serial0/0/1\n service-policy output GONE\nend\n")
NEW_NOTE = OLD.replace("end\n", "policy-map SPARE\n class class-default\n  fair-queue\nend\n")
RENAMED_CLASS = OLD.replace(" VOICE\n", " TELEPHONY\n")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("old.cfg").write_text(OLD, "utf-8")
    return tmp_path


@pytest.fixture
def told(capsys: Said) -> Callable[..., dict[str, Any]]:
    """What `diff --format json` prints, after its exit code."""

    def compare(new: str, *options: str, code: int) -> dict[str, Any]:
        Path("new.cfg").write_text(new, "utf-8")
        capsys.readouterr()
        assert run(["diff", "old.cfg", "new.cfg", "--format", "json", *options]) == code
        printed: dict[str, Any] = json.loads(capsys.readouterr().out)
        jsonschema.Draft202012Validator(output_schema("diff")).validate(printed)
        return printed

    return compare


@pytest.mark.parametrize(
    ("new", "options", "code"),
    [
        pytest.param(OLD, (), 0, id="nothing changed"),
        pytest.param(MOVED_LINES, (), 0, id="only lines moved"),
        pytest.param(DEEPER, (), 1, id="a deeper ring"),
        pytest.param(DEEPER, ("--worse-by", "100ms"), 1, id="its bound rises by more than 100 ms"),
        pytest.param(DEEPER, ("--worse-by", "500ms"), 0, id="less than is tolerated"),
        pytest.param(DEEPER, ("--worse-by", "1000%"), 0, id="less than is tolerated, in percent"),
        pytest.param(DEEPER, ("--fail-on", "never"), 0, id="nothing counts"),
        pytest.param(WITHOUT_VOICE, (), 1, id="a class is removed"),
        pytest.param(WITHOUT_PRIORITY, (), 1, id="a class loses its priority, and so its bound"),
        pytest.param(NEW_FINDING, (), 1, id="a new error"),
        pytest.param(NEW_NOTE, (), 0, id="a new note"),
        pytest.param(NEW_NOTE, ("--fail-on", "info"), 1, id="a new note counts if asked for"),
        pytest.param(RENAMED_CLASS, (), 0, id="a class has another name"),
    ],
)
def test_exit_code_is_1_only_for_worse(
    new: str, options: tuple[str, ...], code: int, told: Callable[..., dict[str, Any]]
) -> None:
    assert told(new, *options, code=code)["worse"] is (code == 1 or "never" in options)


def test_better_is_said_and_does_not_fail(capsys: Said) -> None:
    Path("new.cfg").write_text(DEEPER, "utf-8")
    assert run(["diff", "new.cfg", "old.cfg"]) == 0
    assert "takes 68.6 ms from VOICE on Serial0/0/0" in capsys.readouterr().out


def test_figures_are_those_of_predict(told: Callable[..., dict[str, Any]], capsys: Said) -> None:
    (moved,) = told(DEEPER, code=1)["predictions"]
    for file, side in (("old.cfg", "before"), ("new.cfg", "now")):
        run(["predict", file, "--format", "json"])
        voice = json.loads(capsys.readouterr().out)[0]
        assert voice["class_name"] == moved["class_name"] == "VOICE"
        assert moved[side] == voice["congested"]["mean"]


def test_a_class_that_loses_its_priority_is_said_to_lose_its_bound(capsys: Said) -> None:
    Path("new.cfg").write_text(WITHOUT_PRIORITY, "utf-8")
    run(["diff", "old.cfg", "new.cfg", "--quiet"])
    said = capsys.readouterr().out
    assert "takes the bound from VOICE on Serial0/0/0" in said
    assert "worst case 84.7) → not known, nothing bounds it" in said


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        pytest.param(NEW_FINDING, [("added", "REF001")], id="added"),
        pytest.param(NEW_NOTE, [("added", "REF004")], id="added, a note"),
        pytest.param(DEEPER, [("moved", "TXR001")], id="moved"),
        pytest.param(MOVED_LINES, [], id="another line is no change"),
    ],
)
def test_findings_are_known_by_device_rule_and_object(
    new: str, expected: list[tuple[str, str]], told: Callable[..., dict[str, Any]]
) -> None:
    options = ("--select", "REF,TXR001", "--fail-on", "never")
    changes = told(new, *options, code=0)["findings"]
    assert [(each["change"], each["finding"]["rule"]) for each in changes] == expected


def test_a_statement_of_a_class_that_the_change_removes_is_no_wrong_use() -> None:
    Path("new.cfg").write_text(WITHOUT_VOICE, "utf-8")
    stated = '[[traffic]]\ninterface = "Serial0/0/0"\nclass = "{}"\ncalls = 2\ncodec = "G.729"\n'
    Path("site.toml").write_text(stated.format("VOICE"), "utf-8")
    assert run(["diff", "old.cfg", "new.cfg", "--traffic", "site.toml"]) == 1
    Path("site.toml").write_text(stated.format("VOICES"), "utf-8")
    assert run(["diff", "old.cfg", "new.cfg", "--traffic", "site.toml"]) == 2


def test_devices_without_a_name_are_known_by_their_place_in_the_folders(capsys: Said) -> None:
    for folder in ("monday", "tuesday"):
        for name in ("a", "b"):
            Path(folder).mkdir(exist_ok=True)
            Path(folder, f"{name}.cfg").write_text(OLD.replace("hostname br-001\n", ""), "utf-8")
    assert run(["diff", "monday", "tuesday", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["findings"], printed["predictions"]) == ([], [])


def _packed(file: Path) -> None:
    file.with_name(f"{file.name}.gz").write_bytes(compress(file.read_bytes()))
    file.unlink()


def _linked(file: Path) -> None:
    file.unlink()
    file.symlink_to("r1.cfg")


def _named(name: str) -> Callable[[Path], object]:
    return lambda file: file.rename(file.with_name(name))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        pytest.param(_packed, 3, id="packed"),
        pytest.param(_linked, 3, id="a link to another one"),
        pytest.param(_named("r2.md"), 3, id="a document of the same name"),
        pytest.param(_named("zz.json"), 3, id="a document of another name that holds it"),
        pytest.param(_named("renamed.txt"), 0, id="renamed"),
        pytest.param(Path.unlink, 0, id="removed"),
    ],
)
def test_a_configuration_that_is_no_longer_read_is_not_called_gone(
    change: Callable[[Path], object], code: int
) -> None:
    for file in map(Path, ("old/r1.cfg", "old/r2.cfg", "new/r1.cfg", "new/r2.cfg")):
        file.parent.mkdir(exist_ok=True)
        file.write_text(OLD.replace("hostname ", f"hostname {file.stem}-"), "utf-8")
    change(Path("new/r2.cfg"))
    assert run(["diff", "old", "new"]) == code


def test_devices_of_one_name_are_each_compared(capsys: Said) -> None:
    for folder, second in (("monday", OLD), ("tuesday", DEEPER)):
        Path(folder).mkdir()
        Path(folder, "a.cfg").write_text(OLD, "utf-8")
        Path(folder, "b.cfg").write_text(f"! of another router\n{second}", "utf-8")
    assert run(["diff", "monday", "monday", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["predictions"] == []
    assert run(["diff", "monday", "tuesday", "--format", "json"]) == 1
    (moved,) = json.loads(capsys.readouterr().out)["predictions"]
    assert moved["class_name"] == "VOICE"


def test_findings_of_devices_of_one_name_are_paired_by_their_files(capsys: Said) -> None:
    limits = {"monday": {"a": 10, "b": 30}, "tuesday": {"a": 30, "b": 60}}
    text = (Path(__file__).parents[1] / "fixtures/configs/wan-edge-512k.ios").read_text("utf-8")
    for folder, rings in limits.items():
        Path(folder).mkdir()
        for name, limit in rings.items():
            ring = f"tx-ring-limit {limit}"
            Path(folder, f"{name}.cfg").write_text(text.replace("tx-ring-limit 10", ring), "utf-8")
    run(["lint", "monday", "--select", "TXR001", "--format", "json"])
    told = json.loads(capsys.readouterr().out)["findings"]
    before = {
        Path(each["locations"][0]["file"]).name: each["prediction"]["before"] for each in told
    }
    assert run(["diff", "monday", "tuesday", "--select", "TXR001", "--format", "json"]) == 1
    changes = json.loads(capsys.readouterr().out)["findings"]
    assert {
        Path(each["finding"]["place"].partition(":")[0]).name: each["figure_before"]
        for each in changes
    } == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param("diff old.cfg", "takes OLD and NEW", id="one path"),
        pytest.param("diff old.cfg old.cfg --worse-by 3", "'3' is no limit", id="no unit"),
        pytest.param("diff old.cfg old.cfg --worse-by -1%", "is no limit", id="negative"),
        pytest.param("diff old.json old.cfg", "cannot be read", id="no such baseline"),
        pytest.param("diff not.json old.cfg", "is no baseline", id="other JSON"),
        pytest.param("lint old.cfg --baseline not.json", "is no baseline", id="lint, other JSON"),
        pytest.param("lint old.cfg --baseline .", "--baseline: baseline: .: ", id="a folder"),
        pytest.param("diff --git main", "is no range of revisions", id="one revision"),
    ],
)
def test_wrong_use_is_said(
    arguments: str, said: str, capsys: Said, repository: Callable[[str], None]
) -> None:
    repository(OLD)
    Path("not.json").write_text('{"a": 1}', "utf-8")
    assert run(arguments.split()) == 2
    assert said in capsys.readouterr().err


@pytest.fixture
def repository(here: Path) -> Callable[[str], None]:
    """Commits the configuration of a device in a new git repository; the tags are v1, v2, …"""
    versions: list[str] = []

    def git(*words: str) -> None:
        name = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false")
        command = ["git", *name, *words]
        subprocess.run(command, cwd=here, check=True, capture_output=True)  # noqa: S603

    def commit(text: str) -> None:
        if not versions:
            git("init", "--quiet")
        (here / "configs").mkdir(exist_ok=True)
        (here / "configs/br-001.cfg").write_text(text, "utf-8")
        versions.append(text)
        git("add", "configs")
        git("commit", "--quiet", "-m", "change")
        git("tag", f"v{len(versions)}")

    return commit


def test_a_range_of_git_shows_a_deeper_ring_in_milliseconds(
    repository: Callable[[str], None], capsys: Said
) -> None:
    repository(OLD)
    repository(DEEPER)
    assert run(["diff", "--git", "v1..v2", "configs"]) == 1
    said = capsys.readouterr().out
    assert "br-001: adds 68.6 ms to VOICE on Serial0/0/0" in said
    assert "configs/br-001.cfg:18" in said
    assert run(["diff", "--git", "v2..v1"]) == 0


def test_a_range_of_git_shows_a_class_that_is_removed_in_milliseconds(
    repository: Callable[[str], None], capsys: Said
) -> None:
    repository(OLD)
    repository(WITHOUT_VOICE)
    assert run(["diff", "--git", "v1.."]) == 1
    said = capsys.readouterr().out
    assert "removes VOICE from Serial0/0/0" in said
    assert "about 24 ms (range 4.6–41, worst case 84.7) → nothing bounds the delay" in said


def test_three_dots_compare_with_where_the_branch_parts(
    repository: Callable[[str], None], capsys: Said
) -> None:
    repository(OLD)
    repository(DEEPER)
    assert run(["diff", "--git", "v2...v1", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["predictions"] == []


def test_git_leaves_the_repository_and_its_working_tree_as_they_are(
    repository: Callable[[str], None], here: Path
) -> None:
    repository(OLD)
    repository(DEEPER)
    changed = here / "configs/br-001.cfg"
    changed.write_text(WITHOUT_VOICE, "utf-8")
    index = (here / ".git/index").read_bytes()
    assert run(["diff", "--git", "v1..v2"]) == 1
    assert changed.read_text("utf-8") == WITHOUT_VOICE
    assert (here / ".git/index").read_bytes() == index


def test_a_link_in_a_revision_is_not_followed(
    repository: Callable[[str], None], here: Path, capsys: Said
) -> None:
    repository(OLD)
    outside = here.parent / f"{here.name}-outside.cfg"
    outside.write_text(NEW_FINDING.replace("br-001", "outside"), "utf-8")
    (here / "configs/link.cfg").symlink_to(outside)
    repository(OLD)
    run(["diff", "--git", "v1..v2", "configs/link.cfg", "--format", "json"])
    assert "outside" not in json.dumps(json.loads(capsys.readouterr().out)["findings"])


@pytest.mark.parametrize(
    ("path", "said"),
    [
        pytest.param("nowhere", "is in neither revision", id="no such path"),
        pytest.param("..", "is not in the repository", id="outside"),
    ],
)
def test_a_path_that_no_revision_has_is_wrong_use(
    path: str, said: str, repository: Callable[[str], None], capsys: Said
) -> None:
    repository(OLD)
    assert run(["diff", "--git", "v1..v1", path]) == 2
    assert said in capsys.readouterr().err


def test_a_device_that_is_new_in_a_range_is_added(
    repository: Callable[[str], None], here: Path, capsys: Said
) -> None:
    repository(OLD)
    (here / "configs/br-002.cfg").write_text(NEW_FINDING.replace("br-001", "br-002"), "utf-8")
    repository(OLD)
    assert run(["diff", "--git", "v1..v2", "configs/br-002.cfg", "--format", "json"]) == 1
    changes = json.loads(capsys.readouterr().out)["findings"]
    assert "REF001" in {each["finding"]["rule"] for each in changes}


@pytest.mark.parametrize(
    ("name", "new"),
    [pytest.param("deeper", DEEPER, id="ring"), pytest.param("removed", WITHOUT_VOICE, id="class")],
)
def test_the_example_of_the_page_is_what_is_printed(name: str, new: str, capsys: Said) -> None:
    Path("new.cfg").write_text(new, "utf-8")
    assert run(shown("command deeper").split()[1:]) == 1
    assert capsys.readouterr().out == shown(f"output {name}")


def test_lint_with_a_baseline_reports_only_what_is_new(capsys: Said) -> None:
    assert run(shown("command baseline").split()[1:]) == 0
    Path("new.cfg").write_text(MOVED_LINES, "utf-8")
    assert run(shown("command lint").split()[1:]) == 0
    Path("new.cfg").write_text(NEW_FINDING, "utf-8")
    capsys.readouterr()
    assert run([*shown("command lint").split()[1:], "--format", "json"]) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    standing = {each["rule"] for each in findings if each["suppressed"] is None}
    known = {each["suppressed"]["by"] for each in findings if each["suppressed"]}
    assert standing == {"REF001"}
    assert known == {"baseline baseline.json"}


def test_each_finding_of_a_baseline_accepts_one() -> None:
    run(["baseline", "old.cfg", "--out", "baseline.json"])
    decoded = json.loads(Path("baseline.json").read_text("utf-8"))
    kept = [each for each in decoded["findings"] if each["rule"] != "TXR001"]
    assert len(kept) == len(decoded["findings"]) - 1
    Path("baseline.json").write_text(json.dumps(decoded | {"findings": kept}), "utf-8")
    assert run(["lint", "old.cfg", "--baseline", "baseline.json"]) == 1


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        pytest.param(OLD, OLD.replace("WAN", "EDGE"), 0, id="a policy has another name"),
        pytest.param(OLD, OLD.replace("Serial0/0/0", "Serial0/1/0"), 0, id="an interface has one"),
        pytest.param(OLD, OLD.replace("VOICE", "CALLS"), 0, id="a class has another name"),
        pytest.param(OLD, NEW_NOTE.replace("WAN", "EDGE"), 1, id="one of both names is new: SPARE"),
    ],
)
def test_a_baseline_knows_findings_whose_objects_are_renamed(
    old: str, new: str, code: int, capsys: Said
) -> None:
    Path("old.cfg").write_text(old, "utf-8")
    Path("new.cfg").write_text(new, "utf-8")
    run(["baseline", "old.cfg", "--out", "baseline.json"])
    capsys.readouterr()
    command = ["lint", "new.cfg", "--baseline", "baseline.json", "--fail-on", "info"]
    assert run(command) == code
    assert "not found any more" not in capsys.readouterr().err
    assert run([*command, "--format", "html", "--output", "report.html"]) == code


def test_the_settings_may_name_the_baseline(capsys: Said) -> None:
    run(["baseline", "old.cfg", "--out", "baseline.json"])
    Path("advisor.toml").write_text('baseline = "baseline.json"\n', "utf-8")
    assert run(["lint", "old.cfg"]) == 0
    assert run(["lint", "old.cfg", "--no-suppress"]) == 1
    capsys.readouterr()
    assert run(["config", "show"]) == 0
    assert "baseline.json" in capsys.readouterr().out


def test_what_is_gone_of_a_baseline_is_noted(capsys: Said) -> None:
    Path("new.cfg").write_text(NEW_FINDING, "utf-8")
    run(["baseline", "new.cfg", "--out", "baseline.json"])
    capsys.readouterr()
    assert run(["lint", "old.cfg", "--baseline", "baseline.json"]) == 0
    assert "1 finding of baseline.json not found any more" in capsys.readouterr().err


def test_a_baseline_stands_for_the_older_state(capsys: Said) -> None:
    run(["baseline", "old.cfg", "--out", "baseline.json"])
    written = json.loads(Path("baseline.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(output_schema("baseline")).validate(written)
    Path("new.cfg").write_text(DEEPER, "utf-8")
    capsys.readouterr()
    assert run(["diff", "baseline.json", "new.cfg"]) == 1
    assert "adds 68.6 ms to VOICE on Serial0/0/0" in capsys.readouterr().out


def test_a_baseline_is_no_input_and_no_output_replaces_an_input() -> None:
    assert run(["baseline", "old.cfg", "--out", "old.cfg"]) == 2
    assert Path("old.cfg").read_text("utf-8") == OLD


def test_markdown_fits_a_comment_and_keeps_names_from_being_markup(capsys: Said) -> None:
    sections = "".join(
        f"interface Serial1/{number}\n service-policy output {'<b>|x' * 30}{number}\n"
        for number in range(500)
    )
    Path("new.cfg").write_text(OLD.replace("end\n", f"{sections}end\n"), "utf-8")
    assert run(["diff", "old.cfg", "new.cfg", "--format", "markdown"]) == 1
    said = capsys.readouterr().out
    assert len(said) <= 65_536
    assert re.search(r"… and \d+ more: run `advisor diff` for all", said)
    assert "<b>" not in said


PLANTED = "Zq9xPw8Lk2"


def test_neither_a_baseline_nor_a_diff_holds_a_secret(capsys: Said) -> None:
    line = f"enable secret 0 {PLANTED}\n"
    Path("old.cfg").write_text(f"{OLD.replace('end', '')}{line} class {PLANTED}\nend\n", "utf-8")
    Path("new.cfg").write_text(f"{DEEPER.replace('end', '')}ena sec 0 {PLANTED}\nend\n", "utf-8")
    run(["baseline", "old.cfg", "--out", "-"])
    for form in COMPARISONS:
        run(["diff", "old.cfg", "new.cfg", "--format", form])
    said = capsys.readouterr()
    assert PLANTED not in said.out + said.err


def test_a_state_that_is_not_understood_is_incomplete(capsys: Said) -> None:
    Path("new.cfg").write_text("version 12.4\n" + OLD.replace("end\n", ""), "utf-8")
    assert run(["diff", "old.cfg", "new.cfg", "--format", "json"]) == 3
    assert json.loads(capsys.readouterr().out)["complete"] is False


def test_a_baseline_that_was_not_complete_leaves_the_comparison_incomplete() -> None:
    Path("cut.cfg").write_text("version 12.4\n" + OLD.replace("end\n", ""), "utf-8")
    assert run(["baseline", "cut.cfg", "--out", "baseline.json"]) == 3
    Path("old.cfg").write_text("version 12.4\n" + OLD, "utf-8")
    assert run(["diff", "baseline.json", "old.cfg"]) == 3


def test_what_gets_worse_is_annotated_on_its_line(capsys: Said) -> None:
    Path("new.cfg").write_text(DEEPER, "utf-8")
    assert run(["diff", "old.cfg", "new.cfg", "--format", "github"]) == 1
    prediction, finding, counts = capsys.readouterr().out.splitlines()

    assert prediction.startswith("::warning title=br-001%3A adds 68.6 ms to VOICE on Serial0/0/0::")
    assert finding.startswith("::warning file=new.cfg,line=18,title=moved%3A TXR001 ")
    assert counts.startswith("::notice title=advisor diff::findings: ")


def test_a_new_note_that_does_not_count_is_a_notice(capsys: Said) -> None:
    Path("new.cfg").write_text(NEW_NOTE, "utf-8")
    assert run(["diff", "old.cfg", "new.cfg", "--format", "github", "--quiet"]) == 0
    (note,) = capsys.readouterr().out.splitlines()
    assert note.startswith("::notice file=new.cfg,line=")


@pytest.mark.parametrize(
    ("new", "failures"),
    [pytest.param(DEEPER, 2, id="a deeper ring"), pytest.param(OLD, 0, id="nothing changed")],
)
def test_a_change_that_counts_fails_its_test_case(new: str, failures: int, capsys: Said) -> None:
    Path("new.cfg").write_text(new, "utf-8")
    code = run(["diff", "old.cfg", "new.cfg", "--format", "junit"])
    suites = JUnitXml.fromstring(capsys.readouterr().out.encode())

    assert (suites.failures, code) == (failures, int(failures > 0))
    assert [suite.name for suite in suites][-1] == "diff"


@pytest.mark.parametrize("form", ["github", "junit"])
def test_a_hostile_name_forges_nothing(form: str, capsys: Said) -> None:
    hostile = "]]><x>%0A::error"
    for name, text in (("old.cfg", OLD), ("new.cfg", DEEPER)):
        Path(name).write_text(text.replace("VOICE", hostile), "utf-8")
    assert run(["diff", "old.cfg", "new.cfg", "--format", form]) == 1
    said = capsys.readouterr().out

    if form == "junit":
        assert JUnitXml.fromstring(said.encode()).failures == 2
    else:
        assert [line for line in said.splitlines() if not line.startswith("::")] == []
        assert "%250A::error" in said


def test_a_longer_bound_is_what_the_headline_of_a_change_for_the_worse_names(capsys: Said) -> None:
    text = OLD.replace("768", "1536").replace("limit 2", "limit 3")
    more = text.replace("priority 128", "priority 512").replace("bandwidth 256", "bandwidth 512")
    Path("old.cfg").write_text(more.replace("priority 512", "priority 256"), "utf-8")
    Path("new.cfg").write_text(more, "utf-8")
    assert run(["diff", "old.cfg", "new.cfg", "--worse-by", "5%"]) == 1
    said = capsys.readouterr().out
    assert "raises the bound of VOICE on Serial0/0/0 by" in said
    assert " from VOICE" not in said


@pytest.mark.parametrize(
    ("file", "text", "code", "moved"),
    [
        pytest.param("a.cfg", OLD, 0, [], id="nothing else changes"),
        pytest.param("a.cfg", DEEPER, 1, ["moved"], id="its ring is deeper too"),
        pytest.param("c.cfg", OLD, 1, ["added", "gone"], id="another file is another device"),
    ],
)
def test_a_device_that_is_renamed_in_its_file_is_one_device(
    file: str, text: str, code: int, moved: list[str], capsys: Said
) -> None:
    for folder, name, of_name in (("monday", "a.cfg", OLD), ("tuesday", file, text)):
        Path(folder).mkdir()
        Path(folder, "b.cfg").write_text(OLD.replace("br-001", "br-002"), "utf-8")
        renamed = of_name if folder == "monday" else of_name.replace("br-001", "br-009")
        Path(folder, name).write_text(renamed, "utf-8")
    assert run(["diff", "monday", "tuesday", "--select", "TXR001", "--format", "json"]) == code
    printed = json.loads(capsys.readouterr().out)
    assert sorted(each["change"] for each in printed["findings"]) == moved


def test_a_baseline_knows_devices_without_a_name_by_their_files(capsys: Said) -> None:
    Path("configs").mkdir()
    for name in ("a.cfg", "b.cfg"):
        Path("configs", name).write_text(OLD.replace("hostname br-001\n", ""), "utf-8")
    assert run(["baseline", "configs", "--out", "baseline.json"]) == 0
    capsys.readouterr()
    assert run(["diff", "baseline.json", "configs", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["findings"], printed["predictions"]) == ([], [])


SPARE = "policy-map SPARE\n class class-default\n  fair-queue\n"
SPARES = OLD.replace("end\n", SPARE + "end\n")


@pytest.mark.parametrize(
    ("new", "code", "expected"),
    [
        pytest.param(
            SPARES.replace("SPARE", "KEPT"), 0, ["moved"], id="a rename is no new finding"
        ),
        pytest.param(
            SPARES.replace("end\n", SPARE.replace("SPARE", "KEPT") + "end\n"),
            1,
            ["added"],
            id="another policy beside it is",
        ),
        pytest.param(
            SPARES.replace(SPARE, SPARE.replace("SPARE", "A") + SPARE.replace("SPARE", "B")),
            1,
            ["added", "moved"],
            id="two in place of one add one",
        ),
    ],
)
def test_a_finding_whose_object_is_renamed_is_moved(
    new: str, code: int, expected: list[str], told: Callable[..., dict[str, Any]]
) -> None:
    Path("old.cfg").write_text(SPARES, "utf-8")
    changes = told(new, "--select", "REF004", "--fail-on", "info", code=code)["findings"]
    assert sorted(each["change"] for each in changes) == expected
    moved = [each["object_before"] for each in changes if each["change"] == "moved"]
    assert moved == ["policy-map SPARE"] * expected.count("moved")


def test_a_finding_that_goes_to_an_object_that_was_there_before_is_added(
    told: Callable[..., dict[str, Any]],
) -> None:
    link = " ip address 192.0.2.{} 255.255.255.252\n bandwidth 512\n encapsulation ppp\n"
    bound = " service-policy output GONE\n"
    first, second = "interface Serial0/1/0\n", "interface Serial0/1/1\n"
    one, two = first + link.format(9), second + link.format(13)
    Path("old.cfg").write_text(OLD.replace("end\n", one + bound + two + "end\n"), "utf-8")
    new = OLD.replace("end\n", one + two + bound + "end\n")
    changes = told(new, "--select", "REF001", code=1)["findings"]
    assert sorted(each["change"] for each in changes) == ["added", "gone"]


def test_json_has_all_figures_of_both_states_and_p95_beside_the_mean(capsys: Said) -> None:
    Path("new.cfg").write_text(DEEPER, "utf-8")
    run(["diff", "old.cfg", "new.cfg", "--format", "json"])
    said = json.loads(capsys.readouterr().out)
    names = [
        {known["class_name"] for known in said[side]} for side in ("classes_before", "classes_now")
    ]
    assert names == [{"VOICE", "DATA", "class-default"}] * 2
    delay = next(each for each in said["predictions"] if each["metric"] == "delay")
    assert delay["before"]["value"] < delay["p95_before"]["value"] < delay["p95_now"]["value"]


def test_a_row_and_a_line_stand_for_each_change(capsys: Said) -> None:
    Path("new.cfg").write_text(DEEPER, "utf-8")
    said = {}
    for form in ("json", "jsonl", "csv", "sarif"):
        assert run(["diff", "old.cfg", "new.cfg", "--format", form]) == 1
        said[form] = capsys.readouterr().out
    whole = json.loads(said["json"])
    *lines, last = map(json.loads, said["jsonl"].splitlines())
    assert (last["kind"], last["worse"]) == ("summary", True)
    for kind in ("prediction", "finding"):
        own = [
            {key: line[key] for key in line if key != "kind"}
            for line in lines
            if line["kind"] == kind
        ]
        assert own == whole[f"{kind}s"] != []
    rows = list(csv.DictReader(said["csv"].splitlines()))
    assert [row["counts"] for row in rows] == [str(line["counts"]).lower() for line in lines]
    assert [float(row["p95_now"]) for row in rows if row["p95_now"]] != []
    results = json.loads(said["sarif"])["runs"][0]["results"]
    assert [each["level"] for each in results] == ["warning"] * len(lines)
    assert {each["baselineState"] for each in results} == {"updated"}


def test_the_figure_of_a_finding_that_is_gone_is_that_of_before(capsys: Said) -> None:
    Path("new.cfg").write_text(WITHOUT_VOICE, "utf-8")
    run(["diff", "old.cfg", "new.cfg", "--format", "csv"])
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    gone = [row for row in rows if (row["rule"], row["change"]) == ("TXR001", "gone")]
    assert [(bool(row["before"]), bool(row["now"])) for row in gone] == [(True, False)]


UNSTATED = OLD.replace(" bandwidth 768\n", "").replace(" clock rate 768000\n", "")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        pytest.param(" bandwidth 256\n", 0, id="a bandwidth where none stood"),
        pytest.param(" clock rate 256000\n", 0, id="a clock rate where none stood"),
        pytest.param(" description CIR 256k\n bandwidth 256\n", 0, id="a description too"),
        pytest.param(" bandwidth 256\n tx-ring-limit 60\n", 1, id="and a longer ring"),
    ],
)
def test_a_change_that_only_tells_a_rate_is_not_worse(
    change: str, code: int, told: Callable[..., dict[str, Any]]
) -> None:
    text = UNSTATED.replace(" tx-ring-limit 2\n", "") if "tx-ring" in change else UNSTATED
    Path("old.cfg").write_text(text, "utf-8")
    line = " encapsulation ppp\n"
    assert line in text

    compared = told(text.replace(line, f"{line}{change}"), code=code)

    assert compared["worse"] is bool(code)
    assert any(item["change"] == "added" for item in compared["findings"])


def test_a_lower_rate_where_one_stood_is_worse(told: Callable[..., dict[str, Any]]) -> None:
    assert told(OLD.replace("rate 768000", "rate 256000"), code=1)["worse"]
