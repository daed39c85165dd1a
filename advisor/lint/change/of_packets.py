"""Classes that take other packets than before, as the lines that decide it prove."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from advisor.facts.policy import CLASS_DEFAULT
from advisor.lint.change.changes import Change, Direction, PredictionChange, Taking
from advisor.lint.change.known_packets import KnownOrder, KnownTaker
from advisor.lint.change.moved_outputs import Output, moved_outputs, port_of
from advisor.lint.change.packets import Packets, State
from advisor.lint.change.snapshot import Case, Snapshot
from advisor.lint.findings import Metric


def packet_changes(old: Snapshot, new: Snapshot) -> Iterator[PredictionChange]:
    """Pair the classes of each output by their names, and compare what they take.

    A priority class that may lose packets is a change for the worse: only if all that it took is
    proven to be in a priority class now, it loses none.
    """
    before, now = _outputs(old), _outputs(new)
    went = moved_outputs(before.keys(), now.keys(), old, new)
    with_figures = {(each.device, each.output) for each in old.classes}  # told with them
    devices = {each.device for each in old.orders}
    packets = {
        each: Packets(State(old.sections, each), State(new.sections, each)) for each in devices
    }
    lost = {each: tuple(_lost_marks(old, new, packets[each], each)) for each in devices}
    for output, order in before.items():
        found = (output,) if output in now else went.now.get(output, ())
        for path in () if output[:2] in with_figures else went.unserved.get(output, ()):
            yield from _unserved(order, path)
        for each in found:
            yield from _of_pair(order, now[each], packets[output[0]], lost[output[0]])


def _unserved(order: KnownOrder, path: str) -> Iterator[PredictionChange]:
    """The priority classes of an interface where no policy queues any more."""
    for taker in order.takers:
        if taker.is_priority:
            yield PredictionChange(
                Change.GONE,
                order.device,
                path,
                taker.name,
                Case.CONGESTED,
                Metric.DELAY,
                None,
                None,
                direction=Direction.WORSE,
                counts=True,
                output_before=None if f"{order.path} > ".startswith(f"{path} > ") else order.path,
                is_unserved=True,
            )


def _outputs(state: Snapshot) -> dict[Output, KnownOrder]:
    """The policies that queue; devices of one name stand in the order of the run."""
    outputs: dict[Output, KnownOrder] = {}
    for order in state.orders:
        if not order.is_marking:
            key, number = (order.device, order.path, Case.CONGESTED), 0
            while (*key, number) in outputs:
                number += 1
            outputs[(*key, number)] = order
    return outputs


def _of_pair(
    old: KnownOrder, new: KnownOrder, packets: Packets, lost: Sequence[Taking]
) -> Iterator[PredictionChange]:
    """The classes of both policies that take other packets, each once."""
    names = {each.name for each in new.takers} - {CLASS_DEFAULT}
    for taker in old.takers:
        if taker.name not in names:
            continue
        takes = packets.differ(old, new, taker.name)
        if takes is None:
            asks = (each for each in lost if packets.asks(taker.name, each.marks))
            takes = next(asks, None)
        limits = tuple(each for each in new.limits if each not in old.limits)
        if takes is None and limits and taker.is_priority:
            takes = Taking(old.limits, limits, loses=True)
        if takes is not None:
            counts = takes.loses and taker.is_priority
            yield PredictionChange(
                Change.MOVED,
                new.device,
                new.path,
                taker.name,
                Case.CONGESTED,
                Metric.DELAY,
                None,
                None,
                direction=Direction.WORSE if counts else Direction.NEITHER,
                counts=counts,
                output_before=None if old.path == new.path else old.path,
                takes=takes,
            )


def _lost_marks(old: Snapshot, new: Snapshot, packets: Packets, device: str) -> Iterator[Taking]:
    """The classes on input whose packets had a marking, and may have it no more."""
    marking = [
        tuple(each for each in state.orders if each.is_marking and each.device == device)
        for state in (old, new)
    ]
    known = {each.path: each.is_shut for each in new.objects if each.device == device}
    for order in marking[0]:
        interface = order.path.partition(" > ")[0]
        if not known.get(interface, False):
            successors = tuple(_successors(order, *marking, is_gone=interface not in known))
            for taker in order.takers:
                lost = _lost(order, successors, taker, packets) if taker.marks else None
                if lost is not None:
                    yield lost


def _successors(
    order: KnownOrder,
    before: Sequence[KnownOrder],
    now: Sequence[KnownOrder],
    *,
    is_gone: bool,
) -> Iterator[KnownOrder]:
    """The policies that mark what came in at the place of one: of its port, or of a new place."""
    same = [each for each in now if each.path == order.path]
    was = {each.path for each in before}
    port = port_of(order.path)
    others = (each for each in now if port_of(each.path) == port)
    fresh = (each for each in now if each.path not in was)
    yield from same or (fresh if is_gone else others)


def _lost(
    order: KnownOrder, successors: Sequence[KnownOrder], taker: KnownTaker, packets: Packets
) -> Taking | None:
    found: Taking | None = None
    for each in successors:
        servers = tuple(
            own.name for own in each.takers if frozenset(taker.marks) <= frozenset(own.marks)
        )
        if servers:
            takes = packets.differ(order, each, taker.name, servers)
            if takes is None or not takes.loses:
                return None
            found = found or replace(takes, marks=taker.marks)
    place = order.path.removeprefix("interface ")
    said = f"class {taker.name} on input of {place} sets it"
    return found or Taking((said,), ("nothing sets it there",), taker.marks, loses=True)
