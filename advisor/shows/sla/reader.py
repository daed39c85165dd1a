"""`show ip sla statistics`, aggregated or not, its older forms, and `show ip sla summary`.

The reader knows `show ip sla [monitor] statistics [aggregated]` of 12.3(14)T to IOS XE, and
`show rtr operational-state` and `collection-statistics` of 12.x, for icmp-jitter, udp-jitter and
operations of one time: echo, connect, dns, http. It does not know distributions and enhanced
history.
"""

import re
from itertools import chain
from typing import Final

from advisor.ground.units import decimal, whole
from advisor.ios.syntax import Location
from advisor.shows.output import (
    Block,
    Declined,
    Output,
    OutputPart,
    OutputReading,
    ShownLine,
    blocks_of,
    count,
    declined,
    read_blocks,
)
from advisor.shows.sla import (
    COUNTS,
    FAILED_BECAUSE,
    OPERATION,
    SPREADS,
    TEXTS,
    TIMES,
    TITLE,
    UNUSED,
    SlaDraft,
    SlaResult,
)

_EXPECTED: Final = "IP SLA statistics"
_AGGREGATED: Final = ("ipslas agg", "ipsla agg", "collected")
_FIGURE: Final = r"-?[0-9]{1,20}(?:\.[0-9]{1,6})?"
_UNITS_MS: Final = {"": 1.0, "ms": 1.0, "milliseconds": 1.0, "microseconds": 1e-3}
_UNIT: Final = r"(?:\s*(ms|milliseconds|microseconds))?"
# Two values on one line: `Tail Drop: 0   Packet Late Arrival: 0`.
_NEXT_VALUE: Final = re.compile(r"(?<=\d)\s+(?=[A-Z])")
_LABELLED: Final = re.compile(r"([^:]{1,80}?)\s*:\s*(.*)")
_UNLABELLED: Final = re.compile(rf"(\D{{1,80}}?)\s+({_FIGURE})")  # `Destination to Source 0`
_COUNT: Final = re.compile(rf"({_FIGURE})(?:\s+\([0-9]+%\))?")
_TIME: Final = re.compile(rf"({_FIGURE}){_UNIT}")
_SPREAD: Final = re.compile(rf"({_FIGURE})/({_FIGURE})/({_FIGURE}){_UNIT}")
_LIST: Final = re.compile(rf"{_FIGURE}(?:/{_FIGURE})*(?:\s*%|\s*(?:ms|milliseconds))?")
_LAST_LABEL: Final = "operation time to live"
_RETURN_CODE: Final = "latest operation return code"
_EVENT: Final = "connection loss occurred"
_WHOLE: Final = re.compile("[0-9]{1,20}")
_NO_COUNT: Final = "unknown"
_NO_TIME: Final = ("noconnection/busy/timeout", "unknown", "over threshold")


def read_sla(text: str, file: str, first_line: int = 1) -> OutputReading[SlaResult]:
    """Read the statistics of all operations in an output.

    An operation with an unknown line is declined: its type may be one that is not read.

    Parameters
    ----------
    text
        The output, as captured.
    file
        Its file.
    first_line
        Number of its first line in the file.

    Returns
    -------
    Reading[SlaResult]
        One for each operation, or for each hour of an aggregated operation. Empty if the output
        has only its title: a router without operations prints that.

    Raises
    ------
    LayoutError
        When the output has no operation, and when it is empty.

    Examples
    --------
    >>> shown = '''Round Trip Time (RTT) for       Index 7
    ... RTT Values:
    ...         Number Of RTT: 10              RTT Min/Avg/Max: 6/15/31
    ... '''
    >>> [(result.number, result.rtt) for result in read_sla(shown, "r1.txt").records]
    [(7, Spread(minimum_ms=6.0, mean_ms=15.0, maximum_ms=31.0, samples=10))]
    """
    output = Output(text, file, first_line, _EXPECTED)
    lines = tuple(output.lines())
    blocks = blocks_of((line for line in lines if not TITLE.match(line.text)), OPERATION)
    if lines and not blocks.blocks and not blocks.before:
        return OutputReading(())
    is_aggregated = any(line.text.lower().startswith(_AGGREGATED) for line in lines)

    last = blocks.blocks[-1] if blocks.blocks and not output.is_filtered else None

    def read(block: Block) -> tuple[SlaResult, ...]:
        drafts = [SlaDraft(whole(block.name), output.at(block.head), is_aggregated)]
        for line in block.lines:
            if not _take_line(line.text, output.at(line), drafts):
                raise output.unknown(line)
        if block is last and not is_aggregated and _is_cut(block):
            raise output.ends((block.head, *block.lines)[-1], f"its line of {_LAST_LABEL}")
        return tuple(draft.freeze() for draft in drafts)

    reading = read_blocks(output, OutputPart.OPERATION, blocks, read)
    return OutputReading(tuple(chain.from_iterable(reading.records)), reading.declined)


def _is_cut(block: Block) -> bool:
    """Whether an operation ends ahead of what is always printed below.

    That is the last line of `show ip sla statistics`. `show rtr` prints the figures of the round
    trip behind the return code since 12.3, when it began to say which events occurred.
    """
    labels = [line.text.lower() for line in block.lines]
    if block.head.text.startswith("IPSLA operation id"):
        return not any(label.startswith(_LAST_LABEL) for label in labels)
    ends_early = labels[-1:] != [] and labels[-1].startswith(_RETURN_CODE)
    return ends_early and any(label.startswith(_EVENT) for label in labels)


def _take_line(line: str, at: Location, drafts: list[SlaDraft]) -> bool:
    """Add the figures of a line to the last operation; False if the line is unknown."""
    label, colon, value = line.partition(":")
    name = label.strip().lower()
    if colon and name in TEXTS:
        _take_text(TEXTS[name], value.strip(), at, drafts)
        return True
    for piece in _NEXT_VALUE.split(line):
        match = _LABELLED.fullmatch(piece) or _UNLABELLED.fullmatch(piece)
        if match is None or not _take_figure(match[1].lower(), match[2], drafts[-1]):
            return False
    return True


def _take_text(target: str, value: str, at: Location, drafts: list[SlaDraft]) -> None:
    if target == "hour":
        if "hour" in drafts[-1].texts:
            drafts.append(drafts[-1].next_hour(at))
        drafts[-1].is_aggregated = True
    if target:
        drafts[-1].texts[target] = value


def _take_figure(label: str, value: str, draft: SlaDraft) -> bool:
    """Take one labelled figure; False if the label or the value is unknown."""
    if label in SPREADS:
        return _take_spread(SPREADS[label], value, draft)
    if label in TIMES:
        return _take_time(TIMES[label], value, draft)
    if label in COUNTS:
        return _take_count(COUNTS[label], value, draft)
    if label.startswith(FAILED_BECAUSE) and _WHOLE.fullmatch(value):
        draft.failed_because.append(whole(value))
        return True
    return UNUSED.fullmatch(label) is not None and _LIST.fullmatch(value) is not None


def _take_time(name: str, value: str, draft: SlaDraft) -> bool:
    if value.lower() in _NO_TIME:
        return True
    time = _TIME.fullmatch(value)
    if time is not None:
        draft.counts[name] = decimal(time[1]) * _UNITS_MS[time[2] or ""]
    return time is not None


def _take_count(name: str, value: str, draft: SlaDraft) -> bool:
    if value.lower() == _NO_COUNT:
        return True
    number = _COUNT.fullmatch(value)
    if number is not None and name:
        draft.counts[name] = _count(number[1])
    return number is not None


def _take_spread(name: str, value: str, draft: SlaDraft) -> bool:
    spread = _SPREAD.fullmatch(value)
    if spread is None:
        return False
    low, mean, high = (
        decimal(figure) * _UNITS_MS[spread[4] or ""] for figure in spread.groups()[:3]
    )
    draft.spreads[name] = low, mean, high
    return True


def _count(text: str) -> float | None:
    """Counter; None if it wrapped into a negative number. Scores have decimals."""
    return decimal(text) if "." in text else count(text)


# `show ip sla summary`: the last run of each operation in a row. A cell that is too long for its
# column goes on below. Source: public captures of 15.x and IOS XE.

_SUMMARY: Final = "IP SLA summary"
_COLUMNS: Final = re.compile(r"ID\s+Type\s+Destination\s+Stats\s+Return")
_COLUMN: Final = re.compile(r"\S+")
_AROUND_ROWS: Final = re.compile(
    r"IPSLAs Latest Operation Summary|Codes: .*|All Stats are in .*|(?:\(ms\)\s+)?Code\s+Run|-+"
)
_ROW: Final = re.compile(
    r"[*^~] ?(?P<number>\d{1,10})\s+(?P<operation>\S+)\s+(?:\S+)\s+"
    r"(?:RTT=(?P<rtt>\d{1,9})(?P<unit>u|ms)?|-)\s+(?P<code>\S+(?: \S+)*)\s+(?P<run>-|\d.*)"
)
_ANSWERED: Final = ("OK", "Over")  # a run that failed may print RTT=0
_UNITS_OF_ROWS: Final = {None: 1.0, "ms": 1.0, "u": 1e-3}


def read_sla_summary(text: str, file: str, first_line: int = 1) -> OutputReading[SlaResult]:
    """Read the last run of each operation.

    Raises
    ------
    LayoutError
        If there is neither a head nor a row.
    """
    output = Output(text, file, first_line, _SUMMARY)
    lines = [line for line in output.lines() if not _AROUND_ROWS.fullmatch(line.text)]
    head = next((line for line in lines if _COLUMNS.match(line.text)), None)
    rows = [line for line in lines if line is not head]
    if head is None and not any(_ROW.fullmatch(line.text) for line in rows):
        raise output.nothing() if not rows else output.unknown(rows[0])
    further = _further_columns(head) if head is not None else set()
    results: list[SlaResult] = []
    parts: list[Declined] = []
    for line in rows:
        row = _ROW.fullmatch(line.text)
        if row is not None:
            results.append(_last_run(output.at(line), row))
        elif not results or line.column not in further:
            parts.append(declined(OutputPart.ROW, "", output.at(line), output.unknown(line)))
    return OutputReading(tuple(results), tuple(parts))


def _further_columns(head: ShownLine) -> set[int]:
    """Where the cells below a row begin."""
    return {head.column + word.start() for word in _COLUMN.finditer(head.text) if word.start()}


def _last_run(at: Location, row: re.Match[str]) -> SlaResult:
    draft = SlaDraft(whole(row["number"]), at)
    draft.texts = {"operation": row["operation"], "return_code": row["code"]}
    if row["rtt"] is not None and row["code"].startswith(_ANSWERED):
        draft.counts["latest_rtt_ms"] = whole(row["rtt"]) * _UNITS_OF_ROWS[row["unit"]]
    return draft.freeze()
