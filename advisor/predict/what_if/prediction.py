"""What is predicted of a class of an output."""

from msgspec import Struct

from advisor.predict.classes.breakdown import Part
from advisor.predict.what_if.call_quality import Quality
from advisor.predict.what_if.congested import CongestedClass
from advisor.predict.what_if.simulated import NotSimulated, SimulatedClass
from advisor.predict.what_if.wred import WredPrediction
from advisor.quantity import Figure, Input, Unknown


class ClassPrediction(Struct, frozen=True, tag_field="outcome", tag="predicted"):
    """One class of one output.

    Delays and jitter (mean |ipdv|) in ms with interval; loss in percent and throughput in kb/s of
    the wire, None where no rate is known or reserved. If the queue is `never_empty`, the values are
    only the middle between one waiting packet and a full queue. `bound_ms` is None where nothing
    bounds the delay, and `why_no_bound` says why. `least_ms` is the own transmission of the
    smallest packet. `breakdown` and `advice` are set for the first priority class, and empty for
    others. `measured` holds the measurements of show outputs; a round trip includes the queues of
    both ways. `simulated` is None without a requested simulation, `wred` is None without WRED; the
    other figures do not depend on them. `congested` are the figures of a priority class that lint
    judges; None for others and in sweeps. `call` is the quality of a G.729 call in a priority class
    over this hop; None where not rated. `offered` is the mean rate in kb/s that comes to the class,
    in the bytes that a policer counts: without FCS, flags and cells; None where it is not known.
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
    congested: CongestedClass | None = None
    call: Quality | None = None
    offered: Figure | None = None
    why_no_bound: str | None = None


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
