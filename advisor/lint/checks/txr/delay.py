"""Rings that delay voice: too deep, over the budget at any depth, unlike at the two ends."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.links import LinkEnd
from advisor.ground.quantity import Basis, Unknown, number, rate_text, span
from advisor.ground.units import kbps_from_bps, serialization_ms
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.ref import without_packets
from advisor.lint.checks.txr import (
    JudgedRing,
    RingBudget,
    RingPlace,
    forecasts,
    judged,
    may_stay_short,
    measure,
    ring_place_of,
)
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.model import wire_ms
from advisor.outlet.carriers import own_mtu
from advisor.outlet.fragments import fragment_for, how_to_fragment
from advisor.outlet.framing import encapsulation_of
from advisor.outlet.link_rates import far_end, far_rate
from advisor.outlet.outlet import Outlet
from advisor.outlet.parts import mtu_input, uninterleaved
from advisor.outlet.ring import PACKETS, ring_of
from advisor.predict.classes.congested import with_ring
from advisor.predict.ring import Bound, longest_wait_ms

# LLQ decides which packet enters the ring next; packets already in the ring still go first.

_LOOK_AT_BUNDLE = (
    "see `show ppp multilink` first: where it cuts packets into fragments for all links, less waits"
)
_NOT_IN_FORCE = (
    "the configured ring meets the budget, but the driver has another: enter `shutdown` and "
    "`no shutdown` on the interface, then see `show controllers` again"
)


class DeepRing(Struct, frozen=True):
    """The ring now and the ring advised, with the longest wait in each."""

    classes: str
    ring: str
    unit: str
    shown: str  # " (tx_limited, r1.txt:10)"; empty where the configuration states the ring
    bound_ms: str
    advised: int
    advised_bound_ms: str
    place: RingPlace


def find_tx_ring_too_deep_for_llq(device: Device, params: RingBudget) -> Found[DeepRing]:
    """Yield a hit for each LLQ whose ring is longer than the budget allows.

    A default between two ends is not judged where the advised limit is between them: it could
    lengthen the ring. The ring of a member of a bundle that nothing sets is LFI007's.
    """
    budget_ms, too_deep = params.ring_wait_ms, []
    for result in judged(device, budget_ms):
        if isinstance(result, Skip):
            yield result
        elif result.advice.shortens(result.ring) is False or result.outlet.is_unset_member:
            continue
        elif result.advice.shortens(result.ring) is None:
            yield Skip(result.outlet.label, _open_default(result))
        else:
            too_deep.append(result)
    rings = [_worst(entries) for entries in _by_ring(too_deep)]
    predicted = forecasts([(entry, entry.advice.limit) for entry in rings])
    for entry, forecast in zip(rings, predicted, strict=True):
        yield _deep_ring(device, entry, forecast, budget_ms or 0.0)


def _by_ring(entries: Iterable[JudgedRing]) -> Iterable[list[JudgedRing]]:
    """Outputs that share a ring: it has one finding."""
    by_ring: dict[str, list[JudgedRing]] = {}
    for entry in entries:
        by_ring.setdefault(entry.outlet.ring_key, []).append(entry)
    return by_ring.values()


def _worst(entries: Sequence[JudgedRing]) -> JudgedRing:
    """The output that needs the shortest ring; among equals the one that waits longest."""
    return min(entries, key=lambda entry: (entry.advice.limit, -entry.view.bound(1).high_ms))


def _open_default(judged_ring: JudgedRing) -> str:
    ring = judged_ring.ring
    return (
        f"the default ring is not known, {span(ring.limit_low, ring.limit_high)} {ring.unit}: "
        f"up to {judged_ring.advice.limit} meet the budget; `show controllers` shows the ring"
    )


def _deep_ring(
    device: Device, judged_ring: JudgedRing, forecast: Forecast, budget_ms: float
) -> Hit[DeepRing]:
    ring, advice = judged_ring.ring, judged_ring.advice
    bound = judged_ring.bound(ring.limit_low, ring.limit_high)
    names = [llq_class.name for llq_class in judged_ring.outlet.llq_classes]
    outlet = judged_ring.outlet
    empty = without_packets(device, outlet.queueing, outlet.llq_classes)
    evidence = DeepRing(
        classes=", ".join(name for name in names if name not in empty),
        ring=span(ring.limit_low, ring.limit_high),
        unit=ring.unit_of(ring.limit_high),
        shown=_shown(judged_ring),
        bound_ms=span(bound.low_ms, bound.high_ms),
        advised=advice.limit,
        advised_bound_ms=span(advice.bound.low_ms, advice.bound.high_ms),
        place=ring_place_of(judged_ring.outlet),
    )
    places = (ring.at, judged_ring.outlet.at, ring.seen_at)
    at = tuple(place for place in places if place is not None)
    advice_text = _why_no_lines(judged_ring)
    may_be_met = bound.low_ms <= budget_ms or may_stay_short(judged_ring)
    return Hit(
        judged_ring.outlet.label,
        at,
        evidence,
        _confidence(judged_ring, may_be_met=may_be_met),
        forecast,
        severity=Severity.INFO if may_be_met else None,
        curable=advice_text is None,
        advice=advice_text
        or (_LOOK_AT_BUNDLE if outlet.most_pieces > 1 else _if_packets(judged_ring, budget_ms)),
    )


def _if_packets(judged_ring: JudgedRing, budget_ms: float) -> str | None:
    """The ring that meets the budget where its unit is packets, if that is open; else None.

    The lines have a limit that holds a whole packet in either unit.
    """
    view, kinds = judged_ring.view, judged_ring.ring.types
    packets = [kind for kind in kinds if kind.unit == PACKETS]
    if not packets or len(packets) == len(kinds):
        return None
    of_view = (view.largest_ip_bytes,), view.encapsulation.high, view.rate_bps
    limits = range(min(kind.minimum for kind in packets), judged_ring.advice.limit)
    longest_ms = {n: max(longest_wait_ms(kind, n, *of_view) for kind in packets) for n in limits}
    met = [limit for limit, wait_ms in longest_ms.items() if wait_ms <= budget_ms]
    if not met:
        return None
    look = "show controllers" if judged_ring.outlet.pvc is None else "show atm vc"
    return (
        f"see first with `{look}` what the ring counts: if packets, `tx-ring-limit {met[-1]}`, "
        f"where IOS takes it, meets the budget of {number(budget_ms)} ms"
    )


def _shown(judged_ring: JudgedRing) -> str:
    """The output that shows the ring, or the one that would; "" where it is as configured."""
    ring, pvc = judged_ring.ring, judged_ring.outlet.pvc
    if ring.seen_at is not None:
        is_as_stated = ring.configured == ring.limit_high
        return "" if is_as_stated else f" ({ring.source})"
    if ring.at is not None:
        return ""
    return f" (default, not seen: {'show controllers' if pvc is None else 'show atm vc'})"


def _why_no_lines(judged_ring: JudgedRing) -> str | None:
    """Advice where the lines would change nothing; else None."""
    configured = judged_ring.ring.configured
    is_met = configured is not None and configured <= judged_ring.advice.limit
    return _NOT_IN_FORCE if is_met else None


def _confidence(judged_ring: JudgedRing, *, may_be_met: bool) -> Confidence:
    if may_be_met or not judged_ring.ring.platform_known:
        return Confidence.POSSIBLE
    label_only = judged_ring.outlet.wire is not None and judged_ring.outlet.wire.is_label
    exact = judged_ring.ring.basis in (Basis.CONFIGURED, Basis.MEASURED) and not label_only
    return Confidence.CERTAIN if exact else Confidence.LIKELY


measure_tx_ring_too_deep_for_llq = measure


# Wait that remains at the smallest ring: the link is too slow for its largest packet.


class ResidualWaitParams(Struct, frozen=True):
    """Budgets of the bound and of one fragment; None where the profile does not judge it."""

    ring_wait_ms: float | None
    serialization_ms: float | None


class ResidualWait(Struct, frozen=True):
    """The smallest useful ring and the wait that it leaves."""

    limit: int
    unit: str
    bound_ms: str
    budget_ms: float
    largest_bytes: int
    pieces: str  # "", " (whole or in up to 3 fragments: no size is set)"
    rate_kbps: str


def find_tx_ring_residual_over_budget(
    device: Device, params: ResidualWaitParams
) -> Found[ResidualWait]:
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
        yield _residual_wait(entry, forecast, budget_ms or 0.0, advice)


def _as_it_stands(entry: JudgedRing) -> JudgedRing:
    """A ring below the best one is judged as it is: nobody would make it longer."""
    limit = max(entry.view.minimum, min(entry.advice.limit, entry.ring.limit_high))
    return replace(entry, advice=replace(entry.advice, limit=limit, bound=entry.bound(limit)))


def _residual_wait(
    judged_ring: JudgedRing, forecast: Forecast, budget_ms: float, said: str | None
) -> Hit[ResidualWait]:
    advice = judged_ring.advice
    evidence = ResidualWait(
        limit=advice.limit,
        unit=judged_ring.ring.unit_of(advice.limit),
        bound_ms=span(advice.bound.low_ms, advice.bound.high_ms),
        budget_ms=budget_ms,
        largest_bytes=judged_ring.view.largest_ip_bytes,
        pieces=_pieces(judged_ring.outlet),
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


def _pieces(outlet: Outlet) -> str:
    most = outlet.most_pieces
    return f" (whole, or in up to {most} fragments: no size is set)" if most > 1 else ""


def _without_ring(forecast: Forecast, judged_ring: JudgedRing) -> Forecast:
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
    device: Device, judged_ring: JudgedRing, fragment_ms: float | None, budget_ms: float
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
        return _if_packets(judged_ring, budget_ms) or (
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


def _share_of_ring_ms(judged_ring: JudgedRing, fragment_bytes: float, budget_ms: float) -> float:
    """Longest fragment time at which the best ring keeps the budget.

    For MLPPP without its header, which IOS does not count in its delay.
    """
    view, bound_ms = judged_ring.view, judged_ring.advice.bound.high_ms
    framing = view.encapsulation.high
    now_ms = wire_ms(round(fragment_bytes), framing, view.rate_bps)
    header_ms = 0.0
    if not framing.cells:
        header_ms = now_ms - serialization_ms(fragment_bytes, view.rate_bps)
    return max(0.0, now_ms * budget_ms / bound_ms - header_ms)


# Two ends of a link whose rings delay voice by very different times.


class UnlikeRingsParams(Struct, frozen=True):
    """Budget of the bound, None where the profile does not judge it; and what is different."""

    ring_wait_ms: float | None
    factor: float


class UnlikeRings(Struct, frozen=True):
    """The waits in both rings, and the ring that makes them alike."""

    ring: str
    unit: str
    bound_ms: str
    far_end: str
    far_bound_ms: str
    advised: int
    place: RingPlace


def find_tx_ring_differs_across_link(
    device: Device, params: UnlikeRingsParams
) -> Found[UnlikeRings]:
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
        yield _unlike_rings(entry, (far, bound), forecast, budget_ms or 0.0)


def _own_bound(entry: JudgedRing) -> Bound:
    return entry.view.bound(entry.ring.limit_low, entry.ring.limit_high)


def _is_longer(entry: JudgedRing, far: Bound, params: UnlikeRingsParams) -> bool:
    own = _own_bound(entry)
    is_over = own.high_ms > (params.ring_wait_ms or 0.0)
    is_known = not entry.outlet.is_unset_member and entry.advice.shortens(entry.ring) is True
    return is_known and is_over and own.low_ms > params.factor * far.high_ms


def _far_bound(entry: JudgedRing, far: LinkEnd) -> Bound | Unknown:
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
    sizes = (int(mtu_input(own_mtu(home)).value),)
    lows = [
        longest_wait_ms(kind, ring.limit_low, sizes, framing.low, rate_bps) for kind in ring.types
    ]
    highs = [
        longest_wait_ms(kind, ring.limit_high, sizes, framing.high, rate_bps) for kind in ring.types
    ]
    return Bound(min(lows), max(highs))


def _unlike_rings(
    entry: JudgedRing, other: tuple[LinkEnd, Bound], forecast: Forecast, budget_ms: float
) -> Hit[UnlikeRings]:
    (far, far_bound), ring, own = other, entry.ring, _own_bound(entry)
    evidence = UnlikeRings(
        ring=span(ring.limit_low, ring.limit_high),
        unit=ring.unit_of(ring.limit_high),
        bound_ms=span(own.low_ms, own.high_ms),
        far_end=far.label,
        far_bound_ms=span(far_bound.low_ms, far_bound.high_ms),
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


measure_tx_ring_differs_across_link = measure
