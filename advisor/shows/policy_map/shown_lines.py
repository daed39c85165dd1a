"""`show policy-map`: the policies as configured, without counters."""

import re
from itertools import chain
from typing import Final

from msgspec.structs import replace

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
    ShownPriority,
    ShownShaper,
    ShownWred,
    ShownWredRow,
)
from advisor.shows.policy_map.draft import ClassPart, Draft, number, settled_wred, size, stated
from advisor.shows.policy_map.line_rules import rules_of
from advisor.shows.policy_map.police_lines import outcome_of, with_outcome

# Lines of a class in `show policy-map`.


def priority(draft: Draft, match: re.Match[str]) -> None:
    amount = number(match["amount"])
    percent = match["unit"] == "%" or match["percent"] is not None
    draft.priority = replace(
        draft.priority or ShownPriority(),
        level=number(match["level"])
        if match["level"]
        else (draft.priority or ShownPriority()).level,
        rate_kbps=None if percent else amount,
        rate_percent=amount if percent else None,
        burst_bytes=number(match["burst"]),
    )


def percent_police(draft: Draft, match: re.Match[str]) -> None:
    """Read the bursts of a rate in percent, which are times: `police percent 20 30 ms 10 ms`."""
    draft.part = ClassPart.POLICE
    draft.policers.append(
        ShownPolicer(cir_percent=number(match[1]), bc_ms=number(match[2]), be_ms=number(match[3]))
    )


_OUTCOMES: Final = {"conform": "conformed", "exceed": "exceeded", "violate": "violated"}
_INLINE_ACTION: Final = re.compile(
    r"(conform|exceed|violate)-action (\S+(?: (?!\w+-action)\S+)*)", re.IGNORECASE
)


def _add_action(policer: ShownPolicer, word: str, action: str) -> ShownPolicer:
    name = _OUTCOMES[word.lower()]
    outcome = outcome_of(policer, name)
    return with_outcome(policer, name, replace(outcome, actions=(*outcome.actions, action)))


def old_police(draft: Draft, match: re.Match[str]) -> None:
    """Read the form of 12.2: `police 8000 1500 1500 conform-action transmit exceed-action drop`."""
    draft.part = ClassPart.POLICE
    policer = ShownPolicer(
        cir_bps=number(match[1]), bc_bytes=number(match[2]), be_bytes=number(match[3])
    )
    for word, action in _INLINE_ACTION.findall(match[4]):
        policer = _add_action(policer, word, action)
    draft.policers.append(policer)


def action(draft: Draft, match: re.Match[str]) -> None:
    draft.policers[-1] = _add_action(draft.policers[-1], match[1], match[2])


def shaping(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.SHAPING
    kind = (match[1] or "").lower()
    draft.shaper = ShownShaper(kind="peak" if kind == "peak" else "average" if kind else None)


def shape_terms(draft: Draft, match: re.Match[str]) -> None:
    shaper = draft.shaper or ShownShaper()
    in_ms = match["unit"] == "msec"
    bc, be = number(match["bc"]), number(match["be"])
    draft.shaper = replace(
        shaper,
        cir_bps=number(match["bps"]),
        cir_percent=number(match["percent"]),
        bc_bits=None if in_ms else bc,
        be_bits=None if in_ms else be,
        bc_ms=bc if in_ms else None,
        be_ms=be if in_ms else None,
        max_buffers_packets=number(match["buffers"]),
    )


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


def random_detect(draft: Draft, match: re.Match[str]) -> None:
    wred = draft.wred or ShownWred()
    draft.wred = replace(wred, by=match[1] or wred.by)


def table(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.WRED
    draft.wred = replace(draft.wred or ShownWred(), by=match[1].lower())


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
    blocks = blocks_of(output.lines(), _policy_name)
    if not blocks.blocks and not blocks.before:
        return OutputReading(())
    reading = read_blocks(output, OutputPart.POLICY, blocks, lambda block: _policy(output, block))
    policies = tuple(policy for policy, _ in reading.records)
    classes = chain.from_iterable(parts for _, parts in reading.records)
    return OutputReading(policies, (*reading.declined, *classes))


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


def _classes(output: Output, blocks: Blocks, policy_column: int) -> OutputReading[ShownClass]:
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
