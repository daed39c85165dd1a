"""Reasons why a size cannot be computed."""

from advisor.faults import AdvisorError


class SizingError(AdvisorError):
    """Something a size needs is missing or cannot be; the message says what to do."""
