"""`advisor.api` gives what the commands print as JSON, and docs/api.md shows how."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from advisor import api
from advisor.cli import run as command

ROOT = Path(__file__).parents[1]
CONFIGS = sorted((ROOT / "fixtures/configs").glob("*.ios"))[::6]
DOCS = (ROOT / "docs/api.md").read_text("utf-8")
EDGE = (ROOT / "fixtures/configs/wan-edge-512k.ios").read_text("utf-8")
OK = (0, 1, 3)

Said = pytest.CaptureFixture[str]


def shown(name: str) -> str:
    found = re.search(rf"<!-- {name} -->\n```python\n(.*?)```", DOCS, re.DOTALL)
    assert found is not None
    return found[1]


def printed(capsys: Said, *arguments: str) -> str:
    capsys.readouterr()
    assert command([*arguments, "--format", "json"]) in OK
    return capsys.readouterr().out


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
class TestSame:
    def test_findings(self, path: Path, capsys: Said) -> None:
        told = printed(capsys, "lint", str(path))
        assert api.to_json(api.lint(api.read(path))) == told

    def test_plans(self, path: Path, capsys: Said) -> None:
        told = printed(capsys, "fix", str(path), "--quiet")
        assert api.to_json(api.plan(api.read(path))) == told

    def test_predictions(self, path: Path, capsys: Said) -> None:
        run = api.read(path)
        try:
            found = api.to_json(api.predict(run))
        except api.AdvisorError:
            assert command(["predict", str(path), "--format", "json"]) == 2
        else:
            assert found == printed(capsys, "predict", str(path))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups/r1.cfg").write_text(EDGE, encoding="utf-8")
    return tmp_path


def test_designs_are_those_of_the_command(here: Path, capsys: Said) -> None:
    told = printed(capsys, "design", "edge", "--link", "512k", "--calls", "2")
    assert api.to_json(api.design(api.Requirements(link="512k", calls=2))) == told
    words = ("--link", "512k", "--calls", "2", "--interface", "Serial0/0/0")
    told = printed(capsys, "design", "edge", *words, "--on", "backups/r1.cfg")
    wanted = api.Requirements(link="512k", calls=2, interface="Serial0/0/0")
    run = api.of_texts({"backups/r1.cfg": EDGE})
    assert api.to_json(api.design(wanted, run)) == told
    assert here.is_dir()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("settings", "flags"),
    [
        pytest.param({"profile": "strict"}, ["--profile", "strict"], id="a profile"),
        pytest.param({"select": ["TXR"]}, ["--select", "TXR"], id="rules"),
        pytest.param({"ignore": ["TXR001"]}, ["--ignore", "TXR001"], id="not these rules"),
        pytest.param({"platform": "7206VXR"}, ["--platform", "7206VXR"], id="a platform"),
    ],
)
def test_settings_are_those_of_the_flags(
    settings: dict[str, Any], flags: list[str], capsys: Said
) -> None:
    told = printed(capsys, "lint", "backups", *flags)
    assert api.to_json(api.lint(api.read("backups", **settings))) == told


@pytest.mark.usefixtures("here")
def test_a_report_of_what_cannot_be_read_is_not_complete() -> None:
    report = api.lint(api.read("backups", "nowhere.cfg"))
    assert not report.complete
    assert any("nowhere.cfg" in reason for reason in report.incomplete)


@pytest.mark.parametrize(
    ("call", "error", "word"),
    [
        pytest.param(
            lambda: api.lint(api.of_texts({"r": EDGE}, select=["XYZ"])), api.AdvisorError, "XYZ",
            id="no such rule",
        ),
        pytest.param(
            lambda: api.read("r1.cfg", profil="x"),  # type: ignore[call-arg]
            TypeError, "profil", id="no such setting",
        ),
        pytest.param(
            lambda: api.predict(api.of_texts({"r": EDGE}), moved={"x": 1}), api.AdvisorError, "x",
            id="nothing to move",
        ),
        pytest.param(
            lambda: api.design(api.Requirements(link="x")), api.AdvisorError, "x", id="no rate"
        ),
        pytest.param(
            lambda: api.design(api.Requirements(link="1m"), api.of_texts({})), api.AdvisorError,
            "one", id="no configuration",
        ),
        pytest.param(lambda: api.of_texts({"a": EDGE}, select="TXR001"), TypeError,
                     r"several names, like \['TXR001'\]", id="a text for several names"),
        pytest.param(lambda: api.plan(api.of_texts({"a": EDGE}), rules="TXR001"), TypeError,
                     "several names", id="a text for several rules"),
        pytest.param(lambda: api.of_texts({"a": None}), TypeError,  # type: ignore[dict-item]
                     "memoryview", id="no text"),
        pytest.param(lambda: api.plan(api.of_texts({"a": EDGE}), level="sfe"), api.AdvisorError,
                     "level: unknown 'sfe'; did you mean safe", id="level"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(call: Any, error: type[Exception], word: str) -> None:
    with pytest.raises(error, match=word):
        call()


def test_a_text_with_half_a_character_is_judged() -> None:
    report = api.lint(api.of_texts({"a": EDGE + "! \udc80\n"}))
    assert [each.rule for each in report.findings] == [
        each.rule for each in api.lint(api.of_texts({"a": EDGE + "! ?\n"})).findings
    ]


@pytest.mark.usefixtures("here")
def test_the_notebook_of_the_page_runs(capsys: Said) -> None:
    exec(shown("notebook"), {})  # noqa: S102 -- the page is ours
    lines = capsys.readouterr().out.splitlines()
    assert any("TXR001: gives back" in line for line in lines)
    assert any("tx-ring-limit" in line for line in lines)


def test_the_task_of_the_page_runs() -> None:
    names: dict[str, Any] = {}
    exec(shown("nornir"), names)  # noqa: S102
    host = SimpleNamespace(name="r1")
    result = names["advisor_audit"](SimpleNamespace(host=host), EDGE)
    assert not result.failed
    assert '"device": "BRANCH1"' in result.result or '"findings"' in result.result


def test_folders_of_own_rules_judge_as_those_of_the_command(capsys: Said) -> None:
    config, folder = str(CONFIGS[0]), str(ROOT / "docs/examples/rules")
    report = api.lint(api.read(config, rules=[folder], select=["ACM"], devices=["*"]))
    assert {each.rule for each in report.findings} & {"ACM001", "ACM002"}
    told = printed(capsys, "lint", config, "--rules", folder, "--select", "ACM", "--device", "*")
    assert api.to_json(report) == told
