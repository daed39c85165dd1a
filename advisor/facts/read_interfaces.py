"""`interface` sections: the lines that are read, and those that coverage counts as QoS."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from string import ascii_letters
from types import MappingProxyType
from typing import Final

from advisor.facts import read_joined_lines as joined
from advisor.facts.interface import PlaceKind, PlacePolicy, Side
from advisor.facts.interface_draft import InterfaceDraft
from advisor.facts.read_circuits import Policies, read_attachment, read_pvc_head, read_vc_lines
from advisor.facts.read_frame_relay import read_dlci, read_dlci_line
from advisor.facts.read_words import (
    GrammarError,
    Ledger,
    RangeError,
    Words,
    read_typed,
    readers_of,
    unknown,
)
from advisor.ios.syntax import Line
from advisor.ios.syntax.names import interface_name, interface_type, parent_of

_DEFAULT: Final = "default "
_OF_TYPES: Final = f"{ascii_letters}-"
_LETTER_FOR_NUMBER: Final = re.compile(r"\d/[A-Za-z](?=[/.:]|$)")  # Serial0/O/0

Reader = Callable[[InterfaceDraft, Words], None]


def read_interface(line: Line, drafts: dict[str, InterfaceDraft], ledger: Ledger) -> None:
    """Read one `interface` section into `drafts`; a second section of the name adds to it.

    `default interface NAME` is a section without lines: the port has its defaults.
    """
    head = line.text.removeprefix(_DEFAULT)
    first = head.split(None, 2)[1:2]
    if not first:
        return
    if first[0].lower() == "range":
        _refuse_range(line, ledger)
        return
    name, link_mode = _head(head)
    at = ledger.at(line)
    unit = name.lstrip(_OF_TYPES)
    has_letter = unit.upper() != unit.lower()
    if has_letter and _LETTER_FOR_NUMBER.search(name) is not None:
        ledger.read(line, "the configuration", unknown)
    if name not in drafts:
        drafts[name] = InterfaceDraft(name, at, _type_of(name), parent_of(name))
    draft = drafts[name]
    draft.at = at
    draft.link_mode = link_mode or draft.link_mode
    under = f"interface {name}"
    for child in line.children:
        if child.is_command:
            _read_line(draft, child, under, ledger)


def interface_of_head(text: str) -> str:
    """Full name of the interface that a command enters; `text` has a name, and is no range."""
    return _head(text)[0]


@lru_cache(maxsize=1 << 14)
def _head(text: str) -> tuple[str, str | None]:
    """Name of an interface, and its link mode where the line states one."""
    words = text.split()[1:]
    # The unit may be its own word: "interface serial 0/0.1 point-to-point".
    split = 1 if any(letter.isdecimal() for letter in words[0]) else 2
    behind = words[split:]
    link_mode = behind[0] if behind in (["point-to-point"], ["multipoint"]) else None
    return interface_name(" ".join(words[:split])), link_mode


@lru_cache(maxsize=1 << 14)
def _type_of(name: str) -> str:
    if name.startswith("Dot11"):
        return "Dot11Radio"
    unit = next((place for place, letter in enumerate(name) if letter.isdecimal()), len(name))
    return interface_type(name[:unit], name[unit:])


def _refuse_range(line: Line, ledger: Ledger) -> None:
    """No router prints `interface range`: its QoS lines are reported, not read."""
    if line.text.startswith(_DEFAULT):
        ledger.read(line, "the configuration", unknown)
    for child in line.commands():
        key = _key(child.text)
        if key in _QOS or key in _SECTIONS:
            ledger.read(child, line.text, unknown)


@lru_cache(maxsize=1 << 14)  # a proof reads each line again
def _key(text: str) -> str:
    """One or two words that select the reader of the line."""
    words = text.lower().split(None, 3)
    if words[0] in ("no", "default") and len(words) > 1:
        del words[0]
    if words[0] in _PREFIXES and len(words) > 1:
        two = f"{words[0]} {words[1]}"
        return two if two in _KEYS else words[0]
    return words[0]


def _read_line(draft: InterfaceDraft, line: Line, under: str, ledger: Ledger) -> None:
    key = _key(line.text)
    if key in _QOS:
        ledger.read(line, under, partial(_read_words, draft, _QOS[key], key))
    elif key in _OTHER:
        try:
            _read_words(draft, _OTHER[key], key, Words(line, ledger.at(line)))
        except RangeError as error:
            ledger.refused(line, under, error)
        except GrammarError:
            return  # IOS would refuse the line: the setting does not change
    elif key in _SECTIONS:
        _SECTIONS[key](draft, line, under, ledger)


def _read_words(draft: InterfaceDraft, read: Reader, key: str, words: Words) -> None:
    words.position += 1 + key.count(" ")
    read(draft, words)


def _pvc(draft: InterfaceDraft, line: Line, under: str, ledger: Ledger) -> None:
    def head(words: Words) -> None:
        words.take()
        pvc = read_pvc_head(draft.pvcs, words)
        if pvc is not None:
            read_vc_lines(pvc.own, line, f"{under} > {line.text}", ledger)

    ledger.read(line, under, head)


def _dlci(draft: InterfaceDraft, line: Line, under: str, ledger: Ledger) -> None:
    def head(words: Words) -> None:
        words.expect("frame-relay")
        words.expect("interface-dlci")
        circuit = read_dlci(draft.circuits, words)
        if circuit is not None:
            for child in line.commands():
                ledger.read(child, f"{under} > {line.text}", partial(read_dlci_line, circuit))

    ledger.read(line, under, head)


def _service_instance(draft: InterfaceDraft, line: Line, under: str, ledger: Ledger) -> None:
    """`service instance 100 ethernet` with its policies; no other line of it is read."""
    words = line.words
    number = words[3 if words[0] == "no" else 2 :][:1]
    label = " ".join((PlaceKind.SERVICE_INSTANCE, *number))
    own: Policies = {}
    for side in Side:
        known_place = draft.place_policies.pop((label, side), None)
        if known_place is not None and words[0] != "no":
            own[side] = known_place.policy
    for child in line.commands():
        if child.text.startswith(("service-policy input", "service-policy output")):
            ledger.read(child, f"{under} > {line.text}", partial(_attached, own))
    for side, policy in own.items():
        place = PlacePolicy(PlaceKind.SERVICE_INSTANCE, "".join(number), policy, line.text)
        draft.place_policies[label, side] = place


def _attached(policies: Policies, words: Words) -> None:
    words.take()
    read_attachment(policies, words)


def _nhrp(draft: InterfaceDraft, line: Line, under: str, ledger: Ledger) -> None:
    """Lines of NHRP on groups and on hubs; those of addresses and timers are not read."""
    is_group = "group" in line.words[1:5] and "path" not in line.words
    if is_group or "nhs" in line.words[1:4]:
        ledger.read(line, under, partial(joined.nhrp, draft))


def _typed(_: InterfaceDraft, line: Line, under: str, ledger: Ledger) -> None:
    read_typed(line, under, ledger)


_SECTIONS: Final[Mapping[str, Callable[[InterfaceDraft, Line, str, Ledger], None]]] = (
    MappingProxyType(
        {
            "pvc": _pvc,
            "frame-relay interface-dlci": _dlci,
            "service-policy type": _typed,
            "ip nhrp": _nhrp,
            "nhrp map": _nhrp,
            "nhrp group": _nhrp,
            "nhrp nhs": _nhrp,
            "service instance": _service_instance,
        }
    )
)
_QOS: Final = readers_of("interface-qos")
_OTHER: Final = readers_of("interface-link")
_KEYS: Final = frozenset((*_QOS, *_OTHER, *_SECTIONS))
_PREFIXES: Final = frozenset(key.partition(" ")[0] for key in _KEYS if " " in key)
