"""Predictions of one device on request, with some of its settings moved."""

from collections.abc import Iterable

from advisor.device.device import Device
from advisor.ground.faults import AdvisorError
from advisor.ios.syntax.names import interface_name
from advisor.outlet.outlet import Outlet, Queueing
from advisor.outlet.plain import OutputPoint, plain_outlets, plain_outputs, queueing_outlets
from advisor.outlet.statements import wrong_statements

# The outputs of a device that a question is about, and the errors of questions that name none.

# The error of a request that cannot be predicted.


class InputError(AdvisorError):
    """The request of the user cannot be predicted; the message says why and what to do."""


class NotIosError(InputError):
    """The configuration to predict is of another system."""

    is_incomplete = True


# Refuses statements of the user that name nothing that their device has.


def refuse_wrong_statements(devices: Iterable[Device]) -> None:
    """Check the statements about the devices of a run.

    Raises
    ------
    InputError
        With the file, the line and the nearest name of each statement whose class or interface
        none of its devices has.
    """
    wrong = wrong_statements(devices)
    if wrong:
        raise InputError("; ".join(statement.said for statement in wrong))


# The outputs of a device that a question is about: with a policy, or FIFO and fair queueing.


def chosen_outlets(device: Device, file: str, interface: str | None) -> list[Outlet]:
    """The outputs of a device whose queueing is known, or those of one interface.

    Raises
    ------
    InputError
        If there is no such output.
    NotIosError
        If the device is not Cisco IOS.
    """
    if not device.is_ios:
        shown = f", as line {device.evidence_line} shows" if device.evidence else ""
        raise NotIosError(f"{file}: is {device.dialect.value}{shown}; only Cisco IOS is predicted")
    all_outlets = queueing_outlets(device)
    plain = points_without_policy(device, interface)
    if not all_outlets:
        why = "".join(f"; {point.object_path}: {why_unpredicted(point)}" for point in plain)
        raise InputError(f"{file}: no output with known queueing{why}")
    if interface is None:
        return list(all_outlets)
    name = interface_name(interface)
    chosen = [outlet for outlet in all_outlets if name in _names(outlet)]
    if not chosen:
        known = ", ".join(dict.fromkeys(outlet.interface.name for outlet in all_outlets))
        why = "".join(f"; {point.object_path}: {why_unpredicted(point)}" for point in plain)
        raise InputError(f"{file}: no output with known queueing on {name}; it is on {known}{why}")
    return chosen


def points_without_policy(device: Device, interface: str | None) -> tuple[OutputPoint, ...]:
    """The outputs whose queueing is not modelled: of the device, or of one interface."""
    name = None if interface is None else interface_name(interface)
    modelled = {outlet.label for outlet in plain_outlets(device)}
    return tuple(
        point
        for point in plain_outputs(device)
        if name in (None, point.interface_name) and point.object_path not in modelled
    )


def why_unpredicted(point: OutputPoint) -> str:
    """Why an output without a policy has no prediction: the model has no solver for it."""
    if point.queueing is Queueing.UNREAD:
        return f"{point.queueing.value} queues here"
    if point.queueing is Queueing.VOID:
        return "its policy queues no packet here: lint says why"
    if point.queueing is Queueing.UNKNOWN:
        return "no policy queues here, and what queues instead is not known of this platform"
    queueing = f"{point.queueing.value} ({point.basis.value})"
    return f"no policy queues here but {queueing}, which is not predicted"


def _names(outlet: Outlet) -> tuple[str, ...]:
    return (outlet.interface.name, outlet.attached_to)
