"""The ring of each output with an LLQ, judged once for all checks that use it."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Skip
from advisor.lint.checks.ref.shared.missing import without_packets
from advisor.outlet.offer import Offer, offers_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.ring import RingFact
from advisor.predict.ring.llq import OverloadError, llq_delay
from advisor.predict.ring.ring_bound import RingAdvice, RingView, advise_ring, ring_view
from advisor.quantity import Figure, Input, Unknown


class Judged(Struct, frozen=True):
    """An output with an LLQ whose ring can be judged against a budget."""

    outlet: Outlet
    ring: RingFact
    view: RingView
    advice: RingAdvice


def judged(device: Device, budget_ms: float | None) -> Iterator[Judged | Skip]:
    """Outputs with an LLQ. Silent without a budget and behind shapers that keep the ring empty."""
    if budget_ms is None:
        return
    for outlet in outlets(device):
        if not outlet.llq_classes or outlet.ring_idle:
            continue
        empty = without_packets(device, outlet.llq_classes)
        if len(empty) == len(outlet.llq_classes):
            reason = f"no class-map defines {', '.join(empty)}: no packet is in the LLQ"
            yield Skip(outlet.label, reason)
            continue
        view = ring_view(outlet, _offers(device, outlet))
        if isinstance(view, Unknown):
            yield Skip(outlet.label, view.reason)
        elif outlet.ring is not None:
            yield Judged(outlet, outlet.ring, view, advise_ring(view, budget_ms))


def _offers(device: Device, outlet: Outlet) -> tuple[Offer, ...]:
    """Offers of the congested case: that is when an LLQ matters."""
    return offers_of(outlet, device.traffic, congested=True)


def wait_figure(
    device: Device, judged_ring: Judged, low: int, high: int
) -> tuple[Figure, tuple[Input, ...]]:
    """Wait of an LLQ packet in ring and wire, behind a ring of `low` to `high`."""
    view, offers, platform = judged_ring.view, _offers(device, judged_ring.outlet), device.platform
    try:
        predicted = llq_delay(view, offers, platform, low, high)
    except OverloadError:  # more is stated than the wire carries: its policer lets through less
        lower = tuple(offer for offer in offers if not offer.is_llq)
        predicted = llq_delay(view, lower, platform, low, high)
    return predicted.in_ring, predicted.inputs


def measure_wait(device: Device, label: str) -> Figure | None:
    """Wait behind the ring of the output with this label, in the present state of the device."""
    for result in judged(device, 0.0):
        if isinstance(result, Judged) and result.outlet.label == label:
            return wait_figure(device, result, result.ring.limit_low, result.ring.limit_high)[0]
    return None
