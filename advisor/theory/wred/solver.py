"""WRED and TCP on one interface: shares, drops and delay of every group, with their ranges.

`solve_wred` runs the interface packet by packet. Numbers in, numbers out: `advisor.predict`
translates the configuration of a router.
"""

from collections.abc import Sequence
from functools import lru_cache

from advisor.theory.interface import Interface, Saturated
from advisor.theory.wred.forecast import forecast
from advisor.theory.wred.interface import (
    TcpFlows,
    Unresponsive,
    WredClass,
    WredForecast,
    WredModelError,
)
from advisor.theory.wred.runs import FULL, Effort, replications
from advisor.theory.wred.view import views_of

_SOLUTIONS = 512  # of a sweep


def solve_wred(
    line: Interface, classes: Sequence[WredClass], effort: Effort = FULL
) -> WredForecast:
    """Shares, loss and delay of TCP and unresponsive groups behind one interface.

    Parameters
    ----------
    line : Interface
        Wire, ring, shaper and fragments; the classes bring its queues and traffic.
    classes : sequence of WredClass
        The LLQ and the CBWFQ classes, or the only queue; each with at least one group.
    effort : Effort
        How long to run it: a brief run has wider ranges.

    Returns
    -------
    WredForecast
        In the order given.

    Raises
    ------
    WredModelError
        If a rate, window, count or threshold can describe no interface.

    Notes
    -----
    NewReno flows, WRED, CBWFQ and the transmit ring packet by packet (`theory/kernel`), in
    replications that are measured until shares, delays and losses are known. Not modelled: delayed
    acknowledgements, SACK, ECN. The same numbers give the same answer on every machine.
    """
    _check(line, classes)
    return _solved(line, tuple(classes), effort)


@lru_cache(maxsize=_SOLUTIONS)
def _solved(line: Interface, classes: tuple[WredClass, ...], effort: Effort) -> WredForecast:
    return forecast(views_of(line, classes, replications(line, classes, effort)))


def _check(line: Interface, classes: Sequence[WredClass]) -> None:
    if line.rate_bps <= 0 or line.ring.limit < 1:
        raise WredModelError("the rate must be above 0 and the ring hold at least 1 packet")
    if not classes:
        raise WredModelError("there is no class")
    for wred_class in classes:
        if not wred_class.groups:
            raise WredModelError(f"class {wred_class.name}: there is no traffic in it")
        if wred_class.queue.share_percent <= 0 or wred_class.queue.limit_packets < 1:
            raise WredModelError(f"class {wred_class.name}: weight and queue-limit must be above 0")
        if wred_class.exponent is not None and not 1 <= wred_class.exponent <= 16:  # noqa: PLR2004
            raise WredModelError(
                f"class {wred_class.name}: exponent {wred_class.exponent}, must be 1 to 16"
            )
        for group in wred_class.groups:
            _check_group(wred_class.name, group)


def _check_group(class_name: str, group: TcpFlows | Unresponsive) -> None:
    place = f"class {class_name}, group {group.name}"
    if isinstance(group, TcpFlows):
        counts = (group.flows, group.receiver_window_packets, group.initial_window_packets)
        if min(counts) < 1 or group.base_rtt_ms <= 0 or group.minimum_rto_ms <= 0:
            raise WredModelError(f"{place}: flows, windows, RTT and RTO must be above 0")
    elif group.packets_per_second <= 0 and not isinstance(group.arrival, Saturated):
        raise WredModelError(f"{place}: packets per second must be above 0")
    if group.packet_bytes < 1:
        raise WredModelError(f"{place}: packets of {group.packet_bytes} bytes")
    profile = group.profile
    if profile is None:
        return
    if not 0 <= profile.min_threshold_packets <= profile.max_threshold_packets:
        raise WredModelError(f"{place}: thresholds must be min <= max, and not below 0")
    if profile.mark_probability_denominator < 1:
        raise WredModelError(f"{place}: the denominator must be at least 1")
