"""Kinds of `bandwidth` that IOS does not take beside each other."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyMap
from advisor.ios.syntax.tree import Line, Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.printed import printed_doubt
from advisor.lint.findings import Confidence, Severity


class Evidence(Struct, frozen=True):
    """The kinds with a class of each, and a reason to doubt the finding."""

    policy_map: str
    kinds: str  # "kbps (class VOICE) and percent (class DATA)"
    generation: str
    doubt: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each policy-map, or class of IOS XE, with several kinds of `bandwidth`.

    Before HQF all classes of a policy-map need the same kind; IOS XE refuses two in one class. Of
    HQF it is not known.
    """
    del params
    if device.platform.is_xe:
        yield from _in_classes(device)
        return
    for policy in device.facts.policy_maps:
        stated = [(each.name, each.bandwidth) for each in policy.classes if each.bandwidth]
        kinds = {str(each.unit): (name, each.at) for name, each in reversed(stated)}
        if len(kinds) < 2:  # noqa: PLR2004 - kinds that differ
            continue
        label = f"policy-map {policy.name}"
        if device.platform.is_pre_hqf:
            later = [each.at for _, each in stated if each.unit is not stated[0][1].unit]
            yield _hit(device, label, policy, kinds, later=later, is_open=device.platform.assumed)
        else:
            yield Skip(label, "whether HQF takes several kinds of bandwidth is not known")


def _in_classes(device: Device) -> Iterator[Hit[Evidence]]:
    lines = {line.number: line for line in device.facts.tree.walk()}
    for policy in device.facts.policy_maps:
        for policy_class in policy.classes:
            line = lines.get(policy_class.at.line)
            stated = [] if line is None else [each for each in line.commands() if _is_kind(each)]
            kinds = {
                _kind(each): (policy_class.name, Location(policy_class.at.file, each.number))
                for each in reversed(stated)
            }
            if len(kinds) > 1:
                label = f"policy-map {policy.name} > class {policy_class.name}"
                _, *later = sorted((at for _, at in kinds.values()), key=lambda at: at.line)
                yield _hit(device, label, policy, kinds, later=later, is_open=False)


def _is_kind(line: Line) -> bool:
    return line.words[0] == "bandwidth"


def _kind(line: Line) -> str:
    words = [word for word in line.words[1:] if not word[:1].isdigit()]
    return " ".join(words) or "kbps"


def _hit(
    device: Device,
    label: str,
    policy: PolicyMap,
    kinds: Mapping[str, tuple[str, Location]],
    *,
    later: Sequence[Location],
    is_open: bool,
) -> Hit[Evidence]:
    named = [f"{kind} (class {name})" for kind, (name, _) in sorted(kinds.items())]
    captured = device.facts.tree.is_capture
    places = tuple(sorted((at for _, at in kinds.values()), key=lambda at: at.line))
    return Hit(
        label,
        places,
        Evidence(
            policy.name,
            " and ".join(named),
            f"{device.platform.generation} ({device.platform.because})",
            printed_doubt(device),
        ),
        Confidence.POSSIBLE if captured or is_open else Confidence.CERTAIN,
        severity=Severity.INFO if is_open else None,
        refused=tuple(later),
    )


CHECK = Check(NoParams, Evidence, find)
