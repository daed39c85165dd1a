"""PATH arguments to sources: files, folders, globs and standard input."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from glob import has_magic
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.capture.exports import is_json_export
from advisor.capture.sections import Capture, GapKind
from advisor.device.sources import (
    MANIFEST,
    NO_CAPTURES,
    Source,
    is_excluded,
    is_link,
    is_own_output,
    matches,
    source_of,
    tells_a_device,
)
from advisor.ground.bounded import (
    LARGEST_BYTES,
    STDIN,
    NotRegularError,
    TooMuchInputError,
    read_file,
    read_regular,
)
from advisor.ground.faults import Guard, guarded
from advisor.ground.quantity import count
from advisor.ios.terminal import is_binary, text_of

_JSON = ".json"
_OF_A_BARE_REPOSITORY = {"objects", "refs"}
_GIT = ".git"
STDIN_NAME = "<stdin>"


def first_folder(paths: Sequence[str]) -> Path:
    """Folder that settings are looked for from: that of the first path, else the current one."""
    if not paths or paths[0] == STDIN:
        return Path.cwd()
    path = Path(paths[0])
    folder = path if os.path.isdir(path) else path.parent  # noqa: PTH112 -- of any length
    return folder if os.path.isdir(folder) else Path.cwd()  # noqa: PTH112


class _Named(Struct, frozen=True):
    """File or bundle that a path names. `is_listed`: a folder or a glob named it."""

    name: str
    is_listed: bool = False  # then it may be skipped with a note
    is_bundle: bool = False

    @property
    def shown(self) -> str:
        """Name as text that every format can carry: names may hold any byte."""
        return STDIN_NAME if self.name == STDIN else _as_text(self.name)


class Inputs(Struct):
    """Reads what PATH arguments name, and keeps a note on what it did not read.

    It may be iterated many times; each pass reads the files anew, so that memory is that of the
    largest. `load` reads one of the latest pass once more. `unreadable` is wrong use; `declined`
    leaves the verdict incomplete; `notes` are for the record; `skipped` are the names of links,
    documents and binary files. All are those of the latest pass and fill up while it goes. Files
    that a glob of `exclude` means are left out, however they are named.
    """

    paths: Sequence[str]
    guard: Guard | None = None
    exclude: Sequence[str] = ()
    unreadable: list[str] = field(default_factory=list)
    declined: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    _read_names: list[_Named] = field(default_factory=list)  # what was read, in order
    _gone: set[int] = field(default_factory=set)  # places in it that could not be read again
    _streams: dict[str, bytes] = field(default_factory=dict)  # what can be read only once
    _failed: dict[str, OSError] = field(default_factory=dict)  # is not waited for again
    _excluded: int = 0  # files and folders

    def __iter__(self) -> Iterator[Source]:
        """Each file and each bundle once; files of a bundle only as part of it."""
        for kept in (self.unreadable, self.declined, self.notes, self.skipped, self._read_names):
            kept.clear()
        self._gone.clear()
        self._excluded = 0
        named: dict[str, _Named] = {}
        for path in self.paths:
            with guarded(self.guard, _as_text(path)):
                for named_path in self._named(path):
                    named.setdefault(_key(named_path.name), named_path)
        if self._excluded:
            excluded = count(self._excluded, "file or folder", "files and folders")
            self.notes.append(f"excluded: {excluded}")
        for opened, source in self._read(named):
            self._read_names.append(opened)
            yield source
        if not self._read_names and not self.unreadable and not self._all_are_excluded():
            self.declined.append("nothing was read: no configuration, no show output, no bundle")

    def _all_are_excluded(self) -> bool:
        """Whether the paths are files by name, all excluded, as a hook of pre-commit names them."""
        return bool(self.exclude) and all(
            os.path.isfile(path) and is_excluded(path, os.path.basename(path), self.exclude)  # noqa: PTH113, PTH119
            for path in self.paths
        )

    def load(self, place: int) -> Source | None:
        """Read one input of the latest pass again, by its place in that pass.

        None where it is gone or cannot be read any more, which is said.
        """
        name = self._read_names[place]
        source = None
        if place not in self._gone:
            with guarded(self.guard, name.shown):
                reread = self._bundle(name) if name.is_bundle else self._file(name)
                source = next((source for opened, source in reread if opened is name), None)
        if source is None:
            self._gone.add(place)
        return source

    def _read(self, named: dict[str, _Named]) -> Iterator[tuple[_Named, Source]]:
        bundles = {key for key, opened in named.items() if opened.is_bundle}
        for key, opened in named.items():
            with guarded(self.guard, opened.shown):
                if opened.is_bundle:
                    yield from self._bundle(opened)
                elif os.path.dirname(key) not in bundles:  # noqa: PTH120
                    yield from self._file(opened)

    def _named(self, path: str) -> Iterator[_Named]:
        if path == STDIN:
            yield _Named(path)
        elif os.path.isdir(path):  # noqa: PTH112 -- names stay as the user typed them
            yield from self._under(path)
        elif not os.path.exists(path) and has_magic(path):  # noqa: PTH110
            yield from self._matching(path)
        elif not self._is_excluded(path, os.path.basename(path)):  # noqa: PTH119
            yield _or_its_bundle(_Named(path))

    def _is_excluded(self, path: str, found: str) -> bool:
        is_out = bool(self.exclude) and is_excluded(path, found, self.exclude)
        self._excluded += is_out
        return is_out

    def _matching(self, pattern: str) -> Iterator[_Named]:
        names = matches(pattern)
        if not names:
            self.unreadable.append(f"{_as_text(pattern)}: no file matches")
        typed = set(pattern.split(os.sep))  # noqa: PTH206
        for match in names:
            found = [part for part in match.split(os.sep) if part not in typed]  # noqa: PTH206
            if self._is_excluded(match, os.path.join("", *found)):  # noqa: PTH118
                continue
            if os.path.isdir(match):  # noqa: PTH112
                yield from self._under(match)
            else:
                yield _or_its_bundle(_Named(match, is_listed=True))

    def _under(self, folder: str) -> Iterator[_Named]:
        """Bundles and regular files below a folder, sorted; hidden ones are skipped."""
        inputs = links = 0
        hidden: list[str] = []
        documents: list[str] = []
        unreadable_before = len(self.unreadable)
        for parent, folders, files in os.walk(folder, onerror=self._not_listed):
            self._leave_out_repository(parent, folders, files)
            self._leave_out(folder, parent, folders, files)
            hidden += (name for name in (*folders, *files) if name.startswith("."))
            self.skipped += _hidden_files(parent, folders, files)
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            if MANIFEST in files:
                inputs += 1
                yield _Named(parent, is_listed=True, is_bundle=True)
                continue
            links += sum(map(is_link, (os.path.join(parent, name) for name in folders)))  # noqa: PTH118
            for name in sorted(name for name in files if not name.startswith(".")):
                path = os.path.join(parent, name)  # noqa: PTH118
                if is_link(path):
                    links += 1
                    self.skipped.append(path)
                elif name.lower().endswith(NO_CAPTURES) and not _is_export(path):
                    documents.append(path)
                else:
                    inputs += 1
                    yield _Named(path, is_listed=True)
        if hidden:
            self.notes.append(
                f"{_as_text(folder)}: hidden files and folders skipped: {len(hidden)}"
            )
        if links:
            self.notes.append(
                f"{_as_text(folder)}: links not followed: {links}; name one to read it"
            )
        if documents:
            self._say_of_documents(folder, documents)
        if not inputs and len(self.unreadable) == unreadable_before:
            self.unreadable.append(f"{_as_text(folder)}: holds no file to read")

    def _leave_out(self, folder: str, parent: str, *listings: list[str]) -> None:
        """Take out of the listings of a folder what is excluded."""
        for names in listings if self.exclude else ():
            paths = {name: os.path.join(parent, name) for name in names}  # noqa: PTH118
            names[:] = (
                name
                for name, path in paths.items()
                if not self._is_excluded(path, os.path.relpath(path, folder))
            )

    def _leave_out_repository(self, parent: str, *listings: list[str]) -> None:
        """Take a bare repository of git, as Oxidized keeps one, out of the listings: no text."""
        folders, files = listings
        if "HEAD" not in files or not set(folders) >= _OF_A_BARE_REPOSITORY:
            return
        self.declined.append(
            f"{_as_text(parent)}: a bare repository of git: clone it, and name the clone"
        )
        folders.clear()
        files.clear()

    def _say_of_documents(self, folder: str, documents: list[str]) -> None:
        self.skipped += documents
        self.notes.append(
            f"{_as_text(folder)}: documents (.md, .toml, .json, …) skipped: {len(documents)}; "
            "name one to have it read"
        )
        telling = [_as_text(path) for path in documents if _holds_a_device(path)]
        if telling:
            more = f" and {len(telling) - 1} more" if telling[1:] else ""
            self.declined.append(
                f"{telling[0]}{more}: skipped for the name of a document, and holds a "
                "configuration or an output of a device: name it to have it read"
            )

    def _not_listed(self, error: OSError) -> None:
        self.unreadable.append(f"{_as_text(error.filename)}: {error.strerror}")

    def _bundle(self, named: _Named) -> Iterator[tuple[_Named, Source]]:
        """Read a bundle; without our manifest its files are separate inputs."""
        from advisor.capture.read_bundle import read_bundle  # noqa: PLC0415 -- most folders hold no bundle

        capture = read_bundle(Path(named.name))
        of_manifest = [gap for gap in capture.missing if gap.command == MANIFEST]
        broken = [gap for gap in of_manifest if gap.kind is not GapKind.UNUSED]
        rest = "; its files are read one by one" if broken else ""
        self.declined += (f"{named.shown}: {gap}{rest}" for gap in of_manifest)
        if not broken:
            missing = tuple(gap for gap in capture.missing if gap not in of_manifest)
            bundle = _with_text_names(replace(capture, missing=missing))
            among_others = self._is_among_others(named)
            yield named, Source(named.shown, b"", bundle, is_among_others=among_others)
            return
        try:
            files = sorted(os.scandir(named.name), key=lambda entry: entry.name)
        except OSError as error:
            self._not_listed(error)
            return
        for entry in files:
            if entry.name.startswith(".") or entry.name == MANIFEST:
                continue
            if entry.is_symlink():
                self.notes.append(f"{_as_text(entry.path)}: link, not followed")
            elif entry.is_file():
                yield from self._file(_Named(entry.path, is_listed=True))

    def _file(self, named: _Named) -> Iterator[tuple[_Named, Source]]:
        try:
            payload = self._payload(named)
        except TooMuchInputError as error:
            self.declined.append(f"{named.shown}: not read, {error.strerror}")
            return
        except OSError as error:
            self.unreadable.append(f"{named.shown}: {error.strerror}")
            return
        if payload is None:
            return
        if named.is_listed and is_binary(payload):
            self.notes.append(f"{named.shown}: skipped, looks binary")
            self.skipped.append(named.name)
            return
        if b"\0" in payload:
            # readers look at bytes ahead of the text: they see one byte a letter and no padding
            payload = _plain(payload)
        if is_own_output(payload):
            self.notes.append(f"{named.shown}: output of advisor, not read")
            if tells_a_device(source_of(named.shown, payload)):
                self.declined.append(
                    f"{named.shown}: begins or ends as output of advisor, and holds a "
                    "configuration or an output of a device: take advisor's text out"
                )
            return
        among_others = self._is_among_others(named)
        yield named, source_of(named.shown, payload, is_among_others=among_others)

    def _is_among_others(self, named: _Named) -> bool:
        return named.is_listed or len(self.paths) > 1

    def _payload(self, named: _Named) -> bytes | None:
        if named.name in self._failed:
            raise self._failed[named.name]
        try:
            return self._read_once(named)
        except OSError as error:
            self._failed[named.name] = error
            raise

    def _read_once(self, named: _Named) -> bytes | None:
        if named.name in self._streams:
            return self._streams[named.name]
        if named.is_listed:
            try:
                return read_regular(named.name)
            except NotRegularError:
                self.notes.append(f"{named.shown}: skipped, not a regular file")
                return None
        payload = read_file(named.name, LARGEST_BYTES)
        if named.name == STDIN or not os.path.isfile(named.name):  # noqa: PTH113
            self._streams[named.name] = payload
        return payload


def _key(name: str) -> str:
    """Return the key of a file, the same however the user spells its path."""
    return name if name == STDIN else os.path.abspath(name)  # noqa: PTH100


def _or_its_bundle(file: _Named) -> _Named:
    """A manifest stands for its bundle; any other file for itself."""
    folder, name = os.path.split(file.name)
    if name != MANIFEST or not os.path.isfile(file.name):  # noqa: PTH113
        return file
    return _Named(folder or os.curdir, is_listed=file.is_listed, is_bundle=True)


def _as_text(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _hidden_files(parent: str, folders: list[str], files: list[str]) -> Iterator[str]:
    """Hidden files of a folder, and those of its hidden folders: they may bear a device's name."""
    yield from (os.path.join(parent, name) for name in files if name.startswith("."))  # noqa: PTH118
    for name in folders:
        if name.startswith(".") and name != _GIT:
            with suppress(OSError), os.scandir(os.path.join(parent, name)) as entries:  # noqa: PTH118
                yield from sorted(entry.path for entry in entries if entry.is_file())


def _is_export(path: str) -> bool:
    """Whether a document is one in which another tool keeps what a device printed."""
    if not path.lower().endswith(_JSON):
        return False
    try:
        return is_json_export(read_regular(path))
    except OSError:
        return False


def _holds_a_device(path: str) -> bool:
    try:
        payload = read_regular(path)
    except OSError:
        return False
    return not is_binary(payload) and tells_a_device(source_of(_as_text(path), payload))


def _plain(payload: bytes) -> bytes:
    return payload if is_binary(payload) else text_of(payload).encode()


def _with_text_names(bundle: Capture) -> Capture:
    sections = (replace(section, file=_as_text(section.file)) for section in bundle.sections)
    return replace(bundle, file=_as_text(bundle.file), sections=tuple(sections))
