"""The record of a measurement beside its prediction: its window and way, its verdict, its reasons.

`advisor.predict.comparison` makes it; predictions carry it, and every report shows it.
"""

from enum import StrEnum

from msgspec import Struct

from advisor.ground.quantity import Figure, Input

# Over which time, and in which direction, a figure was measured.


class WindowKind(StrEnum):
    """Kinds of time that a figure was measured over."""

    AVERAGE = "average of IOS"
    SAMPLES = "between two samples"
    COUNTED = "since the counters were cleared"
    OPERATION = "latest operation"
    AGGREGATED = "aggregated operations"
    MOMENT = "one moment"


class Window(Struct, frozen=True):
    """The time of a measurement: `seconds` and `samples` are None where no output prints them.

    `failures` of all operations of a probe since it was started; their samples are missing.
    """

    kind: WindowKind
    seconds: float | None = None
    samples: int | None = None
    successes: int | None = None
    failures: int | None = None


class Way(StrEnum):
    """The direction of the packets that were measured, as the device sees it."""

    OUTPUT = "output"
    INPUT = "input"
    THERE = "to the destination"
    BACK = "from the destination"
    ROUND = "there and back"


# The input that would make the prediction meet the measurement.


class TriedInput(Struct, frozen=True):
    """One input at both ends of its plausible range, and what is predicted there.

    `key` is a key of `[[traffic]]` or of `--set`, or `return_path`; `of` the class or interface.
    `used` is the value of the prediction, None where it is a range or a mix.
    """

    key: str
    of: str
    unit: str
    used: float | None
    low: float
    high: float
    at_low: Figure
    at_high: Figure


class SolvedInput(Struct, frozen=True):
    """The value of one input at which the model gives what was measured."""

    key: str
    of: str
    unit: str
    used: float | None
    needed: float
    gives: Figure


class Refutation(Struct, frozen=True):
    """A prediction that a measurement refutes: the one input that explains it, or all tried."""

    solved: SolvedInput | None
    tried: tuple[TriedInput, ...]


# The typed verdict of one compared figure.


class NotCompared(StrEnum):
    """Reasons for which a measurement is not compared with a prediction."""

    COUNTS_NOTHING = "the class counted nothing"
    IDLE = "the class is idle"
    TOO_FEW = "too few packets"
    CLEARED = "the counters were cleared within the window"
    MORE_DROPPED = "more is dropped than offered"
    BEYOND_LINE = "more is carried than the line can carry"
    NEVER_ANSWERED = "the probe was never answered"
    ELSEWHERE = "the probe does not leave by a queue that is predicted"
    FAR_END = "the queue is that of the far end"
    INPUT = "nothing queues on input"
    MOMENT = "a moment beside a mean"
    BUSY = "a processor is busy"
    CONGESTION = "the prediction assumes congestion"
    UNPREDICTED = "nothing is predicted"


class Within(Struct, frozen=True, tag_field="grade", tag="within"):
    """The measured mean lies in the predicted interval, and that interval is narrow."""


class Off(Struct, frozen=True, tag_field="grade", tag="off"):
    """The measured mean lies outside: by measured less predicted, in the unit of the figure.

    `percent` is that of the predicted figure; None where it is 0.
    """

    by: float
    unit: str
    percent: float | None


class TooWide(Struct, frozen=True, tag_field="grade", tag="interval too wide to judge"):
    """The measured mean lies in an interval that nearly every measurement would meet."""

    low: float
    high: float


class NotComparable(Struct, frozen=True, tag_field="grade", tag="not comparable"):
    """There is nothing to compare with: the reason, and `why` with its numbers."""

    why: str
    reason: NotCompared = NotCompared.UNPREDICTED


class PredictionFault(Struct, frozen=True, tag_field="grade", tag="fault of the prediction"):
    """The prediction is impossible, and `why`."""

    why: str


Verdict = Within | Off | TooWide | NotComparable | PredictionFault


class Agreement(StrEnum):
    """Position of a measured figure relative to the predicted interval."""

    WITHIN = "within"
    ABOVE = "above"
    BELOW = "below"
    UNKNOWN = "not predicted"


class Compared(Struct, frozen=True):
    """One figure of a class, or of the device where `class_name` is None.

    `measured` is a mean with its observed extremes, None where nothing was; `predicted` is None
    where the model has no answer. `verdict` grades the prediction by the measured mean. `given` are
    the measured inputs of the prediction. `refutation` names the input that would explain a
    difference, and `explains` says so in a sentence.
    """

    device: str
    object: str
    class_name: str | None
    metric: str
    predicted: Figure | None
    measured: Figure | None
    agreement: Agreement
    verdict: Verdict
    explains: tuple[str, ...]
    source: str
    window: Window
    way: Way | None = None
    given: tuple[Input, ...] = ()
    refutation: Refutation | None = None
