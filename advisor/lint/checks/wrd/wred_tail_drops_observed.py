"""WRED that drops at its maximum instead of early: it acts like tail drop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.device.device import Device
from advisor.ios.syntax.names import interface_name
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence
from advisor.outlet.measured import seen_classes

if TYPE_CHECKING:
    from advisor.shows.policy_map.records import WredRow
    from advisor.shows.queueing.reader import RandomDetect, RandomDetectRow


class Evidence(Struct, frozen=True):
    """Tail and random drops in total, and of the row with most tail drops."""

    tail: int
    random: int
    row: str
    row_tail: int


class _Row(Struct, frozen=True):
    name: str
    tail: int
    random: int


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class or interface whose WRED tail-drops no less than it drops early."""
    del params
    for seen_class in seen_classes(device.seen):
        wred = seen_class.seen.wred
        if wred is not None and wred.rows:
            yield from _judge(
                seen_class.label, seen_class.seen.at, [_of_class(row) for row in wred.rows]
            )
    for label, random_detect in _latest(device).items():
        yield from _judge(
            label, random_detect.at, [_of_interface(row) for row in random_detect.rows]
        )


def _latest(device: Device) -> dict[str, RandomDetect]:
    """WRED of interfaces and circuits, from the latest capture of each."""
    queueing = [interface.random_detect for interface in device.seen.queueing]
    all_wred = [
        random_detect
        for random_detect in (*queueing, *device.seen.random_detect)
        if random_detect is not None
    ]
    return {_label(random_detect): random_detect for random_detect in all_wred}


def _label(random_detect: RandomDetect) -> str:
    name, circuit = interface_name(random_detect.interface), random_detect.circuit
    return f"interface {name}" + (f" > pvc {circuit.vpi}/{circuit.vci}" if circuit else "")


def _of_class(row: WredRow) -> _Row | None:
    tail = row.tail_drops.packets if row.tail_drops is not None else None
    random = row.random_drops.packets if row.random_drops is not None else None
    return None if tail is None or random is None else _Row(row.name, tail, random)


def _of_interface(row: RandomDetectRow) -> _Row | None:
    tail, random = row.tail_drops_packets, row.random_drops_packets
    return None if tail is None or random is None else _Row(row.name, tail, random)


def _judge(label: str, at: Location, rows: list[_Row | None]) -> Iterator[Hit[Evidence] | Skip]:
    printed_rows = [row for row in rows if row is not None]
    if len(printed_rows) < len(rows):
        yield Skip(label, "drops of a WRED row are not printed, or their counter has wrapped")
        return
    tail, random = sum(row.tail for row in printed_rows), sum(row.random for row in printed_rows)
    if tail == 0 or tail < random:
        return
    worst = max(printed_rows, key=lambda row: row.tail)
    yield Hit(label, (at,), Evidence(tail, random, worst.name, worst.tail), Confidence.CERTAIN)


CHECK = Check(NoParams, Evidence, find, is_measured=True)
