"""The error of a request that cannot be predicted."""


class InputError(Exception):
    """The request of the user cannot be predicted; the message says why and what to do."""
