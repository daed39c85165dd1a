"""WRED rows in force in a class: the configured rows, and the defaults of IOS where known."""

from typing import Final

from msgspec import Struct

from advisor.device.device import Generation
from advisor.facts.policy import Unit, Wred, WredProfile
from advisor.facts.selectable import Selectable
from advisor.ios.syntax.names import dscp_name
from advisor.ios.syntax.tree import Location
from advisor.quantity import Basis

DEFAULT_DENOMINATOR: Final = 10  # `show queueing random-detect`, all trains: 1/10
DEFAULT_MAX_PACKETS: Final = 40

# Minimum thresholds in packets by precedence. Pre-HQF: `show queueing random-detect` of 12.x;
# HQF: `show policy-map interface` of 15.x. IOS XE derives its own from the queue-limit: not known.
_DEFAULT_MIN_BY_PRECEDENCE: Final = {
    Generation.PRE_HQF: (20, 22, 24, 26, 28, 31, 33, 35),
    Generation.HQF: (20, 22, 24, 26, 28, 30, 32, 34),
}
# By drop precedence of AFx1, AFx2, AFx3: random-detect dscp of 12.x. Values that sources disagree
# on (EF) or that no capture shows (class selectors; 15.x) are not here.
_DEFAULT_MIN_BY_DROP: Final = (33, 28, 24)
_RECALLED_EF_MIN: Final = 37  # the precedence table says 31 for 5; sources differ
_RECALLED_OTHER_MIN: Final = 20
_EF_CODE: Final = 46
_CODES_PER_PRECEDENCE: Final = 8
_AF_CLASSES, _DROP_PRECEDENCES = range(1, 5), range(1, 4)
AF_CLASSES: Final = tuple(
    tuple(8 * af_class + 2 * drop for drop in _DROP_PRECEDENCES) for af_class in _AF_CLASSES
)  # DSCPs of AFx1, AFx2, AFx3 (RFC 2597)


class WredRow(Struct, frozen=True):
    """Thresholds of one code. `basis` is CONFIGURED, DEFAULT or ASSUMED.

    `at` is the line of the row, or of `random-detect` where IOS chooses the thresholds. These are
    in `unit`: packets, bytes or ms of queue. `denominator` is None where the row states none: then
    IOS takes `DEFAULT_DENOMINATOR`.
    """

    scheme: str
    key: str
    code: int | None
    min_threshold: float
    max_threshold: float
    denominator: int | None
    unit: Unit
    basis: Basis
    at: Location

    @property
    def label(self) -> str:
        return f"{self.scheme} {self.key}"


class WredRows(Struct, frozen=True):
    """Rows that packets of the class can meet; `unknown` are rows whose defaults are not known.

    `unnamed` are rows of codes that the match allows, but neither the match nor a row names: it is
    not known whether packets meet them. `unnamed_unknown` are those without known thresholds.
    """

    rows: tuple[WredRow, ...]
    unknown: tuple[str, ...]
    unnamed: tuple[WredRow, ...] = ()
    unnamed_unknown: tuple[str, ...] = ()


def _configured(profile: WredProfile) -> WredRow:
    return WredRow(
        profile.scheme,
        profile.key,
        profile.code,
        profile.min_threshold,
        profile.max_threshold,
        profile.mark_probability_denominator,
        profile.unit,
        Basis.CONFIGURED,
        profile.at,
    )


def _can_meet(profile: WredProfile, selectable: Selectable) -> bool:
    if profile.code is None:
        return True
    if profile.scheme == "dscp":
        return profile.code in selectable.dscps
    if profile.scheme == "precedence":
        return profile.code in selectable.precedences
    return True


def _default_min(scheme: str, code: int, generation: Generation) -> int | None:
    if scheme == "precedence":
        minima = _DEFAULT_MIN_BY_PRECEDENCE.get(generation)
        return minima[code] if minima is not None else None
    for codes in AF_CLASSES if generation is Generation.PRE_HQF else ():
        if code in codes:
            return _DEFAULT_MIN_BY_DROP[codes.index(code)]
    return None


def _named(wred: Wred, selectable: Selectable) -> frozenset[int]:
    """Codes of the WRED scheme that the match names; an AF class counts by its precedence too."""
    if wred.scheme == "dscp":
        return selectable.named_dscps
    dscp_precedences = selectable.within(selectable.named_dscps).precedences
    return selectable.named_precedences | dscp_precedences


def _key(scheme: str, code: int) -> str:
    return dscp_name(code) if scheme == "dscp" else str(code)


def _default_row(wred: Wred, code: int, generation: Generation) -> WredRow | None:
    """The row that IOS chooses: DEFAULT where sourced, ASSUMED where only recalled."""
    known = _default_min(wred.scheme, code, generation)
    low = known if known is not None else _recalled_min(code, generation)
    if low is None:
        return None
    return WredRow(
        wred.scheme,
        _key(wred.scheme, code),
        code,
        low,
        DEFAULT_MAX_PACKETS,
        DEFAULT_DENOMINATOR,
        Unit.PACKETS,
        Basis.DEFAULT if known is not None else Basis.ASSUMED,
        wred.at,
    )


def wred_rows(wred: Wred, selectable: Selectable, generation: Generation) -> WredRows:
    """Rows of a class with WRED that its packets can meet.

    Parameters
    ----------
    wred : Wred
        The `random-detect` lines of the class.
    selectable : Selectable
        DSCPs that the class's match can select.
    generation : Generation
        Decides between the two tables of defaults.

    Returns
    -------
    WredRows
        Configured rows, in document order, then default rows by code: those whose code the match
        names, and all of DEFAULT basis if no row is configured. The others are `unnamed`.

    Notes
    -----
    Source of the defaults: `show queueing random-detect` (12.x) and `show policy-map interface`
    (15.x) captures; Cisco IOS command reference, random-detect dscp, for AFx1 to AFx3. Rows of
    ASSUMED basis are those of `row_of`.
    """
    rows = [_configured(profile) for profile in wred.profiles if _can_meet(profile, selectable)]
    if wred.scheme not in ("precedence", "dscp"):
        return WredRows(tuple(rows), () if wred.profiles else (wred.scheme,))
    if any(profile.key == "aggregate" for profile in wred.profiles):
        return WredRows(tuple(rows), ())  # the aggregate row is the default of all other codes
    configured = {profile.code for profile in wred.profiles if profile.scheme == wred.scheme}
    possible = selectable.dscps if wred.scheme == "dscp" else selectable.precedences
    named = _named(wred, selectable)
    unnamed: list[WredRow] = []
    unknown: list[str] = []
    unnamed_unknown: list[str] = []
    for code in sorted(possible - configured):
        row = _default_row(wred, code, generation)
        if row is None:
            label = f"{wred.scheme} {_key(wred.scheme, code)}"
            (unknown if code in named else unnamed_unknown).append(label)
        elif code in named or (not wred.profiles and row.basis is Basis.DEFAULT):
            rows.append(row)
        else:
            unnamed.append(row)
    if not rows and not unknown and (unnamed or unnamed_unknown):
        unknown = [wred.scheme]
    return WredRows(tuple(rows), tuple(unknown), tuple(unnamed), tuple(unnamed_unknown))


def row_of(wred: Wred, dscp: int, generation: Generation) -> WredRow | None:
    """Row that packets of a DSCP meet: configured, the aggregate row, else the default of IOS.

    Returns
    -------
    WredRow or None
        None if the class does not drop by DSCP or precedence, or the default is not known.
        `basis` is ASSUMED if the default is only recalled or sources differ (EF, class selectors
        and other DSCPs).

    Notes
    -----
    Source of the assumed rows: Cisco IOS command reference, random-detect dscp, of 12.x; printouts
    of 15.x show class selectors with the thresholds of their precedence.
    """
    if wred.scheme not in ("precedence", "dscp"):
        return None
    code = dscp if wred.scheme == "dscp" else dscp // _CODES_PER_PRECEDENCE
    rows = [profile for profile in wred.profiles if profile.scheme == wred.scheme]
    for selects in (lambda row: row.code == code, lambda row: row.key == "aggregate"):
        profile = next(filter(selects, rows), None)
        if profile is not None:
            return _configured(profile)
    return _default_row(wred, code, generation)


def _recalled_min(dscp: int, generation: Generation) -> int | None:
    minima = _DEFAULT_MIN_BY_PRECEDENCE.get(generation)
    if minima is not None and dscp % _CODES_PER_PRECEDENCE == 0:
        return minima[dscp // _CODES_PER_PRECEDENCE]
    if generation is not Generation.PRE_HQF:
        return None
    return _RECALLED_EF_MIN if dscp == _EF_CODE else _RECALLED_OTHER_MIN
