"""What a settings file that was found, and not named, may do: judge, and nothing else."""

import os
import re
import time
from pathlib import Path

import msgspec
import pytest

from advisor.cli import run
from advisor.settings.file import SettingsTable

Said = pytest.CaptureFixture[str]
SECURITY = (Path(__file__).parents[1] / "docs/security.md").read_text("utf-8")
CARD = """\
id = "ACM009"
name = "a-rule"
severity = "warning"
title = "A title"
message = "{section}"
why = "Because."
no_remedy = "by hand"

[declared]
must = ["ip cef"]
"""
RULES_OF_A_FOLDER = [
    ["lint", "r1.cfg"],
    ["fix", "r1.cfg"],
    ["inspect", "r1.cfg"],
    ["predict", "r1.cfg"],
    ["explain", "LLQ001"],
    ["rules", "list"],
    ["rules", "test"],
    ["rules", "docs"],
    ["config", "show"],
    ["diff", "r1.cfg", "r1.cfg"],
    ["baseline", "r1.cfg", "--out", "b.json"],
    ["size", "dlsw", "r1.cfg"],
    ["suppress", "r1.cfg", "--rule", "REF001", "--reason", "x"],
    ["design", "edge", "--link", "512k", "--calls", "1"],
    ["audit", "10.0.0.1"],
]


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, "utf-8")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    write("r1.cfg", "version 15.1\nhostname r1\nend\n")


@pytest.mark.parametrize("command", RULES_OF_A_FOLDER, ids=lambda command: " ".join(command[:2]))
def test_no_command_loads_the_rules_that_a_found_file_names(
    command: list[str], capsys: Said
) -> None:
    write("rules/a.toml", CARD)
    write("advisor.toml", 'profile = "voice"\nrule-dirs = ["rules"]\n')
    assert run(command) == 2
    said = capsys.readouterr().err
    assert said.startswith("advisor: advisor.toml:2: rule-dirs: this file was found, not named")
    assert "--rules DIR" in said
    assert "--config FILE" in said


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("pyproject.toml", "[tool.advisor]\nrule-dirs = ['rules']\n", "pyproject.toml:2: [tool."),
        ("../advisor.toml", "rule-dirs = ['work/rules']\n", "advisor.toml:1: rule-dirs"),
        ("advisor.toml", "rule-dirs = ['/usr/share/rules']\n", "advisor.toml:1: rule-dirs"),
    ],
)
def test_it_is_refused_wherever_the_file_is(name: str, text: str, place: str, capsys: Said) -> None:
    write("rules/a.toml", CARD)
    write(name, text)
    assert run(["lint", "r1.cfg"]) == 2
    assert place in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "flags", "code"),
    [
        pytest.param("rule-dirs = ['rules']", ["--config", "advisor.toml"], 1, id="named file"),
        pytest.param("rule-dirs = ['rules']", ["--rules", "rules"], 1, id="named folder"),
        pytest.param("rule-dirs = ['rules', 'x']", ["--rules", "rules"], 2, id="one of two"),
        pytest.param("rule-dirs = []", [], 0, id="no folder"),
        pytest.param("", ["--rules", "rules"], 1, id="a flag alone"),
    ],
)
def test_what_the_user_names_is_loaded(text: str, flags: list[str], code: int) -> None:
    write("rules/a.toml", CARD)
    write("advisor.toml", text)
    assert run(["lint", "r1.cfg", *flags, "--select", "ACM009" if flags else "REF001"]) == code


@pytest.mark.parametrize(
    ("baseline", "said"),
    [
        pytest.param("../known.json", "leads out of its folder", id="above"),
        pytest.param("/etc/hostname", "leads out of its folder", id="absolute"),
        pytest.param("link.json", "leads out of its folder", id="a link"),
        pytest.param("/dev/kmsg", "leads out of its folder", id="a device"),
        pytest.param("pipe", "is a pipe or a device", id="a pipe"),
        pytest.param("a\\u0000b", "", id="no name"),
    ],
)
def test_a_found_file_names_no_baseline_elsewhere(baseline: str, said: str, capsys: Said) -> None:
    write("../known.json", "{}")
    Path("link.json").symlink_to("../known.json")
    os.mkfifo("pipe")
    write("advisor.toml", f'baseline = "{baseline}"\n')
    assert run(["lint", "r1.cfg"]) == 2
    assert f"advisor.toml:1: baseline: {baseline if said else ''}" in (
        err := capsys.readouterr().err
    )
    assert said in err
    assert "--baseline FILE" in err or not said


@pytest.mark.parametrize("target", ["/dev/zero", "../private.toml", "/etc/hostname"])
def test_a_found_file_that_is_a_link_out_of_its_folder_is_not_read(
    target: str, capsys: Said
) -> None:
    write("../private.toml", "token = 'zQsecret'\n")
    Path("advisor.toml").symlink_to(target)
    assert run(["lint", "r1.cfg"]) == 2
    said = capsys.readouterr().err
    assert "advisor.toml: cannot be read: leads out of its folder; name it with --config" in said
    assert "token" not in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("a" + ".a" * 400_000 + " = 1", "advisor.toml:1: a key of more than 64", id="key"),
        pytest.param("\n[a" + " . 'a'" * 90_000 + "]", "advisor.toml:2: a key of more", id="table"),
        pytest.param("[[a" + '."a"' * 90_000 + "]]", "advisor.toml:1: a key of more", id="tables"),
        pytest.param("a = " + "[" * 400_000, "nested too deeply", id="brackets"),
        pytest.param(
            "".join(f"[profiles.a{n}]\nextends = 'a{n + 1}'\n" for n in range(4_000)),
            "extends: unknown 'a4000'",
            id="profiles in a row",
        ),
    ],
)  # fmt: skip
def test_a_found_file_takes_no_time_beyond_its_size(text: str, said: str, capsys: Said) -> None:
    write("advisor.toml", text)
    began_s = time.process_time()
    assert run(["lint", "r1.cfg"]) == 2
    assert time.process_time() - began_s < 10
    assert said in capsys.readouterr().err


def test_every_key_of_a_settings_file_has_its_row_in_the_page() -> None:
    section = SECURITY.partition("## What a settings file may do")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    assert named == {field.encode_name for field in msgspec.structs.fields(SettingsTable)}
