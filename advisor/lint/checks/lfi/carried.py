"""Lines that move from a serial to its new Multilink, and lines elsewhere that name the serial."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from msgspec import Struct

from advisor.capture.masking import REMOVED, is_masked
from advisor.device.device import Device
from advisor.facts.attachments import interface_sections
from advisor.facts.config import Facts
from advisor.facts.interface import Interface
from advisor.ground.quantity import Unknown
from advisor.ground.questions import derived
from advisor.ios.syntax import ConfigTree, Line, LineKind
from advisor.ios.syntax.names import interface_name
from advisor.lint.checks.base import begins_as, words_of
from advisor.lint.checks.ref.needed import command_texts

Path = tuple[Line, ...]  # a command behind the heads of its sections


def _paths(tree: ConfigTree) -> Iterator[Path]:
    """All commands in document order."""
    for top in tree.lines:
        stack: list[Path] = [(top,)]
        if not top.children:  # most lines
            yield from stack if top.is_command else ()
            continue
        while stack:
            path = stack.pop()
            if path[-1].is_command:
                yield path
            if path[-1].children:
                stack.extend((*path, child) for child in reversed(path[-1].children))


class Command(Struct, frozen=True):
    """A command by its first word, which the template writes out."""

    word: str
    rest: str


class Passage(Struct, frozen=True):
    """Commands of a section, or of global configuration, that name the bundle now."""

    kind: str  # "interface", "router"; "" of global configuration
    name: str
    commands: tuple[Command, ...]


class Carried(Struct, frozen=True):
    """Commands that the Multilink takes over; commands of the serial that go; lines elsewhere."""

    taken_over: tuple[Command, ...] = ()
    removed: tuple[Command, ...] = ()
    elsewhere: tuple[Passage, ...] = ()


def _command(text: str) -> Command:
    word, _, rest = text.partition(" ")
    return Command(word, rest)


def carried_over(device: Device, interface: Interface, bundle: str) -> Carried | Unknown:
    """Find lines that go to the bundle beside address and policies, or must be moved by hand."""
    facts = device.facts
    section = [
        line
        for line in _sections(device).get(interface.name, ())
        if not _stays(line.text.removeprefix("no "))
    ]
    strange = [line for line in section if not _moves(device, line.text)]
    if strange:
        return Unknown(f"move by hand first: {_places(facts, strange)} of {interface.name}")
    users = _users(device, interface)
    swaps = [_swapped(path, interface, bundle) for path in users]
    by_hand = [path[-1] for path, swap in zip(users, swaps, strict=True) if swap is None]
    if by_hand:
        return Unknown(_why_by_hand(facts, by_hand, interface))
    hidden = _hidden_user(device)
    if hidden is not None:
        return Unknown(f"redaction masked `{hidden.text}`, which may name {interface.name}")
    # `ip vrf forwarding` takes the addresses of the interface away: first in, last out.
    texts = sorted((line.text for line in section), key=lambda text: "vrf forwarding" not in text)
    return Carried(
        tuple(map(_command, texts)),
        tuple(Command("no", text) for text in reversed(texts) if not text.startswith("no ")),
        tuple(filter(None, swaps)),
    )


# The section of the serial.

_OWN_FIELDS: Final = ("service-policy", "max-reserved-bandwidth", "ip mtu")  # of `SerialLfi`
_CRYPTO_MAP: Final = "crypto map "
_KEY: Final = re.compile(r"-key\b|\bmd5\b")


def _stays(words: str) -> bool:
    """Whether a command stays with the line, or moves as a field of its own."""
    if words.startswith("ip address "):
        return not words.endswith(" secondary")
    return words.split(maxsplit=1)[0] in words_of("serial-keeps") or words.startswith(_OWN_FIELDS)


def _moves(device: Device, text: str) -> bool:
    """Whether the Multilink can take a command over; no key is printed."""
    if is_masked(text) or _KEY.search(text):
        return False
    if text.startswith(_CRYPTO_MAP):
        return not device.platform.is_xe
    return begins_as("bundle-takes-over", text.removeprefix("no "))


@derived
def _sections(device: Device) -> Mapping[str, tuple[Line, ...]]:
    """The commands of each interface, by its name."""
    sections: dict[str, tuple[Line, ...]] = {}
    for name, head in interface_sections(device.facts):
        sections[name] = (*sections.get(name, ()), *head.commands())
    return sections


# Lines elsewhere that name the serial.

_AGAIN_BEHIND: Final = ((_CRYPTO_MAP, "local-address"), ("neighbor ", "update-source"))
_INSTEAD: Final = ("ip route ", "ipv6 route ", "passive-interface ")  # the old line goes
_TRACKS: Final = re.compile(r"standby \d+ track ")
_BESIDE: Final = "no passive-interface "  # the old line says nothing of a port without an address
_NAT_RULE: Final = "ip nat "
# "Dynamic mapping in use, do you want to delete all entries? [no]": Cisco document 13779.
_NAT_BY_HAND: Final = (
    "; a NAT rule in use is not replaced by a paste, as IOS asks before it deletes translations: "
    "in a window make the bundle, take `ip nat outside` off the serial, `clear ip nat translation "
    "*`, enter the rule with the Multilink, then move the address"
)


def _swapped(path: Path, interface: Interface, bundle: str) -> Passage | None:
    """The lines that name the bundle in place of the serial; None where a person has to decide."""
    *heads, line = path
    text, renamed = line.text, _renamed(line.text, interface, bundle)
    kind, _, name = heads[-1].text.partition(" ") if heads else ("", "", "")
    is_odd = len(heads) > 1 or kind not in ("", "interface", "router")
    if renamed is None or is_odd or line.children or is_masked(text):
        return None
    words = text.split()
    if begins_as("entered-again", text) or any(
        text.startswith(first) and word in words for first, word in _AGAIN_BEHIND
    ):
        lines: tuple[str, ...] = (renamed,)
    elif text.startswith(_INSTEAD) or _TRACKS.match(text):
        lines = (f"no {text}", renamed)
    elif text.startswith(_BESIDE):
        lines = (renamed,)
    else:
        return None
    return Passage(kind, name, tuple(map(_command, lines)))


def _renamed(text: str, interface: Interface, bundle: str) -> str | None:
    """The command with the bundle for the serial; None where it names a subinterface."""
    kind, unit = interface.type.lower(), interface.name.removeprefix(interface.type)
    for port in _PORT.finditer(text):
        if port[2] == unit and kind.startswith(port[1].lower()):
            rest = text[port.end() :]
            return None if rest.startswith(".") else f"{text[: port.start()]}{bundle}{rest}"
    return None


def _why_by_hand(facts: Facts, lines: Sequence[Line], interface: Interface) -> str:
    verb = "name" if len(lines) > 1 else "names"
    reason = f"{_places(facts, lines)} {verb} {interface.name}: it must be the Multilink"
    return reason + (_NAT_BY_HAND if any(line.text.startswith(_NAT_RULE) for line in lines) else "")


def _places(facts: Facts, lines: Sequence[Line]) -> str:
    """All lines, with the file of the first: "r1.ios:14, 15"."""
    first, *others = map(facts.tree.at, lines)
    return ", ".join((str(first), *(str(at.line) for at in others)))


def _users(device: Device, interface: Interface) -> tuple[Path, ...]:
    """The lines outside its section that name the interface, or a subinterface of it."""
    kind, unit = interface.type.lower(), interface.name.removeprefix(interface.type)
    own = set(map(id, _sections(device).get(interface.name, ())))
    users = {
        id(path[-1]): path
        for word, path in _paths_by_unit(device).get(unit, ())
        if kind.startswith(word) and id(path[-1]) not in own and not _opens(path[-1], interface)
    }
    return tuple(users.values())


def _opens(line: Line, interface: Interface) -> bool:
    name = line.text.removeprefix("interface ")
    return name != line.text and interface_name(name) == interface.name


# "Serial0/0", "s0/0" of an applet; "Serial0/0.1" names its main interface, "Serial0/0:1" does not.
_UNIT: Final = r"\s?(\d++(?:/\d++)*+(?::\d++)?+)(?![/:])"
_PORT: Final = re.compile(rf"\b([A-Za-z]++){_UNIT}")


@derived
def _paths_by_unit(device: Device) -> Mapping[str, tuple[tuple[str, Path], ...]]:
    """The commands that may name a port, each with the word before its number, by the number."""
    found: dict[str, list[tuple[str, Path]]] = {}
    types = {interface.type[:1].lower() for interface in device.facts.interfaces}
    named = re.compile(rf"\b([{''.join(sorted(types))}][a-z]*+){_UNIT}", re.IGNORECASE)
    for path in _paths(device.facts.tree):
        for port in named.finditer(path[-1].text):
            found.setdefault(port[2], []).append((port[1].lower(), path))
    return {unit: tuple(paths) for unit, paths in found.items()}


# Redaction may take every name out of these commands.
_MAY_NAME: Final = tuple(f"{head} {REMOVED}" for head in ("ip", "ipv6", "connect", "frame-relay"))
_SHOWS: Final = "alias exec "  # such a command changes no configuration


@derived
def _hidden_user(device: Device) -> Line | None:
    """A line whose interface redaction may have masked: of stored commands, or of no known one."""
    if not device.facts.tree.may_hold(REMOVED[0]):
        return None  # each mask begins so
    stored = (
        line
        for line in command_texts(device)
        if is_masked(line.text) and not line.text.startswith(_SHOWS)
    )
    others = (
        line
        for line in device.facts.tree.walk()
        if line.kind is LineKind.COMMAND
        and (is_masked(line.words[0]) or line.text.startswith(_MAY_NAME))
    )
    return next(chain(stored, others), None)
