"""A jitter probe outside the LLQ measures another queue."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.selectable import selectable_by_class
from advisor.facts.stated import SlaProbe
from advisor.ios.syntax.names import dscp_name
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, ObjectKind
from advisor.outlet.outlet import Outlet
from advisor.outlet.probe import JITTER_OPERATIONS, TOS_BITS_BELOW_DSCP, ProbePath, way_out
from advisor.quantity import Unknown


class Evidence(Struct, frozen=True):
    """The class that takes the probe, and the LLQ that does not."""

    number: int
    operation: str
    class_name: str
    classes: str
    marking: str
    hint: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each jitter probe in another class than the LLQ.

    Silent where another jitter probe is in the LLQ of the same output: then this one measures
    its own class on purpose, unless it simulates a codec: that is voice. Echo probes test
    reachability: they are not judged.
    """
    del params
    outside: list[tuple[SlaProbe, ProbePath]] = []
    measured: set[str] = set()
    for probe in device.facts.probes:
        if probe.operation not in JITTER_OPERATIONS:
            continue
        path = way_out(device, probe)
        if isinstance(path, Unknown):
            yield Skip(f"ip sla {probe.number}", path.reason)
        elif not path.outlets[0].llq_classes:
            continue
        elif path.is_priority is None:
            yield Skip(f"ip sla {probe.number}", "which class takes the probe is not known")
        elif path.is_priority:
            measured.add(path.outlets[0].policy_label)
        else:
            outside.append((probe, path))
    for probe, path in outside:
        if probe.codec is not None or path.outlets[0].policy_label not in measured:
            yield _hit(device, probe, path)


def _hit(device: Device, probe: SlaProbe, path: ProbePath) -> Hit[Evidence]:
    outlet = path.outlets[0]
    dscp = 0 if probe.tos is None else probe.tos.value >> TOS_BITS_BELOW_DSCP
    evidence = Evidence(
        number=probe.number,
        operation=probe.operation or "",
        class_name=path.class_name or "",
        classes=", ".join(llq_class.name for llq_class in outlet.llq_classes),
        marking=f"dscp {dscp_name(dscp)}" + ("" if probe.tos else ", as no `tos` is set"),
        hint=_hint(device, outlet),
    )
    at = (probe.tos.at if probe.tos is not None else probe.at, outlet.at)
    return Hit(f"ip sla {probe.number}", at, evidence, Confidence.LIKELY)


def _hint(device: Device, outlet: Outlet) -> str:
    """The `tos` that the LLQ matches, if it matches a DSCP."""
    selectable = selectable_by_class(device.facts)
    codes = [
        code for llq_class in outlet.llq_classes for code in selectable(llq_class.name).named_dscps
    ]
    return f"; `tos {max(codes) << TOS_BITS_BELOW_DSCP}` is in it" if codes else ""


CHECK = Check(NoParams, Evidence, find, object_kind=ObjectKind.NAME)
