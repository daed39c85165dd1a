"""IP SLA probes (`ip sla N`, `ip sla monitor N`, `rtr N`)."""

from msgspec import Struct

from advisor.facts.stated import Stated
from advisor.ios.syntax.tree import Location


class SlaProbe(Struct, frozen=True):
    """A configured probe; its history options are kept as text.

    `codec` is the codec that udp-jitter simulates, `codec_bytes` its payload.
    """

    number: int
    operation: str | None  # "icmp-jitter", "udp-jitter", "icmp-echo", …
    destination: str | None
    destination_port: int | None
    timeout_ms: Stated[float] | None
    threshold_ms: Stated[float] | None
    frequency_s: Stated[float] | None
    tos: Stated[int] | None
    request_bytes: Stated[int] | None
    packets: int | None
    interval_ms: float | None
    codec: str | None
    codec_bytes: int | None
    options: tuple[Stated[str], ...]
    at: Location
