"""Predictions of scenarios, with or without their simulation: rows of JSON, text tables."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from advisor.predict.scenario import ClassRow
from advisor.predict.what_if.agreement import Figured
from advisor.predict.what_if.scenario_answers import (
    Estimated,
    ScenarioClass,
    ScenarioGroup,
    SimulatedRow,
)
from advisor.predict.wred.scenario import GroupRow
from advisor.quantity import number
from advisor.report.json_report import encoded
from advisor.report.printable import printable
from advisor.report.terminal import PLAIN, RenderOptions, Style, fitted
from advisor.report.wred import agreement_words
from advisor.theory.regimes import words_of
from advisor.units import percent_from_ratio

_Cells = dict[str, str | float | bool | None]
_PREDICTED = {  # key of the format of scenarios: field of a row
    "mean_ms": "mean_ms",
    "mean_low_ms": "mean_low_ms",
    "mean_high_ms": "mean_high_ms",
    "p50_ms": "p50_ms",
    "p95_ms": "p95_ms",
    "p99_ms": "p99_ms",
    "max_ms": "bound_ms",
    "ipdv_ms": "ipdv_ms",
    "ipdv_max_ms": "ipdv_bound_ms",
    "loss_ratio": "loss_ratio",
    "throughput_wire_kbps": "throughput_wire_kbps",
    "regime": "regime",
    "weak": "weak",
}


class Answered(Struct, frozen=True):
    """Answers to scenarios, a row for each class or group of TCP flows."""

    classes: tuple[ScenarioClass | ScenarioGroup, ...]
    has_simulation: bool = False


def render_json(answered: Answered, _options: RenderOptions = PLAIN) -> str:
    """JSON array of one object a class or group; `max_ms` is the bound, null where unknown."""
    classes = answered.classes
    rows = [_predicted_cells(subject) for subject in classes]
    if answered.has_simulation:
        rows = [
            row | _simulated_cells(subject.simulated) | _agreement_cells(subject.apart)
            for row, subject in zip(rows, classes, strict=True)
        ]
    return encoded(rows)


def _predicted_cells(subject: ScenarioClass | ScenarioGroup) -> _Cells:
    if isinstance(subject, ScenarioGroup):
        return _group_cells(subject.predicted)
    names: _Cells = {"id": subject.scenario_id, "class": subject.class_name}
    return names | {
        key: None if subject.predicted is None else getattr(subject.predicted, field)
        for key, field in _PREDICTED.items()
    }


def _group_cells(row: GroupRow) -> _Cells:
    return {
        "id": row.scenario_id,
        "group": row.group,
        "share": row.share,
        "share_low": row.share_low,
        "share_high": row.share_high,
        "mean_ms": row.mean_ms,
        "mean_low_ms": row.mean_low_ms,
        "mean_high_ms": row.mean_high_ms,
        "loss_ratio": row.loss_ratio,
        "mean_aqs_packets": row.mean_aqs_packets,
        "regime": "; ".join(row.regimes),
        "converged": row.converged,
    }


def _simulated_cells(row: SimulatedRow | None) -> _Cells:
    cells: _Cells = {
        "sim_packets": None if row is None else row.packets,
        "sim_max_ms": None if row is None else row.max_ms,
        "sim_ipdv_max_ms": None if row is None else row.ipdv_max_ms,
    }
    for name in ("mean", "p50", "p95", "p99", "ipdv"):
        estimate: Estimated | None = None if row is None else getattr(row, f"{name}_ms")
        cells |= _estimate_cells(f"sim_{name}_ms", f"sim_{name}_ci95_ms", estimate)
    loss = None if row is None else row.loss_ratio
    cells |= _estimate_cells("sim_loss_ratio", "sim_loss_ci95", loss)
    rate_kbps = None if row is None else row.throughput_wire_kbps
    return cells | {"sim_throughput_wire_kbps": rate_kbps}


def _agreement_cells(apart: Sequence[Figured] | None) -> _Cells:
    """Whether they agree, and the figures that do not; null where there is nothing to compare."""
    if apart is None:
        return {"sim_agrees": None, "sim_outside": None}
    return {"sim_agrees": not apart, "sim_outside": ", ".join(apart)}


def _estimate_cells(key: str, interval_key: str, estimate: Estimated | None) -> _Cells:
    return {
        key: None if estimate is None else estimate.value,
        interval_key: None if estimate is None else estimate.half_width,
    }


_HEADER = ("", "mean ms", "low-high", "p50", "p95", "p99", "max", "|ipdv|", "loss %", "kb/s")


def render(answered: Answered, options: RenderOptions = PLAIN) -> str:
    """Lines for the terminal: a line of the model and, if requested, one of the simulation."""
    used_style = options.style
    blocks = (
        _group_lines(subject, used_style)
        if isinstance(subject, ScenarioGroup)
        else _lines(subject, used_style)
        for subject in answered.classes
    )
    return "\n".join(fitted(block, used_style.width) for block in blocks)


def _lines(scenario_class: ScenarioClass, style: Style) -> Iterator[str]:
    yield style.bold(printable(f"{scenario_class.scenario_id} > class {scenario_class.class_name}"))
    if scenario_class.predicted is not None:
        yield f"  regime  {words_of(scenario_class.predicted.regime)}"
        if scenario_class.predicted.weak is not None:
            yield f"  caution {scenario_class.predicted.weak}"
    rows: list[tuple[str, ...]] = [_HEADER]
    if scenario_class.predicted is not None:
        rows.append(_model_line(scenario_class.predicted))
    if scenario_class.simulated is not None:
        rows.append(_simulated_line(scenario_class.simulated))
    yield from _aligned(rows)
    yield from _agreement(scenario_class.apart)


def _agreement(apart: Sequence[Figured] | None) -> Iterator[str]:
    if apart is not None:
        yield f"  {agreement_words(apart)} (95 % confidence)"


_GROUP_HEADER = ("", "share %", "low-high", "mean ms", "loss %", "average queue")


def _group_lines(group: ScenarioGroup, style: Style) -> Iterator[str]:
    row, simulated = group.predicted, group.simulated
    yield style.bold(printable(f"{row.scenario_id} > group {row.group}"))
    yield f"  regime  {', '.join(regime.value for regime in row.regimes)}"
    if not row.converged:
        yield "  caution replications do not agree: use only the interval"
    low, high = _percent(row.share_low), _percent(row.share_high)
    rows = [
        _GROUP_HEADER,
        (
            "model",
            _percent(row.share),
            "-" if row.share is None else f"{low}-{high}",
            _shown(row.mean_ms),
            _percent(row.loss_ratio),
            _shown(row.mean_aqs_packets),
        ),
    ]
    if simulated is not None:
        rows.append(
            (
                f"simulated, {simulated.packets} packets",
                _percent(_value(simulated.share)),
                _share_interval(simulated.share),
                _shown(_value(simulated.mean_ms)),
                _percent(_value(simulated.loss_ratio)),
                "-",
            )
        )
    yield from _aligned(rows)
    yield from _agreement(group.apart)


def _share_interval(share: Estimated | None) -> str:
    if share is None or share.half_width is None:
        return "-"
    return f"{_percent(share.span.low)}-{_percent(share.span.high)}"


def _percent(ratio: float | None) -> str:
    return "-" if ratio is None else number(percent_from_ratio(ratio))


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield f"  {row[0].ljust(widths[0])}  {'  '.join(cells)}".rstrip()


def _model_line(row: ClassRow) -> tuple[str, ...]:
    loss = None if row.loss_ratio is None else percent_from_ratio(row.loss_ratio)
    return (
        "model, max is the bound",
        _shown(row.mean_ms),
        f"{_shown(row.mean_low_ms)}-{_shown(row.mean_high_ms)}",
        _shown(row.p50_ms),
        _shown(row.p95_ms),
        _shown(row.p99_ms),
        _shown(row.bound_ms),
        _shown(row.ipdv_ms),
        _shown(loss),
        _shown(row.throughput_wire_kbps),
    )


def _simulated_line(row: SimulatedRow) -> tuple[str, ...]:
    mean, interval = row.mean_ms, "-"
    if mean is not None and mean.half_width is not None:
        interval = f"{_shown(mean.span.low)}-{_shown(mean.span.high)}"
    return (
        f"simulated, {row.packets} packets",
        _shown(_value(mean)),
        interval,
        _shown(_value(row.p50_ms)),
        _estimated(row.p95_ms),
        _estimated(row.p99_ms),
        _shown(row.max_ms),
        _estimated(row.ipdv_ms),
        _percent(_value(row.loss_ratio)),
        _shown(row.throughput_wire_kbps),
    )


def _value(estimate: Estimated | None) -> float | None:
    return None if estimate is None else estimate.value


def _estimated(estimate: Estimated | None) -> str:
    if estimate is None:
        return "-"
    interval = "" if estimate.half_width is None else f" ±{_shown(estimate.half_width)}"
    return f"{_shown(estimate.value)}{interval}"


def _shown(value: float | None) -> str:
    return "-" if value is None else number(value)
