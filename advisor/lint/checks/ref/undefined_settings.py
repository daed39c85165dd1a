"""Settings, a list or an object that a line names and nothing defines: the line brings nothing."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.config import SectionKind, SectionUse
from advisor.facts.name_uses import NameKind, defined_names, name_uses
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.missing import ACCESS_LISTS, Name, hint, missing

# Templates that IOS XE brings along and prints only where they were changed; recalled.
_BUILT_IN: Final = "_INTERFACE_TEMPLATE"
_NEAR_KEY_CHAIN: Final = " (one of a similar name is defined)"
_HEADS: Final = {
    NameKind.ACCESS_LIST: ACCESS_LISTS,
    NameKind.PREFIX_LIST: ("ip prefix-list ", "ipv6 prefix-list "),
    NameKind.IP_SLA: ("ip sla ", "rtr "),
}


class Evidence(Struct, frozen=True):
    """What is not defined, the line that names it, the nearest name, and what the line lacks."""

    section: str
    hint: str
    statement: str
    lacks: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each line that names settings, a list or an object which the text has not."""
    del params
    yield from _settings(device)
    yield from _others(device)


def _settings(device: Device) -> Iterator[Hit[Evidence] | Skip]:
    for use in device.facts.section_uses:
        if (use.kind, use.name) in device.facts.sections or _is_built_in(use):
            continue
        defined = sorted(name for kind, name in device.facts.sections if kind is use.kind)
        section, near = f"{use.kind} {use.name}", hint(use.name, defined)
        evidence = Evidence(section, near, use.statement, "brings no policy, rate or fragment")
        name = Name(use.name, (f"{use.kind} ",), defined, use.label, use.at)
        yield missing(device, name, evidence)


def _is_built_in(use: SectionUse) -> bool:
    return use.kind is SectionKind.TEMPLATE and use.name.endswith(_BUILT_IN)


def _others(device: Device) -> Iterator[Hit[Evidence] | Skip]:
    """Each name once: the first line that names it."""
    tree, said = device.facts.tree, set[tuple[NameKind, str]]()
    known = defined_names(tree)
    known |= {(NameKind.ACCESS_LIST, name) for name in device.facts.access_list_names}
    for use in name_uses(tree):
        if (use.kind, use.name) in known or (use.kind, use.name) in said:
            continue
        defined = sorted(name for kind, name in known if kind is use.kind)
        section, near = f"{use.kind} {use.name}", hint(use.name, defined)
        if use.kind is NameKind.KEY_CHAIN:  # its names are masked: quoted, so that the mask sees it
            section, near = f"`{section}`", near and _NEAR_KEY_CHAIN
        evidence = Evidence(section, near, use.statement, "names nothing")
        heads = _HEADS.get(use.kind, (f"{use.kind} ",))
        said.add((use.kind, use.name))
        yield missing(
            device, Name(use.name, heads, defined, use.place, tree.at(use.line)), evidence
        )


CHECK = Check(NoParams, Evidence, find)
