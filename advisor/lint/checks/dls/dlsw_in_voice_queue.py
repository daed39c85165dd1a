"""DLSw+ marks itself like voice, so a low-latency queue takes it as voice."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.dlsw import RemotePeer, TosMap
from advisor.facts.policy import CLASS_DEFAULT
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.llq.shared.reaching import reaching
from advisor.lint.checks.llq.shared.traffic import Traffic, traffic_of
from advisor.lint.findings import Confidence
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.packet_class import (
    classes_taking,
    precedence_of,
    takes_unnamed_peers,
    tcp_peers,
)

_VOICE: Final = 5
_ADVISED: Final = 2  # Cisco's AVVID design guide
_LEVELS: Final = ("high", "medium", "normal", "low")
_OTHERS: Final = (3, 4, 1)


class Level(Struct, frozen=True):
    """A level of `dlsw tos map` and its precedence."""

    name: str
    precedence: int


class Evidence(Struct, frozen=True):
    """The class of the LLQ, the source of the marking, and a marking outside the LLQ."""

    policy_map: str
    class_name: str
    marking: str
    levels: tuple[Level, ...]  # of the queues high to low: what is stated outside the LLQ stays


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each output whose LLQ takes DLSw+ only by its precedence."""
    del params
    peers = tcp_peers(device.facts)
    uses_dlsw = peers or takes_unnamed_peers(device.facts)
    if not uses_dlsw or precedence_of(device.facts.dlsw.tos) != _VOICE:
        return
    labels = set()
    for outlet in outlets(device):
        if outlet.policy_label in labels or not outlet.llq_classes:
            continue
        labels.add(outlet.policy_label)
        verdict = _of_outlet(device, outlet, next(iter(peers), None))
        if verdict is not None:
            yield verdict


def _of_outlet(
    device: Device, outlet: Outlet, peer: RemotePeer | None
) -> Hit[Evidence] | Skip | None:
    names = {llq_class.name for llq_class in outlet.llq_classes}
    taking = classes_taking(device.facts, outlet.queueing, peer)
    if None in taking:
        return Skip(outlet.policy_label, "which class takes DLSw+ is not known")
    in_voice = sorted(name for name in taking if name in names)
    precedence = _precedence(device, outlet, peer, names)
    if not in_voice or precedence is None:
        return None  # not there by its marking: an access list or a port put it there
    tos = device.facts.dlsw.tos
    evidence = Evidence(
        outlet.queueing.name,
        in_voice[0],
        "by default" if tos is None else "as `dlsw tos map` says",
        tuple(_levels(tos, precedence)),
    )
    stated = tos or peer or device.facts.dlsw.local_peer
    at: tuple[Location, ...] = (outlet.at,) if stated is None else (stated.at, outlet.at)
    return Hit(outlet.policy_label, at, evidence, Confidence.LIKELY)


def _levels(tos: TosMap | None, precedence: int) -> Iterator[Level]:
    stated = (tos.high, tos.medium, tos.normal, tos.low) if tos is not None else ()
    for name, value in zip_longest(_LEVELS, stated):
        yield Level(name, precedence if value is None or value == _VOICE else value)


def _precedence(
    device: Device, outlet: Outlet, peer: RemotePeer | None, names: set[str]
) -> int | None:
    """A precedence outside the LLQ; None if none is.

    Preferably in a class with bandwidth, but not in that of call signalling, which SNA would delay.
    """
    landing = {
        precedence: classes_taking(device.facts, outlet.queueing, peer, precedence)
        for precedence in (_ADVISED, *_OTHERS)
    }
    out = [
        precedence
        for precedence, taking in landing.items()
        if None not in taking and not taking & names
    ]
    others = {CLASS_DEFAULT} | _signalling(device, outlet)
    classified = [precedence for precedence in out if not landing[precedence] & others]
    return next(iter((*classified, *out)), None)


def _signalling(device: Device, outlet: Outlet) -> set[str]:
    """Classes that take call signalling."""
    return {
        member.policy_class.name
        for member in reaching(device, outlet.queueing)
        if any(traffic_of(box) is Traffic.SIGNALLING for box in member.boxes or ())
    }


CHECK = Check(NoParams, Evidence, find)
