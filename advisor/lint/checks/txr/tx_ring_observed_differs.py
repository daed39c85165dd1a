"""The driver uses another ring than the configuration, or the default, says."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import interface_line
from advisor.facts.interface import Interface, Pvc
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.ring import ObservedRing, is_of_an_edit, observed_ring
from advisor.outlet.ring_homes import default_ring


class Evidence(Struct, frozen=True):
    """The ring in force and the one expected."""

    observed: int
    command: str
    expected: str
    why: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each ring whose length in force is neither configured nor the default."""
    del params
    if not (device.seen.controllers or device.seen.atm_circuits):
        return
    for interface in device.facts.interfaces:
        if interface.shutdown or (interface.is_subinterface and not interface.pvcs):
            continue
        for pvc in (None, *interface.pvcs):
            observed = observed_ring(device.seen, interface, pvc)
            if observed is not None:
                yield from _judge(device, interface, pvc, observed)


def _judge(
    device: Device, interface: Interface, pvc: Pvc | None, observed: ObservedRing
) -> Iterator[Hit[Evidence] | Skip]:
    label = interface_line(interface) + (f" > {pvc.label}" if pvc is not None else "")
    stated = pvc.tx_ring_limit if pvc is not None else interface.tx_ring_limit
    if stated is not None:
        if stated.value != observed.limit and not is_of_an_edit(stated):
            evidence = Evidence(observed.limit, observed.command, str(stated.value), "configured")
            yield Hit(label, (stated.at, observed.at), evidence, Confidence.CERTAIN)
        return
    expected = default_ring(device, interface, pvc)
    if expected is None:
        yield Skip(label, "the ring that this platform gives it by default is not known")
    elif not expected.limit_low <= observed.limit <= expected.limit_high:
        ends = dict.fromkeys((expected.limit_low, expected.limit_high))
        words = " to ".join(str(end) for end in ends)
        evidence = Evidence(observed.limit, observed.command, words, expected.source)
        at = (interface.at, observed.at)
        yield Hit(label, at, evidence, Confidence.POSSIBLE, severity=Severity.INFO)


CHECK = Check(NoParams, Evidence, find, is_measured=True)
