"""Words of a line that its reader demands: keywords stay, what it takes as any text goes."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from advisor.capture.masking.words import REMOVED

_WORD: Final = re.compile(r"\S+")
_REPEATED: Final = re.compile(rf"(?:{REMOVED}[^\sA-Za-z\d]*)+{REMOVED}")
_RUN: Final = re.compile(r"[^\W\d_]+|\d+")
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_OTHERS: Final = str.maketrans(
    _LETTERS + _LETTERS.upper() + "0123456789",
    _LETTERS[13:] + _LETTERS[:13] + (_LETTERS[13:] + _LETTERS[:13]).upper() + "5678901234",
)


def with_demanded(
    text: str, is_hidden: Sequence[bool], accepts: Callable[[str], bool]
) -> str | None:
    """Return a line whose hidden words go, but for those that its reader demands.

    Letters are demanded if the reader refuses the line with others in their place, and with
    another last one: so they are a keyword of the reader, which no secret is.

    Parameters
    ----------
    text
        A line that the reader accepts.
    is_hidden
        For each word, whether it may be a secret.
    accepts
        Whether the reader takes a line.

    Returns
    -------
    str | None
        None if the reader takes no line without the hidden words.

    Examples
    --------
    >>> is_bound = re.compile("Interface is bound to .*").match
    >>> with_demanded("Interface is bound to tiger", [True] * 5, lambda s: bool(is_bound(s)))
    'Interface is bound to <removed>'
    """
    spans = [
        (word.start() + run.start(), word.start() + run.end())
        for word, hides in zip(_WORD.finditer(text), is_hidden, strict=True)
        if hides
        for run in _RUN.finditer(word[0])
    ]
    free: list[tuple[int, int]] = []
    other = text  # with other letters in all that is free so far: one of two may be demanded
    for start, end in spans:
        changed = text[start:end].translate(_OTHERS)
        ends_otherwise = text[start : end - 1] + changed[-1]
        for letters in (changed, ends_otherwise):
            as_changed = f"{other[:start]}{letters}{other[end:]}"
            if accepts(as_changed):
                free.append((start, end))
                other = as_changed
                break
    masked = other
    for start, end in reversed(free):
        marks = REMOVED, "0" if text[start].isdigit() else "x"
        choices = [f"{masked[:start]}{mark}{masked[end:]}" for mark in marks]
        accepted = [*filter(accepts, choices)]
        if not accepted:
            return None
        masked = accepted[0]
    together = _REPEATED.sub(REMOVED, masked)
    return next((line for line in (together, masked) if accepts(line)), None)
