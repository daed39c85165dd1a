"""Finds classes without packets, because classes ahead match all of them.

A class ahead stands earlier in the same policy, or earlier in a policy that nests it.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from advisor.facts.attachments import attachments
from advisor.facts.config import Facts
from advisor.facts.matched_packets import packets_of_classes
from advisor.facts.packet_set import Box, Cover
from advisor.facts.policy import PolicyClass, PolicyMap
from advisor.ground.questions import derived


class Taker(Struct, frozen=True):
    """A class of a policy that takes packets ahead of others."""

    policy: str
    policy_class: PolicyClass


@derived
def takers_of_classes(facts: Facts) -> Mapping[tuple[str, str], tuple[Taker, ...]]:
    """For each class without packets (policy, name), the classes that take them.

    Only certain matches count. A nested policy gets what the earlier classes of its parent leave;
    in class-default, what all other classes leave. A class is listed if it is empty in all places
    where its policy is used.
    """
    taken: dict[tuple[str, str], tuple[Taker, ...]] = {}
    for policy in facts.policy_maps:
        found = [_taken(facts, policy, ahead) for ahead in _above(facts).of(policy.name)]
        for name in found[0] if found else ():
            if all(name in others for others in found[1:]):
                taken[policy.name, name] = found[0][name]
    return taken


def classes_ahead(facts: Facts, policy: str) -> tuple[Taker, ...]:
    """The classes of other policies that take packets ahead of a policy, wherever it is used."""
    first, *others = _above(facts).of(policy) or ((),)
    return tuple(taker for taker in first if all(taker in place for place in others))


class _Above:
    """The classes ahead of the policies of a config, in each place where they are used."""

    def __init__(self, facts: Facts) -> None:
        self._known: dict[str, tuple[tuple[Taker, ...], ...]] = {}
        self._parents: dict[str, list[tuple[PolicyMap, PolicyClass]]] = {}
        for policy, policy_class in facts.policy_classes:
            if policy_class.child is not None:
                parents = self._parents.setdefault(policy_class.child.value, [])
                parents.append((policy, policy_class))
        attached = (entry.attachment.policy for entry in attachments(facts))
        self._attached = {*attached, *(other.policy for other in facts.other_policies)}

    def of(self, name: str) -> tuple[tuple[Taker, ...], ...]:
        """Different sequences of classes ahead of a policy, outermost first."""
        if name not in self._known:
            self._known[name] = ()  # for a policy that holds itself
            parents = self._parents.get(name, [])
            is_root = name in self._attached or not parents
            places: list[tuple[Taker, ...]] = [()] if is_root else []
            for parent, holder in parents:
                own = tuple(_ahead(parent, holder))
                places += [(*outer, *own) for outer in self.of(parent.name)]
            self._known[name] = tuple(dict.fromkeys(places))
        return self._known[name]


@derived
def _above(facts: Facts) -> _Above:
    return _Above(facts)


def _ahead(policy: PolicyMap, holder: PolicyClass) -> Iterator[Taker]:
    """The classes of a policy that take packets ahead of one of them."""
    for policy_class in policy.classes:
        if policy_class is holder and not holder.is_default:
            return
        if not policy_class.is_default:
            yield Taker(policy.name, policy_class)


def _taken(
    facts: Facts, policy: PolicyMap, ahead: tuple[Taker, ...]
) -> Mapping[str, tuple[Taker, ...]]:
    """The classes of a policy whose packets are all taken, each with its takers."""
    packets, before = packets_of_classes(facts), Cover()
    own = tuple(Taker(policy.name, member) for member in policy.classes if not member.is_default)
    by_place = {str(place): taker for place, taker in enumerate((*ahead, *own))}
    found: dict[str, tuple[Taker, ...]] = {}
    for place, taker in by_place.items():
        matched = packets.of(taker.policy_class.name)
        if matched.broken or matched.most == ():
            continue
        takers = _takers(matched.most, before) if taker in own and matched.most is not None else ()
        if takers:
            found[taker.policy_class.name] = tuple(by_place[name] for name in takers)
        for box in matched.sure:
            before.add(place, box)
    return found


def _takers(boxes: Iterable[Box], before: Cover) -> tuple[str, ...]:
    """Names of the classes that take all of these packets; empty where some may be left."""
    names: list[str] = []
    for box in boxes:
        names_of_box = before.takers(box)
        if not names_of_box:
            return ()
        names += names_of_box
    return tuple(dict.fromkeys(names))
