"""Whether a definition that is not in the text can be called missing, and a hit that says so."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Final, TypeVar

from msgspec import Struct

from advisor.device.device import Device, is_surely_missing, why_may_be_defined, why_not_known
from advisor.facts.policy import PolicyClass
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.findings import Confidence

E = TypeVar("E")

# The commands that define one.
CLASS_MAP: Final = ("class-map ",)
ACCESS_LISTS: Final = ("access-list ", "ip access-list ", "ipv6 access-list ", "mac access-list ")
_MOST_NEAR: Final = 10
_MOST_COMPARED: Final = 200  # names of one kind; of more, those of the same length and first letter
_ADVICE = "If this text is only a part of a configuration, check the whole configuration"


def without_packets(device: Device, classes: Iterable[PolicyClass]) -> tuple[str, ...]:
    """Names of the classes that no class-map defines: no packet is ever in them."""
    defined = device.derived(_class_maps)
    if not is_surely_missing(device, defined):
        return ()
    names = (policy_class.name for policy_class in classes if not policy_class.is_default)
    return tuple(
        name
        for name in names
        if name not in defined and why_may_be_defined(device, name, CLASS_MAP) is None
    )


def _class_maps(device: Device) -> frozenset[str]:
    return frozenset(class_map.name for class_map in device.facts.class_maps)


def near_names(name: str, defined: Iterable[str]) -> tuple[str, ...]:
    """Defined names that one may have been meant to be, the nearest first; case aside.

    >>> near_names("wan", ["LAN-OUT", "WAN", "WAN-2"])
    ('WAN', 'WAN-2')
    """
    by_lower_case: dict[str, list[str]] = {}
    for each in defined:
        by_lower_case.setdefault(each.lower(), []).append(each)
    lower_names = list(by_lower_case)
    if len(lower_names) > _MOST_COMPARED:
        shape = (name[:1].lower(), len(name))
        lower_names = [each for each in lower_names if (each[:1], len(each)) == shape]
    close = get_close_matches(name.lower(), lower_names[:_MOST_COMPARED], n=_MOST_NEAR)
    return tuple(each for lower in close for each in by_lower_case[lower] if each != name)


def said_name(name: str) -> str:
    """A name for a message: of one with blanks, which may hold anything, the first word.

    >>> said_name("WAN-2"), said_name("WAN-2 xyzzy")
    ('WAN-2', 'WAN-2 …')
    """
    first, _, rest = name.partition(" ")
    return f"{first} …" if rest else first


def hint(name: str, defined: Iterable[str]) -> str:
    """Words behind a name that is not defined: " (did you mean WAN?)", or nothing."""
    near = near_names(name, defined)
    return f" (did you mean {said_name(near[0])}?)" if near else ""


class Name(Struct, frozen=True):
    """A name that no line of the text defines: its kind's names, and the commands that define one.

    `label` and `at` are of the statement that uses it.
    """

    name: str
    heads: tuple[str, ...]
    defined: Collection[str]
    label: str
    at: Location


def missing(device: Device, name: Name, evidence: E) -> Hit[E] | Skip:
    """Hit for a name that nothing defines; a skip where the text may have lost it.

    A draft that names no device and defines nothing of the kind may be a part of a config: then
    the hit is `possible` and removes nothing.
    """
    unknown = (
        why_may_be_defined(device, name.name, name.heads)
        or why_not_known(device)
        or _why_unread(device, name)
    )
    if unknown is not None:
        return Skip(name.label, unknown)
    at = (name.at,)
    if not is_surely_missing(device, name.defined):
        return Hit(name.label, at, evidence, Confidence.POSSIBLE, curable=False, advice=_ADVICE)
    return Hit(name.label, at, evidence, Confidence.CERTAIN)


def _why_unread(device: Device, name: Name) -> str | None:
    """The line that is not understood and may define a name: it begins as one that does."""
    last = name.name.split()[-1]
    for line in device.facts.unread:
        begins = [head for head in name.heads if line.text.startswith(head)]
        if begins and (last in line.text.split() or name.name.startswith(begins[0])):
            return f"{line.at} is not understood: it may be the definition"
    return None
