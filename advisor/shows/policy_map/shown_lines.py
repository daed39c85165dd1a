"""`show policy-map` and `show class-map`: policies and classes as configured, without counters."""

import re
from collections.abc import Sequence
from itertools import chain
from typing import Final

from msgspec.structs import replace

from advisor.facts.policy import ClassMap
from advisor.facts.read_classes import class_map_of, without_code
from advisor.facts.read_words import Ledger
from advisor.ios.syntax import Line
from advisor.shows.output import (
    Block,
    Blocks,
    Declined,
    LayoutError,
    Output,
    OutputPart,
    OutputReading,
    ShownLine,
    blocks_of,
    read_blocks,
)
from advisor.shows.policy_map import (
    ShownClass,
    ShownPolicer,
    ShownPolicy,
    ShownWred,
    ShownWredRow,
)
from advisor.shows.policy_map.class_lines import add_action
from advisor.shows.policy_map.draft import (
    ClassPart,
    Draft,
    number,
    rules_of,
    settled_wred,
    size,
    stated,
)

# Lines of a class in `show policy-map`.


_OUTCOMES: Final = {"conform": "conformed", "exceed": "exceeded", "violate": "violated"}
_INLINE_ACTION: Final = re.compile(
    r"(conform|exceed|violate)-action (\S+(?: (?!\w+-action)\S+)*)", re.IGNORECASE
)


def old_police(draft: Draft, match: re.Match[str]) -> None:
    """Read the form of 12.2: `police 8000 1500 1500 conform-action transmit exceed-action drop`."""
    draft.part = ClassPart.POLICE
    rate_bps, bc_bytes, be_bytes = (number(match[group]) for group in (1, 2, 3))
    draft.policers.append(ShownPolicer(cir_bps=rate_bps, bc_bytes=bc_bytes, be_bytes=be_bytes))
    for word, action in _INLINE_ACTION.findall(match[4]):
        add_action(draft, _OUTCOMES[word.lower()], action)


def action(draft: Draft, match: re.Match[str]) -> None:
    add_action(draft, _OUTCOMES[match[1].lower()], match[2])


def child(draft: Draft, match: re.Match[str]) -> None:
    draft.child_policy = match[1]


_THRESHOLD_UNITS: Final = {
    "packet": "packets",
    "byte": "bytes",
    "time": "ms",
    "percent": "percent",
}


def wred(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.WRED
    draft.threshold_units = (_THRESHOLD_UNITS[(match[1] or "packet").lower()],)
    draft.wred = replace(draft.wred or ShownWred(), exponent=number(match[2]))


def row(draft: Draft, match: re.Match[str]) -> None:
    unit = draft.threshold_units[0]
    low, high = (
        None if printed == "-" else size(number(printed), unit) for printed in (match[2], match[3])
    )
    denominator = number(match[4])
    draft.wred_rows[match[1]] = ShownWredRow(
        match[1], min_threshold=low, max_threshold=high, mark_probability_denominator=denominator
    )


_OUTPUT: Final = "`show policy-map`"
_NOT_MQC: Final = f"{_OUTPUT}: a policy of this type queues nothing"

_POLICY: Final = re.compile(r"Policy[ -]Map\s+(?:type\s+(\S+)\s+)?(\S+)", re.IGNORECASE)
_ANY_POLICY: Final = re.compile(r"Policy[ -]Map\b\s*(.*)", re.IGNORECASE)
_CLASS: Final = re.compile(r"Class\s+(\S+)", re.IGNORECASE)
# `show policy-map WAN class VOICE` prints the class alone (Cisco IOS QoS command reference).
_OF_CLASS: Final = re.compile(r"sh\w* pol\S* (\S+) cl\w* \S", re.IGNORECASE)
# Lines of the policy itself: 12.0 to 12.2 print that CBWFQ is on, 15.x the description.
_OF_POLICY: Final = re.compile(r"Weighted Fair Queueing|Description:.*", re.IGNORECASE)


def read_policy_map(text: str, file: str, first_line: int = 1) -> OutputReading[ShownPolicy]:
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
    blocks = blocks_of(output.lines(), _POLICY, _ANY_POLICY, name=_policy_name)
    if not blocks.blocks and not blocks.before:
        return OutputReading(())
    of_class = _OF_CLASS.match(output.typed or "")
    if of_class is not None and not blocks.blocks and _CLASS.fullmatch(blocks.before[0].text):
        head = blocks.before[0]
        name, column = of_class[1], head.column - 1
        policy, parts = _policy_of(output, name, head, blocks.before, column)
        return OutputReading((policy,), parts)
    reading = read_blocks(output, OutputPart.POLICY, blocks, lambda block: _policy(output, block))
    policies = tuple(policy for policy, _ in reading.records)
    classes = chain.from_iterable(parts for _, parts in reading.records)
    return OutputReading(policies, (*reading.declined, *classes))


def _policy_name(head: re.Match[str]) -> str:
    return head[2] if head.re is _POLICY else head[1]


def _policy(output: Output, block: Block) -> tuple[ShownPolicy, tuple[Declined, ...]]:
    """The policy of a block, with its classes that are not understood."""
    if block.match.re is not _POLICY:
        raise output.unknown(block.head)
    if (block.match[1] or "queueing").lower() != "queueing":
        raise LayoutError(output.at(block.head), block.head.text, _NOT_MQC)
    return _policy_of(output, block.name, block.head, block.lines, block.head.column)


def _policy_of(
    output: Output, name: str, head: ShownLine, lines: Sequence[ShownLine], column: int
) -> tuple[ShownPolicy, tuple[Declined, ...]]:
    """The policy of these lines, whose head stands at a column."""
    blocks = blocks_of(lines, _CLASS)
    unknown = next((line for line in blocks.before if not _OF_POLICY.fullmatch(line.text)), None)
    if unknown is not None:
        raise output.unknown(unknown)
    if not blocks.blocks:
        return ShownPolicy(name, (), output.at(head)), ()
    classes = _classes(output, Blocks((), blocks.blocks), column)
    unread = tuple(part.name for part in classes.declined)
    policy = ShownPolicy(name, classes.records, output.at(head), unread)
    return policy, classes.declined


def _classes(output: Output, blocks: Blocks, policy_column: int) -> OutputReading[ShownClass]:
    """The classes of a policy.

    An unknown line as far left as the policy may be the head of another one: then no class below
    it belongs to this policy.
    """
    doubt: list[LayoutError] = []

    def read(block: Block) -> ShownClass:
        if doubt:
            raise doubt[0]
        draft = Draft(block.name, "match-all", output.at(block.head))
        for line in block.lines:
            if not rules_of("shared", "shown").take(draft, line.text):
                error = output.unknown(line)
                if line.column <= policy_column < block.head.column:
                    doubt.append(error)
                raise error
        return _shown_class(draft)

    return read_blocks(output, OutputPart.CLASS, blocks, read)


def _shown_class(draft: Draft) -> ShownClass:
    settled = {
        "wred": settled_wred(draft),
        "policer": draft.policers[0] if draft.policers else None,
        "marks": tuple(draft.marks),
    }
    return ShownClass(**stated(draft, ShownClass) | settled)


# `show class-map`: what the lines of each class-map would say in a configuration.

_CLASS_MAP_OUTPUT: Final = "`show class-map`"
_CLASS_MAP: Final = re.compile(r"Class[ -]Map\s+(match-all|match-any)\s+(\S+)(?:\s+\(id \d+\))?")
_CRITERION: Final = re.compile(r"Match\s+(?!none$)(\S.*)")
_OF_CLASS_MAP: Final = re.compile(r"Match\s+none|Description:.*")


def read_class_maps(text: str, file: str, first_line: int = 1) -> OutputReading[ClassMap]:
    """The class-maps that `show class-map` prints, as the configuration of them would be read.

    A class-map with an unknown line, or with a criterion that configurations do not have, is
    declined; so is the last one of a log that ends inside it: IOS prints a blank line below each.

    Raises
    ------
    LayoutError
        If no class-map begins.
    """
    output = Output(text, file, first_line, _CLASS_MAP_OUTPUT)
    is_open = output.typed is not None and _ends_open(text)

    def read(block: Block) -> ClassMap:
        criteria: list[Line] = []
        is_said = False
        for line in block.lines:
            match = _CRITERION.fullmatch(line.text)
            if match is None and not _OF_CLASS_MAP.fullmatch(line.text):
                raise output.unknown(line)
            is_said = is_said or line.text.startswith("Match")
            if match is not None:
                criteria.append(Line(f"match {without_code(match[1])}", line.number, line.text))
        if not is_said or (is_open and block is blocks.blocks[-1]):
            missing = "its last line of Match" if is_said else "its line of Match"
            raise output.ends((block.head, *block.lines)[-1], missing)
        return _class_map(output, block, tuple(criteria))

    blocks = blocks_of(output.lines(), _CLASS_MAP, name=lambda head: head[2])
    return read_blocks(output, OutputPart.CLASS, blocks, read)


def _ends_open(text: str) -> bool:
    """Whether a text ends in a criterion, without a prompt, and has blank lines below others."""
    rows = text.removesuffix("\n").split("\n")
    is_criterion = [row.lstrip().startswith("Match") for row in rows]
    spaced = any(
        criterion and not row.strip()
        for criterion, row in zip(is_criterion, rows[1:], strict=False)
    )
    return spaced and is_criterion[-1]


def _class_map(output: Output, block: Block, criteria: tuple[Line, ...]) -> ClassMap:
    head = Line(
        f"class-map {block.match[1]} {block.name}",
        block.head.number,
        block.head.text,
        children=criteria,
    )
    ledger = Ledger(output.file)
    class_map = class_map_of(head, ledger)
    if class_map is None or ledger.unread:
        number = ledger.unread[0].at.line
        raise output.unknown(next(line for line in block.lines if line.number == number))
    return class_map
