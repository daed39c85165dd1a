"""Checks of suppressions: comments and tables that accept findings.

No device shows these findings by itself: a run makes them, see `advisor.lint.suppressions`.
"""

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Found, check

# A suppression whose last day has passed.


class Expired(Struct, frozen=True):
    """A comment or a table, and its last day."""

    suppression: str
    until: str


def find_expired(_: Device) -> Found[Expired]:
    """Yield nothing."""
    return iter(())


SUPPRESSION_EXPIRED = check(find_expired)


# A suppression that suppresses nothing.


class Unused(Struct, frozen=True):
    """A comment or a table, and why it has no effect."""

    suppression: str
    why: str


def find_unused(_: Device) -> Found[Unused]:
    """Yield nothing."""
    return iter(())


SUPPRESSION_UNUSED = check(find_unused)
