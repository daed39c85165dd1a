"""Prediction of a class of an output, with the quality of a call on it."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ground.quantity import Figure, Input, LowerLoad, Narrowing, Unknown
from advisor.ground.records import picked
from advisor.model import QueueKind
from advisor.outlet.offer import speaks_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.wred_rows import answers_to, name_of
from advisor.predict.classes import Question
from advisor.predict.classes.congested import Part, congested, solved_cases
from advisor.predict.what_if import InputError
from advisor.predict.what_if.class_formulas import check_of
from advisor.predict.what_if.compared import Compared
from advisor.predict.what_if.simulated import (
    NotSimulated,
    SimulatedClass,
    SimulatedShares,
    simulated_shares,
)
from advisor.predict.wred import wred_request
from advisor.predict.wred.drop_counters import WredSeen, wred_seen
from advisor.predict.wred.shares import WredShares, wred_shares
from advisor.settings import Settings
from advisor.settings.document import nearest
from advisor.theory.check import FormulaCheck

UNSTATED = "no shares: state its TCP flows in [[traffic]] (class, dscp or precedence, tcp_flows)"

# WRED of the classes of an output: predicted where flows are stated, beside its counters.


class WredPrediction(Struct, frozen=True):
    """WRED of a class; `why` there are no shares; `seen` are its counters from show outputs.

    `simulated` is None without shares, and without a requested simulation.
    """

    shares: WredShares | None
    why: str | None
    seen: WredSeen | None
    simulated: SimulatedShares | NotSimulated | None = None


def predict_wred(
    device: Device,
    outlet: Outlet,
    settings: Settings,
    flows: Mapping[str, int],
    *,
    simulated: bool = False,
) -> Mapping[str, WredPrediction]:
    """Shares of the classes of an output that have WRED or TCP flows, by the classes' names."""
    names = [
        policy_class.name
        for policy_class in outlet.queueing.classes
        if policy_class.wred is not None
    ]
    has_flows = any(
        statement.tcp is not None and speaks_of(statement, outlet) for statement in device.traffic
    )
    if not names and not has_flows:
        return {}
    request = wred_request(device, outlet, settings.budgets.rtt_ms, flows)
    answer = request if isinstance(request, Unknown) else wred_shares(request)
    why = answer.reason if isinstance(answer, Unknown) else UNSTATED
    shares = (
        {}
        if isinstance(answer, Unknown)
        else {class_shares.class_name: class_shares for class_shares in answer}
    )
    again: Mapping[str, SimulatedShares] | NotSimulated = {}
    if simulated and shares and not isinstance(request, Unknown):
        again = simulated_shares(request)
    return {
        name: WredPrediction(
            shares.get(name),
            None if name in shares else why,
            wred_seen(device, outlet, name),
            again if isinstance(again, NotSimulated) else again.get(name),
        )
        for name in dict.fromkeys((*names, *shares))
    }


def open_loop(
    again: SimulatedClass | NotSimulated | None, wred: WredPrediction | None
) -> SimulatedClass | NotSimulated | None:
    """The simulation of a queue with constant traffic: it does not describe TCP flows."""
    if again is None or wred is None or wred.shares is None:
        return again
    return NotSimulated("its TCP flows are simulated with their shares")


def refuse_idle_moves(device: Device, flows: Iterable[str]) -> None:
    """Check that moved flows name stated groups.

    Raises
    ------
    InputError
        If not.
    """
    stated = [statement for statement in device.traffic if statement.tcp is not None]
    for key in flows:
        if not any(answers_to(statement, key) for statement in stated):
            known = [name_of(statement) for statement in stated]
            there = nearest(key, known) if known else "state them in [[traffic]] with tcp_flows"
            raise InputError(
                f"flows.{key}: no [[traffic]] with tcp_flows has that group, dscp or precedence; "
                f"{there}"
            )


# Quality of a call: its de-jitter buffer, R and MOS.


class DeJitter(Struct, frozen=True):
    """The de-jitter buffer of the receiver: it holds the fastest packet for `hold_ms`.

    `late_percent` of the packets come later than that and are lost. Without a stated buffer it is
    the one of three with the best R: those that wait for 95 %, 99 % or all of the packets.
    """

    hold_ms: float
    late_percent: float
    is_stated: bool


class Quality(Struct, frozen=True):
    """A call over the path: R and MOS with the given de-jitter buffer, else with the best one.

    `mouth_to_ear` is packetization, look-ahead, network and buffer; `lost` is lost or late.
    `de_jitter` is the buffer of the values; other ends of the intervals may have another.
    """

    codec: str
    de_jitter: DeJitter
    mouth_to_ear: Figure
    lost: Figure
    r: Figure
    mos: Figure
    source: str


# The congested case of each priority class, which `predict` prints beside the stated one.


class CongestedClass(Struct, frozen=True):
    """A priority class at its stated, measured or reserved rate, all lower classes saturated.

    Delays in ms by the `method`, mean |ipdv| by the `jitter_method`: formulas, or "sampled".
    `ring_bound_ms` is the
    longest time that the ring alone delays a packet: it decides the ring to set; None behind a
    shaper. `class_bound_ms` is the longest delay of the class, with the LLQ's own packets; None
    where nothing bounds it. `lower` is "policed" where policers hold all lower classes to less than
    fills a queue. `loss` in percent; None where neither traffic nor `priority` says the rate.
    `check` is as in `ClassPrediction`.
    """

    regime: str
    method: str
    jitter_method: str
    mean: Figure
    p95: Figure
    p99: Figure
    jitter: Figure
    ring_bound_ms: float | None
    class_bound_ms: float | None
    lower: LowerLoad
    loss: Figure | None
    check: FormulaCheck | None = None


def congested_question(device: Device, outlet: Outlet) -> Question | None:
    """The congested case of an output with an LLQ."""
    return congested(device, outlet) if outlet.llq_classes else None


def congested_classes(
    device: Device, outlet: Outlet, *, checked: bool = False
) -> dict[str, CongestedClass]:
    """The priority classes of an output in the congested case, by name; `checked` by a run too."""
    asked = congested_question(device, outlet)
    case = Unknown("no LLQ") if asked is None else solved_cases((asked,))[0]
    if isinstance(case, Unknown):
        return {}
    ring = case.ring_bound
    return {
        known.name: picked(
            CongestedClass,
            known,
            ring_bound_ms=None if ring is None else ring.high_ms,
            class_bound_ms=known.mean.bound,
            lower=case.lower,
            check=check_of(known.name, case.solved) if checked else None,
        )
        for known in case.solved.classes
        if known.is_priority
    }


# Predictions of a class of an output.


class ClassPrediction(Struct, frozen=True, tag_field="outcome", tag="predicted"):
    """One class of one output.

    Delays and jitter (mean |ipdv|) in ms with interval, delays by the `method`, jitter by the
    `jitter_method`: formulas, or "sampled"; loss in percent and throughput in kb/s of the wire,
    None where no rate is known or reserved. If the queue is `never_empty`, the values are only the
    middle between one waiting
    packet and a full queue. `bound_ms` is None where nothing bounds the delay, and `why_no_bound`
    says why. `least_ms` is the own transmission of the smallest packet. `breakdown` and `advice`
    are set for the first priority class, and empty for others. `measured` holds the measurements of
    show outputs; a round trip includes the queues of both ways. `simulated` is None without a
    requested simulation, `wred` is None without WRED; the other figures do not depend on them.
    `congested` are the figures of a priority class that lint judges; None for others and in sweeps.
    `call` is the quality of a G.729 call in a priority class over this hop; None where not rated.
    `offered` is the mean rate in kb/s that comes to the class, in the bytes that a policer counts:
    without FCS, flags and cells; None where it is not known. `narrows` are the inputs that nobody
    states, by how much each would narrow the mean delay: of a priority class in the congested case.
    Empty where it is not asked for. `check` has the mean by formula and by a run of the kernel;
    None where it is not asked for. It is that of a full queue where the queue is `never_empty`.
    `compared` are these measurements beside the figures, each with its window and verdict.
    """

    device: str
    object: str
    class_name: str
    kind: str
    regime: str
    method: str
    jitter_method: str
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
    congested: CongestedClass | None = None
    call: Quality | None = None
    offered: Figure | None = None
    why_no_bound: str | None = None
    narrows: tuple[Narrowing, ...] = ()
    check: FormulaCheck | None = None
    compared: tuple[Compared, ...] = ()

    @property
    def is_priority(self) -> bool:
        return self.kind == QueueKind.PRIORITY


class UnstatedPrediction(Struct, frozen=True, tag_field="outcome", tag="unknown"):
    """One class whose rate is neither stated nor measured: it has no delay of its own.

    `delay` says what is to be stated; TCP flows have their delays in `wred`. `share` (kb/s of the
    wire) and `share_percent` (of the line) are what the class gets while it and all other such
    classes have packets waiting. It has no bound either: that of a full queue says nothing of its
    packets. `weak` names settings that the share does not include. `measured` and `wred` are as in
    `ClassPrediction`.
    """

    device: str
    object: str
    class_name: str
    kind: str
    delay: Unknown
    share: Figure
    share_percent: Figure
    weak: tuple[str, ...]
    measured: tuple[str, ...]
    inputs: tuple[Input, ...]
    wred: WredPrediction | None = None
    compared: tuple[Compared, ...] = ()


class Unpredicted(Struct, frozen=True, tag_field="outcome", tag="not predicted"):
    """A class without a delay, or an output (`class_name` None) that cannot be predicted.

    `is_idle`: the class carries nothing, as stated or measured. `congested` is as in
    `ClassPrediction`: a priority class that is idle now has that case too.
    """

    device: str
    object: str
    class_name: str | None
    why: str
    is_idle: bool = False
    congested: CongestedClass | None = None
    compared: tuple[Compared, ...] = ()


Prediction = ClassPrediction | UnstatedPrediction | Unpredicted


def figures_of(prediction: Prediction) -> tuple[object, ...]:
    """The figures of a prediction, without where they come from."""
    match prediction:
        case ClassPrediction():
            delays = (prediction.mean, prediction.p50, prediction.p95, prediction.p99)
            more = (prediction.bound_ms, prediction.jitter, prediction.loss, prediction.throughput)
            shares = None if prediction.wred is None else prediction.wred.shares
            groups = () if shares is None else (shares.queue, shares.aqs, shares.groups)
            return (*delays, *more, groups, prediction.congested)
        case UnstatedPrediction():
            return (prediction.share, prediction.share_percent)
        case Unpredicted():
            return (prediction.why, prediction.congested)


# The caution on figures of a device that was not read completely.


def with_caution(
    predictions: Sequence[Prediction], incomplete: Sequence[str]
) -> tuple[Prediction, ...]:
    """The predictions, each with the first reason why the input is incomplete as a weakness."""
    if not incomplete:
        return tuple(predictions)
    more = f", and {len(incomplete) - 1} more" if len(incomplete) > 1 else ""
    caution = f"the input is incomplete, what it lacks may change this: {incomplete[0]}{more}"
    return tuple(
        prediction
        if isinstance(prediction, Unpredicted)
        else replace(prediction, weak=(*prediction.weak, caution))
        for prediction in predictions
    )
