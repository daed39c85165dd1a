"""Names for writing the check of a rule of your own; see docs/own-rules.md.

Names and shapes of this module are public: they stay, fields are added. A check is a pure function
from a device to hits; it must not read files, ask the network or keep state.
"""

from pathlib import Path

from advisor.device.device import Device
from advisor.device.second_parser import as_ciscoconfparse, location_of
from advisor.ios.syntax import Line, LineKind, Location
from advisor.lint.card_proof import prove_card
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.declared import sections
from advisor.lint.findings import Confidence, Level, ObjectKind, Severity
from advisor.lint.rulebook import rules_of
from advisor.settings import RuleFolder, Settings

__all__ = [
    "Check",
    "Confidence",
    "Device",
    "Hit",
    "Level",
    "Line",
    "LineKind",
    "Location",
    "NoParams",
    "ObjectKind",
    "Severity",
    "Skip",
    "as_ciscoconfparse",
    "broken_promises",
    "location_of",
    "sections",
]


def broken_promises(folder: Path) -> tuple[str, ...]:
    """Promises of the examples in a folder of rules that do not hold; for a test of the rules.

    Raises
    ------
    AdvisorError
        If a card, a check or a template cannot be used.

    Examples
    --------
    >>> broken_promises(Path("docs/examples/rules"))
    ()
    """
    settings = Settings(rule_folders=(RuleFolder(folder, str(folder)),))
    rules = rules_of(settings)
    results = [prove_card(rule, rules, settings) for rule in rules if rule.is_own]
    return tuple(f"{result.rule_id}: {said}" for result in results for said in result.broken)
