"""WRED rows in force in a class, and the row of each group of traffic that the user states."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.platform import Decision
from advisor.facts.policy import PolicyClass, Unit, Wred, WredProfile
from advisor.facts.selectable import Selectable
from advisor.ground.quantity import Basis, Unknown
from advisor.ground.questions import question
from advisor.ground.records import picked
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import dscp_code, dscp_name, precedence_code
from advisor.settings import Traffic

# WRED rows in force in a class: the configured rows, and the defaults of IOS where known.

DEFAULT_DENOMINATOR: Final = 10  # `show queueing random-detect`, all trains: 1/10
DEFAULT_MAX_PACKETS: Final = 40

# Minimum thresholds in packets by precedence: `show queueing random-detect` of 12.x, and
# `show policy-map interface` of 15.x.
_PRE_HQF_MIN_BY_PRECEDENCE: Final = (20, 22, 24, 26, 28, 31, 33, 35)
_HQF_MIN_BY_PRECEDENCE: Final = (20, 22, 24, 26, 28, 30, 32, 34)
# QFP derives its rows from the queue-limit Q: Q/4 x (1 + precedence/8) and Q/2. Derived: it fits a
# printout of an ASR 1000 with a queue-limit of 375000 bytes exactly.
_QFP_MIN_PART, _QFP_MAX_PART, _QFP_STEPS = 1 / 4, 1 / 2, 8
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


_DEFAULT_EXPONENT: Final = 9  # `Exp-weight-constant: 9 (1/512)` of all trains, and of a QFP


def exponent_of(wred: Wred, platform: Decision) -> int | None:
    """Exponential-weighting-constant in force; None where the platform's default is not known.

    Nor is it known where a line of WRED is not understood: it may set it.
    """
    if wred.exponent is not None:
        return wred.exponent.value
    is_known = wred.is_whole and (platform.has_classic_defaults or platform.is_qfp)
    return _DEFAULT_EXPONENT if is_known else None


class WredRow(Struct, frozen=True):
    """Thresholds of one code. `basis` is CONFIGURED, MEASURED, DEFAULT or ASSUMED.

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

    @property
    def unit_words(self) -> str:
        """The unit behind a threshold, as a command has it; empty for packets."""
        return "" if self.unit is Unit.PACKETS else f" {self.unit}"


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
    denominator = profile.mark_probability_denominator
    return picked(WredRow, profile, denominator=denominator, basis=Basis.CONFIGURED)


def _can_meet(profile: WredProfile, selectable: Selectable) -> bool:
    if profile.code is None:
        return True
    if profile.scheme == "dscp":
        return profile.code in selectable.dscps
    if profile.scheme == "precedence":
        return profile.code in selectable.precedences
    return True


class Defaults(Struct, frozen=True):
    """Inputs of the default rows of a class.

    `limit` is the queue-limit in `unit`, None where it is not known: on QFP rows follow from it.
    `printed` are rows that the device printed: name, minimum and maximum in packets.
    """

    platform: Decision
    limit: float | None = None
    unit: Unit = Unit.PACKETS
    printed: tuple[tuple[str, int, int], ...] = ()

    def thresholds(self, scheme: str, code: int) -> tuple[float, float] | None:
        """Minimum and maximum of a code; None where they are not known."""
        if self.platform.is_qfp:
            return self._of_qfp(code) if scheme == "precedence" else None
        if not self.platform.has_classic_defaults:
            return None
        if scheme == "precedence":
            return self.minima[code], DEFAULT_MAX_PACKETS
        for codes in AF_CLASSES if self.platform.is_pre_hqf else ():
            if code in codes:
                return _DEFAULT_MIN_BY_DROP[codes.index(code)], DEFAULT_MAX_PACKETS
        return None

    def _of_qfp(self, precedence: int) -> tuple[float, float] | None:
        if self.limit is None:
            return None
        low = self.limit * _QFP_MIN_PART * (1 + precedence / _QFP_STEPS)
        return float(int(low)), float(int(self.limit * _QFP_MAX_PART))

    def recalled_min(self, dscp: int) -> int | None:
        """Minimum of a DSCP that no printout shows; None where not even that is recalled."""
        if not self.platform.has_classic_defaults:
            return None
        if dscp % _CODES_PER_PRECEDENCE == 0:
            return self.minima[dscp // _CODES_PER_PRECEDENCE]
        if not self.platform.is_pre_hqf:
            return None
        return _RECALLED_EF_MIN if dscp == _EF_CODE else _RECALLED_OTHER_MIN

    @property
    def minima(self) -> tuple[int, ...]:
        """Minimum by precedence of software routers."""
        return _PRE_HQF_MIN_BY_PRECEDENCE if self.platform.is_pre_hqf else _HQF_MIN_BY_PRECEDENCE


def _named(wred: Wred, selectable: Selectable) -> frozenset[int]:
    """Codes of the WRED scheme that the match names; an AF class counts by its precedence too."""
    if wred.scheme == "dscp":
        return selectable.named_dscps
    dscp_precedences = selectable.within(selectable.named_dscps).precedences
    return selectable.named_precedences | dscp_precedences


def _key(scheme: str, code: int) -> str:
    return dscp_name(code) if scheme == "dscp" else str(code)


def _default_row(wred: Wred, code: int, defaults: Defaults) -> WredRow | None:
    """The row that IOS chooses: as printed, DEFAULT where sourced, ASSUMED where only recalled."""
    if not wred.is_whole:
        return None
    key = _key(wred.scheme, code)
    printed = next((row for row in defaults.printed if row[0] == key), None)
    known = printed[1:] if printed else defaults.thresholds(wred.scheme, code)
    recalled = defaults.recalled_min(code) if wred.scheme == "dscp" else None
    if known is None and recalled is None:
        return None
    low, high = known or (recalled or 0, DEFAULT_MAX_PACKETS)
    return WredRow(
        wred.scheme,
        key,
        code,
        low,
        high,
        DEFAULT_DENOMINATOR,
        Unit.PACKETS if printed else defaults.unit,
        Basis.MEASURED if printed else Basis.ASSUMED if known is None else Basis.DEFAULT,
        wred.at,
    )


@question(2048)  # the classes of some large policies
def wred_rows(wred: Wred, selectable: Selectable, defaults: Defaults) -> WredRows:
    """Rows of a class with WRED that its packets can meet.

    Parameters
    ----------
    wred : Wred
        The `random-detect` lines of the class.
    selectable : Selectable
        DSCPs that the class's match can select.
    defaults : Defaults
        The platform, which decides the default rows, and the queue-limit of the class.

    Returns
    -------
    WredRows
        Configured rows, in document order, then default rows by code: those whose code the match
        names, and all but the ASSUMED if no row is configured. The others are `unnamed`.

    Notes
    -----
    Source of the defaults: `show queueing random-detect` (12.x) and `show policy-map interface`
    (15.x) captures; Cisco IOS command reference, random-detect dscp, for AFx1 to AFx3. Rows of
    ASSUMED basis are those of `row_of`. The rows of QFP are derived; its DSCP rows and all rows of
    other families are not known.
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
        row = _default_row(wred, code, defaults)
        if row is None:
            label = f"{wred.scheme} {_key(wred.scheme, code)}"
            (unknown if code in named else unnamed_unknown).append(label)
        elif code in named or (not wred.profiles and row.basis is not Basis.ASSUMED):
            rows.append(row)
        else:
            unnamed.append(row)
    if not rows and not unknown and (unnamed or unnamed_unknown):
        unknown = [wred.scheme]
    return WredRows(tuple(rows), tuple(unknown), tuple(unnamed), tuple(unnamed_unknown))


def row_of(wred: Wred, dscp: int, defaults: Defaults) -> WredRow | None:
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
    return _default_row(wred, code, defaults)


# Groups of traffic that the user states for a class, and the WRED row of each group.

_WRED_GROUPS_CODES_PER_PRECEDENCE = 8


class Group(Struct, frozen=True):
    """Packets of a class that share a row; `row` is None if the class has no WRED."""

    name: str
    stated: Traffic
    row: WredRow | None


def groups_of(
    policy_class: PolicyClass | None,
    stated: tuple[Traffic, ...],
    selectable: Selectable,
    defaults: Defaults,
) -> tuple[Group, ...] | Unknown:
    """Stated groups of a class with their rows, or why the row of one of them is not known."""
    groups: list[Group] = []
    for statement in stated:
        row = None
        if policy_class is not None and policy_class.queue_wred is not None:
            known = _row(policy_class, statement, selectable, defaults)
            if isinstance(known, Unknown):
                return Unknown(f"{statement.source}: {known.reason}")
            row = known
        groups.append(Group(name_of(statement), statement, row))
    return tuple(_told_apart(groups))


def name_of(statement: Traffic) -> str:
    """Name of a statement: its group, its DSCP, its precedence, else its class."""
    if statement.group is not None:
        return statement.group
    if statement.marking is None:
        return statement.class_name
    return statement.marking.removeprefix("dscp ")


def answers_to(statement: Traffic, key: str) -> bool:
    """Whether `flows.KEY` names a statement: by its group, DSCP or precedence.

    >>> from advisor.settings import Traffic
    >>> answers_to(Traffic("*", "*", "A", (), None, 1, "saturated", "", "precedence 4"), "4")
    True
    """
    word = (statement.marking or "").partition(" ")[2]
    return key.lower() in {name_of(statement).lower(), word}


def with_flows(stated: tuple[Traffic, ...], flows: Mapping[str, int]) -> tuple[Traffic, ...]:
    """Statements with the TCP flows that `flows` gives for their group, DSCP or precedence."""
    moved = []
    for statement in stated:
        count = next((number for key, number in flows.items() if answers_to(statement, key)), None)
        if count is not None and statement.tcp is not None:
            moved.append(replace(statement, tcp=replace(statement.tcp, flows=count)))
        else:
            moved.append(statement)
    return tuple(moved)


def _told_apart(groups: list[Group]) -> Iterator[Group]:
    """Groups with unique names: the model identifies groups by name."""
    names = [group.name for group in groups]
    for index, group in enumerate(groups):
        before = names[:index].count(group.name)
        yield replace(group, name=f"{group.name} ({before + 1})") if before else group


def _row(
    policy_class: PolicyClass, statement: Traffic, selectable: Selectable, defaults: Defaults
) -> WredRow | Unknown:
    wred = policy_class.queue_wred
    if wred is None or wred.scheme not in ("precedence", "dscp"):
        kind = wred.scheme if wred is not None else "nothing"
        return Unknown(f"class {policy_class.name} drops by {kind}, which is not modelled")
    dscp = dscp_of(statement)
    if dscp is None:
        rows = wred_rows(wred, selectable, defaults)
        possible_rows = (*rows.rows, *rows.unnamed)
        only = {(row.min_threshold, row.max_threshold, row.denominator) for row in possible_rows}
        if len(only) == 1 and not rows.unknown and not rows.unnamed_unknown:
            return possible_rows[0]
        return Unknown(
            f"states no dscp or precedence, and class {policy_class.name} has a row for each"
        )
    if not codes_of(statement, dscp) & selectable.dscps:
        return Unknown(f"class {policy_class.name} does not match {statement.marking}")
    row = row_of(wred, dscp, defaults)
    if row is None:
        code = dscp_name(dscp) if wred.scheme == "dscp" else f"precedence {dscp // 8}"
        software = defaults.platform.software
        return Unknown(
            f"the default thresholds of {code} are not known for {software}: configure a row"
        )
    return row


def dscp_of(statement: Traffic) -> int | None:
    """DSCP of a statement; the class selector of a precedence; None where none is stated."""
    if statement.marking is None:
        return None
    scheme, _, word = statement.marking.partition(" ")
    if scheme == "dscp":
        return dscp_code(word)
    precedence = precedence_code(word)
    return None if precedence is None else precedence * _WRED_GROUPS_CODES_PER_PRECEDENCE


def codes_of(statement: Traffic, dscp: int) -> frozenset[int]:
    """The DSCPs that a statement of this DSCP speaks of: all of a precedence."""
    if statement.marking is not None and statement.marking.startswith("precedence"):
        return frozenset(range(dscp, dscp + _WRED_GROUPS_CODES_PER_PRECEDENCE))
    return frozenset({dscp})
