"""A requested command is missing, or its output is not complete."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.capture import GapKind
from advisor.capture.masking import mask_captured
from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, ObjectKind


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


CHECK = Check(NoParams, Evidence, find, wants=(), object_kind=ObjectKind.NAME)
