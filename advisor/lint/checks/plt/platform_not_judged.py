"""QoS of a platform that the catalogue judges in part or not at all: counted and kept."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from advisor.device.coverage import switch_lines
from advisor.device.device import Device
from advisor.device.platform import FamilyName
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, ObjectKind
from advisor.quantity import count

_NOT_JUDGED: Final[Mapping[FamilyName, str]] = MappingProxyType(
    {
        "mls-switch": "its QoS is not judged",
        "other": "its QoS is not judged",
        "mqc-switch": "its default queue limits, WRED rows and queue memory are not known",
        "xe-without-qfp": "its default queue limits, WRED rows and scheduler are not known",
        "distributed": "its distributed queueing has defaults of its own, which are not known",
        "lab": "its transmit rings and times mean nothing for a router and are not judged",
    }
)


class Evidence(Struct, frozen=True):
    """The family, what is not judged there, and the lines that were kept."""

    platform: str
    limits: str
    lines: str  # "7 of 11 QoS lines", as coverage counts them
    shown_by: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit for a device with QoS on a platform that is not judged in full."""
    del params
    lines = device.facts.qos_lines_seen
    family = device.platform.family_name
    if not lines or family is None or family not in _NOT_JUDGED:
        return
    first = next(iter(switch_lines(device)), None)
    policies = device.facts.policy_maps
    at = first.at if first is not None else None
    if at is None and policies:
        at = policies[0].at
    shown_by = device.platform.decides_family
    evidence = Evidence(
        platform=device.platform.title,
        limits=_NOT_JUDGED[family],
        lines=f"{device.facts.qos_lines_understood} of {count(lines, 'QoS line')}",
        shown_by=str(shown_by),
    )
    place = at or Location(device.facts.tree.file, 1)
    yield Hit("device", (place,), evidence, Confidence.CERTAIN)


CHECK = Check(NoParams, Evidence, find, object_kind=ObjectKind.NAME)
