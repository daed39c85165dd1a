"""Interfaces for the tests of the formulas: an LLQ above one lower queue, sizes without overhead."""

from advisor.model import (
    Arrival,
    Framing,
    Interface,
    Periodic,
    Poisson,
    Queue,
    QueueKind,
    RingUnit,
    Saturated,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.analytic import Answer, Outside, Result, answer

RATE_BPS = 1_000_000.0  # 1 byte takes 0.008 ms
VOICE_BYTES, DATA_BYTES = 125, 1250  # 1 and 10 ms
VOICE_MS, DATA_MS = 1.0, 10.0


def sizes(*pairs: tuple[int, float]) -> SizeMix:
    return SizeMix(pairs)


def voice(arrival: Arrival, streams: int = 1, size: int = VOICE_BYTES) -> Traffic:
    return Traffic("voice", "voice", arrival, sizes((size, 1.0)), streams)


def data(arrival: Arrival | None = None, *pairs: tuple[int, float]) -> Traffic:
    mix = sizes(*(pairs or ((DATA_BYTES, 1.0),)))
    return Traffic("data", "data", arrival or Saturated(), mix)


def interface(
    *traffic: Traffic,
    ring: int = 1,
    unit: RingUnit = RingUnit.PACKETS,
    limit: int = 64,
    beside_wire: int = 0,
) -> Interface:
    return Interface(
        RATE_BPS,
        Framing(0),
        TxRing(ring, unit, beside_wire=beside_wire),
        (
            Queue("voice", QueueKind.PRIORITY),
            Queue("data", QueueKind.CLASS_DEFAULT, limit_packets=limit),
        ),
        traffic,
    )


def fifo(*traffic: Traffic, limit: int = 300) -> Interface:
    queued = tuple(
        Traffic(item.name, "fifo", item.arrival, item.sizes, item.streams) for item in traffic
    )
    queue = Queue("fifo", QueueKind.FIFO, limit_packets=limit)
    return Interface(RATE_BPS, Framing(0), TxRing(1), (queue,), queued)


def poisson(load: float, packet_ms: float) -> Poisson:
    return Poisson(1000 * load / packet_ms)


def every(period_ms: float, jitter_ms: float = 0.0) -> Periodic:
    return Periodic(1000 / period_ms, jitter_ms)


def of(case: Interface, name: str = "voice") -> Result:
    found: dict[str, Answer] = {item.name: item for item in answer(case)}
    result = found[name]
    assert isinstance(result, Result), result
    return result


def outside(case: Interface, name: str = "voice") -> str:
    found = {item.name: item for item in answer(case)}[name]
    assert isinstance(found, Outside), found
    return found.why
