"""Follows policies in policies: the branch that queues, and the shapers around it."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.facts.config import Facts
from advisor.facts.policy import Police, PolicyClass, PolicyMap, Shape
from advisor.ground.units import ratio_from_percent

# Policies in policies: which one queues, and the shaper that is in force around it.
#
# IOS nests three levels: a shaper for all, a parent with a class for each customer, and a child
# that queues. Source: Cisco IOS XE 16.11 MQC guide, "3-Level User-Defined Queuing Policy";
# percentages of a child are of the parent's shape rate by a printout of its classes (99872 kb/s:
# 1 % is 998).

MOST_LEVELS = 3
_PEAK_DEFAULT = 2.0  # Be is Bc by default


class CarrierShaper(Struct, frozen=True):
    """The shaper in force before a queue.

    `shape` is its statement, None for the CIR of a circuit. `share` is its part of the line, where
    only percentages lead to it.
    """

    rate_bps: float
    shape: Shape | None = None
    share: float | None = None


class Branch(Struct, frozen=True):
    """A policy that queues, with the shaper around it and its path below the attached policy.

    `policed` is a policer of a class around it that drops: it meters what the policy queues.
    """

    queueing: PolicyMap
    shaper: CarrierShaper | None
    path: str = ""
    policed: Police | None = None


def shaped_bps(shape: Shape, base_bps: float | None) -> float | None:
    """Highest lasting rate that a shaper lets pass; None for a percentage of an unknown base.

    `shape peak` sends CIR x (1 + Be / Bc), twice the CIR by default. Source: Cisco IOS QoS Command
    Reference, shape (percent) and shape (policy-map class).
    """
    rate_bps = shape.rate_bps
    if rate_bps is None:
        share = shaped_share(shape)
        return None if share is None or base_bps is None else base_bps * share
    return rate_bps * peak_factor(shape)


def shaped_share(shape: Shape) -> float | None:
    """Part of its base that a shaper in percent lets pass; None for one in bit/s."""
    if shape.rate_bps is not None or shape.percent is None:
        return None
    return ratio_from_percent(shape.percent) * peak_factor(shape)


def peak_factor(shape: Shape) -> float:
    """Part of its stated rate that a shaper sends: 1, or more for `shape peak`."""
    if shape.mode != "peak":
        return 1.0
    bc = shape.bc_bits if shape.bc_bits is not None else shape.bc_ms
    be = shape.be_bits if shape.be_bits is not None else shape.be_ms
    return 1 + be / bc if bc and be is not None else _PEAK_DEFAULT


def branches(
    facts: Facts, policy: PolicyMap, outer: CarrierShaper | None, base_bps: float | None
) -> Iterator[Branch]:
    """The policies that queue under an attached policy, in document order.

    A policy queues itself where no class of it has a child, or where it also has a priority class.

    Parameters
    ----------
    facts : Facts
        Where the children are looked up.
    policy : PolicyMap
        The attached policy.
    outer : Shaper or None
        A shaper of the circuit around it.
    base_bps : float or None
        The base of percentages where no shaper is around the policy.
    """
    yield from _below(facts, Branch(policy, outer), base_bps, MOST_LEVELS)


def _below(facts: Facts, around: Branch, base_bps: float | None, levels: int) -> Iterator[Branch]:
    policy = around.queueing
    only = policy.classes[0] if len(policy.classes) == 1 else None
    children = [
        (policy_class, facts.policy_map(policy_class.child.value))
        for policy_class in policy.classes
        if policy_class.child
    ]
    nested = [(policy_class, child) for policy_class, child in children if child is not None]
    has_priority = any(policy_class.priority is not None for policy_class in policy.classes)
    if not nested or has_priority or levels == 1:
        shaper = around.shaper
        if only is not None and only.is_default:
            shaper = _inner(shaper, only, base_bps)
        yield Branch(policy, shaper, around.path, around.policed)
    for policy_class, child in nested if levels > 1 else ():
        step = f" > {policy.path_of(policy_class.name)}"
        path = around.path if only is not None else around.path + step
        shaper = _inner(around.shaper, policy_class, base_bps)
        own = policy_class.police
        policed = own if own is not None and own.drops else around.policed
        yield from _below(facts, Branch(child, shaper, path, policed), base_bps, levels - 1)


def _inner(
    outer: CarrierShaper | None, policy_class: PolicyClass, base_bps: float | None
) -> CarrierShaper | None:
    """The shaper in force in a class: its own, or that around it where that one is slower."""
    shape = policy_class.shape
    rate_bps = None
    if shape is not None:
        rate_bps = shaped_bps(shape, outer.rate_bps if outer is not None else base_bps)
    if shape is None or rate_bps is None:
        return outer
    if outer is not None and outer.rate_bps < rate_bps:
        return outer
    share = shaped_share(shape)
    if outer is not None:
        share = share * outer.share if share is not None and outer.share is not None else None
    return CarrierShaper(rate_bps, shape, share)


def ceiling_bps(
    policy: PolicyMap, outer: CarrierShaper | None, base_bps: float | None
) -> float | None:
    """Rate that an attached policy lets pass: the sum where every class has a shaper, or the CIR.

    None where some packets are not shaped.
    """
    base_bps = outer.rate_bps if outer is not None else base_bps
    rates = [
        None if policy_class.shape is None else shaped_bps(policy_class.shape, base_bps)
        for policy_class in policy.classes
    ]
    known = [rate for rate in rates if rate is not None]
    covered = any(policy_class.is_default for policy_class in policy.classes)
    total_bps = sum(known) if covered and len(known) == len(rates) else None
    if outer is None:
        return total_bps
    return outer.rate_bps if total_bps is None else min(outer.rate_bps, total_bps)
