"""The rate that a provider sells on a port, where the configuration names one below the port.

No command states it to IOS: a description, the `bandwidth` of an Ethernet, or the CIR of a circuit
that nothing shapes are the only signs of it.
"""

from typing import Final

from advisor.device.device import Device
from advisor.facts.described_rate import described_rate_bps, says_contract
from advisor.facts.interface import FrameRelayCircuit, Interface
from advisor.outlet.framing import Layer2
from advisor.outlet.outlet import Outlet
from advisor.quantity import Basis, Input, RateKind, exact
from advisor.wording import rate_source

_PORTS: Final = (RateKind.PORT, RateKind.SPEED)
_ROUNDING: Final = 0.95  # of the port: 950 Mb/s on a gigabit are the port


def sold_rate(device: Device, outlet: Outlet) -> Input | None:
    """The rate below the port that descriptions, `bandwidth` or a CIR name; None without one.

    A description wins over `bandwidth`, which routing protocols use as well. Where the description
    of the interface and that of the Dialer over it differ, the smaller one counts.
    """
    wire = outlet.bundle_wire or outlet.wire
    if wire is None:
        return None
    rates: tuple[Input, ...] = ()
    circuit = circuit_of(outlet)
    if circuit is not None and not outlet.is_frame_relay_shaped and circuit.cir_bps is not None:
        cir = circuit.cir_bps
        rates = (_rate(cir.value, RateKind.CIR, cir.at),)
    elif wire.kind in _PORTS or outlet.interface.type == "Port-channel":
        homes = _homes(device, outlet)
        rates = tuple(_described(homes)) or tuple(_labels(homes))
    below = [rate for rate in rates if rate.value < wire.value * _ROUNDING]
    return min(below, key=lambda rate: rate.value, default=None)


def is_contracted(device: Device, outlet: Outlet, sold: Input) -> bool:
    """Whether what names a rate below the port says that it is the contract.

    A number in the prose of a description may be of a bundle, an old line or another site.
    """
    if sold.kind is not RateKind.DESCRIPTION:
        return True
    stated = [home.description for home in _homes(device, outlet) if home.description is not None]
    texts = [each.value for each in stated if described_rate_bps(each.value) == sold.value]
    return all(map(says_contract, texts))


def unheld_rate(device: Device, outlet: Outlet) -> Input | None:
    """The rate that is sold on the port of an output whose policy lets more pass; else None."""
    sold = sold_rate(device, outlet)
    if sold is None or (outlet.ceiling_bps is not None and outlet.ceiling_bps <= sold.value):
        return None
    return sold


def circuit_of(outlet: Outlet) -> FrameRelayCircuit | None:
    """The Frame Relay circuit of an output."""
    return next(
        (each for each in outlet.interface.circuits if str(each.dlci) == outlet.circuit), None
    )


def is_frame_relay(outlet: Outlet) -> bool:
    """Whether a Frame Relay network, which has a CIR, carries the packets."""
    return outlet.encapsulation is not None and outlet.encapsulation.kind is Layer2.FRAME_RELAY


def _homes(device: Device, outlet: Outlet) -> tuple[Interface, ...]:
    """The interface of the ring, and what the policy stands on: a Dialer, a subinterface."""
    main = device.facts.interface(outlet.interface.parent or "")
    homes = (outlet.interface, outlet.session, main)
    return tuple(home for home in homes if home is not None)


def _described(homes: tuple[Interface, ...]) -> list[Input]:
    stated = [home.description for home in homes if home.description is not None]
    return [
        _rate(rate_bps, RateKind.DESCRIPTION, each.at)
        for each in stated
        if (rate_bps := described_rate_bps(each.value)) is not None
    ]


def _labels(homes: tuple[Interface, ...]) -> list[Input]:
    labels = [home.bandwidth_bps for home in homes if home.bandwidth_bps is not None]
    return [_rate(label.value, RateKind.BANDWIDTH_LABEL, label.at) for label in labels]


def _rate(rate_bps: float, kind: RateKind, at: object) -> Input:
    return exact("sold_rate_bps", rate_bps, Basis.CONFIGURED, rate_source(kind, at), kind)
