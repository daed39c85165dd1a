"""Every class of each output of a device, with settings moved as asked."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.reading import Source, read_source
from advisor.ios.syntax.names import interface_name
from advisor.outlet.offer import offers_of
from advisor.outlet.outlet import Outlet, outlets
from advisor.outlet.wfq import conversations_of
from advisor.predict.classes.demand import Question
from advisor.predict.classes.figures import SolvedClass
from advisor.predict.classes.solved import Part, SolvedOutlet, breakdown, solved_all
from advisor.predict.what_if.advice import advice_of
from advisor.predict.what_if.errors import InputError
from advisor.predict.what_if.formula_cases import case_of
from advisor.predict.what_if.moves import Moves, moves_of
from advisor.predict.what_if.seen import measured_of
from advisor.predict.what_if.simulated import NotSimulated, SimulatedClass, simulated_classes
from advisor.predict.what_if.wred import WredPrediction, open_loop, predict_wred, refuse_idle_moves
from advisor.predict.wred.inputs import WredMoves
from advisor.quantity import Figure, Input, Unknown
from advisor.settings.values import Settings


class ClassPrediction(Struct, frozen=True):
    """One class of one output.

    Delays and jitter (mean |ipdv|) in ms with interval; loss in percent and throughput in kb/s of
    the wire, None where no rate is known. Where the queue is `never_empty` the values are but the
    middle between one packet waiting and a full queue. `bound_ms` is None where nothing bounds the
    delay, `least_ms` the own transmission of the smallest packet. `breakdown` and `advice` are
    those of the first priority class, empty for others. `measured` is what show outputs say of
    the class, round trips and queues there and back included. `simulated` is None where no
    simulation was asked for, `wred` without WRED; the other figures know nothing of it.
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
    simulated: SimulatedClass | NotSimulated | None = None
    wred: WredPrediction | None = None


class Unpredicted(Struct, frozen=True):
    """A class without a delay, or an output (`class_name` None) that cannot be predicted."""

    device: str
    object: str
    class_name: str | None
    why: str


Prediction = ClassPrediction | Unpredicted


class _Wanted(Struct, frozen=True):
    """The settings, and what is asked for beside the figures and costs time."""

    settings: Settings
    explained: bool = False
    simulated: bool = False


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
    simulated: bool = False,
) -> tuple[Prediction, ...]:
    """Predict a device that was read; see `predict_sources`.

    `explained` asks for breakdown and advice too, which cost another solution; `simulated` for a
    simulation of every class, which takes seconds.

    Raises
    ------
    InputError
        If the interface is unknown or nothing can be predicted.
    """
    wanted = _Wanted(settings, explained, simulated)
    (found,) = _at_points(device, file, interface, (moves,), wanted)
    return found


def predict_points(
    device: Device,
    file: str,
    settings: Settings,
    interface: str | None,
    points: Sequence[tuple[Moves, ...]],
) -> tuple[tuple[Prediction, ...], ...]:
    """Predict a device at several points, all together, figures only; see `predict_device`.

    Raises
    ------
    InputError
        If the interface is unknown or nothing can be predicted at some point.
    """
    return _at_points(device, file, interface, points, _Wanted(settings))


def _at_points(
    device: Device,
    file: str,
    interface: str | None,
    points: Sequence[tuple[Moves, ...]],
    wanted: _Wanted,
) -> tuple[tuple[Prediction, ...], ...]:
    chosen = _chosen(device, file, interface)
    for moves in points:
        refuse_idle_moves(device, _of_wred(moves))
    asked = [[_question(device, outlet, moves) for outlet in chosen] for moves in points]
    questions = [each.question for row in asked for each in row if isinstance(each, _Asked)]
    answers = iter(solved_all(questions))
    return tuple(_at_point(device, file, row, answers, wanted) for row in asked)


def _at_point(
    device: Device,
    file: str,
    asked: Sequence["_Asked | Unpredicted"],
    answers: Iterator[SolvedOutlet | Unknown],
    wanted: _Wanted,
) -> tuple[Prediction, ...]:
    found: list[Prediction] = []
    for each in asked:
        if isinstance(each, Unpredicted):
            found.append(each)
        else:
            found += _predict(device, each, next(answers), wanted)
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
    if not device.is_ios:
        shown = f", by line {device.evidence_line}" if device.evidence else ""
        raise InputError(f"{file}: is {device.dialect.value}{shown}; only Cisco IOS is predicted")
    all_outlets = outlets(device)
    if not all_outlets:
        raise InputError(f"{file}: no output policy that is defined and attached")
    if interface is None:
        return list(all_outlets)
    asked = interface_name(interface)
    chosen = [each for each in all_outlets if asked in _names(each)]
    if not chosen:
        known = ", ".join(dict.fromkeys(each.interface.name for each in all_outlets))
        raise InputError(f"{file}: no output policy on {asked}; it is on {known}")
    return chosen


class FormulaCase(Struct, frozen=True):
    """A formula with the numbers of one output; no lines where it says nothing of it."""

    device: str
    object: str
    lines: tuple[str, ...]


def formula_cases(
    name: str, source: Source, settings: Settings, interface: str | None
) -> tuple[FormulaCase, ...]:
    """A formula of the model with the numbers of each output of a config put in.

    Raises
    ------
    InputError
        See `predict_sources`.
    """
    device = read_source(source, settings).device
    return tuple(
        FormulaCase(
            device.name,
            outlet.label,
            case_of(
                name, Question(outlet, offers_of(outlet, device.traffic), device.train), settings
            ),
        )
        for outlet in _chosen(device, source.name, interface)
    )


def _names(outlet: Outlet) -> tuple[str, ...]:
    bundle = (outlet.bundle.name,) if outlet.bundle is not None else ()
    return (outlet.interface.name, *bundle)


class _Asked(Struct, frozen=True):
    """An output as it would be, and what is moved of its WRED."""

    question: Question
    wred: WredMoves


def _question(device: Device, outlet: Outlet, moves: tuple[Moves, ...]) -> _Asked | Unpredicted:
    load_percent = None
    try:
        for move in moves:
            outlet = move.applied(device, outlet)
            load_percent = move.load_percent if move.load_percent is not None else load_percent
    except InputError as error:
        return Unpredicted(device.name, outlet.label, None, str(error))
    question = Question(outlet, offers_of(outlet, device.traffic), device.train, load_percent)
    return _Asked(question, _of_wred(moves))


def _predict(
    device: Device,
    asked: _Asked,
    said: SolvedOutlet | Unknown,
    wanted: _Wanted,
) -> Iterator[Prediction]:
    question, outlet = asked.question, asked.question.outlet
    if isinstance(said, Unknown):
        yield Unpredicted(device.name, outlet.label, None, said.reason)
        return
    wred = predict_wred(device, outlet, wanted.settings, asked.wred, simulated=wanted.simulated)
    first = next((each for each in said.classes if each.is_priority), None)
    again = simulated_classes(said) if wanted.simulated else {}
    counted = conversations_of(outlet, device.train, question.offers)
    conversations = () if counted is None else (counted,)
    for each in said.classes:
        mine = wanted.explained and each is first
        yield replace(
            _flat(device, outlet, each, said),
            breakdown=breakdown(question, said) if mine else (),
            advice=advice_of(question, wanted.settings) if mine else (),
            inputs=(*said.inputs, *conversations),
            simulated=open_loop(again.get(each.name), wred.get(each.name)),
            wred=wred.get(each.name),
        )
    for silent in said.silent:
        yield Unpredicted(device.name, outlet.label, silent.name, silent.why)


def _flat(device: Device, outlet: Outlet, of: SolvedClass, said: SolvedOutlet) -> ClassPrediction:
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
        breakdown=(),
        advice=(),
        measured=measured_of(device, outlet, of.name),
        inputs=said.inputs,
    )
