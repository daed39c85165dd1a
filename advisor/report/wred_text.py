"""WRED of a class for the terminal: its groups, regimes and counters."""

from collections.abc import Iterator, Sequence

from advisor.predict.what_if import ClassPrediction
from advisor.predict.what_if.simulated import NotSimulated
from advisor.predict.what_if.simulated_shares import SimulatedShares
from advisor.predict.what_if.wred import WredPrediction
from advisor.predict.wred.seen import SeenRow
from advisor.predict.wred.shares import GroupShare, WredShares
from advisor.quantity import Figure, Input
from advisor.units import s_from_ms
from advisor.wording import figure, number

HEAD = (
    "group",
    "flows",
    "share %",
    "low-high",
    "flows/p",
    "drops %",
    "low-high",
    "delay ms",
    "low-high",
    "row: min max denominator",
)
_SIMULATED_HEAD = ("group", "share %", "low-high", "drops %", "low-high", "delay ms", "low-high")
_SEEN_HEAD = ("row", "offered", "dropped %", "tail %", "curve %", "predicted %", "low-high")


def lines(of: WredPrediction) -> Iterator[str]:
    """What is known of WRED in a class."""
    if of.shares is not None:
        yield from _shares(of.shares)
        if of.simulated is not None:
            yield from _simulated(of.shares, of.simulated)
    elif of.why is not None:
        yield f"  WRED    {of.why}"
    if of.seen is not None:
        aqs = "not printed" if of.seen.aqs_packets is None else f"{of.seen.aqs_packets} packets"
        yield f"  counted average queue {aqs}; drops since the last clear ({of.seen.at})"
        groups = of.shares.groups if of.shares is not None else ()
        if not of.seen.rows:
            yield "          how many packets each row sent is not printed: no drop ratio"
            return
        rows = [_SEEN_HEAD, *(_seen(row, groups) for row in of.seen.rows)]
        yield from aligned(rows)


def given_inputs(predictions: Sequence[ClassPrediction]) -> Iterator[Input]:
    """Inputs of the classes of an output and of their shares, each once, these last."""
    found = [each.wred.shares for each in predictions if each.wred is not None]
    of_shares = [given for shares in found if shares is not None for given in shares.inputs]
    named = {given.name for given in of_shares}
    first = predictions[0].inputs if predictions else ()
    told = {"overhead_bytes"}  # beside the same of all classes
    told |= {f"packet_bytes in {each.class_name}" for each in predictions}
    yield from (given for given in first if given.name not in named)
    yield from (given for given in of_shares if given.name not in told or given.low < given.high)


def _shares(of: WredShares) -> Iterator[str]:
    if not of.converged:
        yield "  weak    the model did not converge: take the intervals only"
    for regime in of.regimes:
        perhaps = "" if regime.certain else "perhaps "
        yield f"  regime  {perhaps}{regime.name}: {regime.said}"
    if of.aqs is None or of.time_constant_ms is None:
        yield f"  queue   {figure(of.queue)}"
    else:
        constant_s = number(s_from_ms(of.time_constant_ms))
        yield f"  average {figure(of.aqs)} in the queue, time constant {constant_s} s"
    yield "  shares  of the bytes of all TCP; flows/p is the rule of thumb"
    yield from aligned([HEAD, *map(group_cells, of.groups)])


def _simulated(of: WredShares, said: SimulatedShares | NotSimulated) -> Iterator[str]:
    """What the simulation found, and where it contradicts the prediction."""
    if isinstance(said, NotSimulated):
        yield f"  again   not simulated: {said.why}"
        return
    runs = f"{said.replications} runs of {number(said.measured_s)} s"
    yield f"  again   simulated at the values given: {runs}, 95 % confidence"
    rows = [
        (each.name, *_cells(each.share), *_cells(each.drops), *_cells(each.delay))
        for each in said.groups
    ]
    yield from aligned([_SIMULATED_HEAD, *rows])
    for group, again in zip(of.groups, said.groups, strict=True):
        pairs = (
            ("share", group.share, again.share),
            ("drops", group.drops, again.drops),
            ("delay", group.delay, again.delay),
        )
        outside = [name for name, predicted, found in pairs if _apart(predicted, found)]
        if outside:
            listed = ", ".join(outside)
            yield f"          of {group.name} outside of the predicted interval: {listed}"


def _apart(predicted: Figure | None, found: Figure | None) -> bool:
    if predicted is None or found is None:
        return False
    return found.high < predicted.low or found.low > predicted.high


def group_cells(of: GroupShare) -> tuple[str, ...]:
    rule = of.share_by_flows_over_p
    return (
        of.name,
        "-" if of.flows is None else str(of.flows),
        *_cells(of.share),
        "-" if rule is None else number(rule),
        *_cells(of.drops),
        *_cells(of.delay),
        of.row,
    )


def _cells(of: Figure | None) -> tuple[str, str]:
    return ("-", "-") if of is None else (number(of.value), f"{number(of.low)}-{number(of.high)}")


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


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield f"          {row[0].ljust(widths[0])}  {'  '.join(cells)}".rstrip()
