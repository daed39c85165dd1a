"""Fragments on a link that sends a whole packet in time."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.lfi.shared.cut import CutLink, cut_links
from advisor.lint.checks.lfi.shared.frame_relay import NO_CIR, has_circuit_without_cir
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.framing import Layer2
from advisor.quantity import Figure, number, rate_text
from advisor.units import kbps_from_bps

_WINDOW: Final = "take the fragments away when the link has a window"
_FRAME_RELAY: Final = (
    f"{_WINDOW}: both ends have to stop together, since an end without FRF.12 drops fragments"
)
_MULTILINK: Final = f"{_WINDOW}: the members of the bundle have to join anew"


class Params(Struct, frozen=True):
    """Budget of one packet; None where the profile does not judge it."""

    serialization_ms: float | None


class Evidence(Struct, frozen=True):
    """The largest packet, its time, and the fragments that it does not need."""

    mtu_bytes: int
    whole_ms: str
    rate_kbps: str
    budget_ms: float
    fragments: str  # "fragments of 80 bytes save nothing"


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each output that fragments and whose MTU is within the budget."""
    budget_ms = params.serialization_ms
    if budget_ms is None:
        return
    for link in cut_links(device, without_llq=True):
        if isinstance(link, Skip):
            yield link
        elif link.whole_ms <= budget_ms and has_circuit_without_cir(device, link.outlet):
            yield Skip(link.outlet.label, NO_CIR)
        elif link.whole_ms <= budget_ms:
            yield _hit(link, budget_ms)


def _hit(link: CutLink, budget_ms: float) -> Hit[Evidence]:
    outlet, mtu_bytes = link.outlet, int(link.outlet.mtu.value)
    is_cut = outlet.largest_ip_bytes < mtu_bytes
    size = f"fragments of {outlet.largest_ip_bytes} bytes cost headers and CPU"
    evidence = Evidence(
        mtu_bytes=mtu_bytes,
        whole_ms=number(link.whole_ms),
        rate_kbps=rate_text(kbps_from_bps(link.rate_bps)),
        budget_ms=budget_ms,
        fragments=size if is_cut else "no packet is cut, and interleaving gives nothing",
    )
    label_only = outlet.wire is not None and outlet.wire.is_label
    return Hit(
        outlet.label,
        (link.fragment.at, outlet.at),
        evidence,
        Confidence.LIKELY if label_only else Confidence.CERTAIN,
        Forecast(
            "serialization of the largest whole packet",
            Figure(link.whole_ms, link.whole_ms, link.whole_ms, "ms"),
            None,
            (*link.inputs, outlet.mtu),
        ),
        advice=_FRAME_RELAY if link.encapsulation.kind is Layer2.FRAME_RELAY else _MULTILINK,
    )


CHECK = Check(Params, Evidence, find)
