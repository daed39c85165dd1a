"""Policies that queue on a main interface and below it: IOS takes one level."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.parts import beside_groups, on_both_levels, only_shapes

_SHAPE_ALONE = (
    "leave the port a policy of class-default with `shape` alone, attached ahead of those of the "
    "tunnel: with another one IOS refuses the policies of the spokes, or that of the port"
)


class Evidence(Struct, frozen=True):
    """The policy of the main interface, and the first one below it."""

    main: str
    main_policy: str
    below: str  # "interface GigabitEthernet0/1.10", "interface ATM1/0 > pvc 0/100 and 2 more"
    below_policy: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each main interface with a policy that queues beside one of its circuits.

    Before HQF it is not known what IOS does. IOS XE takes a main interface that only shapes.
    """
    del params
    for main, below in on_both_levels(device.facts):
        label = f"interface {main.interface.name}"
        policy = device.facts.policy_map(main.attachment.policy)
        if device.platform.may_be_xe and policy is not None and only_shapes(policy):
            if not device.platform.is_xe:
                yield Skip(
                    label,
                    "IOS XE takes a main interface that only shapes; which IOS it is is not known",
                )
            continue
        if device.platform.is_pre_hqf and not device.platform.assumed:
            yield Skip(label, "what IOS before HQF does with policies on both levels is not known")
            continue
        more = f" and {len(below) - 1} more" if len(below) > 1 else ""
        is_open = device.platform.is_pre_hqf
        captured = device.facts.tree.is_capture
        yield Hit(
            label,
            (main.attachment.at, *(place.attachment.at for place in below)),
            Evidence(
                main.interface.name,
                main.attachment.policy,
                f"{below[0].label}{more}",
                below[0].attachment.policy,
            ),
            Confidence.POSSIBLE if is_open or captured else Confidence.CERTAIN,
            severity=Severity.INFO if is_open else Severity.WARNING,
        )
    yield from _beside_groups(device)


def _beside_groups(device: Device) -> Iterator[Hit[Evidence]]:
    """Ports that queue below a tunnel whose NHRP groups have policies: no generation takes both."""
    for port, groups in beside_groups(device.facts):
        more = f" and {len(groups) - 1} more" if len(groups) > 1 else ""
        yield Hit(
            port.label,
            (port.attachment.at, *(group.attachment.at for group in groups)),
            Evidence(
                port.interface.name,
                port.attachment.policy,
                f"{groups[0].label}{more}",
                groups[0].attachment.policy,
            ),
            Confidence.POSSIBLE if device.facts.tree.is_capture else Confidence.LIKELY,
            advice=_SHAPE_ALONE,
        )


CHECK = Check(NoParams, Evidence, find)
