"""WRED by precedence in a class of DSCPs: AF11, AF12 and AF13 are all precedence 1."""

import re
from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, Unit
from advisor.facts.selectable import selectable_by_class
from advisor.ios.syntax.names import dscp_code, dscp_name
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.wrd.shared.rows import WredClass, number, wred_classes
from advisor.lint.findings import Confidence
from advisor.outlet.wred_rows import AF_CLASSES, WredRow

_DSCPS_PER_PRECEDENCE = 8
_LEAST_MAX = 3  # below it no whole minimum over 0 is under half
# What IOS gives AFx2 and AFx3 of the minimum of AFx1: 28 and 24 of 33 packets, 12.x.
_PARTS_BY_DROP = (1.0, 28 / 33, 24 / 33)
_POLICER_MARKS = re.compile(r"set-(?:ip-)?dscp-transmit (\S+)")
_NO_ROW = "enter `no random-detect`, then `random-detect dscp-based` and a row for each DSCP"


class Evidence(Struct, frozen=True):
    """The DSCPs of the class, the precedences that they are, and the rows by DSCP."""

    dscps: str
    precedences: str
    how: str  # "matched" or "marked"
    statements: tuple[str, ...]
    section: tuple[str, ...]


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class with WRED by precedence whose packets are told apart by DSCP.

    A class selector (CS1 to CS7) is an IP precedence: it alone is no mismatch.
    """
    del params
    selectable = selectable_by_class(device.facts)
    for judged in wred_classes(device):
        if judged.wred.scheme != "precedence":
            continue
        marked = _marked(judged.policy_class)
        matched = selectable(judged.policy_class.name).named_dscps
        codes = marked or matched
        if any(code % _DSCPS_PER_PRECEDENCE for code in codes):
            yield _hit(judged, sorted(codes), "marked" if marked else "matched")


def _marked(each: PolicyClass) -> frozenset[int]:
    """DSCPs that the class itself sets, which is what its WRED sees."""
    words = [said.value.split() for said in each.sets]
    named = [parts[1] for parts in words if parts[0] == "dscp" and len(parts) > 1]
    if each.police is not None:
        actions = (each.police.conform, each.police.exceed, each.police.violate)
        named += [word for said in actions if said for word in _POLICER_MARKS.findall(said)]
    codes = [dscp_code(word) for word in named]
    return frozenset(code for code in codes if code is not None)


def _row_of(judged: WredClass, code: int) -> WredRow | None:
    """The row that packets of the DSCP meet now: that of their precedence."""
    precedence = code // _DSCPS_PER_PRECEDENCE
    rows = (row for row in judged.rows if row.scheme == "precedence" and row.code == precedence)
    return next(rows, None)


def _by_dscp(code: int, row: WredRow) -> str:
    """A row for a DSCP: the thresholds of its precedence, the minimum by its drop precedence."""
    drop = next((codes.index(code) for codes in AF_CLASSES if code in codes), 0)
    low = min(row.min_threshold, row.max_threshold / 3)
    low = max(1, min(round(low * _PARTS_BY_DROP[drop]), round(low) - drop))
    unit = "" if row.unit is Unit.PACKETS else f" {row.unit}"
    thresholds = f"{low}{unit} {number(row.max_threshold)}{unit}"
    last = "" if row.denominator is None else f" {row.denominator}"
    return f"random-detect dscp {dscp_name(code)} {thresholds}{last}"


def _hit(judged: WredClass, codes: list[int], how: str) -> Hit[Evidence]:
    rows = [(code, _row_of(judged, code)) for code in codes]
    known = [(code, row) for code, row in rows if row and row.max_threshold >= _LEAST_MAX]
    statements = ["no random-detect", "random-detect dscp-based"]
    if judged.wred.exponent is not None:
        constant = judged.wred.exponent.value
        statements.append(f"random-detect exponential-weighting-constant {constant}")
    if judged.wred.ecn is not None and judged.wred.ecn.value:
        statements.append("random-detect ecn")
    statements += [_by_dscp(code, row) for code, row in known]
    precedences = sorted({code // _DSCPS_PER_PRECEDENCE for code in codes})
    curable = len(known) == len(codes)
    return Hit(
        judged.label,
        (judged.wred.at,),
        Evidence(
            dscps=", ".join(dscp_name(code) for code in codes),
            precedences=", ".join(map(str, precedences)),
            how=how,
            statements=tuple(statements),
            section=judged.section,
        ),
        Confidence.CERTAIN,
        curable=curable,
        advice=None if curable else _NO_ROW,
    )


CHECK = Check(NoParams, Evidence, find)
