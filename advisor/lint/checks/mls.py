"""Switches with `mls qos`: ports of phones whose marks are lost at the port."""

import re
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import interface_sections
from advisor.facts.interface import Interface, Side
from advisor.ios.syntax import Line, Location
from advisor.lint.checks.base import Found, Hit, begins_as
from advisor.lint.findings import Confidence

_ON: Final = "mls qos"
_KEPT: Final = "no mls qos rewrite ip dscp"  # the DSCP passes as it came
_VOICE_VLAN: Final = re.compile(r"switchport voice vlan (?:\d+|dot1p)", re.IGNORECASE)


class PortTrustsNothing(Struct, frozen=True):
    """The port of phones."""

    interface: str


def find_mls_qos_trusts_nothing(device: Device) -> Found[PortTrustsNothing]:
    """Yield a hit for each port with a voice VLAN that neither trusts nor marks under `mls qos`.

    Other ports are not judged: no line says that they carry marked traffic.
    """
    switch_qos = {line.value.lower(): line.at for line in device.facts.switch_qos}
    enabled = switch_qos.get(_ON)
    if enabled is None or _KEPT in switch_qos:
        return
    for name, section in interface_sections(device.facts):
        interface, line = device.facts.interface(name), _voice_vlan(section)
        if interface is not None and line is not None and _is_open(interface, section):
            yield _port_trusts_nothing(device, interface, line, enabled)


def _voice_vlan(section: Line) -> Line | None:
    lines = (line for line in section.commands() if _VOICE_VLAN.fullmatch(line.text))
    return next(lines, None)


def _is_open(interface: Interface, section: Line) -> bool:
    marks = any(policy.direction is Side.INPUT for policy in interface.policies)
    trusts = any(begins_as("port-trusts", line.text.lower()) for line in section.commands())
    return not interface.shutdown and not marks and not trusts


def _port_trusts_nothing(
    device: Device, interface: Interface, line: Line, enabled: Location
) -> Hit[PortTrustsNothing]:
    return Hit(
        f"interface {interface.name}",
        (device.facts.tree.at(line), enabled),
        PortTrustsNothing(interface.name),
        Confidence.LIKELY,
    )
