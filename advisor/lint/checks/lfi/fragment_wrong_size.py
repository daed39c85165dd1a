"""Fragments that are too long for voice behind them, or shorter than the link needs."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.lfi.shared.cut import CutLink, cut_links
from advisor.lint.checks.lfi.shared.frame_relay import (
    NO_CIR,
    FrameRelayLfi,
    has_circuit_without_cir,
)
from advisor.lint.checks.lfi.shared.resize import Delay, advice_of, resized
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.fragments import fragment_for
from advisor.quantity import Figure, Unknown, number, rate_text
from advisor.units import kbps_from_bps

_METRIC = "serialization of the largest fragment"


class Params(Struct, frozen=True):
    """Budget of one fragment (None: not judged), how far off is wrong, where LFI is advice."""

    serialization_ms: float | None
    off_percent: float
    lfi_up_to_kbps: float
    ring_wait_ms: float | None = None


class Evidence(Struct, frozen=True):
    """The fragment, its time, and the fragment that keeps the budget."""

    fragment_bytes: int
    fragment_ms: str
    rate_kbps: str
    side: str  # "too long", "shorter than needed"
    advised_bytes: int
    advised_ms: str
    frame_relay: FrameRelayLfi | None
    delay: Delay | None


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each LLQ whose fragments are off the budget; LFI003 has the fast links.

    A fragment may be short for a circuit whose rate is not known; one that is too long is so there
    too.
    """
    budget_ms = params.serialization_ms
    if budget_ms is None:
        return
    for link in cut_links(device):
        if isinstance(link, Skip):
            yield link
        elif link.whole_ms > budget_ms:
            off = abs(link.fragment_ms - budget_ms)
            if off <= budget_ms * params.off_percent / 100:
                continue
            if link.fragment_ms < budget_ms and has_circuit_without_cir(device, link.outlet):
                yield Skip(link.outlet.label, NO_CIR)
            else:
                yield _hit(device, link, params, budget_ms)


def _hit(device: Device, link: CutLink, params: Params, budget_ms: float) -> Hit[Evidence]:
    outlet, fragment_bytes = link.outlet, link.outlet.largest_ip_bytes
    fragment = fragment_for(outlet, budget_ms, link.rate_bps)
    form = resized(device, link, fragment, budget_ms, params.ring_wait_ms)
    evidence = Evidence(
        fragment_bytes=fragment_bytes,
        fragment_ms=number(link.fragment_ms),
        rate_kbps=rate_text(kbps_from_bps(link.rate_bps)),
        side="too long" if link.fragment_ms > budget_ms else "shorter than needed",
        advised_bytes=fragment.size_bytes,
        advised_ms=number(fragment.time_ms),
        frame_relay=form if isinstance(form, FrameRelayLfi) else None,
        delay=form if isinstance(form, Delay) else None,
    )
    # Sources differ where another circuit is slower: by one it decides, by one each its own.
    is_other = link.rate_bps < outlet.line_bps
    is_label = outlet.wire is not None and outlet.wire.is_label
    is_advice = kbps_from_bps(link.rate_bps) > params.lfi_up_to_kbps
    return Hit(
        outlet.label,
        (link.fragment.at, outlet.at),
        evidence,
        Confidence.LIKELY if is_label or is_other else Confidence.CERTAIN,
        Forecast(
            _METRIC,
            _figure(link.fragment_ms),
            _figure(link.time_ms(fragment.size_bytes)),
            link.inputs,
        ),
        severity=Severity.INFO if is_advice else None,
        curable=not isinstance(form, Unknown),
        advice=form.reason if isinstance(form, Unknown) else advice_of(device, form),
    )


def _figure(time_ms: float) -> Figure:
    return Figure(time_ms, time_ms, time_ms, "ms")


def measure(device: Device, label: str) -> Figure | None:
    """Time of the largest fragment of the output with this label."""
    for link in cut_links(device):
        if isinstance(link, CutLink) and link.outlet.label == label:
            return _figure(link.fragment_ms)
    return None


CHECK = Check(Params, Evidence, find, measure)
