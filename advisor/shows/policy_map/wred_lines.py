"""Lines of `random-detect` in `show policy-map interface`: WRED, ECN and AFD tables."""

import re
from typing import Final

from msgspec.structs import replace

from advisor.shows.policy_map.draft import (
    NUMBER,
    Draft,
    Part,
    Rule,
    count,
    number,
    rule,
    size,
    skip,
)
from advisor.shows.policy_map.records import Count, QueueSize, Wred, WredRow


def _wred(draft: Draft, _match: re.Match[str]) -> None:
    draft.part = Part.WRED
    draft.wred = draft.wred or Wred()


def _exponent(draft: Draft, match: re.Match[str]) -> None:
    draft.part = Part.WRED
    draft.wred = replace(draft.wred or Wred(), exponent=number(match[1]))


def _ecn(draft: Draft, _match: re.Match[str]) -> None:
    draft.part = Part.WRED
    draft.wred = replace(draft.wred or Wred(), ecn=True)


def _mean_depth(draft: Draft, match: re.Match[str]) -> None:
    draft.part = Part.WRED
    amount, unit, octets = number(match[1]), match[2], match[3]
    draft.wred = draft.wred or Wred()
    if unit is None:
        draft.mean_depth = amount
        return
    depth = size(amount, unit.lower()) or QueueSize()
    if octets is not None:
        depth = replace(depth, bytes=number(octets))
    draft.wred = replace(draft.wred, mean_depth=depth)


def _table(draft: Draft, match: re.Match[str]) -> None:
    draft.part = Part.WRED
    draft.threshold_units = ("packets",)
    draft.wred = replace(draft.wred or Wred(), by=match[1].lower())


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
    row = WredRow(
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
    row = WredRow(
        name=name,
        transmitted=Count(packets=number(sent)),
        random_drops=Count(packets=number(random_drops)),
        tail_drops=Count(packets=number(tail_drops)),
        min_threshold=_threshold(draft, low),
        max_threshold=_threshold(draft, high),
        mark_probability_denominator=number(denominator),
    )
    draft.wred_rows[row.name] = row


def _ecn_table(draft: Draft, _match: re.Match[str]) -> None:
    draft.part = Part.ECN
    draft.wred = replace(draft.wred or Wred(), ecn=True)


def _ecn_row(draft: Draft, match: re.Match[str]) -> None:
    name = match[1]
    row = draft.wred_rows.get(name) or WredRow(name)
    draft.wred_rows[name] = replace(row, ecn_marked=count(match[2], match[3]))


def _afd(draft: Draft, _match: re.Match[str]) -> None:
    draft.part = Part.AFD
    draft.wred = Wred(by="virtual class")


def _afd_row(draft: Draft, match: re.Match[str]) -> None:
    """Read a virtual class of a switch. Its thresholds have no unit and are left out."""
    name, sent, dropped = match.groups()
    row = WredRow(name, Count(bytes=number(sent)), Count(bytes=number(dropped)))
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


def _afd_end(draft: Draft, _match: re.Match[str]) -> None:
    draft.part = Part.QUEUE


_FIRST_OF_ROW: Final = "0 af cs ef default be rsvp"
_PAIR: Final = rf"({NUMBER}/{NUMBER}|N/A)"
_LIMIT: Final = rf"({NUMBER}(?:/{NUMBER})?)"
_UNIT: Final = r"(packets|bytes|ms/bytes|us/bytes|ms|us)"

WRED_RULES: Final[tuple[Rule, ...]] = (
    rule("random-detect", r"random-detect:?", _wred),
    rule(
        "exp-weight-constant exponential",
        rf"(?:Exp-weight-constant|exponential weight)\s*+:?\s*+({NUMBER})(?:\s*\(1/\d{{1,10}}\))?",
        _exponent,
    ),
    rule("explicit", r"explicit congestion notification", _ecn),
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
    rule("pkts", r"pkts/bytes\s+pkts/bytes\s+pkts/bytes\s+thresh.*", skip, Part.WRED),
    rule("drop", r"drop\s+drop\s+threshold.*", skip, Part.WRED),
    rule("( packets bytes ms us", rf"\(?{_UNIT}\)?\s+\(?{_UNIT}\)?", _units, Part.WRED),
    rule(
        _FIRST_OF_ROW,
        rf"([\w-]+(?:\s+[\w-]+)*?)\s+{_PAIR}\s+{_PAIR}\s+{_PAIR}\s+{_LIMIT}\s+{_LIMIT}"
        rf"\s+\d{{1,9}}/({NUMBER})",
        _row,
        Part.WRED,
    ),
    rule(
        _FIRST_OF_ROW,
        rf"([\w-]+)\s+({NUMBER})\s+({NUMBER})\s+({NUMBER})\s+({NUMBER})\s+\d{{1,9}}/({NUMBER})"
        rf"\s+({NUMBER})",
        _vip_row,
        Part.WRED,
    ),
    rule("class dscp precedence prec", r"\S+\s+ECN Mark", _ecn_table),
    rule("pkts", r"pkts/bytes", skip, Part.ECN),
    rule(_FIRST_OF_ROW, rf"([\w-]+)\s+({NUMBER})/({NUMBER})", _ecn_row, Part.ECN),
    rule("afd", r"AFD WRED STATS BEGIN", _afd),
    rule("virtual", r"Virtual Class\s+min/max\s+Transmit\s+Random drop\s+AFD Weight", skip),
    rule(
        "0",
        rf"({NUMBER})\s+\d+\s*/\s*\d+\s+\(Byte\)({NUMBER})\s+({NUMBER})\s+\d+",
        _afd_row,
        Part.AFD,
    ),
    rule("(", rf"\(Pkts\)({NUMBER})\s+({NUMBER})", _afd_packets, Part.AFD),
    rule("dscp cos precedence", r"\w+\s*:\s*\d{1,3}(?:,?\s+\d{1,3})*", skip, Part.AFD),
    rule("total", r"Total Drops\s*\((?:Bytes|Packets)\)\s*:\s*\d+", skip, Part.AFD),
    rule("afd", r"AFD WRED STATS END", _afd_end),
)
