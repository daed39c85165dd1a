"""Layer-2 bytes of an encapsulation: on the wire, and as IOS counts them.

Sources give an interval for the wire. Counters, shapers, policers and admission count fewer bytes.
"""

from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts.interface import Interface, Pvc
from advisor.quantity import Basis, Input
from advisor.theory.interface import Framing

FRF12_HEADER_BYTES: Final = 4  # UI, NLPID and sequence number, once for a packet (FRF.12)
_ETHERNET = frozenset(
    {
        "Ethernet",
        "FastEthernet",
        "GigabitEthernet",
        "TenGigabitEthernet",
        "TwoGigabitEthernet",
        "FiveGigabitEthernet",
        "Port-channel",
        "BVI",
        "Vlan",
    }
)


class Layer2(StrEnum):
    """Kinds of layer 2 that differ in what they can do and in the bytes that they add."""

    MULTILINK_PPP = "multilink PPP"
    PPP = "ppp"
    HDLC = "hdlc"
    FRAME_RELAY = "frame-relay"
    ETHERNET = "arpa"
    TAGGED_ETHERNET = "dot1q"
    AAL5 = "aal5"

    @property
    def fragments(self) -> bool:
        """Whether LFI is possible: MLPPP (a PPP or HDLC end can change to it) and Frame Relay."""
        return self not in (Layer2.ETHERNET, Layer2.TAGGED_ETHERNET)


# Layer-2 bytes that IOS counts: its own header without FCS, flags, trailers and cells. Sources:
# Cisco document 10420 (12 with AAL5 SNAP: the header of 8 and 4 internal bytes); Cisco's codec
# table (6 with MLPPP); a capture (14 with Ethernet); recalled (4 with PPP, HDLC, Frame Relay).
_INTERNAL_ATM_BYTES = 4
_COUNTED_BYTES = {
    Layer2.MULTILINK_PPP: 6,
    Layer2.ETHERNET: 14,
    Layer2.TAGGED_ETHERNET: 18,
    Layer2.PPP: 4,
    Layer2.HDLC: 4,
    Layer2.FRAME_RELAY: 4,
}


class Encapsulation(Struct, frozen=True):
    """Framing in the best and the worst case that sources state, and the source of the framing.

    `counted_bytes` are the layer-2 bytes that IOS counts for a packet: in `show policy-map
    interface`, in a policer, a shaper and for admission.
    """

    name: str
    kind: Layer2
    low: Framing
    high: Framing
    basis: Basis
    source: str
    counted_bytes: int

    @property
    def overhead_input(self) -> Input:
        """Bytes around an IP packet on the wire, without the bytes of the cells."""
        low, high = self.low.overhead_bytes, self.high.overhead_bytes
        name = "overhead_bytes_before_cells" if self.high.cells else "overhead_bytes"
        source = f"{self.name}: {self.source}"
        return Input(name, (low + high) / 2, low, high, self.basis, source)


def _framed(
    name: str, kind: Layer2, ends: tuple[int, int], basis: Basis, source: str
) -> Encapsulation:
    low, high = (Framing(end) for end in ends)
    return Encapsulation(name, kind, low, high, basis, source, _COUNTED_BYTES[kind])


_PPPOE = frozenset({"pppoe-client", "pppoe"})
_PPPOE_BYTES, _FCS_BYTES = 8, 4
_PPPOE_ATM_BYTES = 10 + 14 + _PPPOE_BYTES  # bridged LLC/SNAP, Ethernet
_SERIAL = frozenset({"Serial", "POS", "Hssi"})
_FLAGS = "7 or 8 bytes, with a shared flag or not; without bit stuffing"


def encapsulation_of(
    interface: Interface, pvc: Pvc | None, *, session: bool = False
) -> Encapsulation | None:
    """Encapsulation of an output; None where the kind of interface is not known.

    `session` says that a PPP session of a Dialer or Virtual-Template runs over it.

    Sources: AAL5 per Cisco document 10420; PPP, HDLC and Frame Relay headers with FCS and one or
    two flags; MLPPP 6 (Cisco's codec table, plus framing) to 13 bytes (Cisco SRND, RFC 1990);
    Ethernet with preamble and gap 38 bytes, 42 with a tag (IEEE 802.3); PPPoE 8 bytes more (RFC
    2516), in ATM with the bridged header and perhaps the FCS (RFC 2684).
    """
    if pvc is not None or interface.type == "ATM":
        return _over_atm(pvc)
    stated = interface.encapsulation
    words = stated.value.lower().split() if stated else []
    basis = Basis.CONFIGURED if stated else Basis.DEFAULT
    if interface.type == "Multilink" or interface.multilink.group is not None:
        kind, source = Layer2.MULTILINK_PPP, "RFC 1990; Cisco SRND counts 13"
        return _framed(kind.value, kind, (10, 13), Basis.CONFIGURED, source)
    if interface.type in _ETHERNET:
        tagged = words[:1] in (["dot1q"], ["isl"])
        size = 42 if tagged else 38
        kind = Layer2.TAGGED_ETHERNET if tagged else Layer2.ETHERNET
        if session:
            size += _PPPOE_BYTES
            source = "IEEE 802.3, RFC 2516"
            framed = _framed(f"{kind.value} pppoe", kind, (size, size), basis, source)
            return replace(framed, counted_bytes=framed.counted_bytes + _PPPOE_BYTES)
        return _framed(kind.value, kind, (size, size), basis, "IEEE 802.3")
    by_default = ["hdlc"] if interface.type in _SERIAL else []
    words = words or by_default
    for kind in (Layer2.PPP, Layer2.FRAME_RELAY, Layer2.HDLC):
        if words[:1] == [kind.value]:
            return _framed(" ".join(words), kind, (7, 8), basis, _FLAGS)
    return None


def _is_pppoe(session: str) -> bool:
    """Whether `pppoe-client dial-pool-number 1`, `protocol pppoe` or the like carries it."""
    return not _PPPOE.isdisjoint(session.lower().split()[:2])


def _over_atm(pvc: Pvc | None) -> Encapsulation:
    if pvc is None:
        return _aal5(None)
    if pvc.session is not None and _is_pppoe(pvc.session.value):
        return _pppoe_over_atm()
    return _aal5(pvc.encapsulation.value if pvc.encapsulation is not None else None)


def _pppoe_over_atm() -> Encapsulation:
    low, high = (
        Framing(size, cells=True) for size in (_PPPOE_ATM_BYTES, _PPPOE_ATM_BYTES + _FCS_BYTES)
    )
    counted_bytes = _PPPOE_ATM_BYTES + _INTERNAL_ATM_BYTES
    source = "RFC 2516, RFC 2684: the FCS is kept or not"
    basis = Basis.CONFIGURED
    return Encapsulation("aal5snap pppoe", Layer2.AAL5, low, high, basis, source, counted_bytes)


def _aal5(stated: str | None) -> Encapsulation:
    source = "Cisco document 10420"
    basis = Basis.CONFIGURED if stated else Basis.DEFAULT
    words = stated.lower().split() if stated else ["aal5snap"]
    header = {"aal5snap": 8, "aal5mux": 0, "aal5ciscoppp": 4}.get(words[0], 8)
    if "ppp" in words[1:]:
        header = 2
    framing = Framing(header, cells=True)
    counted_bytes = header + _INTERNAL_ATM_BYTES
    return Encapsulation(
        " ".join(words), Layer2.AAL5, framing, framing, basis, source, counted_bytes
    )
