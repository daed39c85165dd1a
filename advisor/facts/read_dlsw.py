"""`dlsw`, `source-bridge` and `bridge` lines, of the device and of its interfaces, to Dlsw."""

from typing import Final

from msgspec import field
from msgspec.structs import asdict

from advisor.facts import Stated
from advisor.facts.dlsw import (
    BridgeGroup,
    Dlsw,
    DlswLines,
    DlswTimer,
    ListKind,
    LoadBalance,
    PeerDefaults,
    PeerList,
    RemotePeer,
    SourceBridge,
    TosMap,
    Transport,
)
from advisor.facts.interface_draft import InterfaceDraft
from advisor.facts.read_dlsw_peers import read_defaults, read_local_peer, read_remote_peer
from advisor.facts.read_words import GrammarError, Words, readers_of

# `dlsw`, `source-bridge` and `bridge` lines to Dlsw; a later line of a key replaces the earlier.
#
# Source: Cisco IOS Bridging and IBM Networking Command Reference, command lists of 11.2 to 12.4.

_MAX_LIST: Final = 255
_MAX_GROUP: Final = 255
_MAX_RING: Final = 4095
_MAX_BRIDGE: Final = 15
_MAX_PRECEDENCE: Final = 7
_MAX_TIMER: Final = 100_000
_MAX_WEIGHT: Final = 100
_TIMER_NAMES: Final = """
    connect-timeout explorer-delay-time explorer-wait-time local-connect-timeout
    netbios-cache-timeout netbios-explorer-timeout netbios-group-cache netbios-retry-interval
    netbios-verify-interval peer-group-verify-interval sna-cache-timeout sna-explorer-timeout
    sna-group-cache sna-retry-interval sna-verify-interval
"""
_TIMERS: Final = tuple(_TIMER_NAMES.split())
_PRIORITIES: Final = ("high", "medium", "normal", "low")

_DEFAULTS: Final = ("on_demand_defaults", "promiscuous_defaults")

PeerKey = tuple[Transport, str, int | None]


class DlswDraft(DlswLines):
    """DLSw+ while its lines are read; fields as in Dlsw."""

    remote_peers: dict[PeerKey, RemotePeer] = field(default_factory=dict)
    lists: dict[tuple[ListKind, int], PeerList] = field(default_factory=dict)
    on_demand_defaults: dict[Transport | None, PeerDefaults] = field(default_factory=dict)
    promiscuous_defaults: dict[Transport | None, PeerDefaults] = field(default_factory=dict)
    timers: dict[str, DlswTimer] = field(default_factory=dict)
    bridge_groups: dict[int, BridgeGroup] = field(default_factory=dict)
    other: dict[str, Stated[str]] = field(default_factory=dict)
    ring_groups: dict[int, Stated[int]] = field(default_factory=dict)
    bridges: dict[int, Stated[int]] = field(default_factory=dict)

    def freeze(self) -> Dlsw:
        all_of_it = asdict(self)
        tables = {name: table for name, table in all_of_it.items() if isinstance(table, dict)}
        return Dlsw(**all_of_it | {name: tuple(table.values()) for name, table in tables.items()})


def read_dlsw(draft: DlswDraft, words: Words) -> None:
    """Read a `dlsw` line into the draft.

    Raises
    ------
    GrammarError
        If its command or one of its words is not known.
    """
    words.expect("dlsw")
    command = words.take().lower()
    reader = _READERS.get(command)
    if reader is None:
        raise GrammarError(command)
    reader(draft, words)
    words.end()


def remove_dlsw(draft: DlswDraft, words: Words) -> None:
    """`no dlsw …`: remove the setting that the words name.

    Raises
    ------
    GrammarError
        If they name no setting that is read here.
    """
    words.expect("dlsw")
    without = DlswDraft()
    text = " ".join(words.words[1:])
    read = _READERS.get(words.take().lower())
    if read is None:
        raise GrammarError(text)
    if text == "dlsw local-peer":  # IOS also takes the command with no words after it
        draft.local_peer = None
        return
    read(without, words)
    words.rest()
    _take_out(draft, without)
    draft.other.pop(text, None)


def _take_out(draft: DlswDraft, removed: DlswDraft) -> None:
    for name, stated in asdict(removed).items():
        if isinstance(stated, dict):
            for key in stated:
                getattr(draft, name).pop(key, None)
        elif stated is not None:
            setattr(draft, name, None)


def read_ring_group(draft: DlswDraft, words: Words) -> None:
    """`source-bridge ring-group R …`; other lines of source-route bridging are not read.

    Raises
    ------
    GrammarError
        If the number of the ring is out of range.
    """
    words.expect("source-bridge")
    words.expect("ring-group")
    ring = words.whole(1, _MAX_RING)
    words.rest()
    if words.negated:
        draft.ring_groups.pop(ring, None)
    else:
        draft.ring_groups[ring] = Stated(ring, words.at)


def read_bridge(draft: DlswDraft, words: Words) -> None:
    """`bridge N protocol ieee`; other lines of transparent bridging are not read."""
    words.expect("bridge")
    number = words.maybe_whole(1, _MAX_GROUP)
    if number is None or not words.accept("protocol"):
        return
    if words.negated:
        draft.bridges.pop(number, None)
    else:
        draft.bridges[number] = Stated(number, words.at)


def read_source_bridge(words: Words) -> SourceBridge | None:
    """`source-bridge 5 1 100` of an interface, after its keyword; None for another command."""
    if not (words.peek() or "")[:1].isdecimal():
        words.rest()
        return None
    return SourceBridge(
        words.at, words.whole(1, _MAX_RING), words.whole(1, _MAX_BRIDGE), words.whole(1, _MAX_RING)
    )


def local_peer(draft: DlswDraft, words: Words) -> None:
    draft.local_peer = read_local_peer(words)


def remote_peer(draft: DlswDraft, words: Words) -> None:
    peer = read_remote_peer(words)
    draft.remote_peers[peer.transport, peer.peer, peer.dlci] = peer


def on_demand(draft: DlswDraft, words: Words) -> None:
    defaults = read_defaults(words)
    draft.on_demand_defaults[defaults.transport] = defaults


def promiscuous(draft: DlswDraft, words: Words) -> None:
    defaults = read_defaults(words)
    draft.promiscuous_defaults[defaults.transport] = defaults


def ring_list(draft: DlswDraft, words: Words) -> None:
    _numbers(draft, words, ListKind.RINGS, "rings", _MAX_RING)


def group_list(draft: DlswDraft, words: Words) -> None:
    _numbers(draft, words, ListKind.BRIDGE_GROUPS, "bgroups", _MAX_GROUP)


def _numbers(draft: DlswDraft, words: Words, kind: ListKind, keyword: str, highest: int) -> None:
    number = words.whole(1, _MAX_LIST)
    words.expect(keyword)
    members = [str(words.whole(1, highest))]
    while words.peek() is not None:
        members.append(str(words.whole(1, highest)))
    draft.lists[kind, number] = PeerList(words.at, kind, number, tuple(members))


def port_list(draft: DlswDraft, words: Words) -> None:
    number = words.whole(1, _MAX_RING)
    members = (words.take(), *words.rest())
    draft.lists[ListKind.PORTS, number] = PeerList(words.at, ListKind.PORTS, number, members)


def load_balance(draft: DlswDraft, words: Words) -> None:
    by = words.accept("round-robin", "circuit-count")
    weight = words.maybe_whole(1, _MAX_WEIGHT) if by == "circuit-count" else None
    draft.load_balance = LoadBalance(words.at, by or "round-robin", weight)


def duplicate_path_bias(draft: DlswDraft, words: Words) -> None:
    draft.duplicate_path_bias = Stated(words.accept("load-balance") or "", words.at)


def timer(draft: DlswDraft, words: Words) -> None:
    name = words.expect(*_TIMERS)
    value = words.whole(0, _MAX_TIMER)
    draft.timers[name] = DlswTimer(words.at, name, value)


def tos(draft: DlswDraft, words: Words) -> None:
    if words.expect("map", "disable") == "disable":
        draft.tos = TosMap(words.at, is_disabled=True)
        return
    stated = {words.expect(*_PRIORITIES): words.whole(0, _MAX_PRECEDENCE)}
    while words.peek() is not None:
        priority = words.expect(*_PRIORITIES)
        stated[priority] = words.whole(0, _MAX_PRECEDENCE)
    draft.tos = TosMap(words.at, is_disabled=False, **stated)


def bridged_group(draft: DlswDraft, words: Words) -> None:
    number = words.whole(1, _MAX_GROUP)
    if words.peek() is not None:
        words.expect("llc2", "locaddr-priority", "sap-priority")
        words.position -= 1
    draft.bridge_groups[number] = BridgeGroup(words.at, number, " ".join(words.rest()) or None)


def disable(draft: DlswDraft, words: Words) -> None:
    draft.is_disabled = Stated(value=True, at=words.at)


def other(draft: DlswDraft, words: Words) -> None:
    text = words.line.text
    draft.other[" ".join(words.words)] = Stated(text, words.at)
    words.rest()


_READERS: Final = readers_of("dlsw")

# Lines of an interface that select the frames for DLSw+.


def bridge_group(draft: InterfaceDraft, words: Words) -> None:
    """`bridge-group 1`; words after the number, such as the path cost, are not read."""
    number = words.whole(1, _MAX_GROUP)
    if words.peek() is None:
        draft.bridge_group = None if words.negated else Stated(number, words.at)


def source_bridge(draft: InterfaceDraft, words: Words) -> None:
    bridge = read_source_bridge(words) if not words.negated else None
    if words.negated:
        draft.source_bridge = None
    elif bridge is not None:
        draft.source_bridge = bridge


def dlsw(draft: InterfaceDraft, words: Words) -> None:
    """`dlsw transparent …` of an interface: kept."""
    words.expect("transparent")
    sna(draft, words)


def sna(draft: InterfaceDraft, words: Words) -> None:
    text = " ".join(words.words[1 if words.negated else 0 :])
    if words.negated:
        draft.sna_lines.pop(text, None)
    else:
        draft.sna_lines[text] = Stated(text, words.at)
