"""A folder to a capture, by its manifest: what is missing, cut or changed is said."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from advisor.capture.clock import CaptureTime, TimeSource
from advisor.capture.cuts import read_answer, read_capture
from advisor.capture.masking import without_secrets
from advisor.capture.pasted import plain_payload
from advisor.capture.sections import Capture, Gap, GapCause, GapKind, Section, SectionKind, answer
from advisor.ground.bounded import read_regular
from advisor.ground.data import DataError, decoded, json_of
from advisor.ios.terminal import text_of

# `manifest.json`: what was asked of a device, when, and what came of it.

MANIFEST: Final = "manifest.json"
SCHEMA: Final = 1
RUNNING_CONFIG: Final = "running-config"
_RUNNING_CONFIG_COMMAND: Final = "show running-config"
_LONGEST_NAME: Final = 100
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9.-]+")


class ManifestEntry(msgspec.Struct, frozen=True):
    """One command.

    `file` is None where it was not answered. `asked_at` is in UTC. `complete` is false where the
    output is not whole; `cause` and `detail` say why, or why there is none, and `reason` is both
    as one text for a person. Decisions read `cause`. `earlier` marks the first of two samples,
    `partial` what the privilege of the session cut down.
    """

    command: str
    file: str | None = None
    asked_at: datetime | None = None
    size_bytes: int = msgspec.field(name="bytes", default=0)
    sha256: str = ""
    complete: bool = True
    reason: str = ""
    earlier: bool = False
    partial: bool = False
    cause: GapCause = GapCause.OTHER
    detail: str = ""


_VALUE: Final = re.compile(r"value '.*'", re.DOTALL)


class Manifest(msgspec.Struct, frozen=True):
    """Contents of a bundle. `device` is its hostname, `host` the address that was asked."""

    schema: int
    device: str | None
    host: str | None
    privilege: int | None
    commands: tuple[ManifestEntry, ...]


class ManifestError(Exception):
    """A manifest that cannot be read; the text says why."""


def encode(manifest: Manifest) -> bytes:
    """Write a manifest as JSON that a person can read."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def decode_manifest(payload: bytes) -> tuple[Manifest, tuple[str, ...]]:
    """Read a manifest, and say which of its statements are not used.

    A time that no clock shows costs only itself. A command that cannot be understood is left out:
    its file is one that the manifest does not list.

    Raises
    ------
    ManifestError
        Where it is no JSON, lacks a key, or is of another schema.
    """
    try:
        table = json_of(decoded(payload, MANIFEST), MANIFEST)
    except DataError as error:
        raise ManifestError(error.reason) from None
    commands = table.get("commands") if isinstance(table, dict) else None
    if isinstance(table, dict) and isinstance(commands, list):
        table = table | {"commands": []}  # each is read by itself
    else:
        commands = []
    try:
        manifest = msgspec.convert(table, Manifest)
    except msgspec.ValidationError as error:
        raise ManifestError(_why(error)) from None
    if manifest.schema != SCHEMA:
        raise ManifestError(f"schema {manifest.schema}; this version reads {SCHEMA}")
    entries: list[ManifestEntry] = []
    unused: list[str] = []
    for place, stated in enumerate(commands):
        _add_entry(stated, f"commands[{place}]", entries, unused)
    return msgspec.structs.replace(manifest, commands=tuple(entries)), tuple(unused)


def _add_entry(stated: object, key: str, entries: list[ManifestEntry], unused: list[str]) -> None:
    time = stated.get("asked_at") if isinstance(stated, dict) else None
    try:
        asked_at = None if time is None else _in_utc(msgspec.convert(time, datetime))
    except (msgspec.ValidationError, OverflowError) as error:
        asked_at = None
        reason = "a time at the end of the calendar" if isinstance(error, OverflowError) else None
        unused.append(f"{key}.asked_at: {reason or 'is no time'}")
    try:
        rest = stated | {"asked_at": None} if isinstance(stated, dict) else stated
        entry = msgspec.convert(rest, ManifestEntry)
    except msgspec.ValidationError as error:
        reason, _, path = _why(error).partition(" - at '$")
        unused.append(f"{key}{path.rstrip(chr(39))}: {reason}")
    else:
        entries.append(msgspec.structs.replace(entry, asked_at=asked_at))


def _in_utc(time: datetime) -> datetime:
    return time if time.tzinfo is None else time.astimezone(UTC)


def _why(error: msgspec.MsgspecError) -> str:
    """Why a manifest is not read, without its values, in quotes that no mask takes for a line."""
    return _VALUE.sub("value", str(error)).replace("`", "'")


def digest(payload: bytes) -> str:
    """Checksum of a file as manifests hold it."""
    return sha256(payload).hexdigest()


def file_name(command: str, taken: Iterable[str]) -> str:
    """Name the file of a command, so that no other file of the bundle has it.

    Names are compared without their case, as some file systems do.

    Examples
    --------
    >>> file_name("show policy-map interface Serial0/1/0", [])
    'show_policy-map_interface_Serial0-1-0.txt'
    >>> file_name("show running-config", [])
    'running-config'
    """
    used = {name.lower() for name in (*taken, MANIFEST)}
    if command == _RUNNING_CONFIG_COMMAND and RUNNING_CONFIG not in used:
        return RUNNING_CONFIG
    words = (_NOT_IN_A_NAME.sub("-", word).strip("-.") for word in command.split())
    stem = "_".join(word for word in words if word)[:_LONGEST_NAME] or "command"
    name, number = f"{stem}.txt", 1
    while name.lower() in used:
        number += 1
        name = f"{stem}.{number}.txt"
    return name


def asked_at(time: CaptureTime | None) -> datetime | None:
    """Return the time of a section as a manifest holds it; others are read off the text again."""
    if time is None or time.source is not TimeSource.MANIFEST:
        return None
    return time.local.replace(tzinfo=UTC)


def time_of(entry: ManifestEntry) -> CaptureTime | None:
    """Return the time that a manifest holds for a command."""
    if entry.asked_at is None:
        return None
    return CaptureTime(entry.asked_at.replace(tzinfo=None), "UTC", TimeSource.MANIFEST, None)


# A folder to a capture: what is missing, cut or changed is said, never raised.

_EMPTY: Final = Manifest(SCHEMA, None, None, None, ())


def is_bundle(folder: Path) -> bool:
    """Say whether a folder has a manifest."""
    return (folder / MANIFEST).is_file()


class _Files(msgspec.Struct, frozen=True):
    """The files of a bundle: of its folder, or held in memory by their names."""

    folder: Path
    held: Mapping[str, bytes] | None = None

    def names(self) -> list[str]:
        if self.held is not None:
            return sorted(self.held)
        return sorted(path.name for path in self.folder.iterdir() if not path.is_dir())

    def payload(self, name: str) -> bytes:
        if self.held is None:
            return read_regular(self.folder / name, follows_link=False)
        if name not in self.held:
            raise FileNotFoundError(name)
        return self.held[name]

    def path(self, name: str) -> str:
        return str(self.folder / name)


def read_bundle(folder: Path, held: Mapping[str, bytes] | None = None) -> Capture:
    """Read the bundle in a folder.

    Files that the manifest does not list are read as loose files are. Left out are a configuration
    beside the one that it lists, and all parts of another device. Nothing outside the folder
    is read, whatever the manifest says. Sections are named by their path below the folder's name.

    Parameters
    ----------
    folder
        A bundle's folder. Without a manifest, or with one that cannot be read, all its files are
        loose.
    held
        Its files by their names, where they are in memory already: nothing is read then.

    Returns
    -------
    Capture
        Its `gaps` list every command that is missing, cut, changed or unreadable.
    """
    gaps: list[Gap] = []
    files = _Files(folder, held)
    manifest = _manifest(files, gaps)
    sections: list[Section] = []
    earlier: list[Section] = []
    for entry in _listed_once(manifest.commands, gaps):
        if _is_unsupported(entry):
            continue
        (earlier if entry.earlier else sections).extend(_sections(files, entry, manifest, gaps))
    listed = {MANIFEST, *(entry.file for entry in manifest.commands if entry.file)}
    has_config = any(section.kind is SectionKind.CONFIG for section in sections)
    for section in _loose(files, listed, gaps):
        if (has_config and section.kind is SectionKind.CONFIG) or _is_of_another(section, manifest):
            gaps.append(_unlisted_gap(section))
        else:
            sections.append(section)
    return Capture(
        str(folder),
        tuple(sections),
        manifest.device,
        manifest.host,
        manifest.privilege,
        tuple(gaps),
        tuple(earlier),
        tuple(entry.command for entry in manifest.commands if _is_unsupported(entry)),
    )


def with_texts(bundle: Capture, captured: Capture, secrets: Iterable[str] = ()) -> Capture:
    """Return a bundle with the texts as they were captured, before the mask of what is stored.

    Passwords of the login are masked, too. A section for which the capture has no text of as many
    lines stays as it is stored.
    """
    known = tuple(secrets)

    def unmasked(stored: Iterable[Section], taken: Iterable[Section]) -> tuple[Section, ...]:
        texts: dict[str | None, deque[str]] = {}
        for section in taken:
            texts.setdefault(section.command, deque()).append(section.logged_output)
        return tuple(_with_text(section, texts.get(section.command), known) for section in stored)

    return replace(
        bundle,
        sections=unmasked(bundle.sections, captured.sections),
        earlier=unmasked(bundle.earlier, captured.earlier),
    )


def _with_text(stored: Section, texts: deque[str] | None, secrets: tuple[str, ...]) -> Section:
    text = texts.popleft() if texts else None
    if text is None or stored.command is None or text.count("\n") != stored.text.count("\n"):
        return stored
    return answer(
        stored.command,
        without_secrets(secrets, text),
        file=stored.file,
        host=stored.host,
        time=stored.time,
        gap=stored.gap,
    )


def _listed_once(entries: Iterable[ManifestEntry], gaps: list[Gap]) -> Iterator[ManifestEntry]:
    """Entries of a manifest, each file once: a second command cannot have the same output."""
    commands: dict[str, str] = {}
    for entry in entries:
        first = commands.get(entry.file) if entry.file else None
        if first is None:
            if entry.file:
                commands[entry.file] = entry.command
            yield entry
        elif first != entry.command:
            detail = f"{entry.file} is listed for another command"
            gaps.append(Gap(entry.command, GapKind.UNREADABLE, detail))


def _is_unsupported(entry: ManifestEntry) -> bool:
    return entry.file is None and entry.cause is GapCause.NOT_IN_IMAGE


def _manifest(files: _Files, gaps: list[Gap]) -> Manifest:
    payload = _payload(files, MANIFEST, MANIFEST, gaps)
    if payload is None:
        return _EMPTY
    try:
        manifest, unused = decode_manifest(payload)
    except ManifestError as error:
        gaps.append(Gap(MANIFEST, GapKind.UNREADABLE, str(error)))
        return _EMPTY
    gaps += (Gap(MANIFEST, GapKind.UNUSED, statement) for statement in unused)
    return manifest


def _sections(
    files: _Files, entry: ManifestEntry, manifest: Manifest, gaps: list[Gap]
) -> tuple[Section, ...]:
    if entry.file is None:
        gaps.append(_stated_gap(entry, GapKind.MISSING, "not answered"))
        return ()
    payload = _payload(files, entry.file, entry.command, gaps)
    if payload is None:
        return ()
    is_as_written = not entry.sha256 or digest(payload) == entry.sha256
    # A file that is as it was written is UTF-8; a file that somebody changed may be anything.
    text = payload.decode("utf-8", "replace") if is_as_written else text_of(payload)
    return read_answer(
        entry.command,
        text,
        file=files.path(entry.file),
        host=manifest.device,
        time=time_of(entry),
        gap=_gap(entry, len(payload), is_as_written=is_as_written),
    )


def _gap(entry: ManifestEntry, size_bytes: int, *, is_as_written: bool) -> Gap | None:
    if size_bytes < entry.size_bytes:
        detail = f"{entry.file} has {size_bytes} of {entry.size_bytes} bytes"
        return Gap(entry.command, GapKind.CUT, detail)
    if not is_as_written:
        return Gap(entry.command, GapKind.CHANGED, f"{entry.file} was changed after it was written")
    if not entry.complete:
        kind = GapKind.PARTIAL if entry.partial else GapKind.CUT
        return _stated_gap(entry, kind, "not complete")
    return None


def _stated_gap(entry: ManifestEntry, kind: GapKind, unstated: str) -> Gap:
    """The gap that an entry states; without a cause and a detail its text for a person is kept."""
    if entry.cause is GapCause.OTHER and not entry.detail:
        return Gap(entry.command, kind, entry.reason or unstated)
    return Gap(entry.command, kind, entry.detail, entry.cause)


def _loose(files: _Files, listed: set[str], gaps: list[Gap]) -> Iterator[Section]:
    try:
        names = files.names()
    except OSError:
        return  # said already, of the manifest
    for name in names:
        if name in listed or name.startswith("."):
            continue
        payload = _payload(files, name, name, gaps)
        if payload is not None:
            sections = read_capture(text_of(plain_payload(payload)), name).sections
            yield from (replace(section, file=files.path(name)) for section in sections)


def _is_of_another(section: Section, manifest: Manifest) -> bool:
    """Whether the prompt of a section is that of another device; a long name is cut there."""
    if section.host is None or manifest.device is None:
        return False
    return not manifest.device.lower().startswith(section.host.lower())


def _unlisted_gap(section: Section) -> Gap:
    detail = (
        f"{Path(section.file).name} is not in the manifest: a second configuration, or of another "
        "device; not judged, name the file to have it read"
    )
    return Gap("file beside the manifest", GapKind.UNREADABLE, detail)


def _payload(files: _Files, name: str, command: str, gaps: list[Gap]) -> bytes | None:
    """Read a file of the bundle; None, with a gap, where there is none to read."""
    if not _is_plain(name):
        gaps.append(Gap(command, GapKind.UNREADABLE, "its file is not in the bundle"))
        return None
    try:
        return files.payload(name)
    except FileNotFoundError:
        gaps.append(Gap(command, GapKind.MISSING, f"{name} is not there"))
    except OSError as error:
        gaps.append(Gap(command, GapKind.UNREADABLE, f"{name}: {error.strerror}"))
    return None


def _is_plain(name: str) -> bool:
    """Say whether a name is that of a file in the folder itself."""
    return bool(name) and name not in (".", "..") and not set(name) & set("/\\\0")
