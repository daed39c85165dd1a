"""Arrows between rooms, counted on small packages that are made up."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tools import import_edges
from tools.import_edges import Graph, figures_of, graphs_of, sources_of_revision, sources_of_tree

ROOT = Path(__file__).parents[2]
ROOMS = {"advisor/__init__.py": "", "advisor/a.py": "", "advisor/b.py": "", "advisor/c/__init__.py": "",
         "advisor/c/deep.py": "", "advisor/c/other.py": ""}  # fmt: skip


def top(changed: Mapping[str, str]) -> Graph:
    return graphs_of({**ROOMS, **changed})[0]


@pytest.mark.parametrize(
    ("file", "text", "arrow"),
    [
        pytest.param("a.py", "import advisor.b", ("a", "b"), id="import"),
        pytest.param("a.py", "from advisor import b", ("a", "b"), id="a module from the root"),
        pytest.param(
            "a.py", "from advisor import __version__", ("a", "__init__"), id="a name of the root"
        ),
        pytest.param("a.py", "from advisor.b import x", ("a", "b"), id="a name of a module"),
        pytest.param(
            "a.py", "from advisor.c.deep import x", ("a", "c"), id="a module of a package"
        ),
        pytest.param(
            "a.py", "def f():\n    from advisor.b import x", ("a", "b"), id="lazy, in a function"
        ),
        pytest.param(
            "a.py", "if TYPE_CHECKING:\n    import advisor.b", ("a", "b"), id="for types alone"
        ),
        pytest.param("a.py", "import_module('advisor.b')", ("a", "b"), id="by a literal name"),
        pytest.param(
            "a.py", "import_module(f'advisor.c.{name}')", ("a", "c"), id="by a name known in part"
        ),
        pytest.param("a.py", "from .b import x", ("a", "b"), id="relative, a sibling"),
        pytest.param("a.py", "from . import b", ("a", "b"), id="relative, from the root"),
        pytest.param("c/deep.py", "from ..b import x", ("c", "b"), id="relative, one package up"),
        pytest.param("c/__init__.py", "from ..b import x", ("c", "b"), id="relative, in __init__"),
    ],
)
def test_an_import_of_another_room_is_an_arrow(
    file: str, text: str, arrow: tuple[str, str]
) -> None:
    assert list(top({f"advisor/{file}": text}).arrows) == [arrow]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        pytest.param("c/deep.py", "from advisor.c.other import x", id="inside a room"),
        pytest.param("c/deep.py", "from .other import x", id="inside a room, relative"),
        pytest.param("a.py", "import json, advisory.b", id="another package"),
        pytest.param("a.py", "'from advisor.b import x'", id="a string"),
        pytest.param("a.py", "import_module(name)", id="a name that is not known"),
    ],
)
def test_no_arrow(file: str, text: str) -> None:
    assert top({f"advisor/{file}": text}).arrows == {}


def test_two_imports_of_one_room_are_one_arrow() -> None:
    graph = top({"advisor/c/deep.py": "import advisor.b", "advisor/c/other.py": "import advisor.b"})
    assert figures_of(graph).arrows == 1
    assert [statement.file for statement in graph.arrows["c", "b"]] == [
        "advisor/c/deep.py",
        "advisor/c/other.py",
    ]


@pytest.mark.parametrize(
    ("changed", "floors", "cycles"),
    [
        pytest.param({}, 1, (), id="no arrow: one floor"),
        pytest.param({"a": "import advisor.b", "b": "import advisor.c"}, 3, (), id="a chain"),
        pytest.param(
            {"a": "import advisor.b\nimport advisor.c", "b": ""}, 2, (), id="two rooms on a floor"
        ),
        pytest.param(
            {"a": "import advisor.b", "b": "def f():\n    import advisor.a"},
            1,
            (("a", "b"),),
            id="a lazy import back makes a cycle",
        ),
        pytest.param(
            {"a": "import advisor.b", "b": "import advisor.c", "c/deep": "import advisor.a"},
            1,
            (("a", "b", "c"),),
            id="a cycle of three",
        ),
    ],
)
def test_floors_and_cycles(
    changed: Mapping[str, str], floors: int, cycles: tuple[tuple[str, ...], ...]
) -> None:
    counted = figures_of(top({f"advisor/{name}.py": text for name, text in changed.items()}))
    assert (counted.floors, counted.cycles) == (floors, cycles)


def test_the_second_level_is_counted_where_it_exists() -> None:
    inner = {
        "advisor/ios/__init__.py": "",
        "advisor/ios/syntax/tree.py": "",
        "advisor/ios/edit/apply.py": "from advisor.ios.syntax.tree import x",
    }
    _, ios = graphs_of(ROOMS | inner)
    assert (ios.package, sorted(ios.rooms)) == ("advisor.ios", ["__init__", "edit", "syntax"])
    assert list(ios.arrows) == [("edit", "syntax")]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "advisor").mkdir()
    (tmp_path / "advisor/a.py").write_text("import advisor.b\n", "utf-8")
    (tmp_path / "advisor/b.py").write_text("", "utf-8")
    author = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    for command in (("init", "-q"), ("add", "."), (*author, "commit", "-qm", "first")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)  # noqa: S603, S607
    return tmp_path


def test_a_revision_is_read_from_git(repository: Path) -> None:
    (repository / "advisor/a.py").write_text("", "utf-8")

    (then,), (now,) = (
        graphs_of(sources)
        for sources in (sources_of_revision("HEAD", repository), sources_of_tree(repository))
    )

    assert (list(then.arrows), list(now.arrows)) == ([("a", "b")], [])


def said(monkeypatch: pytest.MonkeyPatch, root: Path, *words: str) -> int:
    monkeypatch.setattr(import_edges, "ROOT", root)
    monkeypatch.setattr(sys, "argv", ["import_edges", *words])
    return import_edges.main()


@pytest.fixture
def house(tmp_path: Path) -> Path:
    for path, text in (ROOMS | {"advisor/a.py": "import advisor.b\n"}).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


def test_json_holds_figures_and_arrows(
    house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(monkeypatch, house, "--json") == 0
    (graph,) = json.loads(capsys.readouterr().out)
    assert graph == {
        "package": "advisor",
        "rooms": 4,
        "arrows": 1,
        "floors": 2,
        "cycles": [],
        "between": [["a", "b"]],
    }


def test_a_room_is_explained_by_its_statements(
    house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(monkeypatch, house, "--room", "b") == 0
    assert capsys.readouterr().out.splitlines() == [
        "advisor: a -> b",
        "  advisor/a.py:1 imports advisor.b",
    ]


def test_a_cycle_is_exit_code_1(
    house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (house / "advisor/b.py").write_text("import advisor.a\n", "utf-8")
    assert said(monkeypatch, house) == 1
    assert "  cycle: a, b" in capsys.readouterr().out


def test_a_revision_that_git_does_not_know_is_exit_code_2(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(monkeypatch, repository, "--rev", "no-such-revision") == 2
    assert "no-such-revision" in capsys.readouterr().err


@pytest.mark.slow
def test_the_house_has_no_cycle() -> None:
    found = {figures_of(graph).cycles for graph in graphs_of(sources_of_tree(ROOT))}
    assert found == {()}
