"""The file that `advisor baseline` writes: read, and put beside a verdict."""

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from advisor.bounded import STDIN
from advisor.cli.wrong_use import WrongUseError
from advisor.data import DataError, json_of, read_text
from advisor.device.paths import MANIFEST
from advisor.lint.change.known_packets import KnownOrder, KnownSection
from advisor.lint.change.of_findings import renamed
from advisor.lint.change.snapshot import (
    SNAPSHOT_SCHEMA,
    KnownClass,
    KnownFile,
    KnownFinding,
    OutputWithoutFigures,
    Snapshot,
    WrongStatement,
    known_finding,
)
from advisor.lint.findings import Finding, Suppressed
from advisor.lint.known_objects import KnownObject
from advisor.lint.selection import absent_names, is_asked_for
from advisor.report.mask import mask_path, masked_finding
from advisor.report.printable import printable
from advisor.settings.values import Settings

T = TypeVar(
    "T",
    KnownFinding,
    KnownClass,
    OutputWithoutFigures,
    KnownFile,
    KnownObject,
    KnownOrder,
    KnownSection,
)


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
        snapshot = msgspec.convert(json_of(read_text(file), str(file)), Snapshot)
    except (DataError, msgspec.ValidationError) as error:
        reason = error.reason if isinstance(error, DataError) else str(error)
        raise WrongUseError(
            printable(f"{file}: is no baseline: {reason}; write it with advisor baseline")
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
        orders=of_devices(snapshot.orders),
        sections=of_devices(snapshot.sections),
    )


class Baseline:
    """Accepted findings: each accepts one of the same device, rule and object path.

    What is left of a device accepts findings that differ by nothing but the names in their paths,
    as `diff` pairs them: after a rename.

    Raises
    ------
    WrongUseError
        If the file cannot be read, or is no baseline.
    """

    def __init__(self, file: Path, settings: Settings) -> None:
        try:
            known = read_baseline(file, settings)
        except WrongUseError as error:
            origin = settings.origins.get("baseline", "--baseline")
            raise WrongUseError(f"{printable(origin)}: baseline: {error}") from error
        self._left: dict[str, list[KnownFinding]] = defaultdict(list)
        for each in known.findings:
            self._left[each.device].append(each)
        self._objects = frozenset((each.device, each.path) for each in known.objects)
        self._by = Suppressed(f"baseline {file}")

    def accept(
        self, findings: Sequence[Finding], objects: Sequence[KnownObject]
    ) -> tuple[Finding, ...]:
        """Findings of a device, of which those that it accepts are suppressed."""
        known = [known_finding(masked_finding(finding)) for finding in findings]
        asked = [own for own, each in zip(known, findings, strict=True) if each.suppressed is None]
        accepted = Counter(own for own in asked if self._takes(own))
        rest = list((Counter(asked) - accepted).elements())
        accepted += Counter(self._renamed(rest, objects))
        return tuple(
            self._marked(finding, own, accepted)
            for finding, own in zip(findings, known, strict=True)
        )

    def left_count(self) -> int:
        """Number of its findings that accepted none: they are gone."""
        return sum(map(len, self._left.values()))

    def _takes(self, finding: KnownFinding) -> bool:
        """Whether a finding is left that has the key of this one; it is left no more."""
        left = self._left[finding.device]
        same = next((each for each in left if each.key == finding.key), None)
        if same is not None:
            left.remove(same)
        return same is not None

    def _renamed(
        self, rest: list[KnownFinding], objects: Sequence[KnownObject]
    ) -> Iterator[KnownFinding]:
        now = frozenset((each.device, mask_path(each.path)) for each in objects)
        for device in dict.fromkeys(each.device for each in rest):
            own = [each for each in rest if each.device == device]
            pairs, self._left[device], _ = renamed(self._left[device], own, self._objects, now)
            yield from (later for _, later in pairs)

    def _marked(
        self, finding: Finding, known: KnownFinding, accepted: Counter[KnownFinding]
    ) -> Finding:
        if finding.suppressed is not None or not accepted[known]:
            return finding
        accepted[known] -= 1
        return replace(finding, suppressed=self._by)
