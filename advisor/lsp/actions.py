"""Code actions: the lines of a remedy, a word that was meant, a comment that accepts a finding."""

from collections.abc import Iterator
from typing import Final

from lsprotocol import types

from advisor.api import editor
from advisor.api.editor import Finding, Opened
from advisor.lsp.documents import SOURCE, Document

_MOST_PROVEN: Final = 4  # remedies at once: some 80 ms each in a large text
_MOST_LINES_SHOWN: Final = 2


def code_actions(
    document: Document, opened: Opened, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """Edits that mend the rows of a range, the likeliest first."""
    if not opened.is_ios:
        return []
    first, last = params.range.start.line, params.range.end.line
    shown = {(item.code, item.message): item for item in params.context.diagnostics}
    here = [item for item in opened.findings if _stands_in(item, document.name, first, last)]
    actions = [
        *_instead(document, opened, first, last),
        *_remedies(document, opened, here, shown),
        *_accepting(document, opened, here, shown),
    ]
    if actions:
        actions[0].is_preferred = True
    return actions


def _stands_in(finding: Finding, file: str, first: int, last: int) -> bool:
    return any(at.file == file and first <= at.line - 1 <= last for at in finding.locations)


_Shown = dict[tuple[int | str | None, str], types.Diagnostic]


def _mended(finding: Finding, shown: _Shown) -> list[types.Diagnostic] | None:
    diagnostic = shown.get((finding.rule, finding.message))
    return None if diagnostic is None or diagnostic.source != SOURCE else [diagnostic]


def _instead(
    document: Document, opened: Opened, first: int, last: int
) -> Iterator[types.CodeAction]:
    for meant in editor.meant_at(opened, first, last):
        span = document.span(opened, meant.row, meant.start, meant.end)
        yield types.CodeAction(
            title=f"did you mean {meant.instead}?",
            kind=types.CodeActionKind.QuickFix,
            edit=document.workspace_edit(types.TextEdit(span, meant.instead)),
        )


def _remedies(
    document: Document, opened: Opened, findings: list[Finding], shown: _Shown
) -> Iterator[types.CodeAction]:
    """Proven lines; two findings with the same lines give one action."""
    offered: set[tuple[str, ...]] = set()
    for asked in findings[:_MOST_PROVEN]:
        finding = document.remedied(opened, asked)
        changes = editor.changes(opened, finding)
        if not changes or finding.lines in offered:
            continue
        offered.add(finding.lines)
        yield types.CodeAction(
            title=_title(finding),
            kind=types.CodeActionKind.QuickFix,
            diagnostics=_mended(asked, shown),
            edit=document.workspace_edit(*map(document.edit, changes)),
        )


def _title(finding: Finding) -> str:
    lines = finding.lines
    what = f"{len(lines)} proven lines"
    if len(lines) <= _MOST_LINES_SHOWN:
        what = lines[-1].strip()
    remedy = finding.remedy
    notes = [] if remedy is None else [str(remedy.level)]
    if remedy is not None and remedy.two_ended is not None:
        notes.append("the other end needs the same")
    return f"{finding.rule}: {what} ({'; '.join(notes)})"


def _accepting(
    document: Document, opened: Opened, findings: list[Finding], shown: _Shown
) -> Iterator[types.CodeAction]:
    for rule in dict.fromkeys(finding.rule for finding in findings):
        finding = next(item for item in findings if item.rule == rule)
        change = editor.accepting(opened, finding)
        if change is not None:
            yield types.CodeAction(
                title=f"{rule}: suppress with reason",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=_mended(finding, shown),
                edit=document.workspace_edit(document.edit(change)),
            )
