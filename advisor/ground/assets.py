"""Rules, templates and the demo's bundle, and what a cold start keeps in the cache folder."""

import os
import stat
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jinja2 import Environment

# Finds rules, templates and the bundle of the demo, in the checkout or in the installed wheel.

_PACKAGE = Path(__file__).parents[1]


def asset_dir(name: str) -> Path:
    """Folder of shipped assets.

    Parameters
    ----------
    name : str
        ``"rules"``, ``"templates"`` or ``"fixtures/bundles/wan-edge-demo"``.

    Raises
    ------
    FileNotFoundError
        If neither the wheel nor the checkout holds it: the installation is broken.
    """
    for folder in (_PACKAGE / "_assets" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"{name}/ is missing from the installation at {_PACKAGE}")


def filled(template: str, **values: Any) -> str:  # noqa: ANN401 -- whatever a template shows
    """Text of a template of ours; in HTML every value is escaped unless it is markup."""
    return environment(is_html=".html." in template).get_template(template).render(values)


@cache
def environment(*, is_html: bool) -> "Environment":
    """Return what fills the templates of ours."""
    from jinja2 import (  # noqa: PLC0415 -- most runs fill no template
        Environment,
        FileSystemLoader,
        StrictUndefined,
    )

    return Environment(
        loader=FileSystemLoader(asset_dir("templates")),
        undefined=StrictUndefined,
        autoescape=is_html,  # noqa: S701 -- all else is TOML, Markdown, Python or IOS
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=not is_html,
    )


_FURTHER: Final = " " * 8  # a line that goes on


def headed_rows(file: Path) -> dict[str, list[str]]:
    """Rows of a data file under their headings; `advisor/ios/grammar/global.txt` shows one."""
    headed: dict[str, list[str]] = {}
    rows: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith(_FURTHER):
            rows[-1] = f"{rows[-1]} {line.strip()}"
        elif line.startswith(" "):
            rows.append(line.strip())
        elif line and not line.startswith("#"):
            rows = headed.setdefault(line.removesuffix(":"), [])
    return headed


PACKAGE_NAME: Final = "ios-advisor"


def install_line(extra: str) -> str:
    """The command that installs an extra: of the folder or file that advisor came from, if known.

    A package that came from an index is installed by its name (PEP 610 says which one did not).
    """
    import json  # noqa: PLC0415 -- a message needs it, no run
    import shlex  # noqa: PLC0415
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415
    from urllib.parse import unquote, urlsplit  # noqa: PLC0415

    source = PACKAGE_NAME
    with suppress(PackageNotFoundError, ValueError, KeyError, TypeError):
        record = distribution(PACKAGE_NAME).read_text("direct_url.json") or ""
        origin = urlsplit(json.loads(record)["url"])
        source = unquote(origin.path) if origin.scheme == "file" else source
    return f"pip install {shlex.quote(f'{source}[{extra}]')}"


# Files in the user's cache folder that save a cold start some work: anybody may delete it.
#
# Such a file may be code that is run. It is only loaded if its folder and the file itself belong to
# the user of the process and nobody else can write them, and if its bytes are those that were
# written.

_FOLDER: Final = "ios-advisor"
_HASH_BYTES: Final = 32  # of SHA-256
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_MOST_BYTES: Final = 16_000_000  # numeric: the compiled kernel, the largest, has less
_FLAGS: Final = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
)


def read_kept(name: str) -> bytes | None:
    """Read what was kept under a name; None if nothing whole and trustworthy is there."""
    folder = _folder()
    if folder is None:
        return None
    try:
        with os.fdopen(os.open(folder / name, os.O_RDONLY | _FLAGS), "rb") as file:
            state = os.fstat(file.fileno())
            if not (stat.S_ISREG(state.st_mode) and _is_ours_alone(state)):
                return None
            kept = file.read(_MOST_BYTES)
    except OSError:
        return None
    written, content = kept[:_HASH_BYTES], kept[_HASH_BYTES:]
    return content if sha256(content).digest() == written else None


def keep(name: str, content: bytes) -> None:
    """Keep bytes under a name, whole or not at all; where that cannot be done, nothing is kept."""
    folder = _folder()
    if folder is None:
        return
    draft = folder / f"{name}.{os.urandom(8).hex()}"
    try:
        new = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o600)
        with os.fdopen(new, "wb") as file:
            file.write(sha256(content).digest() + content)
        draft.replace(folder / name)
    except OSError:
        with suppress(OSError):
            draft.unlink()


def _folder() -> Path | None:
    """The cache folder of the user; None if there is none that only the user can write."""
    if not hasattr(os, "geteuid"):  # who may write a file cannot be asked so elsewhere
        return None
    home = os.environ.get("HOME", "")
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path(home, ".cache"))
    if not base.is_absolute():
        return None
    folder = base / _FOLDER
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        places = (folder, *folder.resolve().parents)
        if not _is_ours_alone(folder.lstat()) or not all(map(_is_safe, places)):
            return None
    except (OSError, RuntimeError, ValueError):
        return None
    return folder


def _is_safe(place: Path) -> bool:
    """Whether nobody but the user and the administrator can put another folder in its place."""
    state = place.stat()
    is_sticky = bool(state.st_mode & stat.S_ISVTX)
    return state.st_uid in {0, os.geteuid()} and (is_sticky or not state.st_mode & _OTHERS_WRITE)


def _is_ours_alone(state: os.stat_result) -> bool:
    return state.st_uid == os.geteuid() and not state.st_mode & _OTHERS_WRITE
