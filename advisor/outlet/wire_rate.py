"""The rate of the wire behind an output, and its source."""

from advisor.facts.interface import Interface, Pvc
from advisor.quantity import Basis, Input, RateKind, exact
from advisor.wording import rate_source

_WITHOUT_WIRE = ("Tunnel", "Loopback", "Vlan", "BVI", "Port-channel")
_PORT_RATE_BPS = {
    "Ethernet": 10e6,
    "FastEthernet": 100e6,
    "GigabitEthernet": 1e9,
    "TwoGigabitEthernet": 2.5e9,
    "FiveGigabitEthernet": 5e9,
    "TenGigabitEthernet": 10e9,
    "FortyGigabitEthernet": 40e9,
    "HundredGigE": 100e9,
}


PORT_SPEEDS_BPS = frozenset(_PORT_RATE_BPS.values())  # that a port can run at


def port_bps(interface: Interface) -> float | None:
    """The most that a port of its kind runs at; None where its name does not say it."""
    return _PORT_RATE_BPS.get(interface.type)


def wire_rate(interface: Interface, pvc: Pvc | None, parent: Interface | None) -> Input | None:
    """Rate that the ring drains at: the rate of the PVC, the clock, the timeslots or the port.

    The interface `bandwidth` is a label: it counts only where none of these is known. A
    subinterface has the wire of its main interface; its own `bandwidth` is the rate of a circuit.
    A tunnel has no wire.
    """
    if pvc is not None:
        if pvc.rate is None or pvc.rate.sustained_bps is None:
            return None
        return _rate(pvc.rate.sustained_bps, RateKind.PVC, f"{pvc.rate.service}, {pvc.rate.at}")
    main = parent or interface
    stated = [
        (RateKind.CLOCK_RATE, main.clock_rate_bps),
        (RateKind.TIMESLOTS, main.timeslots_bps),
        (RateKind.SPEED, main.speed_bps),
    ]
    known = [(rate.value, kind, rate.at) for kind, rate in stated if rate is not None]
    if known:
        return _rate(*min(known, key=lambda rate: rate[0]))
    if main.type in _PORT_RATE_BPS:
        return _rate(_PORT_RATE_BPS[main.type], RateKind.PORT, main.type)
    label = main.bandwidth_bps or interface.bandwidth_bps
    if label is None or main.type in _WITHOUT_WIRE:
        return None
    return _rate(label.value, RateKind.BANDWIDTH_LABEL, label.at)


def _rate(rate_bps: float, kind: RateKind, detail: object) -> Input:
    basis = Basis.DEFAULT if kind is RateKind.PORT else Basis.CONFIGURED
    return exact("wire_rate_bps", rate_bps, basis, rate_source(kind, detail), kind)
