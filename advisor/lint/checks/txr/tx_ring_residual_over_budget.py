"""Wait that remains at the smallest ring: the link is too slow for its largest packet."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.txr.shared.judged import Judged, judged
from advisor.lint.checks.txr.shared.ring_delay import forecasts
from advisor.lint.checks.txr.tx_ring_too_deep_for_llq import interval
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.fragments import fragment_for, how_to_fragment
from advisor.outlet.parts import uninterleaved
from advisor.predict.classes.congested import with_ring
from advisor.quantity import number, rate_text
from advisor.theory.interface import wire_ms
from advisor.units import kbps_from_bps, serialization_ms


class Params(Struct, frozen=True):
    """Budgets of the bound and of one fragment; None where the profile does not judge it."""

    ring_wait_ms: float | None
    serialization_ms: float | None


class Evidence(Struct, frozen=True):
    """The smallest useful ring and the wait that it leaves."""

    limit: int
    unit: str
    bound_ms: str
    budget_ms: float
    largest_bytes: int
    rate_kbps: str


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each LLQ that even the best ring leaves over budget."""
    budget_ms, over = params.ring_wait_ms, []
    for result in judged(device, budget_ms):
        if isinstance(result, Skip):
            yield result
        elif result.advice.meets is not True:
            over.append(_as_it_stands(result))
    best = [
        replace(entry, question=with_ring(entry.question, entry.advice.limit)) for entry in over
    ]
    predicted = forecasts([(entry, None) for entry in best])
    for entry, forecast in zip(over, predicted, strict=True):
        advice = _advice(device, entry, params.serialization_ms, budget_ms or 0.0)
        yield _hit(entry, forecast, budget_ms or 0.0, advice)


def _as_it_stands(entry: Judged) -> Judged:
    """A ring below the best one is judged as it is: nobody would make it longer."""
    limit = max(entry.view.minimum, min(entry.advice.limit, entry.ring.limit_high))
    return replace(entry, advice=replace(entry.advice, limit=limit, bound=entry.view.bound(limit)))


def _hit(
    judged_ring: Judged, forecast: Forecast, budget_ms: float, said: str | None
) -> Hit[Evidence]:
    advice = judged_ring.advice
    evidence = Evidence(
        limit=advice.limit,
        unit=judged_ring.ring.unit_of(advice.limit),
        bound_ms=interval(advice.bound.low_ms, advice.bound.high_ms),
        budget_ms=budget_ms,
        largest_bytes=judged_ring.view.largest_ip_bytes,
        rate_kbps=rate_text(kbps_from_bps(judged_ring.view.rate_bps)),
    )
    is_uncertain = advice.meets is None
    return Hit(
        judged_ring.outlet.label,
        (judged_ring.outlet.at,),
        evidence,
        Confidence.POSSIBLE
        if is_uncertain or not judged_ring.ring.platform_known
        else Confidence.LIKELY,
        _without_ring(forecast, judged_ring),
        severity=Severity.INFO if is_uncertain else None,
        advice=said,
    )


def _without_ring(forecast: Forecast, judged_ring: Judged) -> Forecast:
    """The forecast without its ring as an input: that ring is the message's, not the device's.

    Where the ring in force is another, the name of the figure says so: TXR001 has the one in force.
    """
    limit, ring = judged_ring.advice.limit, judged_ring.ring
    if not ring.limit_low == ring.limit_high == limit:
        metric = f"{forecast.metric}, with tx-ring-limit {limit}"
        forecast = replace(forecast, metric=metric)
    name = judged_ring.ring.as_input.name
    inputs = tuple(entry for entry in forecast.inputs if entry.name != name)
    return replace(forecast, inputs=inputs)


def _advice(
    device: Device, judged_ring: Judged, fragment_ms: float | None, budget_ms: float
) -> str | None:
    """The fragment to set where LFI is there already; None: LFI001 says how to begin."""
    outlet = judged_ring.outlet
    stated = outlet.fragment_bytes
    if fragment_ms is None:
        return None
    if stated is None:
        place = outlet.bundle or outlet.session or outlet.interface
        if uninterleaved(device.facts, place) is not None:
            return (
                f"interleave on interface {place.name} as LFI005 says: it cuts fragments already; "
                "or raise the rate of the link"
            )
        longest = outlet.longest_ms(int(outlet.mtu.value))
        if longest is None or longest.high > fragment_ms:
            return None
        return (
            f"raise the rate of the link: a whole packet takes {number(longest.high)} ms, and no "
            "fragments are advised for it"
        )
    time_ms = min(fragment_ms, _share_of_ring_ms(judged_ring, stated.value, budget_ms))
    fragment = fragment_for(outlet, time_ms)
    if not fragment.holds_voice or fragment.size_bytes >= stated.value:
        return "raise the rate of the link: smaller fragments would cost more than they save"
    return (
        f"fragments of {stated.value:.0f} bytes are too large: "
        f"{how_to_fragment(outlet, fragment, time_ms)}; or raise the rate of the link"
    )


def _share_of_ring_ms(judged_ring: Judged, fragment_bytes: float, budget_ms: float) -> float:
    """Time of a fragment of which the best ring holds no more than the budget.

    Of MLPPP without its header, which IOS does not count in its delay.
    """
    view, bound_ms = judged_ring.view, judged_ring.advice.bound.high_ms
    framing = view.encapsulation.high
    now_ms = wire_ms(round(fragment_bytes), framing, view.rate_bps)
    header_ms = 0.0
    if not framing.cells:
        header_ms = now_ms - serialization_ms(fragment_bytes, view.rate_bps)
    return max(0.0, now_ms * budget_ms / bound_ms - header_ms)


CHECK = Check(Params, Evidence, find)
