"""Converts a scenario to the model's interface, and the model's results to rows."""

from collections.abc import Iterator, Sequence
from math import isfinite

from msgspec import Struct
from msgspec.structs import asdict, replace

from advisor import model
from advisor.model import Interface
from advisor.model.wire import Framing
from advisor.predict.scenario_queues import model_queues, model_shaper
from advisor.settings import scenario as scenarios
from advisor.settings.scenario import Scenario, Stream, TcpGroup
from advisor.theory.regimes import weak_words
from advisor.theory.solution import MOST_LLQ_LOAD, ClassResult, ModelError, Regime, Weakness
from advisor.theory.solver import solve
from advisor.units import (
    bps_from_bytes,
    bps_from_kbps,
    kbps_from_bps,
    ms_from_s,
)

MOST_RING = 65_535  # packets or particles: no IOS takes a longer `tx-ring-limit`
MOST_PLACES = 2048  # packets of a queue
MOST_STREAMS = 1000  # of one class


class NotModelledError(Exception):
    """The model has no answer to a scenario that is well-formed; the message says why."""


class ClassRow(Struct, frozen=True):
    """Prediction for one class of one scenario; None where there is no such figure.

    Delays are one-way, from arrival to the last bit on the wire, of delivered packets.
    `low` and `high` are the ends of a figure's interval. `bound_ms` and `ipdv_bound_ms` are never
    exceeded. `weak` says why the errors may be larger than `regime` implies. `method` is the
    formula of the figures, or "sampled".
    """

    scenario_id: str
    class_name: str
    mean_ms: float | None
    mean_low_ms: float | None
    mean_high_ms: float | None
    p50_ms: float | None
    p50_low_ms: float | None
    p50_high_ms: float | None
    p95_ms: float | None
    p95_low_ms: float | None
    p95_high_ms: float | None
    p99_ms: float | None
    p99_low_ms: float | None
    p99_high_ms: float | None
    bound_ms: float | None
    ipdv_ms: float | None
    ipdv_low_ms: float | None
    ipdv_high_ms: float | None
    ipdv_bound_ms: float | None
    loss_ratio: float | None
    loss_low_ratio: float | None
    loss_high_ratio: float | None
    throughput_wire_kbps: float | None
    throughput_wire_low_kbps: float | None
    throughput_wire_high_kbps: float | None
    regime: Regime
    method: str
    weak: str | None


def predict_scenario(scenario: Scenario) -> tuple[ClassRow, ...]:
    """Predict every class of a scenario, in the order of its traffic.

    Parameters
    ----------
    scenario : Scenario
        The interface, its queues and its traffic.

    Raises
    ------
    NotModelledError
        If traffic reacts to loss (TCP), meets WRED, or is of a kind that the model declines.
    """
    try:
        return rows_of(scenario.id, solve(interface_of(scenario)).classes)
    except ModelError as error:
        raise NotModelledError(str(error)) from error


def rows_of(scenario_id: str, results: tuple[ClassResult, ...]) -> tuple[ClassRow, ...]:
    """Rows of the model's results; a figure that is not finite becomes None."""
    return tuple(_row(scenario_id, result) for result in results)


def _row(scenario_id: str, result: ClassResult) -> ClassRow:
    is_seen = result.delay.mean_ms > 0  # else no packet in the model: it has bounds, and no delay
    ends = ((result.delay, ""), (result.low, "_low"), (result.high, "_high"))
    delays = {
        f"{field.removesuffix('_ms')}{end}_ms": _finite(value) if is_seen else None
        for delay, end in ends
        for field, value in asdict(delay).items()
    }
    return ClassRow(
        scenario_id=scenario_id,
        class_name=result.name,
        **delays,
        bound_ms=_finite(result.bound_ms),
        ipdv_bound_ms=_finite(result.ipdv_bound_ms),
        loss_ratio=_finite(result.loss_ratio),
        loss_low_ratio=_finite(result.loss_low_ratio),
        loss_high_ratio=_finite(result.loss_high_ratio),
        throughput_wire_kbps=_finite(kbps_from_bps(result.throughput_bps)),
        throughput_wire_low_kbps=_finite(kbps_from_bps(result.throughput_low_bps)),
        throughput_wire_high_kbps=_finite(kbps_from_bps(result.throughput_high_bps)),
        regime=result.regime,
        method=result.method,
        weak=weak_words(result.weak or (() if is_seen else (Weakness.UNSAMPLED,))),
    )


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and isfinite(value) else None


def interface_of(scenario: Scenario) -> Interface:
    """The model's interface of a scenario whose traffic does not react to loss.

    Raises
    ------
    NotModelledError
        If traffic reacts to loss (TCP) or meets WRED, or ring, queues or traffic are larger than
        is solved.
    """
    streams = [traffic for traffic in scenario.traffic if isinstance(traffic, Stream)]
    if any(isinstance(traffic, TcpGroup) for traffic in scenario.traffic):
        raise NotModelledError("traffic: TCP that reacts to loss is not predicted")
    for stream in streams:
        queue = scenario.queue_named(stream.queue)
        if scenarios.wred_of(queue) is not None:
            raise NotModelledError(f"queue {queue.name}: wred is not predicted")
    if why := next(_too_large(scenario, streams), None):
        raise NotModelledError(why)
    return replace(
        line_of(scenario),
        queues=model_queues(scenario),
        traffic=tuple(_traffic(stream) for stream in streams),
    )


def line_of(scenario: Scenario) -> Interface:
    """The model's interface of a scenario without queues and traffic."""
    link, ring, cut = scenario.link, scenario.tx_ring, scenario.fragmentation
    return Interface(
        rate_bps=bps_from_kbps(link.rate_kbps),
        framing=Framing(link.l2_overhead_bytes_per_packet, link.atm_cell_tax),
        ring=model.TxRing(
            ring.limit, model.RingUnit(ring.unit), ring.particle_bytes, int(ring.wire_beside_ring)
        ),
        queues=(),
        traffic=(),
        fragmentation=None
        if cut is None
        else model.Fragmentation(cut.fragment_ip_bytes, cut.overhead_bytes_per_fragment),
        shaper=model_shaper(scenario.shape, scenario.link),
        members_bps=tuple(map(bps_from_kbps, link.member_rates_kbps)),
        excess=model.Excess(scenario.excess_bandwidth),
    )


def _too_large(scenario: Scenario, streams: Sequence[Stream]) -> Iterator[str]:
    """Inputs that need minutes and memory: the work grows with the square of ring and queue."""
    if scenario.tx_ring.limit > MOST_RING:
        yield f"tx_ring.limit: deeper than is solved ({MOST_RING})"
    for queue in scenario.queues:
        if queue.queue_limit_packets > MOST_PLACES:
            yield f"queue {queue.name}: queue_limit_packets over what is solved ({MOST_PLACES})"
    for stream in streams:
        if stream.independent_identical_streams > MOST_STREAMS:
            yield f"class {stream.class_name}: more streams than are solved ({MOST_STREAMS})"
    names = {queue.name for queue in scenario.queues if isinstance(queue, scenarios.PriorityQueue)}
    llq_bps = sum(_offered_bps(stream) for stream in streams if stream.queue in names)
    if llq_bps > MOST_LLQ_LOAD * bps_from_kbps(scenario.link.rate_kbps):
        yield f"the LLQ is offered more than {MOST_LLQ_LOAD:g} times the link"


def _offered_bps(stream: Stream) -> float:
    """IP rate of all streams of a class; 0 for a saturated class."""
    match stream.arrival:
        case scenarios.Cbr(rate) | scenarios.Poisson(rate) | scenarios.OnOff(rate):
            per_s = rate
        case scenarios.PoissonBursts(bursts, packets):
            per_s = bursts * packets
        case scenarios.Saturated():
            return 0.0
    pairs = sizes_of(stream.ip_packet_bytes).bytes_and_weights
    mean = sum(size * weight for size, weight in pairs) / sum(weight for _, weight in pairs)
    return bps_from_bytes(mean * per_s * stream.independent_identical_streams, ms_from_s(1))


def _traffic(stream: Stream) -> model.Traffic:
    return model.Traffic(
        stream.class_name,
        stream.queue,
        arrival_of(stream.arrival),
        sizes_of(stream.ip_packet_bytes),
        stream.independent_identical_streams,
        stream.conversations_per_stream,
        stream.precedence,
    )


def arrival_of(arrival: scenarios.Arrival) -> model.Arrival:
    """How the packets of one stream come, in the model's words."""
    match arrival:
        case scenarios.Cbr(rate, jitter_ms):
            return model.Periodic(rate, jitter_ms)
        case scenarios.Poisson(rate):
            return model.Poisson(rate)
        case scenarios.PoissonBursts(bursts, packets, spacing_ms):
            return model.Bursts(bursts, packets, spacing_ms)
        case scenarios.OnOff(peak, on_ms, off_ms):
            return model.OnOff(peak, on_ms, off_ms)
        case scenarios.Saturated(backlog):
            return model.Saturated(backlog)


def sizes_of(sizes: scenarios.Sizes) -> model.SizeMix:
    """The sizes of a stream's packets with their weights."""
    match sizes:
        case scenarios.FixedSize(size):
            return model.SizeMix(((size, 1.0),))
        case scenarios.DiscreteSizes(pairs):
            return model.SizeMix(pairs)
        case scenarios.UniformSizes(least, most):
            return model.SizeMix(tuple((size, 1.0) for size in range(least, most + 1)))
