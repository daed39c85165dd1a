"""The rate of a priority class, by its statements and the base of their percentages."""

from advisor.facts.policy import Police, PolicyClass, Unit
from advisor.units import bps_from_kbps, bytes_in_ms, ratio_from_percent

_POLICE_BURST_MS, _LEAST_POLICE_BYTES = 250.0, 1500.0


def priority_rate_bps(policy_class: PolicyClass, base_bps: float | None) -> float | None:
    """Rate that `priority` states; None for `priority` without a rate or an unknown base."""
    priority = policy_class.priority
    if priority is None or priority.amount is None:
        return None
    if priority.unit is Unit.KBPS:
        return bps_from_kbps(priority.amount)
    return None if base_bps is None else base_bps * ratio_from_percent(priority.amount)


def police_rate_bps(police: Police, base_bps: float | None) -> float | None:
    """Rate that `police` states; None without one in bit/s or with an unknown base."""
    if police.rate_bps is not None or police.percent is None:
        return police.rate_bps
    return None if base_bps is None else base_bps * ratio_from_percent(police.percent)


def police_burst_bytes(rate_bps: float) -> float:
    """Burst that IOS takes where `police` states none: 250 ms of the rate, at least 1500 bytes.

    Sources: Cisco LLQ guide; printouts (50 Mb/s: 1562500 bytes).
    """
    return max(bytes_in_ms(rate_bps, _POLICE_BURST_MS), _LEAST_POLICE_BYTES)


def held_rate_bps(policy_class: PolicyClass, base_bps: float | None) -> float | None:
    """Rate that a priority class is held to: that of `priority`, or of its own `police` below it.

    The policer of `priority` meters under congestion, `police` always.
    """
    rate_bps, police = priority_rate_bps(policy_class, base_bps), policy_class.police
    if policy_class.priority is None or police is None:
        return rate_bps
    policed_bps = police_rate_bps(police, base_bps)
    if rate_bps is None or policed_bps is None:
        return rate_bps if policed_bps is None else policed_bps
    return min(rate_bps, policed_bps) if police.drops else rate_bps
