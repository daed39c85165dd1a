"""The other end of a link that is to fragment: who it is, and what helps where it cannot."""

from typing import Final

from advisor.device.device import Device

_TCP_IP_BYTES: Final = 40  # headers of IPv4 and TCP without options
_LEAST_MSS: Final = 500  # of `ip tcp adjust-mss`; recalled


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
