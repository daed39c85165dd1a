"""Outputs of all commands that are read: the fixtures, by what the product takes them for."""

from functools import cache
from pathlib import Path

from msgspec import Struct

from advisor.capture.cuts import read_capture
from advisor.capture.outputs import ShowOutput, outputs
from advisor.capture.sections import SectionKind
from advisor.ios.terminal import decode

_SHOW = Path(__file__).parents[2] / "fixtures" / "show"


class Sample(Struct, frozen=True):
    """An output of a fixture: the command as it was typed, and the lines that it printed."""

    output: ShowOutput
    typed: str
    file: str
    lines: tuple[str, ...]

    @property
    def is_filtered(self) -> bool:
        return "|" in self.typed

    def __str__(self) -> str:
        return f"{self.output.command}: {self.file}"


@cache
def samples() -> tuple[Sample, ...]:
    """Every output of a fixture that a reader takes; the shorter ones of a command first."""
    found = []
    for path in sorted(_SHOW.rglob("*.txt")):
        for section in read_capture(decode(path.read_bytes())[0], path.name).sections:
            output = outputs().get(section.taken_for or "")
            if section.kind is SectionKind.SHOW and output is not None and output.reads:
                file = f"{path.parent.name}/{path.stem}"
                found.append(
                    Sample(output, section.command or output.command, file, _lines(section.output))
                )
    return tuple(sorted(found, key=lambda sample: (sample.output.command, len(sample.lines))))


def _lines(text: str) -> tuple[str, ...]:
    """The lines of an output, without the prompt below them."""
    lines = text.rstrip("\n").split("\n")
    while lines and lines[-1].rstrip().endswith(("#", ">")):
        lines.pop()
    return tuple(lines)
