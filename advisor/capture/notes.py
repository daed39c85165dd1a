"""Notes that people write behind the lines of a capture: `<-- too small?`, `// why`, `! old`."""

import re
from typing import Final

from advisor.ios.syntax.directives import WORD
from advisor.ios.syntax.words import JUDGED

# Looked for in every file, so it has to be cheap: a search for bytes ahead of one for a pattern.
_MARKS: Final = (*(b" <", b"\t<", b" //", b"\t//", b" !", b"\t!", b" #", b"\t#"), b"**")
_NOTED: Final = re.compile(rb"[^\s!#][ \t]++(?:<-|<==|//|!|##|#[ ])|(?<!\*)\*\*[A-Za-z0-9]")

# An arrow to the left; `<->` and `<-->` stand between two names, `hrpc <- response` is a process,
# `<--- More --->` a pager.
_ARROW: Final = re.compile(r"(?<!\s)\s++<(?:-{2,}|={2,})(?![-=>]|[ ]?[Mm]ore[ ]?-).*$")
_REMARK: Final = re.compile(rf"(?<!\s)\s++(?:<-(?![->])|//|!(?!\s*{WORD})|\#\#|\#\s).*$")
_COMMENTS_OF_JOINED: Final = re.compile(r"\s!\s.*\s!\s")
_BOLD: Final = re.compile(r"(?<!\*)\*\*(?!sh)([A-Za-z0-9][^*]*)\*\*(?!\*)")
_TYPED: Final = re.compile(r"[^\s(]*+\(conf[^()]*+\)#")
# IOS takes what follows as text, or as a part of a secret.
_FREE_TEXT: Final = re.compile(
    r"\b(?:description|remark|password|secret|key|key-string|banner|alias|authentication)\b",
    re.IGNORECASE,
)
_NEGATION: Final = "no"


def may_hold_notes(payload: bytes) -> bool:
    """Whether a file has a mark that a note begins with, behind other text."""
    return any(mark in payload for mark in _MARKS) and _NOTED.search(payload) is not None


def is_command(line: str) -> bool:
    """Whether a line begins with a command of a section that is judged."""
    said = line.strip()
    prompt = _TYPED.match(said)
    words = said[prompt.end() if prompt else 0 :].lower().split(None, 2)
    if words[:1] == [_NEGATION]:
        del words[0]
    return bool(words) and words[0] in JUDGED


def without_note(line: str) -> str:
    """Take the note off that stands behind a line, and what sets a part of it in bold.

    Free text and what may be a secret stay: their words may look like a note.

    >>> without_note(" priority 128   <-- too small?"), without_note(" tx-ring-limit 12 // carrier")
    (' priority 128', ' tx-ring-limit 12')
    >>> without_note(" priority 128 <-- more than the calls need")
    ' priority 128'
    >>> without_note(" **priority 128**"), without_note(" description to HQ <-- main // old")
    (' priority 128', ' description to HQ <-- main // old')
    """
    if "**" in line:
        line = _BOLD.sub(r"\1", line)
    note = _ARROW.search(line)
    if note is None and is_command(line) and _COMMENTS_OF_JOINED.search(line) is None:
        note = _REMARK.search(line)
    if note is None:
        return line
    said = line[: note.start()]
    is_text = not said or _FREE_TEXT.search(said) is not None or said.count('"') % 2
    return line if is_text else said
