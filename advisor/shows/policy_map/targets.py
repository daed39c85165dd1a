"""The lines above a policy in `show policy-map interface`: what it is attached to."""

import re
from typing import Final

from advisor.shows.indent import ShownLine
from advisor.shows.policy_map.records import Circuit

_INTERFACE: Final = re.compile(
    r"([A-Za-z][A-Za-z-]*(?:\d+[A-Za-z]+)*\s?\d+(?:[/.:]\d+)*)"
    r"(?:\s*:\s*(VC|DLCI|PVC|Service Group|Service Instance|EFP|bundle)\s+(\S+)(?:\s+-)?)?"
)
_MULTIPOINT: Final = re.compile(r"Interface (\S+\d) <--> (\S+)")
_CONTROL_PLANE: Final = re.compile(r"Control Plane(?: \S.*)?")


def target_of(line: ShownLine) -> tuple[str, Circuit | None] | None:
    """The interface and the circuit of it that a line names; None for any other line."""
    if _CONTROL_PLANE.fullmatch(line.text):
        return line.text, None
    if (match := _MULTIPOINT.fullmatch(line.text)) is not None:
        return match[1], Circuit("peer", match[2])
    if (match := _INTERFACE.fullmatch(line.text)) is not None:
        return match[1], Circuit(match[2], match[3]) if match[2] else None
    return None
