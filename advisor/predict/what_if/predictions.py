"""Every class of each output of a device, with the moved settings."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.coverage import platform_notes
from advisor.device.device import Device
from advisor.device.reading import Source, read_source
from advisor.facts.taken_classes import Taker, takers_of_classes
from advisor.ground.quantity import Narrowing, Unknown, rate_text
from advisor.ground.records import picked
from advisor.ground.units import kbps_from_bps
from advisor.ground.wording import no_bound_words
from advisor.outlet.class_bandwidth import refused_sum
from advisor.outlet.class_differences import Figures
from advisor.outlet.contradictions import contradicting, words_of
from advisor.outlet.excess import conversations_of
from advisor.outlet.operations import in_no_figure, offers_at, operations_at
from advisor.outlet.outlet import Outlet
from advisor.outlet.statements import unused_notes
from advisor.predict.classes import Question
from advisor.predict.classes.congested import breakdown, congested
from advisor.predict.classes.figures import SolvedClass, UnstatedClass
from advisor.predict.classes.narrow import narrowings
from advisor.predict.classes.solved import SolvedOutlet, solved_all
from advisor.predict.what_if import (
    InputError,
    chosen_outlets,
    points_without_policy,
    why_unpredicted,
)
from advisor.predict.what_if.advice import advice_of
from advisor.predict.what_if.class_formulas import check_of
from advisor.predict.what_if.moves import Moves, moved, moves_of
from advisor.predict.what_if.observed_load import measured_of, of_member, offered, unknown_delay
from advisor.predict.what_if.prediction import (
    ClassPrediction,
    CongestedClass,
    Prediction,
    Unpredicted,
    UnstatedPrediction,
    WredPrediction,
    congested_classes,
    congested_question,
    open_loop,
    predict_wred,
    refuse_idle_moves,
)
from advisor.predict.what_if.simulated import simulated_classes
from advisor.settings import Settings
from advisor.settings.tables import settings_of

_MOST_SAID: Final = 4  # contradictions of one output
_OF_FLOWS: Final = "each of its flows has a delay of its own, beside its drops and its share"


class _Options(Struct, frozen=True):
    """The settings, and the requested extra results that cost time."""

    settings: Settings
    explained: bool = False
    simulated: bool = False
    checked: bool = False
    narrowed: bool = False


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
    checked: bool = False,
    narrowed: bool = False,
) -> tuple[Prediction, ...]:
    """Predict a device that was read; see `predict_sources`.

    `explained` adds breakdown and advice, which cost another solution. `simulated` adds a
    simulation of every class, which takes seconds. `checked` adds the mean by formula and by a run
    of the kernel, whichever is the figure. `narrowed` adds what would narrow the figures,
    which costs two solutions for each input that nobody states.

    Raises
    ------
    InputError
        If the interface is unknown or nothing can be predicted.
    """
    options = _Options(settings_of(settings, device.name), explained, simulated, checked, narrowed)
    (predictions,) = _at_points(device, file, interface, (moves,), options)
    plain = (
        Unpredicted(device.name, point.object_path, None, why_unpredicted(point))
        for point in points_without_policy(device, interface)
    )
    return (*predictions, *plain)


def predict_outlets(
    device: Device, chosen: Sequence[Outlet], settings: Settings
) -> tuple[Prediction, ...]:
    """Predict some outputs of a device as they are; see `predict_device`."""
    row = [_question(device, outlet, (moves_of({}),)) for outlet in chosen]
    asked = [entry.question for entry in row if isinstance(entry, _OutletQuestion)]
    options = _Options(settings_of(settings, device.name), explained=True)
    return tuple(_at_point(row, iter(solved_all(asked)), options))


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
        If the interface is unknown or nothing can be predicted at any point.
    """
    options = _Options(settings_of(settings, device.name))
    return _at_points(device, file, interface, points, options)


def _at_points(
    device: Device,
    file: str,
    interface: str | None,
    points: Sequence[tuple[Moves, ...]],
    options: _Options,
) -> tuple[tuple[Prediction, ...], ...]:
    chosen = chosen_outlets(device, file, interface)
    for moves in points:
        refuse_idle_moves(device, [key for move in moves for key in move.flows])
    rows = [[_question(device, outlet, moves) for outlet in chosen] for moves in points]
    asked = [entry for row in rows for entry in row if isinstance(entry, _OutletQuestion)]
    questions = [entry.question for entry in asked]
    if options.explained:
        questions += [
            case
            for entry in asked
            if (case := congested_question(entry.device, entry.question.outlet))
        ]
    answers = iter(solved_all(questions))
    told = tuple(_at_point(row, answers, options) for row in rows)
    if all(_says_nothing(item) for point in told for item in point):
        whys = dict.fromkeys(
            f"{item.object}: {item.why}"
            for point in told
            for item in point
            if isinstance(item, Unpredicted)
        )
        reasons = "; ".join([*whys, *platform_notes(device)])
        raise InputError(f"{file}: nothing to predict; {reasons}")
    return told


def notes_of(device: Device, *, with_operations: bool) -> Iterator[str]:
    """Notes for the reader of the predictions: the platform, statements without a place."""
    yield from platform_notes(device)
    yield from unused_notes(device)
    if with_operations:
        yield from in_no_figure(device)


def _says_nothing(prediction: Prediction) -> bool:
    """Whether it has no answer: that a class carries nothing is one."""
    return isinstance(prediction, Unpredicted) and not prediction.is_idle


def _at_point(
    row: Sequence["_OutletQuestion | Unpredicted"],
    answers: Iterator[SolvedOutlet | Unknown],
    options: _Options,
) -> tuple[Prediction, ...]:
    predictions: list[Prediction] = []
    for entry in row:
        if isinstance(entry, Unpredicted):
            predictions.append(entry)
        else:
            predictions += _predict(entry, next(answers), options)
    return tuple(predictions)


class _OutletQuestion(Struct, frozen=True):
    """The question of an output of a moved device, and the moved numbers of its TCP flows."""

    device: Device
    question: Question
    flows: dict[str, int]


def _question(
    device: Device, outlet: Outlet, moves: tuple[Moves, ...]
) -> _OutletQuestion | Unpredicted:
    loads = [move.load_percent for move in moves if move.load_percent is not None]
    load_percent = loads[-1] if loads else None
    try:
        device, outlet = moved(moves, device, outlet)
    except InputError as error:
        return Unpredicted(device.name, outlet.label, None, str(error))
    question = Question(outlet, offers_at(device, outlet), device.platform, load_percent)
    flows = {key: count for move in moves for key, count in move.flows.items()}
    return _OutletQuestion(device, question, flows)


def _predict(
    entry: _OutletQuestion,
    solution: SolvedOutlet | Unknown,
    options: _Options,
) -> Iterator[Prediction]:
    device, question, outlet = entry.device, entry.question, entry.question.outlet
    if isinstance(solution, Unknown):
        yield Unpredicted(device.name, outlet.label, None, solution.reason)
        return
    wred = predict_wred(device, outlet, options.settings, entry.flows, simulated=options.simulated)
    first = next(
        (solved_class for solved_class in solution.classes if solved_class.is_priority), None
    )
    again = simulated_classes(solution) if options.simulated else {}
    again_congested = (
        congested_classes(device, question.outlet, checked=options.checked)
        if options.explained
        else {}
    )
    narrows = _narrows(entry, solution, again_congested) if options.narrowed else {}
    counted = conversations_of(outlet, device.platform, question.offers)
    operations = (operation.as_input for operation in operations_at(device, outlet))
    refused = tuple(_refused(device, outlet))
    down = () if outlet.members_down is None else (f"the figures are of {outlet.members_down}",)
    cautions = (*refused, *down, *_contradicted(device, outlet))
    more = (*(() if counted is None else (counted,)), *operations)
    empty = takers_of_classes(device.facts)
    for solved_class in solution.classes:
        takers = empty.get((outlet.queueing.name, solved_class.name))
        if takers is not None:
            yield _without_packets(device, outlet, solved_class.name, takers)
            continue
        is_explained = options.explained and solved_class is first
        carried = solved_class.throughput
        yield replace(
            _flat(device, outlet, solved_class, solution),
            throughput=None if carried is None else of_member(question, carried),
            weak=(*cautions, *solved_class.weak),
            breakdown=breakdown(question, solution) if is_explained else (),
            advice=advice_of(question, options.settings, device)
            if is_explained and not refused
            else (),
            inputs=(*solution.inputs, *more),
            offered=offered(question, solved_class.name, solution.corners),
            simulated=open_loop(again.get(solved_class.name), wred.get(solved_class.name)),
            wred=wred.get(solved_class.name),
            congested=again_congested.get(solved_class.name),
            narrows=narrows.get(solved_class.name, ()),
            check=check_of(solved_class.name, solution) if options.checked else None,
        )
    for unstated in solution.unstated:
        yield UnstatedPrediction(
            device=device.name,
            object=outlet.label,
            class_name=unstated.name,
            kind=unstated.kind,
            delay=_delay_of(entry, unstated, wred.get(unstated.name)),
            share=of_member(question, unstated.share),
            share_percent=unstated.share_percent,
            weak=(*cautions, *unstated.weak),
            measured=measured_of(device, outlet, unstated.name),
            inputs=(*solution.inputs, *more),
            wred=wred.get(unstated.name),
        )
    for silent in solution.silent:
        yield Unpredicted(
            device=device.name,
            object=outlet.label,
            class_name=silent.name,
            why=silent.why,
            is_idle=silent.is_idle,
            congested=again_congested.get(silent.name),
        )


def _narrows(
    entry: _OutletQuestion, solution: SolvedOutlet, again: Mapping[str, CongestedClass]
) -> dict[str, tuple[Narrowing, ...]]:
    """Find inputs that narrow the figure that lint shows of a priority class, and other means."""
    device, question = entry.device, entry.question
    own = {known.name: known.mean for known in solution.classes if known.name not in again}
    of_lint = {name: case.mean for name, case in again.items()}
    return {
        **narrowings(device, question, own, is_congested=False),
        **narrowings(device, congested(device, question.outlet), of_lint, is_congested=True),
    }


def _without_packets(
    device: Device, outlet: Outlet, name: str, takers: Sequence[Taker]
) -> Unpredicted:
    """A class that no packet reaches has no figures."""
    words = dict.fromkeys(f"class {taker.policy_class.name} of {taker.policy}" for taker in takers)
    why = f"no packet reaches it: its packets go to {' and '.join(words)}"
    return Unpredicted(device.name, outlet.label, name, why, is_idle=True)


def _refused(device: Device, outlet: Outlet) -> Iterator[str]:
    """Say that IOS does not run the policy of the figures, or may not."""
    admission = refused_sum(outlet, device.platform)
    if admission is not None:
        asked = rate_text(kbps_from_bps(admission.reserved_bps))
        free = rate_text(kbps_from_bps(admission.reservable_bps))
        verb = "may not run" if device.facts.tree.is_capture else "refuses"
        yield (
            f"IOS {verb} {outlet.policy.name} here, and then no class of it queues: it reserves "
            f"{asked} kb/s of {free} ({admission.why})"
        )


_FIGURES_OF: Final = {
    Figures.OF_OUTPUT: "the figures are of what they show",
    Figures.OF_CONFIG: "the figures are of the configuration",
}


def _contradicted(device: Device, outlet: Outlet) -> Iterator[str]:
    """Say what outputs show otherwise than the configuration, and which of the two was taken."""
    found = contradicting(device, outlet)
    for kind, words in _FIGURES_OF.items():
        own = [item for item in found if item.figures is kind]
        if own:
            said = words_of(own, _MOST_SAID)
            yield f"outputs show {said} ({own[0].seen_at}): {words}"


def _delay_of(
    entry: _OutletQuestion, unstated: UnstatedClass, wred: WredPrediction | None
) -> Unknown:
    """Why the class has no delay of its own: its TCP flows may be stated, each with its own."""
    if wred is not None and wred.shares is not None:
        return Unknown(_OF_FLOWS)
    return unknown_delay(entry.device, entry.question, unstated.name, unstated.delay)


def _flat(
    device: Device, outlet: Outlet, solved_class: SolvedClass, solution: SolvedOutlet
) -> ClassPrediction:
    why_no_bound = solved_class.why_no_bound
    return picked(
        ClassPrediction,
        solved_class,
        device=device.name,
        object=outlet.label,
        class_name=solved_class.name,
        bound_ms=solved_class.mean.bound,
        why_no_bound=None if why_no_bound is None else no_bound_words(why_no_bound),
        weak=(),
        breakdown=(),
        advice=(),
        measured=measured_of(device, outlet, solved_class.name),
        inputs=solution.inputs,
    )
