"""Interfaces that no formula covers: every class from the packets that the kernel sends."""

from collections.abc import Sequence

from msgspec.structs import replace

from advisor.theory.case import Case
from advisor.theory.flows import Flow
from advisor.theory.interface import ClassResult, Delay, Regime, Weakness
from advisor.theory.kernel.machine import Extent
from advisor.theory.kernel.results import Measured, measure
from advisor.theory.results import result
from advisor.theory.shaped_bounds import bound_ms

# Numeric: replications give the sampling error; the run ends when it is small, or at 0.2 s.
_EXTENT = Extent(
    replications=24,
    warm_steps=3000,
    measured_steps=1500,
    enough_steps=400_000,
    most_steps=2_000_000,
)
_FILLS = 4  # times what all arrivals of a queue would need to fill it
_STEPS_A_PACKET = 2  # it comes, and it enters the ring
_MOST_WARM = 30_000
_RINGS = 4  # packets that come and enter: two rings full
_TARGET = 0.01  # of the mean, two standard errors
_FEWEST = 100  # packets that show a delay


def solve(case: Case, regime: Regime, samples: int) -> dict[str, ClassResult]:  # noqa: ARG001
    """Results of every class by the name of its traffic.

    Raises
    ------
    TooLargeError
        If the kernel has no memory for the queues.
    """
    flows = case.flows
    targets = [0.0 if flow.packets_per_ms is None else _TARGET for flow in flows]
    rows = measure(case.interface, flows, _extent(case), targets, {})
    return {
        flow.traffic.name: _result(case, flow, regime, row)
        for flow, row in zip(flows, rows, strict=True)
    }


def _extent(case: Case) -> Extent:
    """Long enough to fill the ring some times over, and a queue offered more than its part."""
    per_ms: dict[str, float] = {}
    for flow in case.flows:
        name = flow.queue.name
        per_ms[name] = per_ms.get(name, 0.0) + (flow.packets_per_ms or 0.0)
    limits = {flow.queue.name: flow.queue.limit_packets for flow in case.flows}
    fill_ms = max((limits[name] / rate for name, rate in per_ms.items() if rate), default=0.0)
    fill_steps = round(_FILLS * fill_ms * _STEPS_A_PACKET * sum(per_ms.values()))
    ring_steps = _RINGS * case.interface.ring.limit
    return replace(
        _EXTENT,
        warm_steps=min(_MOST_WARM, max(_EXTENT.warm_steps, fill_steps)) + ring_steps,
        measured_steps=_EXTENT.measured_steps + ring_steps,
    )


def _result(case: Case, flow: Flow, regime: Regime, row: Measured) -> ClassResult:
    enough = row.packets >= _FEWEST
    delay = Delay(row.mean_ms, row.p50_ms, row.p95_ms, row.p99_ms, row.ipdv_ms)
    return result(
        flow,
        delay if enough else Delay(0.0, 0.0, 0.0, 0.0, 0.0),
        regime,
        case.interface.rate_bps,
        bound_ms=bound_ms(case, flow),
        loss_ratio=row.loss_ratio,
        carried=row.carried,
        wider=2 * row.deviation_ms / row.mean_ms if enough else 0.0,
        also_ms=_drift_ms(row) if enough else (),
        weak=_weak(flow, enough=enough),
    )


def _drift_ms(row: Measured) -> Sequence[float]:
    """Where the mean moves from the first to the second half of the time, and as far again."""
    return (row.late_ms, max(2 * row.late_ms - row.early_ms, 0.0))


def _weak(flow: Flow, *, enough: bool) -> tuple[Weakness, ...]:
    if not enough:
        return (Weakness.UNSAMPLED,)
    return (Weakness.CLOSED,) if flow.packets_per_ms is None else ()
