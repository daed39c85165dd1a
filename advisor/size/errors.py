"""Reasons why a size cannot be computed."""

from advisor.faults import AdvisorError


class SizingError(AdvisorError):
    """An input of a size is missing or impossible; the message says what to do."""
