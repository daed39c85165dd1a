"""Every class of each output of a device, with settings moved as asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from advisor.predict.class_figures import SolvedClass
from advisor.predict.demand import Question
from advisor.predict.offer import offers_of
from advisor.predict.outlet import Outlet, outlets
from advisor.predict.quantity import Figure, Input
from advisor.predict.solved import Part, SolvedOutlet, breakdown, solved
from advisor.predict.wred_inputs import WredMoves
from advisor.reading import Source, read_source
from advisor.settings import Settings
from advisor.snapshot import Device
from advisor.what_if.advice import advice_of
from advisor.what_if.errors import InputError
from advisor.what_if.moves import Moves, moves_of
from advisor.what_if.seen import measured_of
from advisor.what_if.wred import WredPrediction, predict_wred, refuse_idle_moves


@dataclass(frozen=True, slots=True)
class ClassPrediction:
    """One class of one output.

    Delays and jitter (mean |ipdv|) in ms with interval; loss in percent and throughput in kb/s of
    the wire, None where no rate is known. Where the queue is `never_empty` the values are but the
    middle between one packet waiting and a full queue. `bound_ms` is None where nothing bounds the
    delay, `least_ms` the own transmission of the smallest packet. `breakdown` and `advice` are
    those of the first priority class, empty for others. `measured` is what show outputs say of
    the class, round trips and queues there and back included. `wred` is None without WRED; the
    other figures know nothing of it.
    """

    device: str
    object: str
    class_name: str
    kind: str
    regime: str
    mean: Figure
    p50: Figure
    p95: Figure
    p99: Figure
    bound_ms: float | None
    least_ms: float
    jitter: Figure
    loss: Figure | None
    throughput: Figure | None
    never_empty: bool
    weak: tuple[str, ...]
    breakdown: tuple[Part, ...]
    advice: tuple[str, ...]
    measured: tuple[str, ...]
    inputs: tuple[Input, ...]
    wred: WredPrediction | None = None


@dataclass(frozen=True, slots=True)
class Unpredicted:
    """A class without a delay, or an output (`class_name` None) that cannot be predicted."""

    device: str
    object: str
    class_name: str | None
    why: str


Prediction = ClassPrediction | Unpredicted


def predict_sources(
    source: Source, settings: Settings, interface: str | None, overrides: Mapping[str, str]
) -> tuple[Prediction, ...]:
    """Predict every class of each output of a config, or of the outputs of one interface.

    `overrides` are settings to move: tx-ring-limit, bandwidth (kb/s of the wire), mtu, fragment,
    load (percent of the wire that the lower classes offer), wred-min (packets), flows.GROUP.

    Raises
    ------
    InputError
        If the file is no IOS config, the interface or a key is unknown, a value is no number in
        range, or nothing can be predicted.
    """
    device = read_source(source, settings).device
    return predict_device(device, source.name, settings, interface, (moves_of(overrides),))


def predict_device(
    device: Device,
    file: str,
    settings: Settings,
    interface: str | None,
    moves: tuple[Moves, ...],
    *,
    explained: bool = True,
) -> tuple[Prediction, ...]:
    """Predict a device that was read; see `predict_sources`.

    `explained` asks for breakdown and advice too, which cost another solution.

    Raises
    ------
    InputError
        If the interface is unknown or nothing can be predicted.
    """
    found: list[Prediction] = []
    refuse_idle_moves(device, _of_wred(moves))
    for outlet in _chosen(device, file, interface):
        found += _predict(device, outlet, settings, moves, explained=explained)
    if not any(isinstance(each, ClassPrediction) for each in found):
        reasons = "; ".join(
            f"{each.object}: {each.why}" for each in found if isinstance(each, Unpredicted)
        )
        raise InputError(f"{file}: nothing to predict; {reasons}")
    return tuple(found)


def _of_wred(moves: tuple[Moves, ...]) -> WredMoves:
    """What all moves say of WRED; the last one wins."""
    flows = {key: count for move in moves for key, count in move.wred.flows}
    minima = [each for move in moves if (each := move.wred.min_packets) is not None]
    return WredMoves(minima[-1] if minima else None, tuple(flows.items()))


def _chosen(device: Device, file: str, interface: str | None) -> list[Outlet]:
    all_outlets = outlets(device)
    if not all_outlets:
        raise InputError(f"{file}: no output policy that is defined and attached")
    chosen = [each for each in all_outlets if interface in (None, *_names(each))]
    if not chosen:
        known = ", ".join(dict.fromkeys(each.interface.name for each in all_outlets))
        raise InputError(f"{file}: no output policy on {interface}; it is on {known}")
    return chosen


def _names(outlet: Outlet) -> tuple[str, ...]:
    bundle = (outlet.bundle.name,) if outlet.bundle is not None else ()
    return (outlet.interface.name, *bundle)


def _predict(
    device: Device, outlet: Outlet, settings: Settings, moves: tuple[Moves, ...], *, explained: bool
) -> Iterator[Prediction]:
    load_percent = None
    for move in moves:
        outlet = move.applied(outlet)
        load_percent = move.load_percent if move.load_percent is not None else load_percent
    offers = offers_of(outlet, device.traffic)
    question = Question(outlet, offers, device.train, load_percent)
    said = solved(question)
    if isinstance(said, str):
        yield Unpredicted(device.name, outlet.label, None, said)
        return
    wred = predict_wred(device, outlet, settings, _of_wred(moves))
    first = next((each for each in said.classes if each.is_priority), None)
    for each in said.classes:
        mine = explained and each is first
        parts = breakdown(question, said) if mine else ()
        advice = advice_of(question, settings) if mine else ()
        flat = _flat(device, outlet, each, said, parts=parts, advice=advice)
        yield replace(flat, wred=wred.get(each.name))
    for silent in said.silent:
        yield Unpredicted(device.name, outlet.label, silent.name, silent.why)


def _flat(
    device: Device,
    outlet: Outlet,
    of: SolvedClass,
    said: SolvedOutlet,
    *,
    parts: tuple[Part, ...],
    advice: tuple[str, ...],
) -> ClassPrediction:
    return ClassPrediction(
        device=device.name,
        object=outlet.label,
        class_name=of.name,
        kind=of.kind,
        regime=of.regime,
        mean=of.mean,
        p50=of.p50,
        p95=of.p95,
        p99=of.p99,
        bound_ms=of.mean.bound,
        least_ms=of.least_ms,
        jitter=of.jitter,
        loss=of.loss,
        throughput=of.throughput,
        never_empty=of.never_empty,
        weak=of.weak,
        breakdown=parts,
        advice=advice,
        measured=measured_of(device, outlet, of.name),
        inputs=said.inputs,
    )
