"""Two ends of a link whose rings delay voice by very different times."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.links import LinkEnd
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.txr.shared.judged import Judged, judged
from advisor.lint.checks.txr.shared.place import RingPlace, ring_place_of
from advisor.lint.checks.txr.shared.ring_delay import forecasts, measure
from advisor.lint.checks.txr.tx_ring_too_deep_for_llq import interval
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.framing import encapsulation_of
from advisor.outlet.link_rates import far_end, far_rate
from advisor.outlet.parts import mtu_input
from advisor.outlet.ring import ring_of
from advisor.predict.ring import Bound
from advisor.quantity import Unknown


class Params(Struct, frozen=True):
    """Budget of the bound, None where the profile does not judge it; and what is different."""

    ring_wait_ms: float | None
    factor: float


class Evidence(Struct, frozen=True):
    """The waits in both rings, and the ring that makes them alike."""

    ring: str
    unit: str
    bound_ms: str
    far_end: str
    far_bound_ms: str
    advised: int
    place: RingPlace


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for the end with the longer ring, where both ends have an LLQ.

    Times are compared, never the numbers: one ring counts packets, another one particles.
    """
    if not device.fleet.links.links.found:
        return
    budget_ms, longer = params.ring_wait_ms, []
    for entry in judged(device, budget_ms):
        far = None if isinstance(entry, Skip) else far_end(device, entry.outlet.attached_to)
        if isinstance(entry, Skip) or far is None or not far.has_llq:
            continue  # TXR001 says why a ring is not judged
        bound = _far_bound(entry, far)
        if isinstance(bound, Unknown):
            yield Skip(entry.outlet.label, f"{far.label}: {bound.reason}")
        elif _is_longer(entry, bound, params):
            longer.append((entry, far, bound))
    predicted = forecasts([(entry, entry.advice.limit) for entry, _, _ in longer])
    for (entry, far, bound), forecast in zip(longer, predicted, strict=True):
        yield _hit(entry, (far, bound), forecast, budget_ms or 0.0)


def _own_bound(entry: Judged) -> Bound:
    return entry.view.bound(entry.ring.limit_low, entry.ring.limit_high)


def _is_longer(entry: Judged, far: Bound, params: Params) -> bool:
    own = _own_bound(entry)
    is_over = own.high_ms > (params.ring_wait_ms or 0.0)
    is_known = not entry.outlet.is_unset_member and entry.advice.shortens(entry.ring) is True
    return is_known and is_over and own.low_ms > params.factor * far.high_ms


def _far_bound(entry: Judged, far: LinkEnd) -> Bound | Unknown:
    """Longest wait in the ring of the other end, on the same line."""
    if far.ring is None:
        return Unknown("its ring is on the members of a bundle, or an output of it shows the ring")
    if far.cuts or entry.outlet.fragment_bytes is not None:
        return Unknown("one end of the link cuts its packets")
    home, pvc = far.ring.home, far.ring.pvc
    rate = entry.outlet.wire if entry.outlet.wire is not None else far_rate(far)
    rate_bps = rate.value if rate is not None else 0.0
    ring = ring_of(home, pvc, far.ring.platform, rate_bps, queueing=True)
    framing = encapsulation_of(home, pvc)
    if ring is None or framing is None or not rate_bps:
        return Unknown("its ring, its encapsulation or its rate is not known")
    sizes = (int(mtu_input(home.mtu_bytes).value),)
    lows = [kind.bound_ms(ring.limit_low, sizes, framing.low, rate_bps) for kind in ring.types]
    highs = [kind.bound_ms(ring.limit_high, sizes, framing.high, rate_bps) for kind in ring.types]
    return Bound(min(lows), max(highs))


def _hit(
    entry: Judged, other: tuple[LinkEnd, Bound], forecast: Forecast, budget_ms: float
) -> Hit[Evidence]:
    (far, far_bound), ring, own = other, entry.ring, _own_bound(entry)
    evidence = Evidence(
        ring=interval(ring.limit_low, ring.limit_high),
        unit=ring.unit_of(ring.limit_high),
        bound_ms=interval(own.low_ms, own.high_ms),
        far_end=far.label,
        far_bound_ms=interval(far_bound.low_ms, far_bound.high_ms),
        advised=entry.advice.limit,
        place=ring_place_of(entry.outlet),
    )
    is_open = own.low_ms <= budget_ms or not ring.platform_known
    return Hit(
        entry.outlet.label,
        (ring.at, entry.outlet.at) if ring.at is not None else (entry.outlet.at,),
        evidence,
        Confidence.POSSIBLE if is_open else Confidence.LIKELY,
        forecast,
        severity=Severity.INFO if own.low_ms <= budget_ms else None,
    )


CHECK = Check(Params, Evidence, find, measure)
