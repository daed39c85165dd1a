"""Lines on classification, queueing, priority and guarantees.

`SHARED_RULES` are of lines that `show policy-map` prints, too.
"""

import re
from typing import Final

from msgspec.structs import replace

from advisor.shows.policy_map import (
    QueueSize,
    ShownBandwidth,
    ShownFairQueue,
    ShownMatch,
    ShownPriority,
    ShownWred,
)
from advisor.shows.policy_map.draft import (
    NUMBER,
    ClassPart,
    Draft,
    LineRule,
    begin,
    count,
    counted,
    into,
    number,
    rule,
    size,
    skip,
)
from advisor.units import whole

_SECONDS_PER_MINUTE: Final = 60


def _seen(draft: Draft, match: re.Match[str]) -> None:
    counted = count(match[1], match[2])
    if draft.matches:
        draft.matches[-1] = replace(draft.matches[-1], seen=counted)
    else:
        draft.seen = counted


def _offered(draft: Draft, match: re.Match[str]) -> None:
    minutes = match[2].lower() == "minute"
    draft.interval_s = whole(match[1]) * (_SECONDS_PER_MINUTE if minutes else 1)
    draft.offered_rate_bps = number(match[3])
    draft.drop_rate_bps = number(match[4])
    draft.rates_at = draft.line_at


def _match(draft: Draft, match: re.Match[str]) -> None:
    # 12.2 prints an internal id after the criterion; `dscp ef (46)` has its value there.
    criterion = " ".join(re.sub(r"  \(\d+\)$", "", match[1]).split())
    draft.matches.append(ShownMatch(re.sub(r"^any \(\d+\)$", "any", criterion)))


def _match_rate(draft: Draft, match: re.Match[str]) -> None:
    if draft.matches:
        draft.matches[-1] = replace(draft.matches[-1], rate_bps=number(match[1]))


def _priority(draft: Draft, match: re.Match[str]) -> None:
    into("priority", ShownPriority, ClassPart.QUEUE)(draft, match)
    draft.note_drops(number(match["exceed_drops_packets"]))


def rated(draft: Draft, match: re.Match[str]) -> None:
    """Read `Bandwidth 64 (kbps) ...`; of a priority class it is the rate of the LLQ."""
    draft.part = ClassPart.QUEUE
    amount, unit = number(match["amount"]), match["unit"]
    percent = unit == "%" or match["percent"] is not None
    rate = {"rate_percent" if percent else "rate_kbps": amount}
    if draft.priority is not None:
        draft.priority = replace(draft.priority, burst_bytes=number(match["burst"]), **rate)
    elif match["remaining"] and (percent or unit is None):
        draft.bandwidth = replace(draft.bandwidth or ShownBandwidth(), remaining_percent=amount)
    else:
        draft.bandwidth = replace(draft.bandwidth or ShownBandwidth(), **rate)
    if match["limit"] is not None:
        draft.queue_limit = size(number(match["limit"]), match["limit_unit"].lower())


def _limit(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.QUEUE
    limit = size(number(match[1]), match[2].lower()) or QueueSize()
    draft.queue_limit = limit if match[3] is None else replace(limit, bytes=number(match[3]))


def _vip_limit(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.QUEUE
    draft.counters["depth"] = number(match[1])
    draft.queue_limit = QueueSize(packets=number(match[2]))


def _c10k_queue(draft: Draft, match: re.Match[str]) -> None:
    """Read depth, limit and output of a Cisco 10000, which does not say what its two drops are."""
    draft.part = ClassPart.QUEUE
    draft.counters["depth"] = number(match[1])
    draft.queue_limit = QueueSize(packets=number(match[2]))
    draft.counters["pkts output"] = number(match[3])
    draft.counters["bytes output"] = number(match[4])


def _conversation(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.QUEUE
    draft.conversation = whole(match[1])


_SAME_COUNTER: Final = {
    "queue depth": "depth",
    "pkts enqueued": "pkts queued",
    "bytes enqueued": "bytes queued",
}


def _counters(draft: Draft, match: re.Match[str]) -> None:
    groups = match.groups()
    labels, values = groups[: len(groups) // 2], groups[len(groups) // 2 :]
    names = [" ".join(str(label).lower().split()) for label in labels]
    if names == ["total drops"]:
        names = ["drops of a switch"]
    for name, value in zip(names, values, strict=True):
        draft.counters[_SAME_COUNTER.get(name, name)] = number(value)
        if "drops" in name:
            draft.note_drops(number(value))
    if "total queued" in names:
        draft.fair_queue = replace(
            draft.fair_queue or ShownFairQueue(), queued_packets=draft.counters.pop("total queued")
        )


_N: Final = f"({NUMBER})"
_BPS: Final = f"{_N} bps"
_LABEL: Final = (
    r"((?:queue\s+)?depth|total drops|no-buffer drops|flowdrops|bytes drops|total queued"
    r"|(?:pkts|bytes) (?:matched|output|queued|enqueued))"
)
# The terminal may have cut the line before `depth`, and the bracket with it.
_COUNTER_LINES: Final = tuple(
    rule(
        "( depth",
        r"\(?" + r"/\s*".join([_LABEL] * labels) + r"\)\s*" + "/".join([_N] * labels),
        _counters,
    )
    for labels in range(1, 5)
)
RATE_AHEAD: Final = (
    rf"Bandwidth\s+(?P<remaining>remaining\s+)?(?P<percent>percent\s+)?(?P<amount>{NUMBER})"
)
# The threshold before HQF, and the burst of a priority class.
RATE_BEHIND: Final = (
    rf"(?:\s*Max Thresh(?:old)?\s+(?P<limit>{NUMBER})\s*\((?P<limit_unit>packets|bytes)\))?"
    rf"(?:\s*Burst\s+(?P<burst>{NUMBER})\s*\(Bytes\))?"
)
HASHED: Final = rf"(?P<hashed_queues>{NUMBER})"
hashed: Final = into("fair_queue", ShownFairQueue)
marks_ecn: Final = into("wred", ShownWred, ClassPart.WRED, ecn=True)
ACCOUNT: Final = r"(?:\s+account \S.*)?"
SHARED_RULES: Final = (
    rule("queueing weighted", r"(?:Weighted Fair )?Queueing", begin(ClassPart.QUEUE)),
    rule("strict absolute", r"(?:Strict|Absolute) Priority", into("priority", ShownPriority)),
    rule(
        "bandwidth",
        rf"bandwidth remaining\s+(?:ratio\s+(?P<remaining_ratio>\d{{1,10}})"
        rf"|(?P<remaining_percent>\d{{1,3}})%(?:\s*\({NUMBER}\s*kbps\))?){ACCOUNT}",
        into("bandwidth", ShownBandwidth),
    ),
    rule(
        "queue queue-limit",
        rf"queue[ -]limit\s+{_N}\s*\(?(packets|bytes|ms|us)\)?(?:\s*/\s*{_N}\s*bytes)?",
        _limit,
    ),
    rule("flow", r"Flow Based Fair Queueing", into("fair_queue", ShownFairQueue, ClassPart.QUEUE)),
    rule("maximum", rf"Maximum Number of Hashed Queues {HASHED}", hashed),
    rule("explicit", r"explicit congestion notification", marks_ecn),
)
QUEUE_RULES: Final[tuple[LineRule, ...]] = (
    rule("0", rf"{_N} packets?(?:,\s*{_N} bytes)?", _seen, ClassPart.HEAD),
    rule(
        "0",
        rf"(\d{{1,4}}) (second|minute)s? offered rate {_BPS}(?:,\s*drop rate {_BPS})?",
        _offered,
        ClassPart.HEAD,
    ),
    rule("0", rf"\d{{1,4}} (?:second|minute)s? rate {_BPS}", _match_rate, ClassPart.HEAD),
    rule("match", r"Match\s*:\s*(\S.*)", _match, ClassPart.HEAD),
    rule(
        "priority", r"Priority Level\s*+:?\s*+(?P<level>\d{1,2})", into("priority", ShownPriority)
    ),
    rule(
        "priority",
        rf"Priority:\s*+(?:(?P<rate_percent>\d{{1,3}})%\s*\((?P<rate_kbps>{NUMBER})\s*kbps\)"
        rf"|(?P<rate_kbps_>{NUMBER})\s*kbps|Strict)?,?"
        rf"(?:\s*burst bytes\s*(?P<burst_bytes>{NUMBER}),?)?"
        rf"(?:\s*b/w exceed drops:\s*(?P<exceed_drops_packets>{NUMBER}))?",
        _priority,
    ),
    rule("output", r"Output Queue\s*:\s*Conversation\s*(\d{1,10})", _conversation),
    rule(
        "bandwidth",
        rf"{RATE_AHEAD}\s*\((?P<unit>kbps|%)\){RATE_BEHIND}",
        rated,
    ),
    rule(
        "bandwidth",
        rf"bandwidth\s*+:?\s*+(?:(?P<rate_kbps>{NUMBER})\s*kbps(?:\s*\(Weight \d{{1,9}}\))?"
        rf"|(?P<rate_percent>\d{{1,3}})%(?:\s*\((?P<rate_kbps_>{NUMBER})\s*kbps\))?)",
        into("bandwidth", ShownBandwidth, ClassPart.QUEUE),
    ),
    rule(
        "bandwidth",
        rf"bandwidth\s*+:?\s*+class-based wfq, weight (?P<weight>{NUMBER})",
        into("bandwidth", ShownBandwidth),
    ),
    rule(
        "output",
        rf"Output queue:\s*{_N}/{_N};\s*{_N}/{_N} packets/bytes output, {NUMBER}/{NUMBER} drops",
        _c10k_queue,
    ),
    rule("queue", rf"queue size {_N}, queue limit {_N}", _vip_limit),
    rule(
        "packet packets",
        rf"packets? output {_N}, packets? drops? {_N}",
        counted("pkts output", "total drops"),
    ),
    rule(
        "tail",
        rf"tail/random drops? {NUMBER}, no[ -]buffer drops? {_N}, other drops? {_N}",
        counted("no-buffer drops", "other drops"),
    ),
    *_COUNTER_LINES,
    rule(
        "fair-queue",
        rf"Fair-queue:\s*per-flow queue limit (?P<per_flow_limit_packets>{NUMBER})(?:\s*packets)?",
        into("fair_queue", ShownFairQueue),
    ),
    rule("overhead", r"Overhead Accounting (?:Enabled|Disabled)", skip),
)
