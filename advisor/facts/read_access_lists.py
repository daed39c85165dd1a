"""`access-list` and `ip access-list` to AccessList; sequence numbers order the entries."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct, field

from advisor.facts.access_list import AccessEntry, AccessList
from advisor.facts.read_access_entry import read_entry
from advisor.facts.read_words import Words
from advisor.ios.syntax.tree import Line, Location
from advisor.units import whole

# Ranges of numbers that IOS gives to the kinds of lists (Cisco IOS, "Configuring IP Access Lists").
_STANDARD: Final = range(1, 100)
_STANDARD_EXPANDED: Final = range(1300, 2000)
_EXTENDED: Final = range(100, 200)
_EXTENDED_EXPANDED: Final = range(2000, 2700)
_SEQUENCE_STEP: Final = 10
_LONGEST_NUMBER: Final = 10


class AccessListDraft(Struct):
    """An access list while its lines are read."""

    name: str
    at: Location
    entries: dict[int, AccessEntry] = field(default_factory=dict)
    sequences: dict[str, int] = field(default_factory=dict)  # of an entry's words
    last_sequence: int = 0

    def add(self, sequence: int | None, words: str, entry: AccessEntry) -> None:
        if sequence is None:
            sequence = self.last_sequence + _SEQUENCE_STEP
        self.last_sequence = max(self.last_sequence, sequence)
        self.entries[sequence] = entry
        self.sequences[words] = sequence

    def remove(self, sequence: int | None, words: str) -> None:
        """Remove by sequence number, else by words."""
        if sequence is None:
            sequence = self.sequences.pop(words, 0)
        self.entries.pop(sequence, None)

    def freeze(self) -> AccessList:
        ordered = tuple(self.entries[sequence] for sequence in sorted(self.entries))
        return AccessList(self.name, ordered, self.at)


def read_numbered(line: Line, drafts: dict[str, AccessListDraft], file: str) -> None:
    """Read one `access-list N …` line; other lists than IP are kept as not understood."""
    words = line.text.split(None, 3)
    if len(words) < 3:  # noqa: PLR2004 - access-list, number, action
        return
    number = words[1]
    if not _is_number(number):
        return  # rate-limit, compiled, dynamic-extended
    draft = drafts.get(number)
    if draft is None:
        draft = drafts[number] = AccessListDraft(number, Location(file, line.number))
    entry = _numbered_entry(line, file)
    if entry is not None:
        draft.add(None, line.text, entry)


@lru_cache(maxsize=1 << 12)  # a proof reads each line again
def _numbered_entry(line: Line, file: str) -> AccessEntry | None:
    words = Words(line, Location(file, line.number))
    words.position = 2
    if words.peek() in ("remark", "rename"):
        return None
    return read_entry(words, _kind(whole(words.words[1])))


def read_named(line: Line, drafts: dict[str, AccessListDraft], file: str) -> None:
    """Read one `ip|ipv6|mac access-list …` section.

    Entries of IPv6 and MAC lists are kept as not understood: a class-map may name the list.
    """
    words = line.text.split()
    family, rest = words[0], words[2:]
    kind = rest[0] if rest and rest[0] in ("standard", "extended") else "other"
    if family != "ip":
        kind = "other"
    names = [word for word in rest if word not in ("standard", "extended")]
    if not names or (family == "ip" and kind == "other"):
        return  # resequence, log-update, role-based
    name, at = names[0], Location(file, line.number)
    draft = drafts.setdefault(name, AccessListDraft(name, at))
    for child in line.commands():
        _read_child(draft, kind, child, Location(file, child.number))


def _read_child(draft: AccessListDraft, kind: str, line: Line, at: Location) -> None:
    words = Words(line, at)
    sequence = None
    if _is_number(words.peek() or ""):
        sequence = whole(words.take())
    body = " ".join(words.words[words.position :])
    if words.negated:
        draft.remove(sequence, body)
    elif words.peek() in ("permit", "deny", "dynamic", "evaluate"):
        draft.add(sequence, body, read_entry(words, kind))


def remove_list(words: Sequence[str], drafts: dict[str, AccessListDraft]) -> None:
    """`no access-list 101`, `no ip access-list extended EDGE`: `words` follow the keyword."""
    names = [word for word in words if word not in ("standard", "extended")]
    if names:
        drafts.pop(names[0], None)


def _is_number(word: str) -> bool:
    return word.isdecimal() and word.isascii() and len(word) <= _LONGEST_NUMBER


def _kind(number: int) -> str:
    if number in _STANDARD or number in _STANDARD_EXPANDED:
        return "standard"
    return "extended" if number in _EXTENDED or number in _EXTENDED_EXPANDED else "other"
