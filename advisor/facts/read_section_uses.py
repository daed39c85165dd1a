"""Lines of interfaces and circuits that name a map-class, a vc-class or a template."""

from collections.abc import Iterator

from advisor.facts.config import SectionKind, SectionUse
from advisor.facts.interface import pvc_label
from advisor.facts.interface_draft import InterfaceDraft
from advisor.facts.stated import Stated


def section_uses(interface: InterfaceDraft) -> Iterator[SectionUse]:
    """All such lines of an interface."""
    label = f"interface {interface.name}"
    yield from _use(SectionKind.TEMPLATE, interface.template, "source template", label)
    yield from _use(SectionKind.VC_CLASS, interface.vc_class, "class-int", label)
    yield from _use(SectionKind.MAP_CLASS, interface.map_class, "frame-relay class", label)
    for pvc in interface.pvcs.values():
        place = f"{label} > {pvc_label(pvc.name, pvc.vpi, pvc.vci)}"
        yield from _use(SectionKind.VC_CLASS, pvc.own.vc_class, "class-vc", place)
    for circuit in interface.circuits.values():
        place = f"{label} > dlci {circuit.dlci}"
        yield from _use(SectionKind.MAP_CLASS, circuit.map_class, "class", place)


def _use(
    kind: SectionKind, name: Stated[str] | None, command: str, label: str
) -> Iterator[SectionUse]:
    if name is not None:
        yield SectionUse(kind, name.value, f"{command} {name.value}", label, name.at)
