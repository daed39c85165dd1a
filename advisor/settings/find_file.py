"""Where the settings of a folder stand: advisor.toml or pyproject.toml, the nearest upwards."""

from pathlib import Path
from typing import Final

from advisor.bounded import read_file
from advisor.settings.document import read_document

OWN_FILE: Final = "advisor.toml"
SHARED_FILE: Final = "pyproject.toml"
SHARED_ROOT: Final = ("tool", "advisor")


def _is_ours(pyproject: Path) -> bool:
    """Whether a pyproject.toml has a `[tool.advisor]` table."""
    try:
        # Search the text first: most files do not name us, and TOML parsing costs start-up time.
        if b"advisor" not in read_file(pyproject):
            return False
    except OSError:
        return False
    return bool(read_document(pyproject, root=SHARED_ROOT).table)


def find_settings_file(start: Path) -> Path | None:
    """Nearest settings file in `start` or a folder above it; advisor.toml before pyproject.toml.

    An advisor.toml that cannot be read, like a link to nothing, is found too: reading it says why.

    Raises
    ------
    SettingsError
        If a pyproject.toml that names us is not TOML.
    """
    folder = start.absolute()
    for parent in (folder, *folder.parents):
        if _is_there(own_file := parent / OWN_FILE):
            return own_file
        if _is_file(file := parent / SHARED_FILE) and _is_ours(file):
            return file
    return None


def _is_there(path: Path) -> bool:
    """Whether the name exists, whatever it leads to, and the user may see it."""
    try:
        path.lstat()
    except OSError:
        return False
    return True


def _is_file(path: Path) -> bool:
    """Whether the file exists and the user may see it."""
    try:
        return path.is_file()
    except OSError:  # no permission to search a folder of the path
        return False


def beside(settings_file: Path | None, named: Path) -> Path:
    """A file that the settings name: relative names start at their folder."""
    return named if settings_file is None else settings_file.parent / named
