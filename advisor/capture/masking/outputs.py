"""Lines of show outputs: the words that IOS prints stay, and those that people typed go."""

import re
from functools import lru_cache
from typing import Final

from advisor.capture.broken_lines import logged_head
from advisor.capture.masking.printed import OUTPUT_WORDS
from advisor.capture.masking.words import (
    REMOVED,
    is_address,
    is_image,
    is_interface,
    is_name,
    is_number,
    paged,
)
from advisor.ios import pattern
from advisor.ios.grammar import layout

_LONGEST_WORD: Final = 200
_SHORTEST_SENTENCE: Final = 3  # words
_TELLING_LETTERS: Final = 5  # a shorter word may be short for a setting
_WORD: Final = pattern(r"\S+")
_PARTS: Final = pattern(r"[\s,;:()\[\]{}\"'/=<>|*#^~_!?.%&+-]+")
_EDGES: Final = "()[]{},;:\"'.*"
_AMOUNT: Final = pattern(
    r"0x[0-9a-f]{1,8}|[0-9a-f]{1,2}|c\d{3,4}[a-z]{0,2}|npe\d{3}|[a-z]{1,2}\d{0,2}|(?:\d{1,4}[ywdhms]){1,3}"
    r"|\d{1,20}(?:[kmgbxptu]|bc|mb|kb|gb|tb|[kmg]?bps|ms|us|sec|msec|min|mhz|th|st|nd|rd)?",
    re.ASCII | re.IGNORECASE,
)
_VERSION: Final = pattern(
    r"\d{1,2}\.\d{1,2}(?:\.\d{1,3}[a-z]?)?(?:\(\d{1,3}[a-z]{0,2}[\d.]{0,6}\))?"
    r"[A-Z]{0,6}[\d.]{0,6}[a-z]?\d?",
    re.ASCII,
)
_MAC_AND_SAP: Final = pattern(
    r"(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}\((?:[0-9a-f]{1,2}\)|bia)", re.ASCII | re.IGNORECASE
)
# C2800NM-ADVIPSERVICESK9-M, X86_64_LINUX_IOSD-UNIVERSALK9-M
_FEATURES: Final = pattern(r"\(?[A-Za-z0-9_]{2,24}-[A-Z0-9_]{2,40}-[A-Z]{1,3}\)?,?", re.ASCII)
_TIME: Final = pattern(r"[*.]?\d\d:\d\d:\d\d(?:\.\d{1,6})?", re.ASCII)
_ZONE: Final = pattern(r"[A-Z]{3,4}(?:-[A-Z]{3})?", re.ASCII)
_TUNNEL_KEY: Final = pattern(
    r"(\s*Key )(?:0x[0-9A-F]{1,8}|\d{1,10})(?=, sequencing)", re.IGNORECASE
)
_GRAPH: Final = pattern(r"[\s\d*#%]+")  # a history of the CPU

# Behind these everything is somebody's text.
_LABELS: Final = """
    description description: owner: tag: reason: url: url user: user username username: name: proxy:
    contact: location: alias: comment: remark banner authorization authorization: cookie: by
"""
_FREE_TEXT: Final = frozenset(_LABELS.split())
_SECRETS: Final = pattern(
    r"pass(?:word|wd|phrase|code)?|pwd|secret|(?:.*-)?key(?:-string)?|keys|communit(?:y|ies)|md5|sha\d*"
    r"|credentials?|psk|pin|wep|token|cipher|hash|chap|pap",
    re.IGNORECASE,
)
# Text in quotes was typed by somebody. These words in quotes are from IOS.
_QUOTED: Final = pattern(r"\"[^\"]*(?:\"|$)|(?:(?<=\s)|^)'[^']*(?:'|$)")
_BLOT: Final = "\0"
_QUOTED_BY_IOS: Final = frozenset(
    ('"show interface"', "'Show queue'", "'show queue'", '"License Notice"', "'^'", '"License')
)
# Behind these stands a name of a class, a policy or a list.
_BEFORE_NAMES: Final = """
    class-map class-map: policy-map policy-map: map class class: service-policy
    service-policy: input: output: access-group vc-class pvc
"""
_NAMED: Final = frozenset(_BEFORE_NAMES.split())
_BETWEEN: Final = frozenset(
    ("map", "input", "output", "name", "type", "queueing", "match-any", "match-all", "is", ":")
)
_CLASS_END: Final = pattern(r"\s*\(match-(?:any|all)\)(?:\s*\(\d{1,9}/\d{1,9}\))?\s*")
_NAMED_WORD: Final = pattern(r"(?:class-map|service-policy|policy-map):(\S+)", re.IGNORECASE)
_SENTENCES: Final = pattern(
    layout("capture/masking/sentences.txt").alternatives("sentences"), re.IGNORECASE
)
_BY_ITSELF: Final = pattern(
    r"\s*(?:System (?:returned|restarted)|Copyright|Compiled \S+ \S+ \S+ by prod_rel"
    r"|Number of [Oo]ctets [Uu]sed by this)"
)


@lru_cache(maxsize=16384)
def is_plain(word: str) -> bool:
    """Say whether a word of an output is one that IOS prints by itself, with its punctuation."""
    if len(word) > _LONGEST_WORD:
        return not any(char.isalnum() for char in word)
    bare = word.strip(_EDGES)
    if is_number(bare) or is_address(bare) or is_interface(bare) or _VERSION.fullmatch(bare):
        return True
    if _MAC_AND_SAP.fullmatch(word) or _FEATURES.fullmatch(word) or is_image(bare):
        return True
    return all(
        part.lower() in OUTPUT_WORDS or _AMOUNT.fullmatch(part) or is_interface(part)
        for part in _PARTS.split(word)
        if part
    )


def mask_output(line: str) -> str:
    """Return a line of a show output without what a person may have typed.

    Examples
    --------
    >>> mask_output("  Description: to the bank"), mask_output("Serial0/0 is up, xyzzy")
    ('  Description: <removed>', 'Serial0/0 is up, <removed>')
    >>> mask_output("  Service-policy output: KEY-APPS")
    '  Service-policy output: KEY-APPS'
    """
    text = paged(line)
    tunnel = _TUNNEL_KEY.match(text)
    if tunnel is not None:
        return f"{tunnel[1]}0x0{text[tunnel.end() :]}"
    head = logged_head(text)
    if head:
        return f"{head} {REMOVED}"
    told = _SENTENCES.match(text)
    if told is not None and "description" not in told[0].lower():
        return told[0] + mask_words(text[told.end() :])
    return mask_words(text, by_is_plain=_BY_ITSELF.match(text) is not None)


def is_graph(text: str) -> bool:
    """Say whether a line may be one of the graph that `show processes cpu history` draws."""
    return _GRAPH.fullmatch(text) is not None


def is_sentence(text: str) -> bool:
    """Say whether a line is of words that IOS prints alone, of three or more.

    It starts with a whole word of IOS, or with an interface or circuit of one.
    """
    words = text.split()
    if len(words) < _SHORTEST_SENTENCE:
        return False
    first = words[0].strip(_EDGES)
    is_ios = is_ios_word(first) or (
        first[-1:].isdigit() and len(first) > _TELLING_LETTERS and is_interface(first)
    )
    return is_ios and mask_words(text) == text


def is_ios_word(word: str) -> bool:
    """Say whether a word is one that IOS prints, and too long to be short for a setting."""
    bare = word.strip(_EDGES)
    return len(bare) >= _TELLING_LETTERS and bare.lower() in OUTPUT_WORDS


def mask_words(text: str, *, by_is_plain: bool = False) -> str:
    """Return the words of a text that IOS prints; each of the others is removed."""
    kept: list[str] = []
    position = 0
    unquoted = _QUOTED.sub(_blotted, text)
    name_next, before = False, ""
    for match in _WORD.finditer(text):
        word, lower = match[0], match[0].lower()
        kept.append(text[position : match.start()])
        position = match.end()
        is_shown = is_plain(word) or (name_next and (lower in _BETWEEN or _is_named(word)))
        is_shown = is_shown or (_TIME.fullmatch(before) and _ZONE.fullmatch(word)) is not None
        joined = _NAMED_WORD.fullmatch(word)
        is_shown = is_shown or (joined is not None and is_name(joined[1]))
        is_class = name_next and _CLASS_END.fullmatch(text, position) is not None
        is_quoted = _BLOT in unquoted[match.start() : position]
        kept.append(word if is_shown and not is_quoted else REMOVED)
        name_next = lower in _NAMED or (name_next and lower in _BETWEEN)
        before = word
        if is_class:  # a class of a policy may be called `key` or `user`
            continue
        if tells_secret(lower) and not (by_is_plain and lower == "by") and text[position:].strip():
            return f"{''.join(kept)} {REMOVED}"
    return "".join((*kept, text[position:]))


def _blotted(quoted: re.Match[str]) -> str:
    return quoted[0] if quoted[0] in _QUOTED_BY_IOS else _BLOT * len(quoted[0])


def _is_named(word: str) -> bool:
    return is_name(word.strip(_EDGES))


@lru_cache(maxsize=4096)
def tells_secret(word: str) -> bool:
    """Say whether what stands behind a word, in lower case, is a secret or somebody's text."""
    return word in _FREE_TEXT or _SECRETS.fullmatch(word.strip(_EDGES)) is not None
