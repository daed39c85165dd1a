"""A file that is not an IOS configuration: it is named and declined, never half-parsed."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, ObjectKind


class Evidence(Struct, frozen=True):
    """What the file is, and the number of the line that shows it, if a line does.

    The line itself is never shown: such a file may be anything, for example a list of passwords.
    """

    dialect: str
    mark: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit for a file that is something else."""
    del params
    if device.is_ios:
        return
    file = device.facts.tree.file
    mark = f" (as line {device.evidence_line} shows)" if device.evidence else ""
    evidence = Evidence(device.dialect.value, mark)
    at = Location(file, device.evidence_line)
    yield Hit(f"file {file}", (at,), evidence, Confidence.CERTAIN)


CHECK = Check(NoParams, Evidence, find, object_kind=ObjectKind.NAME)
