"""Names and sections of a text: where a name is defined and used, its rename, outline, folds."""

from collections.abc import Iterable
from typing import Final

from lsprotocol import types

from advisor.api import editor
from advisor.api.editor import NamePlace, Opened, TextSection
from advisor.lsp.documents import Document

_KINDS: Final = {
    "interface": types.SymbolKind.Interface,
    "class-map": types.SymbolKind.Class,
    "policy-map": types.SymbolKind.Struct,
    "class": types.SymbolKind.Field,
    "map-class": types.SymbolKind.Object,
    "vc-class": types.SymbolKind.Object,
    "ip": types.SymbolKind.Array,
    "access-list": types.SymbolKind.Array,
    "router": types.SymbolKind.Module,
}


class RefusedError(Exception):
    """A request that cannot be done; the message says why."""


def _places(document: Document, opened: Opened, position: types.Position) -> tuple[NamePlace, ...]:
    return editor.same_names(opened, position.line, document.column(opened.rows, position))


def _range(document: Document, opened: Opened, place: NamePlace) -> types.Range:
    return document.span(opened, place.number - 1, place.start, place.end)


def definition(
    document: Document, opened: Opened, params: types.DefinitionParams
) -> list[types.Location]:
    """The lines that define the name at a position."""
    return [
        types.Location(document.uri, _range(document, opened, place))
        for place in _places(document, opened, params.position)
        if place.is_definition
    ]


def references(
    document: Document, opened: Opened, params: types.ReferenceParams
) -> list[types.Location]:
    """All lines that use the name at a position, and those that define it if they are wanted."""
    return [
        types.Location(document.uri, _range(document, opened, place))
        for place in _places(document, opened, params.position)
        if params.context.include_declaration or not place.is_definition
    ]


def prepare_rename(
    document: Document, opened: Opened, params: types.PrepareRenameParams
) -> types.Range | None:
    """The word that a rename would change; None where a name cannot be changed."""
    places = _places(document, opened, params.position)
    row, column = params.position.line, document.column(opened.rows, params.position)
    here = [item for item in places if item.number - 1 == row and item.start <= column <= item.end]
    if not here or editor.why_not_renamed(opened, here, f"{here[0].name}0") is not None:
        return None
    return _range(document, opened, here[0])


def rename(
    document: Document, opened: Opened, params: types.RenameParams
) -> types.WorkspaceEdit | None:
    """The edit that gives a name another one, wherever it stands.

    Raises
    ------
    RefusedError
        If IOS would read the new name as another thing, or it is taken.
    """
    places = _places(document, opened, params.position)
    if not places:
        return None
    why_not = editor.why_not_renamed(opened, places, params.new_name)
    if why_not is not None:
        raise RefusedError(f"{places[0].name} keeps its name: {why_not}")
    edits = (types.TextEdit(_range(document, opened, item), params.new_name) for item in places)
    return document.workspace_edit(*edits)


def document_symbols(
    document: Document, opened: Opened, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol]:
    """The outline of a text: its sections as they nest."""
    del params
    return _symbols(document, opened, editor.sections(opened))


def _symbols(
    document: Document, opened: Opened, sections: Iterable[TextSection]
) -> list[types.DocumentSymbol]:
    return [
        types.DocumentSymbol(
            name=section.title,
            kind=_KINDS.get(section.title.split()[0], types.SymbolKind.Namespace),
            range=types.Range(
                types.Position(section.first, 0), document.line(opened, section.last).end
            ),
            selection_range=document.line(opened, section.first),
            children=_symbols(document, opened, section.inner),
        )
        for section in sections
    ]


def folding_ranges(
    document: Document, opened: Opened, params: types.FoldingRangeParams
) -> list[types.FoldingRange]:
    """Each section with the lines below it."""
    del document, params
    waiting = [*editor.sections(opened)]
    found: list[types.FoldingRange] = []
    while waiting:
        section = waiting.pop()
        found.append(types.FoldingRange(section.first, section.last))
        waiting += section.inner
    return sorted(found, key=lambda fold: (fold.start_line, -fold.end_line))
