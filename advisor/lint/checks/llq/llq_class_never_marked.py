"""An LLQ by DSCP on a device that marks no such packet: it relies on what others mark."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device, is_surely_missing, why_not_known
from advisor.facts.packet_set import ALL_DSCPS, Box
from advisor.ios.syntax.names import dscp_name
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.llq.shared.marking import marks, may_mark_otherwise
from advisor.lint.checks.llq.shared.reaching import reaching
from advisor.lint.findings import Confidence
from advisor.outlet.outlets import policies_out


class Evidence(Struct, frozen=True):
    """The class and the codes that nothing in the device marks."""

    policy_map: str
    class_name: str
    codes: str  # "dscp ef", "precedence 5"


_PRECEDENCE_CODES = 8


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each priority class that takes packets only by codes nobody here marks.

    Telephony of the router, DLSw+, policy routing, CAR and ports that trust may mark anything:
    with one of them nothing is found.
    """
    del params
    if may_mark_otherwise(device.facts):
        return
    marked = frozenset(code for mark in marks(device.facts) for code in mark.dscps)
    unknown = why_not_known(device)
    policies = {outlet.queueing.name: outlet.queueing for outlet in policies_out(device)}
    for policy in policies.values():
        for member in reaching(device, policy):
            policy_class = member.policy_class
            if policy_class.priority is None or member.broken:
                continue
            label = f"policy-map {policy.name} > class {policy_class.name}"
            if member.boxes is None:
                yield Skip(label, "what its class-map matches is not read in full")
                continue
            codes = _codes(member.boxes)
            if not codes or codes & marked:
                continue
            if unknown is not None:
                yield Skip(label, unknown)
                continue
            yield Hit(
                label,
                (policy_class.at,),
                Evidence(policy.name, policy_class.name, _words(codes)),
                Confidence.CERTAIN if is_surely_missing(device, ()) else Confidence.POSSIBLE,
            )


def _codes(boxes: tuple[Box, ...]) -> frozenset[int]:
    """DSCPs of a class that takes packets by them alone; empty where it takes others too."""
    if any(box.dscps == ALL_DSCPS for box in boxes):
        return frozenset()
    return frozenset(code for box in boxes for code in box.dscps)


def _words(codes: frozenset[int]) -> str:
    first = min(codes)
    if (
        codes == frozenset(range(first, first + _PRECEDENCE_CODES))
        and not first % _PRECEDENCE_CODES
    ):
        return f"precedence {first // _PRECEDENCE_CODES}"
    return f"dscp {', '.join(dscp_name(code) for code in sorted(codes))}"


CHECK = Check(NoParams, Evidence, find)
