"""What a device marks itself, and whether anything else in it marks or trusts packets."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.facts.attachments import attachments
from advisor.facts.config import Facts
from advisor.facts.interface import Direction
from advisor.facts.policy import PolicyMap
from advisor.ios.syntax.names import dscp_code, precedence_code
from advisor.ios.syntax.tree import Line, Location

_DSCPS_PER_PRECEDENCE: Final = 8
# Lines that mark or trust in ways that are not read: telephony of the router, CAR, policy routing,
# policers that mark, ports that trust. They may set any code.
_MARKING_HEADS: Final = (
    *("call-manager-fallback", "dial-peer voice", "dlsw local-peer", "mls qos"),
    *("set ip precedence", "set ip tos", "set ip dscp", "telephony-service"),
    *("voice register", "trust"),
)
_MARKING_WORDS: Final = (
    *("set-dscp-transmit", "set-prec-transmit", "set-dscp-continue", "set-prec-continue"),
    *("table", "trust"),
)


class Mark(Struct, frozen=True):
    """A `set` of an attached policy and the DSCPs that its packets then have."""

    dscps: frozenset[int]
    at: Location


def marks(facts: Facts, direction: Direction | None = None) -> Iterator[Mark]:
    """All `set dscp` and `set precedence` of attached policies and their children.

    With a direction, only of policies that are attached there.
    """
    waiting = [
        attached.attachment.policy
        for attached in attachments(facts)
        if direction in (None, attached.attachment.direction)
    ]
    seen: set[str] = set()
    while waiting:
        policy = facts.policy_map(waiting.pop())
        if policy is None or policy.name in seen:
            continue
        seen.add(policy.name)
        waiting += [each.child.value for each in policy.classes if each.child is not None]
        yield from _of_policy(policy)


def _of_policy(policy: PolicyMap) -> Iterator[Mark]:
    for policy_class in policy.classes:
        for marked in policy_class.sets:
            words = marked.value.lower().split()
            if words[0] == "dscp" and (dscp := dscp_code(words[-1])) is not None:
                yield Mark(frozenset((dscp,)), marked.at)
            elif words[0] == "precedence" and (code := precedence_code(words[-1])) is not None:
                low = code * _DSCPS_PER_PRECEDENCE
                yield Mark(frozenset(range(low, low + _DSCPS_PER_PRECEDENCE)), marked.at)


def may_mark_otherwise(facts: Facts) -> bool:
    """Whether a line of the configuration marks or trusts packets in a way that is not read."""
    read = {mark.at.line for mark in marks(facts)}
    return any(_marks(line) for line in facts.tree.walk() if line.number not in read)


def _marks(line: Line) -> bool:
    if not line.is_command:
        return False
    text = line.text.lower()
    return text.startswith(_MARKING_HEADS) or any(word in text.split() for word in _MARKING_WORDS)
