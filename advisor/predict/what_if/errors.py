"""What a request for a prediction can get wrong."""

from advisor.faults import AdvisorError


class InputError(AdvisorError):
    """What the user asked for cannot be predicted; the message says why and what to do."""
