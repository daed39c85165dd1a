"""MLPPP with interleaving over an ATM circuit: fragments that fill whole cells.

IOS does not fit fragments to cells, and a bad fit can double the load. Only the rates of Cisco's
table have a delay and a `bandwidth` that fit. Sources: Cisco AVVID QoS design guide, table of
fragment sizes for MLPPP over ATM; Cisco SRND 3.3 (a ring of 3); the circuit must be VBR or CBR.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.interface import Interface, Pvc
from advisor.outlet.link_rates import far_end
from advisor.outlet.outlet import Outlet
from advisor.quantity import Unknown
from advisor.units import kbps_from_bps

_RING: Final = 3
_TEMPLATE: Final = "Virtual-Template"
_SHAPED: Final = ("cbr", "vbr-nrt", "vbr-rt")
_OLD_MAJORS: Final = ("11.", "12.0", "12.1")  # MLPPP over ATM is of 12.1(5)T


class CellFit(Struct, frozen=True):
    """The delay of a fragment in whole cells, and the `bandwidth` of which IOS makes it."""

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
