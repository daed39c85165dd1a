"""A class whose packets all end in classes before it: order is meaning in a policy-map."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.matched_packets import PacketsOfClasses
from advisor.facts.packet_set import Box, Cover
from advisor.facts.policy import ClassMap, PolicyClass, PolicyMap
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence

_MOST_MATCHES_SHOWN = 3


class Evidence(Struct, frozen=True):
    """The class, and those before it that take its packets, with what they match."""

    class_name: str
    matches: str
    takers: str  # "class ALL-AF (match ip precedence 1)"


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class of a policy-map all of whose packets earlier classes take.

    Only what is certain counts. A class-map that names an access list or class-map which does not
    exist, or whose criteria no packet can meet, takes no part.
    """
    del params
    packets = PacketsOfClasses(device.facts)
    for policy in device.facts.policy_maps:
        before = Cover()
        for each in policy.classes:
            matched = packets.of(each.name)
            if each.is_default or matched.broken or matched.most == ():
                continue
            if matched.most is None:
                yield Skip(_label(policy, each), "what its class-map matches is not read in full")
            else:
                takers = _takers(matched.most, before)
                if takers:
                    yield _hit(device, policy, each, takers)
            for box in matched.sure:
                before.add(each.name, box)


def _takers(boxes: tuple[Box, ...], before: Cover) -> tuple[str, ...]:
    """Names of the classes that take all of these packets; empty where some may be left."""
    names: list[str] = []
    for box in boxes:
        mine = before.takers(box)
        if not mine:
            return ()
        names += mine
    return tuple(dict.fromkeys(names))


def _hit(
    device: Device, policy: PolicyMap, each: PolicyClass, takers: tuple[str, ...]
) -> Hit[Evidence]:
    facts = device.facts
    places = {one.name: one.at for one in policy.classes}
    shown = [f"class {name} ({_matches(facts.class_map(name))})" for name in takers]
    return Hit(
        _label(policy, each),
        (each.at, *(places[name] for name in takers)),
        Evidence(each.name, _matches(facts.class_map(each.name)), " and ".join(shown)),
        Confidence.CERTAIN,
    )


def _label(policy: PolicyMap, each: PolicyClass) -> str:
    return f"policy-map {policy.name} > class {each.name}"


def _matches(class_map: ClassMap | None) -> str:
    texts = [each.text for each in class_map.matches] if class_map is not None else []
    joint = " and " if class_map is not None and class_map.match_all else " or "
    more = len(texts) - _MOST_MATCHES_SHOWN
    shown = joint.join(texts[:_MOST_MATCHES_SHOWN])
    return f"{shown}{joint}{more} more" if more > 0 else shown


CHECK = Check(NoParams, Evidence, find)
