"""Who gets the rate that no class reserves, and how many conversations fair queueing holds."""

from collections.abc import Sequence

from msgspec import Struct

from advisor.device.platform import Decision, Generation
from advisor.facts.policy import CLASS_DEFAULT, PolicyClass, Unit
from advisor.ground.quantity import Basis, Input, rate_words
from advisor.ground.units import bps_from_kbps, kbps_from_bps, ratio_from_percent
from advisor.model import Excess
from advisor.outlet.class_bandwidth import guarantee_bps
from advisor.outlet.class_bandwidth import room_bps as base_of_remaining_bps
from advisor.outlet.offer import Offer
from advisor.outlet.outlet import Outlet

# Who gets the rate that no class reserves: the rule of a platform, and the part of each class.

_LEAST_PERCENT = 1.0  # what HQF keeps for a class-default without bandwidth
_FIXED = (Unit.KBPS, Unit.PERCENT)


class LineShare(Struct, frozen=True):
    """Share of the line of a class below the LLQ.

    `guarantee_bps` is its minimum rate, 0 where weights alone divide the line. `weight` counts for
    what no class claims. `share_bps` is its rate while all classes have packets waiting.
    """

    guarantee_bps: float
    weight: float
    share_bps: float


NO_PART = LineShare(0.0, 0.0, 0.0)  # of a priority class


def excess_rules(outlet: Outlet, platform: Decision) -> tuple[Excess, ...]:
    """The rules that the output may have, that of the generation taken first.

    Before HQF weights divide the rate (Cisco 10100). HQF gives the rate without a guarantee to
    classes without one (measured on 15.0(1)M at 2 Mb/s: classes of 20 and 30 % get 418 and 613
    kb/s, class-default 997). QFP adds equal parts (Cisco IOS XE 16.11 MQC guide); no source says
    what other IOS XE does. Without a guarantee the rules are one.
    """
    if not any(_is_fixed(policy_class) for policy_class in _lower(outlet)):
        return (Excess.PROPORTIONAL,)
    return tuple(
        dict.fromkeys(
            rule for generation in platform.generations for rule in _rules_of(generation, platform)
        )
    )


def _rules_of(generation: Generation, platform: Decision) -> tuple[Excess, ...]:
    match generation:
        case Generation.PRE_HQF:
            return (Excess.PROPORTIONAL,)
        case Generation.HQF:
            return (Excess.UNRESERVED_FIRST,)
        case Generation.XE:
            known = (Excess.EQUAL,)
            return known if platform.is_qfp else (*known, Excess.UNRESERVED_FIRST)


def class_parts(outlet: Outlet, excess: Excess) -> dict[str, LineShare]:
    """The part of each class below the LLQ, class-default whether it is written or not.

    By weights (before HQF) no rate is guaranteed, and each class has the part of its weight. Where
    the unreserved goes to classes without `bandwidth` (HQF), those with one have exactly that. QFP
    gives each class its `bandwidth` and an equal part of the rest.
    """
    wire, lower = outlet.wire, _lower(outlet)
    base_bps = outlet.admission_bps or (wire.value if wire is not None else 1.0)
    llq_bps = sum(outlet.llq_rate_bps(llq) or 0.0 for llq in outlet.llq_classes)
    least_bps = base_bps * ratio_from_percent(_LEAST_PERCENT)
    room_bps = max(base_bps - llq_bps, least_bps)
    remaining_bps = max(base_of_remaining_bps(outlet, base_bps, llq_bps), least_bps)
    rates = {
        policy_class.name: 0.0
        if policy_class.bandwidth is None
        else guarantee_bps(policy_class.bandwidth, lower, base_bps, remaining_bps)
        for policy_class in lower
    }
    rates.setdefault(CLASS_DEFAULT, 0.0)
    open_ = [name for name, rate_bps in rates.items() if rate_bps == 0]
    left_bps = max(room_bps - sum(rates.values()), least_bps) / max(len(open_), 1)
    by_weight = {name: max(rate_bps or left_bps, 1.0) for name, rate_bps in rates.items()}
    fixed = {
        policy_class.name: by_weight[policy_class.name]
        for policy_class in lower
        if _is_fixed(policy_class)
    }
    # percentages of a `bandwidth` above the rate of the line promise more than there is
    most_bps = max((outlet.line_bps or base_bps) - llq_bps - least_bps, least_bps)
    promised_bps = sum(fixed.values())
    kept = min(most_bps / promised_bps, 1.0) if promised_bps else 1.0
    fixed = {name: rate_bps * kept for name, rate_bps in fixed.items()}
    if excess is Excess.PROPORTIONAL:
        fixed = {}
    if excess is not Excess.EQUAL:
        return {
            name: LineShare(fixed.get(name, 0.0), weight, weight)
            for name, weight in by_weight.items()
        }
    ratios = {
        name: 1.0 if name in fixed else weight / left_bps for name, weight in by_weight.items()
    }
    spare_bps = max(room_bps - sum(fixed.values()), 0.0) / sum(ratios.values())
    return {
        name: LineShare(rate_bps := fixed.get(name, 0.0), ratio, rate_bps + spare_bps * ratio)
        for name, ratio in ratios.items()
    }


def _lower(outlet: Outlet) -> Sequence[PolicyClass]:
    return [
        policy_class
        for policy_class in outlet.queueing.classes
        if policy_class.priority is None and not policy_class.shares_default
    ]


def _is_fixed(policy_class: PolicyClass) -> bool:
    """Whether a class has a minimum rate, and not a part of what is left."""
    return policy_class.bandwidth is not None and policy_class.bandwidth.unit in _FIXED


# How many conversations weighted fair queueing separates by default.

_MOST_QUEUES = 256
_QUEUES_UP_TO_KBPS = ((64.0, 16), (128.0, 32), (256.0, 64), (512.0, 128))
SOURCE = "Cisco IOS QoS Command Reference, fair-queue (WFQ): default dynamic queues by bandwidth"


def dynamic_queues(bandwidth_bps: float) -> int:
    """Dynamic queues of WFQ by default: conversations beyond them share a queue.

    Source: the table of `fair-queue` in the Cisco IOS Quality of Service Solutions Command
    Reference, as Cisco IOS in a Nutshell (2nd ed., `fair-queue`, policy-map) prints it; 128 at
    512 kb/s and 256 at 1544 agree with printouts. A serial at 64 kb/s was seen with 32.

    >>> [dynamic_queues(1000.0 * kbps) for kbps in (56, 128, 512, 1544)]
    [16, 32, 128, 256]
    """
    for most_kbps, queues in _QUEUES_UP_TO_KBPS:
        if bandwidth_bps <= bps_from_kbps(most_kbps):
            return queues
    return _MOST_QUEUES


def conversations_of(outlet: Outlet, platform: Decision, offers: tuple[Offer, ...]) -> Input | None:
    """Conversations of class-default under WFQ; None if the bandwidth does not set their number.

    One conversation per stream, at most one per dynamic queue; from one to all dynamic queues if
    the streams are not known. HQF has no table by bandwidth; a PVC or a shaper has its own rate.
    """
    default = outlet.queueing.class_by_name.get(CLASS_DEFAULT)
    if default is None or default.fair_queue is None or not default.fair_queue.value:
        return None
    by_bandwidth = outlet.pvc is None and outlet.shaper_bps is None
    is_sized_so = platform.is_pre_hqf and platform.has_classic_defaults and by_bandwidth
    if not is_sized_so or not outlet.admission_bps:
        return None
    stated = default.dynamic_queues
    if stated is not None:
        queues, basis, source = stated.value, Basis.CONFIGURED, f"fair-queue, {stated.at}"
    else:
        queues, basis = dynamic_queues(outlet.admission_bps), Basis.DEFAULT
        at = f"{rate_words(kbps_from_bps(outlet.admission_bps))}"
        source = f"{queues} dynamic queues at {at}: {SOURCE}"
    own = [offer for offer in offers if offer.class_name == CLASS_DEFAULT]
    streams = sum(offer.streams * offer.conversations for offer in own)
    conversations = min(streams, queues) if streams else queues
    least = conversations if streams else 1
    if 0 < streams < queues:
        words = "1 stream" if streams == 1 else f"{streams} streams"
        basis, source = own[0].basis, f"{words}, less than {queues} dynamic queues; {own[0].source}"
    return Input(
        f"wfq_conversations of {CLASS_DEFAULT}", conversations, least, conversations, basis, source
    )
