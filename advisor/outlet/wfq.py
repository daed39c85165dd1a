"""How many conversations weighted fair queueing separates by default."""

from advisor.device.platform import Decision
from advisor.facts.policy import CLASS_DEFAULT
from advisor.outlet.offer import Offer
from advisor.outlet.outlet import Outlet
from advisor.quantity import Basis, Input, rate_text
from advisor.units import bps_from_kbps, kbps_from_bps

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
    default = next(
        (policy_class for policy_class in outlet.queueing.classes if policy_class.is_default), None
    )
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
        at = f"{rate_text(kbps_from_bps(outlet.admission_bps))} kb/s"
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
