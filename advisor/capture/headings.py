"""Lines that name a command ahead of its output, as `show tech-support`, tools and people do."""

import re
from typing import Final

from msgspec import Struct

from advisor.capture.sections import Origin
from advisor.ios.exec.commands import WORDS, known_words, spell_out
from advisor.ios.patterns import pattern

_LONGEST: Final = 200
_TECH_MARK: Final = "-" * 6
_FEWEST_MARKS: Final = 3
_FEWEST_KNOWN: Final = 2  # words of a command that tell it from a sentence with `show`
_LABEL: Final = (
    r"(?:(?:command|cmd|output|exec(?:uting|ute)?|running|task)(?: of| from| for)?\b|\d{1,3}[.)])"
)
_SHOW: Final = ("sh ", "sho ", "show ")
_TELLS_A_CUT: Final = pattern(
    rf"^(?:[^\w\n]|_){{0,120}}(?:{_LABEL}[ :]*[\"'`\[(]?)?(?:do )?sho?w?[ ]",
    re.MULTILINE | re.IGNORECASE,
)
# Marks, `Command:` or `Output of`, the command, and marks again.
_FRAMED: Final = pattern(
    rf"(?P<open>[-=*#!_~+$%\[({{<>\"'`| ]*)(?P<label>(?:{_LABEL}[ ]?:?[ ]*)?)[\"'`\[(]?(?:do )?"
    r"(?P<command>sho?w? .*)$",
    re.IGNORECASE,
)
_CLOSING: Final = "-=*#!_~+])}<>:\"'`| "
_RULE: Final = pattern(r"([-=*#_~+])\1{2,}\s*$")
_SHORTEST: Final = 3  # letters of an abbreviation that is no word of a sentence
_ARGUMENT: Final = pattern(
    r"(?=\D*+\d)[\w./:,-]++|[\w-]*+:[\w./-]*"
    r"|(?:in|out)(?:put)?|detail(?:s|ed)?|brief|summary|all|stat(?:istic)?s|[A-Z][A-Za-z-]{3,14}"
)


class Heading(Struct, frozen=True):
    """A spelled-out command that a line names, and how."""

    command: str
    origin: Origin


def may_be_cut(text: str) -> bool:
    """Whether a prompt or a heading can be in a text: most saved configurations have neither."""
    if "#" in text or ">" in text:
        return True
    lower = text.lower()
    return any(word in lower for word in _SHOW) and _TELLS_A_CUT.search(text) is not None


def may_be_heading(line: str) -> bool:
    """Whether a line is one that `heading_of` looks at: most lines of a configuration are not."""
    return len(line) <= _LONGEST and not line[:1].isspace() and "sh" in line.lower()


def heading_of(line: str) -> Heading | None:
    """Read the command that a line names between dashes, as `show tech-support` prints it.

    Between other marks, or without any, the line must hold a command that is known and nothing
    else: marks also frame banners, and sentences speak of commands.

    Examples
    --------
    >>> heading_of("------------------ show policy-map interface ------------------").command
    'show policy-map interface'
    >>> heading_of("[sh policy-map int s0/0]").command
    'show policy-map interface s0/0'
    >>> heading_of("show interfaces is what I looked at") is None
    True
    """
    if not may_be_heading(line):
        return None
    text = line.rstrip()
    framed = _FRAMED.match(text)
    if framed is None:
        return None
    typed, before = framed["command"].rstrip(_CLOSING), framed["open"]
    after = framed["command"][len(typed) :]
    if not (
        (before.startswith(_TECH_MARK) and after.endswith(_TECH_MARK))
        or _is_command_alone(typed, is_framed=_is_framed(before, after.strip()))
    ):
        return None
    is_bare = not before and not framed["label"]
    return Heading(spell_out(typed), Origin.FIRST_LINE if is_bare else Origin.HEADING)


def _is_framed(before: str, after: str) -> bool:
    """Whether both sides are rules of the same mark, as no sentence and no comment has them."""
    return min(len(before), len(after)) >= _FEWEST_MARKS and before[0] == after[-1]


def is_rule(line: str) -> bool:
    """Whether a line is one mark over and over: it stands above or below a heading."""
    return _RULE.match(line) is not None


def _is_command_alone(typed: str, *, is_framed: bool) -> bool:
    """Whether a text is a command that is known, with arguments that IOS may take."""
    words = typed.partition("|")[0].split()
    known = known_words(words)
    if known < _FEWEST_KNOWN or not (words[1] in WORDS or len(words[1]) >= _SHORTEST):
        return False
    return is_framed or all(_ARGUMENT.fullmatch(word) for word in words[known:])
