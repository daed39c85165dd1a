"""Reasons why a size cannot be computed."""


class SizingError(Exception):
    """Something a size needs is missing or cannot be; the message says what to do."""
