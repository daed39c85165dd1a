"""Checks of policers: a burst that TCP, or a single packet, does not fit in."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attached_policies
from advisor.facts.packet_set import ALL_DSCPS, Box
from advisor.facts.policy import Police, PolicyClass, PolicyMap
from advisor.facts.traffic_kinds import TrafficKind, traffic_of
from advisor.ground.quantity import rate_words
from advisor.ground.units import bytes_in_ms, kbps_from_bps, serialization_ms
from advisor.lint.checks.base import Found, Hit, RoundTripParams, Skip
from advisor.lint.checks.llq import reaching
from advisor.lint.findings import Confidence
from advisor.outlet.outlet import police_burst_bytes
from advisor.outlet.parts import DEFAULT_MTU_BYTES

_ADVISED_MS: Final = 1500.0
_ONE_PACKET: Final = "a packet of {} bytes never conforms, however little is sent"
_ROUND_TRIP: Final = "{:.0f} ms of the rate, less than a round trip of {:g} ms: TCP stays below it"
_BULK: Final = (TrafficKind.BULK, None)


class SmallPoliceBurst(Struct, frozen=True):
    """The policer, what its burst does not hold, and the bursts that IOS and the guides take."""

    class_name: str
    policy_map: str
    burst_bytes: int
    rate: str
    lack: str
    default_bytes: int
    advised_bytes: int


def find_police_burst_too_small(device: Device, params: RoundTripParams) -> Found[SmallPoliceBurst]:
    """Yield a hit for each class that may carry TCP and drops what is over a small burst.

    What a second rate or another marking lets pass is not dropped. The burst of a priority class is
    LLQ004's, and the control plane is no way of TCP through the device.
    """
    for policy in attached_policies(device.facts):
        for policy_class, boxes in _classes(device, policy):
            police = policy_class.police
            if police is None or police.burst_bytes is None or not _is_hard(policy_class, police):
                continue
            label = policy.path_of(policy_class.name)
            if boxes is None:
                yield Skip(label, "what its class-map matches is not read in full")
            elif policy_class.is_default or any(map(_may_be_tcp, boxes)):
                yield from _judged(policy, policy_class, police, params)


def _classes(
    device: Device, policy: PolicyMap
) -> Iterator[tuple[PolicyClass, tuple[Box, ...] | None]]:
    for member in reaching(device, policy):
        if not member.broken:
            yield member.policy_class, member.boxes
    yield from ((own, ()) for own in policy.classes if own.is_default)


def _is_hard(policy_class: PolicyClass, police: Police) -> bool:
    """Whether a policer that is not of an LLQ drops all that is over its burst."""
    is_single = police.peak_rate_bps is None and not police.excess_bytes
    return policy_class.priority is None and is_single and police.drops


def _may_be_tcp(box: Box) -> bool:
    """Whether packets of a box are bulk data, or may be: neither UDP nor of a code of others."""
    if box.protocol not in (None, "tcp") or traffic_of(box) not in _BULK:
        return False
    named = any(condition.kind == "protocol" for condition in box.conditions)
    return traffic_of(box) is TrafficKind.BULK or (box.dscps != ALL_DSCPS and not named)


def _judged(
    policy: PolicyMap, policy_class: PolicyClass, police: Police, params: RoundTripParams
) -> Iterator[Hit[SmallPoliceBurst]]:
    burst_bytes, rate_bps = police.burst_bytes or 0, police.rate_bps
    if rate_bps is None:
        return
    lasts_ms = serialization_ms(burst_bytes, rate_bps)
    if burst_bytes < DEFAULT_MTU_BYTES:
        lack = _ONE_PACKET.format(DEFAULT_MTU_BYTES)
    elif lasts_ms < params.rtt_ms:
        lack = _ROUND_TRIP.format(lasts_ms, params.rtt_ms)
    else:
        return
    yield Hit(
        policy.path_of(policy_class.name),
        (police.at,),
        SmallPoliceBurst(
            policy_class.name,
            policy.name,
            burst_bytes,
            rate_words(kbps_from_bps(rate_bps)),
            lack,
            int(police_burst_bytes(rate_bps)),
            int(bytes_in_ms(rate_bps, _ADVISED_MS)),
        ),
        Confidence.LIKELY,
    )
