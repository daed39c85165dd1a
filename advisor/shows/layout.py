"""What a reader of a show output understood, and the parts of the output that it did not."""

from enum import StrEnum
from typing import Generic, TypeVar

from msgspec import Struct

from advisor.capture.masking import mask_output_line
from advisor.ios.syntax.tree import Location

Record = TypeVar("Record")


class LayoutError(Exception):
    """A show output has a line that its reader does not know.

    A reader never takes an unknown layout for an empty output: it reports that it does not
    understand the output, or the part of it with that line. The line may hold a password. `text`
    is the line as it stands; the words of the error quote it masked, so that no caller can forget
    the mask.
    """

    def __init__(self, at: Location, text: str, expected: str) -> None:
        line = mask_output_line(text.strip())
        super().__init__(f"{at}: {line!r} is not the layout of {expected}")
        self.at = at
        self.text = text
        self.expected = expected


class CutError(LayoutError):
    """A show output ends before the last line that IOS prints; `at` and `text` are its last one."""

    def __init__(self, at: Location, text: str, expected: str, missing: str) -> None:
        super().__init__(at, text, expected)
        self.args = (f"{at}: {expected} ends before {missing}",)


class Part(StrEnum):
    """What a show output consists of."""

    LINES = "lines"  # that belong to no other part
    INTERFACE = "interface"
    CONTROLLER = "controller"
    CIRCUIT = "circuit"
    CLASS = "class"
    POLICY = "policy-map"
    OPERATION = "operation"
    PEER = "peer"
    NEIGHBOR = "neighbor"
    MODULE = "module"
    BUNDLE = "bundle"
    ROW = "row"
    SECTION = "section"


class Declined(Struct, frozen=True):
    """A part of an output that is not understood: nothing of it is known, not even its absences.

    `name` is the name of the interface, class or operation, empty where it has none. `start` is its
    first line, `at` the line that is not understood, and `said` the words of the error, masked.
    `is_cut` where all lines are understood and the output ends inside the part.
    """

    part: Part
    name: str
    start: Location
    at: Location
    said: str
    is_cut: bool = False

    def __str__(self) -> str:
        """Name the line and the part that it costs."""
        if self.part is Part.LINES:
            return self.said
        fault = "cut" if self.is_cut else "not understood"
        return f"{self.said}: {fault}: {self.label}, line {self.start.line}"

    @property
    def label(self) -> str:
        """The kind and the name of the part."""
        return f"{self.part} {self.name}".rstrip()


def declined(part: Part, name: str, start: Location, error: LayoutError) -> Declined:
    """The part that a line of an unknown layout costs."""
    return Declined(part, name, start, error.at, str(error), isinstance(error, CutError))


class Reading(Struct, Generic[Record], frozen=True):
    """The parts of an output that are understood, and those that are not, each in its order."""

    records: tuple[Record, ...]
    declined: tuple[Declined, ...] = ()
