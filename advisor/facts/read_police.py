"""`police` to Police, in its one-line and sub-mode forms."""

from typing import Final

from msgspec import Struct, field

from advisor.facts.policy import Police
from advisor.facts.ranges import PERCENT, POLICE_BURST_BYTES, POLICE_PPS
from advisor.facts.read_words import GrammarError, Words
from advisor.ios.syntax.tree import Location

_ACTIONS: Final = ("conform-action", "exceed-action", "violate-action")
_DOING: Final = ("transmit", "drop", "continue", "policed-dscp-transmit")  # and `set-…`
_BYTES, _OTHER_UNITS = ("bytes", "byte"), ("ms", "us", "packets", "packet")


class PoliceDraft(Struct):
    """A policer while its lines are read."""

    at: Location
    rate_bps: float | None = None
    percent: float | None = None
    burst_bytes: int | None = None
    excess_bytes: int | None = None
    peak_rate_bps: float | None = None
    actions: dict[str, str] = field(default_factory=dict)

    def freeze(self) -> Police:
        conform, exceed, violate = (self.actions.get(action) for action in _ACTIONS)
        return Police(
            self.rate_bps,
            self.percent,
            self.burst_bytes,
            self.excess_bytes,
            conform,
            exceed,
            violate,
            self.at,
            self.peak_rate_bps,
        )


def read_police(words: Words) -> PoliceDraft:
    """Read a policer from the words after `police`.

    Bursts in ms or packets are read and left out: here the rate for their bytes is not known.

    Raises
    ------
    GrammarError
        If the line is not in the grammar (`police aggregate`, `police flow` of other platforms).
    """
    draft = PoliceDraft(words.at)
    words.accept("cir", "rate")
    if words.accept("percent"):
        draft.percent = words.decimal(PERCENT)
    elif words.peek() is not None:
        draft.rate_bps = _rate_bps(words)
    _read_bursts(draft, words)
    while words.peek() is not None:
        read_police_action(draft, words)
    return draft


def read_police_action(draft: PoliceDraft, words: Words) -> None:
    """Read `conform-action transmit`, with all words up to the next action."""
    action = words.expect(*_ACTIONS)
    doing = [words.take()]
    check_action(doing[0])
    while words.peek() not in (*_ACTIONS, None):
        doing.append(words.take())
    if words.negated:
        draft.actions.pop(action, None)
    else:
        draft.actions[action] = " ".join(doing)


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


def _read_bursts(draft: PoliceDraft, words: Words) -> None:
    """Read `1500 2000` or `bc 1500 be 2000 pir 128000 be 3000` up to the first action."""
    next_word = words.peek()
    if next_word is not None and next_word[0].isdecimal():
        draft.burst_bytes = _burst_bytes(words)
        next_word = words.peek()
        if next_word is not None and next_word[0].isdecimal():
            draft.excess_bytes = _burst_bytes(words)
    while (keyword := words.peek()) not in (*_ACTIONS, None):
        words.take()
        if keyword in ("bc", "burst", "conform-burst"):
            draft.burst_bytes = _burst_bytes(words)
        elif keyword in ("be", "peak-burst", "excess-burst"):
            burst = _burst_bytes(words)
            if draft.peak_rate_bps is None:  # after `pir` it is that of the peak
                draft.excess_bytes = burst
        elif keyword in ("pir", "peak-rate"):
            if words.accept("percent"):
                words.decimal(PERCENT)
            else:
                draft.peak_rate_bps = _rate_bps(words)
        elif keyword == "account":
            words.rest()
        else:
            raise GrammarError(f"police … {keyword}")
