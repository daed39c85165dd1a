"""Figures beside the text: on hover, and behind the lines that attach a policy."""

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
