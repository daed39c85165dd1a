"""Lines that join an interface to others: bundles, pools, channels, timeslots; and RSVP."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts import Stated
from advisor.facts.interface import (
    Attachment,
    Multilink,
    PlaceKind,
    PlacePolicy,
    RsvpBandwidth,
    Side,
)
from advisor.facts.interface_draft import InterfaceDraft
from advisor.facts.ranges import (
    FRAGMENT_DELAY_MS,
    MULTILINK_FRAGMENT_BYTES,
    RSVP_KBPS,
    RSVP_PERCENT,
)
from advisor.facts.read_circuits import MAX_POOL
from advisor.facts.read_words import GrammarError, Words, whole_number
from advisor.ground.units import bps_from_kbps, whole
from advisor.ios import pattern
from advisor.ios.syntax import Line, Location

# Rates from timeslots: controllers with channel-groups, CSU/DSU modules, G.703 ports.

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


# `ppp multilink` lines: the bundle, its fragments and interleaving.

_HYPHENED: Final = "fragment-delay"  # as IOS up to 12.2 prints it
MAX_GROUP: Final = 2**31
_MICROSECONDS_PER_MS: Final = 1000
_KNOWN_WORDS: Final = (
    "load-threshold endpoint mrru queue slippage idle-link links ncp max-fragments "
    "max-links min-links"
)
_KNOWN: Final = frozenset(_KNOWN_WORDS.split())


def read_multilink(draft: InterfaceDraft, words: Words) -> None:
    """Read the words after `ppp multilink`.

    Raises
    ------
    GrammarError
        If they are not in the grammar.
    """
    keyword = words.accept(
        "group",
        "interleave",
        "multiclass",
        "fragment",
        "fragmentation",
        "fragment-delay",
        *_KNOWN,
    )
    stated = None if words.negated else Stated(value=True, at=words.at)
    if keyword is None:
        words.accept("bap")
        words.end()
        draft.multilink = replace(draft.multilink, ppp_multilink=stated)
    elif keyword == "group":
        group = words.stated_whole(1, MAX_GROUP)
        draft.multilink = replace(draft.multilink, group=group)
    elif keyword == "interleave":
        words.end()
        draft.multilink = replace(draft.multilink, interleave=stated)
    elif keyword == "multiclass":
        words.rest()
        draft.multilink = replace(draft.multilink, multiclass=stated)
    elif keyword == "fragment-delay":
        draft.multilink = replace(
            draft.multilink, fragment_delay_ms=_delay_ms(words), old_delay_words=_HYPHENED
        )
    elif keyword in ("fragment", "fragmentation"):
        draft.multilink = _with_fragment(draft.multilink, words)
    else:
        words.rest()


def _with_fragment(multilink: Multilink, words: Words) -> Multilink:
    kind = words.accept("delay", "size", "disable", "maximum")
    if kind == "maximum":
        words.rest()
        return multilink
    if kind == "size":
        return replace(multilink, fragment_bytes=words.stated_within(MULTILINK_FRAGMENT_BYTES))
    if kind == "delay":
        return replace(multilink, fragment_delay_ms=_delay_ms(words), old_delay_words=None)
    if kind == "disable" or words.negated:
        words.end()
        disables = kind == "disable" and not words.negated
        stated = Stated(value=True, at=words.at) if disables else None
        return replace(
            multilink, fragment_delay_ms=None, fragment_bytes=None, fragment_disable=stated
        )
    raise GrammarError("fragment")


def _delay_ms(words: Words) -> Stated[float] | None:
    """`10`, or `10 500` with microseconds after the milliseconds."""
    if words.negated:
        return None
    delay_ms = words.within(FRAGMENT_DELAY_MS)
    microseconds = words.maybe_whole(0, _MICROSECONDS_PER_MS) or 0
    words.end()
    return Stated(delay_ms + microseconds / _MICROSECONDS_PER_MS, words.at)


# Lines of an interface that join it to others: pools, groups, channels, templates; and RSVP.


def ip_rsvp(draft: InterfaceDraft, words: Words) -> None:
    """`ip rsvp bandwidth [total [flow]]` or `percent`, and whether RSVP classifies the packets.

    Other lines of RSVP reserve nothing. Source: Cisco IOS QoS: RSVP Configuration Guide, RSVP
    scalability enhancements (`ip rsvp data-packet classification none`).
    """
    if words.accept("data-packet"):
        words.expect("classification")
        words.expect("none")
        words.end()
        draft.rsvp_only_admits = None if words.negated else Stated(value=True, at=words.at)
        return
    if not words.accept("bandwidth"):
        words.rest()
        return
    kind = words.accept("percent", "sub-pool", "mam", "rdm", "ignore")
    if kind in ("sub-pool", "mam", "rdm", "ignore"):
        words.rest()
        return
    percent = words.decimal(RSVP_PERCENT) if kind is not None else None
    total_kbps = words.maybe_within(RSVP_KBPS) if kind is None else None
    words.accept("percent")
    flow_kbps = words.maybe_within(RSVP_KBPS)
    if words.accept("sub-pool"):
        words.rest()
    words.end()
    draft.rsvp = None
    if not words.negated:
        draft.rsvp = RsvpBandwidth(_bps(total_kbps), percent, _bps(flow_kbps), words.at)


def _bps(kbps: int | None) -> float | None:
    return None if kbps is None else bps_from_kbps(kbps)


def nhrp(draft: InterfaceDraft, words: Words) -> None:
    """`[ip] nhrp map group G service-policy output P` of a hub, `[ip] nhrp group G` of a spoke.

    And `ip nhrp nhs 10.0.0.1 …`: a hub of the spoke, by its address in the tunnel.
    """
    words.accept("ip")
    words.expect("nhrp")
    if words.accept("nhs") is not None:
        server = words.take()
        words.rest()
        draft.nhrp_servers = tuple(own for own in draft.nhrp_servers if own != server)
        draft.nhrp_servers += () if words.negated else (server,)
        return
    is_hub = words.accept("map") is not None
    words.expect("group")
    group = words.take()
    if not is_hub:
        words.end()
        draft.nhrp_group = None if words.negated else Stated(group, words.at)
        return
    key = f"{PlaceKind.NHRP_GROUP} {group}", Side.OUTPUT
    if words.negated and words.peek() is None:
        draft.place_policies.pop(key, None)
        return
    words.expect("service-policy")
    words.expect("output")
    name = words.take()
    words.end()
    draft.place_policies.pop(key, None)
    if not words.negated:
        policy = Attachment(name, Side.OUTPUT, words.at)
        draft.place_policies[key] = PlacePolicy(PlaceKind.NHRP_GROUP, group, policy)


def dialer(draft: InterfaceDraft, words: Words) -> None:
    """`dialer pool 1` of a Dialer; `dialer pool-member 1` of the interface that it uses."""
    kind = words.accept("pool", "pool-member")
    if kind == "pool":
        draft.dialer_pool = words.stated_whole(0, MAX_POOL)
    elif kind == "pool-member":
        _join_pool(draft, words)
    else:
        words.rest()


def pppoe_client(draft: InterfaceDraft, words: Words) -> None:
    """`pppoe-client dial-pool-number 1` of the Ethernet interface that a Dialer uses."""
    if words.accept("dial-pool-number"):
        _join_pool(draft, words)
    else:
        words.rest()


def _join_pool(draft: InterfaceDraft, words: Words) -> None:
    pool = words.whole(0, MAX_POOL)
    words.rest()  # priority, link limits
    if words.negated:
        draft.pool_memberships.pop(pool, None)
    else:
        draft.pool_memberships[pool] = Stated(pool, words.at)


def channel_group(draft: InterfaceDraft, words: Words) -> None:
    """`channel-group 1 mode active` of a member of Port-channel1."""
    number = Stated(words.whole(1, MAX_GROUP), words.at)
    words.rest()
    draft.channel_group = None if words.negated else number
