"""Differences of two states of the same devices: findings, and predictions of classes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import Final

from msgspec import Struct

from advisor.ground.quantity import Figure
from advisor.lint.change.snapshot import (
    Case,
    KnownClass,
    KnownFinding,
    OutputWithoutFigures,
    Snapshot,
)
from advisor.lint.findings import Metric, Severity
from advisor.lint.output_figures import Tolerance, falls, rises

# Changes between two states, and outputs of two states that serve the same packets.

# Changes between two states: of findings, and of figures of classes.


class Change(StrEnum):
    """How a finding or a figure differs from the state before."""

    ADDED = "added"
    GONE = "gone"
    MOVED = "moved"


class Direction(StrEnum):
    """Whether a change is for the worse; neither where its direction is not known.

    A cost is for the worse of one class, and what a better change of another one takes.
    """

    WORSE = "worse"
    COST = "cost"
    BETTER = "better"
    NEITHER = "neither"


class FindingChange(Struct, frozen=True):
    """A finding that is new, gone, or has another severity, another figure or another object.

    `counts` says whether it is for the worse at the severity that fails a run.
    """

    change: Change
    finding: KnownFinding
    severity_before: Severity | None = None
    figure_before: Figure | None = None
    direction: Direction = Direction.NEITHER
    counts: bool = False
    object_before: str | None = None  # a finding that differs only in the names of its path


class Taking(Struct, frozen=True):
    """The lines that decide what a class takes, those of only one state.

    `marks` are the DSCPs that its packets may have no more, as what marks them is gone or takes
    others. `loses` says that packets may be in another class now.
    """

    before: tuple[str, ...]
    now: tuple[str, ...]
    marks: tuple[int, ...] = ()
    loses: bool = False


class Fragments(Struct, frozen=True):
    """Fragments of an output that only one state has; `is_new`: the one that is now.

    `is_frf12` says that an end without them drops those of the other.
    """

    is_new: bool
    is_frf12: bool
    size_bytes: float | None = None


class Marks(Struct, frozen=True):
    """DSCPs that packets of a class leave with, in either state; none where they are not known."""

    before: tuple[int, ...]
    now: tuple[int, ...]


class Announced(Struct, frozen=True):
    """The NHRP group that a spoke announces, which names its policy at the hub."""

    before: str | None
    now: str | None


class PredictionChange(Struct, frozen=True):
    """A figure of a class that is new, gone or moved; the bounds of its delay in ms.

    One that is moved has no `now` where the class is there, and the figure is not known any more.
    The class that is gone is `served_by` the class that takes its packets; then `now` and
    `bound_now_ms` are of that one. With `is_unserved`, no policy queues its packets any more.
    `dscps` are of packets that go to another class, `served_by`, while the class is still there.
    `takes` is set where the class takes other packets, without figures: who carries them, and how
    long they wait there, is not known. `fragments` is set where the output cuts packets no more, or
    does so now: what the class waits for then. `marks` is set where its packets leave with another
    DSCP, `announced` where a spoke announces another NHRP group.
    `p95_before` and `p95_now` stand beside the mean of a delay, where they are known.
    `output_before` is set where the figure was that of another output. `counts` says whether it is
    worse by more than is tolerated.
    """

    change: Change
    device: str
    output: str
    class_name: str
    case: Case
    metric: Metric
    before: Figure | None
    now: Figure | None
    group: str | None = None
    bound_before_ms: float | None = None
    bound_now_ms: float | None = None
    served_by: str | None = None
    direction: Direction = Direction.NEITHER
    counts: bool = False
    output_before: str | None = None
    is_unserved: bool = False
    dscps: tuple[int, ...] = ()
    takes: Taking | None = None
    fragments: Fragments | None = None
    marks: Marks | None = None
    announced: Announced | None = None
    p95_before: Figure | None = None
    p95_now: Figure | None = None

    @property
    def is_of_lines(self) -> bool:
        """Whether lines of both states are compared, and no figures."""
        of_lines = (self.takes, self.fragments, self.marks, self.announced)
        return any(of_line is not None for of_line in of_lines)

    @property
    def difference(self) -> float:
        """Figure now less figure before; 0 where one of them is not known."""
        if self.before is None or self.now is None:
            return 0.0
        return self.now.value - self.before.value

    @property
    def bound_difference_ms(self) -> float:
        """Bound now less bound before; 0 where one of them is not known."""
        if self.bound_before_ms is None or self.bound_now_ms is None:
            return 0.0
        return self.bound_now_ms - self.bound_before_ms


def change_of_lines(device: str, output: str, class_name: str, *, counts: bool) -> PredictionChange:
    """A moved delay of a class whose lines differ; no figure tells by how much."""
    return PredictionChange(
        Change.MOVED,
        device,
        output,
        class_name,
        Case.CONGESTED,
        Metric.DELAY,
        None,
        None,
        direction=Direction.WORSE if counts else Direction.NEITHER,
        counts=counts,
    )


class Comparison(Struct, frozen=True):
    """Differences, the worst first; `without_figures` had figures before, or has not been there.

    `complete` is false where one of both states was not read as a whole. `classes_before` and
    `classes_now` have all figures of both states, those that did not move too.
    """

    findings: tuple[FindingChange, ...]
    predictions: tuple[PredictionChange, ...]
    without_figures: tuple[OutputWithoutFigures, ...]
    complete: bool
    classes_before: tuple[KnownClass, ...] = ()
    classes_now: tuple[KnownClass, ...] = ()

    @property
    def is_worse(self) -> bool:
        """Whether anything counts as worse."""
        return any(finding.counts for finding in self.findings) or any(
            prediction.counts for prediction in self.predictions
        )


class Gate(Struct, frozen=True):
    """Limit to "worse": a finding from `fail_on` up, a figure beyond `tolerance`.

    None fails on no finding. The rules of `incomplete_rules` never count: they say that something
    could not be read.
    """

    tolerance: Tolerance = Tolerance(delay_ms=1.0)
    fail_on: Severity | None = Severity.WARNING
    incomplete_rules: tuple[str, ...] = ()

    def fails(self, finding: KnownFinding) -> bool:
        """Whether a new finding counts."""
        if self.fail_on is None or finding.rule in self.incomplete_rules:
            return False
        return finding.severity.rank <= self.fail_on.rank


def moved(before: Figure, now: Figure, tolerance: Tolerance) -> int | None:
    """1 where a figure or its bound rises, -1 where it falls by more than is tolerated."""
    if rises(before, now, tolerance):
        return 1
    if falls(before, now, tolerance):
        return -1
    return bound_moved(before.bound, now.bound, tolerance)


def bound_moved(before: float | None, now: float | None, tolerance: Tolerance) -> int | None:
    """1 where a bound in ms rises, -1 where it falls; None too where one of them is not known."""
    if before is None or now is None:
        return None
    difference = now - before
    if abs(difference) <= tolerance.of(before, "ms"):
        return None
    return 1 if difference > 0 else -1


def direction_of(is_more: bool, *, more_is_worse: bool) -> Direction:
    """Whether a rise, or a fall, is for the worse."""
    return Direction.WORSE if is_more == more_is_worse else Direction.BETTER


# Outputs of two states that serve the same packets: a policy that goes to a subinterface.

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
    """Outputs that are no more, and what took their place.

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
    port itself; that of a link which is a member of a bundle now, to the bundle. An interface that
    has another name, the only one of its device, is the same.
    """
    bundles = {(own.device, own.path): own.bundle for own in new.objects if own.bundle is not None}
    gone, fresh = _by_port(before - now), _by_port(now - before)
    pairs: dict[Output, tuple[Output, ...]] = {}
    for port, lost in gone.items():
        found = fresh.get(port, ())
        own = (port[0], f"{_INTERFACE}{port[1]}", *port[2:])
        bundle = (port[0], bundles.get(own[:2], own[1]), *port[2:])
        own = bundle if bundle in now - before else own
        if found and 1 in (len(lost), len(found)):
            pairs.update((item, tuple(found)) for item in lost)
        elif not found and own in now:
            pairs.update((item, (own,)) for item in lost)
    taken = {item for found in pairs.values() for item in found}
    pairs.update(_renamed(before - now - pairs.keys(), now - before - taken, old, new))
    left = _Interfaces(before, now, new)
    unserved = {item: tuple(left.unserved(item, pairs.get(item, ()))) for item in before - now}
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
    for item in found:
        same[item[0], item[2], item[3]].append(item)
    for item in lost:
        others[item[0], item[2], item[3]].append(item)
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
            (order.device, order.path.partition(" > ")[0])
            for order in new.orders
            if not order.is_marking
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
        if all(_interface(entry)[1].startswith(below) for entry in went_to):
            for item in up:
                is_served = (device, item) in self._now or (device, item) in self._before
                if item.startswith(below) and not is_served:
                    yield item
