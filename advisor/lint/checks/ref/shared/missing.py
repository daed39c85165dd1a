"""Whether a definition that is not in the text can be called missing, and a hit that says so."""

from collections.abc import Collection, Iterable
from typing import TypeVar

from advisor.capture.outputs import RUNNING_CONFIG
from advisor.device.device import Device
from advisor.facts.policy import PolicyClass
from advisor.ios.syntax.tree import Location, ProblemKind
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.findings import Confidence

E = TypeVar("E")

_CUT = (ProblemKind.UNTERMINATED, ProblemKind.NO_END, ProblemKind.SHORT)
_ADVICE = "If this text is only a part of a configuration, check the whole configuration"


def why_not_known(device: Device) -> str | None:
    """Reason why the device may have a definition that the text lacks; None if it cannot.

    A cut text may have lost the definition, and a low privilege does not show it. A capture of a
    whole configuration prints `version` and `hostname`; one with neither is `show running-config
    interface …` or the like.
    """
    facts = device.facts
    for gap in device.gaps:
        if gap.command.startswith(RUNNING_CONFIG):
            return f"the configuration is not whole ({gap.reason}): the definition may be lost"
    for problem in facts.tree.problems:
        if problem.kind in _CUT:
            return f"the configuration is cut ({problem.kind.value}): the definition may be lost"
    if facts.tree.is_capture and facts.version is None and facts.hostname is None:
        return "the capture holds only a part of the configuration (no `version`, no `hostname`)"
    return None


def is_surely_missing(device: Device, defined: Collection[str]) -> bool:
    """Whether the device lacks a name that is not among `defined`.

    A draft that names no device and defines nothing of the kind may be a part of a config.
    """
    facts = device.facts
    is_named = facts.version is not None or facts.hostname is not None
    return why_not_known(device) is None and (bool(defined) or is_named)


def without_packets(device: Device, classes: Iterable[PolicyClass]) -> tuple[str, ...]:
    """Names of the classes that no class-map defines: no packet is ever in them."""
    defined = device.derived(_class_maps)
    if not is_surely_missing(device, defined):
        return ()
    names = (policy_class.name for policy_class in classes if not policy_class.is_default)
    return tuple(name for name in names if name not in defined)


def _class_maps(device: Device) -> frozenset[str]:
    return frozenset(class_map.name for class_map in device.facts.class_maps)


def missing(
    device: Device, label: str, at: Location, evidence: E, defined: Collection[str]
) -> Hit[E] | Skip:
    """Hit for a name that is not among `defined`; a skip where the text may have lost it.

    A draft that names no device and defines nothing of the kind may be a part of a config: then
    the hit is `possible` and removes nothing.
    """
    unknown = why_not_known(device)
    if unknown is not None:
        return Skip(label, unknown)
    if not is_surely_missing(device, defined):
        return Hit(label, (at,), evidence, Confidence.POSSIBLE, curable=False, advice=_ADVICE)
    return Hit(label, (at,), evidence, Confidence.CERTAIN)
