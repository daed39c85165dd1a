"""Chooses the interfaces of a design, and refuses those with settings that forbid it."""

from collections.abc import Collection
from typing import Final

from advisor.design.edge_demand import EdgeDemand, LinkLayer
from advisor.design.edge_drafts import RefusedDemandError
from advisor.device.device import Device
from advisor.facts.attachments import interface_sections
from advisor.facts.interface import Interface, PlaceKind, Side
from advisor.outlet.wires import limit_bps

# Policing, and queueing of a map-class, which gives way to that of the design.
_CAR: Final = "rate-limit "
_BESIDE: Final = (_CAR, "frame-relay ")
_PORT_QUEUES: Final = "frame-relay interface-queue"
_OF_FRAMES: Final = ("xconnect", "switchport", "bridge-group")
_SESSION: Final = "its sessions run over other lines, whose rate and ring are not known here"
_WITHOUT_DESIGN: Final = {
    "Tunnel": "a tunnel queues on the interface that carries it: design that one",
    "Dialer": _SESSION,
    "Virtual-Template": _SESSION,
    "Virtual-Access": _SESSION,
    "Vlan": "its packets queue on the ports of the VLAN",
    "BVI": "its packets queue on the ports of the bridge group",
    "Port-channel": "its packets queue on its members, in a way that depends on the platform",
    "Loopback": "a loopback sends nothing",
    "Null": "it sends nothing",
    "BRI": "its B channels are dialled: their rate is that of a call",
    "Async": "no source has the ring of an asynchronous line",
    "Cellular": "the rate of a radio link is not constant",
}


def interface_of(device: Device, demand: EdgeDemand) -> Interface:
    """The interface of a configuration that a design is for."""
    interface = device.facts.interface(demand.interface or "")
    if interface is None:
        raise RefusedDemandError(f"{demand.interface} is not in the configuration")
    return interface


def layer_of(device: Device, demand: EdgeDemand) -> LinkLayer:
    """The layer of a design on a configuration: that of its interface.

    Raises
    ------
    RefusedDemandError
        If another one is stated, or no design is for the interface.
    """
    interface = interface_of(device, demand)
    layer = _layer_on(interface)
    if not demand.is_layer_stated or layer is demand.layer:
        return layer
    if layer is LinkLayer.FRAME_RELAY:
        raise RefusedDemandError(
            f"{interface.name} carries Frame Relay", "--encap frame-relay with its subinterface"
        )
    if interface.multilink.group is not None:
        return demand.layer  # what it must be instead is said of the bundle
    raise RefusedDemandError(
        f"{interface.name} has {layer}, not the {demand.layer} of --encap: the other end would "
        "have to change with it",
        f"--encap {layer}",
    )


def _layer_on(interface: Interface) -> LinkLayer:
    """The layer of an interface of a configuration.

    Raises
    ------
    RefusedDemandError
        If no design is for an interface of this kind.
    """
    reason = _WITHOUT_DESIGN.get(interface.type)
    if reason is not None:
        raise RefusedDemandError(f"{interface.name}: {reason}")
    if interface.type.endswith("Ethernet"):
        return LinkLayer.ETHERNET
    if interface.type in ("Multilink", "ATM"):
        return LinkLayer.MULTILINK if interface.type == "Multilink" else LinkLayer.ATM
    encapsulation = interface.encapsulation.value.lower() if interface.encapsulation else ""
    if interface.circuits or encapsulation.startswith("frame-relay"):
        return LinkLayer.FRAME_RELAY
    if not interface.is_serial_line or encapsulation not in ("", "ppp", "hdlc"):
        carried = f"encapsulation {encapsulation}" if encapsulation else "no layer that is known"
        raise RefusedDemandError(f"{interface.name} has {carried}: no design is for it")
    return LinkLayer.PPP if encapsulation == "ppp" else LinkLayer.HDLC


def must_be_alone(device: Device, interface: Interface, demand: EdgeDemand) -> None:
    """Refuse an interface on which other lines queue, drop or carry the packets."""
    main = device.facts.main_of(interface)
    for limit in dict.fromkeys((*main.legacy_queueing, *interface.legacy_queueing)):
        limited_bps = limit_bps(limit.value) if limit.value.startswith(_CAR) else None
        if limited_bps is not None and limited_bps < demand.link_bps:
            raise RefusedDemandError(
                f"{main.name} has `{limit.value}`, which drops voice too before the policy queues",
                f"`no {limit.value}` first",
            )
    queues = [
        item.value
        for item in (*main.legacy_queueing, *interface.legacy_queueing)
        if not item.value.startswith(_BESIDE) or item.value.startswith(_PORT_QUEUES)
    ]
    if main.wred is not None or main.random_detect is not None:
        queues.append("random-detect")
    if queues:
        raise RefusedDemandError(
            f"{main.name} has `{queues[0]}`, beside which a policy does not queue",
            f"`no {queues[0]}` first",
        )
    if main.channel_group is not None:
        raise RefusedDemandError(
            f"{main.name} is a member of Port-channel{main.channel_group.value}"
        )
    frames = _without_packets(device, {main.name, interface.name})
    if frames is not None:
        raise RefusedDemandError(
            f"{interface.name} has `{frames}`: it carries frames, not packets of this router"
        )
    if _has_instances(main):
        raise RefusedDemandError(
            f"service instances of {main.name} have policies of their own",
            "their policies, by hand",
        )


def _without_packets(device: Device, names: Collection[str]) -> str | None:
    """The command with which a port switches frames, or hands them to a pseudowire."""
    return next(
        (
            " ".join(line.words[:1])
            for name, head in interface_sections(device.facts)
            if name in names
            for line in head.commands()
            if line.words[0] in _OF_FRAMES
        ),
        None,
    )


def _has_instances(main: Interface) -> bool:
    """Whether a service instance of an interface has an output policy."""
    return any(
        place.kind is PlaceKind.SERVICE_INSTANCE and place.policy.direction is Side.OUTPUT
        for place in main.place_policies
    )
