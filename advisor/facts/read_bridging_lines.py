"""Lines of an interface that select the frames for DLSw+."""

from typing import Final

from advisor.facts.interface_draft import InterfaceDraft
from advisor.facts.read_dlsw import read_source_bridge
from advisor.facts.read_words import Words
from advisor.facts.stated import Stated

_MAX_GROUP: Final = 255


def bridge_group(draft: InterfaceDraft, words: Words) -> None:
    """`bridge-group 1`; words after the number, such as the path cost, are not read."""
    number = words.whole(1, _MAX_GROUP)
    if words.peek() is None:
        draft.bridge_group = None if words.negated else Stated(number, words.at)


def source_bridge(draft: InterfaceDraft, words: Words) -> None:
    bridge = read_source_bridge(words) if not words.negated else None
    if words.negated:
        draft.source_bridge = None
    elif bridge is not None:
        draft.source_bridge = bridge


def dlsw(draft: InterfaceDraft, words: Words) -> None:
    """`dlsw transparent …` of an interface: kept."""
    words.expect("transparent")
    sna(draft, words)


def sna(draft: InterfaceDraft, words: Words) -> None:
    text = " ".join(words.words[1 if words.negated else 0 :])
    if words.negated:
        draft.sna_lines.pop(text, None)
    else:
        draft.sna_lines[text] = Stated(text, words.at)
