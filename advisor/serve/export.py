"""The what-if page as a folder that needs no server of ours: the product runs in the browser.

Pyodide, the Python of the browser, comes from npm, and msgspec's wheel for it from PyPI; each has
the version and the checksum that stand here. All else is copied from this installation.
"""

import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from advisor.api import page

_PYODIDE: Final = "314.0.7"
_PYODIDE_FILES: Final = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    *("python_stdlib.zip", "pyodide-lock.json", "package.json"),
)
_PYODIDE_SHA256: Final = "fd700c4deb6fd9bcd814b14be0449b3e8e162969f13b085ec8332cee3c6aa306"
_MSGSPEC: Final = "0.23.0"
_WHEEL: Final = f"msgspec-{_MSGSPEC}-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
_WHEEL_SHA256: Final = "1836f50ad87e7c56600b648a1b75c3bbcce62835cb1f489435fc5fee8d068831"
_OF_THE_WHEEL: Final = (
    *("--only-binary=:all:", "--platform=pyemscripten_2026_0_wasm32", "--abi=cp314"),
    *("--implementation=cp", "--python-version=3.14"),
)
_COPIED: Final = ("jinja2", "markupsafe", "textfsm")  # markupsafe does without its part in C
_LEFT_OUT: Final = ("cli", "collect", "lsp")  # rooms of advisor: no terminal and no SSH is there
_PARTS: Final = "parts.json"  # it also says that the folder is ours
_MOST_S: Final = 300


class ExportError(page.AdvisorError):
    """The page cannot be written; the message says what is missing and how to get it."""


def export(folder: Path, parts: Path | None) -> str:
    """Write the page into a folder; say how to look at it.

    Parameters
    ----------
    folder
        A new or empty folder, or one that an earlier export wrote.
    parts
        A folder with the files of the npm package pyodide and the wheel of msgspec. What is not
        there is asked of npm and pip.

    Raises
    ------
    ExportError
        If a part cannot be had or is another one, or the folder cannot be written.
    """
    with TemporaryDirectory() as name:
        taken = Path(name)
        pyodide, wheel = _pyodide(parts, taken), _wheel(parts, taken)
        site = taken / "site.zip"
        _write_site(site, wheel)
        stdlib = _compile(pyodide, site, taken)
        try:
            _write(folder, pyodide, site, stdlib)
        except OSError as error:
            raise ExportError(f"--export {folder}: cannot be written: {error.strerror}") from None
    size_mb = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
    slow = (
        ""
        if stdlib is not None
        else "Without node nothing is compiled ahead: it starts seconds later.\n"
    )
    return (
        f"{folder}: {size_mb:.0f} MB; {_PARTS} names its parts with their checksums.\n{slow}"
        "Any web server shows it; no browser starts it as a file. Here, for example:\n\n"
        f"  python3 -m http.server --bind 127.0.0.1 --directory {folder}\n"
    )


# The parts from elsewhere.


def _pyodide(parts: Path | None, taken: Path) -> Path:
    """The folder with the files of Pyodide: the given one, else what npm has."""
    source = f"pyodide@{_PYODIDE}"
    if parts is not None:
        folder = next((each for each in (parts, parts / "package") if _has_pyodide(each)), None)
        if folder is None:
            raise ExportError(
                f"--pyodide {parts}: lacks files of the npm package {source}; unpack it there"
            )
    else:
        _run(
            ["npm", "pack", source, "--silent"],
            taken,
            f"the npm package {source}: with npm, or unpacked in a folder that --pyodide names",
        )
        with tarfile.open(taken / f"pyodide-{_PYODIDE}.tgz") as archive:
            archive.extractall(taken, filter="data")
        folder = taken / "package"
    digests = (sha256((folder / name).read_bytes()).digest() for name in _PYODIDE_FILES)
    if sha256(b"".join(digests)).hexdigest() != _PYODIDE_SHA256:
        raise ExportError(f"{folder}: is not {source} as this version of advisor knows it")
    return folder


def _has_pyodide(folder: Path) -> bool:
    return all((folder / name).is_file() for name in _PYODIDE_FILES)


def _wheel(parts: Path | None, taken: Path) -> Path:
    """The wheel of msgspec: in the given folder, else what pip finds."""
    wheel = (parts or taken) / _WHEEL
    if not wheel.is_file():
        wheel = taken / _WHEEL
        command = ["pip", "download", "--quiet", "--no-deps", f"msgspec=={_MSGSPEC}"]
        _run(
            [sys.executable, "-m", *command, *_OF_THE_WHEEL],
            taken,
            f"{_WHEEL}: with pip from PyPI, or in the folder that --pyodide names",
        )
    if sha256(wheel.read_bytes()).hexdigest() != _WHEEL_SHA256:
        raise ExportError(f"{wheel}: is not the wheel that this version of advisor knows")
    return wheel


def _run(command: list[str], folder: Path, needed: str) -> None:
    """Run a command for a part that is needed."""
    try:
        subprocess.run(  # noqa: S603 -- npm and pip with arguments of ours
            command, cwd=folder, check=True, capture_output=True, timeout=_MOST_S
        )
    except (OSError, subprocess.SubprocessError) as error:
        why = getattr(error, "strerror", None) or f"{command[0]} failed"
        raise ExportError(f"--export needs {needed} ({why})") from None


# The product for the Python of the browser.


def _write_site(site: Path, wheel: Path) -> None:
    """Write advisor, its data, and the packages that it imports, as one archive."""
    with ZipFile(site, "w", ZIP_DEFLATED) as archive:
        with ZipFile(wheel) as binary:
            for name in binary.namelist():
                archive.writestr(name, binary.read(name))
        for package in _COPIED:
            for path in _files(_folder_of(package)):
                archive.write(path, f"{package}/{path.relative_to(_folder_of(package))}")
        advisor = _folder_of("advisor")
        for path in _files(advisor):
            place = path.relative_to(advisor)
            if place.parts[0] not in (*_LEFT_OUT, "_assets"):
                archive.write(path, f"advisor/{place}")
        for name, folder in page.shipped_folders().items():
            for path in _files(folder):
                archive.write(path, f"advisor/_assets/{name}/{path.relative_to(folder)}")


def _folder_of(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ExportError(f"--export: {package} is not installed as files")
    return Path(spec.submodule_search_locations[0])


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        is_code = "__pycache__" in path.parts or path.suffix in (".so", ".pyd", ".pyc")
        if path.is_file() and not is_code:
            yield path


def _compile(pyodide: Path, site: Path, taken: Path) -> Path | None:
    """Compile what an answer imports, in that very Python: in the archive, and a standard library.

    Python would compile it at each start of the page, which takes longer than all else. It needs
    node; None without it.
    """
    node = shutil.which("node")
    if node is None:
        return None
    script, stdlib = taken / "compile.mjs", taken / "compiled.zip"
    script.write_text(page.page_asset("what_if_compile.mjs"), encoding="utf-8")
    command = [node, str(script), str(pyodide.resolve()), str(site), str(stdlib)]
    _run(command, taken, "node, to compile the page")
    return stdlib


# The folder.


def _write(folder: Path, pyodide: Path, site: Path, stdlib: Path | None) -> None:
    """Write the page, in place of an earlier one."""
    if folder.exists() and any(folder.iterdir()) and not (folder / _PARTS).is_file():
        raise ExportError(f"--export {folder}: holds files of others; name a new folder")
    (folder / "pyodide").mkdir(parents=True, exist_ok=True)
    for name in _PYODIDE_FILES:
        shutil.copyfile(pyodide / name, folder / "pyodide" / name)
    if stdlib is not None:
        shutil.copyfile(stdlib, folder / "pyodide/python_stdlib.zip")
    shutil.copyfile(site, folder / site.name)
    texts = {**page.page_texts(page.BROWSER), "worker.js": page.page_asset("what_if_worker.js")}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    written = [*(f"pyodide/{name}" for name in _PYODIDE_FILES), site.name, *texts]
    parts = {
        "pyodide": _PYODIDE,
        "msgspec": {"file": _WHEEL, "sha256": _WHEEL_SHA256},
        "sha256": {name: sha256((folder / name).read_bytes()).hexdigest() for name in written},
    }
    (folder / _PARTS).write_text(f"{json.dumps(parts, indent=2)}\n", encoding="utf-8")
