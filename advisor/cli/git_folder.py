"""Finds the git folder around a path, and checks every file that git will open.

A pipe or a device would stall git; a link or a pointer may lead to another repository.
See docs/decisions/020-a-repository-is-data.md.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from advisor.cli.endings import WrongUseError
from advisor.ground.bounded import MEGABYTE, entries_below, read_regular
from advisor.report import printable

_LARGEST_POINTER_BYTES: Final = 4096  # HEAD, .git, commondir
_LARGEST_LIST_BYTES: Final = MEGABYTE  # config, alternates
_MOST_FILES: Final = 1_000_000  # of refs and objects
_MOST_ALTERNATES: Final = 20
_OF_WORK_TREE: Final = ("FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "logs/HEAD")
_OF_REPOSITORY: Final = ("refs", "packed-refs", "reftable", "shallow", "logs/refs")


class GitFolder(Struct, frozen=True):
    """Files of the repository with the work tree `top` that git reads, each one checked.

    `shared` has the objects and refs of all its work trees; `notes` name other folders.
    """

    top: Path
    head: bytes
    names: tuple[tuple[str, Path], ...]
    shared: Path
    configuration: bytes
    notes: tuple[str, ...]


def find_git_folder(folder: Path) -> GitFolder:
    """Find the repository around a folder.

    Raises
    ------
    WrongUseError
        If there is none, or it has what git would stall on or leads to another repository.
    """
    for top in (folder, *folder.parents):
        marker = top / ".git"
        if marker.is_symlink() and not _is_in(marker, (top,)):
            raise _refused(marker, "is a link out of its folder, and is not followed")
        try:
            own = top / _pointer(marker, "gitdir:") if marker.is_file() else marker
            if (own / "HEAD").is_file():
                return _looked_at(top, marker, own)
        except OSError as error:
            raise _refused(Path(error.filename or marker), f"{error.strerror}") from error
    raise WrongUseError(printable(f"--git: {folder} is in no work tree of a git repository"))


def named_git_folder(folder: Path) -> GitFolder:
    """Open the repository that a user names: one without a work tree, or that of a work tree.

    Raises
    ------
    WrongUseError
        As `find_git_folder`.
    """
    if not folder.is_dir():
        raise WrongUseError(printable(f"--git: {folder}: is no folder"))
    try:
        if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
            return _looked_at(folder, folder, folder)
    except OSError as error:
        raise _refused(Path(error.filename or folder), f"{error.strerror}") from error
    return find_git_folder(folder)


def _looked_at(top: Path, marker: Path, own: Path) -> GitFolder:
    common = own / "commondir"
    shared = own / _pointer(common, "") if _is_there(common) else own
    if shared != own and (marker.is_dir() or not _is_in(own, (shared / "worktrees",))):
        raise _refused(common, "leads to another repository, and is not followed")
    roots = (own, shared)
    names = [
        (name, (source / name).absolute())
        for source, linked in ((own, _OF_WORK_TREE), (shared, _OF_REPOSITORY))
        for name in linked
        if _is_there(source / name)
    ]
    for path in (*(path for _, path in names), own / "HEAD", shared / "config", shared / "objects"):
        _check(path, roots)
    configuration = b""  # git has defaults
    if (shared / "config").exists():
        configuration = _content(shared / "config", _LARGEST_LIST_BYTES)
    notes = [f"objects are read from {item} too: {by}" for item, by in _alternates(shared)]
    if marker.is_file() and not _points_back(own, marker):
        place = os.path.realpath(own)
        notes.insert(0, f"revisions and objects are read from {place}: {marker} names it")
    head = _content(own / "HEAD", _LARGEST_POINTER_BYTES)
    return GitFolder(top, head, tuple(names), shared, configuration, tuple(map(printable, notes)))


def _points_back(own: Path, marker: Path) -> bool:
    """Whether a folder of git is of a linked work tree, and says so itself."""
    back = own / "gitdir"
    return _is_there(back) and os.path.realpath(own / _pointer(back, "")) == os.path.realpath(
        marker
    )


def _alternates(shared: Path) -> Iterator[tuple[Path, str]]:
    """Folders of objects beside those of the repository, each with the file that names it."""
    seen, waiting = {os.path.realpath(shared / "objects")}, [shared / "objects"]
    while waiting:
        objects = waiting.pop()
        file = objects / "info/alternates"
        if not file.exists():
            continue
        for line in _text(file, _LARGEST_LIST_BYTES).split("\n"):
            if not line or line.startswith("#"):
                continue
            named = Path(os.path.realpath(objects), line)
            other = Path(os.path.realpath(named))
            if os.path.realpath(os.path.normpath(named)) != str(other):  # versions of git differ
                raise _refused(file, "a folder by `..` behind a link is not followed")
            if line.startswith('"'):
                raise _refused(file, "a folder in quotes is not followed")
            if len(seen) > _MOST_ALTERNATES:
                raise _refused(file, f"more than {_MOST_ALTERNATES} folders of objects (limit)")
            if str(other) not in seen and other.is_dir():
                _check(other, (other,))
                seen.add(str(other))
                waiting.append(other)
                yield other, f"{file} names it"


def _check(path: Path, roots: tuple[Path, ...]) -> None:
    """Refuse a path, or what is in it, that is no regular file of the repository."""
    if not _is_there(path):
        return
    if not _is_in(path, roots):
        raise _refused(path, "is a link out of the repository, and is not followed")
    if not path.is_dir() or path.is_symlink():
        _check_file(path, roots)
        return
    for entry in entries_below(path, _MOST_FILES, depth=_MOST_FILES):
        if not entry.is_file(follow_symlinks=False) and not entry.is_dir(follow_symlinks=False):
            _check_file(Path(entry.path), roots)


def _check_file(path: Path, roots: tuple[Path, ...]) -> None:
    if path.is_symlink():
        if not _is_in(path, roots):
            raise _refused(path, "is a link out of the repository, and is not followed")
        if path.is_dir():
            raise _refused(path, "is a link to a folder, and is not followed")
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        raise _refused(path, "is not a regular file")


def _is_in(path: Path, roots: tuple[Path, ...]) -> bool:
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(root)) for root in roots)


def _is_there(path: Path) -> bool:
    return os.path.lexists(path)


def _pointer(file: Path, word: str) -> str:
    """Path that a file holds behind a word."""
    return _text(file, _LARGEST_POINTER_BYTES).removeprefix(word).strip()


def _text(file: Path, most_bytes: int) -> str:
    content = _content(file, most_bytes)
    if b"\0" in content:  # git reads up to there
        raise _refused(file, "holds a NUL; what it names is not followed")
    return os.fsdecode(content)


def _content(file: Path, most_bytes: int) -> bytes:
    try:
        return read_regular(file, most_bytes)
    except OSError as error:
        raise _refused(file, f"{error.strerror}") from error


def _refused(path: Path, reason: str) -> WrongUseError:
    return WrongUseError(printable(f"--git: {path}: {reason}"))
