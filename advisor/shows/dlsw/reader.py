"""The way that all `show dlsw` outputs are read: line by line, and no line stays unknown."""

from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct

from advisor.ios.syntax.tree import Location
from advisor.shows.indent import ShownLine
from advisor.shows.output import Output

Record = TypeVar("Record")


class DlswReader(Struct, Generic[Record], frozen=True):
    """Reader of one `show dlsw` command: `read` makes the record of its output."""

    expected: str
    read: Callable[[Output], Record]

    def __call__(self, text: str, file: str, first_line: int = 1) -> Record:
        """Read one output.

        Parameters
        ----------
        text
            The output, as captured.
        file
            Its file.
        first_line
            Number of its first line in the file.

        Raises
        ------
        LayoutError
            At an unknown line, and when the output is empty.
        """
        return self.read(Output(text, file, first_line, self.expected))


def take_lines(output: Output, take: Callable[[ShownLine], bool]) -> Location:
    """Hand every line of an output to `take`, which returns False for an unknown line.

    Returns
    -------
    Location
        The place of the first line.

    Raises
    ------
    LayoutError
        At an unknown line, and when the output is empty.
    """
    start: Location | None = None
    for line in output.lines():
        if not take(line):
            raise output.unknown(line)
        start = start or output.at(line)
    if start is None:
        raise output.nothing()
    return start
