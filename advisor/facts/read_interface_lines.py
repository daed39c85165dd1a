"""Single lines of an interface: each reader sets its field, or raises GrammarError."""

import re
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from advisor.facts import Stated
from advisor.facts.interface_draft import InterfaceDraft
from advisor.facts.ranges import (
    CLOCK_BPS,
    DYNAMIC_QUEUES,
    FRAGMENT_BYTES,
    HOLD_QUEUE_PACKETS,
    INTERFACE_KBPS,
    TX_RING,
)
from advisor.facts.read_actions import WredDraft, check_action, read_random_detect
from advisor.facts.read_circuits import read_attachment
from advisor.facts.read_frame_relay import read_dlci
from advisor.facts.read_joined_lines import MAX_GROUP
from advisor.facts.read_words import GrammarError, Words, whole_number
from advisor.ground.units import bps_from_kbps, whole

_SPEEDS_MBPS: Final = {"10", "100", "1000", "2500", "5000", "10000", "25000", "40000", "100000"}
_LISTS: Final = ("priority-group", "custom-queue-list")  # each takes the number of a list
_MOST_LISTS: Final = 16
_CAR_ACTIONS: Final = ("conform-action", "exceed-action")
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}", re.ASCII)


def _kbps(words: Words) -> Stated[float] | None:
    kbps = words.stated_within(INTERFACE_KBPS)
    return None if kbps is None else Stated(float(bps_from_kbps(kbps.value)), words.at)


def bandwidth(draft: InterfaceDraft, words: Words) -> None:
    """`bandwidth 512`; the receive side and inheritance by subinterfaces are not read."""
    if words.accept("receive", "inherit", "qos-reference"):
        words.rest()
    elif words.negated:
        draft.bandwidth_bps = None
    else:
        draft.bandwidth_bps = _kbps(words)


def dsu_bandwidth(draft: InterfaceDraft, words: Words) -> None:
    draft.timeslots_bps = _kbps(words)


def clock_rate(draft: InterfaceDraft, words: Words) -> None:
    words.accept("network-clock", "line")
    rate = words.stated_within(CLOCK_BPS)
    draft.clock_rate_bps = None if rate is None else Stated(float(rate.value), words.at)


def speed(draft: InterfaceDraft, words: Words) -> None:
    """`speed 100`; `auto` and `nonegotiate` state no rate."""
    word = words.take() if not words.negated else ""
    mbps = whole(word) if word in _SPEEDS_MBPS else None
    draft.speed_bps = None
    if mbps is not None:
        draft.speed_bps = Stated(float(bps_from_kbps(bps_from_kbps(mbps))), words.at)


def access_group(draft: InterfaceDraft, words: Words) -> None:
    """`ip access-group EDGE in`; outbound lists are not read."""
    name = words.take()
    if words.expect("in", "out") == "in":
        draft.access_group_in = None if words.negated else Stated(name, words.at)


def description(draft: InterfaceDraft, words: Words) -> None:
    text = words.line.text.partition("description")[2].strip()
    draft.description = None if words.negated else Stated(text, words.at)


def shutdown(draft: InterfaceDraft, words: Words) -> None:
    draft.shutdown = not words.negated


def encapsulation(draft: InterfaceDraft, words: Words) -> None:
    text = " ".join(words.rest())
    draft.encapsulation = None if words.negated or not text else Stated(text, words.at)


def other_protocol(draft: InterfaceDraft, words: Words) -> None:
    """First word of `ipv6 address …`, `mpls ip`, `ip router isis`: packets beside IPv4."""
    is_ipv4 = words.line.text.startswith("ip ") and "isis" not in words.rest()
    if not (words.negated or is_ipv4):
        draft.other_protocol = Stated(words.line.words[0], words.at)


def ip_address(draft: InterfaceDraft, words: Words) -> None:
    """`ip address A M`; a secondary one, `dhcp` and `negotiated` name no address of the link."""
    words_left = words.rest()
    if words.negated:
        if "secondary" not in words_left:
            draft.ip_address = None
    elif len(words_left) == 2 and all(map(_DOTTED.fullmatch, words_left)):  # noqa: PLR2004 - address, mask
        draft.ip_address = Stated(" ".join(words_left), words.at)
    elif "secondary" not in words_left:
        draft.ip_address = None


def tx_ring(draft: InterfaceDraft, words: Words) -> None:
    """`tx-ring-limit 10`; 0 is how `show running-config all` prints the default."""
    ring = words.stated_whole(0, TX_RING.high)
    draft.tx_ring_limit = ring if ring is not None and ring.value else None


def hold_queue(draft: InterfaceDraft, words: Words) -> None:
    length = words.maybe_within(HOLD_QUEUE_PACKETS)
    side = words.accept("in", "out")
    words.end()
    if length is None and not words.negated:
        raise GrammarError("hold-queue without a length")
    if side != "in":
        if length == 0 and not words.negated:
            raise GrammarError("no source says what an output queue of 0 packets does")
        stated = None if words.negated or length is None else Stated(length, words.at)
        draft.hold_queue_out_packets = stated


def fair_queue(draft: InterfaceDraft, words: Words) -> None:
    """`fair-queue [threshold [dynamic queues [reserved queues]]]`; `no` turns a default off."""
    for _ in range(3):
        words.maybe_within(DYNAMIC_QUEUES)
    words.end()
    draft.fair_queue = Stated(not words.negated, words.at)


def random_detect(draft: InterfaceDraft, words: Words) -> None:
    on = draft.random_detect
    # `attach` names a random-detect-group, which has the rows; only an interface has flow-based
    # WRED.
    wred: WredDraft | None
    if words.accept("attach"):
        words.rest()
        wred = None if words.negated else WredDraft(words.at, scheme="random-detect-group")
    elif words.accept("flow"):
        words.rest()
        wred = draft.wred if draft.wred is not None or words.negated else WredDraft(words.at)
    else:
        wred = read_random_detect(draft.wred, words)
    draft.wred = wred
    draft.random_detect = None if wred is None else on or Stated(value=True, at=words.at)


def service_policy(draft: InterfaceDraft, words: Words) -> None:
    read_attachment(draft.policies, words)


def multilink_group(draft: InterfaceDraft, words: Words) -> None:
    group = words.stated_whole(1, MAX_GROUP)
    draft.multilink = replace(draft.multilink, group=group)


def frame_relay_fragment(draft: InterfaceDraft, words: Words) -> None:
    if words.negated:
        draft.frame_relay_fragment_bytes = None
        return
    fragment = Stated(words.within(FRAGMENT_BYTES), words.at)
    words.accept("end-to-end")
    words.end()
    draft.frame_relay_fragment_bytes = fragment


def frame_relay_map(draft: InterfaceDraft, words: Words) -> None:
    """`frame-relay map ip 10.0.0.2 102 broadcast` makes the circuit, as `interface-dlci` does."""
    if words.negated:
        return
    words.take()
    words.take()
    read_dlci(draft.circuits, words)


def frame_relay_ip(draft: InterfaceDraft, words: Words) -> None:
    """`frame-relay ip rtp priority` queues; header compression makes packets smaller."""
    if words.accept("rtp"):
        ip_rtp(draft, words)


def ip_rtp(draft: InterfaceDraft, words: Words) -> None:
    """`ip rtp priority` and `reserve` queue; `ip rtp header-compression` does not."""
    if words.accept("priority", "reserve"):
        legacy(draft, words)
    elif words.accept("header-compression"):
        form = " ".join(words.rest())
        draft.rtp_compression = None if words.negated else Stated(form, words.at)
    else:
        words.rest()


def legacy(draft: InterfaceDraft, words: Words) -> None:
    """Keep queueing older than MQC as its text; it is not judged."""
    given = words.rest()
    if words.lower[0] in _LISTS and not words.negated:
        whole_number(" ".join(given), 1, _MOST_LISTS)
    for action, word in pairwise(given):
        if action.lower() in _CAR_ACTIONS:
            check_action(word)
    text = " ".join(words.words[1:] if words.negated else words.words)
    if not words.negated:
        draft.legacy_queueing[text] = Stated(text, words.at)
        return
    for command in [command for command in draft.legacy_queueing if command.startswith(text)]:
        del draft.legacy_queueing[command]


def port_queue(draft: InterfaceDraft, words: Words) -> None:
    """Keep the queueing of a switch port as its text; it is not judged."""
    words.rest()
    text = " ".join(words.words[1:] if words.negated else words.words)
    if words.negated:
        draft.port_queues.pop(text, None)
    else:
        draft.port_queues[text] = Stated(text, words.at)
