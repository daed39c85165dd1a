"""Fragments that are smaller than a voice packet: the voice itself is cut."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.lfi.shared.cut import CutLink, cut_links
from advisor.lint.checks.lfi.shared.frame_relay import FrameRelayLfi
from advisor.lint.checks.lfi.shared.resize import Delay, advice_of, resized
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.class_service import class_packet
from advisor.outlet.fragments import Fragment, fragment_for
from advisor.outlet.offer import offers_of
from advisor.outlet.operations import stated_traffic
from advisor.quantity import Figure, Input, Unknown, number


class Params(Struct, frozen=True):
    """Budgets of one fragment and of the ring; None where the profile does not judge it."""

    serialization_ms: float | None
    ring_wait_ms: float | None = None


class Evidence(Struct, frozen=True):
    """The fragment, the packet that it cuts, and the fragment that does not."""

    class_name: str
    packet_bytes: str
    fragment_bytes: int
    advised_bytes: int
    advised_ms: str
    frame_relay: FrameRelayLfi | None
    delay: Delay | None


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each LLQ whose packets do not fit a fragment of its link.

    Of unknown packets, G.729 to G.711, it is a warning where the smaller one does not fit, and
    information where the budget has room for the larger one.
    """
    budget_ms = params.serialization_ms
    if budget_ms is None:
        return
    for link in cut_links(device):
        if isinstance(link, Skip):
            yield link
            continue
        voice = _largest_voice(device, link)
        fragment = fragment_for(link.outlet, budget_ms, link.rate_bps)
        if voice is not None and _splits(link, voice[1], fragment):
            yield _hit(device, link, (*voice, fragment), budget_ms, params.ring_wait_ms)


def _splits(link: CutLink, packet: Input, right: Fragment) -> bool:
    low, high = _framed(link, packet.low), _framed(link, packet.high)
    return link.fragment.value < (high if right.size_bytes >= high else low)


def _largest_voice(device: Device, link: CutLink) -> tuple[str, Input] | None:
    """The priority class with the largest packets."""
    outlet = link.outlet
    offers = offers_of(outlet, stated_traffic(device))
    classes = [(each.name, class_packet(outlet, offers, each.name)) for each in outlet.llq_classes]
    return max(classes, key=lambda each: each[1].high, default=None)


def _framed(link: CutLink, ip_bytes: float) -> float:
    """A packet with the layer-2 header that a fragment has to hold, too.

    The packets of the outlet have the header of FRF.12 already, which comes on top of a fragment.
    """
    return ip_bytes - link.outlet.llq_header_bytes + link.outlet.counted_bytes


def _hit(
    device: Device,
    link: CutLink,
    judged: tuple[str, Input, Fragment],
    budget_ms: float,
    ring_ms: float | None,
) -> Hit[Evidence]:
    name, packet, fragment = judged
    low, high = _framed(link, packet.low), _framed(link, packet.high)
    form = resized(device, link, fragment, budget_ms, ring_ms)
    if fragment.size_bytes < high:
        form = Unknown(
            "raise the rate, or use a codec with smaller packets: no fragment that they fit keeps "
            f"{budget_ms:g} ms"
        )
    is_sure = link.fragment.value < low
    evidence = Evidence(
        class_name=name,
        packet_bytes=f"{low:.0f}" if low == high else f"{low:.0f}-{high:.0f}",
        fragment_bytes=int(link.fragment.value),
        advised_bytes=fragment.size_bytes,
        advised_ms=number(fragment.time_ms),
        frame_relay=form if isinstance(form, FrameRelayLfi) else None,
        delay=form if isinstance(form, Delay) else None,
    )
    return Hit(
        link.outlet.label,
        (link.fragment.at, link.outlet.at),
        evidence,
        Confidence.LIKELY if is_sure else Confidence.POSSIBLE,
        Forecast(
            "fragment",
            _figure(link.fragment.value),
            None if isinstance(form, Unknown) else _figure(fragment.size_bytes),
            (*link.inputs, packet),
        ),
        severity=None if is_sure else Severity.INFO,
        curable=not isinstance(form, Unknown),
        advice=form.reason if isinstance(form, Unknown) else advice_of(device, form),
    )


def _figure(size_bytes: float) -> Figure:
    return Figure(size_bytes, size_bytes, size_bytes, "bytes")


def measure(device: Device, label: str) -> Figure | None:
    """Fragment of the output with this label."""
    for link in cut_links(device):
        if isinstance(link, CutLink) and link.outlet.label == label:
            return _figure(link.fragment.value)
    return None


CHECK = Check(Params, Evidence, find, measure)
