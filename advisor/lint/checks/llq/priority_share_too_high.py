"""A priority queue that takes too much of the link starves and delays all else."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.config import Facts
from advisor.facts.policy import PolicyMap
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.carriers import branches
from advisor.outlet.class_bandwidth import at_link_rate
from advisor.outlet.outlet import held_rate_bps
from advisor.outlet.outlets import policies_out
from advisor.quantity import Basis, Figure, Input, RateKind, exact, plain, rate_text
from advisor.units import kbps_from_bps, percent_from_ratio


class Params(Struct, frozen=True):
    """Largest share of the link rate that priority may reserve, in percent."""

    priority_share_percent: float


class Evidence(Struct, frozen=True):
    """The part of the link that priority reserves."""

    policy_map: str
    priority_kbps: str
    link_kbps: str
    share_percent: float
    limit_percent: float


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each output whose rated priority is over the share.

    A rate is that of `priority`, or of the class's `police` where `priority` has none. A percentage
    is of the link where the interface `bandwidth` is not its rate: LLQ008 says that. Policies that
    are attached nowhere are judged where a shaper in them gives the rate.
    """
    for outlet in map(at_link_rate, policies_out(device)):
        if not outlet.llq_classes:
            continue
        link = outlet.link
        if link is None:
            yield Skip(outlet.policy_label, outlet.why_rate_unknown)
            continue
        place = _Place(outlet.policy_label, outlet.queueing, link, outlet.at)
        if (hit := _judged(place, outlet.admission_bps, params)) is not None:
            yield hit
    for place in _unattached(device.facts):
        if (hit := _judged(place, place.link.value, params)) is not None:
            yield hit


class _Place(Struct, frozen=True):
    """A policy with priority classes, and the rate that it shares out."""

    label: str
    policy: PolicyMap
    link: Input
    at: Location


def _unattached(facts: Facts) -> Iterator[_Place]:
    """Policies in a shaper that is in a policy-map which is neither attached nor nested."""
    used = {attached.attachment.policy for attached in attachments(facts)}
    used |= {policy.policy for policy in facts.other_policies}
    for policy in facts.policy_maps:
        used |= {each.child.value for each in policy.classes if each.child is not None}
    for policy in facts.policy_maps:
        for branch in () if policy.name in used else branches(facts, policy, None, None):
            shaper = branch.shaper
            if shaper is not None and shaper.shape is not None:
                source = f"shape, {shaper.shape.at}"
                link = exact(
                    "link_rate_bps", shaper.rate_bps, Basis.CONFIGURED, source, RateKind.SHAPER
                )
                label = f"policy-map {policy.name}{branch.path}"
                yield _Place(label, branch.queueing, link, shaper.shape.at)


def _judged(place: _Place, base_bps: float | None, params: Params) -> Hit[Evidence] | None:
    classes = [each for each in place.policy.classes if each.priority is not None]
    rates = [held_rate_bps(llq_class, base_bps) for llq_class in classes]
    rated_bps = sum(rate for rate in rates if rate is not None)
    share_percent = percent_from_ratio(rated_bps / place.link.value)
    if not _is_over(share_percent, params.priority_share_percent):
        return None
    return _hit(place, rated_bps, params.priority_share_percent)


def _is_over(share_percent: float, limit_percent: float) -> bool:
    """Whether a share is over a limit, compared with as many decimals as the limit has.

    33 % is the design rule of a third of the link: 256 of 768 kb/s keep it.
    """
    decimals = len(plain(limit_percent).partition(".")[2])
    return round(share_percent, decimals) > limit_percent


def _hit(place: _Place, rated_bps: float, limit: float) -> Hit[Evidence]:
    link = place.link
    share = percent_from_ratio(rated_bps / link.value)
    evidence = Evidence(
        policy_map=place.policy.name,
        priority_kbps=rate_text(kbps_from_bps(rated_bps)),
        link_kbps=rate_text(kbps_from_bps(link.value)),
        share_percent=share,
        limit_percent=limit,
    )
    priorities = [each.priority.at for each in place.policy.classes if each.priority is not None]
    inputs = (link, exact("priority_bps", rated_bps, Basis.CONFIGURED, "priority statements"))
    figure = Figure(share, share, share, "%")
    return Hit(
        place.label,
        (*priorities, place.at),
        evidence,
        Confidence.LIKELY if link.is_label else Confidence.CERTAIN,
        Forecast("priority share of the link", figure, None, inputs),
    )


CHECK = Check(Params, Evidence, find)
