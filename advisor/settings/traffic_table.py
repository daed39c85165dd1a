"""The keys of a `[[traffic]]` table and their possible values."""

from typing import Annotated

from msgspec import Meta, Struct, field

from advisor.settings.values import MOST_FLOWS

_LEAST_IP_BYTES, _MAX_IP_BYTES = 20, 65_535  # RFC 791: a header without data; total length
_MAX_TRANSACTION_BYTES = 1_000_000_000

IpBytes = Annotated[int, Meta(ge=_LEAST_IP_BYTES, le=_MAX_IP_BYTES)]
Rate = Annotated[float, Meta(ge=0, le=1e12)]
Packets = Annotated[int, Meta(ge=1, le=1_000_000)]
Duration = Annotated[float, Meta(ge=0, le=60_000)]
LongDuration = Annotated[float, Meta(gt=0, le=86_400_000)]
Rtt = Annotated[float, Meta(gt=0, le=60_000)]


class Share(Struct, frozen=True, forbid_unknown_fields=True):
    """One size of a mix."""

    bytes: IpBytes
    share: Annotated[float, Meta(gt=0, le=1)]


class SizeRange(Struct, frozen=True, forbid_unknown_fields=True):
    """Sizes from `min` to `max` bytes, all equally likely."""

    min: IpBytes
    max: IpBytes


class TrafficTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a table as the user writes them."""

    class_name: str | None = field(name="class", default=None)
    device: str = "*"
    interface: str = "*"
    packet_bytes: IpBytes | tuple[Share, ...] | SizeRange | None = None
    rate_kbps: Rate | None = None
    packets_per_second: Rate | None = None
    streams: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    conversations: Annotated[int, Meta(ge=1, le=MOST_FLOWS)] | None = None
    arrivals: str | None = None
    jitter_ms: Duration | None = None
    burst_packets: Packets | None = None
    burst_spacing_ms: Duration | None = None
    on_ms: LongDuration | None = None
    off_ms: LongDuration | None = None
    backlog_packets: Packets | None = None
    calls: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    codec: str | None = None
    packet_ms: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    dscp: int | str | None = None
    precedence: int | str | None = None
    group: Annotated[str, Meta(min_length=1)] | None = None
    tcp_flows: Annotated[int, Meta(ge=1, le=MOST_FLOWS)] | None = None
    rtt_ms: Rtt | tuple[Rtt, ...] | None = None
    receiver_window_bytes: Annotated[int, Meta(ge=1, le=2**30)] | None = None
    transfer_bytes: Annotated[int, Meta(ge=1, le=2**40)] | None = None
    target_share_percent: Annotated[float, Meta(gt=0, le=100)] | None = None
    ip_sla: bool | None = None
    peak_tps: Rate | None = None
    out_bytes: Annotated[int, Meta(ge=0, le=_MAX_TRANSACTION_BYTES)] | None = None
    in_bytes: Annotated[int, Meta(ge=0, le=_MAX_TRANSACTION_BYTES)] | None = None
    ru_bytes: Annotated[int, Meta(ge=_LEAST_IP_BYTES, le=_MAX_IP_BYTES)] | None = None
