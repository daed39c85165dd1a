"""What remedies of several findings give back together, where they shorten the delay of one class.

Each remedy is proven alone, and its figure is that of its lines alone: of two that shorten the same
delay neither is what the reader gets who pastes both.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from advisor.device.device import Device
from advisor.lint.findings import Finding, JointGain, Severity
from advisor.lint.side_effects import side_effects
from advisor.lint.trial import UnprovenError, applied, edited
from advisor.settings import Budgets


def with_joint_gains(
    device: Device, findings: Sequence[Finding], budgets: Budgets
) -> tuple[Finding, ...]:
    """Findings whose lines shorten a delay that others shorten too, with that of all of them."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        for effect in finding.remedy.shorter if finding.remedy and _is_pasted(finding) else ():
            groups.setdefault(effect.object, []).append(finding)
    shared = {path: group for path, group in groups.items() if len(group) > 1}
    pasted = {finding.key: finding for group in shared.values() for finding in group}
    tree = device.facts.tree
    try:
        for finding in pasted.values():
            tree = applied(tree, finding.remedy.lines if finding.remedy else ())
    except UnprovenError:
        return tuple(findings)
    after = edited(device, tree)
    effects = side_effects(device, after, budgets).shorter if pasted else ()
    gains = {
        finding.key: JointGain(
            tuple(dict.fromkeys(item.rule for item in shared[effect.object])), effect
        )
        for effect in effects
        for finding in shared.get(effect.object, ())
    }
    return tuple(replace(item, together=gains.get(item.key)) for item in findings)


def _is_pasted(finding: Finding) -> bool:
    """Whether the lines of a finding are pasted as they are, at one end."""
    remedy = finding.remedy
    if remedy is None or remedy.merged is not None or remedy.two_ended is not None:
        return False
    return bool(remedy.lines) and finding.severity is not Severity.INFO
