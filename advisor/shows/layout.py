"""The error of an unknown layout, which all readers of show outputs share."""

from advisor.ios.syntax.tree import Location


class LayoutError(Exception):
    """A show output has a line that its reader does not know.

    A reader never takes an unknown layout for an empty output: it reports that it does not
    understand the output.
    """

    def __init__(self, at: Location, text: str, expected: str) -> None:
        super().__init__(f"{at}: {text.strip()!r} is not the layout of {expected}")
        self.at = at
        self.text = text
        self.expected = expected
