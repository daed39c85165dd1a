"""Figures on hover and behind outputs, and words that may come next."""

from lsprotocol import types

from advisor.api import editor
from advisor.api.editor import Opened
from advisor.lsp.documents import Document


def hover(document: Document, opened: Opened, params: types.HoverParams) -> types.Hover | None:
    """The milliseconds that a line costs, with formula and method."""
    row = params.position.line
    text = editor.hover(opened, row)
    if text is None:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(content, document.line(opened, row))


def inlay_hints(
    document: Document, opened: Opened, params: types.InlayHintParams
) -> list[types.InlayHint]:
    """The delay behind each `service-policy output` of a range."""
    first, last = params.range.start.line, params.range.end.line
    return [
        types.InlayHint(document.line(opened, row).end, label, padding_left=True)
        for row, label in editor.delays(opened, first, last)
    ]


def completion(document: Document, params: types.CompletionParams) -> list[types.CompletionItem]:
    """Keywords and names at a position, in the order of the grammar: those that are judged first.

    Nothing is judged for it: names are those of the text when the keys rested last.
    """
    rows = document.rows
    column = document.column(rows, params.position)
    found = editor.completions(rows, params.position.line, column, document.names)
    return [
        types.CompletionItem(
            label=item.word,
            kind=types.CompletionItemKind.Reference
            if item.is_name
            else types.CompletionItemKind.Keyword,
            detail=item.what,
            sort_text=f"{place:04}",
        )
        for place, item in enumerate(found)
    ]
