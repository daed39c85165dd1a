"""`manifest.json`: what was asked of a device, when, and what came of it."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

import msgspec

from advisor.capture import CaptureTime, GapCause, TimeSource
from advisor.data import DataError, decoded, json_of

MANIFEST: Final = "manifest.json"
SCHEMA: Final = 1
RUNNING_CONFIG: Final = "running-config"
_RUNNING_CONFIG_COMMAND: Final = "show running-config"
_LONGEST_NAME: Final = 100
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9.-]+")


class Entry(msgspec.Struct, frozen=True):
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
    """What a bundle holds. `device` is its hostname, `host` the address that was asked."""

    schema: int
    device: str | None
    host: str | None
    privilege: int | None
    commands: tuple[Entry, ...]


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
    entries: list[Entry] = []
    unused: list[str] = []
    for place, stated in enumerate(commands):
        _add_entry(stated, f"commands[{place}]", entries, unused)
    return msgspec.structs.replace(manifest, commands=tuple(entries)), tuple(unused)


def _add_entry(stated: object, key: str, entries: list[Entry], unused: list[str]) -> None:
    time = stated.get("asked_at") if isinstance(stated, dict) else None
    try:
        asked_at = None if time is None else _in_utc(msgspec.convert(time, datetime))
    except (msgspec.ValidationError, OverflowError) as error:
        asked_at = None
        reason = "a time at the end of the calendar" if isinstance(error, OverflowError) else None
        unused.append(f"{key}.asked_at: {reason or 'is no time'}")
    try:
        rest = stated | {"asked_at": None} if isinstance(stated, dict) else stated
        entry = msgspec.convert(rest, Entry)
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


def time_of(entry: Entry) -> CaptureTime | None:
    """Return the time that a manifest holds for a command."""
    if entry.asked_at is None:
        return None
    return CaptureTime(entry.asked_at.replace(tzinfo=None), "UTC", TimeSource.MANIFEST, None)
