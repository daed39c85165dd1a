"""The columns of the lines that findings quote: where their text stands in the file."""

from collections.abc import Iterable

from msgspec.structs import replace

from advisor.device.reading import Reading
from advisor.ios.syntax.lines import physical_lines
from advisor.lint.findings import Finding, Place


def with_columns(findings: Iterable[Finding], reading: Reading) -> tuple[Finding, ...]:
    """Findings of a device whose places have columns where the file holds their text as it stands.

    A log may hold more on the line than what the device printed: a time stamp, a prompt. Of a file
    whose margin was taken off no column is known.
    """
    lines = _LinesOfFiles(reading)
    return tuple(
        replace(finding, locations=tuple(map(lines.place, finding.locations)))
        for finding in findings
    )


class _LinesOfFiles:
    """Lines of the configuration and of the show outputs of a device, as their files hold them."""

    def __init__(self, reading: Reading) -> None:
        self._pasted = reading.pasted
        self._file = reading.device.facts.tree.file
        sections = (reading.config, *reading.shown)
        self._sections = [section for section in sections if section is not None]
        self._split: dict[int, list[str]] = {}

    def place(self, at: Place) -> Place:
        """A place with its columns."""
        is_known = bool(at.text) and at.file not in self._pasted
        start = self._line(at).find(at.text) if is_known else -1
        if start < 0:
            return at
        return replace(at, column=start + 1, end_column=start + 1 + len(at.text))

    def _line(self, at: Place) -> str:
        """The line of the file; empty where it is not known."""
        for index, section in enumerate(self._sections):
            row = at.line - section.first_line
            if (section.file or self._file) != at.file or row < 0:
                continue
            if index not in self._split:
                self._split[index] = physical_lines(section.text)
            if row < len(self._split[index]):
                return self._split[index][row]
        return ""
