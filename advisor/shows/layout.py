"""What all readers of show outputs share: the error of an unknown layout."""

from advisor.capture.masking import mask_quoted_line
from advisor.ios.syntax.tree import Location


class LayoutError(Exception):
    """A show output has a line that its reader does not know.

    An unknown layout is never read as an empty one: the output is reported as not understood. The
    line may be any line, one with a password too. `seen` is the line as it stands; the words of
    the error quote it masked, so that whoever passes them on cannot forget the mask.
    """

    def __init__(self, at: Location, seen: str, expected: str) -> None:
        line = mask_quoted_line(seen.strip())
        super().__init__(f"{at}: {line!r} is not the layout of {expected}")
        self.at = at
        self.seen = seen
        self.expected = expected
