"""What an IP SLA operation measured."""

from msgspec import Struct

from advisor.ios.syntax.tree import Location


class Spread(Struct, frozen=True):
    """Smallest, mean and largest of measured times; `samples` is None where none is printed."""

    minimum_ms: float
    mean_ms: float
    maximum_ms: float
    samples: int | None


class SlaLoss(Struct, frozen=True):
    """Probe packets that did not come back as they should; None where not printed.

    `lost_packets` are those whose direction is not known: icmp-jitter cannot tell.
    """

    source_to_destination_packets: int | None = None
    destination_to_source_packets: int | None = None
    lost_packets: int | None = None
    out_of_sequence_packets: int | None = None
    tail_dropped_packets: int | None = None
    late_packets: int | None = None
    skipped_packets: int | None = None


class SlaResult(Struct, frozen=True):
    """Statistics of one operation: of its latest run, or aggregated over an hour.

    `operation` is spelled as in a configuration of today (`icmp-jitter`), None where not printed.
    A spread is None where it has no samples: the 0/0/0 that IOS prints then is no measurement.
    `started` is the time that IOS prints for the run or the hour, as printed. `at` is the line
    that names the operation.
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
