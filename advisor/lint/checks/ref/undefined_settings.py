"""A map-class, vc-class or template that is named and not defined: none of its settings apply."""

from collections.abc import Iterator
from difflib import get_close_matches

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.config import SectionKind, SectionUse
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.missing import Name, missing

# Templates that IOS XE brings along and prints only where they were changed; recalled.
_BUILT_IN = "_INTERFACE_TEMPLATE"


class Evidence(Struct, frozen=True):
    """The section that is not defined, the line that names it, and the nearest name."""

    section: str
    statement: str
    hint: str  # " (nearest: GOLD)", or nothing


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each line that names a section of settings which the text has not."""
    del params
    for use in device.facts.section_uses:
        if (use.kind, use.name) in device.facts.sections or _is_built_in(use):
            continue
        defined = sorted(name for kind, name in device.facts.sections if kind is use.kind)
        near = get_close_matches(use.name, defined, n=1)
        hint = f" (nearest: {near[0]})" if near else ""
        evidence = Evidence(f"{use.kind} {use.name}", use.statement, hint)
        name = Name(use.name, (f"{use.kind} ",), defined, use.label, use.at)
        yield missing(device, name, evidence)


def _is_built_in(use: SectionUse) -> bool:
    return use.kind is SectionKind.TEMPLATE and use.name.endswith(_BUILT_IN)


CHECK = Check(NoParams, Evidence, find)
