"""The page of `size dlsw`: CPU against frames of each router, and the platforms that hold."""

from collections.abc import Iterator, Sequence

from advisor.quantity import count
from advisor.report.document import Plots, Table
from advisor.report.page import Page, markup, page_text
from advisor.report.pictures import CpuCurve, CpuPoint, cpu_plot
from advisor.report.printable import all_printable
from advisor.report.terminal import RenderOptions
from advisor.size.answer import Answer
from advisor.size.sizing import RouterSizing
from advisor.theory.dlsw.cpu import CpuBand


def render(answer: Answer, _options: RenderOptions) -> str:
    """HTML text of the sizes of routers."""
    shown = all_printable(answer)
    sized = [(router.router, router.size) for router in shown.routers if router.size is not None]
    missing = tuple(
        f"{router.router}: {router.missing}" for router in shown.routers if router.missing
    )
    curves = tuple(markup(cpu_plot(curve_of(name, size))) for name, size in sized)
    tables = [part for place, known in enumerate(sized) for part in _tables(place, *known)]
    parts = (
        *((Plots("cpu", "CPU against frames", curves),) if curves else ()),
        *tables,
    )
    title = "CPU of DLSw+ routers"
    return page_text(Page(title, count(len(shown.routers), "router"), parts, missing))


def curve_of(router: str, size: RouterSizing) -> CpuCurve:
    """The curve of a router with its states."""
    points = tuple(
        CpuPoint(point.fps, point.cpu.value_percent, point.cpu.low_percent, point.cpu.high_percent)
        for point in size.curve
    )
    states = tuple((state.name, state.fps) for state in size.states)
    limit = size.states[0].limit_percent
    return CpuCurve(f"{router}: {size.platform}, {size.basis}", points, states, limit)


def _tables(number: int, router: str, size: RouterSizing) -> Iterator[Table]:
    states = [
        (
            state.name,
            state.fps,
            state.cpu.value_percent,
            state.cpu.low_percent,
            state.cpu.high_percent,
        )
        for state in size.states
    ]
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
            _band(platform.now),
            "" if platform.after is None else _band(platform.after),
            platform.holds,
            platform.basis,
        )
        for platform in size.platforms
    )
    yield Table(
        f"platforms-{number}",
        f"{router}: {size.platform}",
        "; ".join((*_words(states), best, *size.remarks)),
        ("platform", "CPU now", "after failover", "holds", "basis"),
        rows,
    )


def _band(cpu: CpuBand) -> str:
    return f"{cpu.value_percent:.0f} % ({cpu.low_percent:.0f} to {cpu.high_percent:.0f})"


def _words(states: Sequence[tuple[str, float, float, float, float]]) -> tuple[str, ...]:
    """The states of a curve in words: name, frames per second, and CPU with its band."""
    return tuple(
        f"{name}: {fps:.0f} frames/s, {percent:.0f} % ({low:.0f} to {high:.0f})"
        for name, fps, percent, low, high in states
    )
