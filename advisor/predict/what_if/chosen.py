"""The outputs of a device that a question is about."""

from advisor.device.device import Device
from advisor.ios.syntax.names import interface_name
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.predict.what_if.errors import InputError


def chosen_outlets(device: Device, file: str, interface: str | None) -> list[Outlet]:
    """The outputs of a device with a policy, or those of one interface.

    Raises
    ------
    InputError
        If the device is not Cisco IOS, or there is no such output.
    """
    if not device.is_ios:
        shown = f", as line {device.evidence_line} shows" if device.evidence else ""
        raise InputError(f"{file}: is {device.dialect.value}{shown}; only Cisco IOS is predicted")
    all_outlets = outlets(device)
    if not all_outlets:
        raise InputError(f"{file}: no output policy that is defined and attached")
    if interface is None:
        return list(all_outlets)
    name = interface_name(interface)
    chosen = [outlet for outlet in all_outlets if name in _names(outlet)]
    if not chosen:
        known = ", ".join(dict.fromkeys(outlet.interface.name for outlet in all_outlets))
        raise InputError(f"{file}: no output policy on {name}; it is on {known}")
    return chosen


def _names(outlet: Outlet) -> tuple[str, ...]:
    bundle = (outlet.bundle.name,) if outlet.bundle is not None else ()
    return (outlet.interface.name, *bundle)
