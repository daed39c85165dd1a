"""Words of a line that its reader demands: keywords stay, what it takes as any text goes."""

import re
from collections.abc import Callable, Sequence
from string import ascii_lowercase, ascii_uppercase, digits, punctuation
from typing import Final

from advisor.capture.masking.words import REMOVED

_WORD: Final = re.compile(r"\S+")
_RUN: Final = re.compile(rf"{REMOVED}|[^\W\d_]+|\d+|_|[^\w(),:;]")  # what stands around words stays
_TURNS: Final = ((ascii_lowercase, 13), (ascii_uppercase, 13), (digits, 5), (punctuation, 7))
_OTHER_SIGNS: Final = {
    sign: signs[(at + turn) % len(signs)] for signs, turn in _TURNS for at, sign in enumerate(signs)
}


def with_demanded(
    text: str,
    is_hidden: Sequence[bool],
    accepts: Callable[[str], bool],
    *,
    is_output: bool = True,
) -> str | None:
    """Return a line whose hidden words are masked, except those that its reader demands.

    Letters, a number or a sign are demanded if the reader refuses the line with others in their
    place, and with another last one: so they are of a keyword of the reader, which no secret is.

    Parameters
    ----------
    text
        A line that the reader accepts.
    is_hidden
        For each word, whether it may be a secret.
    accepts
        Whether the reader takes a line.
    is_output
        Whether the line is of an output: there `x` and `0` may stand where no mark is taken.
        In a configuration they would be values, and a keyword with one wrong letter is still near.

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
    free: list[tuple[int, int]] = []
    other = text  # with other letters in all that is free so far: one of two may be demanded
    for word, hides in zip(_WORD.finditer(text), is_hidden, strict=True):
        runs = [run.span() for run in _RUN.finditer(text, *word.span()) if run[0] != REMOVED]
        for start, end in runs if hides else ():
            changed = _changed(other, start, end, accepts, last=is_output)
            if changed is None:
                continue
            other = changed
            joins = bool(free) and free[-1][1] == start
            free.append((free.pop()[0] if joins else start, end))
    masked = other
    for start, end in reversed(free):
        stand_in = "0" if text[start:end].isdigit() else "x"
        marks = (REMOVED, stand_in) if is_output else (REMOVED,)
        choices = [f"{masked[:start]}{mark}{masked[end:]}" for mark in marks]
        accepted = [*filter(accepts, choices)]
        if not accepted:
            return None
        masked = accepted[0]
    return masked if accepts(masked) else None


def _changed(
    text: str, start: int, end: int, accepts: Callable[[str], bool], *, last: bool
) -> str | None:
    """A line that is accepted with other signs in a part, or another last one; else None."""
    others = "".join(_OTHER_SIGNS.get(sign, "x") for sign in text[start:end])
    ends_otherwise = (text[start : end - 1] + others[-1],) if last else ()
    for letters in (others, *ends_otherwise, "x" * (end - start)):
        changed = f"{text[:start]}{letters}{text[end:]}"
        if accepts(changed):
            return changed
    return None
