"""A suppression that suppresses nothing."""

from msgspec import Struct

from advisor.lint.checks.base import Check, NoParams
from advisor.lint.checks.sup.shared.by_run import shown_by_the_run


class Unused(Struct, frozen=True):
    """A comment or a table, and why it has no effect."""

    suppression: str
    why: str


CHECK = Check(NoParams, Unused, shown_by_the_run)
