"""The plots of the evidence."""

from collections.abc import Sequence

from advisor.device.platforms.process_switching import find_platform
from advisor.ground.units import percent_from_ratio
from advisor.predict.size.platform_line import Calibration, estimated, line_of
from advisor.report.svg import PlotAxis, PlotMark, Series, plot
from advisor.theory.dlsw import DESIGN_LIMIT_PERCENT, CpuLine
from advisor.theory.wred import EstimateRange
from tools.validation.errors import Compared
from tools.validation.expedited import Point, mean_ms
from tools.validation.ip_sla import Run
from tools.validation.wred_test import NAMES, Shares

_FULL_PERCENT = 100.0


def reference(rows: Sequence[Compared]) -> str:
    """Predicted mean with low-high over the true mean of every class, on logarithmic axes."""
    axes = [
        PlotAxis(f"{words} mean delay, ms", 1, 3000, logarithmic=True)
        for words in ("simulated", "predicted")
    ]
    series = [
        Series(title, tuple(_mark(row) for row in rows if row.llq is llq))
        for title, llq in (("LLQ", True), ("lower classes", False))
    ]
    title = "Reference scenarios: predicted against simulated mean"
    return plot(title, axes[0], axes[1], series, diagonal=True)


def _mark(row: Compared) -> PlotMark:
    prediction = row.predicted
    return PlotMark(
        row.truth.mean_ms,
        prediction.mean_ms or 0.0,
        prediction.mean_low_ms,
        prediction.mean_high_ms,
        row.name,
    )


def ip_sla(runs: Sequence[Run]) -> str:
    """Round trips of all runs: measured minimum to maximum, predicted mean to bound."""
    names = tuple((place + 0.5, _name(run)) for place, run in enumerate(runs))
    measured = tuple(
        PlotMark(
            place + 0.38, run.measured.rtt.avg_ms, run.measured.rtt.min_ms, run.measured.rtt.max_ms
        )
        for place, run in enumerate(runs)
    )
    predicted = tuple(
        PlotMark(place + 0.62, run.rtt_ms, run.rtt_least_ms, run.rtt_bound_ms)
        for place, run in enumerate(runs)
    )
    return plot(
        "IP SLA: round trip, measured and predicted",
        PlotAxis("line kb/s, ring, background (f: fixed, v: variable)", 0, len(runs), ticks=names),
        PlotAxis("RTT, ms", 0, 300),
        [
            Series("measured: min, avg, max", measured),
            Series("predicted: least behind a full ring, mean, bound", predicted),
        ],
    )


def _name(run: Run) -> str:
    measured = run.measured
    return f"{measured.line_kbps:g}/{measured.tx_ring_limit}/{measured.background[0]}"


def ef_delay(points: Sequence[Point]) -> str:
    """Mean delay of EF over its packet size: behind both rings, and alone."""
    lines = [
        Series(title, tuple(PlotMark(p.ef_bytes, mean_ms(row)) for p, row in rows), joined=True)
        for title, rows in (
            ("ring of 40 particles", [(point, point.long) for point in points]),
            ("ring of 5 particles", [(point, point.short) for point in points]),
            ("EF alone, either ring", [(point, point.alone) for point in points]),
        )
    ]
    title = "EF of 300 kb/s on a PVC of 1 Mb/s, with and without best effort"
    return plot(
        title, PlotAxis("EF packet, IP bytes", 0, 1600), PlotAxis("mean delay, ms", 0, 200), lines
    )


def wred_balanced(points: Sequence[Shares]) -> str:
    """Share of each class over the minimum threshold, with its interval."""
    lines = [
        Series(
            name, tuple(_share(point.min_packets, point.shares[i]) for point in points), joined=True
        )
        for i, name in enumerate(NAMES)
    ]
    title = "WRED, three flows in each class: share over the minimum threshold (max = 2 min)"
    return plot(title, PlotAxis("minimum threshold, packets", 0, 125), _SHARE_AXIS, lines)


def wred_unbalanced(classes: Sequence[tuple[str, Sequence[Shares], int]]) -> str:
    """Share of AF11 over the number of flows of one class, for each class."""
    lines = [
        Series(
            f"more flows of {name}",
            tuple(_share(point.flows[place], point.shares[0]) for point in points),
            joined=True,
        )
        for name, points, place in classes
    ]
    title = "WRED, thresholds 15 and 30: share of AF11 over the flows of one class, others 3"
    return plot(title, PlotAxis("flows of that class", 0, 22), _SHARE_AXIS, lines)


_SHARE_AXIS = PlotAxis("share of TCP, %", 0, 100)


def _share(x: float, share: EstimateRange) -> PlotMark:
    value, low, high = (percent_from_ratio(end) for end in (share.estimate, share.low, share.high))
    return PlotMark(x, value, low, high)


_DLSW_PLATFORMS = ("3640", "RSP4", "NPE-300")
_DLSW_MOST_FPS = 3000
_LIMIT = Series(
    f"design limit, {DESIGN_LIMIT_PERCENT:g} %",
    (PlotMark(0, DESIGN_LIMIT_PERCENT), PlotMark(_DLSW_MOST_FPS, DESIGN_LIMIT_PERCENT)),
    joined=True,
)


def dlsw_estimates() -> str:
    """Estimated CPU over frames per second of three platforms, with the design limit."""
    platforms = [
        platform for platform in map(find_platform, _DLSW_PLATFORMS) if platform is not None
    ]
    lines = [
        _cpu_series(f"{platform.name}, estimated: middle and band", estimated(platform).line, place)
        for place, platform in enumerate(platforms)
    ]
    return _cpu_plot("CPU of DLSw+ over TCP, estimated", [*lines, _LIMIT])


def dlsw_calibration(calibration: Calibration) -> str:
    """A platform by its estimate and by the samples of a calibration."""
    line = line_of(None, calibration)
    series = [_cpu_series(f"{line.name}, calibrated by two samples", line.line, 0)]
    if line.platform is not None:
        series.append(_cpu_series("the same, estimated", estimated(line.platform).line, 1))
    marks = tuple(PlotMark(sample.fps, sample.process_percent) for sample in calibration.samples)
    series.append(Series("samples, made up", marks))
    return _cpu_plot(f"{line.name}: estimate and calibration", [*series, _LIMIT])


def _cpu_series(title: str, line: CpuLine, place: int) -> Series:
    """A line with its band every 200 frames per second, beside those of the others."""
    marks = []
    for fps in range(0, _DLSW_MOST_FPS, 200):
        cpu = line.at(fps)
        if cpu.value_percent <= _FULL_PERCENT:
            high = min(cpu.high_percent, _FULL_PERCENT)
            marks.append(PlotMark(fps + 25 * place, cpu.value_percent, cpu.low_percent, high))
    return Series(title, tuple(marks), joined=True)


def _cpu_plot(title: str, series: Sequence[Series]) -> str:
    x_axis = PlotAxis("frames per second, in and out", 0, _DLSW_MOST_FPS)
    return plot(title, x_axis, PlotAxis("CPU, %", 0, _FULL_PERCENT), series)
