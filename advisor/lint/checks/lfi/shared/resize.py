"""Lines that give an output which fragments already the right fragments."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.stated import Stated
from advisor.lint.checks.lfi.shared.cut import CutLink
from advisor.lint.checks.lfi.shared.frame_relay import (
    FrameRelayLfi,
    ends_to_change,
    frame_relay_lfi,
)
from advisor.lint.checks.lfi.shared.members import LabelledMember, wrong_labels
from advisor.lint.checks.lfi.shared.serial import ring_to_set
from advisor.outlet.fragments import Fragment, how_to_fragment
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.quantity import Unknown
from advisor.units import bytes_in_ms


class MemberRing(Struct, frozen=True):
    """A member whose ring would hold too much of the new fragments, and the ring to set."""

    name: str
    ring: int


class Delay(Struct, frozen=True):
    """The fragment delay of a bundle in its spelling, and members whose `bandwidth` is wrong.

    `delay_ms` is None where the bundle has the right delay. `rings` are those that longer fragments
    make too long.
    """

    bundle: str
    words: str
    delay_ms: int | None
    members: tuple[LabelledMember, ...]
    rings: tuple[MemberRing, ...] = ()


def resized(
    device: Device, link: CutLink, fragment: Fragment, budget_ms: float, ring_ms: float | None
) -> FrameRelayLfi | Delay | Unknown:
    """What the lines of `fragment-size.j2` set, or why there are none."""
    outlet = link.outlet
    if not fragment.holds_voice:
        return Unknown(
            f"raise the rate: no fragment that a voice packet fits keeps {budget_ms:g} ms"
        )
    by_hand = Unknown(how_to_fragment(outlet, fragment, budget_ms))
    if outlet.bundle is None:
        form = frame_relay_lfi(device, outlet, budget_ms)
        return by_hand if isinstance(form, Unknown) else form
    if outlet.bundle.multilink.fragment_bytes is not None:
        return Unknown(f"instead of a size in bytes: {by_hand.reason}")
    members = wrong_labels(device, outlet.bundle)
    if isinstance(members, Unknown):
        return members
    stated = outlet.bundle.multilink.fragment_delay_ms
    words = outlet.bundle.multilink.delay_words
    is_set = stated is not None and stated.value == int(budget_ms)
    if is_set and not members:
        return by_hand
    rings = tuple(_rings(device, outlet, budget_ms, ring_ms))
    return Delay(outlet.bundle.name, words, None if is_set else int(budget_ms), members, rings)


def _rings(
    device: Device, cut: Outlet, fragment_ms: float, ring_ms: float | None
) -> Iterator[MemberRing]:
    """Members with a stated ring that is too long for the new fragments; LFI007 has the others."""
    for outlet in outlets(device):
        stated = outlet.interface.tx_ring_limit
        if outlet.bundle != cut.bundle or outlet.wire is None or stated is None:
            continue
        size_bytes = bytes_in_ms(outlet.wire.value, fragment_ms)
        member = replace(outlet, fragment_bytes=Stated(size_bytes, outlet.at))
        ring = ring_to_set(device, member, ring_ms)
        if ring is not None:
            yield MemberRing(outlet.interface.name, ring)


def advice_of(device: Device, form: FrameRelayLfi | Delay) -> str:
    """What to know of the lines."""
    if isinstance(form, FrameRelayLfi):
        words = "the other end sets the size of what it sends by the same rate"
        return "; ".join(filter(None, (words, ends_to_change(device, form))))
    return (
        "IOS computes the size when the first member joins: after the lines `shutdown` all "
        "members, then `no shutdown` them"
    )
