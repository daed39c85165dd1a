"""The file that `advisor baseline` writes: read, and put beside a verdict."""

import os
from collections import Counter
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
    KnownFinding,
    OutputWithoutFigures,
    Snapshot,
)
from advisor.lint.findings import Finding, Suppressed, Verdict
from advisor.lint.selection import is_asked_for
from advisor.report.mask import masked_finding
from advisor.report.printable import printable
from advisor.settings.values import Settings

T = TypeVar("T", KnownFinding, KnownClass, OutputWithoutFigures)


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

    return replace(
        snapshot,
        findings=of_devices(snapshot.findings),
        classes=of_devices(snapshot.classes),
        without_figures=of_devices(snapshot.without_figures),
    )


def with_baseline(verdict: Verdict, file: Path, settings: Settings) -> tuple[Verdict, int]:
    """Suppress what a baseline accepts; the number of its findings that are gone.

    Each of its findings accepts one of the same device, rule and object path.
    """
    left = Counter(known.key for known in read_baseline(file, settings).findings)
    findings: list[Finding] = []
    for finding in verdict.findings:
        key = masked_finding(finding).key
        if finding.suppressed is None and left[key]:
            left[key] -= 1
            finding = replace(finding, suppressed=Suppressed(f"baseline {file}"))  # noqa: PLW2901
        findings.append(finding)
    return replace(verdict, findings=tuple(findings)), left.total()
