"""A suppression whose last day has passed."""

from msgspec import Struct

from advisor.lint.checks.base import Check, NoParams
from advisor.lint.checks.sup.shared.by_run import shown_by_the_run


class Expired(Struct, frozen=True):
    """A comment or a table, and its last day."""

    suppression: str
    until: str


CHECK = Check(NoParams, Expired, shown_by_the_run)
