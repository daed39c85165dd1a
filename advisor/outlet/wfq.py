"""How many conversations weighted fair queueing tells apart, where nothing is configured."""

from advisor.device.device import Generation, Train
from advisor.facts.policy import CLASS_DEFAULT
from advisor.outlet.offer import Offer
from advisor.outlet.outlet import Outlet
from advisor.quantity import Basis, Input
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


def conversations_of(outlet: Outlet, train: Train, offers: tuple[Offer, ...]) -> Input | None:
    """Conversations of class-default under WFQ; None where it is no WFQ by bandwidth.

    As many as it has streams, no more than dynamic queues; from one to all of these where the
    streams are not known. HQF does not divide by bandwidth, a PVC or a shaper has rates of its own.
    """
    default = next((each for each in outlet.queueing.classes if each.is_default), None)
    if default is None or default.fair_queue is None or not default.fair_queue.value:
        return None
    by_bandwidth = outlet.pvc is None and outlet.shaper_bps is None
    if train.generation is not Generation.PRE_HQF or not by_bandwidth or not outlet.admission_bps:
        return None
    stated = default.dynamic_queues
    if stated is not None:
        queues, basis, source = stated.value, Basis.CONFIGURED, f"fair-queue, {stated.at}"
    else:
        queues, basis = dynamic_queues(outlet.admission_bps), Basis.DEFAULT
        at = f"{kbps_from_bps(outlet.admission_bps):g} kb/s"
        source = f"{queues} dynamic queues at {at}: {SOURCE}"
    streams = sum(each.streams for each in offers if each.class_name == CLASS_DEFAULT)
    found = min(streams, queues) if streams else queues
    least = found if streams else 1
    return Input(f"wfq_conversations of {CLASS_DEFAULT}", found, least, found, basis, source)
