"""The rate of the wire behind an output, and where it is known from."""

from advisor.facts.interface import Interface, Pvc
from advisor.predict.quantity import Basis, Input, exact

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


def wire_rate(interface: Interface, pvc: Pvc | None, parent: Interface | None) -> Input | None:
    """Rate that the ring drains at: of the PVC, the clock, the timeslots or the port.

    The interface `bandwidth` only where none of these is known: it is a label. A subinterface has
    the wire of its main interface; its own `bandwidth` is that of a circuit. A tunnel has no wire.
    """
    if pvc is not None:
        if pvc.rate is None or pvc.rate.sustained_bps is None:
            return None
        source = f"{pvc.rate.service}, {pvc.rate.at}"
        return exact("wire_rate_bps", pvc.rate.sustained_bps, Basis.CONFIGURED, source)
    main = parent or interface
    stated = [
        ("clock rate", main.clock_rate_bps),
        ("timeslots", main.timeslots_bps),
        ("speed", main.speed_bps),
    ]
    known = [(each.value, name, each.at) for name, each in stated if each is not None]
    if known:
        value, name, at = min(known, key=lambda each: each[0])
        return exact("wire_rate_bps", value, Basis.CONFIGURED, f"{name}, {at}")
    if main.type in _PORT_RATE_BPS:
        source = f"{main.type} port"
        return exact("wire_rate_bps", _PORT_RATE_BPS[main.type], Basis.DEFAULT, source)
    label = main.bandwidth_bps or interface.bandwidth_bps
    if label is None or main.type in _WITHOUT_WIRE:
        return None
    source = f"bandwidth (a label; the clock may differ), {label.at}"
    return exact("wire_rate_bps", label.value, Basis.CONFIGURED, source)
