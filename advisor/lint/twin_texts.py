"""What is said of one unit as text with stand-ins, and with the names of another in their place."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from advisor.ios.edit.likeness import STAND_IN
from advisor.lint.findings import Finding, ObjectKind, Said, Skipped

FILE: Final = "own-file-1000-"  # stands for the file of the configuration
HOST: Final = "own-host-1000-"  # and for the name of the device
_TOKEN: Final = re.compile(
    rf'"file":"{FILE}","line":(?P<line>\d+)|{FILE}:(?P<at>\d+)|{STAND_IN.pattern}'
)
# A part of a stand-in, or a name in another form, that is left outside of the tokens.
_LEFT: Final = re.compile(r"own-(?:policy|words|file|host)|[A-Za-z]9\d{3}(?!\d)|198\.19\.")


class KindText(Struct, frozen=True):
    """JSON of what is said of a unit, or of none: at odd places a token, between them the rest."""

    findings: tuple[str, ...]
    skipped: tuple[str, ...]

    def of(self, own: Mapping[str, str], common: Mapping[str, str]) -> Said:
        """What is said of a unit, with its values of the tokens."""
        return Said(
            tuple(_FINDINGS.decode(_filled(self.findings, own, common))),
            tuple(_SKIPPED.decode(_filled(self.skipped, own, common))),
        )


class NotAlikeError(Exception):
    """Something is said of several units together, or of a name that is not taken out."""


def kind_texts(said: Said, owners: Mapping[str, int], kinds: int) -> list[KindText]:
    """What is said of each kind, and last what is said of none.

    Parameters
    ----------
    said
        What is said of the imaginary device.
    owners
        The kind of each stand-in, and of each number of a line.
    kinds
        How many there are.

    Raises
    ------
    NotAlikeError
        If it does not hold of each unit by itself.
    """
    findings = _by_owner(said.findings, owners, kinds)
    skipped = _by_owner(said.skipped, owners, kinds)
    return [KindText(_cut(one), _cut(other)) for one, other in zip(findings, skipped, strict=True)]


def _by_owner(
    values: Sequence[Finding] | Sequence[Skipped], owners: Mapping[str, int], kinds: int
) -> list[list[str]]:
    texts: list[list[str]] = [[] for _ in range(kinds + 1)]
    for value in values:
        text = msgspec.json.encode(value).decode()
        tokens = (token["line"] or token["at"] or token[0] for token in _TOKEN.finditer(text))
        found = {owners[token] for token in tokens if token in owners}
        if len(found) > 1 or _is_of_all(value) or _LEFT.search(_TOKEN.sub("", text)):
            raise NotAlikeError
        texts[found.pop() if found else -1].append(text)
    return texts


def _is_of_all(value: Finding | Skipped) -> bool:
    """Whether it is about the device, or its lines need a name that is free on all of it."""
    remedy = value.remedy if isinstance(value, Finding) else None
    return value.object_kind is ObjectKind.NAME or (remedy is not None and bool(remedy.renamed))


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


def in_json(text: str) -> str:
    """Text as it stands between the quotes of JSON."""
    return msgspec.json.encode(text).decode()[1:-1]
