"""Lines of one class that contradict each other."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass
from advisor.lint.checks.base import Found, Hit, fixed_check
from advisor.lint.checks.ref import printed_doubt
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
    is_refused: bool = True  # else no source says what IOS does


def find_lines_contradict(device: Device) -> Found[LinesContradictEvidence]:
    """Yield a hit for each pair of lines of a class that IOS refuses, or whose effect is open."""
    doubt = printed_doubt(device)
    for policy in device.facts.policy_maps:
        for policy_class in policy.classes:
            for found in _contradictions(policy_class, is_xe=device.platform.may_be_xe):
                is_sure = found.is_refused and not device.facts.tree.is_capture
                yield Hit(
                    f"policy-map {policy.name} > class {policy_class.name}",
                    (policy_class.at,),
                    LinesContradictEvidence(
                        policy_class.name,
                        policy.name,
                        found.lines,
                        found.consequence + (doubt if found.is_refused else ""),
                    ),
                    Confidence.LIKELY if is_sure else Confidence.POSSIBLE,
                    severity=None if found.is_refused else Severity.INFO,
                )


def _contradictions(policy_class: PolicyClass, *, is_xe: bool) -> Iterator[_Contradiction]:
    others = policy_class.actions_beside_drop
    if policy_class.drops and others:
        names = " and ".join(f"`{name}`" for name in others)
        yield _Contradiction(
            f"`drop` beside {names}",
            "IOS takes `drop` as the only action of a class, and refuses the later line",
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
            is_refused=False,
        )


CLASS_LINES_CONTRADICT = fixed_check(LinesContradictEvidence, find_lines_contradict)
