"""The subject of a command, the key of its setting, and its meaning in its mode."""

from functools import lru_cache
from typing import Final

from msgspec import Struct

from advisor.ios.edit import (
    ACCESS_LIST,
    CLASS_MAP,
    FAMILIES,
    INTERFACE,
    OFF_BY_DEFAULT,
    ON_BY_DEFAULT,
    POLICY_CLASS,
    POLICY_MAP,
    PVC,
    ROWS,
    SPELLINGS,
    STORED_EITHER_WAY,
    Key,
)
from advisor.ios.syntax.abbreviations import spelled_out
from advisor.ios.syntax.modes import GLOBAL, opens_mode
from advisor.ios.syntax.names import DSCPS, PRECEDENCES, interface_name

# The subject of a command: its words as IOS keeps them, and the key of its setting.


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_LOGICAL_TYPES: Final = frozenset(_words("""
    bvi bundle dialer group-async loopback mfr multilink null port-channel tunnel
    virtual-template virtual-tokenring vlan
"""))  # fmt: skip
_CODES: Final = (("dscp", DSCPS), ("precedence", PRECEDENCES))
_MARKED_MODES: Final = frozenset(
    (INTERFACE, PVC, POLICY_CLASS, CLASS_MAP, "random-detect-group", "vc-class", "route-map")
)
_VERBATIM: Final = frozenset(("description", "remark"))


@lru_cache(maxsize=1 << 12)
def is_physical(name: str) -> bool:
    """Say whether an interface exists without configuration, so that `no` cannot remove it."""
    full = interface_name(name)
    return "." not in full and full.rstrip("0123456789/:").lower() not in _LOGICAL_TYPES


def _interface_words(words: list[str]) -> list[str]:
    # The type word of a subinterface (`point-to-point`) is not part of its name.
    name = words[1] if len(words) < 3 or words[1][-1].isdigit() else words[1] + words[2]  # noqa: PLR2004
    return ["interface", interface_name(name)]


def _class_map_words(words: list[str]) -> list[str]:
    """Write `match-all`, the default, before the name."""
    kind = "match-any" if "match-any" in words[1:-1] else "match-all"
    typed = ["type", words[words.index("type", 1, -1) + 1]] if "type" in words[1:-1] else []
    return ["class-map", *typed, kind, words[-1]]


def _pvc_words(words: list[str]) -> list[str]:
    """Read `pvc [NAME] [VPI/]VCI`; the words after it (`ilmi`, `qsaal`) are not the name."""
    for word in words[1:3]:
        if word.replace("/", "", 1).isdigit():
            return ["pvc", word if "/" in word else f"0/{word}"]
    return words[:2]


def _marked(words: list[str]) -> list[str]:
    """Numbers for the names of DSCP and precedence values."""
    for field, codes in _CODES:
        if field in words[:3]:
            at = words.index(field) + 1
            return words[:at] + [str(codes.get(word.lower(), word)) for word in words[at:]]
    return words


def kept_words(mode: str, text: str) -> tuple[str, ...]:
    """Words of a command in its canonical form, without `no` or `default`."""
    words = text.split()
    if not words:
        return ()
    first = words[0]
    if first in _VERBATIM:
        return tuple(text.split(None, 1))
    words = _one_spelling(mode, words)
    if len(words) == 1:
        return (first,)
    if mode == GLOBAL:
        words = _global_words(words)
    elif mode in (INTERFACE, "pvc-bundle") and first == "pvc":
        words = _pvc_words(words)
    elif mode == INTERFACE and words[:2] == ["frame-relay", "interface-dlci"]:
        words = words[:3]
    elif mode == POLICY_MAP and "insert-before" in words[2:]:
        words = words[: words.index("insert-before", 2)]
    elif mode == ACCESS_LIST and first.isdigit():
        words = words[1:]
    elif mode in _MARKED_MODES:
        words = _marked(words)
    return tuple(words)


def _one_spelling(mode: str, words: list[str]) -> list[str]:
    """The command as it is known: a line of one spelling replaces a line of the other."""
    for old, known in SPELLINGS.get(mode, {}).items():
        if tuple(words[: len(old)]) == old:
            return [*known, *words[len(old) :]]
    return words


def _global_words(words: list[str]) -> list[str]:
    if words[0] == "interface" and len(words) > 1:
        return _interface_words(words)
    if words[0] == "class-map":
        return _class_map_words(words)
    if words[0] == "route-map":
        sequence = words[3] if len(words) > 3 else "10"  # noqa: PLR2004
        return ["route-map", words[1], words[2] if len(words) > 2 else "permit", sequence]  # noqa: PLR2004
    return words


def setting_key(mode: str, words: tuple[str, ...]) -> Key:
    """Key of the setting of a command; all its words if it may occur many times.

    Parameters
    ----------
    mode : str
        Configuration mode of the command, as `modes` names it.
    words : tuple of str
        The command as `kept_words` returns it.
    """
    if not words:
        return ()
    if mode == GLOBAL and words[0] == "class-map" and len(words) > 1:
        return tuple(word for word in words if word not in ("match-any", "match-all"))
    if mode == GLOBAL and words[0] == "route-map" and len(words) == 4:  # noqa: PLR2004
        return (words[0], words[1], words[3])
    return _row_key(mode, words) or words


def _row_key(mode: str, words: tuple[str, ...]) -> Key | None:
    for row, shared in ROWS.get(mode, {}).get(words[0], ()):
        key = _fit(row, words)
        if key is not None:
            return shared or key
    return None


def _fit(row: tuple[str, ...], words: tuple[str, ...]) -> Key | None:
    key: list[str] = []
    for place, token in enumerate(row):
        if token == "$":  # noqa: S105
            return tuple(key) if len(words) == place else None
        if place >= len(words):
            return None
        word = words[place]
        if token == "*":  # noqa: S105
            continue
        if token.startswith("="):
            if word not in token[1:].split("|"):
                return None
            continue
        if token != "?" and word not in token.split("|"):  # noqa: S105
            return None
        key.append(word)
    return tuple(key)


def family_of(mode: str, words: tuple[str, ...]) -> Key | None:
    """Name the group of settings that one `no` removes together; None for most."""
    for row, _ in FAMILIES.get(mode, {}).get(words[0], ()) if words else ():
        key = _fit(row, words)
        if key is not None:
            return key
    return None


def removes_family(mode: str, words: tuple[str, ...]) -> Key | None:
    """Name the group that `no` with these words removes.

    `no access-list 101 permit …` removes the whole list, not the entry: the classic behaviour of
    numbered lists (Cisco IOS Security Command Reference, access-list). `no` of a remark removes
    only the remark.
    """
    family = family_of(mode, words)
    if family is None or len(words) == len(family):
        return family
    if words[0] == "random-detect":  # `no random-detect dscp-based` switches WRED off
        return family if setting_key(mode, words) == family else None
    return family if words[0] == "access-list" and words[2] != "remark" else None


def is_on_by_default(mode: str, key: Key) -> bool:
    """Say whether the setting is on if the config does not mention it."""
    return key in ON_BY_DEFAULT.get(mode, ())


def is_off_by_default(mode: str, words: tuple[str, ...]) -> bool:
    """Say whether a printed `no` of the setting only repeats the default.

    This holds for the settings of `grammar`, unless they say otherwise. The default of a command
    without a row is unknown, and its `no` counts.
    """
    row = _row_key(mode, words)
    key = row or words
    return key in OFF_BY_DEFAULT.get(mode, ()) or (
        row is not None and not keeps_negative(mode, key)
    )


def keeps_negative(mode: str, key: Key) -> bool:
    """Say whether IOS stores `no` of the setting."""
    return is_on_by_default(mode, key) or key in STORED_EITHER_WAY.get(mode, ())


def use_of(mode: str, words: tuple[str, ...]) -> Key | None:
    """Key of the policy-map or class-map that a command names; None if it names none."""
    if words[0] == "service-policy" and len(words) > 1:
        typed = words[1:3] if words[1] == "type" else ()
        return ("policy-map", *typed, words[-1])
    if mode == POLICY_MAP and words[0] == "class" and "class-default" not in words[1:]:
        shared = words[2:3]  # a service-fragment takes what the fragments of its name send
        named = words[1:2] if shared == ("fragment",) else words[1:]
        return None if shared == ("service-fragment",) else ("class-map", *named)
    if mode == CLASS_MAP and words[0] == "match" and "class-map" in words[1:-1]:
        return ("class-map", words[-1])
    return None


def ordered_group(mode: str, words: tuple[str, ...]) -> Key | None:
    """Name the group in which the order of commands matters; None if IOS orders them itself."""
    if mode == ACCESS_LIST:
        return ("entry",)
    if (mode, words[0]) in ((CLASS_MAP, "match"), (POLICY_MAP, "class")):
        return (words[0],)
    if mode == GLOBAL and words[0] in ("access-list", "ip", "ipv6"):
        family = family_of(mode, words)
        return None if family is None or "seq" in words[3:4] else family
    return None


# The meaning of a command by its words and its mode, computed once for each pair.


class Meaning(Struct, frozen=True):
    """The meaning of a command.

    `words` are the words of its canonical form, without `no`. `family` names the settings that
    one `no` removes together, `group` the settings whose order has a meaning, `uses` the
    policy-map or class-map that it names, `opens` the mode that it opens. `is_default` is true if
    the device behaves so without the command.
    """

    negative: bool
    words: tuple[str, ...]
    key: Key
    family: Key | None
    group: Key | None
    uses: Key | None
    opens: str | None
    is_default: bool


def key_of(mode: str, text: str) -> Key:
    """Key of the setting of a command, where no more of its meaning is needed."""
    return setting_key(mode, _words_of(mode, text)[1])


def _words_of(mode: str, text: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a command is negative, and the words of its canonical form."""
    text = spelled_out(mode, text)
    first, _, argument = text.partition(" ")
    negative = first == "no" and bool(argument)
    return negative, kept_words(mode, argument if negative else text)


@lru_cache(maxsize=1 << 15)
def meaning_of(mode: str, text: str) -> Meaning:
    """Read a command that is typed or stored in a mode."""
    negative, words = _words_of(mode, text)
    key = setting_key(mode, words)
    if negative:
        is_default = is_off_by_default(mode, words)
    else:
        is_default = words == key and is_on_by_default(mode, key)
    return Meaning(
        negative=negative,
        words=words,
        key=key,
        family=family_of(mode, words),
        group=ordered_group(mode, words),
        uses=None if negative else use_of(mode, words),
        opens=None if negative else opens_mode(mode, " ".join(words)),
        is_default=is_default,
    )
