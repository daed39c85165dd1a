"""Lines about queueing, QoS or DLSw+ that no reader takes: they are counted, and not understood."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from advisor.facts.config import Area
from advisor.facts.read_words import QUEUEING_TYPES, Ledger, unknown
from advisor.ios.syntax.abbreviations import Doubt
from advisor.ios.syntax.doubts import doubtful_lines
from advisor.ios.syntax.names import interface_name
from advisor.ios.syntax.tree import Kind, Line

_FIRST_WORDS: Final = """
    custom-queue-list dlsw fair-queue hold-queue max-reserved-bandwidth policy-map
    priority-group priority-list priority-queue queue-limit queue-list queue-set random-detect
    random-detect-group rate-limit rcv-queue service-policy srr-queue table-map traffic-shape
    tx-limit tx-queue-limit tx-ring-limit wrr-queue vc-hold-queue queue-depth
"""
_TWO_WORDS: Final = """
    auto qos|mls qos|platform qos|ip rsvp|frame-relay traffic-shaping|frame-relay class|
    frame-relay custom-queue-list|frame-relay priority-group|frame-relay interface-queue|
    qos pre-classify|qos queue-softmax-multiplier
"""
_FIRST: Final = frozenset(_FIRST_WORDS.split())
_SECOND: Final = frozenset(
    tuple(pair.split()) for pair in " ".join(_TWO_WORDS.split()).split("|") if pair.strip()
)
_SECTIONS: Final = frozenset(
    (
        *("bridge-domain", "class", "class-map", "control-plane", "map-class", "policy-map"),
        *("pvc", "service", "template", "vc-class", "vlan"),
    )
)
_REMOVERS: Final = ("no", "default")
_GROUP_POLICY: Final = re.compile(r"(?:ip )?nhrp (?:map )?group ")


def doubts_of(top: Line) -> dict[int, Doubt]:
    """Misspelt and ambiguous commands of a section, by their identity, before a reader has them."""
    return {id(doubtful.line): doubtful.doubt for doubtful in doubtful_lines(top)}


def read_leftovers(top: Line, ledger: Ledger) -> None:
    """Report each line of a section that is about queueing, or nearly is, and that nothing read."""
    if ledger.doubts or _may_be_due(top):
        for line, under in _unread(top, ledger):
            area = Area.DLSW if line.text.startswith(("dlsw", "no dlsw")) else Area.QOS
            ledger.read(line, under, unknown, area)


def _unread(top: Line, ledger: Ledger) -> Iterator[tuple[Line, str]]:
    stack = [(top, "")]
    while stack:
        line, under = stack.pop()
        if line.kind is not Kind.COMMAND or _is_other_type(line):
            continue
        is_due = id(line) in ledger.doubts or is_about_queueing(line.text)
        if is_due and not ledger.has(line):
            yield line, under
        if line.children:
            within = " > ".join(filter(None, (under, _head(line))))
            stack.extend((child, within) for child in reversed(line.children))


def _may_be_due(top: Line) -> bool:
    commands = (line for line in top.walk() if line.kind is Kind.COMMAND)
    return any(is_about_queueing(line.text) for line in commands)


def _head(line: Line) -> str:
    """The name of a section for a reader; any other command above a line may hold a secret."""
    words = line.words
    if words[0] == "interface":
        return f"interface {interface_name(' '.join(words[1:]))}"
    return line.text if words[0] in _SECTIONS else ""


@lru_cache(maxsize=1 << 14)  # a proof reads each line again
def is_about_queueing(text: str) -> bool:
    """Say whether a command, in whatever mode, queues, shapes, polices or belongs to DLSw+."""
    words = text.lower().split(None, 4)
    if words[0] in _REMOVERS and len(words) > 1:
        del words[0]
    return (
        words[0] in _FIRST
        or tuple(words[:2]) in _SECOND
        or ("nhrp" in words[:2] and _GROUP_POLICY.match(" ".join(words)) is not None)
    )


def _is_other_type(line: Line) -> bool:
    """Say whether a line, with all below it, belongs to a `type` that does not queue."""
    if " type " not in line.text:
        return False
    words = line.text.lower().split()
    return "type" in words[1:-1] and words[words.index("type") + 1] not in QUEUEING_TYPES
