"""A burst of the LLQ's policer that one packet, or one burst of the class, does not fit in."""

from collections.abc import Iterator
from math import ceil

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, Unit
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence
from advisor.outlet.offer import Offer, offers_of
from advisor.outlet.operations import stated_traffic
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.quantity import Basis, plain
from advisor.settings.values import StatedBursts


class Params(Struct, frozen=True):
    """IP bytes of the largest voice packet where nothing says which one: G.711 with 20 ms."""

    voice_packet_bytes: int


class Evidence(Struct, frozen=True):
    """The burst, and what it has to hold, in bytes as IOS counts them."""

    class_name: str
    policy_map: str
    burst_bytes: int
    needed_bytes: int
    what: str  # "one packet of 214 bytes (assumed)"
    rate: str  # of the `priority` statement: "64", "percent 10"


class _Need(Struct, frozen=True):
    """Bytes that the burst has to hold, and of what they are."""

    size_bytes: int
    what: str
    basis: Basis


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each priority class whose stated burst is too small, once for its policy.

    Only a burst that the configuration states is judged: the default of 200 ms holds many packets.
    """
    seen = set()
    for outlet in policies_out(device):
        offers = {offer.class_name: offer for offer in offers_of(outlet, stated_traffic(device))}
        for llq_class in outlet.llq_classes:
            burst_bytes = _burst_bytes(llq_class)
            place = (outlet.queueing.name, llq_class.name)
            if burst_bytes is None or place in seen:
                continue
            need = _need(outlet, offers.get(llq_class.name), params.voice_packet_bytes)
            if burst_bytes < need.size_bytes:
                seen.add(place)
                yield _hit(outlet, llq_class, burst_bytes, need)


def _burst_bytes(llq_class: PolicyClass) -> int | None:
    """The stated burst of `priority`, or of the class's own `police`."""
    if llq_class.priority is not None and llq_class.priority.burst_bytes is not None:
        return llq_class.priority.burst_bytes
    return llq_class.police.burst_bytes if llq_class.police is not None else None


def _need(outlet: Outlet, offer: Offer | None, voice_packet_bytes: int) -> _Need:
    """The largest packet, or a stated burst of packets, with the header that IOS counts."""
    counted = outlet.counted_bytes
    if offer is None or not offer.sizes:
        size = voice_packet_bytes + counted
        return _Need(size, f"one voice packet of {size} bytes (assumed)", Basis.ASSUMED)
    size = ceil(max(part.ip_bytes for part in offer.sizes)) + counted
    if isinstance(offer.pattern, StatedBursts):
        total = size * offer.pattern.packets
        return _Need(
            total, f"a burst of {offer.pattern.packets} packets of {size} bytes", offer.basis
        )
    return _Need(size, f"one packet of {size} bytes ({offer.basis})", offer.basis)


def _hit(outlet: Outlet, llq_class: PolicyClass, burst_bytes: int, need: _Need) -> Hit[Evidence]:
    by_priority, at = False, outlet.at
    if llq_class.priority is not None and llq_class.priority.burst_bytes is not None:
        by_priority, at = True, llq_class.priority.at
    elif llq_class.police is not None:
        at = llq_class.police.at
    return Hit(
        f"policy-map {outlet.queueing.name} > class {llq_class.name}",
        (at,),
        Evidence(
            llq_class.name,
            outlet.queueing.name,
            burst_bytes,
            need.size_bytes,
            need.what,
            _rate(llq_class),
        ),
        Confidence.LIKELY if need.basis is not Basis.ASSUMED else Confidence.POSSIBLE,
        curable=by_priority and bool(_rate(llq_class)),
    )


def _rate(llq_class: PolicyClass) -> str:
    """The rate of a `priority` statement as it is written; empty where it has none."""
    priority = llq_class.priority
    if priority is None or priority.amount is None:
        return ""
    words = "percent " if priority.unit is Unit.PERCENT else ""
    return f"{words}{plain(priority.amount)}"


CHECK = Check(Params, Evidence, find)
