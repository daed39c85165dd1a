"""Outputs of two states that serve the same packets: a policy that goes to a subinterface."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct

from advisor.lint.change.snapshot import Case, Snapshot

Output = tuple[str, str, Case, int]  # the last tells devices of one name apart
_GROUP: Final = " > nhrp group "
_INTERFACE, _MEMBER = "interface ", "member "


def port_of(output: str) -> str:
    """The port that an output sends on, by its object path.

    >>> port_of("interface Serial0/0/0.100 > dlci 100")
    'Serial0/0/0'
    >>> port_of("interface Multilink1 > member Serial0/0/1")
    'Serial0/0/1'

    The spokes of an NHRP group have its policy by the name of the group, so it goes nowhere else.

    >>> port_of("interface Tunnel0 > nhrp group BRANCH")
    'Tunnel0 > nhrp group BRANCH'
    """
    if _GROUP in output:
        return output.removeprefix(_INTERFACE)
    first, *rest = output.split(" > ")
    members = [part.removeprefix(_MEMBER) for part in rest if part.startswith(_MEMBER)]
    name = members[0] if members else first.removeprefix(_INTERFACE)
    return name.partition(".")[0]


class MovedOutputs(Struct, frozen=True):
    """What became of the outputs that are no more.

    `now` has the outputs that took the place of each; `unserved` the object paths of interfaces
    whose packets it queued, and which no policy queues any more.
    """

    now: Mapping[Output, tuple[Output, ...]]
    unserved: Mapping[Output, tuple[str, ...]]


def moved_outputs(
    before: AbstractSet[Output], now: AbstractSet[Output], old: Snapshot, new: Snapshot
) -> MovedOutputs:
    """Find where the policies of outputs went that are no more.

    An output goes to the others of its port: where either state has one of them only, else to the
    port itself. An interface that has another name, the only one of its device, is the same.
    """
    gone, fresh = _by_port(before - now), _by_port(now - before)
    pairs: dict[Output, tuple[Output, ...]] = {}
    for port, lost in gone.items():
        found = fresh.get(port, ())
        own = (port[0], f"{_INTERFACE}{port[1]}", *port[2:])
        if found and 1 in (len(lost), len(found)):
            pairs.update((each, tuple(found)) for each in lost)
        elif not found and own in now:
            pairs.update((each, (own,)) for each in lost)
    taken = {each for found in pairs.values() for each in found}
    pairs.update(_renamed(before - now - pairs.keys(), now - before - taken, old, new))
    left = _Interfaces(before, now, new)
    unserved = {each: tuple(left.unserved(each, pairs.get(each, ()))) for each in before - now}
    return MovedOutputs(pairs, unserved)


def _by_port(outputs: Iterable[Output]) -> dict[Output, list[Output]]:
    by_port: dict[Output, list[Output]] = defaultdict(list)
    for device, path, case, number in sorted(outputs):
        by_port[device, port_of(path), case, number].append((device, path, case, number))
    return by_port


def _renamed(
    lost: AbstractSet[Output], found: AbstractSet[Output], old: Snapshot, new: Snapshot
) -> Iterator[tuple[Output, tuple[Output, ...]]]:
    """The only output that is left of a device, where its interface has another name now."""
    was, has = _interfaces(old), _interfaces(new)
    same: dict[tuple[str, Case, int], list[Output]] = defaultdict(list)
    others: dict[tuple[str, Case, int], list[Output]] = defaultdict(list)
    for each in found:
        same[each[0], each[2], each[3]].append(each)
    for each in lost:
        others[each[0], each[2], each[3]].append(each)
    for key, outputs in others.items():
        if len(outputs) == len(same[key]) == 1:
            earlier, later = _interface(outputs[0]), _interface(same[key][0])
            if earlier not in has and later not in was:
                yield outputs[0], (same[key][0],)


def _interface(output: Output) -> tuple[str, str]:
    return output[0], output[1].partition(" > ")[0]


def _interfaces(state: Snapshot) -> frozenset[tuple[str, str]]:
    return frozenset((known.device, known.path) for known in state.objects)


class _Interfaces:
    """The interfaces of each device that are up, and those that an output of either state is of."""

    def __init__(
        self, before: AbstractSet[Output], now: AbstractSet[Output], new: Snapshot
    ) -> None:
        self._up: dict[str, list[str]] = defaultdict(list)
        for known in new.objects:
            if known.path.startswith(_INTERFACE) and not known.is_shut:
                self._up[known.device].append(known.path)
        self._now = frozenset(map(_interface, now)) | frozenset(
            (each.device, each.path.partition(" > ")[0])
            for each in new.orders
            if not each.is_marking
        )
        self._before = frozenset(map(_interface, before))

    def unserved(self, output: Output, went_to: tuple[Output, ...]) -> Iterator[str]:
        """Those whose packets the output queued, and that have no output now."""
        device, path = _interface(output)
        up, below = self._up[device], f"{path}."
        if _GROUP in output[1]:
            if path in up:
                yield output[1]
            return
        if not went_to and path in up and (device, path) not in self._now:
            yield path
        if all(_interface(each)[1].startswith(below) for each in went_to):
            for each in up:
                is_served = (device, each) in self._now or (device, each) in self._before
                if each.startswith(below) and not is_served:
                    yield each
