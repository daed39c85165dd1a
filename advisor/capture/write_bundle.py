"""Writes a capture as a bundle folder: whole or not at all, readable by its owner alone."""

import os
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import msgspec

from advisor.capture.outputs import RUNNING_CONFIG
from advisor.capture.read_bundle import (
    MANIFEST,
    SCHEMA,
    Manifest,
    ManifestEntry,
    ManifestError,
    asked_at,
    decode_manifest,
    digest,
    encode,
    file_name,
)
from advisor.capture.sections import Capture, Gap, GapCause, GapKind, Section, SectionKind
from advisor.ground.bounded import read_regular

_OWNER_ONLY: Final = 0o600


class BundleError(Exception):
    """The bundle cannot be written to this folder; the text says why."""


def write_bundle(capture: Capture, folder: Path) -> None:
    """Write a capture as a bundle.

    The folder appears whole: its files are written beside it and moved into place together. A
    bundle that is there already is replaced. Prompts are left out; what the capture holds is
    written as it is, so secrets are masked before.

    Parameters
    ----------
    capture
        A configuration without a command is taken for the running one; other sections without
        a command are left out, for a bundle holds answers to commands.
    folder
        The bundle's folder; its parent must exist.

    Raises
    ------
    BundleError
        Where the folder holds something that is no part of a bundle, or cannot be written.
    """
    refuse_others(folder)
    try:
        draft = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    except OSError as error:
        raise BundleError(f"{folder.parent}: {error.strerror}") from None
    try:
        _fill(draft, capture)
        _move(draft, folder)
    except OSError as error:
        raise BundleError(f"{folder}: {error.strerror}") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def refuse_others(folder: Path) -> None:
    """Refuse a folder whose files replacing the bundle would delete.

    Raises
    ------
    BundleError
        If it holds what is no part of a bundle, or is no folder.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise BundleError(f"{folder}: not a folder")
    if not folder.exists():
        return
    names = {path.name for path in folder.iterdir()}
    try:
        manifest, _ = decode_manifest(read_regular(folder / MANIFEST))
        names -= {MANIFEST, *(entry.file for entry in manifest.commands if entry.file)}
    except (OSError, ManifestError):
        pass  # then nothing in it is known to be a bundle's
    if names:
        raise BundleError(f"{folder}: holds {min(names)}, which is not part of a bundle")


def _fill(draft: Path, capture: Capture) -> None:
    entries: list[ManifestEntry] = []
    samples = [(capture.sections, False), (capture.earlier, True)]
    for section, is_earlier in ((part, earlier) for parts, earlier in samples for part in parts):
        command = _command(section)
        if command is not None:
            entry = _write_section(draft, section, command, entries)
            entries.append(msgspec.structs.replace(entry, earlier=is_earlier))
    entries += (
        ManifestEntry(command, reason=GapCause.NOT_IN_IMAGE, cause=GapCause.NOT_IN_IMAGE)
        for command in capture.unsupported
    )
    entries += (
        _with_gap(ManifestEntry(gap.command), gap)
        for gap in capture.missing
        if gap.command != MANIFEST
    )
    manifest = Manifest(SCHEMA, capture.device, capture.address, capture.privilege, tuple(entries))
    _write(draft / MANIFEST, encode(manifest))
    _sync(draft)


def _command(section: Section) -> str | None:
    if section.command is None and section.kind is SectionKind.CONFIG:
        return RUNNING_CONFIG
    return section.command


def _write_section(
    draft: Path, section: Section, command: str, entries: list[ManifestEntry]
) -> ManifestEntry:
    payload = section.logged_output.encode("utf-8", "backslashreplace")
    name = file_name(command, (entry.file for entry in entries if entry.file))
    _write(draft / name, payload)
    entry = ManifestEntry(command, name, asked_at(section.time), len(payload), digest(payload))
    return entry if section.gap is None else _with_gap(entry, section.gap)


def _with_gap(entry: ManifestEntry, gap: Gap) -> ManifestEntry:
    return msgspec.structs.replace(
        entry,
        complete=False,
        reason=gap.reason,
        partial=gap.kind is GapKind.PARTIAL,
        cause=gap.cause,
        detail=gap.detail,
    )


def _write(path: Path, payload: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    with os.fdopen(handle, "wb") as file:
        file.write(payload)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _move(draft: Path, folder: Path) -> None:
    """Replace the folder by the draft; if that fails, the old folder is put back."""
    if not folder.exists():
        draft.rename(folder)
        _sync(folder.parent)
        return
    grave = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    old = grave / "old"
    try:
        folder.rename(old)
        draft.rename(folder)
    finally:
        if not folder.exists() and old.exists():
            old.rename(folder)
        shutil.rmtree(grave, ignore_errors=True)
    _sync(folder.parent)
