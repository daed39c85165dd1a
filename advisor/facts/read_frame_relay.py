"""Frame Relay circuits with their map-classes."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from advisor.facts import Stated
from advisor.facts.interface import FrameRelayCircuit, MapClassLines
from advisor.facts.ranges import CIR_BPS, FRAGMENT_BYTES, FRAME_RELAY_BURST_BITS, HOLD_QUEUE_PACKETS
from advisor.facts.read_circuits import Policies, ppp_interface, read_attachment
from advisor.facts.read_words import GrammarError, Words
from advisor.ground.records import picked
from advisor.ios.syntax import Location

_MAX_DLCI: Final = 1022


class MapClassDraft(MapClassLines):
    """A `map-class frame-relay`."""

    legacy_queueing: dict[str, Stated[str]] = field(default_factory=dict)
    policies: Policies = field(default_factory=dict)


class DlciDraft(Struct):
    """A Frame Relay circuit while its lines are read."""

    dlci: int
    at: Location
    map_class: Stated[str] | None = None
    policies: Policies = field(default_factory=dict)
    ppp_interface: Stated[str] | None = None

    def freeze(
        self,
        classes: Mapping[str, MapClassDraft],
        inherited: tuple[Stated[str] | None, ...],
        fragment_bytes: Stated[int] | None,
    ) -> FrameRelayCircuit:
        """Join with its map-class: that of the DLCI, else of the subinterface, else of the main."""
        map_class = next((name for name in (self.map_class, *inherited) if name is not None), None)
        settings = classes.get(map_class.value) if map_class is not None else None
        settings = settings or MapClassDraft()
        return picked(
            FrameRelayCircuit,
            settings,
            dlci=self.dlci,
            at=self.at,
            map_class=map_class,
            fragment_bytes=settings.fragment_bytes or fragment_bytes,
            policies=tuple((settings.policies | self.policies).values()),
            legacy_queueing=tuple(settings.legacy_queueing.values()),
            ppp_interface=self.ppp_interface,
        )


def read_dlci(circuits: dict[int, DlciDraft], words: Words) -> DlciDraft | None:
    """Open the circuit of a DLCI; None where `no` removes it."""
    dlci = words.whole(16, _MAX_DLCI)
    stated_words = words.rest()  # ietf, cisco, ppp Virtual-Template1, switched
    if words.negated:
        circuits.pop(dlci, None)
        return None
    draft = circuits.setdefault(dlci, DlciDraft(dlci, words.at))
    draft.ppp_interface = ppp_interface(stated_words, words) or draft.ppp_interface
    return draft


def read_dlci_line(draft: DlciDraft, words: Words) -> None:
    """Read a line under `frame-relay interface-dlci`."""
    keyword = words.take().lower()
    if keyword == "class":
        name = " ".join((words.take(), *words.rest()))
        draft.map_class = None if words.negated else Stated(name, words.at)
    elif keyword == "service-policy":
        read_attachment(draft.policies, words)
    elif keyword in ("vofr", "protocol", "exit"):
        words.rest()
    else:
        raise GrammarError(keyword)


def read_map_class_line(draft: MapClassDraft, words: Words) -> None:
    """Read a line of `map-class frame-relay`."""
    keyword = words.take().lower()
    if keyword == "service-policy":
        read_attachment(draft.policies, words)
    elif keyword == "frame-relay":
        _read_shaping(draft, words)
    elif keyword not in ("description", "exit"):
        raise GrammarError(keyword)


def _read_shaping(draft: MapClassDraft, words: Words) -> None:
    setting = words.take().lower()
    if setting == "fragment":
        draft.fragment_bytes = None
        if not words.negated:
            draft.fragment_bytes = Stated(words.within(FRAGMENT_BYTES), words.at)
            words.accept("switched", "end-to-end")
            words.end()
    elif setting in ("cir", "mincir", "traffic-rate"):
        _read_rate(draft, setting, words)
    elif setting in ("bc", "be"):
        _read_burst(draft, setting, words)
    elif setting in ("fair-queue", "holdq"):
        _read_queue(draft, setting, words)
    elif setting in _LEGACY:
        _read_legacy(draft, setting, words)
    elif setting in _MAP_CLASS_KNOWN:
        words.rest()
    else:
        raise GrammarError(setting)


_OUTBOUND: Final = {
    "cir": "cir_bps",
    "traffic-rate": "cir_bps",
    "mincir": "min_cir_bps",
    "bc": "bc_bits",
    "be": "be_bits",
}


def _read_rate(draft: MapClassDraft, setting: str, words: Words) -> None:
    inbound = words.accept("in", "out") == "in"
    rate = None
    if not words.negated:
        rate = Stated(float(words.whole(1, CIR_BPS.high)), words.at)
        words.maybe_within(CIR_BPS)  # the peak of traffic-rate
        words.end()
    if not inbound:
        setattr(draft, _OUTBOUND[setting], rate)


def _read_burst(draft: MapClassDraft, setting: str, words: Words) -> None:
    inbound = words.accept("in", "out") == "in"
    bits = words.maybe_within(FRAME_RELAY_BURST_BITS)
    words.end()
    if not inbound:
        setattr(draft, _OUTBOUND[setting], words.stated(bits))


def _read_queue(draft: MapClassDraft, setting: str, words: Words) -> None:
    if setting == "fair-queue":
        words.rest()  # limit of a conversation, numbers of queues
        draft.fair_queue = Stated(not words.negated, words.at)
        return
    packets = words.maybe_within(HOLD_QUEUE_PACKETS)
    words.end()
    draft.hold_queue_packets = words.stated(packets)


def _read_legacy(draft: MapClassDraft, setting: str, words: Words) -> None:
    """Keep queueing older than MQC as its text; `ip rtp header-compression` does not queue."""
    queues = setting != "ip" or (words.accept("rtp") and words.accept("priority"))
    words.rest()
    if not queues:
        return
    text = " ".join(words.words[1:] if words.negated else words.words)
    for command in [item for item in draft.legacy_queueing if item.startswith(text)]:
        del draft.legacy_queueing[command]
    if not words.negated:
        draft.legacy_queueing[text] = Stated(text, words.at)


_LEGACY: Final = ("custom-queue-list", "interface-queue", "ip", "priority-group")
# Read but not modelled: end-to-end keepalives, adaptation.
_MAP_CLASS_WORDS: Final = "adaptive-shaping end-to-end fecn-adapt fragmentation idle-timer tc voice"
_MAP_CLASS_KNOWN: Final = frozenset(_MAP_CLASS_WORDS.split())
