"""Settings that can be moved at an output, and the device on which they are moved.

`--set` moves an output for its figures. Findings and plans are of a configuration: there, the same
settings are lines to paste, traffic that is stated, or a rate that is stated.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, PolicyMap, Unit
from advisor.ground.quantity import Unknown
from advisor.ground.units import bps_from_kbps, kbps_from_bps
from advisor.outlet.carriers import bundle_of
from advisor.outlet.offer import is_for
from advisor.outlet.outlet import Outlet
from advisor.outlet.wred_rows import name_of, with_flows
from advisor.predict.what_if.device_moves import CALLS, DEVICE_MOVES, PACKET, WRED_MIN, again
from advisor.predict.what_if.moves import FLOWS, LOAD, RING, Moves, is_flows, is_whole, unit_of
from advisor.predict.wred import wred_request
from advisor.predict.wred.input_ends import lowest_min
from advisor.settings import StatedRate
from advisor.theory.ring import MAX_LIMIT

# Ends of ranges: what is usual where a configuration says less.
_RING: Final = 20
_CALLS: Final = 20
_FLOWS: Final = 50
_LOAD_PERCENT: Final = 150.0
_PACKETS: Final = 128
_IP_BYTES: Final = (64.0, 1500.0)
_FRAGMENT_BYTES: Final = (40.0, 1500.0)
_TIMES: Final = 4  # of a rate, a limit, a number, up and down
_ANY_RTT_MS: Final = 1.0  # thresholds do not follow from it
_RATE: Final = "bandwidth"
_TRAFFIC: Final = (CALLS, PACKET)


class Lever(Struct, frozen=True):
    """A key of `--set` with its range at an output; `value` is None where it is not known.

    `of` is the class or the group that the title ends in.
    """

    key: str
    title: str
    of: str
    unit: str
    low: float
    high: float
    value: float | None


def levers_of(device: Device, outlet: Outlet) -> tuple[Lever, ...]:
    """The settings that can be moved at an output."""
    return tuple(_lever(outlet, known) for known in _known(device, outlet))


class _KnownLever(NamedTuple):
    key: str
    title: str
    ends: tuple[float, float]
    value: float | None
    of: str = ""


def _lever(outlet: Outlet, known: _KnownLever) -> Lever:
    key = known.key
    low, high = map(round, known.ends) if is_whole(key) else known.ends
    unit = outlet.ring.unit if key == RING and outlet.ring is not None else unit_of(key)
    return Lever(key, known.title, known.of, unit, low, high, known.value)


def _known(device: Device, outlet: Outlet) -> Iterator[_KnownLever]:
    ring = outlet.ring
    if ring is not None and not outlet.ring_idle:
        known = ring.limit_high if ring.limit_low == ring.limit_high else None
        yield _KnownLever(
            RING, "ring", (ring.minimum, min(max(_RING, 2 * ring.limit_high), MAX_LIMIT)), known
        )
    if outlet.wire is not None:
        yield _KnownLever(_RATE, "rate of the line", *_around(kbps_from_bps(outlet.wire.value)))
    if outlet.llq_classes:
        yield from _of_priority(device, outlet)
    yield _KnownLever(
        PACKET, "packets of the lower classes", _IP_BYTES, _lower_bytes(device, outlet)
    )
    if outlet.fragment_bytes is not None:
        yield _KnownLever("fragment", "fragment", _FRAGMENT_BYTES, outlet.fragment_bytes.value)
    if outlet.shaper_bps is not None and (outlet.shape or outlet.is_frame_relay_shaped):
        yield _KnownLever("shape", "shaper", *_around(kbps_from_bps(outlet.shaper_bps)))
    limits = [
        each.queue_limit.amount
        for each in outlet.queueing.classes
        if each.queue_limit is not None and each.queue_limit.unit is Unit.PACKETS
    ]
    if limits:
        yield _KnownLever("queue-limit", "queues", (1.0, _TIMES * max(limits)), max(limits))
    yield from _of_wred(device, outlet)
    yield _KnownLever(LOAD, "load of the lower classes", (1.0, _LOAD_PERCENT), None)


def _around(kbps: float) -> tuple[tuple[float, float], float]:
    return (float(max(1, round(kbps / _TIMES))), float(round(kbps * _TIMES))), kbps


def _of_priority(device: Device, outlet: Outlet) -> Iterator[_KnownLever]:
    first = outlet.llq_classes[0]
    own = [each for each in device.traffic if each.class_name == first.name]
    calls = [
        each.streams if each.packets_per_second else 0
        for each in own
        if is_for(each, outlet) and each.packets_per_second is not None
    ]
    known = sum(calls) if calls else None
    yield _KnownLever(CALLS, "calls in", (0.0, max(_CALLS, 2 * (known or 0))), known, first.name)
    stated = first.priority
    if stated is not None and stated.amount is not None and stated.unit is Unit.KBPS:
        yield _KnownLever("priority", "priority of", *_around(stated.amount), first.name)


def _of_wred(device: Device, outlet: Outlet) -> Iterator[_KnownLever]:
    """The lowest minimum threshold, and the flows of each group."""
    request = wred_request(device, outlet, _ANY_RTT_MS)
    if isinstance(request, Unknown):
        return
    mins = [low for each in request.classes if (low := lowest_min(request, each)) > 0]
    if mins:
        yield _KnownLever(
            WRED_MIN, "lowest threshold", (1.0, max(_PACKETS, _TIMES * min(mins))), min(mins)
        )
    for each in device.traffic:
        if each.tcp is not None and is_for(each, outlet):
            most = max(_FLOWS, _TIMES * each.tcp.flows)
            name = name_of(each)
            yield _KnownLever(
                f"{FLOWS}{name}", "flows of", (1.0, most), float(each.tcp.flows), name
            )


def _lower_bytes(device: Device, outlet: Outlet) -> float | None:
    """The one size of packets that is stated of every class without priority."""
    stated: dict[str, set[int]] = {
        each.name: set() for each in outlet.queueing.classes if each.priority is None
    }
    for each in device.traffic:
        if each.class_name in stated and each.tcp is None and is_for(each, outlet):
            stated[each.class_name] |= {size.ip_bytes for size in each.sizes}
    sizes = set().union(*stated.values())
    return float(sizes.pop()) if len(sizes) == 1 and all(stated.values()) else None


# The device on which settings are moved.


def is_stated(key: str) -> bool:
    """Whether a moved key becomes a statement of the user, which no line of IOS holds."""
    return key == _RATE or key in _TRAFFIC or is_flows(key)


def stated_on(device: Device, outlet: Outlet, moves: Moves) -> Device:
    """The device with moved traffic and a moved rate as statements of the user."""
    values = dict(moves.values)
    for key in _TRAFFIC:
        if key in values:
            device = DEVICE_MOVES[key](device, outlet, values[key], moves.source(key))
    if moves.flows:
        device = replace(device, traffic=with_flows(device.traffic, moves.flows))
    if _RATE in values:
        rate_bps, source = bps_from_kbps(values[_RATE]), moves.source(_RATE)
        rates = (StatedRate(device.name, name, rate_bps, source) for name in _wires(device, outlet))
        device = replace(device, stated_rates=(*rates, *device.stated_rates))
    return device


def lines_of(device: Device, outlet: Outlet, moves: Moves) -> tuple[str, ...]:
    """Moved settings as lines to paste: those that a line states.

    Raises
    ------
    InputError
        If the output has no such setting, or cannot have a value.
    """
    return tuple(_lines(device, outlet, moves))


def _lines(device: Device, outlet: Outlet, moves: Moves) -> Iterator[str]:
    values = dict(moves.values)
    if RING in values:
        for section in _ring_sections(device, outlet):
            lines = (*section, f"tx-ring-limit {values[RING]:g}")
            yield from (" " * depth + line for depth, line in enumerate(lines))
    moved = device
    for key, move in DEVICE_MOVES.items():
        if key in values and key not in _TRAFFIC:
            here = again(moved, outlet)
            moved = move(moved, here, values[key], moves.source(key))
    for before, after in zip(device.facts.policy_maps, moved.facts.policy_maps, strict=True):
        if before != after:
            yield from _lines_of_policy(before, after)


def _wires(device: Device, outlet: Outlet) -> tuple[str, ...]:
    """The interface of an output, or all members of its bundle."""
    if outlet.bundle is None:
        return (outlet.interface.name,)
    facts = device.facts
    return tuple(each.name for each in facts.interfaces if bundle_of(facts, each) == outlet.bundle)


def _ring_sections(device: Device, outlet: Outlet) -> tuple[tuple[str, ...], ...]:
    if outlet.bundle is None:
        return (outlet.ring_section,)
    return tuple((f"interface {name}",) for name in _wires(device, outlet))


def _lines_of_policy(before: PolicyMap, after: PolicyMap) -> Iterator[str]:
    yield f"policy-map {after.name}"
    for old, new in zip(before.classes, after.classes, strict=True):
        if old != new:
            yield f" class {new.name}"
            yield from (f"  {line}" for line in _lines_of_class(old, new))


def _lines_of_class(old: PolicyClass, new: PolicyClass) -> Iterator[str]:
    if new.priority != old.priority and new.priority is not None:
        yield f"priority {new.priority.amount:g}"
    if new.queue_limit != old.queue_limit and new.queue_limit is not None:
        yield f"queue-limit {new.queue_limit.amount:g}"
    shape = new.shape
    if shape != old.shape and shape is not None and shape.rate_bps is not None:
        bc = "" if shape.bc_bits is None else f" {shape.bc_bits}"
        yield f"shape {shape.mode} {shape.rate_bps:.0f}{bc}"
    if new.wred != old.wred and new.wred is not None:
        for row in new.wred.profiles:
            unit = "" if row.unit is Unit.PACKETS else f" {row.unit}"
            ends = (f"{max(1, round(end))}{unit}" for end in (row.min_threshold, row.max_threshold))
            least = row.mark_probability_denominator
            yield " ".join(
                (
                    f"random-detect {row.scheme} {row.key}",
                    *ends,
                    *(() if least is None else (f"{least}",)),
                )
            )
