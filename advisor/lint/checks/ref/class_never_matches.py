"""A class whose packets all end in classes before it: order is meaning in a policy-map."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.matched_packets import packets_of_classes
from advisor.facts.packet_set import Box, Cover
from advisor.facts.policy import ClassMap, PolicyClass, PolicyMap
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence

_MOST_MATCHES_SHOWN = 3


class Evidence(Struct, frozen=True):
    """The class, and the earlier classes that take its packets, with their matches."""

    class_name: str
    matches: str
    takers: str  # "class ALL-AF (match ip precedence 1)"


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class of a policy-map whose packets are all taken by earlier classes.

    Only certain matches count. A class-map that names an access list or class-map which does not
    exist, or whose criteria no packet can meet, takes no part.
    """
    del params
    packets = packets_of_classes(device.facts)
    for policy in device.facts.policy_maps:
        before = Cover()
        for policy_class in policy.classes:
            matched = packets.of(policy_class.name)
            if policy_class.is_default or matched.broken or matched.most == ():
                continue
            if matched.most is None:
                yield Skip(
                    _label(policy, policy_class), "what its class-map matches is not read in full"
                )
            else:
                takers = _takers(matched.most, before)
                if takers:
                    yield _hit(device, policy, policy_class, takers)
            for box in matched.sure:
                before.add(policy_class.name, box)


def _takers(boxes: tuple[Box, ...], before: Cover) -> tuple[str, ...]:
    """Names of the classes that take all of these packets; empty where some may be left."""
    names: list[str] = []
    for box in boxes:
        names_of_box = before.takers(box)
        if not names_of_box:
            return ()
        names += names_of_box
    return tuple(dict.fromkeys(names))


def _hit(
    device: Device, policy: PolicyMap, policy_class: PolicyClass, takers: tuple[str, ...]
) -> Hit[Evidence]:
    facts = device.facts
    places = {other_class.name: other_class.at for other_class in policy.classes}
    taker_words = [f"class {name} ({_matches(facts.class_map(name))})" for name in takers]
    return Hit(
        _label(policy, policy_class),
        (policy_class.at, *(places[name] for name in takers)),
        Evidence(
            policy_class.name,
            _matches(facts.class_map(policy_class.name)),
            " and ".join(taker_words),
        ),
        Confidence.CERTAIN,
    )


def _label(policy: PolicyMap, policy_class: PolicyClass) -> str:
    return f"policy-map {policy.name} > class {policy_class.name}"


def _matches(class_map: ClassMap | None) -> str:
    texts = [match.text for match in class_map.matches] if class_map is not None else []
    joint = " and " if class_map is not None and class_map.match_all else " or "
    more = len(texts) - _MOST_MATCHES_SHOWN
    words = joint.join(texts[:_MOST_MATCHES_SHOWN])
    return f"{words}{joint}{more} more" if more > 0 else words


CHECK = Check(NoParams, Evidence, find)
