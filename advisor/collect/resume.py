"""Does a bundle of an earlier run hold what this run asks? Then its device is not asked again."""

from collections.abc import Sequence

from advisor.capture import Capture, Origin, Section
from advisor.capture.outputs import RUNNING_CONFIG, RUNNING_CONFIG_OF_VIEWS
from advisor.collect.allow_list import Allowed
from advisor.collect.hosts import Target
from advisor.collect.plan import Plan


def holds(capture: Capture, plan: Plan, target: Target) -> bool:
    """Whether a bundle is of this device, whole, and answers each step of a plan.

    Where rates are made of two samples, both must be there.
    """
    if capture.gaps or capture.address != target.endpoint:
        return False
    newest, oldest = _listed(capture.sections), _listed(capture.earlier)

    def is_answered(step: Allowed) -> bool:
        if step.command in capture.unsupported:
            return True
        names = {step.command, *step.older}
        if step.command == RUNNING_CONFIG:
            names.add(RUNNING_CONFIG_OF_VIEWS)
        answered = names & newest
        return bool(answered) and (not plan.is_sampled_twice(step) or bool(answered & oldest))

    return all(map(is_answered, plan.steps))


def _listed(sections: Sequence[Section]) -> set[str | None]:
    """Commands whose outputs the manifest vouches for; a file beside it may be anything."""
    return {section.command for section in sections if section.origin is Origin.MANIFEST}
