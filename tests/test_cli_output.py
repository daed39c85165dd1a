"""`--output`: what it refuses to replace, and what it writes to directly."""

import os
from pathlib import Path

import pytest

from advisor.cli import run

CONFIG = "hostname R1\ninterface Serial0/0\n bandwidth 512\n"
Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site").mkdir()
    for name in ("r1.cfg", "site/r2.cfg"):
        (tmp_path / name).write_text(CONFIG, encoding="utf-8")
    (tmp_path / "link.cfg").symlink_to("r1.cfg")
    os.link(tmp_path / "r1.cfg", tmp_path / "same.cfg")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["lint", "r1.cfg", "--output", "r1.cfg"], id="lint"),
        pytest.param(["fix", "r1.cfg", "--output", "r1.cfg"], id="fix"),
        pytest.param(["predict", "r1.cfg", "--output", "r1.cfg"], id="predict"),
        pytest.param(["inspect", "r1.cfg", "--output", "r1.cfg"], id="inspect"),
        pytest.param(["redact", "r1.cfg", "--output", "r1.cfg"], id="redact"),
        pytest.param(["size", "dlsw", "r1.cfg", "--output", "r1.cfg"], id="size"),
        pytest.param(["lint", "site", "r1.cfg", "--output", "r1.cfg"], id="one of several"),
        pytest.param(["fix", "r1.cfg", "--output", "./site/../r1.cfg"], id="spelt otherwise"),
        pytest.param(["fix", "r1.cfg", "--output", "link.cfg"], id="a link to it"),
        pytest.param(["fix", "link.cfg", "--output", "r1.cfg"], id="named by a link"),
        pytest.param(["fix", "r1.cfg", "--output", "same.cfg"], id="another name of the file"),
        pytest.param(["lint", "site", "--output", "site/r2.cfg"], id="in a folder that is read"),
        pytest.param(["lint", "site/*.cfg", "--output", "site/r2.cfg"], id="meant by a pattern"),
        pytest.param(["lint", "site", "--traffic", "r1.cfg", "--output", "r1.cfg"], id="an option"),
    ],
)
def test_an_input_is_never_replaced(arguments: list[str], folder: Path, capsys: Said) -> None:
    assert run(arguments) == 2
    output = os.path.normpath(arguments[-1]) if ".." not in arguments[-1] else "site/../r1.cfg"
    assert capsys.readouterr().err == (
        f"advisor: --output {output}: is an input of the command; name another file\n"
    )
    assert (folder / "r1.cfg").read_text("utf-8") == CONFIG
    assert (folder / "site" / "r2.cfg").read_text("utf-8") == CONFIG


@pytest.mark.parametrize(
    ("form", "name"), [("full", "report.txt"), ("json", "report.json")], ids=["text", "JSON"]
)
def test_a_report_in_a_folder_that_is_read_may_be_replaced(
    form: str, name: str, folder: Path
) -> None:
    arguments = ["lint", "site", "--format", form, "--output", f"site/{name}"]
    assert run(arguments) == 0
    first = (folder / "site" / name).read_text("utf-8")
    assert run(arguments) == 0
    assert (folder / "site" / name).read_text("utf-8") == first


def test_a_dash_is_standard_output(folder: Path, capsys: Said) -> None:
    run(["lint", "r1.cfg"])
    printed = capsys.readouterr().out
    run(["lint", "r1.cfg", "--output", "-"])
    assert capsys.readouterr().out == printed
    assert not (folder / "-").exists()


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no /dev/fd")
def test_an_open_file_is_written_to_where_it_stands(folder: Path, capsys: Said) -> None:
    run(["lint", "r1.cfg"])
    printed = capsys.readouterr().out
    with (folder / "log").open("a+b") as log:
        log.write(b"before\n")
        log.flush()
        assert run(["lint", "r1.cfg", "--output", f"/dev/fd/{log.fileno()}"]) == 0
    assert (folder / "log").read_text("utf-8") == f"before\n{printed}"


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no /dev/fd")
def test_an_open_pipe_is_written_to(capsys: Said) -> None:
    run(["lint", "r1.cfg"])
    printed = capsys.readouterr().out
    reading, writing = os.pipe()
    assert run(["lint", "r1.cfg", "--output", f"/dev/fd/{writing}"]) == 0
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        assert pipe.read() == printed
