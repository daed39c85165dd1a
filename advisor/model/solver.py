"""Delay, jitter, loss and throughput of every class of one output interface."""

from collections.abc import Sequence
from dataclasses import replace

from advisor.model import below_solver, fifo_solver, full_solver
from advisor.model.case import Case
from advisor.model.flows import Flow, flows_of
from advisor.model.interface import (
    ClassResult,
    Interface,
    ModelError,
    OnOff,
    QueueKind,
    RingUnit,
    Shaper,
    Solution,
    TxRing,
)
from advisor.model.recursion import Places
from advisor.model.ring_full import SAMPLES

FULL_LOAD = 0.995  # from here on the queue of a lower class never empties for long


def solve(interface: Interface, samples: int = SAMPLES) -> Solution:
    """Predict every class of an interface.

    Parameters
    ----------
    interface : Interface
        The interface and what is offered to it.
    samples : int
        Packets of the phase recursion; more of them make the average over phases finer and slower.

    Raises
    ------
    ModelError
        If a class names no queue of the interface, has no sizes or rate, if a priority class is
        on/off, or a queue that is never empty stands where nothing else can be served.
    """
    shaper = interface.shaper
    if shaper is not None and shaper.rate_bps < interface.rate_bps:
        return _shaped(interface, shaper, samples)
    flows = flows_of(interface)
    if not flows:
        return Solution(())
    results = _solve(interface, flows, samples)
    return Solution(tuple(results[flow.traffic.name] for flow in flows))


def _solve(interface: Interface, flows: Sequence[Flow], samples: int) -> dict[str, ClassResult]:
    llq = [flow for flow in flows if flow.priority]
    lower = [flow for flow in flows if not flow.priority]
    if any(flow.queue.kind is QueueKind.FIFO for flow in flows):
        return fifo_solver.solve(interface, flows, samples)
    if any(isinstance(flow.traffic.arrival, OnOff) for flow in llq):
        raise ModelError("on/off traffic in a priority class is not modelled; give its peak as cbr")
    if any(flow.packets_per_ms is None for flow in llq):
        raise ModelError("a priority class that is never empty leaves nothing to the others")
    places = Places(interface.ring.limit, interface.ring.beside_wire, _largest_units(flows))
    if not lower:
        return fifo_solver.alone(interface, llq, samples)
    case = Case(interface, places, tuple(llq), tuple(lower))
    if any(flow.packets_per_ms is None for flow in lower) or case.load >= FULL_LOAD:
        return full_solver.solve(case, samples)
    return below_solver.solve(case, samples)


def _largest_units(flows: Sequence[Flow]) -> int:
    return max(unit for flow in flows for units in flow.piece_units for unit in units)


def _shaped(interface: Interface, shaper: Shaper, samples: int) -> Solution:
    """Behind a shaper below line rate the ring is nearly empty: the queue stands in the shaper.

    The shaper then is the wire, one packet at a time; a packet may find the bucket empty and wait
    up to Tc for its next filling.
    """
    ring = TxRing(1, RingUnit.PACKETS)
    inner = solve(replace(interface, rate_bps=shaper.rate_bps, ring=ring, shaper=None), samples)
    classes = []
    for result in inner.classes:
        bound_ms = None if result.bound_ms is None else result.bound_ms + shaper.interval_ms
        ipdv_ms = (
            None if result.ipdv_bound_ms is None else result.ipdv_bound_ms + shaper.interval_ms
        )
        classes.append(
            replace(
                result,
                mean_high_ms=result.mean_high_ms + shaper.interval_ms,
                bound_ms=bound_ms,
                ipdv_bound_ms=ipdv_ms,
                weak="shaper: the wait for the next Tc is in the upper end and the bound only",
            )
        )
    return Solution(tuple(classes))
