"""Checks of suppressions: comments and tables that accept findings."""

from collections.abc import Iterator
from typing import Never

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import fixed_check

# Findings about suppressions, which no device shows by itself.


def shown_by_the_run(device: Device) -> Iterator[Never]:
    """Yield nothing: the findings of all devices show it, see `advisor.lint.suppressions`."""
    del device
    return iter(())


# A suppression whose last day has passed.


class Expired(Struct, frozen=True):
    """A comment or a table, and its last day."""

    suppression: str
    until: str


SUPPRESSION_EXPIRED = fixed_check(Expired, shown_by_the_run)


# A suppression that suppresses nothing.


class Unused(Struct, frozen=True):
    """A comment or a table, and why it has no effect."""

    suppression: str
    why: str


SUPPRESSION_UNUSED = fixed_check(Unused, shown_by_the_run)
