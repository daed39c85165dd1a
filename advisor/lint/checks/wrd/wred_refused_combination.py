"""WRED where IOS refuses the line: the queue then differs from the text."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.wrd.shared.refused import Refused, refused_in_class, refused_on_interfaces
from advisor.lint.findings import Confidence

_CAPTURED = (
    "the device printed this line: see with `show version` which release it runs, and with "
    "`show policy-map interface` whether WRED is in force"
)


class Evidence(Struct, frozen=True):
    """The refused combination, the IOS that refuses it, and a reason to doubt the finding."""

    combination: str
    generation: str
    doubt: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class or interface with WRED that its generation of IOS refuses.

    A capture proves that IOS took the line: there the hit is `possible`.
    """
    del params
    for policy in device.facts.policy_maps:
        for policy_class in policy.classes:
            refused = refused_in_class(device, policy_class)
            if refused is not None:
                yield _hit(device, f"policy-map {policy.name} > class {policy_class.name}", refused)
    for label, refused in refused_on_interfaces(device):
        yield _hit(device, label, refused)


def _hit(device: Device, label: str, refused: Refused) -> Hit[Evidence]:
    captured, platform = device.facts.tree.is_capture, device.platform
    unsure = captured or (platform.assumed and not refused.always)
    generation = (
        "every generation" if refused.always else f"{platform.generation} ({platform.because})"
    )
    doubt = ", yet the device printed this line" if captured else ""
    if captured and not refused.always:
        doubt += ": the generation assumed may be wrong"
    return Hit(
        label,
        refused.at,
        Evidence(refused.combination, generation, doubt),
        Confidence.POSSIBLE if unsure else Confidence.CERTAIN,
        curable=False,
        advice=_CAPTURED if captured else refused.advice,
        refused=refused.lines,
    )


CHECK = Check(NoParams, Evidence, find)
