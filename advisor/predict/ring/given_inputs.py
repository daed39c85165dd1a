"""Inputs of the prediction of an output: what is configured, measured, stated or assumed."""

from advisor.outlet.class_packet import class_packet
from advisor.outlet.framing import Encapsulation
from advisor.outlet.offer import Offer, background_input, unstated_classes
from advisor.outlet.outlet import Outlet
from advisor.predict.ring.unread import unread_inputs
from advisor.quantity import Basis, Input, exact


def given_inputs(
    outlet: Outlet, framing: Encapsulation, offers: tuple[Offer, ...], *, unstated: bool
) -> tuple[Input, ...]:
    """Inputs of a prediction without the ring; `unstated`: lower classes were assumed."""
    inputs = [known for known in (outlet.wire, outlet.mtu) if known is not None]
    inputs.append(framing.overhead_input)
    inputs += unread_inputs(outlet)
    if outlet.fragment_bytes is not None:
        source = f"LFI, {outlet.fragment_bytes.at}"
        inputs.append(
            exact("fragment_bytes", outlet.fragment_bytes.value, Basis.CONFIGURED, source)
        )
    sized = dict.fromkeys(offer.class_name for offer in offers if offer.sizes)
    inputs += (class_packet(outlet, offers, name) for name in sized)
    for offer in offers:
        if offer.packets_per_second is not None:
            name = f"packets_per_second of {offer.class_name}"
            inputs.append(exact(name, offer.packets_per_second, offer.basis, offer.source))
    return (*inputs, *_assumed_packets(outlet, offers)) if unstated else tuple(inputs)


def _assumed_packets(outlet: Outlet, offers: tuple[Offer, ...]) -> tuple[Input, ...]:
    """Mean packets of lower classes without known traffic; classes under WRED have their own."""
    names = unstated_classes(outlet, offers)
    classes = {name: outlet.class_named(name) for name in names}
    data = [
        name
        for name, policy_class in classes.items()
        if policy_class is not None and policy_class.wred is not None
    ]
    packets = [class_packet(outlet, offers, name) for name in data]
    others = [background_input(outlet)] if len(data) < len(names) else []
    return (*packets, *others)
