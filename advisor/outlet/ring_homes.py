"""Every place where a `tx-ring-limit` is configured, whether or not a policy queues there."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts import Stated
from advisor.facts.attachments import attachments, interface_line
from advisor.facts.interface import Interface, Pvc, Side
from advisor.ground.questions import derived
from advisor.model import Framing
from advisor.outlet.carriers import bundle_of, carriers_of, mtu_of
from advisor.outlet.framing import Encapsulation, encapsulation_at
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.parts import mtu_input, policy_queues
from advisor.outlet.plain import default_wfq
from advisor.outlet.ring import RingFact, ring_of
from advisor.outlet.wires import wire_rate


class RingHome(Struct, frozen=True):
    """A configured ring: where it is set, what it is, and whether software queues before it."""

    label: str
    section: tuple[str, ...]
    interface: Interface
    pvc: Pvc | None
    stated: Stated[int]
    ring: RingFact
    mtu_bytes: int
    framing: Framing
    queues_before: bool


def ring_homes(device: Device) -> Iterator[RingHome]:
    """All configured rings of interfaces that are not shut down."""
    queueing = _queueing_points(device)
    for interface in device.facts.interfaces:
        if interface.shutdown:
            continue
        for pvc in (None, *interface.pvcs):
            stated = pvc.tx_ring_limit if pvc is not None else interface.tx_ring_limit
            if stated is not None:
                home = _home(device, interface, pvc, stated, queueing)
                if home is not None:
                    yield home


def default_ring(device: Device, interface: Interface, pvc: Pvc | None) -> RingFact | None:
    """The ring that IOS gives an interface or circuit without `tx-ring-limit`.

    None where the platform's default is not known, and for a member of a bundle: sources differ on
    whether a policy of the bundle shortens its ring.
    """
    ring = None if interface.multilink.group is not None else freed_ring(device, interface, pvc)
    return ring if ring is not None and ring.platform_known else None


def freed_ring(device: Device, interface: Interface, pvc: Pvc | None) -> RingFact | None:
    """The ring without `tx-ring-limit`, over all platforms where it is not known which it is."""
    bare = replace(interface, tx_ring_limit=None)
    circuit = replace(pvc, tx_ring_limit=None) if pvc is not None else None
    rate = wire_rate(bare, circuit, device.facts.main_of(interface))
    queues = _queues_before(interface, pvc, _queueing_points(device))
    rate_bps = rate.value if rate else None
    return ring_of(bare, circuit, device.platform, rate_bps, queueing=queues)


def _queues_before(interface: Interface, pvc: Pvc | None, queueing: frozenset[str]) -> bool:
    """Whether software queues before a ring: a policy, WFQ by default, or a PPP session."""
    if pvc is None:
        return (interface.parent or interface.name) in queueing or default_wfq(interface)
    label = f"{interface_line(interface)} > {pvc.label}"
    return label in queueing or default_wfq(interface) or pvc.carries_ppp


def _home(
    device: Device,
    interface: Interface,
    pvc: Pvc | None,
    stated: Stated[int],
    queueing: frozenset[str],
) -> RingHome | None:
    enter = interface_line(interface)
    section = (enter, pvc.label) if pvc else (enter,)
    queues = _queues_before(interface, pvc, queueing)
    outlet = _by_ring(device).get(section)
    if outlet is not None:
        ring, encapsulation, mtu_bytes = outlet.ring, outlet.encapsulation, int(outlet.mtu.value)
    else:
        ring, encapsulation, mtu_bytes = _without_policy(device, interface, pvc, queues=queues)
    if ring is None:
        return None
    return RingHome(
        label=" > ".join(section),
        section=section,
        interface=interface,
        pvc=pvc,
        stated=stated,
        ring=ring,
        mtu_bytes=mtu_bytes,
        framing=encapsulation.high if encapsulation is not None else Framing(0),
        queues_before=queues,
    )


@derived
def _by_ring(device: Device) -> dict[tuple[str, ...], Outlet]:
    """Outputs by the configuration mode where their ring is set."""
    return {outlet.ring_section: outlet for outlet in reversed(outlets(device))}


def _without_policy(
    device: Device, interface: Interface, pvc: Pvc | None, *, queues: bool
) -> tuple[RingFact | None, Encapsulation | None, int]:
    """Ring, encapsulation and MTU where no policy is attached."""
    rate = wire_rate(interface, pvc, device.facts.main_of(interface))
    rate_bps = rate.value if rate else None
    ring = ring_of(interface, pvc, device.platform, rate_bps, queueing=queues)
    mtu = mtu_input(mtu_of(device.facts, interface, pvc))
    family = device.facts.family(interface.name)
    return ring, encapsulation_at(interface, family, pvc, session=False), int(mtu.value)


@derived
def _queueing_points(device: Device) -> frozenset[str]:
    """Main interfaces and circuits that some policy queues on, carriers of it included."""
    names = set()
    for attached in attachments(device.facts):
        policy = device.facts.policy_map(attached.attachment.policy)
        queues = policy is None or policy_queues(device.facts, policy)
        if attached.attachment.direction is Side.OUTPUT and queues:
            for carrier in carriers_of(device.facts, attached):
                section = " > ".join(carrier.section)
                main = carrier.interface.parent or carrier.interface.name
                names.add(section if carrier.pvc is not None else main)
                names.update(member.name for member in carrier.members)
    for interface in device.facts.interfaces:
        bundle = bundle_of(device.facts, interface)
        is_fair = bundle is not None and default_wfq(bundle)
        if interface.legacy_queueing or interface.circuits or interface.random_detect or is_fair:
            names.add(interface.parent or interface.name)
    return frozenset(names)
