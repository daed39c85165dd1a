"""Whether a missing definition can be called missing, and lines that a device printed refused."""

from collections.abc import Collection, Iterable
from typing import Final, TypeVar

from msgspec import Struct

from advisor.device.device import CLASS_MAP, Device, is_surely_missing, why_cut, why_not_shown
from advisor.facts.name_uses import near_names
from advisor.facts.policy import PolicyClass, PolicyMap
from advisor.ground.questions import derived
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.findings import Confidence

# Whether a definition that is not in the text can be called missing, and a hit that says so.

E = TypeVar("E")

# The commands that define one.
ACCESS_LISTS: Final = ("access-list ", "ip access-list ", "ipv6 access-list ", "mac access-list ")
_ADVICE = "If this text is only a part of a configuration, check the whole configuration"


def without_packets(
    device: Device, policy: PolicyMap, classes: Iterable[PolicyClass]
) -> tuple[str, ...]:
    """Classes of a policy in which no packet is ever.

    No class-map defines them, theirs has no `match`, or classes ahead of them take all packets.
    """
    from advisor.facts.taken_classes import takers_of_classes  # noqa: PLC0415 -- of policies alone

    defined = _class_maps(device)
    empty = empty_class_maps(device)
    is_whole, taken = is_surely_missing(device, defined), takers_of_classes(device.facts)
    names = (policy_class.name for policy_class in classes if not policy_class.is_default)
    return tuple(
        name
        for name in names
        if (policy.name, name) in taken
        or name in empty
        or (
            is_whole
            and name not in defined
            and why_not_shown(device, name, (CLASS_MAP,), defined) is None
        )
    )


@derived
def empty_class_maps(device: Device) -> frozenset[str]:
    """Class-maps without a `match`: a line that is not understood, or a lost part, may be one."""
    doubtful = {unread.under for unread in device.facts.unread}
    if why_cut(device) is not None:
        return frozenset()
    return frozenset(
        class_map.name
        for class_map in device.facts.class_maps
        if not class_map.matches and f"class-map {class_map.name}" not in doubtful
    )


@derived
def _class_maps(device: Device) -> frozenset[str]:
    return frozenset(class_map.name for class_map in device.facts.class_maps)


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


_LEAST_LETTERS: Final = 5  # of a shorter name one letter says too little


def misspelt(name: str, defined: Iterable[str]) -> str | None:
    """The one defined name that differs by a slip of the keyboard; None where none or several do.

    A slip is another case, another `-` or `_`, two letters in each other's place, or a letter
    that is missing or doubled inside the name: a number or an ending tells names apart.

    >>> misspelt("WAN-EGDE", ["WAN-EDGE", "LAN"]), misspelt("WAN-1", ["WAN-2"])
    ('WAN-EDGE', None)
    >>> misspelt("SQL-TRAFIC", ["SQL-TRAFFIC"]), misspelt("WAN-OUT", ["WAN-OUT2"])
    ('SQL-TRAFFIC', None)
    """
    meant = [other for other in defined if other != name and _is_slip(name, other)]
    return meant[0] if len(meant) == 1 else None


def _is_slip(name: str, other: str) -> bool:
    one, two = (text.casefold().replace("_", "-") for text in (name, other))
    if one == two:
        return True
    longer, shorter = sorted((one, two), key=len, reverse=True)
    pairs = enumerate(zip(longer, shorter, strict=False))
    at = next((place for place, pair in pairs if len(set(pair)) > 1), 0)
    if len(shorter) < _LEAST_LETTERS or not at or not longer[at].isalpha():
        return False
    if len(longer) > len(shorter):
        return longer[at + 1 :] == shorter[at:]
    swapped = longer[at : at + 2]
    rest = longer[at + 2 :]
    return swapped.isalpha() and shorter[at:] == f"{swapped[::-1]}{rest}"


class Name(Struct, frozen=True):
    """A name that no line of the text defines: its kind's names, and the commands that define one.

    `label` and `at` are of the statement that uses it.
    """

    name: str
    heads: tuple[str, ...]
    defined: Collection[str]
    label: str
    at: Location


def missing(
    device: Device,
    name: Name,
    evidence: E,
    by_hand: str | None = None,
    meant: str | None = None,
) -> Hit[E] | Skip:
    """Hit for a name that nothing defines; a skip where the text may have lost it.

    A draft that names no device and defines nothing of the kind may be a part of a config: then
    the hit is `possible` and removes nothing. `by_hand` says what to do where no lines do, `meant`
    is the line with the name that was meant.
    """
    unknown = why_not_shown(device, name.name, name.heads, name.defined) or _why_unread(
        device, name
    )
    if unknown is not None:
        return Skip(name.label, unknown)
    at = (name.at,)
    if not is_surely_missing(device, name.defined):
        return Hit(name.label, at, evidence, Confidence.POSSIBLE, curable=False, advice=_ADVICE)
    return Hit(
        name.label,
        at,
        evidence,
        Confidence.CERTAIN,
        curable=by_hand is None,
        advice=by_hand,
        meant=meant,
    )


def _why_unread(device: Device, name: Name) -> str | None:
    """The line that is not understood and may define a name: it begins as one that does."""
    last = name.name.split()[-1]
    for line in device.facts.unread:
        begins = [head for head in name.heads if line.text.startswith(head)]
        if begins and (last in line.text.split() or name.name.startswith(begins[0])):
            return f"{line.at} is not understood: it may be the definition"
    return None


# Proof in a capture against a rule that says that IOS refuses a line.


def unless_printed(device: Device, confidence: Confidence) -> Confidence:
    """The confidence that IOS refuses a line; only `possible` where the device printed it."""
    return Confidence.POSSIBLE if device.facts.tree.is_capture else confidence


def if_not_in_force(device: Device) -> str:
    """Words, ahead of the advice, to look at the device that printed a line; empty of a draft."""
    if not device.facts.tree.is_capture:
        return ""
    look = "`show policy-map interface` whether the policy is in force"
    return f"see with {look}, and with `show version` which release it runs; if not, "


def printed_doubt(device: Device) -> str:
    """Words that a device printed the line and its generation may be another; empty of a draft."""
    if not device.facts.tree.is_capture:
        return ""
    return (
        f", yet the device printed this line: the generation taken for it"
        f" ({device.platform.generation}, {device.platform.because}) may be wrong"
    )
