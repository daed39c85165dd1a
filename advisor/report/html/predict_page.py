"""Pages of `predict`: the outputs of a device, a sweep, a path."""

from typing import Final

from advisor.predict.what_if import ClassPrediction
from advisor.predict.what_if.moves import with_unit
from advisor.predict.what_if.path import PathPrediction
from advisor.predict.what_if.path_hops import HopPrediction
from advisor.predict.what_if.sweep import Point
from advisor.quantity import count, figure, number, plain
from advisor.report.document import Plots, Table
from advisor.report.html.devices import ToldDevice, devices_of
from advisor.report.html.outputs import span
from advisor.report.html.page import Page, markup, render
from advisor.report.html.story import DeviceStory
from advisor.report.mask import mask_path
from advisor.report.printable import all_printable, printable
from advisor.report.sweep_plot import class_name, plots
from advisor.report.sweep_text import Swept
from advisor.report.terminal import PLAIN, RenderOptions

_COLUMNS: Final = ("mean delay", "p95", "p99", "at most", "jitter", "loss", "carries")


def render_device(story: DeviceStory) -> str:
    """HTML text of the outputs of a device."""
    total = count(len(story.outputs), "output")
    title = f"Prediction of {printable(story.device)}"
    return render(Page(title, total, (devices_of((ToldDevice(story),)).part,)))


def render_sweep(swept: Swept, _options: RenderOptions = PLAIN) -> str:
    """HTML text of a sweep: a plot for each class over the first setting, and all figures."""
    shown = [all_printable(point) for point in swept.points]
    keys = [setting.key for setting in shown[0].settings]
    drawn = plots(shown, swept.budget_ms) if len(keys) == 1 else ()
    pictures = tuple(map(markup, drawn))
    columns = (*map(with_unit, keys), "class", *_COLUMNS)
    rows = [row for point in shown for row in _rows(point)]
    filled = [place for place in range(len(columns)) if any(row[place] for row in rows)]
    table = Table(
        "points",
        "Points",
        columns=tuple(columns[place] for place in filled),
        rows=tuple(tuple(row[place] for place in filled) for row in rows),
    )
    words = "The band is the interval of the mean; the dashed line is the bound."
    parts = (Plots("plots", "Delay", pictures, words), table) if pictures else (table,)
    return render(Page(f"Sweep of {' and '.join(keys)}", count(len(shown), "point"), parts))


def _rows(point: Point) -> list[tuple[str, ...]]:
    at = tuple(plain(setting.value) for setting in point.settings)
    rows = []
    for each in point.predictions:
        if not isinstance(each, ClassPrediction):
            continue
        bound = "" if each.bound_ms is None else f"{number(each.bound_ms)} ms"
        rows.append(
            (
                *at,
                f"{mask_path(each.object)} > {class_name(each.class_name)}",
                span(each.mean),
                f"{number(each.p95.value)} ms",
                f"{number(each.p99.value)} ms",
                bound,
                span(each.jitter),
                "" if each.loss is None else figure(each.loss),
                "" if each.throughput is None else figure(each.throughput),
            )
        )
    return rows


def render_path(path: PathPrediction, _options: RenderOptions = PLAIN) -> str:
    """HTML text of a path: its hops, the whole, and the calls over it."""
    shown = all_printable(path)
    hops = Table(
        "hops",
        "Hops",
        columns=("hop", "output", "mean delay", "fixed"),
        rows=tuple(_hop(hop) for hop in shown.hops),
    )
    bound = "nothing bounds it" if shown.bound_ms is None else f"{number(shown.bound_ms)} ms"
    whole = Table(
        "whole",
        "End to end",
        columns=("mean delay", "p95", "p99", "at most", "jitter", "loss"),
        rows=(
            (
                *map(figure, (shown.mean, shown.p95, shown.p99)),
                bound,
                figure(shown.jitter),
                figure(shown.loss),
            ),
        ),
    )
    calls = Table(
        "calls",
        "Calls",
        "" if shown.qualities else "No codec is rated on this path.",
        ("codec", "R", "MOS", "mouth to ear", "lost or late", "de-jitter buffer"),
        tuple(
            (
                call.codec,
                figure(call.r),
                figure(call.mos),
                figure(call.mouth_to_ear),
                figure(call.lost),
                f"{number(call.de_jitter.hold_ms)} ms",
            )
            for call in shown.qualities
        ),
    )
    given = Table("given", "Given", columns=("what",), rows=tuple((r,) for r in shown.remarks))
    parts = (hops, whole, calls, *((given,) if shown.remarks else ()))
    return render(Page("Path", f"{count(len(shown.hops), 'hop')}: {figure(shown.mean)}", parts))


def _hop(hop: HopPrediction) -> tuple[str, ...]:
    fixed = f"{number(hop.fixed_ms)} ms"
    if hop.predicted is None:
        return (hop.name, "", "", fixed)
    place = f"{mask_path(hop.predicted.object)} > {class_name(hop.predicted.class_name)}"
    return (hop.name, place, figure(hop.predicted.mean), fixed)
