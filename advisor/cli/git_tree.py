"""Writes the asked paths of two git revisions to two temporary folders."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from fnmatch import translate
from glob import has_magic
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct

from advisor.cli.endings import WrongUseError
from advisor.cli.git_folder import find_git_folder, named_git_folder
from advisor.cli.git_store import ObjectError, Repository, Revision, TreeEntry, opened
from advisor.device.sources import MANIFEST, NO_CAPTURES
from advisor.ground.bounded import MEGABYTE
from advisor.report import printable

_TWO_ENDS, _FROM_MERGE_BASE = "..", "..."
_MOST_FILES: Final = 100_000  # of a revision, as the limits below
_MOST_ENTRIES: Final = 1_000_000
_MOST_BYTES: Final = 1024 * MEGABYTE
_DEEPEST: Final = 100
_ANY_FOLDERS: Final = "**"
_LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/"
_NO_NAMES: Final = ("", ".", "..")

Step = str | re.Pattern[str]  # one part of a path: a name, what a glob matches, or any folders


class Tree(Struct, frozen=True):
    """A revision as files below `folder`; `paths` are those of the user that it has.

    `passed` are names of links and submodules, which are not followed.
    """

    folder: Path
    paths: tuple[str, ...]
    passed: tuple[str, ...] = ()


class Trees(Struct, frozen=True):
    """Both ends of a range. A file that one end could not read is in neither; `unread` says why."""

    old: Tree
    new: Tree
    unread: tuple[str, ...]
    notes: tuple[str, ...]


class _AskedPath(Struct, frozen=True):
    """Rest of a path of the user below a folder; `place` is its index among all paths."""

    place: int
    steps: tuple[Step, ...]


_HIDDEN = "hidden file"


class _File(Struct, frozen=True):
    """A file to write; if it `is_read` by no run, it is written empty, so that it is counted.

    A document that differs from the other end is written whole: it may hold a configuration.
    """

    identity: str
    parts: tuple[str, ...]
    places: frozenset[int]
    is_read: bool


class _Folder(Struct, frozen=True):
    """A folder that is still to be read, and what is asked for of it."""

    tree: str
    parts: tuple[str, ...]
    asked: tuple[_AskedPath, ...]


@contextmanager
def two_trees(revisions: str, paths: Sequence[str]) -> Iterator[Trees]:
    """Write the asked files of both ends of a range to temporary folders.

    Raises
    ------
    WrongUseError
        If there is no git or no repository, a revision is unknown, no revision has a path, or a
        limit is met.
    """
    with TemporaryDirectory(prefix="advisor-diff-") as temporary:
        with opened(find_git_folder(Path.cwd())) as repository:
            inside = tuple(_inside(path, repository.top) for path in paths or (".",))
            ends = _ends(revisions, repository)
            asked = tuple(
                _asked(place, path, ends, repository) for place, path in enumerate(inside)
            )
            sides = [_Side(repository, Path(temporary) / side) for side in ("old", "new")]
            for side, commit in zip(sides, ends, strict=True):
                side.walk(commit, asked)
            for side, other in zip(sides, reversed(sides), strict=True):
                side.write(frozenset(other.files))
        for place, path in enumerate(inside):
            if not any(place in side.met for side in sides):
                raise WrongUseError(printable(f"{path}: is in neither revision of {revisions}"))
        unread = sides[0].unread | sides[1].unread
        old, new = (side.tree(inside, unread) for side in sides)
        said = tuple(f"{line}; not compared" for line in _unread_lines(unread))
        counted = Counter(sides[0].passed.values()) | Counter(sides[1].passed.values())
        yield Trees(old, new, said, (*repository.notes, *_passed_notes(counted)))


def _unread_lines(unread: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    return (f"{'/'.join(parts) or '.'}: {reason}" for parts, reason in unread.items())


def _passed_notes(counted: Mapping[str, int]) -> Iterator[str]:
    for kind, number in counted.items():
        if kind != _HIDDEN:
            yield f"{kind}s of a revision not followed: {number}"


class OneTree(Struct, frozen=True):
    """A revision of a repository; `unread` says what of it could not be read."""

    tree: Tree
    unread: tuple[str, ...]
    notes: tuple[str, ...]


@contextmanager
def repository_named(text: str) -> Iterator[tuple[Repository, str]]:
    """Open the repository of `FOLDER` or `FOLDER@REVISION`; a folder with the whole name wins.

    Raises
    ------
    WrongUseError
        If there is none, or it cannot be read.
    """
    folder, _, revision = (text, "", "") if Path(text).exists() else text.rpartition("@")
    with opened(named_git_folder(Path(folder or text))) as repository:
        yield repository, revision or "HEAD"


@contextmanager
def one_tree(repository: Repository, commit: str, paths: Sequence[str]) -> Iterator[OneTree]:
    """Write the files of a commit to a temporary folder; paths are those of the repository.

    Raises
    ------
    WrongUseError
        If the commit has none of the paths, or a limit is met.
    """
    inside = tuple(map(_of_repository, paths or (".",)))
    asked = tuple(_asked(place, path, (commit,), repository) for place, path in enumerate(inside))
    with TemporaryDirectory(prefix="advisor-git-") as temporary:
        side = _Side(repository, Path(temporary) / "tree")
        side.walk(commit, asked)
        side.write(frozenset(side.files))
        for place, path in enumerate(inside):
            if place not in side.met:
                raise WrongUseError(printable(f"{path}: is not in the repository at {commit[:12]}"))
        notes = (*repository.notes, *_passed_notes(Counter(side.passed.values())))
        yield OneTree(side.tree(inside, side.unread), tuple(_unread_lines(side.unread)), notes)


def _of_repository(path: str) -> str:
    steps = PurePosixPath(path)
    if steps.is_absolute() or ".." in steps.parts:
        raise WrongUseError(printable(f"{path}: with --git a path begins at the repository's top"))
    return str(steps)


def newest_of_days(history: Iterable[Revision], most: int) -> list[tuple[date, Revision]]:
    """The newest commit of each day (UTC), of at most so many days, oldest first."""
    days: dict[date, Revision] = {}
    for revision in history:
        day = datetime.fromtimestamp(revision.at_s, UTC).date()
        if day not in days and len(days) == most:
            break
        days.setdefault(day, revision)
    return sorted(days.items())


def _ends(revisions: str, repository: Repository) -> tuple[str, str]:
    separator = _FROM_MERGE_BASE if _FROM_MERGE_BASE in revisions else _TWO_ENDS
    base, found, head = revisions.partition(separator)
    if not found:
        raise WrongUseError(
            printable(f"--git: {revisions!r} is no range of revisions, like main..HEAD")
        )
    old, new = (repository.commit(end or "HEAD") for end in (base, head))
    if separator == _FROM_MERGE_BASE:
        old = repository.merge_base(old, new)
    return old, new


def _inside(path: str, top: Path) -> str:
    """A path of the user from the top of the repository."""
    root = Path(os.path.realpath(top))
    full = Path(os.path.abspath(path))  # noqa: PTH100 -- a link is not followed
    full = Path(os.path.realpath(full.parent)) / full.name if full not in (top, root) else root
    if full != root and not full.is_relative_to(root):
        raise WrongUseError(printable(f"{path}: is not in the repository {root}"))
    return str(full.relative_to(root))


def _asked(place: int, path: str, ends: Sequence[str], repository: Repository) -> _AskedPath:
    """A path as steps: a name with `*` that a revision has is that name, else a glob."""
    parts = Path(path).parts
    if not has_magic(path) or any(_is_there(parts, commit, repository) for commit in ends):
        return _AskedPath(place, parts)
    while parts[-1:] == (_ANY_FOLDERS,):
        parts = parts[:-1]
    return _AskedPath(place, tuple(
        re.compile(translate(part)) if has_magic(part) and part != _ANY_FOLDERS else part
        for part in parts
    ))  # fmt: skip


def _is_there(parts: Sequence[str], commit: str, repository: Repository) -> bool:
    tree = f"{commit}^{{tree}}"
    for place, part in enumerate(parts, start=1):
        try:
            named = [entry for entry in repository.entries(tree) if entry.name == part]
        except ObjectError:
            return False
        if not named or (place < len(parts) and not named[0].is_folder):
            return False
        tree = named[0].identity
    return True


def _behind(asked: _AskedPath, name: str) -> Iterator[_AskedPath]:
    """Remaining steps of an asked path below a name that its first step matches."""
    step, rest = asked.steps[0], _AskedPath(asked.place, asked.steps[1:])
    is_hidden = name.startswith(".")
    if step == _ANY_FOLDERS:
        yield from _behind(rest, name)
        if not is_hidden:
            yield asked
    elif isinstance(step, str):
        if step == name:
            yield rest
    elif step.match(name) and (not is_hidden or step.pattern.startswith(r"(?s:\.")):
        yield rest


class _Side:
    """Writes the asked files of a revision, and keeps what it does not read.

    `met` are the places of paths that the revision has; `passed` are links, submodules and what
    hidden folders hold.
    """

    def __init__(self, repository: Repository, folder: Path) -> None:
        self._repository = repository
        self._folder = folder
        self._places: dict[tuple[str, ...], frozenset[int]] = {}  # of every written file
        self.files: list[_File] = []
        self._entries = self._bytes = 0
        self.met: set[int] = set()
        self.unread: dict[tuple[str, ...], str] = {}
        self.passed: dict[tuple[str, ...], str] = {}

    def walk(self, commit: str, asked: tuple[_AskedPath, ...]) -> None:
        """Find the files of a commit.

        Raises
        ------
        WrongUseError
            If a limit is met.
        """
        self._folder.mkdir()
        self.met.update(item.place for item in asked if not item.steps)
        folders = [_Folder(f"{commit}^{{tree}}", (), asked)]
        while folders:
            folder = folders.pop()
            try:
                folders += self._of_folder(folder)
            except ObjectError as error:
                self.unread[folder.parts] = f"is not read, {error}"

    def write(self, of_other: frozenset[_File]) -> None:
        """Write the files that were found; `of_other` are those of the other end.

        Raises
        ------
        WrongUseError
            If a limit is met.
        """
        for file in self.files:
            try:
                is_document = not file.parts[-1].startswith(".")
                is_whole = file.is_read or (is_document and file not in of_other)
                self._write_file(file, is_whole=is_whole)
            except (ObjectError, OSError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                self.unread[file.parts] = f"is not read, {reason}"

    def tree(self, paths: Sequence[str], unread: Iterable[tuple[str, ...]]) -> Tree:
        """Written files, without those that are not read at either end."""
        for gone in unread:
            for parts in [parts for parts in self._places if parts[: len(gone)] == gone]:
                del self._places[parts]
                self._folder.joinpath(*parts).unlink()
        there = {place for places in self._places.values() for place in places}
        named = tuple(path for place, path in enumerate(paths) if place in there)
        return Tree(self._folder, named, tuple("/".join(parts) for parts in self.passed))

    def _of_folder(self, folder: _Folder) -> Iterator[_Folder]:
        """Note the files of a folder to write; the folders in it that are to be read."""
        entries = list(self._repository.entries(folder.tree))
        self._count(entries=len(entries))
        if len(folder.parts) > _DEEPEST:
            raise ObjectError(f"is more than {_DEEPEST} folders deep (limit)")
        is_bundle = any(entry.name == MANIFEST for entry in entries)
        whole = [item for item in folder.asked if not item.steps]
        steps = [item for item in folder.asked if item.steps]
        for entry in entries:
            left = (*whole, *(rest for step in steps for rest in _behind(step, entry.name)))
            if not left:
                continue
            parts = (*folder.parts, entry.name)
            is_named = any(item not in whole and not item.steps for item in left)
            self.met.update(item.place for item in left if not item.steps)
            is_known = is_bundle or is_named or not _is_skipped(entry.name)
            if not _is_name(entry.name):
                self.unread[parts] = "is no name of a file"
            elif entry.not_entered:
                self._pass(entry, parts, is_named=is_named or not whole)
            elif entry.is_folder and is_known:
                yield _Folder(entry.identity, parts, left)
            elif entry.is_folder:
                for file in self._repository.entries(entry.identity):
                    self.passed[*parts, file.name] = _HIDDEN
            elif any(not item.steps for item in left):
                places = frozenset(item.place for item in left if not item.steps)
                self.files.append(_File(entry.identity, parts, places, is_known))
                self._count()

    def _pass(self, entry: TreeEntry, parts: tuple[str, ...], *, is_named: bool) -> None:
        """Keep a link or a submodule as passed, or as unread where the user names it."""
        if is_named:
            self.unread[parts] = f"is a {entry.not_entered} in git and is not followed"
        else:
            self.passed[parts] = entry.not_entered

    def _write_file(self, file: _File, *, is_whole: bool) -> None:
        payload = self._repository.blob(file.identity) if is_whole else b""
        if file.is_read and payload.startswith(_LFS_POINTER):
            raise ObjectError("is a pointer of Git LFS: its content is not in the repository")
        self._count(size_bytes=len(payload))
        path = self._folder.joinpath(*file.parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as written:
            written.write(payload)
        self._places[file.parts] = file.places

    def _count(self, entries: int = 0, size_bytes: int = 0) -> None:
        self._repository.check_time()
        self._entries += entries
        self._bytes += size_bytes
        for count, most, what in (
            (self._entries, _MOST_ENTRIES, f"{_MOST_ENTRIES:,} names of files and folders"),
            (len(self.files), _MOST_FILES, f"{_MOST_FILES:,} files"),
            (self._bytes, _MOST_BYTES, f"{_MOST_BYTES // MEGABYTE} MB"),
        ):
            if count > most:
                raise WrongUseError(
                    f"--git: the paths hold more than {what} (limit); name fewer paths"
                )


def _is_skipped(name: str) -> bool:
    """Whether a run skips this name when it reads a folder."""
    return name.startswith(".") or (name.lower().endswith(NO_CAPTURES) and name != MANIFEST)


def _is_name(name: str) -> bool:
    """Whether a name stays in its folder; a tree that nobody checked may hold any."""
    return name not in _NO_NAMES and not set(name) & {"/", "\0", os.sep, os.altsep}
