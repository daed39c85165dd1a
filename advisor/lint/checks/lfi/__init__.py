"""Outputs with an LLQ that fragment, their other ends, and fragments that fill ATM cells."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts import Stated
from advisor.facts.interface import Interface, Pvc
from advisor.lint.checks.base import Skip
from advisor.model import wire_ms
from advisor.outlet.framing import Encapsulation
from advisor.outlet.link_rates import far_end, slowest_bps
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.quantity import Basis, Input, Unknown, exact
from advisor.units import kbps_from_bps

# The other end of a link that is to fragment: who it is, and what helps where it cannot.

_TCP_IP_BYTES: Final = 40  # headers of IPv4 and TCP without options
_LEAST_MSS: Final = 500  # of `ip tcp adjust-mss`; recalled


def other_end(device: Device, interface: str) -> str:
    """Name the change at the other end of a link, with its name where the run has it."""
    link = device.fleet.links.link(device.name, interface)
    if link is None:
        doubts = device.fleet.links.doubts(device.name, interface)
        said = f" ({doubts[0].doubt}: nothing decides which)" if doubts else ""
        return f"the other end needs the same{said}"
    far = link.far_end(device.name)
    return f"the other end, {far.label} (by {', '.join(link.signs)}), needs the same"


def without_multilink(fragment_bytes: int) -> str:
    """Name a measure that one end of a DSL line can take alone; it shortens no packet of UDP.

    Source: `ip tcp adjust-mss` on the side of the LAN, for new sessions of TCP only.
    """
    mss = fragment_bytes - _TCP_IP_BYTES
    if mss < _LEAST_MSS:
        return (
            "where the other end is not yours, nothing in IOS shortens packets so far: "
            "raise the rate"
        )
    return (
        f"where the other end is not yours: `ip tcp adjust-mss {mss}` on the LAN side; it shortens "
        "packets of new TCP sessions both ways, none of UDP. `ip mtu` cuts all IP and breaks some "
        "applications"
    )


# Outputs with an LLQ that fragment: their fragments and whole packets in time on the link.


class PacketBudget(Struct, frozen=True):
    """Budget of the time of one packet or fragment; None where the profile does not judge it."""

    serialization_ms: float | None


class CutLink(Struct, frozen=True):
    """An output that fragments, and the slowest rate that its fragments pass."""

    outlet: Outlet
    fragment: Stated[float]
    encapsulation: Encapsulation
    rate_bps: float

    @property
    def fragment_ms(self) -> float:
        """Time of the largest packet that leaves whole."""
        return self.time_ms(self.outlet.largest_ip_bytes)

    @property
    def whole_ms(self) -> float:
        """Time of a packet of the MTU, if nothing cut it."""
        return self.time_ms(int(self.outlet.mtu.value))

    def time_ms(self, size_bytes: int) -> float:
        """Time of a piece on the wire, with its headers and cells."""
        return wire_ms(size_bytes, self.encapsulation.high, self.rate_bps)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The fragment, the rate and the bytes around a packet."""
        at = self.fragment.at
        size = exact("fragment_bytes", self.fragment.value, Basis.CONFIGURED, f"fragment, {at}")
        wire = self.outlet.wire
        basis = wire.basis if wire is not None else Basis.CONFIGURED
        source = "the slowest of line, CIR, shaper and other end"
        rate = exact("slowest_rate_bps", self.rate_bps, basis, source)
        return (size, rate, *self.outlet.overhead_inputs)


def cut_links(device: Device, *, without_llq: bool = False) -> Iterator[CutLink | Skip]:
    """Outputs with an LLQ and fragments, the members of a bundle once: the one that cuts worst."""
    links: dict[tuple[str, ...], CutLink] = {}
    for outlet in outlets(device):
        if outlet.fragment_bytes is None or not (outlet.llq_classes or without_llq):
            continue
        if outlet.why_fragment_unknown is not None:
            yield Skip(outlet.label, outlet.why_fragment_unknown)
        elif outlet.wire is None or outlet.encapsulation is None:
            yield Skip(outlet.label, outlet.why_rate_unknown)
        else:
            rate_bps = slowest_bps(device, outlet)
            link = CutLink(outlet, outlet.fragment_bytes, outlet.encapsulation, rate_bps)
            known = links.get(outlet.section)
            if known is None or known.fragment_ms < link.fragment_ms:
                links[outlet.section] = link
    yield from links.values()


# MLPPP with interleaving over an ATM circuit: fragments that fill whole cells.
#
# IOS does not fit fragments to cells, and a bad fit can double the load. Only the rates of
# Cisco's table have a delay and a `bandwidth` that fit. Sources: Cisco AVVID QoS design guide,
# table of fragment sizes for MLPPP over ATM; Cisco SRND 3.3 (a ring of 3); the circuit must be
# VBR or CBR.

_RING: Final = 3
_TEMPLATE: Final = "Virtual-Template"
_SHAPED: Final = ("cbr", "vbr-nrt", "vbr-rt")
_OLD_MAJORS: Final = ("11.", "12.0", "12.1")  # MLPPP over ATM is of 12.1(5)T


class CellFit(Struct, frozen=True):
    """Delay of a fragment in whole cells, and the `bandwidth` that IOS cuts it by."""

    delay_ms: int
    bandwidth_kbps: int


_FITS: Final[Mapping[int, CellFit]] = MappingProxyType(
    {  # by the rate of the circuit in kb/s
        56: CellFit(12, 57),
        64: CellFit(10, 68),
        128: CellFit(11, 132),
        192: CellFit(11, 202),
        256: CellFit(10, 260),
        384: CellFit(10, 414),
        512: CellFit(10, 529),
        640: CellFit(10, 644),
        768: CellFit(10, 798),
    }
)


class AtmLfi(Struct, frozen=True):
    """Fragments of a Virtual-Template, and the ring of the circuit that carries it.

    `bandwidth_kbps` is None where it is set already; `ring` where the present one is as short.
    """

    template: str
    bandwidth_kbps: int | None
    delay_ms: int
    delay_words: str
    is_multilink: bool
    interface: str
    circuit: str
    ring: int | None


def atm_lfi(device: Device, outlet: Outlet) -> AtmLfi | Unknown:
    """The lines of a circuit whose session has a Virtual-Template, or why there are none."""
    session, pvc = outlet.session, outlet.pvc
    if session is None or pvc is None or session.type != _TEMPLATE:
        return Unknown("address and policy have to move to a Virtual-Template first")
    if far_end(device, session.name) is None:
        return Unknown("the other end is not known here, and needs the same")
    version = device.facts.version
    if version is None or version.value.startswith(_OLD_MAJORS):
        return Unknown("this release is not known to have MLPPP over ATM")
    if pvc.rate is None or pvc.rate.service not in _SHAPED:
        return Unknown("the circuit must be VBR or CBR")
    kbps = kbps_from_bps(outlet.wire_bps)
    fit = _FITS.get(round(kbps))
    if fit is None:
        known = ", ".join(map(str, _FITS))
        return Unknown(f"{kbps:g} kb/s is not in the table of whole cells ({known} kb/s)")
    return _lines(device, session, (outlet.interface, pvc), fit)


def _lines(
    device: Device, session: Interface, carrier: tuple[Interface, Pvc], fit: CellFit
) -> AtmLfi:
    (interface, pvc), label = carrier, session.bandwidth_bps
    has_label = label is not None and round(kbps_from_bps(label.value)) == fit.bandwidth_kbps
    multilink = session.multilink.ppp_multilink
    is_short = pvc.tx_ring_limit is not None and pvc.tx_ring_limit.value <= _RING
    return AtmLfi(
        session.name,
        None if has_label else fit.bandwidth_kbps,
        fit.delay_ms,
        session.multilink.delay_words,
        multilink is not None and multilink.value,
        interface.name,
        pvc.label.removeprefix("pvc "),
        None if is_short or device.platform.is_xe else _RING,
    )
