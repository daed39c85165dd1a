"""A priority class that admits more than voice: its own packets delay the voice in it."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.packet_set import Box
from advisor.facts.policy import PolicyMap
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.llq.shared.reaching import Reaching, reaching
from advisor.lint.checks.llq.shared.traffic import (
    Traffic,
    is_of_any_address,
    traffic_of,
    words_of,
)
from advisor.lint.findings import Confidence, Severity

_BESIDE_VOICE = (Traffic.SIGNALLING, Traffic.VIDEO)


class Evidence(Struct, frozen=True):
    """The class and the packets that do not belong into it."""

    policy_map: str
    class_name: str
    admitted: str  # "TCP port 80", "dscp af11 and 2 more"
    kind: str  # "bulk data", "signalling", "video"


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each priority class with bulk data, or with signalling or video beside voice.

    Packets that an earlier class takes do not count. A class whose access list does not exist is
    not judged.
    """
    del params
    for policy in device.facts.policy_maps:
        if all(policy_class.priority is None for policy_class in policy.classes):
            continue
        for member in reaching(device, policy):
            if member.policy_class.priority is None or member.broken:
                continue
            label = f"policy-map {policy.name} > class {member.policy_class.name}"
            if member.boxes is None:
                yield Skip(label, "what its class-map matches is not read in full")
            else:
                yield from _judged(device, label, policy, member, member.boxes)


def _judged(
    device: Device, label: str, policy: PolicyMap, member: Reaching, boxes: tuple[Box, ...]
) -> Iterator[Hit[Evidence]]:
    kinds = [(traffic_of(box), box) for box in boxes]
    bulk = [box for kind, box in kinds if kind is Traffic.BULK]
    has_voice = any(kind is Traffic.VOICE for kind, _ in kinds)
    beside = [(kind, box) for kind, box in kinds if has_voice and kind in _BESIDE_VOICE]
    class_map = device.facts.class_map(member.policy_class.name)
    at = (member.policy_class.at, *((class_map.at,) if class_map is not None else ()))
    if bulk:
        sure = any(box.protocol is not None or is_of_any_address(box) for box in bulk)
        yield Hit(
            label,
            at,
            _evidence(policy, member, "bulk data", [words_of(box, Traffic.BULK) for box in bulk]),
            Confidence.LIKELY if sure else Confidence.POSSIBLE,
        )
    elif beside:
        names = " and ".join(dict.fromkeys(str(kind) for kind, _ in beside))
        shown = [words_of(box, kind) for kind, box in beside]
        yield Hit(
            label,
            at,
            _evidence(policy, member, names, shown),
            Confidence.LIKELY,
            severity=Severity.INFO,
        )


def _evidence(policy: PolicyMap, member: Reaching, kind: str, words: list[str]) -> Evidence:
    shown = list(dict.fromkeys(words))
    more = f" and {len(shown) - 1} more" if len(shown) > 1 else ""
    return Evidence(policy.name, member.policy_class.name, f"{shown[0]}{more}", kind)


CHECK = Check(NoParams, Evidence, find)
