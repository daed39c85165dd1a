"""The simulation against published figures and exact formulas: what checks the check."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from advisor.ground.units import kbps_from_bps
from advisor.predict.scenario_interface import interface_of
from advisor.settings.scenario import (
    Arrival,
    DefaultQueue,
    ExcessName,
    FifoQueue,
    FixedSize,
    Poisson,
    PriorityQueue,
    Queue,
    Saturated,
    Scenario,
    ScenarioLink,
    ScenarioShaper,
    SchedulerName,
    SharedQueue,
    Stream,
    TxRing,
    WfqQueue,
)
from advisor.simulate import ClassSummary, Estimate, simulate
from tools.validation.markdown import signed, table

_PACKETS, _REPLICATIONS, _SEED = 40_000, 10, 1
_BYTES = 1000  # 8 ms at 1 Mb/s
_PACKET_MS = 8.0
_BACKLOG = Saturated(backlog_packets_kept_in_queue=10)
_FIFO = FifoQueue(name="all", queue_limit_packets=1000)


class Check(Struct, frozen=True):
    """One figure: what is published or proven, and what the simulation gives."""

    name: str
    source: str
    expected: float
    found: Estimate
    unit: str


def checks() -> tuple[Check, ...]:
    """All checks, in the order of the page."""
    return (
        *_excess_by_generation(),
        *_weights_of_precedence(),
        *_shapers(),
        *_priorities(),
    )


def semantics_section(rows: Sequence[Check]) -> str:
    """The table and its words."""
    head = ("figure", "source", "published or exact", "simulated", "95 %", "off")
    return f"""\
## The simulation against published figures and exact formulas

[simulation.md](simulation.md) says what the simulation does. Where somebody has measured it, or a
theorem gives it, the simulation is held against that: {_PACKETS:,} packets in {_REPLICATIONS}
replications, seed {_SEED}.

{table(head, [_cells(row) for row in rows])}"""


def _cells(row: Check) -> tuple[str, ...]:
    value, half_width = row.found.value, row.found.half_width
    spread = "" if half_width is None else f"± {half_width:.3g}"
    return (
        row.name,
        row.source,
        f"{row.expected:.4g} {row.unit}",
        f"{value:.4g}",
        spread,
        signed(value / row.expected - 1),
    )


def _simulated(
    queues: Sequence[Queue],
    arrivals: Sequence[Arrival],
    rate_kbps: float,
    scheduler: SchedulerName,
    *,
    excess: ExcessName = "proportional",
    shape: ScenarioShaper | None = None,
    precedences: Sequence[int] = (),
) -> Sequence[ClassSummary]:
    """Packets of one size; one stream for each arrival, in the queues one after the other."""
    places = [queues[place % len(queues)] for place in range(len(arrivals))]
    scenario = Scenario(
        id="check",
        link=ScenarioLink(rate_kbps=rate_kbps, l2_overhead_bytes_per_packet=0),
        tx_ring=TxRing(unit="packets", limit=1),
        scheduler=scheduler,
        queues=tuple(queues),
        traffic=tuple(
            Stream(
                class_name=f"{queue.name} {place}",
                queue=queue.name,
                arrival=arrival,
                ip_packet_bytes=FixedSize(_BYTES),
                precedence=precedences[place] if precedences else 0,
            )
            for place, (queue, arrival) in enumerate(zip(places, arrivals, strict=True))
        ),
        shape=shape,
        excess_bandwidth=excess,
    )
    return simulate(interface_of(scenario), _PACKETS, _REPLICATIONS, _SEED).classes


def _kbps(result: ClassSummary) -> Estimate:
    rate = result.throughput_wire_bps
    return Estimate(
        kbps_from_bps(rate.value),
        None if rate.half_width is None else kbps_from_bps(rate.half_width),
    )


def _class(name: str, percent: float | None) -> SharedQueue:
    return SharedQueue(name=name, queue_limit_packets=64, bandwidth_percent=percent)


def _excess_by_generation() -> Iterator[Check]:
    measured = "measured, 15.0(1)M: ipSpace 2009/11"
    parts = "arithmetic: minimum and a third of the excess"
    cases: tuple[tuple[str, str, ExcessName, tuple[float, ...]], ...] = (
        ("HQF", measured, "unreserved_first", (418, 613, 997)),
        ("IOS XE", parts, "equal", (400 + 1000 / 3, 600 + 1000 / 3, 1000 / 3)),
    )
    for name, source, excess, expected in cases:
        queues = [_class("20 %", 20), _class("30 %", 30), _class("class-default", None)]
        found = _simulated(queues, [_BACKLOG] * 3, 2000, "cbwfq", excess=excess)
        for queue, rate_kbps, result in zip(queues, expected, found, strict=True):
            title = f"{name}, 2 Mb/s full: {queue.name}"
            yield Check(title, source, rate_kbps, _kbps(result), "kb/s")


def _weights_of_precedence() -> Iterator[Check]:
    queue = WfqQueue(name="all", queue_limit_packets=1000)
    precedences = (0, 1, 3, 5, 7)
    found = _simulated([queue], [_BACKLOG] * len(precedences), 2000, "wfq", precedences=precedences)
    total = sum(precedence + 1 for precedence in precedences)
    for precedence, result in zip(precedences, found, strict=True):
        yield Check(
            f"WFQ, five backlogged conversations: precedence {precedence}",
            "Cisco 110850: weight 32384/(precedence + 1)",
            2000 * (precedence + 1) / total,
            _kbps(result),
            "kb/s",
        )


def _shapers() -> Iterator[Check]:
    for interval_ms in (4, 25, 125):
        shape = ScenarioShaper(rate_kbps=512, committed_burst_bits=512 * interval_ms)
        (result,) = _simulated([_FIFO], [_BACKLOG], 2000, "fifo", shape=shape)
        yield Check(
            f"backlogged shaper of 512 kb/s, Tc {interval_ms} ms",
            "Cisco 12.2 QoS guide: mean rate = Bc/Tc",
            512,
            _kbps(result),
            "kb/s",
        )
    shape = ScenarioShaper(rate_kbps=100, committed_burst_bits=8000, refill="smooth")
    (result,) = _simulated([_FIFO], [Poisson(7.5)], 10_000, "fifo", shape=shape)
    wait_ms = 0.6 * 80 / (2 * (1 - 0.6))
    name = "smooth shaper of one packet, load 0.6: mean delay"
    yield _mean(name, "M/D/1 at the rate of the shaper", wait_ms + _PACKET_MS / 10, result)


def _priorities() -> Iterator[Check]:
    (result,) = _simulated([_FIFO], [Poisson(100)], 1000, "fifo")
    wait_ms = 0.8 * _PACKET_MS / (2 * (1 - 0.8))
    yield _mean("FIFO, load 0.8: mean delay", "M/D/1", wait_ms + _PACKET_MS, result)
    queues: list[Queue] = [
        *(_priority("level 1", 1), _priority("level 2", 2)),
        DefaultQueue(name="class-default", queue_limit_packets=1000, bandwidth_percent=100),
    ]
    found = _simulated(queues, [Poisson(35)] * 3, 1000, "llq+cbwfq")
    load = 35 * _PACKET_MS / 1000
    residual_ms = 3 * load * _PACKET_MS / 2
    for place, (queue, result) in enumerate(zip(queues, found, strict=True)):
        wait_ms = residual_ms / (1 - place * load) / (1 - (place + 1) * load)
        name = f"{queue.name}, load 0.84 in three equal parts: mean delay"
        yield _mean(name, "Cobham 1954", wait_ms + _PACKET_MS, result)


def _priority(name: str, level: int) -> PriorityQueue:
    return PriorityQueue(
        name=name,
        queue_limit_packets=1000,
        priority_kbps=1000,
        burst_bytes=25_000,
        policed_under_congestion=False,
        level=level,
    )


def _mean(name: str, source: str, expected_ms: float, result: ClassSummary) -> Check:
    if result.delay is None:
        raise ValueError(f"{name}: nothing was delivered")
    return Check(name, source, expected_ms, result.delay.mean_ms, "ms")
