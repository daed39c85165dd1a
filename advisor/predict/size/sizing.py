"""Sizes of routers: CPU now and after failover, head room, the smallest platform that holds."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from advisor.device.platforms.process_switching import platforms
from advisor.ground.records import picked
from advisor.predict.size import Load, SizingError, Takeover
from advisor.predict.size.platform_line import PlatformLine, estimated
from advisor.theory.dlsw import DESIGN_LIMIT_PERCENT, CpuBand, fps_at

NOW, AFTER = "now", "after failover"
_CURVE_STEPS = 32
_BEYOND = 1.25  # how far past the last rate of interest a curve is drawn


class Holds(StrEnum):
    """Whether a load stays within its limit, by its interval."""

    YES = "holds"
    BY_MIDDLE = "holds by the middle of the band, not by its upper end"
    BY_LOW_END = "does not hold by the middle of the band, only by its lower end"
    NO = "does not hold"


class Limits(Struct, frozen=True):
    """CPU in percent that may be used: at the peak, and by the survivor of a pair."""

    normal_percent: float = DESIGN_LIMIT_PERCENT
    survivor_percent: float = DESIGN_LIMIT_PERCENT


class State(Struct, frozen=True):
    """A router before or after a failure. `is_beyond_rate`: over the rate of its platform.

    `cpu` is that of the line; interrupts that were measured beside it reduce the limit.
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
    """Load that can be added to the peak of this router until a state reaches its limit.

    Negative: the excess. `high_*` is None if nothing bounds it; the `tps` are None if no
    transaction is stated.
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
    """The slowest platforms with a sourced rate that hold; None if no platform holds."""

    by_middle: str | None
    by_upper_end: str | None


class CurvePoint(Struct, frozen=True):
    """CPU of the platform at a rate."""

    fps: float
    cpu: CpuBand


class RouterSizing(Struct, frozen=True):
    """The size of one router; `states` and the figures from them need a rate of frames."""

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


def size(
    load: Load, platform_line: PlatformLine, limits: Limits, takeover: Takeover | None = None
) -> RouterSizing:
    """Size one router.

    Parameters
    ----------
    load : Load
        Its load at its peak.
    platform_line : PlatformLine
        Its platform and CPU line.
    limits : Limits
        CPU that may be used.
    takeover : Takeover, optional
        Its load after the failure of its partner; None without a partner.

    Raises
    ------
    SizingError
        If the load has no frames.
    """
    if load.fps <= 0:
        raise SizingError(f"{load.router}: no frame was counted: size it at its peak, or state it")
    states = [_state(NOW, load.fps, load.peers, limits.normal_percent, platform_line)]
    if takeover is not None:
        states.append(
            _state(AFTER, takeover.fps, takeover.peers, limits.survivor_percent, platform_line)
        )
    rows = tuple(_rows(states, platform_line))
    is_alike = takeover is not None and takeover.is_alike
    return picked(
        RouterSizing,
        platform_line,
        platform_line.line,
        load=load,
        platform=platform_line.name,
        states=tuple(states),
        head_room=tuple(
            _head_room(load, state, platform_line, is_alike=is_alike) for state in states
        ),
        smallest=_smallest(rows),
        platforms=rows,
        curve=_curve(platform_line, states),
        remarks=(*platform_line.remarks, *_with_interrupts(states, platform_line)),
    )


def _with_interrupts(states: Sequence[State], platform_line: PlatformLine) -> Iterator[str]:
    for state in states:
        total = state.cpu.value_percent + platform_line.interrupt_percent
        if state.cpu.value_percent <= state.limit_percent < total:
            yield f"{state.name}: {total:.1f} % with the interrupts, over {state.limit_percent:g} %"


def _state(
    name: str, fps: float, peers: int | None, limit_percent: float, platform_line: PlatformLine
) -> State:
    cpu = platform_line.line.at(fps)
    is_beyond_ceiling = fps > platform_line.ceiling_fps
    interrupts = platform_line.interrupt_percent
    holds = Holds.NO if is_beyond_ceiling else _holds(cpu, limit_percent - interrupts)
    return State(name, fps, peers, limit_percent, cpu, interrupts, holds, is_beyond_ceiling)


def _holds(cpu: CpuBand, limit_percent: float) -> Holds:
    if cpu.high_percent <= limit_percent:
        return Holds.YES
    if cpu.value_percent <= limit_percent:
        return Holds.BY_MIDDLE
    return Holds.BY_LOW_END if cpu.low_percent <= limit_percent else Holds.NO


_WORST_LAST = tuple(Holds)


def _rows(states: Sequence[State], platform_line: PlatformLine) -> Iterator[PlatformRow]:
    """Every platform of the table, slowest first; the router's own by its own line."""
    lines = [
        platform_line if platform == platform_line.platform else estimated(platform)
        for platform in platforms()
    ]
    if platform_line.platform is None:
        lines.insert(0, platform_line)
    for line in lines:
        line_states = [
            _state(state.name, state.fps, None, state.limit_percent, line) for state in states
        ]
        platform = line.platform
        yield picked(
            PlatformRow,
            line,
            name=line.name if platform is None else platform.name,
            grade="" if platform is None else platform.grade,
            measured_by_cisco=() if platform is None else platform.measured_by_cisco,
            now=line_states[0].cpu,
            after=line_states[1].cpu if len(line_states) > 1 else None,
            holds=max((state.holds for state in line_states), key=_WORST_LAST.index),
        )


def _smallest(rows: Sequence[PlatformRow]) -> Smallest:
    sourced = {
        platform.name for platform in platforms() if platform.is_sourced and not platform.is_family
    }
    chosen = [row for row in rows if row.name in sourced]
    surely = (row.name for row in chosen if row.holds is Holds.YES)
    candidates = (row.name for row in chosen if row.holds in (Holds.YES, Holds.BY_MIDDLE))
    return Smallest(next(candidates, None), next(surely, None))


def _head_room(
    load: Load, state: State, platform_line: PlatformLine, *, is_alike: bool
) -> HeadRoom:
    left_percent = state.limit_percent - platform_line.interrupt_percent
    limit_fps = fps_at(platform_line.line, left_percent, platform_line.ceiling_fps)
    shares = 2 if is_alike and state.name == AFTER else 1  # the partner's peak grows as well
    fps, low, high = (
        (fps - state.fps) / shares
        for fps in (limit_fps.value_fps, limit_fps.low_fps, limit_fps.high_fps)
    )
    frames = load.frames_per_transaction
    is_open = platform_line.platform is None and limit_fps.high_fps >= platform_line.ceiling_fps
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


def _curve(platform_line: PlatformLine, states: Sequence[State]) -> tuple[CurvePoint, ...]:
    limit = fps_at(platform_line.line, DESIGN_LIMIT_PERCENT, platform_line.ceiling_fps).value_fps
    most_fps = _BEYOND * max(states[-1].fps, limit if limit < platform_line.ceiling_fps else 0.0)
    rates = (most_fps * step / _CURVE_STEPS for step in range(_CURVE_STEPS + 1))
    return tuple(CurvePoint(fps, platform_line.line.at(fps)) for fps in rates)
