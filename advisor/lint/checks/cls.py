"""Lines of one class that contradict each other, and classes that match nothing."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass
from advisor.lint.checks.base import Found, Hit, fixed_check
from advisor.lint.checks.ref import empty_class_maps, printed_doubt
from advisor.lint.findings import Confidence, Severity


class LinesContradictEvidence(Struct, frozen=True):
    """The class, its lines that do not stand together, and what follows."""

    class_name: str
    policy_map: str
    lines: str  # "`drop` beside `bandwidth`"
    consequence: str


class _Contradiction(Struct, frozen=True):
    lines: str
    consequence: str
    severity: Severity | None = None  # of what IOS does not refuse


def find_lines_contradict(device: Device) -> Found[LinesContradictEvidence]:
    """Yield a hit for each pair of lines of a class that IOS refuses, or whose effect is open."""
    doubt = printed_doubt(device)
    for policy in device.facts.policy_maps:
        for policy_class in policy.classes:
            for found in _contradictions(policy_class, is_xe=device.platform.may_be_xe):
                is_refused = found.severity is None
                is_open = found.severity is Severity.INFO
                is_doubted = is_refused and device.facts.tree.is_capture
                yield Hit(
                    f"policy-map {policy.name} > class {policy_class.name}",
                    (policy_class.at,),
                    LinesContradictEvidence(
                        policy_class.name,
                        policy.name,
                        found.lines,
                        found.consequence + (doubt if is_refused else ""),
                    ),
                    Confidence.POSSIBLE if is_open or is_doubted else Confidence.LIKELY,
                    severity=found.severity,
                )


def _contradictions(policy_class: PolicyClass, *, is_xe: bool) -> Iterator[_Contradiction]:
    others = policy_class.actions_beside_drop
    if policy_class.drops and others:
        names = " and ".join(f"`{name}`" for name in others)
        yield _Contradiction(
            f"`drop` beside {names}",
            "IOS takes `drop` as the only action of a class, and refuses the later line",
        )
    if _policed_below_shape(policy_class):
        yield _Contradiction(
            "`police` below its `shape`, around a nested policy",
            "the policer drops packets of all classes alike, voice too, and no figure includes it",
            severity=Severity.WARNING,
        )
    if policy_class.priority is None:
        return
    if policy_class.bandwidth is not None:
        yield _Contradiction("`bandwidth` beside `priority`", "IOS refuses the later line")
    if policy_class.is_default and not is_xe:
        yield _Contradiction("`priority` in class-default", "IOS refuses it")
    if policy_class.shape is not None:
        yield _Contradiction(
            "`shape` beside `priority`",
            "the Cisco 10000 refuses it, and no source says what others do: the figures are "
            "without the shaper",
            severity=Severity.INFO,
        )


def _policed_below_shape(policy_class: PolicyClass) -> bool:
    """Whether a policer drops what the shaper of the class lets pass of a nested policy."""
    police, shape = policy_class.police, policy_class.shape
    if policy_class.child is None or police is None or shape is None or not police.drops:
        return False
    rates = (police.rate_bps, shape.rate_bps)
    percents = (police.percent, shape.percent)
    return any(
        held is not None and passed is not None and held < passed
        for held, passed in (rates, percents)
    )


CLASS_LINES_CONTRADICT = fixed_check(LinesContradictEvidence, find_lines_contradict)


# A class whose class-map has no criterion: nothing is in it.

_OF_IOS: Final = "non-client-nrt-class"  # which IOS XE of a Catalyst writes without a `match`


class ClassWithoutMatchEvidence(Struct, frozen=True):
    """The class, and the policy-map that acts on it."""

    class_name: str
    policy_map: str


def find_class_without_match(device: Device) -> Found[ClassWithoutMatchEvidence]:
    """Yield a hit for each class that reserves bandwidth and whose class-map has no `match`."""
    empty = empty_class_maps(device)
    for policy in device.facts.policy_maps:
        for policy_class in policy.classes:
            name = policy_class.name
            if name not in empty or name == _OF_IOS or not _reserves(policy_class):
                continue
            class_map = device.facts.class_map(name)
            yield Hit(
                f"policy-map {policy.name} > class {name}",
                (policy_class.at, *(() if class_map is None else (class_map.at,))),
                ClassWithoutMatchEvidence(name, policy.name),
                Confidence.CERTAIN,
            )


def _reserves(policy_class: PolicyClass) -> bool:
    return policy_class.priority is not None or policy_class.bandwidth is not None


CLASS_WITHOUT_MATCH = fixed_check(ClassWithoutMatchEvidence, find_class_without_match)
