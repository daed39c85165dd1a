"""Open texts: each judged once for each state of it, and told as diagnostics."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from lsprotocol import types
from pygls import uris
from pygls.workspace import PositionCodec

from advisor.api import editor
from advisor.api.editor import Finding, InForce, NamePlace, Opened, TextChange

SOURCE: Final = "advisor"
_SEVERITIES: Final = {
    editor.Severity.ERROR: types.DiagnosticSeverity.Error,
    editor.Severity.WARNING: types.DiagnosticSeverity.Warning,
    editor.Severity.INFO: types.DiagnosticSeverity.Information,
}
_MOST_RELATED: Final = 10


class Document:
    """A text that the editor shows, and its judgement as long as it is of this text."""

    def __init__(self, uri: str, text: str, version: int | None, codec: PositionCodec) -> None:
        self.uri, self.version, self._codec = uri, version, codec
        self.name: str = uris.to_fs_path(uri) or uri
        self.folder = Path(self.name).parent
        self._text = text
        self._judged: Opened | None = None  # of this text or an earlier one
        self._quick: Opened | None = None
        self._opened: Opened | None = None
        self._remedied: dict[tuple[str, str, str], Finding] = {}

    def change(self, text: str, version: int | None) -> None:
        self._text, self.version = text, version
        self.forget()

    def forget(self) -> None:
        """Let the judgement go: the text or its settings changed."""
        self._quick = self._opened = None
        self._remedied.clear()

    def opened(self, force: InForce) -> Opened:
        """The text as it is judged."""
        if self._opened is None and self._quick is not None:
            self._opened = self._judged = editor.completed(self._quick)
        if self._opened is None:
            self._opened = self._judged = editor.open_text(self.name, self._text, force)
        return self._opened

    def opened_quickly(self, force: InForce) -> Opened:
        """The text without new figures of the model, where the same rules judged it before."""
        if self._judged is None or self._judged.force is not force:
            return self.opened(force)
        if self._quick is None:
            self._quick = editor.open_quickly(self.name, self._text, self._judged)
        return self._quick

    def remedied(self, opened: Opened, finding: Finding) -> Finding:
        """A finding with its remedy, which is proven once for each state of the text."""
        if finding.key not in self._remedied:
            for proven in editor.remedied(opened, [finding]):
                self._remedied[finding.key] = proven
        return self._remedied.get(finding.key, finding)

    # Places: rows and characters of ours, positions in the units that the editor counts in.

    def position(self, opened: Opened, row: int, column: int) -> types.Position:
        text = opened.rows[row] if row < len(opened.rows) else ""
        if not text.isascii():
            column = self._codec.client_num_units(text[:column])
        return types.Position(row, column)

    def span(self, opened: Opened, row: int, start: int, end: int) -> types.Range:
        return types.Range(self.position(opened, row, start), self.position(opened, row, end))

    @property
    def names(self) -> tuple[NamePlace, ...]:
        """The names of the text when it was judged last."""
        return () if self._judged is None else editor.names(self._judged)

    @property
    def rows(self) -> tuple[str, ...]:
        """The text as it is typed, in rows with their ends."""
        return editor.rows_of(self._text)

    def column(self, rows: Sequence[str], position: types.Position) -> int:
        """The character of a row that the editor means."""
        text = rows[position.line] if position.line < len(rows) else ""
        units: int = position.character
        for column, char in enumerate(text.rstrip("\r\n")):
            if units <= 0:
                return column
            units -= 1 if char.isascii() else self._codec.client_num_units(char)
        return len(text.rstrip("\r\n"))

    def line(self, opened: Opened, row: int) -> types.Range:
        """A row without its indentation and its end."""
        text = opened.rows[row] if row < len(opened.rows) else ""
        body = text.strip()
        start = text.find(body)
        return self.span(opened, row, start, start + len(body))

    def edit(self, change: TextChange) -> types.TextEdit:
        """Whole rows in place of whole rows."""
        span = types.Range(types.Position(change.first, 0), types.Position(change.end, 0))
        return types.TextEdit(span, change.text)

    def workspace_edit(self, *edits: types.TextEdit) -> types.WorkspaceEdit:
        return types.WorkspaceEdit(changes={self.uri: list(edits)})

    # Diagnostics

    def diagnostics(self, opened: Opened) -> list[types.Diagnostic]:
        """Findings of a text of IOS; none of any other file."""
        return list(self._diagnostics(opened)) if opened.is_ios else []

    def refusal(self, said: str) -> list[types.Diagnostic]:
        """Why nothing is judged, at the first row: the settings are wrong."""
        if not editor.is_ios(self.name, self._text):
            return []
        end = self._codec.client_num_units(self.rows[0].rstrip())
        first = types.Range(types.Position(0, 0), types.Position(0, end))
        return [types.Diagnostic(first, said, types.DiagnosticSeverity.Error, source=SOURCE)]

    def _diagnostics(self, opened: Opened) -> Iterator[types.Diagnostic]:
        for finding in opened.findings:
            places = [at for at in finding.locations if at.file == self.name]
            if finding.locations and not places:
                continue  # of a settings file
            ranges = [self._range(opened, at) for at in places]
            yield types.Diagnostic(
                range=ranges[0] if ranges else self.line(opened, 0),
                message=finding.message,
                severity=_SEVERITIES[finding.severity],
                code=finding.rule,
                source=SOURCE,
                related_information=[
                    types.DiagnosticRelatedInformation(types.Location(self.uri, at), place.text)
                    for at, place in list(zip(ranges, places, strict=True))[1:_MOST_RELATED]
                ],
            )

    def _range(self, opened: Opened, at: editor.Place) -> types.Range:
        row = max(0, at.line - 1)
        if at.column is None or at.end_column is None:
            return self.line(opened, row)
        return self.span(opened, row, at.column - 1, at.end_column - 1)


class Documents:
    """All open texts, and the settings in force for their folders."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}
        self._seen: dict[Path, editor.SettingsFiles] = {}
        self._force: dict[Path, InForce] = {}

    def open(self, document: Document) -> None:
        self._open[document.uri] = document

    def close(self, uri: str) -> None:
        self._open.pop(uri, None)

    def of(self, uri: str) -> Document | None:
        return self._open.get(uri)

    def under_new_settings(self) -> tuple[Document, ...]:
        """Texts that were judged, and whose settings files are others by name, time or size."""
        changed = {
            folder for folder, seen in self._seen.items() if editor.settings_files(folder) != seen
        }
        for folder in changed:
            self._forget(folder)
        return tuple(item for item in self._open.values() if item.folder in changed)

    def _forget(self, folder: Path) -> None:
        """Read the settings of a folder again when a text of it is judged next."""
        self._seen.pop(folder, None)
        self._force.pop(folder, None)
        for document in self._open.values():
            if document.folder == folder:
                document.forget()

    def opened(self, document: Document, *, quickly: bool = False) -> Opened:
        """A text as it is judged now; `quickly`, without new figures of the model.

        Raises
        ------
        AdvisorError
            If the settings of its folder hold an invalid statement.
        """
        folder = document.folder
        if folder not in self._force:
            self._seen[folder] = editor.settings_files(folder)
            self._force[folder] = editor.settings_at(document.name)
        force = self._force[folder]
        return document.opened_quickly(force) if quickly else document.opened(force)
