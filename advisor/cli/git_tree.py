"""Two revisions of a git repository, each as files in a folder; the repository stays as it is."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct

from advisor.cli.wrong_use import WrongUseError
from advisor.report.printable import printable

_OF_BOTH, _SINCE_THEY_PART = "..", "..."
# A link of a stranger's branch must not lead out of its folder; no hook and no monitor is run.
_SAFE: Final = ("-c", "core.symlinks=false", "-c", "core.hooksPath=/dev/null",
                "-c", "core.fsmonitor=false")  # fmt: skip


class Tree(Struct, frozen=True):
    """A revision as files below `folder`; `paths` are those of the user that it has."""

    folder: Path
    paths: tuple[str, ...]


@contextmanager
def two_trees(revisions: str, paths: Sequence[str]) -> Iterator[tuple[Tree, Tree]]:
    """Write the files of both ends of a range to temporary folders.

    Raises
    ------
    WrongUseError
        If there is no git or no repository, a revision is unknown, or no revision has a path.
    """
    root = Path(_git("rev-parse", "--show-toplevel").rstrip("\n")).resolve()
    old, new = _ends(revisions)
    inside = tuple(_inside(path, root) for path in paths or (".",))
    with TemporaryDirectory(prefix="advisor-diff-") as temporary:
        folder = Path(temporary)
        trees = tuple(
            _tree(root, revision, folder / side, inside)
            for side, revision in (("old", old), ("new", new))
        )
        for path in inside:
            if not any(path in tree.paths for tree in trees):
                raise WrongUseError(printable(f"{path}: is in neither revision of {revisions}"))
        yield trees[0], trees[1]


def _ends(revisions: str) -> tuple[str, str]:
    separator = _SINCE_THEY_PART if _SINCE_THEY_PART in revisions else _OF_BOTH
    base, found, head = revisions.partition(separator)
    if not found:
        raise WrongUseError(
            printable(f"--git: {revisions!r} is no range of revisions, like main..HEAD")
        )
    old, new = (_commit(end or "HEAD") for end in (base, head))
    if separator == _SINCE_THEY_PART:
        old = _git("merge-base", old, new).strip()
    return old, new


def _commit(name: str) -> str:
    return _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}",
                unless=f"--git: no revision {name!r}").strip()  # fmt: skip


def _inside(path: str, root: Path) -> str:
    """A path of the user from the top of the repository."""
    full = Path(os.path.abspath(path))  # noqa: PTH100 -- a link is not followed
    full = full.parent.resolve() / full.name if full != root else full
    if full.resolve() == root:
        return "."
    if not full.is_relative_to(root):
        raise WrongUseError(printable(f"{path}: is not in the repository {root}"))
    return str(full.relative_to(root))


def _tree(root: Path, commit: str, folder: Path, paths: Sequence[str]) -> Tree:
    folder.mkdir()
    index = {"GIT_INDEX_FILE": f"{folder}.index"}
    _git("read-tree", commit, more=index, root=root)
    _git("checkout-index", "--all", "--quiet", f"--prefix={folder}/", more=index, root=root)
    there = tuple(path for path in paths if os.path.lexists(folder / path))
    return Tree(folder, tuple(path for path in there if _holds_a_file(folder / path)))


def _holds_a_file(path: Path) -> bool:
    return path.is_file() or any(each.is_file() for each in path.rglob("*"))


def _git(
    *words: str,
    unless: str | None = None,
    more: dict[str, str] | None = None,
    root: Path | None = None,
) -> str:
    """Output of a git command; `unless` is what its failure means."""
    try:
        done = subprocess.run(  # noqa: S603 -- words of ours, and revisions after their options
            ["git", *_SAFE, *words],  # noqa: S607 -- the user's git
            cwd=root,
            env={**os.environ, **(more or {})},
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise WrongUseError(f"--git: git cannot be run: {error.strerror}") from error
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise WrongUseError(printable(unless or f"--git: {why.splitlines()[0] if why else words}"))
    return os.fsdecode(done.stdout)
