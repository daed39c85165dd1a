"""What a request for a prediction can get wrong."""


class InputError(Exception):
    """What the user asked for cannot be predicted; the message says why and what to do."""
