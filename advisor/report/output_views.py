"""Outputs of a report: classes now and with the plan, bars of the delay, plots, inputs."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct

from advisor.capture.masking import mask_quoted
from advisor.predict.what_if.prediction import (
    ClassPrediction,
    CongestedClass,
    Prediction,
    Unpredicted,
    UnstatedPrediction,
)
from advisor.predict.what_if.sweeps import RingSweep
from advisor.quantity import figure, number
from advisor.report import all_printable, pictures, printable, scenarios
from advisor.report.document import markup
from advisor.report.findings import input_text
from advisor.report.mask import mask_class, mask_path
from advisor.report.predictions import mean_words, page_cells, with_unit
from advisor.wording import load_words

COLUMNS = (
    *("class", "kind", "mean delay", "p95", "p99", "worst case", "jitter", "loss", "carries"),
    *("method", "mean with the plan"),
)
NOW, PLANNED = "now", "with the plan"


class OutputStory(Struct, frozen=True):
    """An output: its classes now, and with the plan of the device where there is one.

    `now` is empty of an output that the plan makes, `planned` of one whose classes queue elsewhere
    with it. Without `has_plan`, nothing changes.
    """

    object: str
    now: tuple[Prediction, ...]
    planned: tuple[Prediction, ...]
    ring: RingSweep | None = None
    has_plan: bool = False


class DelayBar(Struct, frozen=True):
    """The parts of a delay, as a picture and in words."""

    title: str
    svg: str
    legend: tuple[str, ...]


class OutputView(Struct, frozen=True):
    """An output as the template shows it."""

    anchor: str
    object: str
    headline: str
    columns: tuple[str, ...]
    classes: tuple[tuple[str, ...], ...]
    bars: tuple[DelayBar, ...]
    plots: tuple[str, ...]
    remarks: tuple[str, ...]
    given: tuple[str, ...]


def output_view(story: OutputStory, anchor: str) -> OutputView:
    """An output without secrets and with nothing that does not print."""
    now = [all_printable(prediction) for prediction in story.now]
    planned = [all_printable(prediction) for prediction in story.planned]
    has_plan = story.has_plan and planned != now
    is_compared = bool(has_plan and now and planned)
    rows = tuple(_rows(now or planned, planned if is_compared else ()))
    columns = COLUMNS if is_compared else COLUMNS[:-1]
    drawn_plots = [] if story.ring is None else [pictures.ring_plot(story.ring)]
    for prediction in now:
        shares = (
            None
            if isinstance(prediction, Unpredicted) or prediction.wred is None
            else prediction.wred.shares
        )
        drawn = None if shares is None else pictures.wred_plot(shares)
        drawn_plots += [drawn] if drawn else []
    known = [prediction for prediction in now if not isinstance(prediction, Unpredicted)]
    inputs = map(input_text, scenarios.given_inputs(tuple(known)))
    return OutputView(
        anchor,
        mask_path(printable(story.object)),
        _headline(now, planned, has_plan=has_plan),
        columns,
        rows,
        tuple(_bars(now, planned if has_plan else ())),
        tuple(markup(picture) for picture in drawn_plots),
        tuple(map(mask_quoted, _remarks(now))),
        tuple(map(mask_quoted, dict.fromkeys(inputs))),
    )


def _headline(now: Sequence[Prediction], planned: Sequence[Prediction], *, has_plan: bool) -> str:
    if not now:
        return "With the plan, the classes queue here."
    is_gone = has_plan and not planned
    elsewhere = "With the plan, the classes queue elsewhere." if is_gone else ""
    first, then = _congested(now), _congested(planned if has_plan else ())
    if first is None:
        return elsewhere
    name, case = first
    with_plan = f", {figure(then[1].mean)} with the plan" if then is not None else ""
    lower = f"the lower classes {load_words(case.lower)}"
    waits = f"{name} waits {figure(case.mean)} with {lower}{with_plan}."
    return f"{waits} {elsewhere}".rstrip()


def _congested(predictions: Sequence[Prediction]) -> tuple[str, CongestedClass] | None:
    for prediction in predictions:
        if not isinstance(prediction, UnstatedPrediction) and prediction.congested is not None:
            return _name(prediction), prediction.congested
    return None


def _name(prediction: Prediction) -> str:
    return "" if prediction.class_name is None else mask_class(prediction.class_name)


def _rows(now: Sequence[Prediction], planned: Sequence[Prediction]) -> Iterator[tuple[str, ...]]:
    """The cells of each class, and of its congested case where that differs."""
    then = {prediction.class_name: prediction for prediction in planned}
    for prediction in now:
        after = then.get(prediction.class_name)
        yield (*_cells(prediction), *((_mean(after),) if planned else ()))
        if isinstance(prediction, UnstatedPrediction) or prediction.congested is None:
            continue
        kind, mean = "", None
        if isinstance(prediction, ClassPrediction):
            kind, mean = prediction.kind, prediction.mean
        if prediction.congested.mean != mean:
            cells = _congested_cells(prediction.congested)
            name = f"{_name(prediction)}, lower classes {load_words(prediction.congested.lower)}"
            yield (name, kind, *cells, *((_congested_mean(after),) if planned else ()))


def _congested_cells(case: CongestedClass) -> tuple[str, ...]:
    bound = "" if case.class_bound_ms is None else f"{number(case.class_bound_ms)} ms"
    delays = map(with_unit, (case.mean, case.p95, case.p99))
    return (*delays, bound, with_unit(case.jitter), "", "", case.method)


def _congested_mean(prediction: Prediction | None) -> str:
    if prediction is None or isinstance(prediction, UnstatedPrediction):
        return ""
    return "" if prediction.congested is None else figure(prediction.congested.mean)


def _cells(prediction: Prediction) -> tuple[str, ...]:
    match prediction:
        case Unpredicted():
            why = f"no figures: {mask_quoted(prediction.why)}"
            return (_name(prediction) or "all", "", why, *[""] * 7)
        case UnstatedPrediction():
            share = f"{figure(prediction.share)} while it waits"
            name, kind = _name(prediction), prediction.kind
            return (name, kind, _unstated_mean(prediction), *[""] * 5, share, "")
        case ClassPrediction():
            return (_name(prediction), prediction.kind, *page_cells(prediction))


def _mean(prediction: Prediction | None) -> str:
    if isinstance(prediction, UnstatedPrediction):
        return _unstated_mean(prediction)
    if not isinstance(prediction, ClassPrediction):
        return "" if prediction is None else "unknown"
    return mean_words(prediction)


def _unstated_mean(prediction: UnstatedPrediction) -> str:
    wred = prediction.wred
    if wred is None or wred.shares is None or not wred.shares.groups:
        return "unknown: state its traffic"
    return "; ".join(f"{group.name} {figure(group.delay)}" for group in wred.shares.groups)


def _bars(now: Sequence[Prediction], planned: Sequence[Prediction]) -> Iterator[DelayBar]:
    pairs = [
        [
            prediction
            for prediction in side
            if isinstance(prediction, ClassPrediction) and prediction.breakdown
        ]
        for side in (now, planned)
    ]
    totals = [
        sum(part.ms for part in prediction.breakdown) for side in pairs for prediction in side
    ]
    for first, then in zip_longest(*pairs):
        for title, prediction in ((NOW, first), (PLANNED, then)):
            if prediction is not None:
                name = f"{_name(prediction)} {title}"
                svg = pictures.breakdown_bar(
                    f"{name}: where its mean delay is",
                    prediction.breakdown,
                    max(totals),
                    is_after=title == PLANNED,
                )
                yield DelayBar(name, markup(svg), pictures.legend(prediction.breakdown))


def _remarks(predictions: Sequence[Prediction]) -> Iterator[str]:
    for prediction in predictions:
        name = _name(prediction)
        yield from (f"{name}: {words}" for words in _remarks_of(prediction))


def _remarks_of(prediction: Prediction) -> Iterator[str]:
    if isinstance(prediction, Unpredicted):
        return
    yield from (f"measured {seen}" for seen in prediction.measured)
    yield from (f"caution: {weakness}" for weakness in prediction.weak)
    if isinstance(prediction, ClassPrediction):
        call = prediction.call
        if call is not None:
            yield f"MOS {figure(call.mos)} of {call.codec} over this hop alone"
        yield from prediction.advice
