"""What all readers of show outputs share: the error of an unknown layout."""

from advisor.ios.syntax.tree import Location


class LayoutError(Exception):
    """A show output has a line that its reader does not know.

    An unknown layout is never read as an empty one: the output is reported as not understood.
    """

    def __init__(self, at: Location, seen: str, expected: str) -> None:
        super().__init__(f"{at}: {seen.strip()!r} is not the layout of {expected}")
        self.at = at
        self.seen = seen
        self.expected = expected
