"""Names of files: what a pattern or a handle means, and which files of a folder are inputs."""

import os
from collections.abc import Iterator
from glob import glob, has_magic
from pathlib import Path
from typing import Final

from advisor.capture.own_output import is_own_output
from advisor.ios.exec.terminal import is_binary
from advisor.units import whole

# What stands beside configurations in a repository and cannot be one.
NO_CAPTURES: Final = (
    *(".csv", ".html", ".json", ".md", ".pdf", ".py", ".rst", ".toml", ".yaml", ".yml"),
)
_HANDLES: Final = "/dev/fd"
_MOST_LINKS: Final = 8  # /dev/stdout leads to /proc/self/fd/1
MANIFEST: Final = "manifest.json"  # as the bundle has it, which a folder of configs need not import


def matches(pattern: str) -> list[str]:
    """Names that a pattern means, sorted.

    `**` goes into folders, not behind links to them, which may lead in a circle.
    """
    parts = [part for part in pattern.split(os.sep) if part]  # noqa: PTH206 -- as it is typed
    starts = {os.sep if pattern.startswith(os.sep) else ""}
    for place, part in enumerate(parts, start=1):
        if part != "**":
            starts = {
                os.path.join(start, name)  # noqa: PTH118
                for start in starts
                for name in glob(part, root_dir=start or None)  # noqa: PTH207
            }
        elif place < len(parts):
            starts = {folder for start in starts for folder in _folders(start)}
    return sorted(start or os.curdir for start in starts)


def _folders(start: str) -> Iterator[str]:
    """A folder and all below it that are not hidden."""
    for parent, folders, _ in os.walk(start or os.curdir):
        folders[:] = (name for name in folders if not name.startswith("."))
        yield parent if start else parent[2:]


def is_link(path: str) -> bool:
    return os.path.islink(path)  # noqa: PTH114 -- names may hold any bytes


def is_named(file: Path, path: str) -> bool:
    """Say whether a path, which is a file, a folder or a pattern, has a file read.

    Links count as what they lead to; a file that does not exist is not read.
    """
    if not file.is_file():
        return False
    if os.path.isdir(path):  # noqa: PTH112 -- names stay as the user typed them
        return _is_below(file, path)
    if not os.path.exists(path) and has_magic(path):  # noqa: PTH110
        return any(is_named(file, match) for match in matches(path))
    return os.path.exists(path) and os.path.samefile(file, path)  # noqa: PTH110, PTH121


def _is_below(file: Path, folder: str) -> bool:
    target = Path(os.path.realpath(file))
    try:
        parts = target.relative_to(os.path.realpath(folder)).parts
    except ValueError:
        return False
    if any(part.startswith(".") for part in parts):
        return False
    if target.name == MANIFEST:
        return True
    payload = target.read_bytes()
    return not (
        target.name.lower().endswith(NO_CAPTURES) or is_binary(payload) or is_own_output(payload)
    )


def handle_of(output: Path) -> int | None:
    """Number of the open file that a path like /dev/stdout or /dev/fd/63 means."""
    path = output
    for _ in range(_MOST_LINKS):
        if path.name.isdecimal() and os.path.realpath(path.parent) == os.path.realpath(_HANDLES):
            return whole(path.name)
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return None
