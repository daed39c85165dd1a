"""Dial-peers that admit more calls than the priority classes carry."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.llq.shared.admitted import Admitted, admitted
from advisor.lint.checks.llq.shared.rated import RatedClass, rated_classes
from advisor.lint.findings import Confidence, Forecast
from advisor.quantity import Basis, Figure, exact, rate_text
from advisor.units import kbps_from_bps


class Evidence(Struct, frozen=True):
    """Calls admitted, the rate that they need, and what the class carries."""

    class_name: str
    policy_map: str
    calls: int
    needed_kbps: str
    rate_kbps: str
    carried: int
    codec: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for the largest priority class where all of them together carry too little.

    A call may leave by any output: with several, their rates count together.
    """
    del params
    limits = admitted(device.facts.dial_peers)
    classes = [each for each in rated_classes(device) if each.may_be_voice]
    if not limits or not classes:
        return
    largest = max(classes, key=lambda each: each.rate_bps)
    label = f"{largest.outlet.policy_label} > class {largest.llq_class.name}"
    if any(limit.codec is None for limit in limits):
        yield Skip(label, "the codec of a dial-peer is not in the table of codecs")
        return
    needed_bps = sum(limit.calls * largest.call(limit.codec or "").counted_bps for limit in limits)
    if needed_bps > sum(each.rate_bps for each in classes):
        yield _hit(label, largest, limits, needed_bps)


def _hit(
    label: str, largest: RatedClass, limits: Sequence[Admitted], needed_bps: float
) -> Hit[Evidence]:
    codec = max(limits, key=lambda limit: limit.calls).codec or ""
    now, needed = kbps_from_bps(largest.rate_bps), kbps_from_bps(needed_bps)
    places = tuple(limit.peer.max_conn.at for limit in limits if limit.peer.max_conn is not None)
    evidence = Evidence(
        largest.llq_class.name,
        largest.outlet.queueing.name,
        sum(limit.calls for limit in limits),
        rate_text(needed),
        rate_text(now),
        largest.calls(codec),
        codec,
    )
    inputs = (
        exact("priority_bps", largest.rate_bps, Basis.CONFIGURED, str(largest.at)),
        exact("admitted_calls", float(evidence.calls), Basis.CONFIGURED, str(places[0])),
    )
    figure = Figure(needed, needed, needed, "kb/s")
    return Hit(
        label,
        (largest.at, *places),
        evidence,
        Confidence.LIKELY,
        Forecast("rate that the admitted calls need", figure, None, inputs),
    )


CHECK = Check(NoParams, Evidence, find)
