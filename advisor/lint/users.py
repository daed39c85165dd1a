"""Outputs that an edit of a policy reaches: those that share it, and those nobody can name."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from advisor.device.device import Device, why_part
from advisor.lint.findings import Finding
from advisor.outlet.outlets import policies_out

_HEAD: Final = "policy-map "


def with_users(device: Device, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings whose advice says which outputs share a policy that the lines edit.

    It is added last: one remedy stands for many outputs, and each of them is named.
    """
    return tuple(_with_users(device, finding) for finding in findings)


def _with_users(device: Device, finding: Finding) -> Finding:
    remedy = finding.remedy
    if remedy is None or any(each.before.startswith(_HEAD) for each in remedy.renamed):
        return finding  # it edits a copy for one output
    users = device.derived(_labels_by_policy)
    shared = {name: users[name] for name in _edited(remedy.lines) if len(users.get(name, ())) > 1}
    if not shared:
        return finding
    words = (
        f"{name} is shared, and all of {', '.join(labels)} change and were proven"
        for name, labels in shared.items()
    )
    advice = "; ".join(filter(None, (remedy.advice, *words)))
    return replace(finding, remedy=replace(remedy, advice=advice))


def _labels_by_policy(device: Device) -> Mapping[str, tuple[str, ...]]:
    labels: dict[str, dict[str, None]] = {}
    for outlet in policies_out(device):
        for name in (outlet.policy.name, outlet.queueing.name):
            labels.setdefault(name, {})[outlet.policy_label] = None
    return {name: tuple(found) for name, found in labels.items()}


def unknown_users(device: Device, lines: Sequence[str]) -> tuple[str, ...]:
    """Say of which policies the text, a part of the configuration, may lack other users."""
    names = ", ".join(_edited(lines))
    is_part = bool(names) and why_part(device) is not None
    return (f"outputs that are not in this text may use {names} too",) if is_part else ()


def _edited(lines: Sequence[str]) -> list[str]:
    return sorted({line.removeprefix(_HEAD) for line in lines if line.startswith(_HEAD)})
