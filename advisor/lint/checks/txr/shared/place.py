"""Where a transmit ring is set."""

from msgspec import Struct

from advisor.facts.interface import Pvc
from advisor.outlet.outlet import Outlet


class RingPlace(Struct, frozen=True):
    """An interface, or one of its ATM circuits by what follows the word `pvc`."""

    interface: str
    circuit: str | None = None


def ring_place(interface: str, pvc: Pvc | None) -> RingPlace:
    """Place of a ring on an interface or in a circuit of it."""
    return RingPlace(interface, pvc.label.removeprefix("pvc ") if pvc is not None else None)


def ring_place_of(outlet: Outlet) -> RingPlace:
    """Place of the ring of an output: of a subinterface it is on the main interface."""
    is_circuit = outlet.pvc is not None
    return ring_place(outlet.interface.name if is_circuit else outlet.ring_key, outlet.pvc)
