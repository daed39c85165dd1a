"""The file that `advisor baseline` writes: read, and put beside a verdict."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from advisor.cli.files import text_of
from advisor.cli.wrong_use import WrongUseError
from advisor.device.files import STDIN
from advisor.device.paths import MANIFEST
from advisor.lint.change.snapshot import (
    SNAPSHOT_SCHEMA,
    KnownClass,
    KnownFile,
    KnownFinding,
    KnownObject,
    OutputWithoutFigures,
    Snapshot,
    WrongStatement,
)
from advisor.lint.findings import Finding, Suppressed
from advisor.lint.selection import absent_names, is_asked_for
from advisor.report.mask import masked_finding
from advisor.report.printable import printable
from advisor.settings.values import Settings

T = TypeVar("T", KnownFinding, KnownClass, OutputWithoutFigures, KnownFile, KnownObject)


def is_baseline(path: str) -> bool:
    """Whether a path names a baseline: a file of JSON, and not the manifest of a bundle."""
    name = os.path.basename(path)  # noqa: PTH119 -- a name may be of any bytes
    is_json = path != STDIN and name.lower().endswith(".json") and name != MANIFEST
    return is_json and not os.path.isdir(path)  # noqa: PTH112


def read_baseline(file: Path, settings: Settings) -> Snapshot:
    """Read what a baseline has of the devices that are asked for.

    Raises
    ------
    WrongUseError
        If it cannot be read, or is none of this version.
    """
    try:
        snapshot = msgspec.json.decode(text_of(file), type=Snapshot)
    except (msgspec.DecodeError, ValueError) as error:
        raise WrongUseError(
            printable(f"{file}: is no baseline: {error}; write it with advisor baseline")
        ) from error
    if snapshot.schema != SNAPSHOT_SCHEMA:
        raise WrongUseError(
            printable(f"{file}: is a baseline of schema {snapshot.schema}, not {SNAPSHOT_SCHEMA}")
        )
    if not settings.devices:
        return snapshot

    def of_devices(known: tuple[T, ...]) -> tuple[T, ...]:
        return tuple(each for each in known if is_asked_for(each.device, settings))

    known = (snapshot.findings, snapshot.classes, snapshot.without_figures, snapshot.files)
    judged = [each.device for part in known for each in part]
    absent = [f"--device {name}" for name in absent_names(settings.devices, judged)]
    return replace(
        snapshot,
        misstated=(*snapshot.misstated, *(WrongStatement(name, name) for name in absent)),
        findings=of_devices(snapshot.findings),
        classes=of_devices(snapshot.classes),
        without_figures=of_devices(snapshot.without_figures),
        files=of_devices(snapshot.files),
        objects=of_devices(snapshot.objects),
    )


class Baseline:
    """Accepted findings: each accepts one of the same device, rule and object path.

    Raises
    ------
    WrongUseError
        If the file cannot be read, or is no baseline.
    """

    def __init__(self, file: Path, settings: Settings) -> None:
        try:
            known = read_baseline(file, settings).findings
        except WrongUseError as error:
            origin = settings.origins.get("baseline", "--baseline")
            raise WrongUseError(f"{printable(origin)}: baseline: {error}") from error
        self._left = Counter(each.key for each in known)
        self._by = Suppressed(f"baseline {file}")

    def accept(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """Findings, of which those that it accepts are suppressed."""
        return tuple(map(self._accepted, findings))

    def left_count(self) -> int:
        """Number of its findings that accepted none: they are gone."""
        return self._left.total()

    def _accepted(self, finding: Finding) -> Finding:
        key = masked_finding(finding).key
        if finding.suppressed is not None or not self._left[key]:
            return finding
        self._left[key] -= 1
        return replace(finding, suppressed=self._by)
