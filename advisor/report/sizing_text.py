"""Sizes of `advisor size dlsw` for the terminal."""

from collections.abc import Iterator, Sequence

from advisor.quantity import Basis, Figure
from advisor.report.printable import all_printable
from advisor.report.style import Style
from advisor.report.terminal_plot import Curve, drawn
from advisor.size.answer import Answer, Sized, media_words
from advisor.size.load import Load
from advisor.size.seen import SeenCpu
from advisor.size.sizing import (
    AFTER,
    NOW,
    FaultDomain,
    HeadRoom,
    Holds,
    PlatformRow,
    RouterSizing,
    State,
)
from advisor.theory.dlsw.cpu import CpuBand
from advisor.units import kbps_from_bps
from advisor.wording import count, number

_FULL_PERCENT = 100.0
_LABELS = {NOW: "now", AFTER: "failover"}
_SHORT = {
    Holds.YES: "yes",
    Holds.BY_MIDDLE: "by the middle",
    Holds.BY_LOW_END: "by the low end",
    Holds.NO: "no",
}


def render(of: Answer, style: Style | None = None) -> str:
    """Every router: load, states, head room, platforms, curve; then the fault domain."""
    said, style = all_printable(of), style or Style()
    blocks = ["\n".join(_router(each, style)) + "\n" for each in said.routers]
    if said.fault_domain is not None:
        blocks.append(f"{style.bold('fault domain')}\n  {_domain(said.fault_domain)}\n")
    return "\n".join(blocks)


def _router(of: Sized, style: Style) -> Iterator[str]:
    size = of.size
    if size is None:
        yield style.bold(of.router)
        yield from (f"  cpu       {_cpu(each)}" for each in of.cpu)
        yield f"  no size   {of.missing}"
        yield from (f"  given     {each}" for each in of.remarks)
        return
    yield style.bold(f"{of.router}: {size.platform}, {size.basis}")
    yield f"  load      {_load(size.load)}"
    if words := media_words(of.media):
        yield f"  media     {words}"
    yield from (f"  cpu       {_cpu(each)}" for each in of.cpu)
    yield from (f"  {_LABELS[each.name]:<9} {_state(each)}" for each in size.states)
    yield from (f"  head room {_head_room(each)}" for each in size.head_room)
    yield f"  smallest  {_smallest(size)}"
    yield f"  line      {_line(size)}"
    yield from (f"  given     {each}" for each in (*size.remarks, *of.remarks))
    yield ""
    yield from _table(size)
    yield ""
    yield from _plot(size)


def _load(of: Load) -> str:
    rate = f"{number(of.fps)} frames/s"
    if of.tps is not None and of.frames_per_transaction is not None:
        rate += (
            f": {number(of.tps)} transactions/s of {number(of.frames_per_transaction)} frames "
            f"({number(of.out_frames or 0)} out, {number(of.in_frames or 0)} in)"
        )
    if of.wan is not None:
        rate += (
            f"; WAN {number(kbps_from_bps(of.wan.out_bps))} kb/s out, "
            f"{number(kbps_from_bps(of.wan.in_bps))} in (IP, a TCP packet each)"
        )
    measured = f"; measured: {of.source}" if of.basis is Basis.MEASURED else ""
    peers = f"; {count(of.peers, 'peer')}" if of.peers is not None else ""
    return rate + peers + measured


def _cpu(of: SeenCpu) -> str:
    text = f"{of.five_seconds_percent} % over five seconds"
    if of.process_percent is None:
        lacks = "is not printed" if of.interrupt_percent is None else "is above the whole"
        text += f" ({of.at}), the interrupt share {lacks}"
    else:
        text += (
            f", {of.interrupt_percent} % of it in interrupts ({of.at}): {of.process_percent} % at "
            "process level is what DLSw+ could have"
        )
    if of.moving is None:
        return f"{text}; steady by the limits of CPU003"
    return f"{text}; {of.moving} (CPU003): no slope is taken from it"


def _state(of: State) -> str:
    peers = f", {count(of.peers, 'peer')}" if of.peers is not None else ""
    more = f" and {of.interrupt_percent} % in interrupts" if of.interrupt_percent else ""
    text = f"CPU {band(of.cpu)}{more} at {number(of.fps)} frames/s{peers}: "
    text += f"{of.holds} (limit {number(of.limit_percent)} %)"
    if of.is_beyond_rate:
        text += "; more frames than the platform switches packets at process level"
    return text


def band(of: CpuBand) -> str:
    """A load with its interval; what is over 100 % cannot be carried.

    >>> band(CpuBand(20.0, 10.0, 40.0)), band(CpuBand(120.0, 60.0, 240.0))
    ('20 % (10 to 40)', 'over 100 % (60 to over 100)')
    """
    value, low, high = (
        _percent(each) for each in (of.value_percent, of.low_percent, of.high_percent)
    )
    return f"{value} %" if low == high else f"{value} % ({low} to {high})"


def _percent(value: float) -> str:
    return "over 100" if value > _FULL_PERCENT else number(value)


def _head_room(of: HeadRoom) -> str:
    fps = _room(of.fps, of.low_fps, of.high_fps, "frames/s")
    where = f"{of.state}, to {number(of.limit_percent)} %"
    if of.tps is None or of.low_tps is None:
        return f"{fps} ({where}); in transactions/s once their sizes are stated"
    return f"{_room(of.tps, of.low_tps, of.high_tps, 'transactions/s')}, {fps} ({where})"


def _room(value: float, low: float, high: float | None, unit: str) -> str:
    ends = f"{number(low)} to {'any' if high is None else number(high)}"
    if value < 0:
        return f"none: {number(-value)} {unit} too many (band {ends})"
    return f"{number(value)} {unit} ({ends})"


def _smallest(of: RouterSizing) -> str:
    chosen = of.smallest
    states = " and ".join(f"{each.name} ({number(each.limit_percent)} %)" for each in of.states)
    if chosen.by_middle is None:
        return f"none of the table holds {states}: share the peers among more routers"
    sure = chosen.by_upper_end or "none of the table"
    if sure == chosen.by_middle:
        return f"{sure} holds {states}, by the upper end of its band too"
    return f"{chosen.by_middle} by the middle of the band, {sure} by its upper end: {states}"


def _line(of: RouterSizing) -> str:
    return (
        f"base {of.base_percent:.2f} % and {of.slope_percent:.4f} % for each frame/s, {of.basis}: "
        f"{of.source}"
    )


def _domain(of: FaultDomain) -> str:
    text = (
        f"{of.peers}: {of.routers} routers of {of.peers_per_router} peers that back each other up; "
        f"after a failure one has {of.peers_after_failure}"
    )
    if of.sites is None or of.pairs is None:
        return text
    return f"{text}; {of.sites} sites take {of.pairs} such pair{'s' if of.pairs > 1 else ''}"


def _table(of: RouterSizing) -> Iterator[str]:
    states = [each.name for each in of.states]
    rows = [
        ("platform", "basis", *(f"CPU {each}" for each in states), "holds", "grade, Cisco's tests")
    ]
    rows += [_row(each) for each in of.platforms]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  " + "  ".join(cells).rstrip()


def _row(of: PlatformRow) -> tuple[str, ...]:
    loads: Sequence[CpuBand] = [of.now] if of.after is None else [of.now, of.after]
    tested = " ".join(of.measured_by_cisco)
    about = ", ".join(each for each in (of.grade, tested) if each)
    return (of.name, of.basis, *(band(each) for each in loads), _SHORT[of.holds], about)


def _plot(of: RouterSizing) -> Iterator[str]:
    """CPU over frames per second with the design limit; what is over 100 % lies at the top."""
    figures = tuple(
        Figure(
            _drawable(cpu.value_percent),
            _drawable(cpu.low_percent),
            _drawable(cpu.high_percent),
            "%",
        )
        for cpu in (point.cpu for point in of.curve)
    )
    limit = of.states[0].limit_percent
    curve = Curve(
        tuple(each.fps for each in of.curve),
        figures,
        tuple(limit for _ in of.curve),
        across=f"frames/s on {of.platform}",
        up="CPU in %",
        mean=of.basis,
        bound=f"limit of {number(limit)} %",
    )
    yield from drawn(curve)


def _drawable(value_percent: float) -> float:
    return min(value_percent, _FULL_PERCENT)
