"""An output on a wire of another rate, with the quantities that follow from the rate."""

from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.stated import Stated
from advisor.outlet.outlet import Outlet
from advisor.outlet.parts import delay_fragment, policy_queues
from advisor.outlet.ring import RingFact, ring_of
from advisor.quantity import Basis, Input, exact


def at_rate(device: Device, outlet: Outlet, wire: Input) -> Outlet:
    """The output as it would be with this wire.

    Quantities that follow from the rate change with it: the default length of a ring that depends
    on the rate, a fragment that is configured as a delay, a shaper in percent, and the base of
    `percent` unless it is the rate of a shaper or of a circuit. All members of a bundle get the
    rate.
    """
    moved = replace(
        outlet,
        wire=wire,
        ring=_ring(device, outlet, wire),
        fragment_bytes=_fragment(outlet, wire),
        bundle_wire=_bundle_wire(outlet, wire),
        members_bps=tuple(
            rate_bps * wire.value / outlet.wire_bps for rate_bps in outlet.members_bps
        ),
    )
    if outlet.shaper_share is not None:
        shaper_bps = wire.value * outlet.shaper_share
        return replace(moved, shaper_bps=shaper_bps, admission_bps=shaper_bps)
    if outlet.shaper_bps is None:
        return replace(moved, admission_bps=(moved.bundle_wire or wire).value)
    return moved


def _ring(device: Device, outlet: Outlet, wire: Input) -> RingFact | None:
    if outlet.ring is not None and outlet.ring.basis is not Basis.DEFAULT:
        return outlet.ring
    if outlet.why_unread is not None:
        return None
    queueing = policy_queues(device.facts, outlet.policy) and outlet.bundle is None
    return ring_of(outlet.interface, outlet.pvc, device.platform, wire.value, queueing=queueing)


def _fragment(outlet: Outlet, wire: Input) -> Stated[float] | None:
    stated = outlet.fragment_bytes
    multilink = (outlet.bundle or outlet.session or outlet.interface).multilink
    by_delay = delay_fragment(multilink, wire.value)
    if by_delay is None or (stated is not None and stated.at != by_delay.at):
        return stated
    if stated is None or not outlet.wire_bps:
        return by_delay
    return Stated(stated.value * wire.value / outlet.wire_bps, stated.at)


def _bundle_wire(outlet: Outlet, wire: Input) -> Input | None:
    if outlet.bundle_wire is None or outlet.wire is None:
        return outlet.bundle_wire
    rate_bps = outlet.bundle_wire.value * wire.value / outlet.wire.value
    return exact("bundle_rate_bps", rate_bps, wire.basis, wire.source, wire.kind)
