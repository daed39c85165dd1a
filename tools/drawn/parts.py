"""Parts of a drawn scenario: line, ring, packet sizes, arrivals at a wanted load."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeAlias

from msgspec import Struct

from advisor.ground.units import bps_from_bytes, bps_from_kbps, ms_from_s

Json: TypeAlias = dict[str, Any]

RATES_KBPS = (
    *(56, 64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048),
    *(3000, 4096, 8000, 10_000, 20_000, 34_000, 45_000, 100_000),
)
FAST_KBPS = 3000  # from here Ethernet is among the lines, and rings are long
IMIX: Json = {"distribution": "discrete", "bytes_and_weights": [[40, 7], [576, 4], [1500, 1]]}
MIX: Json = {"distribution": "discrete", "bytes_and_weights": [[64, 2], [1500, 3]]}
SMALL: Json = {"distribution": "uniform_integer", "min_bytes": 40, "max_bytes": 800}
WIDE: Json = {"distribution": "uniform_integer", "min_bytes": 64, "max_bytes": 1500}


def fixed(size_bytes: int) -> Json:
    """Packets of one size."""
    return {"distribution": "fixed", "bytes": size_bytes}


# As often as in the wide set.
DATA_SIZES = (
    *(fixed(300), fixed(300), fixed(576), fixed(576), fixed(1000)),
    *(fixed(1500), fixed(1500), fixed(1500), fixed(1500)),
    *(IMIX, IMIX, IMIX, MIX, MIX, SMALL, SMALL, WIDE),
)
# For the named kinds of the wide set, which have the lines of branches more often.
KIND_SIZES = (fixed(1500), fixed(1500), fixed(1500), fixed(1000), IMIX, IMIX, SMALL)
KIND_RATES_KBPS = (
    64,
    128,
    256,
    384,
    512,
    512,
    512,
    768,
    1024,
    1024,
    1024,
    2048,
    2048,
    4096,
    10_000,
)
CODECS = ((50.0, 60), (50.0, 100), (50.0, 200), (33.3333, 64))  # packets/s, IP bytes
KIND_CODECS = ((50.0, 60), (50.0, 60), (50.0, 60), (50.0, 200))
_SATURATED_BACKLOG = 20
_MOST_STREAMS = 200
_CELL_BYTES, _PAYLOAD_BYTES, _TRAILER_BYTES = 53, 48, 8


class Line(Struct, frozen=True):
    """The wire of a scenario, and the ring before it."""

    rate_kbps: int
    encapsulation: str
    overhead_bytes: int
    cells: bool
    ring_unit: str
    ring_limit: int
    fragment_bytes: int | None = None

    def wire_bytes(self, ip_bytes: float) -> float:
        """Bytes of a whole packet on the wire."""
        framed = ip_bytes + self.overhead_bytes
        if not self.cells:
            return framed
        return _CELL_BYTES * -(-(framed + _TRAILER_BYTES) // _PAYLOAD_BYTES)

    def packets_per_second(self, load: float, sizes: Json) -> float:
        """Packets per second that load the line so much, fragments left out."""
        weighted = _pairs(sizes)
        weight = sum(part for _, part in weighted)
        mean_bytes = sum(self.wire_bytes(size) * part for size, part in weighted) / weight
        return load * bps_from_kbps(self.rate_kbps) / bps_from_bytes(mean_bytes, ms_from_s(1))

    def parts(self) -> Json:
        """The keys of a scenario that describe it."""
        fragmentation = None
        if self.fragment_bytes is not None:
            fragmentation = {
                "fragment_ip_bytes": self.fragment_bytes,
                "overhead_bytes_per_fragment": 11,
            }
        return {
            "link": {
                "rate_kbps": self.rate_kbps,
                "encapsulation": self.encapsulation,
                "l2_overhead_bytes_per_packet": self.overhead_bytes,
                "atm_cell_tax": self.cells,
            },
            "tx_ring": {"unit": self.ring_unit, "limit": self.ring_limit},
            "fragmentation": fragmentation,
        }


def _pairs(sizes: Json) -> Sequence[Sequence[float]]:
    match sizes["distribution"]:
        case "fixed":
            return [[sizes["bytes"], 1]]
        case "discrete":
            pairs: Sequence[Sequence[float]] = sizes["bytes_and_weights"]
            return pairs
        case _:
            return [[size, 1] for size in range(sizes["min_bytes"], sizes["max_bytes"] + 1)]


def log_uniform(random: Random, low: float, high: float) -> float:
    """A draw whose logarithm is uniform."""
    return float(low * (high / low) ** random.random())


def drawn_line(random: Random, *, lfi: bool = False, cells: bool | None = None) -> Line:
    """Any line: 56 kb/s to 100 Mb/s, rings of 1 to 256, in packets or particles."""
    if lfi:
        rate_kbps = random.choice((64, 128, 192, 256, 384, 768))
        fragment = random.choice((80, 160, 240, 320, 480, 640))
        limit = round(log_uniform(random, 1, 5))
        return Line(rate_kbps, "mlppp", 7, cells=False, ring_unit="packets", ring_limit=limit,
                    fragment_bytes=fragment)  # fmt: skip
    rate_kbps = random.choice(RATES_KBPS)
    can_be_cells = 256 <= rate_kbps <= 34_000  # DSL to E3
    is_cells = can_be_cells and random.random() < 0.25 if cells is None else cells
    if is_cells:
        encapsulation = random.choice(("aal5snap", "aal5mux"))
        overhead_bytes = 8 if encapsulation == "aal5snap" else 0
        if not can_be_cells:
            rate_kbps = 1024
    elif rate_kbps >= FAST_KBPS and random.random() < 0.4:
        encapsulation, overhead_bytes = "ethernet", 38
    else:
        encapsulation, overhead_bytes = random.choice(("hdlc", "ppp", "frame-relay")), 7
    unit = "particles" if is_cells or random.random() < 0.07 else "packets"
    return Line(
        rate_kbps, encapsulation, overhead_bytes, is_cells, unit, _ring(random, rate_kbps, unit)
    )


def kind_line(random: Random, *, cells: bool = False) -> Line:
    """A line of a named kind: most of branches, with a short ring."""
    rate_kbps = random.choice(KIND_RATES_KBPS)
    if cells:
        limit = round(log_uniform(random, 1, 64))
        return Line(max(rate_kbps, 256), "aal5snap", 8, True, "particles", limit)  # noqa: FBT003
    limit = round(log_uniform(random, 1, 128 if random.random() < 0.1 else 16))
    return Line(rate_kbps, "ppp", 7, False, "packets", limit)  # noqa: FBT003


def _ring(random: Random, rate_kbps: float, unit: str) -> int:
    """Short rings everywhere; long ones where the line is fast enough for them to matter less."""
    if rate_kbps >= FAST_KBPS:
        return round(log_uniform(random, 1, 256))
    most = 12 if random.random() < 0.4 else 64
    return round(log_uniform(random, 1, 3 * most if unit == "particles" else most))


def traffic(
    name: str,
    queue: str,
    arrival: Json,
    sizes: Json,
    *,
    streams: int = 1,
    conversations: int = 1,
) -> Json:
    """One entry of traffic."""
    return {
        "class": name,
        "queue": queue,
        "arrival": arrival,
        "ip_packet_bytes": sizes,
        "independent_identical_streams": streams,
        "conversations_per_stream": conversations,
    }


def saturated() -> Json:
    """A source that always keeps packets waiting."""
    return {"process": "saturated", "backlog_packets_kept_in_queue": _SATURATED_BACKLOG}


def arrival_of(random: Random, kind: str, per_second: float) -> tuple[Json, int]:
    """Arrivals of a kind at a rate of all streams together, and the number of streams."""
    match kind:
        case "poisson":
            streams = random.choice((1, 1, 5))
            return {"process": "poisson", "packets_per_second": per_second / streams}, streams
        case "cbr":
            streams = random.choice((1, 3, 8, 20))
            jitter_ms = random.choice((0.0, 0.0, 2.0, 10.0))
            rate = per_second / streams
            return {
                "process": "cbr", "packets_per_second": rate, "uniform_jitter_ms": jitter_ms,
            }, streams  # fmt: skip
        case "bursts":
            return bursts(random, per_second), 1
        case _:
            return _on_off(random, per_second)


def bursts(random: Random, per_second: float) -> Json:
    """Bursts of 2 to 20 packets, at once or spaced."""
    packets = random.choice((2, 4, 8, 8, 20))
    return {
        "process": "poisson_bursts",
        "bursts_per_second": per_second / packets,
        "packets_per_burst": packets,
        "spacing_within_burst_ms": random.choice((0.05, 0.1, 1.0)),
    }


def _on_off(random: Random, per_second: float) -> tuple[Json, int]:
    streams = random.choice((1, 2, 4, 10, 10))
    cycle_ms, duty = log_uniform(random, 100, 3500), random.choice((0.2, 0.4, 0.6))
    return {
        "process": "on_off",
        "packets_per_second_while_on": per_second / streams / duty,
        "mean_on_ms": round(cycle_ms * duty),
        "mean_off_ms": round(cycle_ms * (1 - duty)),
    }, streams


def calls(random: Random, line: Line, load: float) -> tuple[Json, float]:
    """Calls of one codec that load the line about so much, and the load that they are."""
    jitter_ms = random.choice((0.0, 1.0, 1.0, 1.0, 5.0, 15.0))
    return _calls(line, load, random.choice(CODECS), jitter_ms)


def kind_calls(random: Random, line: Line, load: float) -> tuple[Json, float]:
    """The calls of a named kind: G.729 or G.711, little jitter."""
    return _calls(line, load, random.choice(KIND_CODECS), 1.0)


def _calls(
    line: Line, load: float, codec: tuple[float, int], jitter_ms: float
) -> tuple[Json, float]:
    per_second, size_bytes = codec
    one_load = 1 / line.packets_per_second(1.0, fixed(size_bytes)) * per_second
    if one_load > 0.85:  # slow lines carry the small codec alone
        per_second, size_bytes = CODECS[0]
        one_load = 1 / line.packets_per_second(1.0, fixed(size_bytes)) * per_second
    count = min(_MOST_STREAMS, max(1, round(load / one_load)))
    arrival = {
        "process": "cbr", "packets_per_second": per_second, "uniform_jitter_ms": jitter_ms,
    }  # fmt: skip
    return traffic("voice", "voice", arrival, fixed(size_bytes), streams=count), count * one_load
