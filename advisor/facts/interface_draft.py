"""An interface while its sections are read: settings of later lines replace those of earlier."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from advisor.facts import Stated
from advisor.facts.config import SectionUse, SettingsKind
from advisor.facts.interface import Interface, InterfaceLines, PlacePolicy, Side, pvc_label
from advisor.facts.read_actions import WredDraft
from advisor.facts.read_circuits import Policies, PvcDraft, VcDraft
from advisor.facts.read_frame_relay import DlciDraft, MapClassDraft

_LINES: Final = InterfaceLines.__struct_fields__


class SharedSettings(Struct, frozen=True):
    """Settings that interfaces take from other sections of the config."""

    vc_classes: Mapping[str, VcDraft]
    map_classes: Mapping[str, MapClassDraft]
    timeslots_bps: Mapping[str, Stated[float]]
    open_timeslots: Mapping[str, Stated[int]]
    modems: Mapping[str, Stated[str]]
    policies: Mapping[str, Policies]  # of `template NAME`


class InterfaceDraft(InterfaceLines):
    """An interface under reading; `freeze` resolves `template`, `vc_class` and `map_class`."""

    template: Stated[str] | None = None
    wred: WredDraft | None = None
    place_policies: dict[tuple[str, Side], PlacePolicy] = field(default_factory=dict)
    pool_memberships: dict[int, Stated[int]] = field(default_factory=dict)
    vc_class: Stated[str] | None = None
    map_class: Stated[str] | None = None
    policies: Policies = field(default_factory=dict)
    pvcs: dict[tuple[int, int], PvcDraft] = field(default_factory=dict)
    circuits: dict[int, DlciDraft] = field(default_factory=dict)
    legacy_queueing: dict[str, Stated[str]] = field(default_factory=dict)
    port_queues: dict[str, Stated[str]] = field(default_factory=dict)
    sna_lines: dict[str, Stated[str]] = field(default_factory=dict)

    def freeze(self, main: "InterfaceDraft | None", templates: SharedSettings) -> Interface:
        """Resolve names; `main` is the main interface of a subinterface."""
        vc_classes = (self.vc_class, main.vc_class if main else None)
        map_classes = (self.map_class, main.map_class if main else None)
        fragment = self.frame_relay_fragment_bytes
        if fragment is None and main is not None:
            fragment = main.frame_relay_fragment_bytes
        template = self.template.value if self.template is not None else ""
        stated = {name: getattr(self, name) for name in _LINES}
        stated["shutdown"] = self.shutdown or (main is not None and main.shutdown)
        stated["macsec"] = self.macsec or (main.macsec if main is not None else None)
        stated["timeslots_bps"] = self.timeslots_bps or templates.timeslots_bps.get(self.name)
        circuits = tuple(
            circuit.freeze(templates.map_classes, map_classes, fragment)
            for circuit in self.circuits.values()
        )
        of_circuits = {line.value: line for item in circuits for line in item.legacy_queueing}
        return Interface(
            **stated,
            policies=tuple((templates.policies.get(template, {}) | self.policies).values()),
            wred=self.wred.freeze() if self.wred is not None else None,
            place_policies=tuple(self.place_policies.values()),
            pool_memberships=tuple(self.pool_memberships),
            pvcs=tuple(pvc.freeze(templates.vc_classes, vc_classes) for pvc in self.pvcs.values()),
            circuits=circuits,
            open_timeslots=templates.open_timeslots.get(self.name),
            modem=templates.modems.get(self.parent or self.name),
            legacy_queueing=tuple((self.legacy_queueing | of_circuits).values()),
            port_queues=tuple(self.port_queues.values()),
            sna_lines=tuple(self.sna_lines.values()),
        )


def section_uses(interface: InterfaceDraft) -> Iterator[SectionUse]:
    """Lines of an interface and its circuits that name a map-class, a vc-class or a template."""
    label = f"interface {interface.name}"
    yield from _use(SettingsKind.TEMPLATE, interface.template, "source template", label)
    yield from _use(SettingsKind.VC_CLASS, interface.vc_class, "class-int", label)
    yield from _use(SettingsKind.MAP_CLASS, interface.map_class, "frame-relay class", label)
    for pvc in interface.pvcs.values():
        place = f"{label} > {pvc_label(pvc.name, pvc.vpi, pvc.vci)}"
        yield from _use(SettingsKind.VC_CLASS, pvc.own.vc_class, "class-vc", place)
    for circuit in interface.circuits.values():
        place = f"{label} > dlci {circuit.dlci}"
        yield from _use(SettingsKind.MAP_CLASS, circuit.map_class, "class", place)


def _use(
    kind: SettingsKind, name: Stated[str] | None, command: str, label: str
) -> Iterator[SectionUse]:
    if name is not None:
        yield SectionUse(kind, name.value, f"{command} {name.value}", label, name.at)
