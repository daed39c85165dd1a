"""A path of `predict --hops`: for the terminal and as a page."""

from collections.abc import Iterator

from advisor.predict.what_if.call_quality import DeJitter, Quality
from advisor.predict.what_if.path import PathPrediction
from advisor.predict.what_if.path_hops import HopPrediction
from advisor.quantity import count, figure, number
from advisor.report.document import Table
from advisor.report.mask import mask_class, mask_path
from advisor.report.page import Page, page_text
from advisor.report.predictions import span
from advisor.report.printable import all_printable
from advisor.report.terminal import PLAIN, RenderOptions, fitted


def render(path: PathPrediction, options: RenderOptions = PLAIN) -> str:
    """Each hop in a line, the path, and the quality of a call on it."""
    shown, style = all_printable(path), options.style
    lines = [style.bold("path")]
    lines += (f"  hop     {hop.name}: {_hop(hop)}" for hop in shown.hops)
    lines.append(f"  delay   {figure(shown.mean)}")
    quantiles = (("", shown.p50), ("p95 ", shown.p95), ("p99 ", shown.p99))
    lines.append("  p50     " + ", ".join(n + span(quantile) for n, quantile in quantiles) + " ms")
    lines += [f"  jitter  {figure(shown.jitter)}", f"  loss    {figure(shown.loss)}"]
    for call in shown.qualities:
        lines.append(f"  call    {call.codec}: R {figure(call.r)}, MOS {figure(call.mos)}")
        ear = f"{figure(call.mouth_to_ear)} mouth to ear, {figure(call.lost)} lost"
        lines += [f"          {ear}", f"          {_de_jitter(call.de_jitter)}"]
    lines += (f"  source  {source}" for source in dict.fromkeys(c.source for c in shown.qualities))
    lines += [f"  given   {remark}" for remark in shown.remarks]
    return fitted(lines, style.width)


def _de_jitter(buffer: DeJitter) -> str:
    late = f"{number(buffer.late_percent)} % of the packets come too late"
    held = f"de-jitter buffer {number(buffer.hold_ms)} ms"
    if buffer.is_stated:
        return f"{held} (stated): {late}"
    return f"{held} (assumed, the best for this call; state jitter_buffer_ms): {late}"


def _hop(hop: HopPrediction) -> str:
    predicted = hop.predicted
    fixed = f"{number(hop.fixed_ms)} ms fixed"
    if predicted is None:
        return fixed
    more = f", and {fixed}" if hop.fixed_ms else ""
    return f"{predicted.object} > class {predicted.class_name}: {figure(predicted.mean)}{more}"


def render_html(path: PathPrediction, _options: RenderOptions = PLAIN) -> str:
    """HTML text of a path: its hops, the whole, and the calls over it."""
    shown = all_printable(path)
    summary = f"{count(len(shown.hops), 'hop')}: {figure(shown.mean)}"
    return page_text(Page("Path", summary, tuple(_tables(shown))))


def _tables(path: PathPrediction) -> Iterator[Table]:
    hops = ("hop", "output", "mean delay", "fixed")
    yield Table("hops", "Hops", "", hops, tuple(map(_hop_cells, path.hops)))
    yield Table(
        "whole",
        "End to end",
        columns=("mean delay", "p95", "p99", "at most", "jitter", "loss"),
        rows=(_whole_cells(path),),
    )
    yield Table(
        "calls",
        "Calls",
        "" if path.qualities else "No codec is rated on this path.",
        ("codec", "R", "MOS", "mouth to ear", "lost or late", "de-jitter buffer"),
        tuple(map(_call_cells, path.qualities)),
    )
    if path.remarks:
        yield Table("given", "Given", "", ("what",), tuple((each,) for each in path.remarks))


def _hop_cells(hop: HopPrediction) -> tuple[str, ...]:
    fixed = f"{number(hop.fixed_ms)} ms"
    if hop.predicted is None:
        return (hop.name, "", "", fixed)
    place = f"{mask_path(hop.predicted.object)} > {mask_class(hop.predicted.class_name)}"
    return (hop.name, place, figure(hop.predicted.mean), fixed)


def _whole_cells(path: PathPrediction) -> tuple[str, ...]:
    bound = "nothing bounds it" if path.bound_ms is None else f"{number(path.bound_ms)} ms"
    ends = (path.jitter, path.loss)
    return (*map(figure, (path.mean, path.p95, path.p99)), bound, *map(figure, ends))


def _call_cells(call: Quality) -> tuple[str, ...]:
    figures = map(figure, (call.r, call.mos, call.mouth_to_ear, call.lost))
    return (call.codec, *figures, f"{number(call.de_jitter.hold_ms)} ms")
