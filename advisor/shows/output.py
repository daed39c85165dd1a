"""One show output while it is read: its lines, and the errors that point to a line."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.ios.syntax.tree import Location
from advisor.shows.indent import ShownLine, shown_lines
from advisor.shows.layout import LayoutError


class Output(Struct, frozen=True):
    """The output of a command, its place in the file, and the name of the expected layout."""

    text: str
    file: str
    first_line: int
    expected: str

    def lines(self) -> Iterator[ShownLine]:
        """Lines that the command printed: no prompt, echo or comment."""
        yield from shown_lines(self.text, self.first_line)

    def at(self, line: ShownLine) -> Location:
        return Location(self.file, line.number)

    def unknown(self, line: ShownLine) -> LayoutError:
        """Error for a line that does not fit the expected layout."""
        return LayoutError(self.at(line), line.text, self.expected)

    def nothing(self) -> LayoutError:
        """Error for an output without any expected line."""
        return LayoutError(Location(self.file, self.first_line), "", self.expected)
