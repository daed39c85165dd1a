"""Names for writing the check of a rule of your own; see docs/own-rules.md.

Names and shapes of this module are public: they stay, fields are added. A check is a pure function
from a device to hits; it must not read files, ask the network or keep state.
"""

from advisor.device.device import Device
from advisor.device.second_parser import as_ciscoconfparse, location_of
from advisor.ios.syntax import Line, LineKind, Location
from advisor.lint.card_proof import broken_promises
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.declared import sections
from advisor.lint.findings import Confidence, Level, Severity

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
    "Severity",
    "Skip",
    "as_ciscoconfparse",
    "broken_promises",
    "location_of",
    "sections",
]
