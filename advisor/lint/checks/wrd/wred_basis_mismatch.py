"""WRED by precedence in a class of DSCPs: AF11, AF12 and AF13 are all precedence 1."""

import re
from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, Unit
from advisor.facts.selectable import selectable_by_class
from advisor.ios.syntax.names import dscp_code, dscp_name
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.wrd.shared.rows import WredClass, wred_classes
from advisor.lint.checks.wrd.shared.watched import flows_of_class
from advisor.lint.findings import Confidence
from advisor.outlet.wred_rows import AF_CLASSES, WredRow
from advisor.quantity import plain

_DSCPS_PER_PRECEDENCE = 8
_LEAST_MAX = 3  # below it no whole minimum over 0 is under half
# Minima of AFx1, AFx2 and AFx3 by default, as parts of AFx1: 33, 28 and 24 packets, 12.x.
_PARTS_BY_DROP = (1.0, 28 / 33, 24 / 33)
_POLICER_MARKS = re.compile(r"set-(?:ip-)?dscp-transmit (\S+)")
_NO_ROW = "enter `no random-detect`, then `random-detect dscp-based` and a row for each DSCP"
_MOST_NAMES = 3
_OTHERS = (
    "`random-detect dscp-based` gives them the default rows, which changes the order of the drops; "
    "match the DSCPs of the class by name, or enter a row for each"
)


class Evidence(Struct, frozen=True):
    """The DSCPs of the class, their precedences, and the rows by DSCP."""

    dscps: str
    precedences: str
    how: str  # "matched" or "marked"
    statements: tuple[str, ...]
    section: tuple[str, ...]


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class with WRED by precedence whose packets differ by DSCP.

    A class selector (CS1 to CS7) is an IP precedence: alone it is not a mismatch.
    """
    del params
    selectable = selectable_by_class(device.facts)
    for wred_class in wred_classes(device):
        if wred_class.wred.scheme != "precedence":
            continue
        marked = _marked(wred_class.policy_class)
        can_enter = selectable(wred_class.policy_class.name)
        codes = marked or can_enter.named_dscps
        if any(code % _DSCPS_PER_PRECEDENCE for code in codes):
            others = set() if _marks_all(wred_class.policy_class) else can_enter.dscps - codes
            yield _hit(wred_class, sorted(codes), sorted(others), "marked" if marked else "matched")


def _marks_all(policy_class: PolicyClass) -> bool:
    """Whether every packet that the class sends has a DSCP that the class gives it."""
    police = policy_class.police
    if any(statement.value.startswith("dscp ") for statement in policy_class.sets):
        return True
    if police is None or police.conform is None:
        return False
    actions = filter(None, (police.conform, police.exceed, police.violate))
    return all(_POLICER_MARKS.search(action) or action == "drop" for action in actions)


def _marked(policy_class: PolicyClass) -> frozenset[int]:
    """DSCPs that the class itself sets: its WRED sees these."""
    words = [statement.value.split() for statement in policy_class.sets]
    names = [parts[1] for parts in words if parts[0] == "dscp" and len(parts) > 1]
    if policy_class.police is not None:
        actions = (
            policy_class.police.conform,
            policy_class.police.exceed,
            policy_class.police.violate,
        )
        names += [word for action in actions if action for word in _POLICER_MARKS.findall(action)]
    codes = [dscp_code(word) for word in names]
    return frozenset(code for code in codes if code is not None)


def _row_of(wred_class: WredClass, code: int) -> WredRow | None:
    """The row that packets of the DSCP meet now: the row of their precedence."""
    precedence = code // _DSCPS_PER_PRECEDENCE
    rows = (row for row in wred_class.rows if row.scheme == "precedence" and row.code == precedence)
    return next(rows, None)


def _by_dscp(code: int, row: WredRow) -> str:
    """A row for a DSCP: the thresholds of its precedence, the minimum by its drop precedence."""
    drop = next((codes.index(code) for codes in AF_CLASSES if code in codes), 0)
    low = min(row.min_threshold, row.max_threshold / 3)
    low = max(1, min(round(low * _PARTS_BY_DROP[drop]), round(low) - drop))
    unit = "" if row.unit is Unit.PACKETS else f" {row.unit}"
    thresholds = f"{low}{unit} {plain(row.max_threshold)}{unit}"
    last = "" if row.denominator is None else f" {row.denominator}"
    return f"random-detect dscp {dscp_name(code)} {thresholds}{last}"


def _hit(wred_class: WredClass, codes: list[int], others: list[int], how: str) -> Hit[Evidence]:
    """The hit; `others` are DSCPs of the class that get no line: their rows would change too."""
    rows = [(code, _row_of(wred_class, code)) for code in codes]
    usable = [(code, row) for code, row in rows if row and row.max_threshold >= _LEAST_MAX]
    statements = ["no random-detect", "random-detect dscp-based"]
    if wred_class.wred.exponent is not None:
        constant = wred_class.wred.exponent.value
        statements.append(f"random-detect exponential-weighting-constant {constant}")
    if wred_class.wred.ecn is not None and wred_class.wred.ecn.value:
        statements.append("random-detect ecn")
    statements += [_by_dscp(code, row) for code, row in usable]
    precedences = sorted({code // _DSCPS_PER_PRECEDENCE for code in codes})
    why_not = _NO_ROW if len(usable) < len(codes) else None
    if others and why_not is None:
        names = ", ".join(dscp_name(code) for code in others[:_MOST_NAMES])
        more = f" and {len(others) - _MOST_NAMES} more" if len(others) > _MOST_NAMES else ""
        why_not = f"packets of {names}{more} can enter the class too: {_OTHERS}"
    return Hit(
        wred_class.label,
        (wred_class.wred.at,),
        Evidence(
            dscps=", ".join(dscp_name(code) for code in codes),
            precedences=", ".join(map(str, precedences)),
            how=how,
            statements=tuple(statements),
            section=wred_class.section,
        ),
        Confidence.CERTAIN,
        curable=why_not is None,
        advice=why_not,
    )


CHECK = Check(NoParams, Evidence, find, watched=flows_of_class)
