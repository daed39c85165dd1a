"""Compiled templates are kept in the user's cache folder; what is kept changes no command."""

import os
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import jinja2
import pytest
from msgspec import Struct

from advisor.ground import assets
from advisor.ground.assets import asset_dir
from advisor.lint import site
from advisor.lint.sandbox import UnsafeValueError
from advisor.lint.site import commands

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="nothing is kept on Windows")

NAME = "remedy/interface-bandwidth.j2"


class Values(Struct):
    """What the template of these tests asks for."""

    word: str = "BR1"


@pytest.fixture(autouse=True)
def templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "templates"
    copytree(asset_dir("templates"), folder)
    (folder / NAME).write_text("hostname {{ word }}\n", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(assets, "asset_dir", lambda _: folder)
    forget()
    yield folder
    forget()


def forget() -> None:
    site._environment.cache_clear()
    assets.environment.cache_clear()


def of_the_next_process() -> tuple[str, ...]:
    forget()
    return commands(NAME, Values())


def test_a_template_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = commands(NAME, Values())
    monkeypatch.delattr(jinja2.Environment, "compile")
    assert of_the_next_process() == first == ("hostname BR1",)


def test_a_changed_template_is_compiled_anew(templates: Path) -> None:
    commands(NAME, Values())
    (templates / NAME).write_text("hostname {{ word }}-B\n", "utf-8")
    assert of_the_next_process() == ("hostname BR1-B",)


def test_a_kept_template_that_is_spoilt_is_compiled_anew(tmp_path: Path) -> None:
    commands(NAME, Values())
    (kept,) = (tmp_path / "ios-advisor").glob("template-*")
    kept.write_bytes(kept.read_bytes()[:-1])
    assert of_the_next_process() == ("hostname BR1",)


def test_a_kept_template_still_guards_its_values() -> None:
    commands(NAME, Values())
    forget()
    with pytest.raises(UnsafeValueError):
        commands(NAME, Values("BR1\nreload"))
