"""Findings of one unit as text with stand-ins, and with the names of another in their place."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from advisor.ios.edit.likeness import STAND_IN
from advisor.lint.findings import Finding, ObjectKind, Said, Skipped
from advisor.lint.judge import Key

FILE: Final = "own-file-1000-"  # stands for the file of the configuration
HOST: Final = "own-host-1000-"  # and for the name of the device
FRESH: Final = "own-fresh-1000-"  # the number of a new bundle
_DASHED: Final = r"[A-Z][A-Za-z]+9\d{3}(?:-0){1,4}(?:-8\d{3})?"  # a port in the name of a copy
_TOKEN: Final = re.compile(
    rf'"file":"{FILE}","line":(?P<line>\d+)|{FILE}:(?P<at>\d+)|{STAND_IN.pattern}|{_DASHED}'
    rf"|{FRESH}"
)
# A part of a stand-in, or a name in another form, that is left outside of the tokens.
_LEFT: Final = re.compile(r"own-(?:policy|map|words|file|host)|[A-Za-z]9\d{3}(?!\d)|198\.19\.")
_BUNDLE: Final = re.compile(r"interface Multilink(\d+)")
_COPY: Final = "policy-map "
_LONGEST_COPY: Final = 31  # characters: with a longer name of a port it is still not cut


class KindText(Struct, frozen=True):
    """JSON of the findings of a unit, or of none: at odd places a token, between them the rest."""

    findings: tuple[str, ...]
    skipped: tuple[str, ...]

    @property
    def has_fresh(self) -> bool:
        """Whether a finding makes a new bundle."""
        return FRESH in self.findings[1::2]

    def of(self, own: Mapping[str, str], common: Mapping[str, str]) -> Said:
        """Findings and skips of a unit, with its values of the tokens."""
        return Said(
            tuple(_FINDINGS.decode(_filled(self.findings, own, common))),
            tuple(_SKIPPED.decode(_filled(self.skipped, own, common))),
        )


class KindTexts(Struct, frozen=True):
    """Texts of each kind, then of what is no unit, and what only the whole tells.

    `of_whole` are keys of findings of no unit, `whole_rules` are rules whose findings of a unit
    name others.
    """

    kinds: tuple[KindText, ...]
    of_whole: frozenset[Key]
    whole_rules: frozenset[str]

    def keys_of_whole(self, said: Said) -> frozenset[Key]:
        """The keys of all findings that only the whole tells."""
        keys = (
            (finding.rule, finding.object)
            for finding in said.findings
            if finding.rule in self.whole_rules
        )
        return self.of_whole.union(keys)


class NotAlikeError(Exception):
    """A finding is about several units together, or names what is not taken out."""


def kind_texts(
    said: Said, owners: Mapping[str, int], kinds: int, first: int, alike: Mapping[str, str]
) -> KindTexts:
    """Findings of each kind, and last those of no unit.

    Parameters
    ----------
    said
        Findings and skips of the imaginary device.
    owners
        The kind of each stand-in, and of each number of a line.
    kinds
        How many there are; the first `first` of them are the first of their kind.
    alike
        Tokens of the first of a kind, by those of the second in the same place.

    Raises
    ------
    NotAlikeError
        If a finding does not hold of each unit by itself.
    """
    findings: list[list[str]] = [[] for _ in range(kinds + 1)]
    skipped: list[list[str]] = [[] for _ in range(kinds + 1)]
    of_whole: set[Key] = set()
    whole_rules: set[str] = set()
    void = _void_elsewhere(said.findings, owners, first, alike)
    for finding in said.findings:
        text = _text_of(finding)
        try:
            findings[_owner(finding, text, owners, first)].append(text)
        except NotAlikeError:
            if (finding.rule, finding.object) in void:
                findings[void[finding.rule, finding.object]].append(text)
                continue
            if _owners(finding.object, owners):
                place = _text_of(_without_words(finding))
                findings[_owner(finding, place, owners, first)].append(place)
                whole_rules.add(finding.rule)
                continue
            findings[-1].append(text)
            of_whole.add((finding.rule, finding.object))
    for skip in said.skipped:
        text = msgspec.json.encode(skip).decode()
        skipped[_owner(skip, text, owners, first)].append(text)
    if any(FRESH in text for text in findings[-1]):
        raise NotAlikeError  # its number depends on the units before it
    texts = (KindText(_cut(a), _cut(b)) for a, b in zip(findings, skipped, strict=True))
    return KindTexts(tuple(texts), frozenset(of_whole), frozenset(whole_rules))


def _void_elsewhere(
    findings: Sequence[Finding], owners: Mapping[str, int], first: int, alike: Mapping[str, str]
) -> dict[Key, int]:
    """The kinds of findings without lines that a refusal at the first of another kind makes void.

    The refusal that counts is the first in the text: it is the same for all units of a kind. Where
    the second of a kind does not say so, none of the findings of the rule is among them.
    """
    void: dict[Key, int] = {}
    by_first: dict[str, set[tuple[str, ...]]] = {}
    by_second: dict[str, set[tuple[str, ...]]] = {}
    has_second = {owners[token] for token in alike.values()}
    for finding in findings:
        text = _text_of(finding)
        kind = _kind_of_void(finding, text, owners, first)
        if kind is None:
            continue
        void[finding.rule, finding.object] = kind
        pieces = _cut([text])
        if kind >= first:
            by_second.setdefault(finding.rule, set()).add(
                tuple(
                    alike.get(piece, piece) if place % 2 else piece
                    for place, piece in enumerate(pieces)
                )
            )
        elif kind in has_second:
            by_first.setdefault(finding.rule, set()).add(pieces)
    return {
        key: kind for key, kind in void.items() if by_first.get(key[0]) == by_second.get(key[0])
    }


def _kind_of_void(finding: Finding, text: str, owners: Mapping[str, int], first: int) -> int | None:
    """The kind of a finding that names, beside its unit, only where the refusal is."""
    cause = finding.void_by
    if cause is None or finding.lines:
        return None
    of_object, of_cause = _owners(finding.object, owners), _owners(cause.object, owners)
    is_elsewhere = len(of_object) == 1 and not of_object & of_cause
    is_first = all(kind < first for kind in of_cause)
    is_told = _owners(text, owners) == of_object | of_cause and not _has_left(finding, text)
    return of_object.pop() if is_elsewhere and is_first and is_told else None


def _without_words(finding: Finding) -> Finding:
    """The place of a finding that names other units; with lines to paste it has to be proven."""
    if finding.lines:
        raise NotAlikeError
    return replace(finding, message="", locations=(), prediction=None, remedy=None, void_by=None)


def _text_of(finding: Finding) -> str:
    """JSON of a finding, with a token for the number of a bundle that its lines make."""
    text = msgspec.json.encode(finding).decode()
    remedy = finding.remedy
    if remedy is None or not remedy.renamed:
        return text
    numbers = {found[1] for entry in remedy.renamed if (found := _BUNDLE.fullmatch(entry.now))}
    if len(numbers) > 1:
        raise NotAlikeError
    for item in remedy.renamed:
        if item.now.startswith(_COPY) and len(item.now) - len(_COPY) > _LONGEST_COPY:
            raise NotAlikeError
    for number in numbers:
        text = re.sub(rf"(?<=\bMultilink){number}(?!\d)", FRESH, text)
        text = re.sub(rf"(?<=multilink group ){number}(?!\d)", FRESH, text)
        text = re.sub(rf"(?<=multilink-group ){number}(?!\d)", FRESH, text)
    return text


def _owner(value: Finding | Skipped, text: str, owners: Mapping[str, int], first: int) -> int:
    """The kind that a finding is about; -1 where it is about no unit."""
    of_object, found = _owners(value.object, owners), _owners(text, owners)
    if len(of_object) > 1 or _has_left(value, text):
        raise NotAlikeError
    if of_object:
        if found != of_object:
            raise NotAlikeError
        return of_object.pop()
    if any(kind >= first for kind in found) or FRESH in text:
        raise NotAlikeError  # of all units of a kind, or of another than the first
    return -1


def _has_left(value: Finding | Skipped, text: str) -> bool:
    """Whether it is about the device, or holds a part of a name outside of the tokens."""
    is_of_device = value.object_kind is not ObjectKind.SECTIONS
    return is_of_device or _LEFT.search(_TOKEN.sub("", text)) is not None


def _owners(text: str, owners: Mapping[str, int]) -> set[int]:
    tokens = (token["line"] or token["at"] or token[0] for token in _TOKEN.finditer(text))
    return {owners[token] for token in tokens if token in owners}


def _cut(texts: Sequence[str]) -> tuple[str, ...]:
    """JSON of a list, cut into what stays and, at odd places, the tokens."""
    text = f"[{','.join(texts)}]"
    pieces: list[str] = []
    end = 0
    for token in _TOKEN.finditer(text):
        number = token["line"] or token["at"]
        start = token.end() - len(number) if number else token.start()
        if number:  # the file before it is a token too
            at = text.index(FILE, token.start())
            pieces += (text[end:at], FILE, text[at + len(FILE) : start], number)
        else:
            pieces += (text[end : token.start()], token[0])
        end = token.end()
    return (*pieces, text[end:])


_FINDINGS: Final = msgspec.json.Decoder(list[Finding])
_SKIPPED: Final = msgspec.json.Decoder(list[Skipped])


def _filled(pieces: Sequence[str], own: Mapping[str, str], common: Mapping[str, str]) -> str:
    filled = list(pieces)
    for place in range(1, len(filled), 2):
        token = filled[place]
        filled[place] = own[token] if token in own else common[token]
    return "".join(filled)


def dashed(name: str) -> str:
    """The name of a port as it stands in the name of a copy: "Serial0-0"."""
    return "".join(char if char.isalnum() else "-" for char in name)


def in_json(text: str) -> str:
    """Text as it stands between the quotes of JSON."""
    return msgspec.json.encode(text).decode()[1:-1]
