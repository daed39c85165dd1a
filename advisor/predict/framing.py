"""Layer-2 overhead of an encapsulation, with the interval that sources leave."""

from msgspec import Struct

from advisor.facts.interface import Interface, Pvc
from advisor.model.wire import Framing
from advisor.predict.quantity import Basis

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


class Encapsulation(Struct, frozen=True):
    """Framing in the best and the worst case of what sources say, and where it is known from."""

    name: str
    low: Framing
    high: Framing
    basis: Basis
    source: str


def _framed(name: str, low: int, high: int, basis: Basis, source: str) -> Encapsulation:
    return Encapsulation(name, Framing(low), Framing(high), basis, source)


_SERIAL = frozenset({"Serial", "POS", "Hssi"})
_FLAGS = "flags shared or not: 7 or 8 bytes; bit stuffing not counted"


def encapsulation_of(interface: Interface, pvc: Pvc | None) -> Encapsulation | None:
    """Encapsulation of an output; None where the kind of interface is not known.

    Sources: AAL5 per Cisco document 10420; PPP, HDLC and Frame Relay headers with FCS and one or
    two flags; MLPPP 6 (Cisco's codec table, plus framing) to 13 bytes (Cisco SRND, RFC 1990);
    Ethernet with preamble and gap 38 bytes, 42 with a tag (IEEE 802.3).
    """
    if pvc is not None or interface.type == "ATM":
        return _aal5(pvc.encapsulation.value if pvc and pvc.encapsulation else None)
    stated = interface.encapsulation
    words = stated.value.lower().split() if stated else []
    basis = Basis.CONFIGURED if stated else Basis.DEFAULT
    if interface.type == "Multilink" or interface.multilink.group is not None:
        return _framed("multilink PPP", 10, 13, Basis.CONFIGURED, "RFC 1990; Cisco SRND counts 13")
    if interface.type in _ETHERNET:
        tagged = words[:1] in (["dot1q"], ["isl"])
        size = 42 if tagged else 38
        return _framed("dot1q" if tagged else "arpa", size, size, basis, "IEEE 802.3")
    by_default = ["hdlc"] if interface.type in _SERIAL else []
    kind = words or by_default
    if kind[:1] in (["ppp"], ["frame-relay"], ["hdlc"]):
        return _framed(" ".join(kind), 7, 8, basis, _FLAGS)
    return None


def _aal5(stated: str | None) -> Encapsulation:
    source = "Cisco document 10420"
    basis = Basis.CONFIGURED if stated else Basis.DEFAULT
    words = stated.lower().split() if stated else ["aal5snap"]
    header = {"aal5snap": 8, "aal5mux": 0, "aal5ciscoppp": 4}.get(words[0], 8)
    if "ppp" in words[1:]:
        header = 2
    framing = Framing(header, cells=True)
    return Encapsulation(" ".join(words), framing, framing, basis, source)
