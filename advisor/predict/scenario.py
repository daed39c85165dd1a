"""Predicts scenarios: every class, or every group of TCP and WRED, in rows of figures."""

from collections.abc import Iterator
from math import isfinite

from msgspec import Struct
from msgspec.structs import asdict

from advisor.ground.units import bps_from_bytes, kbps_from_bps, ms_from_s
from advisor.model import Interface, QueueKind, Tcp
from advisor.predict.scenario_interface import interface_of
from advisor.settings.scenario import Scenario
from advisor.theory import wred
from advisor.theory.regimes import weak_words
from advisor.theory.solution import (
    MOST_LLQ_LOAD,
    SAMPLED,
    ClassResult,
    ModelError,
    Regime,
    Weakness,
)
from advisor.theory.solver import solve
from advisor.theory.wred.solver import solve_wred

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
    ipdv_method: str
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
        return rows_of(scenario.id, solve(open_interface_of(scenario)).classes)
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
        ipdv_method=result.ipdv_method,
        weak=weak_words(result.weak or (() if is_seen else (Weakness.UNSAMPLED,))),
    )


def open_interface_of(scenario: Scenario) -> Interface:
    """The interface of a scenario whose traffic does not react to loss.

    Raises
    ------
    NotModelledError
        If traffic reacts to loss (TCP) or meets WRED, or ring, queues or traffic are larger than
        is solved.
    """
    interface = interface_of(scenario)
    if any(isinstance(traffic.arrival, Tcp) for traffic in interface.traffic):
        raise NotModelledError("traffic: TCP that reacts to loss is not predicted")
    for queue in interface.queues:
        if queue.wred is not None and interface.offered_to(queue):
            raise NotModelledError(f"queue {queue.name}: wred is not predicted")
    if why := next(_too_large(interface), None):
        raise NotModelledError(why)
    return interface


def _too_large(interface: Interface) -> Iterator[str]:
    """Inputs that need minutes and memory: the work grows with the square of ring and queue."""
    if interface.ring.limit > MOST_RING:
        yield f"tx_ring.limit: deeper than is solved ({MOST_RING})"
    for queue in interface.queues:
        if queue.limit_packets > MOST_PLACES:
            yield f"queue {queue.name}: queue_limit_packets over what is solved ({MOST_PLACES})"
    for traffic in interface.traffic:
        if traffic.streams > MOST_STREAMS:
            yield f"class {traffic.name}: more streams than are solved ({MOST_STREAMS})"
    llq_bps = sum(
        bps_from_bytes(traffic.sizes.mean_bytes * traffic.packets_per_s, ms_from_s(1))
        for queue in interface.queues
        if queue.kind is QueueKind.PRIORITY
        for traffic in interface.offered_to(queue)
    )
    if llq_bps > MOST_LLQ_LOAD * interface.rate_bps:
        yield f"the LLQ is offered more than {MOST_LLQ_LOAD:g} times the link"


# Groups of TCP and WRED.


class GroupRow(Struct, frozen=True):
    """Prediction for one group of one scenario; None where there is no such figure.

    `share` is a ratio of the wire bytes of all TCP groups, None for traffic that is not TCP.
    `mean_aqs_packets` is the average queue size of the group's class, None without WRED.
    `converged` is False if replications do not agree: use only the interval. Every figure is
    sampled, which is its `method`.
    """

    scenario_id: str
    group: str
    share: float | None
    share_low: float | None
    share_high: float | None
    mean_ms: float | None
    mean_low_ms: float | None
    mean_high_ms: float | None
    loss_ratio: float | None
    mean_aqs_packets: float | None
    regimes: tuple[wred.Regime, ...]
    converged: bool
    method: str = SAMPLED


def predict_wred_scenario(scenario: Scenario) -> tuple[GroupRow, ...]:
    """Predict every group of a scenario of TCP or WRED, in the order of its traffic.

    Raises
    ------
    NotModelledError
        If the interface or its traffic is of a kind that the model has no answer to.
    """
    interface, forecast = solved_scenario(scenario)
    groups = {group.name: group for group in forecast.groups}
    classes = {queue.name: queue for queue in forecast.classes}
    rows = []
    for traffic in interface.traffic:
        group, class_forecast = groups[traffic.name], classes[traffic.queue]
        share, aqs = group.share, class_forecast.aqs_packets
        rows.append(
            GroupRow(
                scenario.id,
                group.name,
                share=_finite(share.estimate) if share else None,
                share_low=_finite(share.low) if share else None,
                share_high=_finite(share.high) if share else None,
                mean_ms=_finite(group.mean_ms.estimate),
                mean_low_ms=_finite(group.mean_ms.low),
                mean_high_ms=_finite(group.mean_ms.high),
                loss_ratio=_finite(group.loss_ratio.estimate),
                mean_aqs_packets=_finite(aqs.estimate) if aqs else None,
                regimes=class_forecast.regimes,
                converged=forecast.converged,
            )
        )
    return tuple(rows)


def solved_scenario(scenario: Scenario) -> tuple[Interface, wred.WredForecast]:
    """The interface of a scenario of TCP or WRED, and what becomes of its traffic.

    Raises
    ------
    NotModelledError
        If the interface or its traffic is of a kind that the model has no answer to.
    """
    interface = interface_of(scenario)
    for traffic in interface.traffic:
        if isinstance(traffic.arrival, Tcp) and traffic.arrival.delayed_ack:
            raise NotModelledError(f"group {traffic.name}: delayed_ack is not predicted")
    try:
        return interface, solve_wred(interface)
    except ModelError as error:
        raise NotModelledError(str(error)) from error


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and isfinite(value) else None
