"""Adds a line of `show policy-map interface` to its class; `lines.txt` has the patterns."""

import re
from typing import Any, Final

from msgspec.structs import replace

from advisor.ground.units import whole
from advisor.ios.grammar import layout
from advisor.shows.policy_map import (
    Count,
    Mark,
    PolicerOutcome,
    QueueSize,
    ShownBandwidth,
    ShownFairQueue,
    ShownMatch,
    ShownPolicer,
    ShownShaper,
    ShownWred,
    ShownWredRow,
)
from advisor.shows.policy_map.draft import ClassPart, Draft, count, number, size

_SECONDS_PER_MINUTE: Final = 60


def seen(draft: Draft, match: re.Match[str]) -> None:
    counted = count(match[1], match[2])
    if draft.matches:
        draft.matches[-1] = replace(draft.matches[-1], seen=counted)
    else:
        draft.seen = counted


def offered(draft: Draft, match: re.Match[str]) -> None:
    minutes = match[2].lower() == "minute"
    draft.interval_s = whole(match[1]) * (_SECONDS_PER_MINUTE if minutes else 1)
    draft.offered_rate_bps = number(match[3])
    draft.drop_rate_bps = number(match[4])
    draft.rates_at = draft.line_at


def criterion(draft: Draft, match: re.Match[str]) -> None:
    # 12.2 prints an internal id after the criterion; `dscp ef (46)` has its value there.
    text = " ".join(re.sub(r"  \(\d+\)$", "", match[1]).split())
    draft.matches.append(ShownMatch(re.sub(r"^any \(\d+\)$", "any", text)))


def rated(draft: Draft, match: re.Match[str]) -> None:
    """Read `Bandwidth 64 (kbps) ...`; of a priority class it is the rate of the LLQ."""
    draft.part = ClassPart.QUEUE
    amount, unit = number(match["amount"]), match["unit"]
    percent = unit == "%" or match["percent"] is not None
    rate: dict[str, Any] = {"rate_percent" if percent else "rate_kbps": amount}
    account = match.groupdict().get("account")
    if draft.priority is not None:
        draft.priority = replace(draft.priority, burst_bytes=number(match["burst"]), **rate)
    elif match["remaining"] and (percent or unit is None):
        draft.bandwidth = replace(draft.bandwidth or ShownBandwidth(), remaining_percent=amount)
    else:
        draft.bandwidth = replace(draft.bandwidth or ShownBandwidth(), **rate)
    if draft.bandwidth is not None and account is not None:
        draft.bandwidth = replace(draft.bandwidth, account=account)
    if match["limit"] is not None:
        draft.queue_limit = size(number(match["limit"]), match["limit_unit"].lower())


def limit(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.QUEUE
    limit = size(number(match[1]), match[2].lower()) or QueueSize()
    draft.queue_limit = limit if match[3] is None else replace(limit, bytes=number(match[3]))


def vip_limit(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.QUEUE
    draft.counters["depth"] = number(match[1])
    draft.queue_limit = QueueSize(packets=number(match[2]))


def c10k_queue(draft: Draft, match: re.Match[str]) -> None:
    """Read depth, limit and output of a Cisco 10000, which does not say what its two drops are."""
    draft.part = ClassPart.QUEUE
    draft.counters["depth"] = number(match[1])
    draft.queue_limit = QueueSize(packets=number(match[2]))
    draft.counters["pkts output"] = number(match[3])
    draft.counters["bytes output"] = number(match[4])


def conversation(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.QUEUE
    draft.conversation = whole(match[1])


_SAME_COUNTER: Final = {
    "queue depth": "depth",
    "pkts enqueued": "pkts queued",
    "bytes enqueued": "bytes queued",
}


def counters(draft: Draft, match: re.Match[str]) -> None:
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


def old_shape_queue(draft: Draft, match: re.Match[str]) -> None:
    draft.shaper = replace(
        draft.shaper or ShownShaper(),
        queue_depth_packets=number(match[1]),
        sent=Count(number(match[2]), number(match[3])),
        delayed=Count(number(match[4]), number(match[5])),
        active=match[6].lower() == "yes",
    )


def mark(draft: Draft, match: re.Match[str]) -> None:
    draft.marks.append(Mark(" ".join(match[1].split()), match[2]))


def drop(draft: Draft, _match: re.Match[str]) -> None:
    draft.drops_all = True


# `police`: rates, bursts and outcomes of a policer.

_TERM: Final = re.compile(
    r"(cir|pir|rate|peak-rate|bc|be|burst|conform-burst|peak-burst)\s+(percent\s+)?(-?\d{1,20})"
    r"\s*(bps|pps|bytes|packets|%|ms)?",
    re.IGNORECASE,
)
_SYNONYMS: Final = {
    "rate": "cir",
    "peak-rate": "pir",
    "burst": "bc",
    "conform-burst": "bc",
    "peak-burst": "be",
}
_USUAL_UNITS: Final = {"cir": "bps", "pir": "bps", "bc": "bytes", "be": "bytes"}
_TERMS: Final = layout("shows/policy_map/lines.txt").fields("terms")


def police(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.POLICE
    draft.policers.append(ShownPolicer())
    _add_terms(draft, match[1] or "")


def terms(draft: Draft, match: re.Match[str]) -> None:
    _add_terms(draft, match[0])


def _add_terms(draft: Draft, line: str) -> None:
    """Add the rates and bursts of one line, `cir 8000 bps, bc 1500 bytes`, to the policer."""
    for printed, percent, amount, printed_unit in _TERM.findall(line):
        word = _SYNONYMS.get(printed.lower(), printed.lower())
        unit = "%" if percent else printed_unit.lower() or _USUAL_UNITS[word]
        field = _TERMS.get(f"{word} {unit}")
        if field is not None:
            draft.policers[-1] = replace(draft.policers[-1], **{field: number(amount)})


def slot(draft: Draft, match: re.Match[str]) -> None:
    policer = draft.policers[-1]
    if policer.slot is not None:
        policer = replace(policer, conformed=None, exceeded=None, violated=None)
        draft.policers.append(policer)
    draft.policers[-1] = replace(policer, slot=whole(match[1]))


_OUTCOMES: Final = {"c": "conformed", "a": "conformed", "e": "exceeded", "v": "violated"}


def outcome(draft: Draft, match: re.Match[str]) -> None:
    draft.outcome = _OUTCOMES[match["outcome"][0].lower()]
    action, seen = match["action"].strip(), count(match["packets"], match["bytes"])
    _change_outcome(draft, draft.outcome, seen=seen, actions=(action,) if action else ())
    if draft.outcome != "conformed" and seen is not None:
        draft.note_drops(seen.packets)


def action(draft: Draft, match: re.Match[str]) -> None:
    if draft.outcome:
        add_action(draft, draft.outcome, match[0])
    else:
        draft.drops_all = draft.drops_all or match[0].lower() == "drop"


def rates(draft: Draft, match: re.Match[str]) -> None:
    kind = "rate_pps" if match["unit"].lower() == "pps" else "rate_bps"
    for name in ("conformed", "exceeded", "violated"):
        if match[name] is not None:
            _change_outcome(draft, name, **{kind: number(match[name])})
    draft.outcome = ""


def add_action(draft: Draft, name: str, text: str) -> None:
    """Add an action for packets that conformed, exceeded or violated."""
    known: PolicerOutcome = getattr(draft.policers[-1], name) or PolicerOutcome()
    _change_outcome(draft, name, actions=(*known.actions, text))


def _change_outcome(draft: Draft, name: str, **changes: object) -> None:
    known = getattr(draft.policers[-1], name) or PolicerOutcome()
    outcome = replace(known, **changes)
    draft.policers[-1] = replace(draft.policers[-1], **{name: outcome})


# `random-detect`: WRED, ECN and AFD tables.


def mean_depth(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.WRED
    amount, unit, octets = number(match[1]), match[2], match[3]
    draft.wred = draft.wred or ShownWred()
    if unit is None:
        draft.mean_depth = amount
        return
    depth = size(amount, unit.lower()) or QueueSize()
    if octets is not None:
        depth = replace(depth, bytes=number(octets))
    draft.wred = replace(draft.wred, mean_depth=depth)


def table(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.WRED
    draft.threshold_units = ("packets",)
    draft.wred = replace(draft.wred or ShownWred(), by=match[1].lower())


def units(draft: Draft, match: re.Match[str]) -> None:
    draft.threshold_units = tuple(match[1].lower().split("/"))


def _pair(printed: str) -> Count | None:
    packets, slash, octets = printed.partition("/")
    return count(packets, octets) if slash and packets != "N" else None


def _threshold(draft: Draft, printed: str) -> QueueSize | None:
    amounts = printed.split("/")
    units = draft.threshold_units
    threshold = size(number(amounts[0]), units[0])
    if threshold is not None and len(amounts) == len(("ms", "bytes")):
        threshold = replace(threshold, bytes=number(amounts[1]))
    return threshold


def row(draft: Draft, match: re.Match[str]) -> None:
    name, transmitted, random_drops, tail_drops, low, high, denominator = match.groups()
    row = ShownWredRow(
        name=" ".join(name.split()),
        transmitted=_pair(transmitted),
        random_drops=_pair(random_drops),
        tail_drops=_pair(tail_drops),
        min_threshold=_threshold(draft, low),
        max_threshold=_threshold(draft, high),
        mark_probability_denominator=number(denominator),
    )
    draft.wred_rows[row.name] = row


def vip_row(draft: Draft, match: re.Match[str]) -> None:
    """Read a row of the VIP table: packets only; the last column counts sent packets."""
    name, random_drops, tail_drops, low, high, denominator, sent = match.groups()
    row = ShownWredRow(
        name=name,
        transmitted=Count(packets=number(sent)),
        random_drops=Count(packets=number(random_drops)),
        tail_drops=Count(packets=number(tail_drops)),
        min_threshold=_threshold(draft, low),
        max_threshold=_threshold(draft, high),
        mark_probability_denominator=number(denominator),
    )
    draft.wred_rows[row.name] = row


def ecn_row(draft: Draft, match: re.Match[str]) -> None:
    name = match[1]
    row = draft.wred_rows.get(name) or ShownWredRow(name)
    draft.wred_rows[name] = replace(row, ecn_marked=count(match[2], match[3]))


def afd(draft: Draft, _match: re.Match[str]) -> None:
    draft.part = ClassPart.AFD
    draft.wred = ShownWred(by="virtual class")


def afd_row(draft: Draft, match: re.Match[str]) -> None:
    """Read a virtual class of a switch. Its thresholds have no unit and are left out."""
    name, sent, dropped = match.groups()
    row = ShownWredRow(name, Count(bytes=number(sent)), Count(bytes=number(dropped)))
    draft.wred_rows[row.name] = row


def afd_packets(draft: Draft, match: re.Match[str]) -> None:
    if not draft.wred_rows:
        return
    name, row = draft.wred_rows.popitem()
    draft.wred_rows[name] = replace(
        row,
        transmitted=replace(row.transmitted or Count(), packets=number(match[1])),
        random_drops=replace(row.random_drops or Count(), packets=number(match[2])),
    )
