"""Findings that the user accepts: the tables that `suppress` writes, the file of a baseline."""

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from glob import escape
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from advisor import api
from advisor.cli.endings import WrongUseError
from advisor.cli.lint_options import Suppress
from advisor.cli.options import View, emit, flags_of, say_what_is_not_read
from advisor.cli.process import Code
from advisor.device.inputs import Inputs, first_folder
from advisor.device.sources import MANIFEST
from advisor.ground.bounded import STDIN
from advisor.ground.data import DataError, json_of, read_text
from advisor.ground.quantity import count
from advisor.lint.cards import Card
from advisor.lint.change.of_findings import renamed
from advisor.lint.change.snapshot import (
    SNAPSHOT_SCHEMA,
    KnownFinding,
    Snapshot,
    WrongStatement,
    known_finding,
)
from advisor.lint.coverage import KnownObject
from advisor.lint.findings import Finding, Suppressed
from advisor.lint.rulebook import absent_names, is_asked_for, matching
from advisor.lint.suppressions import ABOUT_SUPPRESSIONS, leads_to
from advisor.report import printable
from advisor.report.mask import mask_path, masked_finding
from advisor.settings import Settings
from advisor.settings.file import OWN_FILE, find_settings_file, table_name, taken
from advisor.settings.tables import NO_REASON

_MASKED: Final = "<removed>"
_BY_DEVICE: Final = (
    *("findings", "classes", "without_figures", "files", "objects", "orders", "sections"),
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

    known = (snapshot.findings, snapshot.classes, snapshot.without_figures, snapshot.files)
    judged = [item.device for part in known for item in part]
    absent = [f"--device {name}" for name in absent_names(settings.devices, judged)]
    asked: dict[str, Any] = {
        name: tuple(item for item in getattr(snapshot, name) if is_asked_for(item.device, settings))
        for name in _BY_DEVICE
    }
    misstated = (*snapshot.misstated, *(WrongStatement(name, name) for name in absent))
    return replace(snapshot, misstated=misstated, **asked)


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
        for finding in known.findings:
            self._left[finding.device].append(finding)
        self._objects = frozenset((an_object.device, an_object.path) for an_object in known.objects)
        self._by = Suppressed(f"baseline {file}")
        self._version = known.version

    def accept(
        self, findings: Sequence[Finding], objects: Sequence[KnownObject]
    ) -> tuple[Finding, ...]:
        """Suppresses the findings of a device that the baseline accepts."""
        known = [known_finding(masked_finding(finding)) for finding in findings]
        asked = [own for own, item in zip(known, findings, strict=True) if item.suppressed is None]
        # each known finding accepts one: `_takes` takes it away
        accepted = Counter(own for own in asked if self._takes(own))
        rest = list((Counter(asked) - accepted).elements())
        accepted += Counter(self._renamed(rest, objects))
        return tuple(
            self._marked(finding, own, accepted)
            for finding, own in zip(findings, known, strict=True)
        )

    def newer(self, cards: Iterable[Card]) -> tuple[str, str]:
        """The version that took it, and the ids of the rules that this version did not have."""
        ids = (card.id for card in cards if _numbers(card.since) > _numbers(self._version))
        return self._version, ", ".join(ids)

    def left_count(self, devices: Iterable[str]) -> int:
        """Number of its findings on devices that were read that accepted none: they are gone."""
        return sum(len(self._left[device]) for device in set(devices))

    def _takes(self, finding: KnownFinding) -> bool:
        """Takes a finding with the same key from those that are left; whether there was one."""
        left = self._left[finding.device]
        same = next((item for item in left if item.key == finding.key), None)
        if same is not None:
            left.remove(same)
        return same is not None

    def _renamed(
        self, rest: list[KnownFinding], objects: Sequence[KnownObject]
    ) -> Iterator[KnownFinding]:
        now = frozenset((an_object.device, mask_path(an_object.path)) for an_object in objects)
        for device in dict.fromkeys(item.device for item in rest):
            own = [item for item in rest if item.device == device]
            pairs, self._left[device], _ = renamed(self._left[device], own, self._objects, now)
            yield from (later for _, later in pairs)

    def _marked(
        self, finding: Finding, known: KnownFinding, accepted: Counter[KnownFinding]
    ) -> Finding:
        if finding.suppressed is not None or not accepted[known]:
            return finding
        accepted[known] -= 1
        return replace(finding, suppressed=self._by)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))


def suppress(options: Suppress) -> Code:
    """Write a table for each object with a finding of the rules.

    Raises
    ------
    WrongUseError
        If nothing is found, the reason is empty, or `until` is no date or has passed.
    SettingsError
        If the settings file cannot take the tables.
    """
    if " ".join(options.reason.split()) in ("", NO_REASON):
        raise WrongUseError("--reason: say why the finding is accepted")
    start = first_folder(options.paths)
    settings = api.settings_of(flags_of(options), options.paths)
    until = _day(options.until, settings.today)
    force = api.in_force(settings)
    named = matching(force.rules, options.accepted, "--rule")
    wanted = set(named).difference(ABOUT_SUPPRESSIONS)
    inputs = Inputs(options.paths, exclude=settings.exclude)
    verdict = api.judged(inputs, force)
    say_what_is_not_read(inputs, View())
    found = [
        item
        for item in verdict.standing
        if item.rule in wanted and leads_to(options.object, item.object)
    ]
    if not found:
        raise WrongUseError(f"nothing to suppress: no finding of {', '.join(options.accepted)}")
    file = options.config or find_settings_file(start) or _new_file(start)
    keys = list(dict.fromkeys((item.rule, *_names(item)) for item in found))
    old = read_text(file) if file.exists() else ""
    tables = [_table(table_name(file), key, options.reason, until) for key in keys]
    new = old + "\n" * (bool(old) and not old.endswith("\n")) + "\n".join(["", *tables])
    new = new.removeprefix("\n") if not old else new
    taken(new, file)
    emit(new, file)
    said = [f"{rule} of {device}, {path}" for rule, device, path in keys]
    emit("".join(f"{printable(line)}\n" for line in said), None)
    emit(f"{count(len(keys), 'table')} added to {printable(str(file))}\n", None)
    return Code.CLEAN


def _day(text: str | None, today: date | None) -> date | None:
    try:
        until = None if text is None else date.fromisoformat(text)
    except ValueError:
        raise WrongUseError(f"--until: {text!r} is no date, like 2027-01-31") from None
    if until is not None and today is not None and until < today:
        raise WrongUseError(f"--until: {until} has passed: the table would accept nothing")
    return until


def _new_file(start: Path) -> Path:
    """Path of a new file that a later run finds: in this folder, or beside the inputs."""
    here = Path.cwd()
    folder = here if start.absolute().is_relative_to(here) else start
    return folder / OWN_FILE


def _names(finding: Finding) -> tuple[str, str]:
    """Globs of a device and of an object, with `*` for what a report must not show."""
    path = escape(mask_path(finding.object)).replace(_MASKED, "*")
    return escape(finding.device), path


def _table(name: str, key: tuple[str, str, str], reason: str, until: date | None) -> str:
    rule, device, path = key
    values = {"rule": rule, "device": device, "object": path, "reason": " ".join(reason.split())}
    lines = [f"[[{name}]]", *(f"{key} = {_quoted(text)}" for key, text in values.items())]
    return "\n".join([*lines, *_until(until)]) + "\n"


def _until(until: date | None) -> Iterable[str]:
    return [] if until is None else [f"until = {until}"]


def _quoted(text: str) -> str:
    """A basic string of TOML, whose escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
