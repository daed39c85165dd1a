"""A requested command is missing, or its output is not complete."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.capture import GapKind
from advisor.capture.masking import mask_captured
from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, ObjectKind
from advisor.shows.output import Declined, Part


class Evidence(Struct, frozen=True):
    """The command, and the fault of its output."""

    command: str
    kind: str
    detail: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each command that the capture lacks in whole or in part."""
    del params
    for gap in dict.fromkeys(device.gaps):
        if gap.kind is GapKind.PARTIAL:
            continue  # privilege-too-low reports it
        command = mask_captured(gap.command)
        evidence = Evidence(command, gap.kind, gap.reason)
        yield Hit(f"command {command}", (device.at,), evidence, Confidence.CERTAIN)
    for command, part in _ends_early(device).items():
        where = "early" if part.part is Part.LINES else f"inside {part.label}"
        evidence = Evidence(command, GapKind.CUT, f"it ends {where}")
        yield Hit(f"command {command}", (part.at, part.start), evidence, Confidence.CERTAIN)


def _ends_early(device: Device) -> dict[str, Declined]:
    """By command, the first part that its output ends inside; a gap has said it already."""
    reported = {mask_captured(gap.command) for gap in device.gaps}
    early: dict[str, Declined] = {}
    for taken in device.seen.taken:
        command = mask_captured(taken.command)
        part = next((part for part in taken.declined if part.is_cut), None)
        if part is not None and command not in reported:
            early.setdefault(command, part)
    return early


CHECK = Check(NoParams, Evidence, find, object_kind=ObjectKind.NAME)
