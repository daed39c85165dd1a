"""Outputs of two states that serve the same packets: a policy that goes to a subinterface."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from msgspec import Struct

from advisor.lint.change.snapshot import Case, Snapshot

Output = tuple[str, str, Case, int]  # the last tells devices of one name apart
_INTERFACE, _MEMBER = "interface ", "member "


def port_of(output: str) -> str:
    """The port that an output sends on, by its object path.

    >>> port_of("interface Serial0/0/0.100 > dlci 100")
    'Serial0/0/0'
    >>> port_of("interface Multilink1 > member Serial0/0/1")
    'Serial0/0/1'
    """
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
    unserved = {each: tuple(_unserved(each, pairs, before, now, new)) for each in before - now}
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
    for output in lost:
        others = [each for each in lost if (each[0], *each[2:]) == (output[0], *output[2:])]
        same = [each for each in found if (each[0], *each[2:]) == (output[0], *output[2:])]
        if len(others) == len(same) == 1:
            earlier, later = _interface(output), _interface(same[0])
            if earlier not in has and later not in was:
                yield output, (same[0],)


def _interface(output: Output) -> tuple[str, str]:
    return output[0], output[1].partition(" > ")[0]


def _interfaces(state: Snapshot) -> frozenset[tuple[str, str]]:
    return frozenset((known.device, known.path) for known in state.objects)


def _unserved(
    output: Output,
    pairs: Mapping[Output, tuple[Output, ...]],
    before: AbstractSet[Output],
    now: AbstractSet[Output],
    new: Snapshot,
) -> Iterator[str]:
    """Interfaces that are up, whose packets the output queued, without an output of their own."""
    device, path = _interface(output)
    others = {_interface(each) for each in before | now if each in now or each[1] != output[1]}
    others |= {(each.device, each.output.partition(" > ")[0]) for each in new.without_figures}
    up = [each.path for each in new.objects if each.device == device and not each.is_shut]
    went_to = {_interface(each)[1] for each in pairs.get(output, ())}
    if not went_to and path in up and (device, path) not in others:
        yield path
    is_split = bool(went_to) and all(each.startswith(f"{path}.") for each in went_to)
    if not went_to or is_split:
        below = [each for each in up if each.startswith(f"{path}.")]
        yield from (each for each in below if (device, each) not in others)
