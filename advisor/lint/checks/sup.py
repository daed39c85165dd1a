"""Checks of suppressions: comments and tables that accept findings.

No device shows these findings by itself: a run makes them, see `advisor.lint.suppressions`.
"""

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Found


class Expired(Struct, frozen=True):
    """A comment or a table whose last day has passed, and that day."""

    suppression: str
    until: str


class Unused(Struct, frozen=True):
    """A comment or a table that suppresses nothing, and why it has no effect."""

    suppression: str
    why: str


def find_suppression_expired(_: Device) -> Found[Expired]:
    """Yield nothing."""
    return iter(())


def find_suppression_unused(_: Device) -> Found[Unused]:
    """Yield nothing."""
    return iter(())
