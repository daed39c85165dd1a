"""What is named as an input: endless, huge, hidden behind links, gone, of any name."""

import errno
import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from advisor.cli import run
from advisor.device.inputs import Inputs
from advisor.ground import bounded

CONFIG = "hostname R1\ninterface Serial0/0\n bandwidth 512\n"
Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bounded, "_WAIT_S", 0.2)
    (tmp_path / "r1.cfg").write_text(CONFIG, encoding="utf-8")
    return tmp_path


def names(*paths: str) -> list[str]:
    return [source.name for source in Inputs(paths)]


ENDLESS = "/dev/zero"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["lint", ENDLESS], 3, id="lint"),
        pytest.param(["fix", ENDLESS], 3, id="fix"),
        pytest.param(["inspect", ENDLESS], 3, id="inspect"),
        pytest.param(["redact", ENDLESS], 2, id="redact"),
        pytest.param(["predict", ENDLESS], 2, id="predict"),
        pytest.param(["predict", "--hops", ENDLESS], 2, id="hops of a path"),
        pytest.param(["predict", "--scenario", ENDLESS], 2, id="scenarios"),
        pytest.param(["lint", "r1.cfg", "--config", ENDLESS], 2, id="settings"),
        pytest.param(["lint", "r1.cfg", "--traffic", ENDLESS], 2, id="traffic"),
        pytest.param(["size", "dlsw", "--table", ENDLESS], 2, id="a table of traffic"),
    ],
)
def test_endless_file_is_declined(arguments: list[str], code: int, capsys: Said) -> None:
    assert run(arguments) == code
    said = capsys.readouterr().err
    assert "larger than" in said
    assert "internal error" not in said


def test_endless_standard_input_is_declined(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    with Path(ENDLESS).open(encoding="latin-1") as endless:
        monkeypatch.setattr(sys, "stdin", endless)
        assert run(["lint", "-"]) == 3
    assert "<stdin>: not read, larger than 100 MB" in capsys.readouterr().err


def test_file_that_grows_beyond_the_bound_is_declined() -> None:
    with pytest.raises(bounded.TooMuchInputError, match="larger than 1 MB"):
        bounded.read_bounded(io.BytesIO(b"!" * (bounded.MEGABYTE + 1)), bounded.MEGABYTE)


def test_file_of_the_bound_itself_is_read() -> None:
    payload = b"!" * bounded.MEGABYTE
    assert bounded.read_bounded(io.BytesIO(payload), bounded.MEGABYTE) == payload


def test_pipe_that_nobody_writes_to_is_declined_and_waited_for_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    os.mkfifo(folder / "pipe")
    waited = []
    opened = bounded._opened_pipe

    def counted(path: str, flags: int) -> int:
        waited.append(path)
        return opened(path, flags)

    monkeypatch.setattr(bounded, "_opened_pipe", counted)
    assert run(["lint", "pipe"]) == 2
    assert "pipe: is a pipe that nobody writes to" in capsys.readouterr().err
    assert waited == ["pipe"]


def test_pipe_that_somebody_writes_to_is_read(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    writer = Thread(target=(folder / "pipe").write_text, args=(CONFIG, "utf-8"))
    writer.start()
    (source,) = Inputs(["pipe"])
    writer.join()
    assert source.payload.decode() == CONFIG


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(CONFIG.replace("R1", "R\0001").encode(), id="one NUL"),
        pytest.param(CONFIG.replace("\n", "\r\0\n").encode(), id="line ends of telnet"),
        pytest.param(CONFIG.encode("utf-16-le"), id="UTF-16 without a mark"),
        pytest.param(CONFIG.encode("utf-16-be"), id="UTF-16 without a mark, big-endian"),
    ],
)
@pytest.mark.parametrize("path", ["r2.cfg", "."], ids=["named", "in a folder"])
def test_configuration_with_nul_is_read(
    path: str, payload: bytes, folder: Path, capsys: Said
) -> None:
    (folder / "r1.cfg").unlink()
    (folder / "r2.cfg").write_bytes(payload)
    assert run(["inspect", path, "--format", "json"]) == 0
    said = capsys.readouterr()
    (device,) = json.loads(said.out)["devices"]
    assert device["device"] == "R1"
    assert said.err == ""


JUDGED = """\
hostname R9
policy-map WAN
 class class-default
  random-detect
interface Serial0/0
 bandwidth 128
 tx-ring-limit 64
 service-policy output NONE
"""


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["fix", "r9.cfg"], id="remedies"),
        pytest.param(["fix", "r9.cfg", "--format", "diff"], id="a diff"),
        pytest.param(["lint", "r9.cfg"], id="a report"),
        pytest.param(["lint", "r1.cfg"], id="a report without findings"),
        pytest.param(["lint", "r9.cfg", "--quiet"], id="findings alone"),
        pytest.param(["lint", "r9.cfg", "--format", "concise"], id="a line for each finding"),
        pytest.param(["lint", "r9.cfg", "--format", "json"], id="JSON"),
        pytest.param(["explain", "WRD006"], id="an explanation"),
    ],
)
def test_output_of_this_tool_is_no_input(arguments: list[str], folder: Path, capsys: Said) -> None:
    (folder / "r9.cfg").write_text(JUDGED, encoding="utf-8")
    run(arguments)
    (folder / "saved.txt").write_text(capsys.readouterr().out, encoding="utf-8")
    inputs = Inputs(["."])
    assert [source.name for source in inputs] == ["./r1.cfg", "./r9.cfg"]
    assert inputs.notes == ["./saved.txt: output of advisor, not read"]


def test_links_in_a_circle_end(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir()
    (inner / "r2.cfg").write_text(CONFIG, encoding="utf-8")
    (inner / "back").symlink_to(inner)
    (inner / "up").symlink_to(folder)
    assert names(".") == ["./r1.cfg", "./inner/r2.cfg"]
    assert names("**/*.cfg") == ["inner/r2.cfg", "r1.cfg"]
    assert names("**/none-*") == []


def test_links_below_a_folder_are_not_followed_and_counted(folder: Path) -> None:
    site = folder / "site"
    site.mkdir()
    (site / "r2.cfg").write_text(CONFIG, encoding="utf-8")
    (site / "elsewhere.cfg").symlink_to(folder / "r1.cfg")
    (site / "dangling.cfg").symlink_to("nowhere")
    (site / "above").symlink_to(folder)
    inputs = Inputs(["site"])
    assert [source.name for source in inputs] == ["site/r2.cfg"]
    assert inputs.notes == ["site: links not followed: 3; name one to read it"]
    assert inputs.unreadable == []


def test_links_in_a_broken_bundle_are_not_followed(folder: Path) -> None:
    bundle = folder / "bundle"
    bundle.mkdir()
    (bundle / "manifest.json").write_text("{", encoding="utf-8")
    (bundle / "r2.cfg").write_text(CONFIG, encoding="utf-8")
    (bundle / "elsewhere.cfg").symlink_to(folder / "r1.cfg")
    inputs = Inputs(["bundle"])
    assert [source.name for source in inputs] == ["bundle/r2.cfg"]
    assert inputs.notes == ["bundle/elsewhere.cfg: link, not followed"]


def test_a_link_that_is_named_is_followed(folder: Path) -> None:
    (folder / "link.cfg").symlink_to("r1.cfg")
    assert names("link.cfg") == ["link.cfg"]


def test_a_folder_that_cannot_be_listed_is_said_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = folder / "closed"
    closed.mkdir()
    listed = os.scandir

    def refuse(path: str) -> Any:
        if path == "closed":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", refuse)
    inputs = Inputs(["closed"])
    assert list(inputs) == []
    assert inputs.unreadable == ["closed: Permission denied"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        pytest.param("*.cfg", ["r1.cfg"], id="names"),
        pytest.param("./*.cfg", ["./r1.cfg"], id="names as they are typed"),
        pytest.param("**", ["./r1.cfg", "./a/r2.cfg", "./a/b/r3.cfg"], id="everything below"),
        pytest.param("a/**", ["a/r2.cfg", "a/b/r3.cfg"], id="everything below a folder"),
        pytest.param("**/b/*.cfg", ["a/b/r3.cfg"], id="folders of a name, however deep"),
        pytest.param("*/?/r[0-9].cfg", ["a/b/r3.cfg"], id="a level for each part"),
        pytest.param("**/**/r2.cfg", ["a/r2.cfg"], id="twice below is below"),
    ],
)
def test_pattern(pattern: str, found: list[str], folder: Path) -> None:
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / ".hidden").mkdir()
    for name in ("a/r2.cfg", "a/b/r3.cfg", "a/.hidden/r4.cfg"):
        (folder / name).write_text(CONFIG, encoding="utf-8")
    assert names(pattern) == found


def test_link_to_itself_is_said(folder: Path, capsys: Said) -> None:
    (folder / "self").symlink_to("self")
    assert run(["lint", "self"]) == 2
    assert "self: " in capsys.readouterr().err


def test_folder_named_like_a_config_is_a_folder(folder: Path) -> None:
    (folder / "r9.cfg").mkdir()
    (folder / "r9.cfg" / "r2.cfg").write_text(CONFIG, encoding="utf-8")
    assert names("r9.cfg") == ["r9.cfg/r2.cfg"]


def test_file_that_vanishes_after_it_was_listed_is_said(folder: Path) -> None:
    (folder / "r2.cfg").write_text(CONFIG, encoding="utf-8")
    inputs = Inputs(["."])
    passing: Iterator[object] = iter(inputs)
    next(passing)
    (folder / "r2.cfg").unlink()
    assert list(passing) == []
    assert inputs.unreadable == ["./r2.cfg: No such file or directory"]


def test_file_that_cannot_be_read_leaves_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "r2.cfg").write_text(CONFIG, encoding="utf-8")
    opened = os.open

    def denied(path: str, *rest: int, **more: int) -> int:
        if path == "./r1.cfg":
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest, **more)

    monkeypatch.setattr(os, "open", denied)
    inputs = Inputs(["."])
    assert [source.name for source in inputs] == ["./r2.cfg"]
    assert inputs.unreadable == ["./r1.cfg: Permission denied"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param(b"a\nb.cfg", "a\\x0ab.cfg", id="a line break"),
        pytest.param(b"a\x1b[31m.cfg", "a\\x1b[31m.cfg", id="an escape"),
        pytest.param(b"a\xff.cfg", "a\\xff.cfg", id="bytes that are no UTF-8"),
    ],
)
def test_name_of_any_bytes_is_shown_safely(
    name: bytes, shown: str, folder: Path, capsys: Said
) -> None:
    del folder
    Path(os.fsdecode(name)).write_text(CONFIG, encoding="utf-8")
    run(["lint", os.fsdecode(name), "--verbose"])
    said = capsys.readouterr()
    assert shown in said.out
    assert shown in said.err
    assert "\x1b" not in said.out + said.err


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        pytest.param(".", "Is a directory", id="a folder"),
        pytest.param("none/report", "No such file or directory", id="a folder that is not there"),
        pytest.param("/dev/full", "No space left on device", id="a full device"),
        pytest.param("r1.cfg/report", "Not a directory", id="below a file"),
    ],
)
def test_output_that_cannot_be_written_is_said(target: str, reason: str, capsys: Said) -> None:
    assert run(["lint", "r1.cfg", "--output", target]) == 2
    assert f"{target}: cannot be written: {reason}" in capsys.readouterr().err


def test_redacted_file_keeps_to_the_same_bound(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setattr("advisor.cli.inspect_jobs.LARGEST_BYTES", bounded.MEGABYTE)
    (folder / "large").write_bytes(b"!\n" * bounded.MEGABYTE)
    assert run(["redact", "large"]) == 2
    assert "large: cannot be read: larger than 1 MB" in capsys.readouterr().err


def test_line_of_a_megabyte_is_read(folder: Path) -> None:
    (folder / "long.cfg").write_text(f"{CONFIG} description {'x' * 1_000_000}\nend\n")
    assert run(["lint", "long.cfg", "--format", "json", "--output", "report"]) == 0


@pytest.mark.parametrize(
    "behind",
    [
        pytest.param("version 12.4\nhostname R8\ninterface Serial0/0\n bandwidth 128\nend\n", id="a config"),
        pytest.param("R8#show version\nCisco IOS Software, 2800 Software, Version 12.4(15)T\n", id="a log"),
    ],
)  # fmt: skip
def test_a_device_behind_the_head_of_a_plan_is_not_complete(
    behind: str, folder: Path, capsys: Said
) -> None:
    head = "! r4 (r4.cfg): plan by advisor 0.1.0: no lines\n! ====\n"
    (folder / "r8.cfg").write_text(head + behind, "utf-8")
    assert run(["lint", "r1.cfg", "r8.cfg"]) == 3
    assert "r8.cfg: begins or ends as output of advisor, and holds" in capsys.readouterr().out
