"""Lines that give an output which fragments already the right fragments."""

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.lfi.shared.cut import CutLink
from advisor.lint.checks.lfi.shared.frame_relay import FrameRelayLfi, frame_relay_lfi
from advisor.lint.checks.lfi.shared.members import LabelledMember, wrong_labels
from advisor.outlet.fragments import Fragment, how_to_fragment
from advisor.quantity import Unknown


class Delay(Struct, frozen=True):
    """`ppp multilink fragment delay` of a bundle, and the members whose `bandwidth` is wrong.

    `delay_ms` is None where the bundle has the right delay.
    """

    bundle: str
    delay_ms: int | None
    members: tuple[LabelledMember, ...]


def resized(
    device: Device, link: CutLink, fragment: Fragment, budget_ms: float
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
    is_set = stated is not None and stated.value == int(budget_ms)
    if is_set and not members:
        return by_hand
    return Delay(outlet.bundle.name, None if is_set else int(budget_ms), members)


def advice_of(form: FrameRelayLfi | Delay) -> str:
    """What to know of the lines."""
    if isinstance(form, FrameRelayLfi):
        return "the other end sets the size of what it sends by the same rate"
    return (
        "IOS computes the size when the first member joins: after the lines `shutdown` and "
        "`no shutdown` the members, one by one"
    )
