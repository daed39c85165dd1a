"""The other end of a link that is to fragment: who it is, and what helps where it cannot."""

from typing import Final

from advisor.device.device import Device
from advisor.device.link_ends import LinkEnd
from advisor.facts.interface import Interface
from advisor.outlet.wire_rate import wire_rate
from advisor.quantity import Input

_TCP_IP_BYTES: Final = 40  # headers of IPv4 and TCP without options
_LEAST_MSS: Final = 500  # of `ip tcp adjust-mss`; recalled


def far_end(device: Device, interface: str) -> LinkEnd | None:
    """The other end of a link, where the run has it."""
    link = device.fleet.links.link(device.name, interface)
    return link.far_end(device.name) if link is not None else None


def far_rate(end: LinkEnd) -> Input | None:
    """The rate of the line as its other end states it."""
    kind = end.interface.rstrip("0123456789/.:")
    rates = end.rates
    return wire_rate(
        Interface(
            end.interface,
            end.at,
            kind,
            clock_rate_bps=rates.clock_rate_bps,
            timeslots_bps=rates.timeslots_bps,
            bandwidth_bps=rates.bandwidth_bps,
        ),
        None,
        None,
    )


def rate_of_both(device: Device, interface: str, own: Input) -> Input:
    """The rate of a line by what both of its ends state: a clock, else the lower label."""
    end = far_end(device, interface)
    far = far_rate(end) if end is not None else None
    if far is None or not own.is_label:
        return own
    return min(own, far, key=lambda rate: (rate.is_label, rate.value))


def other_end(device: Device, interface: str) -> str:
    """What the other end of a link needs, by name where the run has it."""
    link = device.fleet.links.link(device.name, interface)
    if link is None:
        doubts = device.fleet.links.doubts(device.name, interface)
        said = f" ({doubts[0].doubt}: nothing decides which)" if doubts else ""
        return f"the other end needs the same{said}"
    far = link.far_end(device.name)
    return f"the other end, {far.label} (by {', '.join(link.signs)}), needs the same"


def without_multilink(fragment_bytes: int) -> str:
    """What one end of a DSL line can do alone; it shortens no packet of UDP.

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
