"""Outputs that an edit of a policy reaches: those that share it, and those nobody can name."""

from collections.abc import Sequence
from typing import Final

from advisor.device.definitions import why_part
from advisor.device.device import Device
from advisor.outlet.outlets import policies_out

_HEAD: Final = "policy-map "


def said_of_users(device: Device, lines: Sequence[str]) -> tuple[str, ...]:
    """Say of each policy that lines edit which outputs change together."""
    said = []
    for name in _edited(lines):
        labels = dict.fromkeys(
            outlet.policy_label
            for outlet in policies_out(device)
            if name in (outlet.policy.name, outlet.queueing.name)
        )
        if len(labels) > 1:
            said.append(f"{name} is shared, and all of {', '.join(labels)} change and were proven")
    return tuple(said)


def unknown_users(device: Device, lines: Sequence[str]) -> tuple[str, ...]:
    """Say of which policies the text, a part of the configuration, may lack other users."""
    names = ", ".join(_edited(lines))
    is_part = bool(names) and why_part(device) is not None
    return (f"outputs that are not in this text may use {names} too",) if is_part else ()


def _edited(lines: Sequence[str]) -> list[str]:
    return sorted({line.removeprefix(_HEAD) for line in lines if line.startswith(_HEAD)})
