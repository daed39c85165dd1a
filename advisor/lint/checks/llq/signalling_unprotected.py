"""Call signalling in the best-effort class of a congested link: calls are set up late, or not."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.packet_set import ALL_DSCPS
from advisor.facts.policy import CLASS_DEFAULT
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.llq.shared.marking import marks
from advisor.lint.checks.llq.shared.reaching import Reaching, reaching
from advisor.lint.checks.llq.shared.traffic import SIGNALLING_DSCPS, Traffic, traffic_of
from advisor.lint.findings import Confidence
from advisor.outlet.measured import congestion_signs
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out


class Params(Struct, frozen=True):
    """Load of the link, in percent, at which it counts as congested."""

    load_percent: float


class Evidence(Struct, frozen=True):
    """The policy, the signs of congestion, and why there is signalling."""

    policy_map: str
    signs: str
    because: str


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each congested output with voice in its LLQ and no class for signalling.

    Signalling is there where the device marks it, or where voice is: calls are set up by it. A
    class that takes CS3, AF31, its ports or its protocols protects it.
    """
    marked = any(mark.dscps & SIGNALLING_DSCPS for mark in marks(device.facts))
    for outlet in policies_out(device):
        observed = device.seen.interface(outlet.interface.parent or outlet.interface.name)
        signs = congestion_signs(observed, params.load_percent) if observed is not None else []
        if observed is None or not signs:
            continue
        members = tuple(reaching(device, outlet.queueing))
        if not marked and not any(map(_is_voice_queue, members)):
            continue
        if any(member.boxes is None for member in members):
            yield Skip(outlet.policy_label, "which class takes signalling is not known")
        elif not _is_protected(outlet, members):
            because = "this device marks it" if marked else "its LLQ has voice"
            yield Hit(
                outlet.policy_label,
                (outlet.queueing.at, observed.at),
                Evidence(outlet.queueing.name, " and ".join(signs), because),
                Confidence.LIKELY if marked else Confidence.POSSIBLE,
            )


def _is_voice_queue(member: Reaching) -> bool:
    is_llq = member.policy_class.priority is not None
    return is_llq and any(traffic_of(box) is Traffic.VOICE for box in member.boxes or ())


def _is_protected(outlet: Outlet, members: tuple[Reaching, ...]) -> bool:
    """Whether a class with a queue of its own takes signalling, or may: by ports or addresses."""
    default = next((each for each in outlet.queueing.classes if each.name == CLASS_DEFAULT), None)
    if default is not None and default.child is not None:
        return True
    boxes = [box for member in members for box in member.boxes or ()]
    return any(
        box.dscps & SIGNALLING_DSCPS
        and (box.dscps != ALL_DSCPS or traffic_of(box) in (Traffic.SIGNALLING, Traffic.BULK))
        for box in boxes
    )


CHECK = Check(Params, Evidence, find)
