"""Rates and bursts of priority classes."""

from collections.abc import Iterator
from math import ceil
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.config import Facts
from advisor.facts.policy import PolicyClass, PolicyMap, Unit
from advisor.ground.quantity import (
    Basis,
    Input,
    RateKind,
    exact,
    plain,
    point,
    rate_words,
)
from advisor.ground.units import kbps_from_bps, percent_from_ratio
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.class_bandwidth import (
    PEAK_BASE,
    at_link_rate,
    at_stated_rate,
    in_force,
)
from advisor.outlet.link_rates import why_not_compared
from advisor.outlet.nesting import branches
from advisor.outlet.offer import Offer
from advisor.outlet.operations import is_for_voice, offers_at
from advisor.outlet.outlet import Outlet, held_rate_bps
from advisor.outlet.outlets import policies_out
from advisor.outlet.rated_classes import RatedClass, rated_classes_of
from advisor.settings import StatedBursts
from advisor.settings.traffic_keys import load_codecs

# A burst of the LLQ's policer that one packet, or one burst of the class, does not fit in.

_LARGE_CODEC: Final = "G.711"
_SMALL_CODEC: Final = "G.729"
_WITHOUT_WRED: Final = (
    "in class {0} first `no random-detect`, which IOS refuses beside `priority`, then {1}, "
    "in a window: the policer starts anew"
)
_LOST_SINGLY: Final = "packets of this size that are dropped while the line is full"


class SmallBurstParams(Struct, frozen=True):
    """IP bytes of the largest voice packet where nothing says which one: G.711 with 20 ms."""

    voice_packet_bytes: int


class SmallBurst(Struct, frozen=True):
    """The burst, and what it has to hold, in bytes as IOS counts them."""

    class_name: str
    policy_map: str
    burst_bytes: int
    needed_bytes: int
    what: str  # "one packet of 214 bytes (assumed)"
    rate: str  # of the `priority` statement: "64", "percent 10"


class _NeededBurst(Struct, frozen=True):
    """Bytes that the burst has to hold, and of what they are."""

    size_bytes: int
    what: str
    basis: Basis
    packets: int = 1


def find_llq_burst_too_small(device: Device, params: SmallBurstParams) -> Found[SmallBurst]:
    """Yield a hit for each priority class whose stated burst is too small, once for its policy.

    Only a burst that the configuration states is judged: the default of 200 ms holds many packets.
    """
    seen = set()
    for outlet in policies_out(device):
        offers = {offer.class_name: offer for offer in offers_at(device, outlet)}
        for llq_class in outlet.llq_classes:
            burst_bytes = _burst_bytes(llq_class)
            place = (outlet.queueing.name, llq_class.name)
            if burst_bytes is None or place in seen:
                continue
            offer = offers.get(llq_class.name)
            if (offer is None or not offer.sizes) and not is_for_voice(device, llq_class.name):
                continue  # the size of its packets is not known
            own = (item for item in rated_classes_of(device, outlet) if item.llq_class is llq_class)
            rated = next(own, None)
            need = _need(outlet, offer, rated, params.voice_packet_bytes)
            if burst_bytes < need.size_bytes:
                seen.add(place)
                yield _small_burst(outlet, llq_class, burst_bytes, need)


def _burst_bytes(llq_class: PolicyClass) -> int | None:
    """The stated burst of `priority`, or of the class's own `police`."""
    if llq_class.priority is not None and llq_class.priority.burst_bytes is not None:
        return llq_class.priority.burst_bytes
    return llq_class.police.burst_bytes if llq_class.police is not None else None


def _need(
    outlet: Outlet, offer: Offer | None, rated: RatedClass | None, voice_packet_bytes: int
) -> _NeededBurst:
    """The largest packet, or a burst of packets, with the header that IOS counts.

    Of unknown packets that of the codec whose calls the rate carries, of two calls together.
    """
    counted = outlet.counted_bytes
    if offer is None or not offer.sizes:
        if rated is not None and not rated.calls(_LARGE_CODEC)[0]:
            _, packet = load_codecs().packet(_SMALL_CODEC)
            size = packet.ip_bytes + counted
            is_pair = rated.calls(_SMALL_CODEC)[0] > 1
            head = "a pair of voice packets" if is_pair else "one voice packet"
            why = f"{_SMALL_CODEC} assumed: the rate carries no call of {_LARGE_CODEC}"
            what = f"{head} of {size} bytes ({why})"
            packets = 2 if is_pair else 1
            return _NeededBurst(packets * size, what, Basis.ASSUMED, packets)
        size = voice_packet_bytes + counted
        return _NeededBurst(size, f"one voice packet of {size} bytes (assumed)", Basis.ASSUMED)
    size = ceil(max(part.ip_bytes for part in offer.sizes)) + counted
    if isinstance(offer.pattern, StatedBursts):
        packets = offer.pattern.packets
        what = f"a burst of {packets} packets of {size} bytes"
        return _NeededBurst(packets * size, what, offer.basis, packets)
    return _NeededBurst(size, f"one packet of {size} bytes ({offer.basis})", offer.basis)


def _small_burst(
    outlet: Outlet, llq_class: PolicyClass, burst_bytes: int, need: _NeededBurst
) -> Hit[SmallBurst]:
    priority, police = llq_class.priority, llq_class.police
    by_priority = priority is not None and priority.burst_bytes is not None
    stated = priority if by_priority else police
    is_known = by_priority and bool(_rate(llq_class))
    has_wred = llq_class.wred is not None  # beside `priority`: no rollback could enter it again
    lost = None
    if need.packets == 1:
        sizes = exact("burst_bytes", burst_bytes, Basis.CONFIGURED, str(outlet.queueing.at))
        after = point(0.0, "%") if is_known else None
        lost = Forecast(_LOST_SINGLY, point(100.0, "%"), after, (sizes,))
    return Hit(
        outlet.queueing.path_of(llq_class.name),
        (outlet.at if stated is None else stated.at,),
        SmallBurst(
            llq_class.name,
            outlet.queueing.name,
            burst_bytes,
            need.size_bytes,
            need.what,
            _rate(llq_class),
        ),
        Confidence.LIKELY if need.basis is not Basis.ASSUMED else Confidence.POSSIBLE,
        lost,
        curable=is_known and not has_wred,
        advice=_WITHOUT_WRED.format(llq_class.name, f"`priority {_rate(llq_class)}`")
        if is_known and has_wred
        else None,
    )


def _rate(llq_class: PolicyClass) -> str:
    """The rate of a `priority` statement as it is written; empty where it has none."""
    priority = llq_class.priority
    if priority is None or priority.amount is None:
        return ""
    words = "percent " if priority.unit is Unit.PERCENT else ""
    return f"{words}{plain(priority.amount)}"


# A priority queue that takes too much of the link starves and delays all else.


class PriorityShareParams(Struct, frozen=True):
    """Largest share of the link rate that priority may reserve, in percent."""

    priority_share_percent: float


class PriorityShare(Struct, frozen=True):
    """The part of the link that priority reserves."""

    policy_map: str
    priority: str
    link: str
    share_percent: float
    limit_percent: float


def find_priority_share_too_high(
    device: Device, params: PriorityShareParams
) -> Found[PriorityShare]:
    """Yield a hit for each output whose rated priority is over the share.

    A rate is that of `priority`, or of the class's `police` where `priority` has none. A percentage
    is of the rate that IOS takes, as it is in force: LLQ008 and CBW004 say where that is not the
    link's. Policies that are attached nowhere are judged where a shaper in them gives the rate.
    """
    for outlet in map(in_force, policies_out(device)):
        if not outlet.llq_classes:
            continue
        link, why_not = outlet.link, why_not_compared(device, outlet)
        if link is None or why_not is not None:
            yield Skip(outlet.policy_label, why_not or outlet.why_rate_unknown)
            continue
        place = _PriorityPolicy(outlet.policy_label, outlet.queueing, link, outlet.at)
        if (hit := _judged(place, outlet.admission_bps, params)) is not None:
            if _judged(place, at_stated_rate(outlet).admission_bps, params) is None:
                yield Skip(outlet.policy_label, PEAK_BASE)
                continue
            right = _judged(place, at_link_rate(outlet).admission_bps, params)
            yield hit if right is not None else replace(hit, advice=_WRONG_BASE)
    for place in _unattached(device.facts):
        if (hit := _judged(place, place.link.value, params)) is not None:
            yield hit


_WRONG_BASE: Final = (
    "make the rate that IOS takes percentages of that of the line, as CBW004 or LLQ008 says: the "
    "share is then within the rule, and fewer calls are carried"
)


class _PriorityPolicy(Struct, frozen=True):
    """A policy with priority classes, and the rate that it shares out."""

    label: str
    policy: PolicyMap
    link: Input
    at: Location


def _unattached(facts: Facts) -> Iterator[_PriorityPolicy]:
    """Policies in a shaper that is in a policy-map which is neither attached nor nested."""
    used = {attached.attachment.policy for attached in attachments(facts)}
    used |= {policy.policy for policy in facts.other_policies}
    for policy in facts.policy_maps:
        used.update(policy.children)
    for policy in facts.policy_maps:
        for branch in () if policy.name in used else branches(facts, policy, None, None):
            shaper = branch.shaper
            if shaper is not None and shaper.shape is not None:
                source = f"shape, {shaper.shape.at}"
                link = exact(
                    "link_rate_bps", shaper.rate_bps, Basis.CONFIGURED, source, RateKind.SHAPER
                )
                label = f"policy-map {policy.name}{branch.path}"
                yield _PriorityPolicy(label, branch.queueing, link, shaper.shape.at)


def _judged(
    place: _PriorityPolicy, base_bps: float | None, params: PriorityShareParams
) -> Hit[PriorityShare] | None:
    rates = [
        (priority.at, held_rate_bps(queue_class, base_bps))
        for queue_class in place.policy.classes
        if (priority := queue_class.priority) is not None
    ]
    rated_bps = sum(rate_bps for _, rate_bps in rates if rate_bps is not None)
    link, limit_percent = place.link, params.priority_share_percent
    share = percent_from_ratio(rated_bps / link.value)
    if not _is_over(share, limit_percent):
        return None
    inputs = (link, exact("priority_bps", rated_bps, Basis.CONFIGURED, "priority statements"))
    return Hit(
        place.label,
        (*(at for at, _ in rates), place.at),
        PriorityShare(
            policy_map=place.policy.name,
            priority=rate_words(kbps_from_bps(rated_bps)),
            link=rate_words(kbps_from_bps(link.value)),
            share_percent=share,
            limit_percent=limit_percent,
        ),
        Confidence.LIKELY if link.is_label else Confidence.CERTAIN,
        Forecast("priority share of the link", point(share, "%"), None, inputs),
    )


def _is_over(share_percent: float, limit_percent: float) -> bool:
    """Whether a share is over a limit, compared with as many decimals as the limit has.

    33 % is the design rule of a third of the link: 256 of 768 kb/s keep it.
    """
    decimals = len(plain(limit_percent).partition(".")[2])
    return round(share_percent, decimals) > limit_percent


# `priority` without a rate and without a policer can starve every other class.


class UnratedPriority(Struct, frozen=True):
    """The class without a rate and without a policer."""

    policy_map: str
    class_name: str


def find_priority_without_rate(device: Device) -> Found[UnratedPriority]:
    """Yield a hit for each priority class with neither a rate nor a policer."""
    for policy, policy_class in device.facts.policy_classes:
        if policy_class.priority is None or policy_class.priority.unit is not Unit.STRICT:
            continue
        if policy_class.police is None:
            label = policy.path_of(policy_class.name)
            evidence = UnratedPriority(policy.name, policy_class.name)
            yield Hit(label, (policy_class.priority.at,), evidence, Confidence.CERTAIN)
