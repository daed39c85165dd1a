"""Rates from timeslots: controllers with channel-groups, CSU/DSU modules, G.703 ports."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.facts.interface_draft import InterfaceDraft
from advisor.facts.read_words import GrammarError, Words, whole_number
from advisor.facts.stated import Stated
from advisor.ios.patterns import pattern
from advisor.ios.syntax.tree import Line, Location
from advisor.units import bps_from_kbps, whole

_MAX_TIMESLOT: Final = 31
_T1_TIMESLOTS: Final = 24
_CLEAR_CHANNEL_KBPS: Final = 64
_CHANNEL = pattern(
    r"(?:t1 (\d{1,5}) )?channel-group (\d{1,5}) timeslots? ([\d,\- ]*[\d,\-])"
    r"(?: speed (48|56|64))?\s*",
    re.ASCII | re.IGNORECASE,
)


def timeslot_count(text: str) -> int:
    """Number of different timeslots of `1-4,7`.

    Raises
    ------
    GrammarError
        If the text is not a list of timeslots 0-31.

    Examples
    --------
    >>> timeslot_count("1-4,7")
    5
    """
    slots: set[int] = set()
    for part in text.replace(" ", "").split(","):
        low, _, high = part.partition("-")
        first = whole_number(low, 0, _MAX_TIMESLOT)
        slots.update(range(first, whole_number(high or low, first, _MAX_TIMESLOT) + 1))
    return len(slots)


class ChannelGroup(Struct, frozen=True):
    """The serial interface of a channel-group, and its timeslots.

    `slot_kbps` is None where neither line code nor `speed` says it.
    """

    interface: str
    timeslots: int
    slot_kbps: int | None
    at: Location


def read_controller(line: Line, file: str) -> Iterator[ChannelGroup]:
    """Yield each channel-group of a `controller` section.

    A T1 timeslot without `speed` is known to be 64 kbit/s only where the line code is B8ZS: the
    command reference gives 56 as the default of T1, VWICs run 64, and IOS prints neither. E1
    timeslots are 64 kbit/s by default (Cisco IOS command reference, `channel-group`).
    """
    words = line.text.split()
    if len(words) < 2:  # noqa: PLR2004 - controller, kind
        return
    kind, unit = words[1].lower(), "".join(words[2:])
    clear = kind == "e1" or any(child.text == "linecode b8zs" for child in line.commands())
    for child in line.commands():
        match = _CHANNEL.fullmatch(child.text)
        if match is None:
            continue
        inner, group, slots, speed = match.groups()
        try:
            count = timeslot_count(slots)
        except GrammarError:
            continue
        port = f"{unit}/{inner}" if inner else unit
        slot_kbps = whole(speed) if speed else _CLEAR_CHANNEL_KBPS if clear else None
        name, at = f"Serial{port}:{whole(group)}", Location(file, child.number)
        yield ChannelGroup(name, count, slot_kbps, at)


def read_service_module(draft: InterfaceDraft, words: Words) -> None:
    """`service-module t1 timeslots 1-12 speed 56`; the module's own default is 64 kbit/s."""
    if not words.accept("timeslots"):
        return
    if words.negated:
        draft.timeslots_bps = None
        return
    slots = words.take()
    count = _T1_TIMESLOTS if slots.lower() == "all" else timeslot_count(slots)
    kbps = words.whole(56, 64) if words.accept("speed") else _CLEAR_CHANNEL_KBPS
    words.end()
    draft.timeslots_bps = Stated(float(bps_from_kbps(count * kbps)), words.at)


def read_timeslot(draft: InterfaceDraft, words: Words) -> None:
    """`timeslot 1-15` of a G.703 serial port."""
    if words.negated:
        draft.timeslots_bps = None
        return
    kbps = timeslot_count(words.take()) * _CLEAR_CHANNEL_KBPS
    words.end()
    draft.timeslots_bps = Stated(float(bps_from_kbps(kbps)), words.at)
