"""A running-config that the privilege of the session cut down: it looks whole and is not."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.capture import GapKind
from advisor.capture.masking import mask_captured
from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, ObjectKind


class Evidence(Struct, frozen=True):
    """The command, and why its output is a part."""

    command: str
    detail: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for a configuration that shows only what the account may change."""
    del params
    for gap in dict.fromkeys(device.gaps):
        if gap.kind is GapKind.PARTIAL:
            command = mask_captured(gap.command)
            evidence = Evidence(command, gap.reason)
            yield Hit(f"command {command}", (device.at,), evidence, Confidence.CERTAIN)


CHECK = Check(NoParams, Evidence, find, object_kind=ObjectKind.NAME)
