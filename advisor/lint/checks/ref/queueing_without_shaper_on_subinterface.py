"""A policy that queues on a subinterface, tunnel or VLAN: without a shaper it has no queue."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import Attached, attachments
from advisor.facts.policy import PolicyClass
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.printed import printed_doubt
from advisor.lint.findings import Confidence
from advisor.outlet.link_rates import sold_rate
from advisor.outlet.outlets import policies_out
from advisor.outlet.parts import unshaped_classes
from advisor.quantity import rate_text
from advisor.units import kbps_from_bps

_ATM = "ATM"


class Evidence(Struct, frozen=True):
    """The policy, the classes that queue without a shaper, and a reason to doubt the finding."""

    policy_map: str
    classes: str  # "class VOICE", "class VOICE and 2 more"
    kind: str  # "a subinterface", "a tunnel"
    doubt: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each output without a rate of its own whose classes queue without a shaper.

    A capture proves that IOS took the line: there the hit is `possible`.
    """
    del params
    for attached in attachments(device.facts):
        classes = unshaped_classes(device.facts, attached)
        if not classes or attached.interface.shutdown:
            continue
        why = _not_known(device, attached)
        if why is not None:
            yield Skip(attached.label, why)
        else:
            yield _hit(device, attached, classes)


def _not_known(device: Device, attached: Attached) -> str | None:
    if attached.interface.type == _ATM:
        return "whether IOS takes a queue on an ATM subinterface, outside of a PVC, is not known"
    if attached.interface.is_subinterface and device.platform.is_xe:
        return "whether IOS XE takes a queue on a subinterface without a shaper is not known"
    return None


def _hit(device: Device, attached: Attached, classes: tuple[PolicyClass, ...]) -> Hit[Evidence]:
    more = f" and {len(classes) - 1} more" if len(classes) > 1 else ""
    kind = {"Tunnel": "a tunnel", "Vlan": "a VLAN interface"}.get(
        attached.interface.type, "a subinterface"
    )
    captured = device.facts.tree.is_capture
    is_open = attached.interface.is_subinterface and device.platform.may_be_xe
    return Hit(
        attached.label,
        (attached.attachment.at, *(policy_class.at for policy_class in classes)),
        Evidence(
            attached.attachment.policy,
            f"class {classes[0].name}{more}",
            kind,
            printed_doubt(device),
        ),
        Confidence.POSSIBLE if captured else Confidence.LIKELY if is_open else Confidence.CERTAIN,
        advice=_advice(device, attached),
        refused=(attached.attachment.at,),
    )


def _advice(device: Device, attached: Attached) -> str | None:
    """The parent by hand, where a description or `bandwidth` names a rate; None without one."""
    outlet = next((each for each in policies_out(device) if each.label == attached.label), None)
    sold = sold_rate(device, outlet) if outlet is not None else None
    if sold is None:
        return None
    rate = f"{rate_text(kbps_from_bps(sold.value))} kb/s by {sold.kind}"
    return (
        "put the policy into a parent policy-map that shapes class-default to the rate of the "
        f"circuit, {rate} if that is what is sold, and attach the parent"
    )


CHECK = Check(NoParams, Evidence, find)
