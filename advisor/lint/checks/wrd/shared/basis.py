"""WRED by precedence in a class of DSCPs, and the rows by DSCP that stand for it."""

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts.policy import PolicyClass
from advisor.facts.selectable import Selectable
from advisor.ios.patterns import pattern
from advisor.ios.syntax.names import dscp_code, dscp_name
from advisor.lint.checks.wrd.shared.rows import WredClass
from advisor.outlet.wred_rows import AF_CLASSES, WredRow

CODES_PER_PRECEDENCE = 8
_LEAST_MAX = 3  # below it no whole minimum over 0 is under half
# Minima of AFx1, AFx2 and AFx3 by default, as parts of AFx1: 33, 28 and 24 packets, 12.x.
_PARTS_BY_DROP = (1.0, 28 / 33, 24 / 33)
_POLICER_MARKS = pattern(r"set-(?:ip-)?dscp-transmit (\S+)")
_NO_ROW = "enter `no random-detect`, then `random-detect dscp-based` and a row for each DSCP"
_MOST_NAMES = 3
_OTHERS = (
    "`random-detect dscp-based` gives them the default rows, which changes the order of the drops; "
    "match the DSCPs of the class by name, or enter a row for each"
)


class Mismatch(Struct, frozen=True):
    """DSCPs in a class of precedences; `rows` by DSCP, or why there are none.

    `merges` says that two packets of different DSCPs may meet one row.
    """

    codes: tuple[int, ...]
    how: str  # "matched" or "marked"
    rows: tuple[WredRow, ...]
    why_not: str | None
    merges: bool


def mismatch_of(wred_class: WredClass, can_enter: Selectable) -> Mismatch | None:
    """The mismatch of a class; None where its basis is right.

    A class selector (CS1 to CS7) is an IP precedence: alone it is not a mismatch.
    """
    if wred_class.wred.scheme != "precedence":
        return None
    marked = _marked(wred_class.policy_class)
    codes = marked or can_enter.named_dscps
    if not any(code % CODES_PER_PRECEDENCE for code in codes):
        return None
    marks_all = _marks_all(wred_class.policy_class)
    others = sorted(set() if marks_all else can_enter.dscps - codes)
    rows = [(code, _row_of(wred_class, code)) for code in sorted(codes)]
    usable = [(code, row) for code, row in rows if row and row.max_threshold >= _LEAST_MAX]
    why_not = _NO_ROW if len(usable) < len(codes) else None
    if others and why_not is None:
        names = ", ".join(dscp_name(code) for code in others[:_MOST_NAMES])
        more = f" and {len(others) - _MOST_NAMES} more" if len(others) > _MOST_NAMES else ""
        why_not = f"packets of {names}{more} can enter the class too: {_OTHERS}"
    by_dscp = tuple(_by_dscp(code, row) for code, row in usable)
    how = "marked" if marked else "matched"
    precedences = {code // CODES_PER_PRECEDENCE for code in codes}
    merges = bool(others) or len(precedences) < len(codes)
    return Mismatch(tuple(sorted(codes)), how, by_dscp, why_not, merges)


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
    precedence = code // CODES_PER_PRECEDENCE
    rows = (row for row in wred_class.rows if row.scheme == "precedence" and row.code == precedence)
    return next(rows, None)


def _by_dscp(code: int, row: WredRow) -> WredRow:
    """A row for a DSCP: the thresholds of its precedence, the minimum by its drop precedence."""
    drop = next((codes.index(code) for codes in AF_CLASSES if code in codes), 0)
    low = min(row.min_threshold, row.max_threshold / 3)
    low = max(1, min(round(low * _PARTS_BY_DROP[drop]), round(low) - drop))
    return replace(row, scheme="dscp", key=dscp_name(code), code=code, min_threshold=low)
