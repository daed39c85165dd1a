"""The shipped cards are kept in the user's cache folder; what is kept changes no card."""

import os
import tomllib
from pathlib import Path
from shutil import copytree

import pytest

from advisor.ground.assets import asset_dir, keep, read_kept
from advisor.lint import cards
from advisor.lint.cards import CardError, catalogue

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="nothing is kept on Windows")


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of shipped cards that a test may change, beside an empty cache."""
    folder = tmp_path / "rules"
    copytree(asset_dir("rules") / "txr", folder / "txr")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cards, "asset_dir", lambda _: folder)
    return folder


def test_kept_cards_are_those_of_their_files(
    shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = catalogue()
    assert read == catalogue(shipped)
    monkeypatch.delattr(tomllib, "loads")
    assert catalogue() == read


def test_a_changed_card_is_read_anew(shipped: Path) -> None:
    before = catalogue()
    path = shipped / before[0].file
    path.write_text(path.read_text("utf-8").replace('"warning"', '"info"'), "utf-8")
    assert catalogue() == catalogue(shipped) != before


def test_a_card_that_went_is_gone(shipped: Path) -> None:
    first, *others = catalogue()
    (shipped / first.file).unlink()
    assert catalogue() == tuple(others)


def test_a_wrong_card_is_refused_each_time(shipped: Path) -> None:
    (shipped / "txr" / "TXR999-x.toml").write_text('id = "TXR999"', "utf-8")
    for _ in range(2):
        with pytest.raises(CardError, match=r"TXR999-x\.toml"):
            catalogue()


@pytest.mark.usefixtures("shipped")
def test_what_another_catalogue_kept_is_not_taken() -> None:
    read = catalogue()
    keep("cards", b"\0" * 32 + b"\x90")
    assert catalogue() == read


@pytest.mark.usefixtures("shipped")
def test_cards_of_another_folder_are_not_kept(tmp_path: Path) -> None:
    catalogue(tmp_path / "rules")
    assert read_kept("cards") is None
