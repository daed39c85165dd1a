"""`ppp multilink` lines: the bundle, its fragments and interleaving."""

from typing import Final

from msgspec.structs import replace

from advisor.facts.interface import Multilink
from advisor.facts.interface_draft import InterfaceDraft
from advisor.facts.ranges import FRAGMENT_DELAY_MS, MULTILINK_FRAGMENT_BYTES
from advisor.facts.read_words import GrammarError, Words
from advisor.facts.stated import Stated

_HYPHENED: Final = "fragment-delay"  # as IOS up to 12.2 prints it
MAX_GROUP: Final = 2**31
_MICROSECONDS_PER_MS: Final = 1000
_KNOWN_WORDS: Final = (
    "load-threshold endpoint mrru multiclass queue slippage idle-link links ncp max-fragments "
    "max-links min-links"
)
_KNOWN: Final = frozenset(_KNOWN_WORDS.split())


def read_multilink(draft: InterfaceDraft, words: Words) -> None:
    """Read the words after `ppp multilink`.

    Raises
    ------
    GrammarError
        If they are not in the grammar.
    """
    keyword = words.accept(
        "group", "interleave", "fragment", "fragmentation", "fragment-delay", *_KNOWN
    )
    stated = None if words.negated else Stated(value=True, at=words.at)
    if keyword is None:
        words.accept("bap")
        words.end()
        draft.multilink = replace(draft.multilink, ppp_multilink=stated)
    elif keyword == "group":
        group = words.stated_whole(1, MAX_GROUP)
        draft.multilink = replace(draft.multilink, group=group)
    elif keyword == "interleave":
        words.end()
        draft.multilink = replace(draft.multilink, interleave=stated)
    elif keyword == "fragment-delay":
        draft.multilink = replace(
            draft.multilink, fragment_delay_ms=_delay_ms(words), old_delay_words=_HYPHENED
        )
    elif keyword in ("fragment", "fragmentation"):
        draft.multilink = _with_fragment(draft.multilink, words)
    else:
        words.rest()


def _with_fragment(multilink: Multilink, words: Words) -> Multilink:
    kind = words.accept("delay", "size", "disable", "maximum")
    if kind == "maximum":
        words.rest()
        return multilink
    if kind == "size":
        return replace(multilink, fragment_bytes=words.stated_within(MULTILINK_FRAGMENT_BYTES))
    if kind == "delay":
        return replace(multilink, fragment_delay_ms=_delay_ms(words), old_delay_words=None)
    if kind == "disable" or words.negated:
        words.end()
        disables = kind == "disable" and not words.negated
        stated = Stated(value=True, at=words.at) if disables else None
        return replace(
            multilink, fragment_delay_ms=None, fragment_bytes=None, fragment_disable=stated
        )
    raise GrammarError("fragment")


def _delay_ms(words: Words) -> Stated[float] | None:
    """`10`, or `10 500` with microseconds after the milliseconds."""
    if words.negated:
        return None
    delay_ms = words.within(FRAGMENT_DELAY_MS)
    microseconds = words.maybe_whole(0, _MICROSECONDS_PER_MS) or 0
    words.end()
    return Stated(delay_ms + microseconds / _MICROSECONDS_PER_MS, words.at)
