"""Words that may stand next: commands of the mode, and names that the text defines."""

from lsprotocol import types

from advisor.api import editor
from advisor.lsp.documents import Document


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
