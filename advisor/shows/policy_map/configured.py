"""`show policy-map`: the policies as configured, without counters."""

import re
from typing import Final

from msgspec import Struct, field

from advisor.ios.syntax.tree import Location
from advisor.shows.indent import ShownLine, shown_lines
from advisor.shows.layout import LayoutError
from advisor.shows.policy_map.draft import Draft, Rules, settled_wred
from advisor.shows.policy_map.records import ShownClass, ShownPolicy
from advisor.shows.policy_map.shown_lines import SHOWN_RULES

_OUTPUT: Final = "`show policy-map`"
_NOT_MQC: Final = f"{_OUTPUT}: a policy of this type queues nothing"
_RULES: Final = Rules(SHOWN_RULES)

_POLICY: Final = re.compile(r"Policy[ -]Map\s+(?:type\s+(\S+)\s+)?(\S+)", re.IGNORECASE)
_CLASS: Final = re.compile(r"Class\s+(\S+)", re.IGNORECASE)
# Lines of the policy itself: 12.0 to 12.2 print that CBWFQ is on, 15.x the description.
_OF_POLICY: Final = re.compile(r"Weighted Fair Queueing|Description:.*", re.IGNORECASE)


class _Open(Struct):
    name: str
    at: Location
    classes: list[Draft] = field(default_factory=list)


def _shown_class(draft: Draft) -> ShownClass:
    return ShownClass(
        name=draft.name,
        at=draft.at,
        priority=draft.priority,
        bandwidth=draft.bandwidth,
        queue_limit=draft.queue_limit,
        fair_queue=draft.fair_queue,
        wred=settled_wred(draft),
        shaper=draft.shaper,
        policer=draft.policers[0] if draft.policers else None,
        marks=tuple(draft.marks),
        drops_all=draft.drops_all,
        child_policy=draft.child_policy,
    )


def _take(policies: list[_Open], line: ShownLine, at: Location) -> None:
    match = _POLICY.fullmatch(line.text)
    if match is not None:
        if (match[1] or "queueing").lower() != "queueing":
            raise LayoutError(at, line.text, _NOT_MQC)
        policies.append(_Open(match[2], at))
        return
    if not policies:
        raise LayoutError(at, line.text, f"{_OUTPUT}: there is no `Policy Map` line above")
    policy = policies[-1]
    match = _CLASS.fullmatch(line.text)
    if match is not None:
        policy.classes.append(Draft(at, match[1]))
        return
    is_known = bool(policy.classes) and _RULES.take(policy.classes[-1], line.text)
    if not is_known and not (not policy.classes and _OF_POLICY.fullmatch(line.text)):
        raise LayoutError(at, line.text, _OUTPUT)


def read_policy_map(text: str, file: str, first_line: int = 1) -> tuple[ShownPolicy, ...]:
    """Read the policies that `show policy-map` prints.

    Parameters
    ----------
    text
        The output for one or for all policy-maps; it may hold prompts and `--More--`.
    file, first_line
        Its file and the number of its first line, for the locations.

    Returns
    -------
    tuple[ShownPolicy, ...]
        In the order of the output; empty only if the router printed nothing.

    Raises
    ------
    LayoutError
        At a line outside all known layouts.
    """
    policies: list[_Open] = []
    for line in shown_lines(text, first_line):
        _take(policies, line, Location(file, line.number))
    return tuple(
        ShownPolicy(policy.name, tuple(map(_shown_class, policy.classes)), policy.at)
        for policy in policies
    )
