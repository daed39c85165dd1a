"""`police` and `random-detect` lines to Police and Wred."""

from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.facts import Stated
from advisor.facts.policy import Police, Unit, Wred, WredProfile
from advisor.facts.ranges import (
    PERCENT,
    POLICE_BURST_BYTES,
    POLICE_PPS,
    WRED_DENOMINATOR,
    WRED_EXPONENT,
    WRED_THRESHOLD,
)
from advisor.facts.read_words import GrammarError, RangeError, Words
from advisor.ground.units import whole
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import dscp_code, precedence_code

# `police` to Police, in its one-line and sub-mode forms.

_ACTIONS: Final = {
    "conform-action": "conform",
    "exceed-action": "exceed",
    "violate-action": "violate",
}
_DOING: Final = ("transmit", "drop", "continue", "policed-dscp-transmit")  # and `set-…`
_BYTES, _OTHER_UNITS = ("bytes", "byte"), ("ms", "us", "packets", "packet")


def read_police(words: Words) -> Police:
    """Read a policer from the words after `police`.

    Bursts in ms or packets are read and left out: here the rate for their bytes is not known.

    Raises
    ------
    GrammarError
        If the line is not in the grammar (`police aggregate`, `police flow` of other platforms).
    """
    stated: dict[str, float | None] = {}
    words.accept("cir", "rate")
    if words.accept("percent"):
        stated["percent"] = words.decimal(PERCENT)
    elif words.peek() is not None:
        stated["rate_bps"] = _rate_bps(words)
    _read_bursts(stated, words)
    police = replace(Police(words.at), **stated)
    while words.peek() is not None:
        police = with_police_action(police, words)
    return police


def with_police_action(police: Police, words: Words) -> Police:
    """The policer with `conform-action transmit`, with all words up to the next action."""
    action = words.expect(*_ACTIONS)
    doing = [words.take()]
    check_action(doing[0])
    while words.peek() not in (*_ACTIONS, None):
        doing.append(words.take())
    return replace(police, **{_ACTIONS[action]: None if words.negated else " ".join(doing)})


def check_action(word: str) -> None:
    """Refuse an action that no policer takes.

    Raises
    ------
    GrammarError
        If the word is none, nor short for one.
    """
    lower = word.lower()
    if not lower.startswith("set") and not any(name.startswith(lower) for name in _DOING):
        raise GrammarError(f"{word}: no action of a policer")


def _rate_bps(words: Words) -> float | None:
    """Rate of a policer; None for one that counts packets."""
    start = words.position
    words.take()
    if words.accept("pps", "cps"):
        end, words.position = words.position, start
        words.within(POLICE_PPS)
        words.position = end
        return None
    words.position = start
    return words.rate_bps()


def _burst_bytes(words: Words) -> int | None:
    """A burst: bytes, or None where it is given in another unit."""
    burst = words.within(POLICE_BURST_BYTES)
    if words.accept(*_OTHER_UNITS):
        return None
    words.accept(*_BYTES)
    return burst


def _read_bursts(stated: dict[str, float | None], words: Words) -> None:
    """Read `1500 2000` or `bc 1500 be 2000 pir 128000 be 3000` up to the first action."""
    next_word = words.peek()
    if next_word is not None and next_word[0].isdecimal():
        stated["burst_bytes"] = _burst_bytes(words)
        next_word = words.peek()
        if next_word is not None and next_word[0].isdecimal():
            stated["excess_bytes"] = _burst_bytes(words)
    while (keyword := words.peek()) not in (*_ACTIONS, None):
        words.take()
        if keyword in ("bc", "burst", "conform-burst"):
            stated["burst_bytes"] = _burst_bytes(words)
        elif keyword in ("be", "peak-burst", "excess-burst"):
            burst = _burst_bytes(words)
            if stated.get("peak_rate_bps") is None:  # after `pir` it is that of the peak
                stated["excess_bytes"] = burst
        elif keyword in ("pir", "peak-rate"):
            if words.accept("percent"):
                words.decimal(PERCENT)
            else:
                stated["peak_rate_bps"] = _rate_bps(words)
        elif keyword == "account":
            words.rest()
        else:
            raise GrammarError(f"police … {keyword}")


# `random-detect` lines to Wred: thresholds, denominators, exponent, ECN.

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
