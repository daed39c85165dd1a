"""One IP SLA operation: its labels, its record, and its figures while its lines are read."""

import re
from typing import Final

from msgspec import Struct, field

from advisor.ios.grammar import layout
from advisor.ios.syntax import Location

# The measurements of an IP SLA operation.


class Spread(Struct, frozen=True):
    """Smallest, mean and largest of measured times; `samples` is None if not printed."""

    minimum_ms: float
    mean_ms: float
    maximum_ms: float
    samples: int | None


class SlaLoss(Struct, frozen=True):
    """Probe packets that were lost, late or out of order; None if not printed.

    `lost_packets` counts losses of unknown direction: icmp-jitter cannot tell the direction.
    """

    source_to_destination_packets: int | None = None
    destination_to_source_packets: int | None = None
    lost_packets: int | None = None
    out_of_sequence_packets: int | None = None
    tail_dropped_packets: int | None = None
    late_packets: int | None = None
    skipped_packets: int | None = None


class SlaResult(Struct, frozen=True):
    """Statistics of one operation, from its latest run or aggregated over an hour.

    `operation` has the spelling of current configurations (`icmp-jitter`); None if not printed.
    A spread without samples is None: IOS then prints 0/0/0, which is not a measurement.
    `started` is the printed time of the run or the hour. `at` is the line that names the
    operation.
    """

    number: int
    operation: str | None
    is_aggregated: bool
    started: str | None
    return_code: str | None
    latest_rtt_ms: float | None
    rtt: Spread | None
    latency_to_destination: Spread | None
    latency_to_source: Spread | None
    jitter_to_destination: Spread | None
    jitter_to_source: Spread | None
    loss: SlaLoss
    over_threshold: int | None
    successes: int | None
    failures: int | None
    mean_opinion_score: float | None
    icpif: int | None
    at: Location

    @property
    def moment(self) -> Spread | None:
        """The round trip of one packet, where no spread of many is printed."""
        latest_ms = self.latest_rtt_ms if self.rtt is None else None
        return None if latest_ms is None else Spread(latest_ms, latest_ms, latest_ms, 1)


# The labels that IP SLA statistics print, in the spellings of all trains.

_LAYOUT: Final = layout("shows/sla/lines.txt")
OPERATION: Final = _LAYOUT.part("OPERATION", re.IGNORECASE)
TITLE: Final = _LAYOUT.part("TITLE", re.IGNORECASE)
TEXTS: Final = _LAYOUT.fields("texts")
COUNTS: Final = _LAYOUT.fields("counts")
TIMES: Final = _LAYOUT.fields("times")
SPREADS: Final = _LAYOUT.fields("spreads")
UNUSED: Final = _LAYOUT.any_of("unused", re.IGNORECASE)
# `Number of failed operations due to a Timeout`: one line for each cause.
FAILED_BECAUSE: Final = "number of failed operations due to "


# The figures of one IP SLA operation while its lines are read.

_CAPITAL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
# `rtr` calls icmp-echo and udp-jitter of `ip sla` `type echo` and `type jitter`.
_OLD_OPERATIONS: Final = {"echo": "icmp-echo", "jitter": "udp-jitter"}

Triple = tuple[float, float, float]


class SlaDraft(Struct):
    """The printed figures by the names of the label tables."""

    number: int
    at: Location
    is_aggregated: bool = False
    texts: dict[str, str] = field(default_factory=dict)
    counts: dict[str, float | None] = field(default_factory=dict)
    spreads: dict[str, Triple] = field(default_factory=dict)
    failed_because: list[int] = field(default_factory=list)

    def next_hour(self, at: Location) -> "SlaDraft":
        """Return the draft of the operation's next hour."""
        later = SlaDraft(self.number, at, is_aggregated=True)
        if "operation" in self.texts:
            later.texts["operation"] = self.texts["operation"]
        return later

    def freeze(self) -> SlaResult:
        latency_samples = self._count("latency_samples")
        return SlaResult(
            number=self.number,
            operation=self._operation(),
            is_aggregated=self.is_aggregated,
            started=_known(self.texts.get("hour") or self.texts.get("started")),
            return_code=_known(self.texts.get("return_code")),
            latest_rtt_ms=self.counts.get("latest_rtt_ms"),
            rtt=self._spread("rtt", self._count("rtt_samples")) or self._old_rtt(),
            latency_to_destination=self._spread("latency_sd", latency_samples)
            or self._old_latency("sd"),
            latency_to_source=self._spread("latency_ds", latency_samples)
            or self._old_latency("ds"),
            jitter_to_destination=self._jitter("sd"),
            jitter_to_source=self._jitter("ds"),
            loss=SlaLoss(
                self._count("source_to_destination_packets"),
                self._count("destination_to_source_packets"),
                self._count("lost_packets"),
                self._count("out_of_sequence_packets"),
                self._count("tail_dropped_packets"),
                self._count("late_packets"),
                self._count("skipped_packets"),
            ),
            over_threshold=self._count("over_threshold"),
            successes=self._count("successes"),
            failures=self._failures(),
            # IOS prints a score of 0 for operations that have no codec; the scale starts at 1.
            mean_opinion_score=self.counts.get("mean_opinion_score") or None,
            icpif=self._count("icpif") if self.counts.get("mean_opinion_score") else None,
            at=self.at,
        )

    def _operation(self) -> str | None:
        text = self.texts.get("operation")
        if text is None:
            return None
        name = _CAPITAL.sub("-", text.strip()).lower()
        return _OLD_OPERATIONS.get(name, name)

    def _failures(self) -> int | None:
        printed = self._count("failures")
        if printed is None and self.failed_because:
            return sum(self.failed_because)
        return printed

    def _count(self, name: str) -> int | None:
        value = self.counts.get(name)
        return None if value is None else int(value)

    def _spread(self, name: str, samples: int | None) -> Spread | None:
        triple = self.spreads.get(name)
        if triple is None or samples == 0 or (samples is None and not any(triple)):
            return None
        return Spread(*triple, samples)

    def _jitter(self, way: str) -> Spread | None:
        # 12.4 has one count for both directions, 15.x one for each.
        samples = self._count(f"jitter_{way}_samples")
        if samples is None:
            samples = self._count("jitter_samples")
        return self._spread(f"jitter_{way}", samples) or self._old_jitter(way)

    def _old_rtt(self) -> Spread | None:
        return _spread_of(
            [self.counts.get("rtt_min")],
            self.counts.get("rtt_avg"),
            [self.counts.get("rtt_max")],
            self._count("rtt_samples"),
        )

    def _old_latency(self, way: str) -> Spread | None:
        samples = self._count("latency_samples")
        mean_ms = self.counts.get(f"owavg{way}")
        sum_ms = self.counts.get(f"owsum{way}")
        if mean_ms is None and sum_ms is not None and samples:
            mean_ms = sum_ms / samples
        smallest, largest = self.counts.get(f"owmin{way}"), self.counts.get(f"owmax{way}")
        return _spread_of([smallest], mean_ms, [largest], samples)

    def _old_jitter(self, way: str) -> Spread | None:
        """Join the growing and the shrinking gaps, which `show rtr` prints separately.

        The mean is over their sizes, like `Source to Destination Jitter Avg` of later trains.
        """
        signs = [
            sign for sign in ("positives", "negatives") if self.counts.get(f"numof{sign}{way}") != 0
        ]
        numbers = [self.counts.get(f"numof{sign}{way}") for sign in signs]
        sums = [self.counts.get(f"sumof{sign}{way}") for sign in signs]
        samples, sum_ms = _total(numbers), _total(sums)
        if not samples or sum_ms is None:
            return None
        return _spread_of(
            [self.counts.get(f"minof{sign}{way}") for sign in signs],
            sum_ms / samples,
            [self.counts.get(f"maxof{sign}{way}") for sign in signs],
            int(samples),
        )


def _known(text: str | None) -> str | None:
    return None if text in (None, "", "Unknown") else text


def _total(values: list[float | None]) -> float | None:
    printed = [value for value in values if value is not None]
    return sum(printed) if printed and len(printed) == len(values) else None


def _spread_of(
    smallest: list[float | None],
    mean_ms: float | None,
    largest: list[float | None],
    samples: int | None,
) -> Spread | None:
    low = [value for value in smallest if value is not None]
    high = [value for value in largest if value is not None]
    if not samples or mean_ms is None or not low or not high:
        return None
    return Spread(float(min(low)), float(mean_ms), float(max(high)), samples)
