"""The error of an unknown layout, which all readers of show outputs share."""

from advisor.capture.masking import mask_quoted_line
from advisor.ios.syntax.tree import Location


class LayoutError(Exception):
    """A show output has a line that its reader does not know.

    A reader never takes an unknown layout for an empty output: it reports that it does not
    understand the output. The line may hold a password. `text` is the line as it stands; the words
    of the error quote it masked, so that no caller can forget the mask.
    """

    def __init__(self, at: Location, text: str, expected: str) -> None:
        line = mask_quoted_line(text.strip())
        super().__init__(f"{at}: {line!r} is not the layout of {expected}")
        self.at = at
        self.text = text
        self.expected = expected
