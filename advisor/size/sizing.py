"""Sizes of routers: CPU now and after failover, head room, the smallest platform that holds."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import ceil

from msgspec import Struct

from advisor.platform.process_switching import platforms
from advisor.size.errors import SizingError
from advisor.size.load import Load
from advisor.size.platform_line import PlatformLine, estimated
from advisor.theory.dlsw.cpu import DESIGN_LIMIT_PERCENT, CpuBand, fps_at

NOW, AFTER = "now", "after failover"
_CURVE_STEPS = 32
_BEYOND = 1.25  # how far past the last rate of interest a curve is drawn


class Holds(StrEnum):
    """Whether a load stays within its limit, by the interval that it lies in."""

    YES = "holds"
    BY_MIDDLE = "holds by the middle of the band, not by its upper end"
    BY_LOW_END = "does not hold, but for the lower end of the band"
    NO = "does not hold"


class Limits(Struct, frozen=True):
    """CPU in percent that may be used: at the peak, and by the survivor of a pair."""

    normal_percent: float = DESIGN_LIMIT_PERCENT
    survivor_percent: float = DESIGN_LIMIT_PERCENT


class State(Struct, frozen=True):
    """A router before or after its partner failed. `is_beyond_rate`: no CPU of its kind does it.

    `cpu` is that of the line; interrupts that were measured beside it take their part of the limit.
    """

    name: str
    fps: float
    peers: int | None
    limit_percent: float
    cpu: CpuBand
    interrupt_percent: int
    holds: Holds
    is_beyond_rate: bool


class HeadRoom(Struct, frozen=True):
    """What may be added to the peak of this router until a state reaches its limit.

    Negative: what is too much. `high_*` is None where nothing bounds it; the `tps` are None where
    no transaction is stated.
    """

    state: str
    limit_percent: float
    fps: float
    low_fps: float
    high_fps: float | None
    tps: float | None
    low_tps: float | None
    high_tps: float | None


class PlatformRow(Struct, frozen=True):
    """One platform of the table under the same load."""

    name: str
    basis: str
    source: str
    grade: str
    measured_by_cisco: tuple[str, ...]
    now: CpuBand
    after: CpuBand | None
    holds: Holds


class Smallest(Struct, frozen=True):
    """The slowest platforms of a sourced rate that hold; None where none of the table does."""

    by_middle: str | None
    by_upper_end: str | None


class CurvePoint(Struct, frozen=True):
    """CPU of the platform at a rate."""

    fps: float
    cpu: CpuBand


class FaultDomain(Struct, frozen=True):
    """Peers that may be lost at once, on a pair of routers that back each other up.

    `pairs` is how many such pairs the sites take, None where their number is not known.
    """

    peers: int
    routers: int
    peers_per_router: int
    peers_after_failure: int
    sites: int | None
    pairs: int | None


class RouterSizing(Struct, frozen=True):
    """The size of one router; `states` and what follows from them need a rate of frames."""

    load: Load
    platform: str
    basis: str
    source: str
    base_percent: float
    slope_percent: float
    states: tuple[State, ...]
    head_room: tuple[HeadRoom, ...]
    smallest: Smallest
    platforms: tuple[PlatformRow, ...]
    curve: tuple[CurvePoint, ...]
    remarks: tuple[str, ...]


def fault_domain(peers: int, sites: int | None) -> FaultDomain:
    """Two routers with as many peers each; after a failure one has all (250: 500).

    Source: Cisco, DLSw+ TCP Performance.

    >>> fault_domain(250, 900)
    ... # doctest: +NORMALIZE_WHITESPACE
    FaultDomain(peers=250, routers=2, peers_per_router=250, peers_after_failure=500, sites=900,
                pairs=2)
    """
    pairs = None if sites is None else max(1, ceil(sites / (2 * peers)))
    return FaultDomain(peers, 2, peers, 2 * peers, sites, pairs)


class Takeover(Struct, frozen=True):
    """What a router carries after the failure of another.

    `is_alike`: the two carry alike, so that what is added to one is added to the other.
    """

    fps: float
    peers: int | None
    is_alike: bool


def takeovers(loads: tuple[Load, ...]) -> list[Takeover]:
    """What each router carries after the failure of another.

    A router alone stands for both of a pair that carry alike: it doubles. Of several, each takes
    over the busiest other one.
    """
    if len(loads) == 1:
        (load,) = loads
        peers = None if load.peers is None else 2 * load.peers
        return [Takeover(2 * load.fps, peers, is_alike=True)]
    found = []
    for place, each in enumerate(loads):
        busiest = max(loads[:place] + loads[place + 1 :], key=lambda other: other.fps)
        known = each.peers is not None and busiest.peers is not None
        peers = (each.peers or 0) + (busiest.peers or 0) if known else None
        found.append(Takeover(each.fps + busiest.fps, peers, is_alike=False))
    return found


def size(
    load: Load, on: PlatformLine, limits: Limits, takeover: Takeover | None = None
) -> RouterSizing:
    """Size one router.

    Parameters
    ----------
    load : Load
        What it carries at its peak.
    on : PlatformLine
        Its platform, with what its CPU is known by.
    limits : Limits
        CPU that may be used.
    takeover : Takeover, optional
        What it carries after the failure of its partner; None without one.

    Raises
    ------
    SizingError
        If the load is no rate.
    """
    if load.fps <= 0:
        raise SizingError(f"{load.router}: no frame was counted: size it at its peak, or state it")
    states = [_state(NOW, load.fps, load.peers, limits.normal_percent, on)]
    if takeover is not None:
        states.append(_state(AFTER, takeover.fps, takeover.peers, limits.survivor_percent, on))
    rows = tuple(_rows(states, on))
    is_alike = takeover is not None and takeover.is_alike
    return RouterSizing(
        load=load,
        platform=on.name,
        basis=on.basis,
        source=on.source,
        base_percent=on.line.base_percent,
        slope_percent=on.line.slope_percent,
        states=tuple(states),
        head_room=tuple(_head_room(load, each, on, is_alike=is_alike) for each in states),
        smallest=_smallest(rows),
        platforms=rows,
        curve=_curve(on, states),
        remarks=(*on.remarks, *_with_interrupts(states, on)),
    )


def _with_interrupts(states: Sequence[State], on: PlatformLine) -> Iterator[str]:
    for each in states:
        total = each.cpu.value_percent + on.interrupt_percent
        if each.cpu.value_percent <= each.limit_percent < total:
            yield f"{each.name}: {total:.1f} % with the interrupts, over {each.limit_percent:g} %"


def _state(
    name: str, fps: float, peers: int | None, limit_percent: float, on: PlatformLine
) -> State:
    cpu = on.line.at(fps)
    beyond = fps > on.ceiling_fps
    interrupts = on.interrupt_percent
    holds = Holds.NO if beyond else _holds(cpu, limit_percent - interrupts)
    return State(name, fps, peers, limit_percent, cpu, interrupts, holds, beyond)


def _holds(cpu: CpuBand, limit_percent: float) -> Holds:
    if cpu.high_percent <= limit_percent:
        return Holds.YES
    if cpu.value_percent <= limit_percent:
        return Holds.BY_MIDDLE
    return Holds.BY_LOW_END if cpu.low_percent <= limit_percent else Holds.NO


_WORST_LAST = tuple(Holds)


def _rows(of: Sequence[State], on: PlatformLine) -> Iterator[PlatformRow]:
    """Every platform of the table, slowest first; this one by its own line."""
    lines = [on if each == on.platform else estimated(each) for each in platforms()]
    if on.platform is None:
        lines.insert(0, on)
    for each in lines:
        states = [_state(it.name, it.fps, None, it.limit_percent, each) for it in of]
        platform = each.platform
        yield PlatformRow(
            name=each.name if platform is None else platform.name,
            basis=each.basis,
            source=each.source,
            grade="" if platform is None else platform.grade,
            measured_by_cisco=() if platform is None else platform.measured_by_cisco,
            now=states[0].cpu,
            after=states[1].cpu if len(states) > 1 else None,
            holds=max((state.holds for state in states), key=_WORST_LAST.index),
        )


def _smallest(rows: Sequence[PlatformRow]) -> Smallest:
    sourced = {each.name for each in platforms() if each.is_sourced and not each.is_family}
    chosen = [each for each in rows if each.name in sourced]
    surely = (each.name for each in chosen if each.holds is Holds.YES)
    middle = (each.name for each in chosen if each.holds in (Holds.YES, Holds.BY_MIDDLE))
    return Smallest(next(middle, None), next(surely, None))


def _head_room(load: Load, state: State, on: PlatformLine, *, is_alike: bool) -> HeadRoom:
    left_percent = state.limit_percent - on.interrupt_percent
    reached = fps_at(on.line, left_percent, on.ceiling_fps)
    shares = 2 if is_alike and state.name == AFTER else 1  # the partner's peak grows as well
    fps, low, high = (
        (each - state.fps) / shares
        for each in (reached.value_fps, reached.low_fps, reached.high_fps)
    )
    frames = load.frames_per_transaction
    is_open = on.platform is None and reached.high_fps >= on.ceiling_fps
    return HeadRoom(
        state=state.name,
        limit_percent=state.limit_percent,
        fps=fps,
        low_fps=low,
        high_fps=None if is_open else high,
        tps=None if frames is None else fps / frames,
        low_tps=None if frames is None else low / frames,
        high_tps=None if frames is None or is_open else high / frames,
    )


def _curve(on: PlatformLine, states: Sequence[State]) -> tuple[CurvePoint, ...]:
    limit = fps_at(on.line, DESIGN_LIMIT_PERCENT, on.ceiling_fps).value_fps
    most_fps = _BEYOND * max(states[-1].fps, limit if limit < on.ceiling_fps else 0.0)
    rates = (most_fps * step / _CURVE_STEPS for step in range(_CURVE_STEPS + 1))
    return tuple(CurvePoint(fps, on.line.at(fps)) for fps in rates)
