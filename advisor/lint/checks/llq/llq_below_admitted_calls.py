"""More calls admitted than the priority classes carry."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.llq.shared.admitted import Admission, admissions
from advisor.lint.checks.llq.shared.rated import RatedClass, rated_classes
from advisor.lint.findings import Confidence, Forecast
from advisor.quantity import Basis, Figure, Unknown, exact, rate_text
from advisor.units import kbps_from_bps


class Evidence(Struct, frozen=True):
    """What admits calls, how many, the rate that they need, and what the class carries."""

    class_name: str
    policy_map: str
    by: str
    calls: int
    needed_kbps: str
    rate_kbps: str
    carried: int
    codec: str
    around: str  # "; in Tunnel0 a packet of 60 bytes has 152"


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for the largest priority class where those that calls may take carry too little.

    A call of a dial-peer whose exit is not known may leave by any output: with several, their rates
    count together. Of several limits of the same calls the tightest one counts.
    """
    del params
    classes = [each for each in rated_classes(device) if each.may_be_voice]
    admitted = admissions(device.facts)
    for place in dict.fromkeys(admission.interface for admission in admitted):
        here = [admission for admission in admitted if admission.interface == place]
        open_to = [each for each in classes if here[0].is_over(each.outlet)]
        if place is None and _all_limited(open_to, admitted):
            continue
        if open_to:
            yield from _judged(open_to, here)


def _all_limited(classes: Sequence[RatedClass], admitted: Sequence[Admission]) -> bool:
    """Whether each of these outputs has a threshold of its own, which decides before any other."""
    own = [each for each in admitted if each.interface is not None and each.is_threshold]
    return all(any(limit.is_over(each.outlet) for limit in own) for each in classes)


def _judged(
    classes: Sequence[RatedClass], here: Sequence[Admission]
) -> Iterator[Hit[Evidence] | Skip]:
    largest = max(classes, key=lambda each: each.rate_bps)
    label = largest.place
    if isinstance(largest.outlet.wrapping, Unknown):
        yield Skip(label, largest.outlet.wrapping.reason)
        return
    if any(limit.codec is None for admission in here for limit in admission.limits):
        yield Skip(label, "the codec of a dial-peer is not in the table of codecs")
        return
    tightest = min(here, key=lambda admission: _need_bps(largest, admission))
    if _need_bps(largest, tightest) > sum(each.rate_bps for each in classes):
        yield _hit(label, largest, tightest)


def _need_bps(rated: RatedClass, admission: Admission) -> float:
    return sum(
        limit.calls * rated.call(limit.codec or "").counted_bps for limit in admission.limits
    )


def _hit(label: str, largest: RatedClass, admission: Admission) -> Hit[Evidence]:
    codec = max(admission.limits, key=lambda limit: limit.calls).codec or ""
    now, needed = (
        kbps_from_bps(each) for each in (largest.rate_bps, _need_bps(largest, admission))
    )
    evidence = Evidence(
        largest.llq_class.name,
        largest.outlet.queueing.name,
        admission.by,
        admission.calls,
        rate_text(needed),
        rate_text(now),
        largest.calls(codec),
        codec,
        largest.around,
    )
    inputs = (
        exact("priority_bps", largest.rate_bps, Basis.CONFIGURED, str(largest.at)),
        exact("admitted_calls", float(evidence.calls), Basis.CONFIGURED, str(admission.at[0])),
    )
    figure = Figure(needed, needed, needed, "kb/s")
    return Hit(
        label,
        (*largest.places, *admission.at),
        evidence,
        Confidence.LIKELY if admission.is_codec_stated else Confidence.POSSIBLE,
        Forecast("rate that the admitted calls need", figure, None, inputs),
    )


CHECK = Check(NoParams, Evidence, find)
