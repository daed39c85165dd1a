"""Causes that could explain a difference: each moves some metrics, one way or both, by so much."""

from collections.abc import Iterator
from enum import Enum, auto
from math import inf
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.outlet.outlet import Outlet
from advisor.predict.what_if import ClassPrediction
from advisor.quantity import Basis, Figure, Input, RateKind
from advisor.settings.values import Settings
from advisor.units import kbps_from_bps, percent_from_ratio, serialization_ms

_MTU: Final = "mtu_bytes"
_LEAST_PART: Final = 0.5  # of the difference: less than this explains nothing
_STEEPEST: Final = 10.0  # a queue grows so many times as much as the load, up to 90 % of the line


class Metric(Enum):
    """What is compared."""

    DELAY = auto()
    JITTER = auto()
    LOSS = auto()
    QUEUE = auto()


class Cause(Struct, frozen=True):
    """A possible cause, and the most it moves a metric, in its unit; inf: without a limit.

    `lifts`, `lowers`: whether what was measured may be above or below the prediction by it.
    """

    words: str
    most: float = inf
    lifts: bool = True
    lowers: bool = True


class Subject(Struct, frozen=True):
    """One predicted class of an output; `saturated` are those whose traffic is not known."""

    device: Device
    settings: Settings
    outlet: Outlet
    prediction: ClassPrediction
    saturated: tuple[str, ...] = ()

    @property
    def longest_ms(self) -> float:
        """Transmission of the largest packet."""
        return serialization_ms(self.outlet.largest_ip_bytes, self.outlet.wire_bps)


def explaining(causes: Iterator[Cause], predicted: Figure, measured: Figure) -> tuple[str, ...]:
    """The causes that could move the prediction far enough towards what was measured."""
    is_above = measured.value > predicted.high
    gap = measured.value - predicted.high if is_above else predicted.low - measured.value
    return tuple(
        cause.words
        for cause in causes
        if (cause.lifts if is_above else cause.lowers) and cause.most >= _LEAST_PART * gap
    )


def causes_of(
    subject: Subject, metric: Metric, predicted: Figure, measured: Figure
) -> Iterator[Cause]:
    """The CPU, the inputs that are neither measured nor stated, and what the figures leave out."""
    prediction, settings = subject.prediction, subject.settings
    busiest = max((load.one_minute_percent for load in subject.device.seen.cpu), default=0)
    if busiest > settings.budgets.cpu_percent and metric in (Metric.DELAY, Metric.JITTER):
        yield Cause(f"a CPU at {busiest} %", lowers=False)
    for known in prediction.inputs:
        if known.basis in (Basis.ASSUMED, Basis.DEFAULT):
            # No packet is larger than that of a LAN: smaller ones only shorten.
            is_longest = _quantity(known) == _MTU
            most = _most(subject, known, metric, max(predicted.high, measured.value))
            words = f"{known.basis}: {_input_words(known)}"
            yield Cause(words, most, lifts=not is_longest)
    if any(known.kind is RateKind.MEASURED for known in prediction.inputs):
        yield Cause("the rates are averages: bursts within them are not seen", lowers=False)
    yield from map(Cause, prediction.weak)


def _quantity(known: Input) -> str:
    return known.name.partition(" of ")[0]


def _most(subject: Subject, known: Input, metric: Metric, largest: float) -> float:
    """The most that another value of an input moves a metric; `largest` of its two figures."""
    is_time = metric in (Metric.DELAY, Metric.JITTER)
    most = inf
    match _quantity(known):
        case "mtu_bytes":
            most = subject.longest_ms if is_time else 0.0
        case "tx_ring_limit_packets":
            in_packets = known.high if metric is Metric.QUEUE else 0.0
            most = known.high * subject.longest_ms if is_time else in_packets
        case "queue_limit_packets" | "solved_limit_packets":
            is_own = known.name.endswith(f" of {subject.prediction.class_name}")
            is_reached = metric is not Metric.LOSS or largest > 0
            most = inf if is_own and is_reached else 0.0
        case "ip_kbps":
            share = known.high / kbps_from_bps(subject.outlet.wire_bps)
            is_loss = metric is Metric.LOSS
            most = percent_from_ratio(share) if is_loss else _STEEPEST * share * largest
    return most


def _input_words(known: Input) -> str:
    return f"{known.name} {known.value:g}" + (f" ({known.source})" if known.source else "")
