"""What keeps a size from being taken."""


class SizingError(Exception):
    """Something a size needs is missing or cannot be; the message says what to do."""
