"""Lines of `show policy-map interface` on shaping, marking, compression and `random-detect`."""

import re
from typing import Final

from msgspec.structs import replace

from advisor.shows.policy_map import Count, Mark, QueueSize, ShownShaper, ShownWred, ShownWredRow
from advisor.shows.policy_map.draft import (
    NUMBER,
    ClassPart,
    Draft,
    LineRule,
    begin,
    count,
    into,
    number,
    rule,
    size,
    skip,
)

# Lines of `show policy-map interface` on shaping, marking and header compression.


def _shape(draft: Draft, match: re.Match[str]) -> None:
    draft.shaper = ShownShaper(
        kind="peak" if match[1].lower() == "peak" else "average",
        cir_bps=number(match[2]),
        bc_bits=number(match[3]),
        be_bits=number(match[4]),
    )


def _old_shape_queue(draft: Draft, match: re.Match[str]) -> None:
    draft.shaper = replace(
        draft.shaper or ShownShaper(),
        queue_depth_packets=number(match[1]),
        sent=Count(number(match[2]), number(match[3])),
        delayed=Count(number(match[4]), number(match[5])),
        active=match[6].lower() == "yes",
    )


def mark(draft: Draft, match: re.Match[str]) -> None:
    draft.marks.append(Mark(" ".join(match[1].split()), match[2]))


def _marked(draft: Draft, match: re.Match[str]) -> None:
    if draft.marks:
        draft.marks[-1] = replace(draft.marks[-1], marked_packets=number(match[1]))


def drop(draft: Draft, _match: re.Match[str]) -> None:
    draft.drops_all = True


_N: Final = f"({NUMBER})"
shaped: Final = into("shaper", ShownShaper)
LOWER_BOUND: Final = rf"(?P<lower_bound_bps>{NUMBER})"
_SHAPE_TERMS: Final = "".join(
    rf"\s+(?P<{figure}>{NUMBER})"
    for figure in ("byte_limit_bytes", "bc_bits", "be_bits", "interval_ms", "increment_bytes")
)
MARK_FIELD: Final = (
    r"((?:ip |ipv6 )?(?:dscp|precedence)|ip tos|cos(?: inner)?|qos-group|discard-class"
    r"|traffic-class|mpls experimental(?: imposition| topmost)?|atm-clp|fr-de|srp-priority)"
)

ACTION_RULES: Final[tuple[LineRule, ...]] = (
    rule("shape", rf"shape \((average|peak)\) cir {_N},?\s*bc {_N},?\s*be {_N}", _shape),
    rule("target", rf"target shape rate (?P<target_rate_bps>{NUMBER})", shaped),
    rule("lower", rf"lower bound cir {LOWER_BOUND},\s*adapt to \w+ \w+", shaped),
    rule("traffic", r"Traffic Shaping", into("shaper", ShownShaper, ClassPart.SHAPING)),
    rule("target", r"Target(?:/Average)?\s+Byte\s+Sustain\s+Excess\s+Interval.*", skip),
    rule("rate", r"Rate\s+Limit\s+bits/int\s+bits/int\s+\(ms\).*", skip),
    rule("adapt queue", r"(?:Adapt\s+)?Queue\s+Packets\s+Bytes\s+Packets\s+Bytes\s+Shaping", skip),
    rule("active depth", r"(?:Active\s+)?Depth\s+Delayed\s+Delayed\s+Active", skip),
    rule("-", r"-{5,}", skip, ClassPart.SHAPING),
    rule(
        "0",
        rf"(?P<target_rate_bps>{NUMBER})/(?P<cir_bps>{NUMBER}){_SHAPE_TERMS}",
        shaped,
        ClassPart.SHAPING,
    ),
    rule(
        "0",
        rf"(?=(?P<target_rate_bps>\S+))\s*(?P<cir_bps>{NUMBER}){_SHAPE_TERMS}"
        r"\s+(?:-|BECN|FECN|FSA|IF_CONG)",
        shaped,
        ClassPart.SHAPING,
    ),
    rule(
        "0 - becn fecn fsa if",
        rf"(?:(?:-|BECN|FECN|FSA|IF_CONG)\s+)?{_N}" + rf"\s+{_N}" * 4 + r"\s+(yes|no)",
        _old_shape_queue,
        ClassPart.SHAPING,
    ),
    rule("voice", r"Voice Adaptive Shaping (?:in)?active.*", skip),
    rule("qos", r"QoS Set", begin(ClassPart.SET)),
    rule(
        "ip ipv dscp precedence cos qos-group discard-class traffic-class mpls atm-clp fr-de"
        " srp-priority",
        rf"{MARK_FIELD}\s+(\S.*)",
        mark,
        ClassPart.SET,
    ),
    rule("atm-clp fr-de", r"(atm-clp|fr-de)()", mark, ClassPart.SET),
    rule("packets", rf"Packets marked {_N}", _marked),
    rule("marker", r"Marker statistics: Disabled", skip),
    rule("drop", r"drop", drop, ClassPart.HEAD),
    rule("compress", r"compress:", begin(ClassPart.COMPRESS)),
    rule("header", r"header ip(?: rtp| tcp)?", skip, ClassPart.COMPRESS),
    rule("udp tcp", r"(?:UDP/RTP|TCP)\s*\(?compression.*", skip, ClassPart.COMPRESS),
    rule("sent", rf"Sent:\s*{_N} total, {_N} compressed,?", skip, ClassPart.COMPRESS),
    rule("0", rf"{_N} bytes saved, {_N} bytes sent", skip, ClassPart.COMPRESS),
    rule("0", r"[\d.]{1,20} efficiency improvement factor", skip, ClassPart.COMPRESS),
    rule("0", r"\d{1,3}% hit ratio, .*", skip, ClassPart.COMPRESS),
    rule("rate", rf"rate {_N} bps", skip, ClassPart.COMPRESS),
)


# Lines of `random-detect` in `show policy-map interface`: WRED, ECN and AFD tables.


def _mean_depth(draft: Draft, match: re.Match[str]) -> None:
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


def _table(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.WRED
    draft.threshold_units = ("packets",)
    draft.wred = replace(draft.wred or ShownWred(), by=match[1].lower())


def _units(draft: Draft, match: re.Match[str]) -> None:
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


def _row(draft: Draft, match: re.Match[str]) -> None:
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


def _vip_row(draft: Draft, match: re.Match[str]) -> None:
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


def _ecn_row(draft: Draft, match: re.Match[str]) -> None:
    name = match[1]
    row = draft.wred_rows.get(name) or ShownWredRow(name)
    draft.wred_rows[name] = replace(row, ecn_marked=count(match[2], match[3]))


def _afd(draft: Draft, _match: re.Match[str]) -> None:
    draft.part = ClassPart.AFD
    draft.wred = ShownWred(by="virtual class")


def _afd_row(draft: Draft, match: re.Match[str]) -> None:
    """Read a virtual class of a switch. Its thresholds have no unit and are left out."""
    name, sent, dropped = match.groups()
    row = ShownWredRow(name, Count(bytes=number(sent)), Count(bytes=number(dropped)))
    draft.wred_rows[row.name] = row


def _afd_packets(draft: Draft, match: re.Match[str]) -> None:
    if not draft.wred_rows:
        return
    name, row = draft.wred_rows.popitem()
    draft.wred_rows[name] = replace(
        row,
        transmitted=replace(row.transmitted or Count(), packets=number(match[1])),
        random_drops=replace(row.random_drops or Count(), packets=number(match[2])),
    )


_FIRST_OF_ROW: Final = "0 af cs ef default be rsvp"
_PAIR: Final = rf"({NUMBER}/{NUMBER}|N/A)"
_LIMIT: Final = rf"({NUMBER}(?:/{NUMBER})?)"
_UNIT: Final = r"(packets|bytes|ms/bytes|us/bytes|ms|us)"

WRED_RULES: Final[tuple[LineRule, ...]] = (
    rule("random-detect", r"random-detect:?", into("wred", ShownWred, ClassPart.WRED)),
    rule(
        "exp-weight-constant exponential",
        rf"(?:Exp-weight-constant|exponential weight)\s*+:?\s*+(?P<exponent>{NUMBER})"
        r"(?:\s*\(1/\d{1,10}\))?",
        into("wred", ShownWred, ClassPart.WRED),
    ),
    rule(
        "mean",
        rf"mean queue depth\s*+:?\s*+({NUMBER})"
        rf"(?:\s*(packets|bytes|ms|us)(?:\s*/\s*({NUMBER}) bytes)?)?",
        _mean_depth,
    ),
    rule(
        "class dscp precedence prec discard-class exp clp cos",
        r"(\S+)\s+Transmitted\s+Random drop\s+Tail(?:/Flow)? drop\s+Minimum\s+Maximum\s+Mark",
        _table,
    ),
    rule("class", r"(Class)\s+Random\s+Tail\s+Minimum\s+Maximum\s+Mark\s+Output", _table),
    rule("pkts", r"pkts/bytes\s+pkts/bytes\s+pkts/bytes\s+thresh.*", skip, ClassPart.WRED),
    rule("drop", r"drop\s+drop\s+threshold.*", skip, ClassPart.WRED),
    rule("( packets bytes ms us", rf"\(?{_UNIT}\)?\s+\(?{_UNIT}\)?", _units, ClassPart.WRED),
    rule(
        _FIRST_OF_ROW,
        rf"([\w-]+(?:\s+[\w-]+)*?)\s+{_PAIR}\s+{_PAIR}\s+{_PAIR}\s+{_LIMIT}\s+{_LIMIT}"
        rf"\s+\d{{1,9}}/({NUMBER})",
        _row,
        ClassPart.WRED,
    ),
    rule(
        _FIRST_OF_ROW,
        rf"([\w-]+)\s+({NUMBER})\s+({NUMBER})\s+({NUMBER})\s+({NUMBER})\s+\d{{1,9}}/({NUMBER})"
        rf"\s+({NUMBER})",
        _vip_row,
        ClassPart.WRED,
    ),
    rule(
        "class dscp precedence prec",
        r"\S+\s+ECN Mark",
        into("wred", ShownWred, ClassPart.ECN, ecn=True),
    ),
    rule("pkts", r"pkts/bytes", skip, ClassPart.ECN),
    rule(_FIRST_OF_ROW, rf"([\w-]+)\s+({NUMBER})/({NUMBER})", _ecn_row, ClassPart.ECN),
    rule("afd", r"AFD WRED STATS BEGIN", _afd),
    rule("virtual", r"Virtual Class\s+min/max\s+Transmit\s+Random drop\s+AFD Weight", skip),
    rule(
        "0",
        rf"({NUMBER})\s+\d+\s*/\s*\d+\s+\(Byte\)({NUMBER})\s+({NUMBER})\s+\d+",
        _afd_row,
        ClassPart.AFD,
    ),
    rule("(", rf"\(Pkts\)({NUMBER})\s+({NUMBER})", _afd_packets, ClassPart.AFD),
    rule("dscp cos precedence", r"\w+\s*:\s*\d{1,3}(?:,?\s+\d{1,3})*", skip, ClassPart.AFD),
    rule("total", r"Total Drops\s*\((?:Bytes|Packets)\)\s*:\s*\d+", skip, ClassPart.AFD),
    rule("afd", r"AFD WRED STATS END", begin(ClassPart.QUEUE)),
)
