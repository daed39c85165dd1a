"""The error of a request that cannot be predicted."""

from advisor.faults import AdvisorError


class InputError(AdvisorError):
    """The request of the user cannot be predicted; the message says why and what to do."""
