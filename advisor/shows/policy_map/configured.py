"""`show policy-map`: the policies as configured, without counters."""

import re
from itertools import chain
from typing import Final

from advisor.shows.blocks import Block, Blocks, blocks_of, read_blocks
from advisor.shows.indent import ShownLine
from advisor.shows.layout import Declined, LayoutError, Part, Reading
from advisor.shows.output import Output
from advisor.shows.policy_map.draft import Draft, Rules, settled_wred
from advisor.shows.policy_map.records import ShownClass, ShownPolicy
from advisor.shows.policy_map.shown_lines import SHOWN_RULES

_OUTPUT: Final = "`show policy-map`"
_NOT_MQC: Final = f"{_OUTPUT}: a policy of this type queues nothing"
_RULES: Final = Rules(SHOWN_RULES)

_POLICY: Final = re.compile(r"Policy[ -]Map\s+(?:type\s+(\S+)\s+)?(\S+)", re.IGNORECASE)
_ANY_POLICY: Final = re.compile(r"Policy[ -]Map\b\s*(.*)", re.IGNORECASE)
_CLASS: Final = re.compile(r"Class\s+(\S+)", re.IGNORECASE)
# Lines of the policy itself: 12.0 to 12.2 print that CBWFQ is on, 15.x the description.
_OF_POLICY: Final = re.compile(r"Weighted Fair Queueing|Description:.*", re.IGNORECASE)


def read_policy_map(text: str, file: str, first_line: int = 1) -> Reading[ShownPolicy]:
    """Read the policies that `show policy-map` prints.

    A class with an unknown line is declined, and so is a policy of a type that queues nothing.

    Parameters
    ----------
    text
        The output for one or for all policy-maps; it may hold prompts and `--More--`.
    file, first_line
        Its file and the number of its first line, for the locations.

    Returns
    -------
    Reading[ShownPolicy]
        In the order of the output; without records only if the router printed nothing.

    Raises
    ------
    LayoutError
        If no policy begins.
    """
    output = Output(text, file, first_line, _OUTPUT)
    blocks = blocks_of(output.lines(), _policy_name)
    if not blocks.blocks and not blocks.before:
        return Reading(())
    reading = read_blocks(output, Part.POLICY, blocks, lambda block: _policy(output, block))
    policies = tuple(policy for policy, _ in reading.records)
    classes = chain.from_iterable(parts for _, parts in reading.records)
    return Reading(policies, (*reading.declined, *classes))


def _policy_name(line: ShownLine) -> str | None:
    match = _POLICY.fullmatch(line.text)
    if match is not None:
        return match[2]
    any_policy = _ANY_POLICY.match(line.text)
    return None if any_policy is None else any_policy[1]


def _policy(output: Output, block: Block) -> tuple[ShownPolicy, tuple[Declined, ...]]:
    """The policy of a block, with its classes that are not understood."""
    head = _POLICY.fullmatch(block.head.text)
    if head is None:
        raise output.unknown(block.head)
    if (head[1] or "queueing").lower() != "queueing":
        raise LayoutError(output.at(block.head), block.head.text, _NOT_MQC)
    blocks = blocks_of(block.lines, _class_name)
    unknown = next((line for line in blocks.before if not _OF_POLICY.fullmatch(line.text)), None)
    if unknown is not None:
        raise output.unknown(unknown)
    if not blocks.blocks:
        return ShownPolicy(block.name, (), output.at(block.head)), ()
    classes = _classes(output, Blocks((), blocks.blocks), block.head.column)
    unread = tuple(part.name for part in classes.declined)
    policy = ShownPolicy(block.name, classes.records, output.at(block.head), unread)
    return policy, classes.declined


def _class_name(line: ShownLine) -> str | None:
    match = _CLASS.fullmatch(line.text)
    return None if match is None else match[1]


def _classes(output: Output, blocks: Blocks, policy_column: int) -> Reading[ShownClass]:
    """The classes of a policy.

    An unknown line as far left as the policy may be the head of another one: then no class below
    it belongs to this policy.
    """
    doubt: list[LayoutError] = []

    def read(block: Block) -> ShownClass:
        if doubt:
            raise doubt[0]
        draft = Draft(output.at(block.head), block.name)
        for line in block.lines:
            if not _RULES.take(draft, line.text):
                error = output.unknown(line)
                if line.column <= policy_column < block.head.column:
                    doubt.append(error)
                raise error
        return _shown_class(draft)

    return read_blocks(output, Part.CLASS, blocks, read)


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
