"""`random-detect` lines to Wred: thresholds, denominators, exponent, ECN."""

from typing import Final

from msgspec import Struct, field

from advisor.facts.policy import Unit, Wred, WredProfile
from advisor.facts.ranges import WRED_DENOMINATOR, WRED_EXPONENT, WRED_THRESHOLD
from advisor.facts.read_words import GrammarError, RangeError, Words
from advisor.facts.stated import Stated
from advisor.ios.syntax.names import dscp_code, precedence_code
from advisor.ios.syntax.tree import Location
from advisor.units import whole

_MAX_CODES: Final = {"discard-class": 7, "clp": 1, "cos": 7, "atm-clp": 1}
# Names of the drop schemes in IOS, in the spellings of its trains.
_SCHEMES: Final = {
    "prec-based": "precedence",
    "precedence-based": "precedence",
    "dscp-based": "dscp",
    "discard-class-based": "discard-class",
    "cos-based": "cos",
    "atm-clp-based": "clp",
    "clp-based": "clp",
}
_UNITS: Final = {"packets": Unit.PACKETS, "bytes": Unit.BYTES, "ms": Unit.MS}


class WredDraft(Struct):
    """The `random-detect` lines of one class while they are read; rows are kept per key."""

    at: Location
    scheme: str | None = None
    profiles: dict[tuple[str, str], WredProfile] = field(default_factory=dict)
    exponent: Stated[int] | None = None
    ecn: Stated[bool] | None = None
    is_whole: bool = True

    def freeze(self) -> Wred:
        rows = tuple(self.profiles.values())
        # IOS refuses a row of a scheme that no line turns on; in a draft the row shows the
        # intended scheme. The default of IOS is precedence.
        scheme = self.scheme or (rows[0].scheme if rows else "precedence")
        return Wred(self.at, scheme, rows, self.exponent, self.ecn, self.is_whole)


def read_random_detect(draft: WredDraft | None, words: Words) -> WredDraft | None:
    """WRED of a class after one more `random-detect` line; `words` follow that keyword.

    Raises
    ------
    GrammarError
        If the line is not in the grammar; of `draft` it is then known that a row may be missing,
        unless IOS refuses the line for its number.
    """
    try:
        return _with_line(draft, words)
    except RangeError:
        raise
    except GrammarError:
        if draft is not None:
            draft.is_whole = False
        raise


def _with_line(draft: WredDraft | None, words: Words) -> WredDraft | None:
    keyword = words.peek()
    if words.negated and keyword is None:
        return None
    result = draft or WredDraft(words.at)
    if keyword in _SCHEMES:
        _read_scheme(result, words)
    elif keyword in ("exponential-weighting-constant", "exponential-weight"):
        words.take()
        result.exponent = None if words.negated else words.stated_within(WRED_EXPONENT)
    elif keyword == "ecn":
        words.take()
        words.end()
        result.ecn = None if words.negated else Stated(value=True, at=words.at)
    elif keyword is not None:
        _read_row(result, words)
    return draft if words.negated and draft is None else result


def _read_scheme(draft: WredDraft, words: Words) -> None:
    scheme = _SCHEMES[words.take().lower()]
    words.accept("time-based")
    if words.accept("aggregate") and words.peek() is not None:
        # The thresholds of all codes that no other row names.
        low, high, denominator, unit = _aggregate_thresholds(words)
        words.end()
        row = WredProfile(
            scheme, "aggregate", None, low, high, denominator, unit, words.at, may_span=True
        )
        draft.profiles[scheme, "aggregate"] = row
    words.end()
    draft.scheme = None if words.negated else scheme


def _read_row(draft: WredDraft, words: Words) -> None:
    scheme = words.expect("precedence", "dscp", "discard-class", "clp", "cos")
    if words.accept("values"):
        codes = [_key(scheme, words.take())]
        while words.peek() not in ("minimum-thresh", None):
            codes.append(_key(scheme, words.take()))
    else:
        codes = [_key(scheme, words.take())]
    if words.negated:
        for key, _ in codes:
            draft.profiles.pop((scheme, key), None)
        return
    may_span = words.peek() == "minimum-thresh"
    thresholds = _aggregate_thresholds if may_span else _thresholds
    low, high, denominator, unit = thresholds(words)
    words.end()
    for key, code in codes:
        draft.profiles[scheme, key] = WredProfile(
            scheme, key, code, low, high, denominator, unit, words.at, may_span
        )


def _key(scheme: str, word: str) -> tuple[str, int | None]:
    """Key as given and its number; RSVP flows have a profile without a number."""
    if word.lower() == "rsvp" and scheme in ("precedence", "dscp"):
        return word.lower(), None
    if scheme == "precedence":
        code = precedence_code(word)
    elif scheme == "dscp":
        code = dscp_code(word)
    else:
        code = whole(word) if word in map(str, range(_MAX_CODES[scheme] + 1)) else None
    if code is None:
        raise GrammarError(f"{word}: no {scheme}")
    return word.lower(), code


def _thresholds(words: Words) -> tuple[float, float, int | None, Unit]:
    """`15 30 10`, `15 packets 30 packets 10`, `15 30`: the default unit is packets."""
    low, unit = words.within(WRED_THRESHOLD), words.accept(*_UNITS)
    high, unit = words.within(WRED_THRESHOLD), words.accept(*_UNITS) or unit
    denominator = words.maybe_within(WRED_DENOMINATOR)
    return low, high, denominator, _UNITS[unit or "packets"]


def _aggregate_thresholds(words: Words) -> tuple[float, float, int | None, Unit]:
    words.expect("minimum-thresh")
    low, unit = words.within(WRED_THRESHOLD), words.accept(*_UNITS)
    words.expect("maximum-thresh")
    high, unit = words.within(WRED_THRESHOLD), words.accept(*_UNITS) or unit
    denominator = None
    if words.accept("mark-prob", "mark-probability"):
        denominator = words.within(WRED_DENOMINATOR)
    return low, high, denominator, _UNITS[unit or "packets"]
