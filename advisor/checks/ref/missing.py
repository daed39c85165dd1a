"""Whether a definition that is not in the text can be called missing."""

from advisor.ios.tree import ProblemKind
from advisor.snapshot import Device

_CUT = (ProblemKind.UNTERMINATED, ProblemKind.NO_END, ProblemKind.SHORT)


def why_not_known(device: Device) -> str | None:
    """Reason why what is not in the text may still be on the device; None where it cannot be.

    A cut text may have lost the definition. A capture of a whole configuration prints `version`
    and `hostname`; one with neither is `show running-config interface …` or the like.
    """
    facts = device.facts
    for problem in facts.tree.problems:
        if problem.kind in _CUT:
            return f"the configuration is cut ({problem.kind.value}): the definition may be lost"
    if facts.tree.is_capture and facts.version is None and facts.hostname is None:
        return "the capture holds only a part of the configuration (no `version`, no `hostname`)"
    return None
