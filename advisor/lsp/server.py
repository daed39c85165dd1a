"""The server: which requests it answers, and how a fault in one leaves the others alone."""

import asyncio
import logging
import sys
from collections.abc import Callable
from typing import Any, Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from advisor import __version__
from advisor.api.editor import AdvisorError, Guard, Opened
from advisor.lsp.actions import code_actions
from advisor.lsp.beside import completion, hover, inlay_hints
from advisor.lsp.documents import SOURCE, Document, Documents
from advisor.lsp.symbols import (
    RefusedError,
    definition,
    document_symbols,
    folding_ranges,
    prepare_rename,
    references,
    rename,
)

_PAUSE_S: Final = 0.05  # in typing: a text is judged when the keys rest so long
_LOOK_S: Final = 1.0  # between two looks at the settings files

_Answer = Callable[[Document, Opened, Any], Any]
# Requests about a text: what the server tells of itself, and the function that answers.
_ANSWERS: Final[tuple[tuple[str, Any, _Answer], ...]] = (
    (
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
        code_actions,
    ),
    (types.TEXT_DOCUMENT_HOVER, None, hover),
    (types.TEXT_DOCUMENT_INLAY_HINT, None, inlay_hints),
    (types.TEXT_DOCUMENT_DEFINITION, None, definition),
    (types.TEXT_DOCUMENT_REFERENCES, None, references),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, None, prepare_rename),
    (types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True), rename),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, None, document_symbols),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, None, folding_ranges),
)


def serve() -> None:
    """Answer an editor on standard input and output until it ends the session."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)  # its records quote the text
    _Session().server.start_io(sys.stdin.buffer, sys.stdout.buffer)


class _Session:
    """A server with its open texts."""

    def __init__(self) -> None:
        self.server = LanguageServer(SOURCE, __version__, types.TextDocumentSyncKind.Full)
        vars(self.server)["report_server_error"] = self._report  # pygls quotes the message
        self._documents = Documents()
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._refused: dict[str, str] = {}  # the last message on the settings of each text
        notices: dict[str, Callable[[Any], None]] = {
            types.INITIALIZED: self._look,
            types.TEXT_DOCUMENT_DID_OPEN: self._open,
            types.TEXT_DOCUMENT_DID_CHANGE: self._change,
            types.TEXT_DOCUMENT_DID_SAVE: self._look_now,
            types.TEXT_DOCUMENT_DID_CLOSE: self._close,
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: self._look_now,
        }
        for method, receive in notices.items():
            self.server.feature(method)(self._receiving(method, receive))
        for method, options, answer in _ANSWERS:
            self.server.feature(method, options)(self._answering(method, self._judged(answer)))
        method, options = types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions([" "])
        self.server.feature(method, options)(self._answering(method, completion))

    # Notices of the editor

    def _look(self, _: object = None) -> None:
        """Look at the settings files now and then: few editors tell of what they do not show."""
        self._look_now()
        asyncio.get_running_loop().call_later(_LOOK_S, self._look)

    def _look_now(self, _: object = None) -> None:
        """Judge again the texts whose settings files are others than before."""
        for document in self._documents.under_new_settings():
            self._publish(document)

    def _open(self, params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        codec = self.server.workspace.position_codec
        document = Document(item.uri, item.text, item.version, codec)
        self._documents.open(document)
        self._publish(document)

    def _change(self, params: types.DidChangeTextDocumentParams) -> None:
        document = self._documents.of(params.text_document.uri)
        if document is None:
            return
        for change in params.content_changes:  # each has the whole text
            document.change(change.text, params.text_document.version)
        self._later(self._publish_quickly, document)

    def _later(self, publish: Callable[[Document], None], document: Document) -> None:
        waiting = self._waiting.pop(document.uri, None)
        if waiting is not None:
            waiting.cancel()
        loop = asyncio.get_running_loop()
        self._waiting[document.uri] = loop.call_later(_PAUSE_S, publish, document)

    def _publish_quickly(self, document: Document) -> None:
        """Tell what is found before the model solves anything, and the rest if the keys rest."""
        self._publish(document, quickly=True)
        self._later(self._publish, document)

    def _close(self, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        self._documents.close(uri)
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    # Answers

    def _publish(self, document: Document, *, quickly: bool = False) -> None:
        """Judge a text, and tell the editor what is found."""
        self._waiting.pop(document.uri, None)
        guard = Guard()
        diagnostics: list[types.Diagnostic] = []
        with guard.around(document.name):
            opened = self._opened(document, quickly=quickly)
            if opened is not None:
                diagnostics = document.diagnostics(opened)
                guard.take(opened.faults)
            elif document.uri in self._refused:
                diagnostics = document.refusal(self._refused[document.uri])
        self._log(guard)
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, diagnostics, document.version)
        )

    def _opened(self, document: Document, *, quickly: bool = False) -> Opened | None:
        """A text as it is judged; None where its settings are wrong, which is said once."""
        try:
            opened = self._documents.opened(document, quickly=quickly)
        except AdvisorError as error:
            said = str(error)
        else:
            self._refused.pop(document.uri, None)
            return opened
        if self._refused.get(document.uri) != said:
            self._refused[document.uri] = said
            self._show(types.MessageType.Error, said)
        return None

    def _receiving(self, method: str, receive: Callable[[Any], None]) -> Callable[[Any], None]:
        def handle(params: Any) -> None:  # noqa: ANN401 -- of any notice
            guard = Guard()
            with guard.around(method):
                receive(params)
            self._log(guard)

        return handle

    def _answering(
        self, method: str, answer: Callable[[Document, Any], Any]
    ) -> Callable[[Any], Any]:
        def handle(params: Any) -> Any:  # noqa: ANN401 -- of any request
            document = self._documents.of(params.text_document.uri)
            guard, result = Guard(), None
            if document is not None:
                with guard.around(method):
                    result = answer(document, params)
            self._log(guard)
            return result

        return handle

    def _judged(self, answer: _Answer) -> Callable[[Document, Any], Any]:
        """Answers from the text as it is judged; says why the user cannot have what is asked."""

        def handle(document: Document, params: Any) -> Any:  # noqa: ANN401
            try:
                opened = self._opened(document)
                return None if opened is None else answer(document, opened, params)
            except RefusedError as error:
                self._show(types.MessageType.Info, str(error))
            except AdvisorError as error:
                self._show(types.MessageType.Warning, str(error))
            return None

        return handle

    def _show(self, kind: types.MessageType, text: str) -> None:
        self.server.window_show_message(types.ShowMessageParams(kind, f"advisor: {text}"))

    def _log(self, guard: Guard) -> None:
        """Say which defects showed: their kind and place, no text of the file."""
        for fault in guard.faults:
            place = fault.trace[-1].partition(": ")[0].strip() if fault.trace else "?"
            self._say(f"{fault}; {place}")

    def _report(self, error: Exception, _: object) -> None:
        self._say(f"a message was not understood ({type(error).__name__})")

    def _say(self, text: str) -> None:
        self.server.window_log_message(types.LogMessageParams(types.MessageType.Warning, text))
