"""A group that gets less of the TCP bytes than the user wants for it."""

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.checks.base import Check, Hit, Skip
from advisor.facts.policy import PolicyClass
from advisor.findings import Confidence, Forecast, Severity
from advisor.predict.outlet import Outlet, policies_out
from advisor.predict.quantity import Figure
from advisor.predict.wred_inputs import asked_of
from advisor.predict.wred_shares import GroupShare, WredShares, wred_shares
from advisor.snapshot import Device


@dataclass(frozen=True, slots=True)
class Params:
    """Round trip of the profile, for flows of which none is stated."""

    rtt_ms: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """The share that is predicted under the stated flows, and the one that is wanted."""

    group: str
    share: str
    target_percent: float
    flows: str
    rule_percent: str  # by the rule of thumb flows/p


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each group whose predicted share is under its stated target."""
    if not any(each.tcp and each.tcp.target_share_percent for each in device.traffic):
        return
    for outlet in policies_out(device):
        asked = asked_of(device, outlet, params.rtt_ms)
        said = asked if isinstance(asked, str) else wred_shares(asked)
        if isinstance(said, str):
            yield Skip(outlet.policy_label, said)
            continue
        for each in said:
            yield from _judge(outlet, each)


def _judge(outlet: Outlet, of: WredShares) -> Iterator[Hit[Evidence] | Skip]:
    facts = next((each for each in outlet.queueing.classes if each.name == of.class_name), None)
    for group in of.groups:
        target, share = group.target_share_percent, group.share
        if facts is None or facts.wred is None or target is None or share is None:
            continue
        if share.value < target:
            label = f"{outlet.policy_label} > class {of.class_name} > group {group.name}"
            yield _hit(label, facts, of, group, share, target)


def _hit(  # noqa: PLR0917 -- one group of one class, as it was predicted
    label: str,
    facts: PolicyClass,
    of: WredShares,
    group: GroupShare,
    share: Figure,
    target: float,
) -> Hit[Evidence]:
    """Within the interval it may be met: that is worth knowing, not a warning."""
    maybe = share.high >= target or not of.converged
    wred = facts.wred
    at = facts.at if wred is None else wred.at
    rule = group.share_by_flows_over_p
    counts = ", ".join(f"{each.name} {each.flows}" for each in of.groups if each.flows is not None)
    return Hit(
        label,
        (at,),
        Evidence(
            group=group.name,
            share=f"{share.value:.1f} % ({share.low:.1f} to {share.high:.1f})",
            target_percent=target,
            flows=counts,
            rule_percent="none" if rule is None else f"{rule:.1f} %",
        ),
        Confidence.POSSIBLE if maybe else Confidence.LIKELY,
        Forecast(f"share of {group.name}", share, None, of.inputs),
        severity=Severity.INFO if maybe else None,
    )


CHECK = Check("wred-share-below-target", Params, Evidence, find)
