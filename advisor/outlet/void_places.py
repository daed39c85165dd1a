"""Attached policies that queue no packet: their place carries none, or has no queue of its own.

Sources: Cisco feature guide `Low Latency Queueing for Frame Relay` (12.1(2)T), which has the queue
of a circuit where Frame Relay traffic shaping is configured; its guide `MQC-Based Frame Relay
Traffic Shaping` for a policy that is itself the shaper; Cisco 9500 for PPP on members; Cisco 10102:
a bundle queues on its Multilink interface; `Aggregate EtherChannel QoS` of IOS XE 16.12: a
port-channel queues with `platform qos port-channel-aggregate`.
"""

from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise
from typing import Final

from msgspec import Struct

from advisor.device.device import Device, is_surely_missing
from advisor.device.platforms import SWITCHES, Family
from advisor.facts.attachments import Attached, attachments, may_queue, shapes
from advisor.facts.config import Facts
from advisor.facts.interface import Interface, Side
from advisor.facts.policy import PolicyMap
from advisor.ground.questions import derived
from advisor.outlet.carriers import bundle_of, group_of, in_pool, joins, members_of
from advisor.outlet.parts import circuit_number, policy_queues

_SWITCHES: Final = (*SWITCHES, Family.OTHER)
_POOL_WORDS: Final = ("pool-member", "dial-pool-number")  # of a VPDN group and the like, too


class Lack(StrEnum):
    """Lacks that keep the policy of a place from queueing."""

    TRAFFIC_SHAPING = "frame-relay traffic-shaping"
    PPP = "encapsulation ppp of the members"
    MEMBER = "a member"
    POOL_MEMBER = "a member of the dialer pool"
    BUNDLE = "packets: its bundle queues them"
    MEMBER_UP = "a member that is not shut down"  # shut on purpose, as an interface is
    AGGREGATE = "platform qos port-channel-aggregate"


class VoidPlace(Struct, frozen=True):
    """An attached policy that queues no packet; `home` is the interface that has the lack.

    `members` are those of the bundle that do not join it.
    """

    attached: Attached
    policy: PolicyMap
    lack: Lack
    home: Interface
    members: tuple[Interface, ...] = ()

    @property
    def carries_nothing(self) -> bool:
        """Whether no packet leaves by the place at all: others leave without its queues."""
        lacks = (Lack.TRAFFIC_SHAPING, Lack.BUNDLE, Lack.AGGREGATE)
        return self.lack not in lacks


@derived
def void_places(device: Device) -> tuple[VoidPlace, ...]:
    """All policies for output that queue no packet where they are attached, in document order."""
    return tuple(_found(device))


def _found(device: Device) -> Iterator[VoidPlace]:
    for attached in attachments(device.facts):
        policy = device.facts.policy_map(attached.attachment.policy)
        is_output = attached.attachment.direction is Side.OUTPUT
        if not is_output or policy is None or attached.interface.shutdown:
            continue
        if not policy_queues(device.facts, policy) or _is_counted(device, attached):
            continue
        bundle = bundle_of(device.facts, attached.interface)
        if bundle is not None:
            found: VoidPlace | None = VoidPlace(attached, policy, Lack.BUNDLE, bundle)
        elif attached.circuit is not None:
            found = _of_circuit(device.facts, attached, policy)
        elif attached.interface.type == "Virtual-Template":
            found = _of_template(device.facts, attached, policy)
        elif attached.interface.type == "Multilink":
            found = _of_bundle(device, attached, policy)
        else:
            found = _of_dialer(device, attached, policy) or _of_channel(device, attached, policy)
        if found is not None:
            yield found


def _is_counted(device: Device, attached: Attached) -> bool:
    """Whether counters show the policy at its place: whatever the text lacks, it queues."""
    place = attached.interface.name, "output", circuit_number(attached)
    return bool(device.seen.policies) and device.seen.policy(*place) is not None


def _of_circuit(facts: Facts, attached: Attached, policy: PolicyMap) -> VoidPlace | None:
    main = facts.interface(attached.interface.parent or attached.interface.name)
    if main is None or attached.circuit is None or may_queue(facts, main, attached.circuit):
        return None
    return VoidPlace(attached, policy, Lack.TRAFFIC_SHAPING, main)


def _of_template(facts: Facts, attached: Attached, policy: PolicyMap) -> VoidPlace | None:
    """A session of PPP over circuits that nothing shapes: it never fills, its port does."""
    name = attached.interface.name
    carriers = [
        (facts.main_of(interface), circuit)
        for interface in facts.interfaces
        for circuit in interface.circuits
        if circuit.ppp_interface is not None and circuit.ppp_interface.value == name
    ]
    is_served = any(may_queue(facts, main, circuit) for main, circuit in carriers)
    if not carriers or is_served or shapes(facts, policy.name):
        return None
    return VoidPlace(attached, policy, Lack.TRAFFIC_SHAPING, carriers[0][0])


def _of_bundle(device: Device, attached: Attached, policy: PolicyMap) -> VoidPlace | None:
    facts, bundle = device.facts, attached.interface
    if members_of(facts, bundle):
        return None
    group = group_of(facts, bundle)
    not_joined = tuple(item for item in group if not joins(facts, item))
    if any(item.shutdown and joins(facts, item) for item in group):
        return VoidPlace(attached, policy, Lack.MEMBER_UP, bundle)
    if not_joined:
        return VoidPlace(attached, policy, Lack.PPP, bundle, not_joined)
    if not _is_whole(device, "ppp", "multilink-group"):
        return None
    return VoidPlace(attached, policy, Lack.MEMBER, bundle)


def _of_dialer(device: Device, attached: Attached, policy: PolicyMap) -> VoidPlace | None:
    dialer = attached.interface
    if dialer.dialer_pool is None:
        return None
    pool = dialer.dialer_pool.value
    carriers = in_pool(device.facts, pool)
    if carriers:
        is_shut = all(carrier.shutdown for carrier in carriers)
        return VoidPlace(attached, policy, Lack.MEMBER_UP, dialer) if is_shut else None
    if not _is_whole(device, "dialer", "pppoe-client"):
        return None
    pairs = (pair for line in device.facts.tree.walk() for pair in pairwise(line.words))
    if any(name in _POOL_WORDS and number == str(pool) for name, number in pairs):
        return None
    return VoidPlace(attached, policy, Lack.POOL_MEMBER, dialer)


def _of_channel(device: Device, attached: Attached, policy: PolicyMap) -> VoidPlace | None:
    channel = attached.interface
    if channel.type != "Port-channel" or channel.is_subinterface or attached.place is not None:
        return None
    is_open = channel.name.removeprefix(channel.type) in device.facts.channel_aggregates
    is_open |= device.platform.family in _SWITCHES  # not judged: nothing is known of their channels
    if is_open or not _is_whole(device, "platform"):
        return None
    return VoidPlace(attached, policy, Lack.AGGREGATE, channel)


def instances_of_aggregates(facts: Facts) -> Iterator[Attached]:
    """Policies that queue on service instances of an aggregate port-channel: IOS XE has none."""
    for attached in attachments(facts):
        number = attached.interface.name.removeprefix("Port-channel")
        if not attached.is_of_instance or number not in facts.channel_aggregates:
            continue
        policy = facts.policy_map(attached.attachment.policy)
        is_output = attached.attachment.direction is Side.OUTPUT
        if is_output and policy is not None and policy_queues(facts, policy):
            yield attached


def _is_whole(device: Device, *commands: str) -> bool:
    """Whether the text holds all interfaces, and understands these commands of each."""
    unread = (line.text.lower().removeprefix("no ").split()[:1] for line in device.facts.unread)
    return is_surely_missing(device, ()) and not any(own[0] in commands for own in unread if own)
