"""Rates, MTU and fragments of an output, where a policy may queue, and lines not understood."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.facts import Stated
from advisor.facts.attachments import Attached, attachments, hiding, interface_line
from advisor.facts.config import Facts, Unread
from advisor.facts.interface import Interface, Multilink, Side
from advisor.facts.policy import PolicyClass, PolicyMap
from advisor.ground.quantity import Basis, Input, RateKind, exact
from advisor.ground.units import bytes_in_ms
from advisor.outlet.carriers import Carrier, carrying, channel_members, members_of, mtu_of
from advisor.outlet.nesting import CarrierShaper
from advisor.outlet.wires import (
    DEFAULT_SERIAL_BANDWIDTH_BPS,
    TUNNEL,
    is_ethernet,
    wire_rate,
)

# Rates, MTU and fragments of an output: the configured values and the defaults of IOS.

DEFAULT_MTU_BYTES = 1500
DEFAULT_FRAGMENT_DELAY_MS = 30.0  # ppp multilink fragment delay, where interleave stands alone


def sum_of_wires(members: Sequence[Interface]) -> Input | None:
    """Rate of the members of a bundle that are up: a label if the rate of one is a label."""
    known, up = wires_bps(members), carrying(members)
    if not known:
        return None
    rates = [wire_rate(member, None, None) for member in up]
    source = f"{len(up)} members: {', '.join(member.name for member in up)}"
    down = members_down(members)
    if down is not None:
        source = down
    labels = any(rate is not None and rate.is_label for rate in rates)
    kind = RateKind.BANDWIDTH_LABEL if labels else RateKind.MEMBERS
    is_seen = any(rate is not None and rate.basis is Basis.MEASURED for rate in rates)
    basis = Basis.MEASURED if is_seen or down is not None else Basis.CONFIGURED
    return exact("bundle_rate_bps", sum(known), basis, source, kind)


def members_down(members: Sequence[Interface]) -> str | None:
    """How many members are up beside which others; None where all are up, or none."""
    up = carrying(members)
    if len(up) == len(members):
        return None
    down = ((member.name, member.seen_down) for member in members if member.seen_down is not None)
    words = ", ".join(f"{name} is down ({seen.value}, {seen.at})" for name, seen in down)
    return f"{len(up)} of {len(members)} members: {words}"


def wires_bps(members: Sequence[Interface]) -> tuple[float, ...]:
    """Rates of the wires of members that are up; empty where one is not known."""
    rates = [wire_rate(member, None, None) for member in carrying(members)]
    known = tuple(rate.value for rate in rates if rate is not None)
    return known if len(known) == len(rates) else ()


def mtu_input(stated: Stated[int] | None) -> Input:
    if stated is not None:
        return exact("mtu_bytes", stated.value, Basis.CONFIGURED, f"mtu, {stated.at}")
    return exact("mtu_bytes", DEFAULT_MTU_BYTES, Basis.ASSUMED, "the largest packet of a LAN")


def is_frame_relay_shaped(attached: Attached, main: Interface) -> bool:
    """Whether Frame Relay traffic shaping of the interface holds a circuit to its map-class."""
    shaping = main.frame_relay_traffic_shaping
    return attached.circuit is not None and shaping is not None and shaping.value


def traffic_shaper(attached: Attached, main: Interface) -> CarrierShaper | None:
    """CIR of a circuit under Frame Relay traffic shaping; None without such shaping."""
    circuit = attached.circuit
    if circuit is None or circuit.cir_bps is None or not is_frame_relay_shaped(attached, main):
        return None
    return CarrierShaper(circuit.cir_bps.value)


# By default; of a tunnel 9 or 100 kb/s, by release, and not the rate of its port.
_BANDWIDTH_BPS: Final = {"Dialer": 56_000.0, "Virtual-Template": 100e6, TUNNEL: None}


def line_base_bps(attached: Attached, carrier: Carrier, wire: Input | None) -> float | None:
    """Base of `percent` where no shaper is around the policy.

    The rate of a PVC; the `bandwidth` of the interface or subinterface that the policy stands on
    (the sum over the members of a bundle; 1544 kb/s by default on a serial interface, its timeslots
    on a channel-group, 56 on a Dialer, whatever it dials); else the wire rate. A subinterface does
    not inherit `bandwidth`. Source: Cisco IOS QoS Command Reference, shape (percent); ipSpace, QoS
    Policing; printouts: a channel-group of 8 timeslots has BW 512, a bundle of 3 E1 5952, a Dialer
    56, of PPPoE too. That a Virtual-Template has 100000 is recalled.
    """
    interface = attached.interface
    if attached.pvc is not None:
        return wire.value if wire is not None else None
    if interface.bandwidth_bps is not None:
        return interface.bandwidth_bps.value
    if interface.type == TUNNEL or carrier.session is not None:
        return _BANDWIDTH_BPS[interface.type]
    if carrier.members:
        return sum(map(_serial_bandwidth_bps, carrying(carrier.members)))
    if interface.type == "Serial":
        return _serial_bandwidth_bps(interface)
    return wire.value if wire is not None else None


def _serial_bandwidth_bps(interface: Interface) -> float:
    """`bandwidth` of a serial interface, or what IOS takes for it."""
    if interface.bandwidth_bps is not None:
        return interface.bandwidth_bps.value
    is_channel_group = ":" in interface.name
    if is_channel_group and interface.timeslots_bps is not None:
        return interface.timeslots_bps.value
    if interface.seen_bandwidth_bps is not None:
        return interface.seen_bandwidth_bps.value
    return DEFAULT_SERIAL_BANDWIDTH_BPS


def admits_by_min_cir(attached: Attached, main: Interface, shaper: CarrierShaper | None) -> bool:
    """Whether IOS admits against the mincir: under FRTS, with no shaper of a policy around."""
    circuit = attached.circuit
    is_own = shaper is not None and shaper.shape is not None
    has_cir = circuit is not None and circuit.cir_bps is not None
    return has_cir and is_frame_relay_shaped(attached, main) and not is_own


def admission_base_bps(
    attached: Attached, main: Interface, shaper: CarrierShaper | None, base_bps: float | None
) -> float | None:
    """Base of `percent` in a policy that queues, and of admission.

    The shaper of the policy around it; under FRTS the mincir (half the CIR by default); else the
    base of the line.
    """
    circuit = attached.circuit
    if circuit is not None and admits_by_min_cir(attached, main, shaper):
        minimum, cir = circuit.min_cir_bps, circuit.cir_bps
        return minimum.value if minimum is not None else cir.value / 2 if cir is not None else None
    return shaper.rate_bps if shaper is not None else base_bps


def fragment_of(attached: Attached, main: Interface, wire: Input | None) -> Stated[float] | None:
    """Fragment size of LFI in bytes; None without LFI or where it does not interleave."""
    circuit = attached.circuit
    stated = circuit.fragment_bytes if circuit is not None else None
    stated = stated or attached.interface.frame_relay_fragment_bytes
    stated = stated or main.frame_relay_fragment_bytes
    if stated is not None:
        return Stated(float(stated.value), stated.at)
    multilink = attached.interface.multilink
    interleaves = multilink.interleave is not None and multilink.interleave.value
    if multilink.fragment_bytes is not None and interleaves:
        return Stated(float(multilink.fragment_bytes.value), multilink.fragment_bytes.at)
    return delay_fragment(multilink, fragment_base_bps(main, wire))


def fragment_base_bps(carrier: Interface, wire: Input | None) -> float | None:
    """Rate that IOS takes `ppp multilink fragment delay` of; None where it is not known.

    The `bandwidth` of a member, 1544 kb/s where it states none: not its clock. Source: Cisco 10000
    QoS guide, MLPPP; printouts of `show ppp multilink` (weight 1930 of an unset member at 10 ms).
    """
    if carrier.type == "Serial" and carrier.multilink.group is not None:
        return _serial_bandwidth_bps(carrier)
    return wire.value if wire is not None else None


def fragment_map_class(attached: Attached, main: Interface) -> str | None:
    """Map-class that sets the fragments of a circuit; None where the interface sets them."""
    circuit = attached.circuit
    if circuit is None or circuit.map_class is None or main.frame_relay_fragment_bytes is not None:
        return None
    return circuit.map_class.value


def delay_fragment(multilink: Multilink, base_bps: float | None) -> Stated[float] | None:
    """Fragment that takes `ppp multilink fragment delay`, 30 ms where interleave stands alone.

    None where nothing interleaves, the size itself is configured, or the rate is not known.
    """
    if base_bps is None or multilink.interleave is None or not multilink.interleave.value:
        return None
    if multilink.fragment_bytes is not None:
        return None
    delay = multilink.fragment_delay_ms or Stated(
        DEFAULT_FRAGMENT_DELAY_MS, multilink.interleave.at
    )
    return Stated(bytes_in_ms(base_bps, delay.value), delay.at)


def uninterleaved(facts: Facts, place: Interface) -> Stated[float] | Stated[int] | None:
    """The statement of MLPPP fragments that nothing goes between; None where none are made.

    A delay so long that every member sends a packet of the MTU within it cuts nothing: it is a
    common way to switch fragments off.
    """
    stated, delay_ms = place.multilink.uninterleaved, place.multilink.fragment_delay_ms
    if stated is None:
        return None
    if delay_ms is None:
        sizes: list[float | None] = [stated.value]
    else:
        links = members_of(facts, place) or (place,)
        rates = (fragment_base_bps(link, wire_rate(link, None, None)) for link in links)
        sizes = [None if rate is None else bytes_in_ms(rate, delay_ms.value) for rate in rates]
    mtu_bytes = mtu_input(mtu_of(facts, place)).value
    return stated if any(size is None or size < mtu_bytes for size in sizes) else None


def open_fragments(
    attached: Attached, wire: Input | None, *, session: bool
) -> tuple[Stated[float], ...]:
    """The two sizes of a fragment that is set as a delay, the smaller first; () where it is known.

    IOS takes the delay at a rate. For a PPP session in a PVC no source says whether that is the
    `bandwidth` of the template or the rate of the PVC.
    """
    label = attached.interface.bandwidth_bps
    if wire is None or not session or label is None or label.value == wire.value:
        return ()
    by_delay = delay_fragment(attached.interface.multilink, wire.value)
    if by_delay is None:
        return ()
    sizes = sorted((by_delay.value, by_delay.value * label.value / wire.value))
    return tuple(Stated(size, by_delay.at) for size in sizes)


def why_fragment_open(interface: Interface, sizes: Sequence[Stated[float]]) -> str | None:
    """Why a fragment is one of several sizes; None where it has one."""
    if not sizes:
        return None
    either = " or ".join(f"{size.value:.0f}" for size in sizes)
    return (
        f"the fragments are {either} bytes: no source says whether IOS takes the delay at the "
        f"`bandwidth` of {interface.name} or at the rate of the PVC"
    )


def circuit_number(attached: Attached) -> str | None:
    """Number of a PVC, DLCI or service instance as show outputs print it, else the NHRP group.

    None on an interface.
    """
    if attached.place is not None:
        return attached.place.name if attached.is_of_instance else attached.place.label
    if attached.pvc is not None:
        return f"{attached.pvc.vpi}/{attached.pvc.vci}"
    return str(attached.circuit.dlci) if attached.circuit is not None else None


def policy_queues(facts: Facts, policy: PolicyMap) -> bool:
    """Whether a policy queues, itself or in a policy nested in one of its classes."""
    children = map(facts.policy_map, policy.children)
    known = [policy, *(child for child in children if child is not None)]
    return any(policy_class.queues for member in known for policy_class in member.classes)


# Where a policy that queues may stand: not on a virtual interface by itself, not at two levels.
#
# Sources: printed refusals `CBWFQ : Not supported on subinterfaces`, `CBWFQ : Hierarchy supported
# only if shaping is configured in this class`, and `Class Based Weighted Fair Queueing not
# supported on this interface` on a tunnel; Cisco 10000 QoS guide for policies on both levels.

_VIRTUAL: Final = (TUNNEL, "Vlan")


def unshaped_classes(facts: Facts, attached: Attached) -> tuple[PolicyClass, ...]:
    """Classes that queue, themselves or in a child, on an output without a rate of its own.

    Such an output is a subinterface, a service instance, a tunnel or a VLAN interface: it is never
    full by itself, so a queue needs a shaper around it. A PVC and a circuit have a rate.
    """
    policy = facts.policy_map(attached.attachment.policy)
    is_output = attached.attachment.direction is Side.OUTPUT
    if policy is None or not is_output or not _is_without_rate(attached):
        return ()
    return without_shaper(facts, policy)


def without_shaper(facts: Facts, policy: PolicyMap) -> tuple[PolicyClass, ...]:
    """Classes of a policy that queue, themselves or in a child, and have no shaper.

    A policy with fragments has the queue and the shaper at the port that serves them.
    """
    if policy.fragment is not None:
        return ()
    return tuple(
        policy_class
        for policy_class in policy.classes
        if policy_class.shape is None and _queues(facts, policy_class)
    )


_NO_PORTS: Final = ("BDI", "BVI", "Loopback")  # which hand their packets to ports at once


def is_never_full(
    facts: Facts, attached: Attached, policy: PolicyMap, carrier: Carrier, *, is_qfp: bool
) -> bool:
    """Whether no packet waits at a place, for no shaper is around the classes of its policy.

    A session of PPPoE hands its frames to a port, and the modem behind it is slower, also where the
    session is of a bundle. Another bundle of MLP fills. A session without MLP over a PVC of ATM
    has no rate of its own: the PVC has (recalled); on QFP no session has one.
    Sources: Cisco 10106 and 10050 (tunnels, subinterfaces), 23706 (PPPoE); IOS XE 16.11, Shaping on
    Dialer Interfaces; ipSpace, ADSL QoS Basics (the modem).
    """
    home, session = attached.interface, carrier.session
    on_port = carrier.pvc is None and is_ethernet(carrier.interface)
    if session is not None:
        is_dialed = carrier.pvc is None and not is_qfp
        may_fill = not on_port and (speaks_mlp(session) or is_dialed)
    elif home.type == "Virtual-Template":
        may_fill = speaks_mlp(home)
    else:
        is_before_modem = on_port and bool(home.pool_memberships)
        has_no_port = home.type in _NO_PORTS or is_before_modem
        may_fill = attached.is_of_circuit or not (_is_without_rate(attached) or has_no_port)
    return not may_fill and bool(without_shaper(facts, policy))


def speaks_mlp(interface: Interface) -> bool:
    """Whether a Dialer or a Virtual-Template makes a bundle, also of one link."""
    stated = interface.multilink.ppp_multilink
    return stated is not None and stated.value


def _is_without_rate(attached: Attached) -> bool:
    """Whether a policy stands on a place without a rate of its own."""
    is_below = attached.is_of_instance or is_virtual(attached.interface)
    return is_below and not attached.is_of_circuit


def is_virtual(interface: Interface) -> bool:
    """Whether an interface has no rate of its own."""
    return interface.is_subinterface or interface.type in _VIRTUAL


def _queues(facts: Facts, policy_class: PolicyClass) -> bool:
    child = facts.policy_map(policy_class.child.value) if policy_class.child is not None else None
    return policy_class.queues or (child is not None and policy_queues(facts, child))


def on_both_levels(facts: Facts) -> Iterator[tuple[Attached, tuple[Attached, ...]]]:
    """Each policy that queues on a main interface, with those on its PVCs and subinterfaces.

    A main interface that only shapes all of its packets takes part: see `only_shapes`.
    """
    queueing: dict[str, list[Attached]] = {}
    for attached in attachments(facts):
        policy = facts.policy_map(attached.attachment.policy)
        is_output = attached.attachment.direction is Side.OUTPUT
        is_own = attached.place is None and not attached.interface.shutdown
        is_own &= policy is not None and policy.fragment is None
        if is_own and is_output and policy is not None and policy_queues(facts, policy):
            main = attached.interface.parent or attached.interface.name
            queueing.setdefault(main, []).append(attached)
    for places in queueing.values():
        mains = [place for place in places if not _is_below(place)]
        below = tuple(place for place in places if _is_below(place))
        if mains and below:
            yield mains[0], below


def _is_below(attached: Attached) -> bool:
    return attached.is_of_circuit or attached.interface.is_subinterface


def behind_tunnels(
    facts: Facts, *, of_groups: bool, with_shape_alone: bool = False
) -> Iterator[tuple[Attached, tuple[Attached, ...]]]:
    """Each policy that queues on the port of a tunnel that queues too: itself, or in NHRP groups.

    The port may have class-default with `shape` alone: Cisco, Per-Tunnel QoS for DMVPN. A tunnel
    itself queues where its policy has a shaper around the classes. `with_shape_alone` tells of
    such a port too: 12.4T takes no policy there.
    """
    out = [
        attachment
        for attachment in attachments(facts)
        if attachment.attachment.direction is Side.OUTPUT and not attachment.interface.shutdown
    ]
    inner = [
        item
        for item in out
        if item.interface.type == TUNNEL
        and (item.place is not None) is of_groups
        and _is_queueing(facts, item)
        and (of_groups or not unshaped_classes(facts, item))
    ]
    if not inner:
        return
    for tunnel in hiding(facts).tunnels:
        own = tuple(item for item in inner if item.interface.name == tunnel.interface.name)
        ports = (tunnel.source.name, tunnel.source.parent)
        for port in out if own else ():
            policy = facts.policy_map(port.attachment.policy)
            is_here = port.interface.name in ports and port.place is None
            if not is_here or policy is None or not _is_queueing(facts, port):
                continue
            if with_shape_alone or not only_shapes(policy):
                yield port, own


def _is_queueing(facts: Facts, attached: Attached) -> bool:
    policy = facts.policy_map(attached.attachment.policy)
    return policy is not None and policy_queues(facts, policy)


def only_shapes(policy: PolicyMap) -> bool:
    """Whether a policy does nothing but shape all packets: it has one class and no queues in it."""
    only = policy.classes[0] if len(policy.classes) == 1 else None
    return only is not None and only.is_default and only.shape is not None and only.child is None


# Lines that are not understood, of the sections that an output depends on.

_VC_CLASS: Final = "vc-class atm "
_VC_RATES: Final = frozenset(("abr", "cbr", "ubr", "ubr+", "vbr-nrt", "vbr-rt"))
_FRAGMENT: Final = re.compile(r"(?i)(?:frame-relay|ppp\s+multilink)\s+fragment")
_CIR: Final = frozenset(("cir", "traffic-rate"))


def has_unread_section(facts: Facts, attached: Attached, carrier: Carrier) -> bool:
    """Whether a line of a section that the output depends on is not understood.

    These are the interfaces that carry its packets, with their main interfaces and bundle, its
    circuit and the map-class. Which vc-class a circuit has is not kept: a line of any counts.
    """
    return bool(facts.unread) and any(_of_output(facts, attached, carrier))


def why_shaper_unread(facts: Facts, attached: Attached, carrier: Carrier) -> str | None:
    """Why the CIR of a circuit under Frame Relay traffic shaping is not known; None where it is."""
    circuit = attached.circuit
    main = facts.main_of(carrier.interface)
    if circuit is None or circuit.cir_bps is not None or not is_frame_relay_shaped(attached, main):
        return None
    for line in _of_output(facts, attached, carrier):
        if line.may_set(_CIR):
            return f"the shaper is not known: {line.at} is not understood"
    return None


def why_fragment_unread(facts: Facts, attached: Attached, carrier: Carrier) -> str | None:
    """Why the fragments of an output are not known; None where a line that is understood says."""
    main = facts.main_of(carrier.interface)
    circuit, multilink = attached.circuit, attached.interface.multilink
    stated = (
        circuit.fragment_bytes if circuit is not None else None,
        attached.interface.frame_relay_fragment_bytes,
        main.frame_relay_fragment_bytes,
        multilink.fragment_bytes,
        multilink.fragment_delay_ms,
    )
    if any(item is not None for item in stated):
        return None
    for line in _of_output(facts, attached, carrier):
        if _FRAGMENT.match(line.text):
            return f"the fragments are not known: {line.at} is not understood"
    return None


def is_rate_unread(facts: Facts, attached: Attached, carrier: Carrier) -> bool:
    """Whether the rate of an ATM circuit stands in a line that is not understood."""
    if carrier.pvc is None or carrier.pvc.rate is not None:
        return False
    lines = _of_output(facts, attached, carrier)
    return any(line.text.lower().split(None, 1)[0] in _VC_RATES for line in lines)


def _of_output(facts: Facts, attached: Attached, carrier: Carrier) -> Iterator[Unread]:
    if not facts.unread:
        return
    heads = set(_heads(facts, attached, carrier))
    for line in facts.unread:
        is_of_vc = carrier.pvc is not None and line.under.startswith(_VC_CLASS)
        if line.under in heads or is_of_vc:
            yield line


def _heads(facts: Facts, attached: Attached, carrier: Carrier) -> Iterator[str]:
    """The sections of an output, as a line that is not understood names its own."""
    yield from (" > ".join(attached.section), " > ".join(carrier.section))
    main = facts.main_of(carrier.interface)
    interfaces: list[Interface] = [attached.interface, carrier.interface, main, *carrier.members]
    interfaces += channel_members(facts, main)
    if carrier.session is not None:
        interfaces.append(carrier.session)
    yield from map(interface_line, interfaces)
    circuit = attached.circuit
    if circuit is not None:
        yield f"{interface_line(attached.interface)} > frame-relay interface-dlci {circuit.dlci}"
        if circuit.map_class is not None:
            yield f"map-class frame-relay {circuit.map_class.value}"
