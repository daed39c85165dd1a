"""Fragments that nothing goes between: voice waits for all pieces of a packet."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.interface import Interface
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.lfi.shared.members import (
    LabelledMember,
    cut_without_interleaving,
    wrong_labels,
)
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.carriers import members_of
from advisor.outlet.outlets import outlets
from advisor.quantity import Unknown

_BUNDLES: Final = ("Multilink", "Virtual-Template", "Dialer")


class Params(Struct, frozen=True):
    """Budget of one fragment; None where the profile does not judge it."""

    serialization_ms: float | None


class Evidence(Struct, frozen=True):
    """The interface, and what its fragments need beside interleaving."""

    interface: str
    delay_ms: int | None  # None: the delay stays as it is
    members: tuple[LabelledMember, ...]  # without the `bandwidth` of which IOS makes fragments
    multiclass: bool  # several links interleave only so


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each interface with fragments of MLPPP and without interleaving.

    Without an LLQ on it, it is a warning: fragments then cost, and give nothing.
    """
    with_llq = {outlet.attached_to for outlet in outlets(device) if outlet.llq_classes}
    for interface in device.facts.interfaces:
        stated = cut_without_interleaving(interface)
        if stated is None or interface.shutdown or interface.type not in _BUNDLES:
            continue
        members = wrong_labels(device, interface)
        yield Hit(
            f"interface {interface.name}",
            (stated.at, interface.at),
            Evidence(
                interface=interface.name,
                delay_ms=_delay_ms(interface, params.serialization_ms),
                members=() if isinstance(members, Unknown) else members,
                multiclass=len(members_of(device.facts, interface)) > 1,
            ),
            Confidence.CERTAIN,
            severity=None if interface.name in with_llq else Severity.WARNING,
            curable=not isinstance(members, Unknown),
            advice=members.reason if isinstance(members, Unknown) else None,
        )


def _delay_ms(interface: Interface, budget_ms: float | None) -> int | None:
    """The delay that keeps the budget, where the stated one does not."""
    stated = interface.multilink.fragment_delay_ms
    if budget_ms is None or stated is None or stated.value <= budget_ms:
        return None
    return int(budget_ms)


CHECK = Check(Params, Evidence, find)
