"""Fragments of the wrong size, or on a link that needs none."""

from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.ground.quantity import Basis, Figure, Input, Unknown, number, point, rate_text
from advisor.ground.units import kbps_from_bps, serialization_ms
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.lfi import CutLink, PacketBudget, cut_links
from advisor.lint.checks.lfi.frame_relay import (
    NO_CIR,
    FragmentDelay,
    FrameRelayLfi,
    advice_of,
    has_circuit_without_cir,
    resized,
)
from advisor.lint.checks.llq.admitted import largest_packet_bytes
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.class_service import class_packet
from advisor.outlet.fragments import Fragment, fragment_for
from advisor.outlet.framing import Layer2
from advisor.outlet.link_rates import end_rates_bps
from advisor.outlet.operations import is_for_voice, offers_at
from advisor.outlet.outlet import Outlet

# Fragments that are too long for voice behind them, or shorter than the link needs.

_METRIC = "serialization of the largest fragment"
_OF_THE_LINK: Final = "the slowest rate of the link"
_OF_A_CIRCUIT: Final = "the slowest circuit of the port, which sets the size for all of them"


class WrongFragmentParams(Struct, frozen=True):
    """Budget of one fragment (None: not judged), how far off is wrong, where LFI is advice."""

    serialization_ms: float | None
    off_percent: float
    lfi_up_to_kbps: float
    ring_wait_ms: float | None = None


class WrongFragment(Struct, frozen=True):
    """The fragment, its time, and the fragment that keeps the budget."""

    fragment_bytes: int
    fragment_ms: str
    rate_kbps: str
    rate_of: str  # "the slowest rate of the link", "the slowest circuit of the port"
    side: str  # "too long", "shorter than needed"
    advised_bytes: int
    advised_ms: str
    frame_relay: FrameRelayLfi | None
    delay: FragmentDelay | None


def find_fragment_wrong_size(device: Device, params: WrongFragmentParams) -> Found[WrongFragment]:
    """Yield a hit for each LLQ whose fragments are off the budget; LFI003 has the fast links.

    A fragment may be short for a circuit whose rate is not known; one that is too long is so there
    too.
    """
    budget_ms = params.serialization_ms
    if budget_ms is None:
        return
    most_off = budget_ms * params.off_percent / 100

    def side(time_ms: float) -> int:
        off_ms = time_ms - budget_ms
        return 0 if abs(off_ms) <= most_off else 1 if off_ms > 0 else -1

    def verdict(link: CutLink) -> tuple[int, ...]:
        bare_ms = serialization_ms(link.fragment.value, link.rate_bps)  # as tables of sizes have it
        sides = {side(time_ms) for time_ms in (bare_ms, *link.ends_ms)}
        return tuple(sides) if len(sides) == 1 else (0, link.outlet.largest_ip_bytes)

    for link in cut_links(device, verdict):
        if isinstance(link, Skip):
            yield link
        elif link.whole_ms > budget_ms:
            if not side(link.fragment_ms):
                continue
            if link.fragment_ms < budget_ms and has_circuit_without_cir(device, link.outlet):
                yield Skip(link.outlet.label, NO_CIR)
            else:
                yield _wrong_fragment(device, link, params, budget_ms)


def _wrong_fragment(
    device: Device, link: CutLink, params: WrongFragmentParams, budget_ms: float
) -> Hit[WrongFragment]:
    outlet, fragment_bytes = link.outlet, link.outlet.largest_ip_bytes
    fragment = fragment_for(outlet, budget_ms, link.rate_bps)
    form = resized(device, link, fragment, budget_ms, params.ring_wait_ms)
    evidence = WrongFragment(
        fragment_bytes=fragment_bytes,
        fragment_ms=number(link.fragment_ms),
        rate_kbps=rate_text(kbps_from_bps(link.rate_bps)),
        rate_of=_OF_A_CIRCUIT if _is_of_another_circuit(device, link) else _OF_THE_LINK,
        side="too long" if link.fragment_ms > budget_ms else "shorter than needed",
        advised_bytes=fragment.size_bytes,
        advised_ms=number(fragment.time_ms),
        frame_relay=form if isinstance(form, FrameRelayLfi) else None,
        delay=form if isinstance(form, FragmentDelay) else None,
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
            point(link.fragment_ms, "ms"),
            point(link.time_ms(fragment.size_bytes), "ms"),
            link.inputs,
        ),
        severity=Severity.INFO if is_advice else None,
        curable=not isinstance(form, Unknown),
        advice=form.reason if isinstance(form, Unknown) else advice_of(device, form),
    )


def _is_of_another_circuit(device: Device, link: CutLink) -> bool:
    """Whether the slowest rate is that of a circuit beside this one, on the same port."""
    own = (link.outlet.line_bps, *end_rates_bps(device, link.outlet.interface.name))
    return link.rate_bps < min(own)


def measure_fragment_wrong_size(device: Device, label: str) -> Figure | None:
    """Time of the largest fragment of the output with this label."""
    link = _link_at(device, label)
    return None if link is None else point(link.fragment_ms, "ms")


def _link_at(device: Device, label: str) -> CutLink | None:
    found = cut_links(device, lambda _: None)
    links = (link for link in found if isinstance(link, CutLink))
    return next((link for link in links if link.outlet.label == label), None)


# Fragments that are smaller than a voice packet: the voice itself is cut.


class SplitVoiceParams(Struct, frozen=True):
    """Budgets of one fragment and of the ring; None where the profile does not judge it."""

    serialization_ms: float | None
    ring_wait_ms: float | None = None


class SplitVoice(Struct, frozen=True):
    """The fragment, the packet that it cuts, and the fragment that does not."""

    class_name: str
    packet_bytes: str
    fragment_bytes: int
    advised_bytes: int
    advised_ms: str
    frame_relay: FrameRelayLfi | None
    delay: FragmentDelay | None


def find_fragment_splits_voice(device: Device, params: SplitVoiceParams) -> Found[SplitVoice]:
    """Yield a hit for each LLQ whose packets do not fit a fragment of its link.

    Of unknown packets, G.729 to G.711, it is a warning where the smaller one does not fit, and
    information where the budget has room for the larger one.
    """
    budget_ms = params.serialization_ms
    if budget_ms is None:
        return

    def splits(link: CutLink) -> bool:
        voice = _largest_voice(device, link)
        fragment = fragment_for(link.outlet, budget_ms, link.rate_bps)
        return voice is not None and _splits(link, voice[1], fragment)

    for link in cut_links(device, splits):
        if isinstance(link, Skip):
            yield link
            continue
        voice = _largest_voice(device, link)
        fragment = fragment_for(link.outlet, budget_ms, link.rate_bps)
        if voice is not None and splits(link):
            yield _split_voice(device, link, (*voice, fragment), budget_ms, params.ring_wait_ms)


def _splits(link: CutLink, packet: Input, right: Fragment) -> bool:
    low, high = _framed(link, packet.low), _framed(link, packet.high)
    return link.fragment.value < (high if right.size_bytes >= high else low)


def _largest_voice(device: Device, link: CutLink) -> tuple[str, Input] | None:
    """The priority class with the largest packets."""
    outlet = link.outlet
    offers = offers_at(device, outlet)
    classes = [
        (llq.name, _of_dial_peers(device, outlet, llq.name, class_packet(outlet, offers, llq.name)))
        for llq in outlet.llq_classes
    ]
    return max(classes, key=lambda each: each[1].high, default=None)


def _of_dial_peers(device: Device, outlet: Outlet, name: str, packet: Input) -> Input:
    """The packet of a class of voice that nobody states, at least that of a dial-peer's codec."""
    inside = largest_packet_bytes(device.facts)
    if inside is None or packet.basis is not Basis.ASSUMED or not is_for_voice(device, name):
        return packet
    around = outlet.around(name)
    least = float(inside if around is None else around.ends(inside)[0])
    most = max(least, packet.high)
    return Input(packet.name, least, least, most, Basis.CONFIGURED, "the codec of a dial-peer")


def _framed(link: CutLink, ip_bytes: float) -> float:
    """A packet with the layer-2 header that a fragment has to hold, too."""
    return ip_bytes + link.outlet.counted_bytes


def _split_voice(
    device: Device,
    link: CutLink,
    judged: tuple[str, Input, Fragment],
    budget_ms: float,
    ring_ms: float | None,
) -> Hit[SplitVoice]:
    name, packet, fragment = judged
    low, high = _framed(link, packet.low), _framed(link, packet.high)
    form = resized(device, link, fragment, budget_ms, ring_ms)
    if fragment.size_bytes < high:
        form = Unknown(
            "raise the rate, or use a codec with smaller packets: no fragment that they fit keeps "
            f"{budget_ms:g} ms"
        )
    is_sure = link.fragment.value < low
    after = None if isinstance(form, Unknown) else point(fragment.size_bytes, "bytes")
    evidence = SplitVoice(
        class_name=name,
        packet_bytes=f"{low:.0f}" if low == high else f"{low:.0f}-{high:.0f}",
        fragment_bytes=int(link.fragment.value),
        advised_bytes=fragment.size_bytes,
        advised_ms=number(fragment.time_ms),
        frame_relay=form if isinstance(form, FrameRelayLfi) else None,
        delay=form if isinstance(form, FragmentDelay) else None,
    )
    return Hit(
        link.outlet.label,
        (link.fragment.at, link.outlet.at),
        evidence,
        Confidence.LIKELY if is_sure else Confidence.POSSIBLE,
        Forecast("fragment", point(link.fragment.value, "bytes"), after, (*link.inputs, packet)),
        severity=None if is_sure else Severity.INFO,
        curable=not isinstance(form, Unknown),
        advice=form.reason if isinstance(form, Unknown) else advice_of(device, form),
    )


def measure_fragment_splits_voice(device: Device, label: str) -> Figure | None:
    """Fragment of the output with this label."""
    link = _link_at(device, label)
    return None if link is None else point(link.fragment.value, "bytes")


# Fragments on a link that sends a whole packet in time.

_WINDOW: Final = "take the fragments away when the link has a window"
_FRAME_RELAY: Final = (
    f"{_WINDOW}: both ends have to stop together, since an end without FRF.12 drops fragments"
)
_MULTILINK: Final = f"{_WINDOW}: the members of the bundle have to join anew"


class NeedlessFragments(Struct, frozen=True):
    """The largest packet, its time, and the fragments that it does not need."""

    mtu_bytes: int
    whole_ms: str
    rate_kbps: str
    budget_ms: float
    fragments: str  # "fragments of 80 bytes save nothing"


_BEHIND_A_PORT: Final = "the rate of the access behind its port is not known"


def find_fragmenting_fast_link(device: Device, params: PacketBudget) -> Found[NeedlessFragments]:
    """Yield a hit for each output that fragments and whose MTU is within the budget."""
    budget_ms = params.serialization_ms
    if budget_ms is None:
        return
    for link in cut_links(device, lambda link: link.whole_ms, without_llq=True):
        if isinstance(link, Skip):
            yield link
        elif link.whole_ms <= budget_ms and has_circuit_without_cir(device, link.outlet):
            yield Skip(link.outlet.label, NO_CIR)
        elif link.whole_ms <= budget_ms and link.outlet.is_never_full:
            yield Skip(link.outlet.label, _BEHIND_A_PORT)
        elif link.whole_ms <= budget_ms:
            yield _needless_fragments(link, budget_ms)


def _needless_fragments(link: CutLink, budget_ms: float) -> Hit[NeedlessFragments]:
    outlet, mtu_bytes = link.outlet, int(link.outlet.mtu.value)
    is_cut = outlet.largest_ip_bytes < mtu_bytes
    size = f"fragments of {outlet.largest_ip_bytes} bytes cost headers and CPU"
    evidence = NeedlessFragments(
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
            point(link.whole_ms, "ms"),
            None,
            (*link.inputs, outlet.mtu),
        ),
        advice=_FRAME_RELAY if link.encapsulation.kind is Layer2.FRAME_RELAY else _MULTILINK,
    )
