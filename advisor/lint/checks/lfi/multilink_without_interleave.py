"""Fragments that nothing goes between: voice waits for all pieces of a packet."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.interface import Interface
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.lfi.shared.members import (
    LabelledMember,
    wrong_labels,
)
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.carriers import members_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.parts import uninterleaved
from advisor.quantity import Unknown, number
from advisor.theory.interface import wire_ms

_NO_LLQ: Final = (
    "no LLQ is on the bundle, and new fragments take it down: at the next window, take the "
    "fragments away, or interleave if voice is to come"
)
_BUNDLES: Final = ("Multilink", "Virtual-Template", "Dialer")


class Params(Struct, frozen=True):
    """Budget of one fragment; None where the profile does not judge it."""

    serialization_ms: float | None


class Evidence(Struct, frozen=True):
    """The interface, and what its fragments need beside interleaving."""

    interface: str
    delay_ms: int | None  # None: the delay stays as it is
    delay_words: str
    members: tuple[LabelledMember, ...]  # without the `bandwidth` of which IOS makes fragments
    multiclass: bool  # several links interleave only so
    needless: str | None = None  # the statement of the fragments, where whole packets are in time


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each interface with fragments of MLPPP and without interleaving.

    Without an LLQ on it, it is a warning without lines: fragments then cost, and no voice is worth
    taking the bundle down. Where its links send a whole packet within the budget, the fragments go:
    interleaving would give nothing.
    """
    known = tuple(outlets(device))
    with_llq = {outlet.attached_to for outlet in known if outlet.llq_classes}
    for interface in device.facts.interfaces:
        stated = uninterleaved(device.facts, interface)
        if stated is None or interface.shutdown or interface.type not in _BUNDLES:
            continue
        members = wrong_labels(device, interface)
        here = [outlet for outlet in known if outlet.attached_to == interface.name]
        needless = _fragments(interface) if _is_fast(here, params.serialization_ms) else None
        is_unknown = isinstance(members, Unknown) and needless is None
        has_llq = interface.name in with_llq
        delay_ms = _delay_ms(interface, params.serialization_ms)
        advice = _beside(interface, delay_ms) if needless is None else None
        if isinstance(members, Unknown) and is_unknown:
            advice = members.reason
        yield Hit(
            f"interface {interface.name}",
            (stated.at, interface.at),
            Evidence(
                interface=interface.name,
                delay_ms=delay_ms,
                delay_words=interface.multilink.delay_words,
                members=() if isinstance(members, Unknown) else members,
                multiclass=len(members_of(device.facts, interface)) > 1,
                needless=needless,
            ),
            Confidence.CERTAIN,
            severity=None if has_llq else Severity.WARNING,
            curable=has_llq and not is_unknown,
            advice=advice if has_llq else _NO_LLQ,
        )


def _is_fast(outlets_here: Sequence[Outlet], budget_ms: float | None) -> bool:
    """Whether each link of the bundle sends a whole packet within the budget."""
    if budget_ms is None or not outlets_here:
        return False
    return all(
        outlet.wire is not None
        and outlet.encapsulation is not None
        and wire_ms(int(outlet.mtu.value), outlet.encapsulation.high, outlet.wire.value)
        <= budget_ms
        for outlet in outlets_here
    )


def _fragments(interface: Interface) -> str | None:
    """The statement of the fragments; None for a delay that is no whole number of ms."""
    delay, size = interface.multilink.fragment_delay_ms, interface.multilink.fragment_bytes
    if delay is None:
        return None if size is None else f"ppp multilink fragment size {size.value}"
    is_whole = delay.value == int(delay.value)
    command = f"ppp multilink {interface.multilink.delay_words} {int(delay.value)}"
    return command if is_whole and not size else None


def _delay_ms(interface: Interface, budget_ms: float | None) -> int | None:
    """The delay that keeps the budget, where the stated one does not."""
    stated = interface.multilink.fragment_delay_ms
    if budget_ms is None or stated is None or stated.value <= budget_ms:
        return None
    return int(budget_ms)


def _beside(interface: Interface, delay_ms: int | None) -> str | None:
    """What the lines change beside interleaving: the delay, which makes more fragments."""
    stated = interface.multilink.fragment_delay_ms
    if delay_ms is None or stated is None:
        return None
    return (
        f"the fragment delay becomes {delay_ms} ms, the budget of a fragment, for the "
        f"{number(stated.value)} ms stated: {number(stated.value / delay_ms)} times as many "
        "fragments of a full packet, each with a header"
    )


CHECK = Check(Params, Evidence, find)
