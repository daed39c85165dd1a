"""Checks of suppressions: comments and tables that accept findings.

No device shows these findings by itself: a run makes them, see `advisor.lint.suppressions`.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams


class Expired(Struct, frozen=True):
    """A comment or a table whose last day has passed, and that day."""

    suppression: str
    until: str


class Unused(Struct, frozen=True):
    """A comment or a table that suppresses nothing, and why it has no effect."""

    suppression: str
    why: str


def find_nothing(_: Device, __: NoParams) -> Iterator[Hit[Any]]:
    """Yield nothing."""
    return iter(())


SUPPRESSION_EXPIRED = Check(NoParams, Expired, find_nothing)
SUPPRESSION_UNUSED = Check(NoParams, Unused, find_nothing)
