"""WRED of a class for the terminal: shares, regimes, counters, agreement with a simulation."""

from collections.abc import Iterator, Sequence
from typing import Final

from advisor.predict.what_if import ClassPrediction, UnstatedPrediction
from advisor.predict.what_if.simulated import Figured, NotSimulated, SimulatedShares
from advisor.predict.what_if.wred import WredPrediction
from advisor.predict.wred.seen import SeenRow
from advisor.predict.wred.shares import GroupShare, WredShares
from advisor.quantity import Figure, Input, figure, number
from advisor.report.terminal import aligned
from advisor.units import s_from_ms

_INDENT: Final = 10
_HEAD: Final = (
    *("group", "flows", "share %", "low-high", "flows/p", "drops %", "low-high"),
    *("delay ms", "low-high", "row: min max denominator"),
)
_SIMULATED_HEAD = ("group", "share %", "low-high", "drops %", "low-high", "delay ms", "low-high")
_SEEN_HEAD = ("row", "offered", "dropped %", "tail %", "curve %", "predicted %", "low-high")


def agreement_words(apart: Sequence[Figured]) -> str:
    """That they agree, or which figures do not.

    >>> agreement_words(())
    'model and simulation agree'
    >>> agreement_words((Figured.MEAN, Figured.MAX))
    'outside the predicted interval: mean; the longest delay is over the bound'
    """
    outside = [figure.value for figure in apart if figure is not Figured.MAX]
    said = [f"outside the predicted interval: {', '.join(outside)}"] if outside else []
    if Figured.MAX in apart:
        said.append("the longest delay is over the bound")
    return "; ".join(said) or "model and simulation agree"


def lines(wred: WredPrediction) -> Iterator[str]:
    """Lines about WRED in a class."""
    if wred.shares is not None:
        yield from _shares(wred.shares)
        if wred.simulated is not None:
            yield from _simulated(wred.shares, wred.simulated)
    elif wred.why is not None:
        yield f"  WRED    {wred.why}"
    if wred.seen is not None:
        aqs = "not printed" if wred.seen.aqs_packets is None else f"{wred.seen.aqs_packets} packets"
        yield f"  counted average queue {aqs}; drops since the last clear ({wred.seen.at})"
        groups = wred.shares.groups if wred.shares is not None else ()
        if not wred.seen.rows:
            yield "          how many packets each row sent is not printed: no drop ratio"
            return
        rows = [_SEEN_HEAD, *(_seen(row, groups) for row in wred.seen.rows)]
        yield from aligned(rows, _INDENT)


def given_inputs(
    predictions: Sequence[ClassPrediction | UnstatedPrediction],
) -> Iterator[Input]:
    """Inputs of the classes of an output, then those of their shares, without repetition."""
    shares_by_class = [
        prediction.wred.shares for prediction in predictions if prediction.wred is not None
    ]
    of_shares = [
        entry for shares in shares_by_class if shares is not None for entry in shares.inputs
    ]
    names = {entry.name for entry in of_shares}
    first = predictions[0].inputs if predictions else ()
    repeated = {"overhead_bytes"}  # the classes show it already
    repeated |= {f"packet_bytes in {prediction.class_name}" for prediction in predictions}
    yield from (entry for entry in first if entry.name not in names)
    yield from (
        entry for entry in of_shares if entry.name not in repeated or entry.low < entry.high
    )


def _shares(shares: WredShares) -> Iterator[str]:
    if not shares.converged:
        yield "  caution replications do not agree: use only the intervals"
    for regime in shares.regimes:
        perhaps = "" if regime.certain else "perhaps "
        yield f"  regime  {perhaps}{regime.name}: {regime.said}"
    if shares.aqs is None or shares.time_constant_ms is None:
        yield f"  queue   {figure(shares.queue)}"
    else:
        constant_s = number(s_from_ms(shares.time_constant_ms))
        yield f"  average {figure(shares.aqs)} in the queue, time constant {constant_s} s"
    yield "  shares  of the TCP bytes of the class; flows/p is a rule of thumb"
    yield from aligned([_HEAD, *map(group_cells, shares.groups)], _INDENT)


def _simulated(shares: WredShares, simulation: SimulatedShares | NotSimulated) -> Iterator[str]:
    """Results of the simulation, and where they contradict the prediction."""
    if isinstance(simulation, NotSimulated):
        yield f"  check   not simulated: {simulation.why}"
        return
    runs = f"{simulation.replications} runs of {number(simulation.measured_s)} s"
    yield f"  check   simulated at the values given: {runs}, 95 % confidence"
    rows = [
        (group.name, *_cells(group.share), *_cells(group.drops), *_cells(group.delay))
        for group in simulation.groups
    ]
    yield from aligned([_SIMULATED_HEAD, *rows], _INDENT)
    for group, again in zip(shares.groups, simulation.groups, strict=True):
        yield f"          {group.name}: {agreement_words(again.apart_from(group))}"


def group_cells(group: GroupShare) -> tuple[str, ...]:
    rule = group.share_by_flows_over_p
    return (
        group.name,
        "-" if group.flows is None else str(group.flows),
        *_cells(group.share),
        "-" if rule is None else number(rule),
        *_cells(group.drops),
        *_cells(group.delay),
        group.row,
    )


def _cells(figure: Figure | None) -> tuple[str, str]:
    return (
        ("-", "-")
        if figure is None
        else (number(figure.value), f"{number(figure.low)}-{number(figure.high)}")
    )


def _seen(row: SeenRow, groups: Sequence[GroupShare]) -> tuple[str, ...]:
    predicted = next((g.drops for g in groups if g.code is not None and g.code == row.code), None)
    curve = row.curve_percent
    return (
        row.name,
        str(row.offered_packets),
        number(row.dropped_percent),
        number(row.tail_dropped_percent),
        "-" if curve is None else number(curve),
        *_cells(predicted),
    )
