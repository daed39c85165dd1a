"""Why a class has no delay of its own: what is stated or measured of it, and what that lacks."""

from advisor.device.device import Device
from advisor.outlet.measured import FEWEST_PACKETS
from advisor.outlet.offer import speaks_of
from advisor.outlet.seen_classes import classes_at
from advisor.predict.classes.demand import Question
from advisor.quantity import Unknown


def unknown_delay(device: Device, question: Question, name: str, why: Unknown) -> Unknown:
    """Name what a statement or the counters of a class lack; `why` where they lack nothing."""
    if any(offer.class_name == name for offer in question.offers):
        return why
    outlet = question.outlet
    for statement in device.traffic:
        if statement.class_name == name and speaks_of(statement, outlet) and not statement.sizes:
            return Unknown(f"{statement.source} states no sizes: add packet_bytes")
    for observed in classes_at(device.seen, outlet.place, outlet.queueing.name):
        counted = observed.seen
        if observed.name != name or counted is None or counted.packets is None:
            continue
        lack = "their bytes are not those of IP packets"
        if counted.packets < FEWEST_PACKETS:
            lack = f"their mean size is taken from {FEWEST_PACKETS} on"
        return Unknown(
            f"packets of it that are counted: {counted.packets} ({observed.at}); {lack}: "
            "state it in [[traffic]]"
        )
    return why
