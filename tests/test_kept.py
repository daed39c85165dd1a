"""Compiled code is loaded only from a whole file that nobody but the user can write."""

import os
import stat
from pathlib import Path

import pytest

from advisor.ground.assets import keep, read_kept

NAME, CODE = "kernel", b"machine code"

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="nothing is kept on Windows")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "ios-advisor"


def test_what_was_kept_is_read() -> None:
    keep(NAME, CODE)
    assert read_kept(NAME) == CODE


def test_only_the_user_can_read_and_write_the_file(folder: Path) -> None:
    keep(NAME, CODE)
    assert stat.S_IMODE((folder / NAME).stat().st_mode) == 0o600


def test_no_draft_is_left(folder: Path) -> None:
    keep(NAME, CODE)
    assert [each.name for each in folder.iterdir()] == [NAME]


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_is_not_read(folder: Path, mode: int) -> None:
    keep(NAME, CODE)
    (folder / NAME).chmod(mode)
    assert read_kept(NAME) is None


@pytest.mark.parametrize("mode", [0o720, 0o777])
def test_nothing_is_read_from_a_folder_that_others_can_write(folder: Path, mode: int) -> None:
    keep(NAME, CODE)
    folder.chmod(mode)
    assert read_kept(NAME) is None


def test_nothing_is_read_below_a_folder_that_others_can_write(folder: Path) -> None:
    keep(NAME, CODE)
    folder.parent.chmod(0o777)
    assert read_kept(NAME) is None


def test_a_file_of_another_user_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(NAME, CODE)
    monkeypatch.setattr(os, "geteuid", lambda: (folder / NAME).stat().st_uid + 1)
    assert read_kept(NAME) is None


def test_a_link_is_not_followed(folder: Path) -> None:
    keep(NAME, CODE)
    (folder / "link").symlink_to(folder / NAME)
    assert read_kept("link") is None


@pytest.mark.parametrize("cut", [0, 5, 40])
def test_a_file_cut_off_is_not_read(folder: Path, cut: int) -> None:
    keep(NAME, CODE)
    path = folder / NAME
    path.write_bytes(path.read_bytes()[:cut])
    assert read_kept(NAME) is None


def test_a_file_with_another_byte_is_not_read(folder: Path) -> None:
    keep(NAME, CODE)
    path = folder / NAME
    path.write_bytes(path.read_bytes()[:-1] + b"X")
    assert read_kept(NAME) is None


def test_a_folder_in_place_of_the_file_is_not_read(folder: Path) -> None:
    (folder / NAME).mkdir(parents=True)
    assert read_kept(NAME) is None


@pytest.mark.parametrize("place", ["relative", "/dev/null"])
def test_without_a_folder_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", place)
    keep(NAME, CODE)
    assert read_kept(NAME) is None
