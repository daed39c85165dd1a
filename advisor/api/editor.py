"""A text that somebody edits: its findings, remedies as changes of the text, what was meant.

`open_text` judges a text as it is now; the other functions take its result. Rows and columns count
from 0, columns in characters. An editor asks through this module alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.api import InForce, in_force, settings_of
from advisor.device.reading import Reading, Source
from advisor.device.sources import source_of
from advisor.facts.name_places import (
    CLASS_MAP,
    INTERFACE,
    NamePlace,
    kind_named,
    name_places,
    place_at,
    undefined_at,
)
from advisor.facts.name_uses import near_names
from advisor.ground.faults import AdvisorError, Fault, Guard
from advisor.ios.edit.apply import apply
from advisor.ios.edit.text_changes import TextChange, text_changes
from advisor.ios.syntax import Line, indentation
from advisor.ios.syntax.abbreviations import next_keywords, spelled_out
from advisor.ios.syntax.modes import GLOBAL, mode_within
from advisor.ios.syntax.reader import parse_config
from advisor.lint.findings import Confidence, Finding, Place, Severity
from advisor.lint.opened import OpenText, with_remedies
from advisor.lint.opened import completed as judged_wholly
from advisor.lint.opened import open_quickly as judged_quickly
from advisor.lint.trial import snippet_of
from advisor.outlet.outlets import outlets
from advisor.predict.what_if.figures_at import figures_at, path_to
from advisor.predict.what_if.predictions import predict_outlets
from advisor.report.hover import delay_label, hover_text
from advisor.settings import Flags
from advisor.settings.file import OWN_FILE, SHARED_FILE
from advisor.settings.tables import NO_REASON

__all__ = [
    "AdvisorError", "Completion", "Confidence", "Fault", "Finding", "Guard", "InForce", "Meant",
    "NamePlace", "Opened", "Place", "SettingsFiles", "Severity", "TextChange", "TextSection",
    "accepting", "changes", "completed", "completions", "delays", "hover", "is_ios", "meant_at",
    "names", "open_quickly", "open_text", "remedied", "rows_of", "same_names", "sections",
    "settings_at", "settings_files", "why_not_renamed",
]  # fmt: skip

_NEGATIONS: Final = ("no", "default")
_ACCEPT: Final = f"! advisor: ignore[{{}}] {NO_REASON}"


class Opened(Struct, frozen=True, eq=False):
    """A text by the name that its findings give it, judged by the rules in force."""

    name: str
    rows: tuple[str, ...]  # with their ends
    force: InForce
    judged: OpenText
    kept: tuple[Finding, ...] = ()  # of an earlier state: the model has not solved this one yet

    @property
    def is_ios(self) -> bool:
        """Whether it holds a configuration or outputs of IOS."""
        return self.judged.is_ios

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings that nobody accepts, worst first; their remedies are asked for one by one."""
        return (*self.judged.verdict.standing, *self.kept)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Defects of the program that showed: what they concern is not judged."""
        return self.judged.faults


class Meant(Struct, frozen=True):
    """A word that is no keyword or no defined name, and what may have been meant."""

    row: int
    start: int
    end: int
    word: str
    instead: str


def settings_at(path: str) -> InForce:
    """The rules and settings in force for a file: those of the nearest advisor.toml.

    Raises
    ------
    AdvisorError
        If the settings hold an invalid statement.
    """
    return in_force(settings_of(Flags(), [path] if Path(path).is_absolute() else ()))


SettingsFiles = tuple[tuple[str, int, int], ...]


def settings_files(folder: Path) -> SettingsFiles:
    """The files in a folder and above it that may hold its settings, with their times and sizes."""
    return tuple(_seen(folder))


def _seen(folder: Path) -> Iterator[tuple[str, int, int]]:
    for parent in (folder, *folder.parents) if folder.is_absolute() else ():
        for name in (OWN_FILE, SHARED_FILE):
            with suppress(OSError):
                state = (parent / name).stat()
                yield str(parent / name), state.st_mtime_ns, state.st_size


def is_ios(name: str, text: str) -> bool:
    """Whether a text holds a configuration or outputs of IOS, whatever its settings say."""
    return judged_quickly(_source(name, rows_of(text)), (), settings_of(Flags())).is_ios


def open_text(name: str, text: str, force: InForce) -> Opened:
    """Judge a text as it is now.

    The engine keeps its answers by value: what an edit leaves as it was is not asked again.
    """
    return completed(_quickly(name, text, force))


def open_quickly(name: str, text: str, before: Opened) -> Opened:
    """Judge a text without new solutions: solved findings stay as before until `completed`."""
    opened = _quickly(name, text, before.force)
    solved = {rule.card.id for rule in before.force.rules if rule.card.solved}
    first, end = _changed_rows(before.rows, opened.rows)
    moved = len(opened.rows) - len(before.rows)
    kept = tuple(
        replace(
            finding,
            locations=tuple(_moved(at, name, (first, end), moved) for at in finding.locations),
        )
        for finding in before.findings
        if finding.rule in solved
    )
    return replace(opened, kept=kept)


def completed(opened: Opened) -> Opened:
    """The text with all that is found in it."""
    force = opened.force
    judged = judged_wholly(opened.judged, force.rules, force.settings)
    return replace(opened, judged=judged, kept=())


def _quickly(name: str, text: str, force: InForce) -> Opened:
    rows = rows_of(text)
    judged = judged_quickly(_source(name, rows), force.rules, force.settings)
    return Opened(name, rows, force, judged)


def _source(name: str, rows: Sequence[str]) -> Source:
    plain = "".join(f"{body}\n" if (body := row.rstrip("\r\n")) != row else row for row in rows)
    return source_of(name, plain.encode(errors="replace"))


def _changed_rows(before: Sequence[str], now: Sequence[str]) -> tuple[int, int]:
    """The first row that an edit changed, and the first one behind it, counted before it."""
    first, most = 0, min(len(before), len(now))
    while first < most and before[first] == now[first]:
        first += 1
    same = 0
    while same < most - first and before[-1 - same] == now[-1 - same]:
        same += 1
    return first, len(before) - same


def _moved(at: Place, name: str, changed: tuple[int, int], rows: int) -> Place:
    """A place where an edit left it: rows behind the change move."""
    return replace(at, line=at.line + rows) if at.file == name and at.line > changed[1] else at


_ROW: Final = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++")


def rows_of(text: str) -> tuple[str, ...]:
    """The rows of a text as an editor counts them, with their ends: LF, CR LF, or CR."""
    return tuple(_ROW.findall(text))


def remedied(opened: Opened, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings of a text with their remedies: proven lines, or advice."""
    force = opened.force
    return with_remedies(opened.judged, findings, force.rules, force.settings)


def changes(opened: Opened, finding: Finding) -> tuple[TextChange, ...]:
    """The lines of a finding's remedy as changes of the text; none where it has no such lines."""
    reading = _reading_of(opened, finding.device)
    if reading is None or not finding.lines or reading.device.facts.tree.file != opened.name:
        return ()
    tree = reading.device.facts.tree
    edit = apply(tree, snippet_of(finding.lines))
    return () if edit.refused else text_changes(opened.rows, tree, edit.tree) or ()


def accepting(opened: Opened, finding: Finding) -> TextChange | None:
    """A comment above the line of a finding that accepts it, once its reason is written.

    None where no line shows it.
    """
    row = next((at.line - 1 for at in finding.locations if at.file == opened.name), -1)
    if not 0 <= row < len(opened.rows):
        return None
    line = opened.rows[row]
    indentation = line[: len(line) - len(line.lstrip(" \t"))]
    end = "\r\n" if line.endswith("\r\n") else "\n"
    return TextChange(row, row, f"{indentation}{_ACCEPT.format(finding.rule)}{end}")


def meant_at(opened: Opened, first: int, last: int) -> Iterator[Meant]:
    """Words of some rows that are no keyword or no defined name, with those they are nearest to."""
    for reading in opened.judged.readings:
        for line in reading.device.facts.unread:
            row = line.at.line - 1
            if line.doubt is None or line.at.file != opened.name or not first <= row <= last:
                continue
            for instead in line.doubt.keywords:
                yield from _meant(opened.rows, row, line.doubt.word, instead)
    known = names(opened)
    for use in undefined_at(known, range(first + 1, last + 2)):
        defined = {item.name for item in known if item.kind == use.kind and item.is_definition}
        for instead in near_names(use.name, sorted(defined)):
            yield Meant(use.number - 1, use.start, use.end, use.name, instead)


def _meant(rows: Sequence[str], row: int, word: str, instead: str) -> Iterator[Meant]:
    start = rows[row].find(word) if row < len(rows) else -1
    if start >= 0:
        yield Meant(row, start, start + len(word), word, instead)


def _reading_of(opened: Opened, device: str) -> Reading | None:
    readings = opened.judged.readings
    return next((reading for reading in readings if reading.device.name == device), None)


def hover(opened: Opened, row: int) -> str | None:
    """The figures that a row has a part in, as Markdown; None where it has none."""
    for reading in _configs(opened):
        figures = figures_at(reading.device, row + 1, opened.force.settings)
        if figures is not None:
            return hover_text(figures)
    return None


def delays(opened: Opened, first: int, last: int) -> Iterator[tuple[int, str]]:
    """The rows between two that attach a policy to an output, and the delay behind each."""
    for reading in _configs(opened):
        told: set[int] = set()
        for outlet in outlets(reading.device):
            row = outlet.at.line - 1
            if first <= row <= last and row not in told:
                told.add(row)
                predicted = predict_outlets(reading.device, [outlet], opened.force.settings)
                label = delay_label(predicted)
                if label is not None:
                    yield row, label


def names(opened: Opened) -> tuple[NamePlace, ...]:
    """The names of policies, classes, lists, settings and interfaces, where they stand."""
    return tuple(
        place
        for reading in _configs(opened)
        for place in name_places(reading.device.facts.tree)
        if place.end <= len(opened.rows[place.number - 1])
    )


def same_names(opened: Opened, row: int, column: int) -> tuple[NamePlace, ...]:
    """All places of the name at a column of a row, its definitions too; () where there is none."""
    known = names(opened)
    here = place_at(known, row + 1, column)
    return () if here is None else tuple(filter(here.is_same_name, known))


def why_not_renamed(opened: Opened, places: Sequence[NamePlace], name: str) -> str | None:
    """Why a name cannot be this one; None where it can."""
    kind = places[0].kind
    if kind == INTERFACE:
        return "an interface has the name of its port"
    if not name.isprintable() or len(name.split()) != 1:
        return "a name is one word"
    if places[0].name.isdecimal() != name.isdecimal():
        return "a number stays a number, and a name a name: IOS reads them as different commands"
    if any(item.kind == kind and item.name == name for item in names(opened)):
        return f"{kind} {name} is there already"
    return None


class Completion(Struct, frozen=True):
    """A word that may stand next, and what it is: a keyword of a mode, or a name of a kind."""

    word: str
    what: str
    is_name: bool = False


def completions(
    rows: Sequence[str], row: int, column: int, known: Iterable[NamePlace]
) -> tuple[Completion, ...]:
    """Words that may stand at a column of a row: keywords of its mode, or names.

    It takes the text as it is typed, and the names of the text when it was judged last.
    """
    line = rows[row][:column] if row < len(rows) else ""
    if line.lstrip().startswith("!"):
        return ()
    path = _path_above(rows, row, line)
    mode = mode_within(path)
    words = spelled_out(mode or GLOBAL, line.strip()).split()
    started = words if line[-1:].isspace() or not line else words[:-1]
    kind = kind_named(path, [word for word in started if word not in _NEGATIONS])
    keywords = () if mode is None else next_keywords(mode, started)
    found = [Completion(word, mode or GLOBAL) for word in keywords]
    if kind is not None:
        names_of = {item.name: None for item in known if item.kind == kind and item.is_definition}
        if kind == CLASS_MAP and started == ["class"]:
            names_of["class-default"] = None
        found += (Completion(name, kind, is_name=True) for name in names_of)
    return tuple(found)


def _path_above(rows: Sequence[str], row: int, line: str) -> list[str]:
    """The commands that lead to a row: by indentation, or in a text without any by modes."""
    path: list[str] = []
    column = indentation(line) if line.strip() else len(line.expandtabs())
    above = [text for text in rows[:row] if text.strip() and not text.lstrip().startswith("!")]
    if not column and above and not any(indentation(text) for text in above):
        tree = parse_config("".join(above))
        open_now = [item.text for item in path_to(tree, len(above))]
        while open_now and mode_within(open_now) is None:
            open_now.pop()  # a command without a mode of its own
        return open_now
    for text in reversed(above):
        if indentation(text) < column:
            column = indentation(text)
            path.insert(0, text.strip())
    return path


class TextSection(Struct, frozen=True):
    """A command with lines below it: its first and last row, and those within it."""

    title: str
    first: int
    last: int
    inner: tuple["TextSection", ...]


def sections(opened: Opened) -> tuple[TextSection, ...]:
    """The commands of a text that have lines below them, as they nest."""
    return tuple(
        section
        for reading in _configs(opened)
        for section in _sections(reading.device.facts.tree.lines, len(opened.rows))
    )


def _sections(lines: Iterable[Line], rows: int) -> Iterator[TextSection]:
    for line in lines:
        if line.is_command and line.children and line.number:
            last = max(item.number for item in line.walk() if item.is_command) - 1
            if last < rows:
                inner = tuple(_sections(line.children, rows))
                yield TextSection(line.text, line.number - 1, last, inner)


def _configs(opened: Opened) -> Iterator[Reading]:
    """The devices whose configuration stands in the text itself."""
    for reading in opened.judged.readings:
        if reading.device.is_ios and reading.device.facts.tree.file == opened.name:
            yield reading
