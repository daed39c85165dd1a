"""The measurements of an IP SLA operation."""

from msgspec import Struct

from advisor.ios.syntax.tree import Location


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
