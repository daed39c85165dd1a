"""Sizes of DLSw+ routers for the terminal and as a page: load, CPU, head room, platforms."""

from collections.abc import Callable, Iterator

from advisor.ground.quantity import Basis, Figure, count, enclosing, number
from advisor.ground.units import kbps_from_bps, percent_from_ratio
from advisor.predict.size import FaultDomain, Load
from advisor.predict.size.answer import Answer, Sized, media_words
from advisor.predict.size.links import LinkSize
from advisor.predict.size.seen import SeenCpu
from advisor.predict.size.sizing import (
    AFTER,
    NOW,
    HeadRoom,
    Holds,
    PlatformRow,
    RouterSizing,
    State,
)
from advisor.report import all_printable
from advisor.report.coverage import first_of
from advisor.report.document import Page, Plots, Table, markup, page_text
from advisor.report.pictures import CpuCurve, cpu_plot
from advisor.report.svg import PlotMark
from advisor.report.terminal import (
    PLAIN,
    Column,
    RenderOptions,
    Style,
    TableRow,
    TerminalCurve,
    Verbatim,
    drawn,
    fitted,
    table_lines,
)
from advisor.theory.dlsw import CpuBand

_FULL_PERCENT = 100.0
_LABELS = {NOW: "now", AFTER: "failover"}
_SHORT = {
    Holds.YES: "yes",
    Holds.BY_MIDDLE: "by the middle",
    Holds.BY_LOW_END: "by the low end",
    Holds.NO: "no",
}


def render(answer: Answer, options: RenderOptions = PLAIN) -> str:
    """Every router: load, states, head room, platforms, curve; then the fault domain."""
    shown, style = all_printable(answer), options.style
    blocks = [fitted(_router(router, style), style.width) for router in shown.routers]
    if shown.fault_domain is not None:
        blocks.append(f"{style.bold('fault domain')}\n  {_domain(shown.fault_domain)}\n")
    return "\n".join(blocks)


def _router(router: Sized, style: Style) -> Iterator[str]:
    size = router.size
    if size is None:
        yield style.bold(router.router)
        yield from (f"  cpu       {_cpu(load)}" for load in router.cpu)
        yield f"  no size   {router.missing}"
        yield from (f"  given     {remark}" for remark in router.remarks)
        return
    yield style.bold(f"{router.router}: {size.platform}, {size.basis}")
    yield f"  load      {_load(size.load)}"
    if words := media_words(router.media):
        yield f"  media     {words}"
    yield from (f"  cpu       {_cpu(load)}" for load in router.cpu)
    yield from (f"  {_LABELS[state.name]:<9} {_state(state)}" for state in size.states)
    yield from (f"  head room {_head_room(room)}" for room in size.head_room)
    yield from (f"  link      {_link(link)}" for link in router.links)
    yield f"  smallest  {_smallest(size)}"
    yield f"  line      {_line(size)}"
    yield from (f"  given     {remark}" for remark in (*size.remarks, *router.remarks))
    yield ""
    yield from map(Verbatim, _platform_table(size, style.width))
    yield ""
    yield from map(Verbatim, _plot(size, style.width))


def _load(load: Load) -> str:
    rate = f"{number(load.fps)} frames/s"
    if load.tps is not None and load.frames_per_transaction is not None:
        rate += (
            f": {number(load.tps)} transactions/s of {number(load.frames_per_transaction)} frames "
            f"({number(load.out_frames or 0)} out, {number(load.in_frames or 0)} in)"
        )
    if load.wan is not None:
        rate += (
            f"; WAN {number(kbps_from_bps(load.wan.out_bps))} kb/s out, "
            f"{number(kbps_from_bps(load.wan.in_bps))} in (IP, a TCP packet each)"
        )
    measured = f"; measured: {load.source}" if load.basis is Basis.MEASURED else ""
    peers = f"; {count(load.peers, 'peer')}" if load.peers is not None else ""
    return rate + peers + measured


def _cpu(load: SeenCpu) -> str:
    text = f"{load.five_seconds_percent} % over five seconds"
    if load.process_percent is None:
        lacks = "is not printed" if load.interrupt_percent is None else "is above the total"
        text += f" ({load.at}), the interrupt share {lacks}"
    else:
        text += (
            f", {load.interrupt_percent} % of it in interrupts ({load.at}): "
            f"{load.process_percent} % at process level is the most that DLSw+ can use"
        )
    if load.moving is None:
        return f"{text}; steady by the limits of CPU003"
    return f"{text}; {load.moving} (CPU003): no slope is derived from it"


def _state(state: State) -> str:
    peers = f", {count(state.peers, 'peer')}" if state.peers is not None else ""
    more = f" and {state.interrupt_percent} % in interrupts" if state.interrupt_percent else ""
    text = f"CPU {band(state.cpu)}{more} at {number(state.fps)} frames/s{peers}: "
    text += f"{state.holds} (limit {number(state.limit_percent)} %)"
    if state.is_beyond_rate:
        text += "; more frames than the platform switches packets at process level"
    return text


def band(load: CpuBand) -> str:
    """A load with its interval; a load over 100 % cannot be carried.

    >>> band(CpuBand(20.0, 10.0, 40.0)), band(CpuBand(120.0, 60.0, 240.0))
    ('20 % (range 10–40)', 'over 100 % (range 60–over 100)')
    """
    value, low, high = (
        _load_percent(percent)
        for percent in (load.value_percent, load.low_percent, load.high_percent)
    )
    return f"{value} %" if low == high else f"{value} % (range {low}–{high})"


def _load_percent(value: float) -> str:
    return "over 100" if value > _FULL_PERCENT else number(value)


def _head_room(room: HeadRoom) -> str:
    fps = _room(room.fps, room.low_fps, room.high_fps, "frames/s")
    where = f"{room.state}, to {number(room.limit_percent)} %"
    if room.tps is None or room.low_tps is None:
        return f"{fps} ({where}); in transactions/s once their sizes are stated"
    return f"{_room(room.tps, room.low_tps, room.high_tps, 'transactions/s')}, {fps} ({where})"


def _room(value: float, low: float, high: float | None, unit: str) -> str:
    ends = f"range {number(low)}–{'no limit' if high is None else number(high)}"
    if value < 0:
        return f"none: {number(-value)} {unit} too many ({ends})"
    return f"{number(value)} {unit} ({ends})"


def _link(link: LinkSize) -> str:
    rate = f"{link.link}, {number(kbps_from_bps(link.rate.value))} kb/s ({link.rate.source})"
    need = ends(link.needed_bps, kbps_from_bps)
    full = ends(link.full_tps, lambda tps: tps)
    verdict = "does not hold" if link.is_full else "holds"
    text = f"{rate}: needs {need} kb/s, full at {full} transactions/s of the router: {verdict}"
    return f"{text}{_sharing(link)}"


def _sharing(link: LinkSize) -> str:
    """Routers that share the load, and those that stand by."""
    if not link.peers:
        return "; peers that the config does not name share it"
    part = f" {number(percent_from_ratio(link.part))} % of the load" if link.part < 1 else ""
    shared = f" share{part or ' it'}" if len(link.peers) > 1 else f" carries{part or ' it'}"
    assumed = ", each peer alike (assumed)" if link.part < 1 or len(link.peers) > 1 else ""
    waiting = f"; {', '.join(link.backups)} waits as a backup" if link.backups else ""
    return f"; {first_of(link.peers)}{shared}{assumed}{waiting}"


def ends(figure: Figure, of: Callable[[float], float]) -> str:
    """A figure with its interval, in another unit.

    >>> ends(Figure(2000.0, 1000.0, 3000.0, "b/s"), kbps_from_bps)
    '2 (range 1–3)'
    """
    value, low, high = (number(of(end)) for end in (figure.value, figure.low, figure.high))
    return value if low == high else f"{value} (range {low}–{high})"


def _smallest(sizing: RouterSizing) -> str:
    chosen = sizing.smallest
    states = " and ".join(
        f"{state.name} ({number(state.limit_percent)} %)" for state in sizing.states
    )
    if chosen.by_middle is None:
        return f"no platform of the table holds {states}: share the peers among more routers"
    sure = chosen.by_upper_end or "no platform of the table"
    if sure == chosen.by_middle:
        return f"{sure} holds {states}, also by the upper end of its band"
    return f"{chosen.by_middle} by the middle of the band, {sure} by its upper end: {states}"


def _line(sizing: RouterSizing) -> str:
    return (
        f"base {number(sizing.base_percent)} % and {sizing.slope_percent:.4f} % for each frame/s, "
        f"{sizing.basis}: {sizing.source}"
    )


def _domain(domain: FaultDomain) -> str:
    text = (
        f"{domain.peers}: {domain.routers} routers of {domain.peers_per_router} peers that back "
        f"each other up; after a failure one has {domain.peers_after_failure}"
    )
    if domain.sites is None or domain.pairs is None:
        return text
    pairs = f"{domain.pairs} such pair{'s' if domain.pairs > 1 else ''}"
    return f"{text}; {domain.sites} sites take {pairs}"


def _platform_table(sizing: RouterSizing, width: int | None) -> Iterator[str]:
    loads = (Column(f"CPU {state.name}", 1, is_text=True) for state in sizing.states)
    columns = (
        Column("platform", 0, is_text=True),
        Column("basis", 3, is_text=True),
        *loads,
        Column("holds", 2, is_text=True),
        Column("grade, Cisco's tests", 4, is_text=True),
    )
    yield from table_lines(
        columns, [TableRow(_platform_row(platform)) for platform in sizing.platforms], width
    )


def _platform_row(platform: PlatformRow) -> tuple[str, ...]:
    loads = filter(None, (platform.now, platform.after))
    tested = " ".join(platform.measured_by_cisco)
    about = ", ".join(text for text in (platform.grade, tested) if text)
    return (
        platform.name,
        platform.basis,
        *(band(load) for load in loads),
        _SHORT[platform.holds],
        about,
    )


def _plot(sizing: RouterSizing, width: int | None) -> Iterator[str]:
    """CPU over frames per second with the design limit; points over 100 % are at the top."""
    figures = tuple(
        enclosing(
            _drawable(cpu.value_percent),
            _drawable(cpu.low_percent),
            _drawable(cpu.high_percent),
            "%",
        )
        for cpu in (point.cpu for point in sizing.curve)
    )
    limit = sizing.states[0].limit_percent
    curve = TerminalCurve(
        tuple(point.fps for point in sizing.curve),
        figures,
        tuple(limit for _ in sizing.curve),
        across=f"frames/s on {sizing.platform}",
        up="CPU in %",
        mean=sizing.basis,
        bound=f"limit of {number(limit)} %",
    )
    yield from drawn(curve, width)


def _drawable(value_percent: float) -> float:
    return min(value_percent, _FULL_PERCENT)


def render_html(answer: Answer, _options: RenderOptions) -> str:
    """HTML text of the sizes of routers."""
    shown = all_printable(answer)
    sized = [(router.router, router.size) for router in shown.routers if router.size is not None]
    missing = tuple(
        f"{router.router}: {router.missing}" for router in shown.routers if router.missing
    )
    curves = tuple(markup(cpu_plot(curve_of(name, size))) for name, size in sized)
    tables = [part for place, known in enumerate(sized) for part in _tables(place, *known)]
    plots = (Plots("cpu", "CPU against frames", curves),) if curves else ()
    title = "CPU of DLSw+ routers"
    return page_text(Page(title, count(len(shown.routers), "router"), (*plots, *tables), missing))


def curve_of(router: str, size: RouterSizing) -> CpuCurve:
    """The curve of a router with its states."""
    points = tuple(
        PlotMark(point.fps, point.cpu.value_percent, point.cpu.low_percent, point.cpu.high_percent)
        for point in size.curve
    )
    states = tuple((state.name, state.fps) for state in size.states)
    return CpuCurve(f"{router}: {size.platform}, {size.basis}", points, states)


def _tables(number: int, router: str, size: RouterSizing) -> Iterator[Table]:
    states = (
        f"{state.name}: {state.fps:.0f} frames/s, {_page_band(state.cpu)}" for state in size.states
    )
    smallest = size.smallest
    best = ", ".join(
        f"{kind}: {name or 'none of the table'}"
        for kind, name in (
            ("smallest that holds by the middle of its band", smallest.by_middle),
            ("by its upper end", smallest.by_upper_end),
        )
    )
    rows = tuple(
        (
            platform.name,
            _page_band(platform.now),
            "" if platform.after is None else _page_band(platform.after),
            platform.holds,
            platform.basis,
        )
        for platform in size.platforms
    )
    yield Table(
        f"platforms-{number}",
        f"{router}: {size.platform}",
        "; ".join((*states, best, *size.remarks)),
        ("platform", "CPU now", "after failover", "holds", "basis"),
        rows,
    )


def _page_band(cpu: CpuBand) -> str:
    return f"{cpu.value_percent:.0f} % (range {cpu.low_percent:.0f}–{cpu.high_percent:.0f})"
