"""Identify a text: an IOS configuration, one of another system, or no configuration."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from msgspec import Struct

from advisor.ground.questions import derived
from advisor.ios import pattern
from advisor.ios.grammar import SUBCOMMANDS, headed_rows
from advisor.ios.syntax import Line, LineKind, TextLines, lines_of
from advisor.ios.syntax.abbreviations import (
    Doubt,
    doubt_about,
    doubt_about_protocol,
    doubt_about_type,
    is_abbreviated,
    stays_in,
)
from advisor.ios.syntax.modes import GLOBAL, opens_mode
from advisor.ios.syntax.scan import scan_text

# Lines that tell the configuration of one system from that of another.


class Dialect(StrEnum):
    """The system that a text configures, by the name that a user knows."""

    IOS = "Cisco IOS / IOS XE"
    NXOS = "Cisco NX-OS"
    ASA = "Cisco ASA"
    IOS_XR = "Cisco IOS XR"
    CATOS = "Cisco CatOS"
    AIREOS = "Cisco AireOS"
    SMALL_BUSINESS = "Cisco Small Business switch"
    EOS = "Arista EOS"
    JUNOS = "Juniper JunOS"
    RUIJIE = "Ruijie RGOS"
    AOS_CX = "Aruba AOS-CX"
    ARUBA_OS = "ArubaOS"
    PROCURVE = "HP ProCurve / ArubaOS-Switch"
    COMWARE = "HPE Comware / Huawei VRP"
    FASTPATH = "EFOS / FASTPATH"
    FASTIRON = "Ruckus FastIron / NetIron"
    DELL = "Dell OS9 / OS10"
    EXOS = "Extreme EXOS"
    ADTRAN = "Adtran AOS"
    ZYXEL = "Zyxel ZLD"
    TELDAT = "Teldat CIT"
    ALLIEDWARE = "AlliedWare Plus"
    SROS = "Nokia SR OS"
    V_SOL = "V-SOL OLT"
    A10 = "A10 ACOS"
    F5 = "F5 BIG-IP"
    FORTIOS = "FortiOS"
    PANOS = "Palo Alto PAN-OS"
    GAIA = "Check Point Gaia"
    TNSR = "Netgate TNSR"
    VYOS = "VyOS"
    ROUTEROS = "MikroTik RouterOS"
    FRR = "FRRouting"
    DEBIAN = "Linux /etc/network/interfaces"
    OTHER = "configuration of another system"
    MARKED_UP = "RTF, PDF or encoded mail (save it as plain text)"
    NOT_A_CONFIG = "no configuration"
    EMPTY = "empty"


# How strong a sign is.
DECISIVE: Final = 10  # no other system prints this line
STRONG: Final = 5  # enough alone if there is no sign of IOS
SUGGESTIVE: Final = 4
WEAK: Final = 2
_WEIGHTS: Final = {"decisive": DECISIVE, "strong": STRONG, "suggestive": SUGGESTIVE, "weak": WEAK}


class DialectSign(Struct, frozen=True):
    """A line that is evidence for a dialect; the weight says how strong."""

    dialect: Dialect
    weight: int
    pattern: str

    @property
    def line(self) -> re.Pattern[str]:
        return _compiled(self.pattern)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when a text has the first word: of some 300 patterns a text needs a few."""
    return re.compile(pattern)


def _first_words(pattern: str) -> list[str]:
    head = pattern.removeprefix("(?:no )?")
    if head.startswith("(?:"):
        return re.sub(r"[\\$]", "", head[3 : head.index(")")]).split("|")
    return [re.sub(r"\\([#?])", r"\1", re.split(r" |\\s|\$", head)[0])]


def _indexed() -> dict[str, tuple[DialectSign, ...]]:
    signs: dict[str, list[DialectSign]] = {}
    for heading, patterns in headed_rows("dialects").items():
        dialect, _, weight = heading.partition(": ")
        for row in patterns:
            sign = DialectSign(Dialect[dialect], _WEIGHTS[weight], row)
            for word in _first_words(row):
                signs.setdefault(word, []).append(sign)
    return {word: tuple(word_signs) for word, word_signs in signs.items()}


SIGNS: Final = _indexed()


@cache
def any_sign(word: str) -> re.Pattern[str]:
    """Matches a line that shows any of the signs with this first word: most lines show none."""
    return re.compile("|".join(f"(?:{sign.pattern})" for sign in SIGNS[word]))


# Commands that IOS would refuse for a word: short for several keywords, or misspelt.


class Doubtful(Struct, frozen=True):
    """A command with a word in doubt, and the commands that enter its mode, outermost first."""

    line: Line
    under: tuple[str, ...]
    doubt: Doubt


def doubtful_lines(top: Line) -> Iterator[Doubtful]:
    """Commands with a word that is nearly a keyword of their mode, in document order.

    A mode that is not known has no keywords: nothing in it is in doubt. `top` is a line of the top
    level.
    """
    stack: list[tuple[Line, str, tuple[str, ...]]] = [(top, GLOBAL, ())]
    while stack:
        line, mode, under = stack.pop()
        if line.kind is not LineKind.COMMAND:
            continue
        doubt = doubt_about(mode, line.text) or _doubt_about_name(mode, line.text)
        if doubt is not None:
            yield Doubtful(line, under, doubt)
        if not line.children:
            continue
        inner, within = opens_mode(mode, line.text), (*under, line.text)
        if inner is None and mode != GLOBAL and stays_in(mode, line.text):
            inner, within = mode, under  # indented too far
        if inner is not None:
            stack.extend((child, inner, within) for child in reversed(line.children))


def _doubt_about_name(mode: str, text: str) -> Doubt | None:
    """Doubt about the interface or the protocol that a command names."""
    words = text.split(None, 4)
    match mode, words:
        case ("global", ["interface", name, *_]):
            return doubt_about_type(name)
        case ("interface", ["tunnel", "source", name, *_] | ["ip", "unnumbered", name, *_]):
            return doubt_about_type(name)
        case ("global", ["access-list", _, "permit" | "deny", name, *_]) | (
            "access-list",
            ["permit" | "deny", name, *_] | [_, "permit" | "deny", name, *_],
        ):
            return doubt_about_protocol(name)
    return None


__all__ = ["Dialect", "Identity", "identify", "identity_of", "is_json", "marked_up"]

_KNOWN_WORDS: Final = frozenset().union(*SUBCOMMANDS.values())
_SHORTEST: Final = 3  # letters of an abbreviation that is no word of prose by chance
_CONTROL: Final = pattern("[\x00-\x02\x04-\x07\x0e-\x1a\x1c-\x1f]")
_CONTROL_SHARE = 0.01
_CONFIG_SHARE = 0.5  # of the lines with the smallest indentation; prose and outputs stay below
_HOSTNAME: Final = pattern(r"hostname \S+")
_LEAVE: Final = frozenset(("end", "exit", "quit"))  # of many systems, and of sessions
_EXEC_WORDS: Final = frozenset(("configure", "show"))
_FREE_TEXT: Final = frozenset(("description", "remark", "banner", "name", "title"))
# Words between others that no command has, a colon after a word, and the end of a sentence.
_PROSE: Final = pattern(
    r"""\s(?:the|a|an|is|are|was|were|be|and|you|we|our|your|please|has|have|been|this|that)\s
      | \S:\s | [a-z]{3}[.?!]$ | \t | \s{4}\S""",
    re.VERBOSE,
)
_NAMED_CONFIG_SHARE = 0.3  # the same, of a text that names its device
_ENDS_OF_PROSE_AND_CODE = (":", ",", "(", ")", "{", "}", ";", "=")
_BRACE_SHARE = 0.3
# How a file of a word processor or of a mail program begins whose lines are not those of the text.
_MARKED_UP: Final = pattern(
    r"""\s*(\{\\rtf|%PDF-) | (?:[^\n]*\n){,60}?(content-transfer-encoding:\s*quoted-printable)\b
        (?=(?s:.*)=(?:[0-9a-f]{2}|\n))""",
    re.VERBOSE | re.IGNORECASE,
)
# A mail in letters of base64; a line of a device beside them is text in clear.
_BASE64: Final = pattern(
    r"(?:[^\n]*\n){,60}?(Content-Transfer-Encoding:\s*base64)\s(?=(?s:.*)^[A-Za-z0-9+/]{40,76}=*$)",
    re.MULTILINE | re.IGNORECASE,
)
_IN_CLEAR: Final = ("hostname", "interface", "policy-map")
_JSON: Final = pattern(r"""\s*[\[{][\[{\s]*["']""")


_NO_SCORES: Final[Mapping[Dialect, int]] = dict.fromkeys(Dialect, 0)


class Identity(NamedTuple):
    """A verdict and the line that proves it; empty if no single line proves it."""

    dialect: Dialect
    evidence: str


def identify(text: str) -> Identity:
    """Identify the system that a text configures; see `identity_of`."""
    return identity_of(lines_of(text))


@derived
def identity_of(text: TextLines) -> Identity:
    """Identify the system that a text configures.

    Every sign counts once, however often it occurs. A text without signs of another system is IOS
    if enough of its lines start with words that IOS knows.

    Returns
    -------
    Identity
        The dialect and its heaviest sign, or the first line of a text that is no configuration.
    """
    if not any(text.bodies):
        return Identity(Dialect.EMPTY, "")
    controls = _CONTROL.findall(text.text)
    if "\x00" in text.text or len(controls) > len(text.text) * _CONTROL_SHARE:
        return Identity(Dialect.NOT_A_CONFIG, "")
    markup = marked_up(text)
    if markup is not None:
        return Identity(Dialect.MARKED_UP, markup)
    signs = _signs(text)
    scores = dict(_NO_SCORES)
    for sign in signs:
        scores[sign.dialect] += sign.weight
    best = max(scores, key=scores.__getitem__)
    if best is not Dialect.IOS and scores[best] >= STRONG:
        return Identity(best, _heaviest(signs, best))
    if scores[Dialect.IOS] >= DECISIVE or _is_mostly_commands(text):
        return Identity(Dialect.IOS, _heaviest(signs, Dialect.IOS))
    said = [body for body in text.bodies if body]
    return Identity(Dialect.NOT_A_CONFIG, said[0]) if is_json(text.text) else _without_sign(said)


@derived
def marked_up(lines: TextLines) -> str | None:
    """Name the sign that the lines of a text are those of a word processor or a mail program."""
    found = _MARKED_UP.match(lines.text)
    if found is None and not lines.starting(_IN_CLEAR):
        found = _BASE64.match(lines.text)
    return None if found is None else found[found.lastindex or 0]


def is_json(text: str) -> bool:
    """Whether a text begins as an object or a list of texts in JSON, whatever they hold."""
    return _JSON.match(text) is not None


def _signs(text: TextLines) -> dict[DialectSign, str]:
    """Find the signs in a text, and the first line that shows each sign.

    The search stops at a decisive sign of IOS: most files are complete configurations and have one
    early.
    """
    evidence: dict[DialectSign, str] = {}
    for row in text.starting(SIGNS.keys() | {"no"}):
        body = text.bodies[row]
        for sign in signs_of(text.words[row], body):
            evidence.setdefault(sign, body)
            if sign.dialect is Dialect.IOS and sign.weight == DECISIVE:
                return evidence
    return evidence


def signs_of(word: str, body: str) -> tuple[DialectSign, ...]:
    """The signs that a line shows, by its first word and its text without indentation."""
    if word == "no":
        word = body[3:].lstrip().partition(" ")[0]
    signs = SIGNS.get(word, ())
    if not signs or any_sign(word).match(body) is None:
        return ()
    return tuple(sign for sign in signs if sign.line.match(body))


def _without_sign(lines: list[str]) -> Identity:
    closing = next((line for line in lines if line[-1] in "{};"), "")
    if sum(line[-1] in "{};" for line in lines) > len(lines) * _BRACE_SHARE:
        return Identity(Dialect.OTHER, closing)
    return Identity(Dialect.NOT_A_CONFIG, lines[0])


def _heaviest(signs: dict[DialectSign, str], dialect: Dialect) -> str:
    dialect_signs = [sign for sign in signs if sign.dialect is dialect]
    return signs[max(dialect_signs, key=lambda sign: sign.weight)] if dialect_signs else ""


def _is_mostly_commands(text: TextLines) -> bool:
    """Say whether enough lines at the smallest indentation are commands of IOS."""
    scan = scan_text(text.text, 1)
    judged = [
        row for row, kind in enumerate(scan.kinds) if kind in (LineKind.COMMAND, LineKind.OPAQUE)
    ]
    margin = min((scan.columns[row] for row in judged), default=0)
    heads = {
        row: scan.texts[row]
        for row in judged
        if scan.columns[row] == margin and scan.texts[row] not in _LEAVE
    }
    has_name = any(_HOSTNAME.fullmatch(head) for head in heads.values())
    share = _NAMED_CONFIG_SHARE if has_name else _CONFIG_SHARE
    commands = sum(
        _is_command(head) or (row in scan.config_prompts and _is_short_in_a_mode(head))
        for row, head in heads.items()
    )
    return bool(heads) and commands >= len(heads) * share


def _is_short_in_a_mode(line: str) -> bool:
    """Whether a line typed at the prompt of a mode begins with a keyword of some mode, in short."""
    words = line.split(None, 2)
    first = words[1] if words[0] == "no" and len(words) > 1 else words[0]
    return any(is_abbreviated(mode, first) for mode in SUBCOMMANDS)


def _is_command(line: str) -> bool:
    if line.endswith(_ENDS_OF_PROSE_AND_CODE):
        return False
    words = line.split(None, 2)
    first = words[1] if words[0] == "no" and len(words) > 1 else words[0]
    if first in _EXEC_WORDS:
        return False
    if first in _FREE_TEXT:
        return True
    is_known = first in _KNOWN_WORDS or (len(first) >= _SHORTEST and is_abbreviated(GLOBAL, first))
    return is_known and _PROSE.search(line) is None
