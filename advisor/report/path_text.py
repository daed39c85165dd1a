"""A path of `predict --hops` for the terminal."""

from advisor.predict.what_if.call_quality import DeJitter
from advisor.predict.what_if.path import PathPrediction
from advisor.predict.what_if.path_hops import HopPrediction
from advisor.quantity import figure, number
from advisor.report.prediction_text import span
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
