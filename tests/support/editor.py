"""An editor that talks to `advisor lsp` over standard input and output."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from threading import Timer
from typing import Any, Self

_PATIENCE_S = 30
_Range = Mapping[str, Mapping[str, int]]


class Editor:
    """A session with a server; a text is known by the name of its file."""

    def __init__(self, capabilities: Mapping[str, object] | None = None) -> None:
        self._capabilities = capabilities or {}
        self._notices: list[dict[str, Any]] = []
        self._last = 0

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "advisor", "lsp"]
        self._server = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        given = {"processId": None, "rootUri": None, "capabilities": self._capabilities}
        self.server = self.ask("initialize", given)
        self.tell("initialized", {})
        return self

    def __exit__(self, *_: object) -> None:
        self.ask("shutdown", None)
        self.tell("exit", None)
        self._server.communicate(timeout=_PATIENCE_S)
        assert self._server.returncode == 0

    def tell(self, method: str, params: object) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: object) -> Any:
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == self._last and "method" not in message:
                assert "error" not in message, message
                return message["result"]
            self._notices.append(message)

    def told(self, method: str) -> Any:
        """The parameters of the next notice of a method."""
        while True:
            for place, notice in enumerate(self._notices):
                if notice.get("method") == method:
                    return self._notices.pop(place)["params"]
            self._notices.append(self._read())

    def _send(self, message: Mapping[str, object]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stdin = self._server.stdin
        assert stdin is not None
        stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        stdin.flush()

    def _read(self) -> dict[str, Any]:
        watchdog = Timer(_PATIENCE_S, self._server.kill)
        watchdog.start()
        try:
            return self._next()
        finally:
            watchdog.cancel()

    def _next(self) -> dict[str, Any]:
        stdout = self._server.stdout
        assert stdout is not None
        length = 0
        while (header := stdout.readline()) != b"\r\n":
            assert header, "the server has ended"
            name, _, value = header.partition(b":")
            length = int(value) if name == b"Content-Length" else length
        message: dict[str, Any] = json.loads(stdout.read(length))
        return message

    # Texts

    def open(self, name: str, text: str) -> list[dict[str, Any]]:
        """Open a text; its diagnostics."""
        item = {"uri": uri_of(name), "languageId": "ios", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return self.diagnostics(name)

    def change(self, name: str, text: str) -> list[dict[str, Any]]:
        """Type until a text is this one; its diagnostics when the model has solved it."""
        document = {"uri": uri_of(name), "version": 2}
        changes = {"textDocument": document, "contentChanges": [{"text": text}]}
        self.tell("textDocument/didChange", changes)
        self.diagnostics(name)  # those that need no solution
        return self.diagnostics(name)

    def close(self, name: str) -> list[dict[str, Any]]:
        """Close a text; the diagnostics that are left."""
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri_of(name)}})
        return self.diagnostics(name)

    def diagnostics(self, name: str) -> list[dict[str, Any]]:
        """The next diagnostics of a text."""
        while True:
            told = self.told("textDocument/publishDiagnostics")
            if told["uri"] == uri_of(name):
                found: list[dict[str, Any]] = told["diagnostics"]
                return found

    def ask_at(self, method: str, name: str, row: int, column: int, **more: object) -> Any:
        """Ask about a position."""
        position = {"line": row, "character": column}
        return self.ask(
            f"textDocument/{method}",
            {"textDocument": {"uri": uri_of(name)}, "position": position, **more},
        )

    def actions(self, name: str, *found: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Code actions where the first of some diagnostics stands, by their titles."""
        start = {"line": 0, "character": 0}
        answer = self.ask(
            "textDocument/codeAction",
            {
                "textDocument": {"uri": uri_of(name)},
                "range": found[0]["range"] if found else {"start": start, "end": start},
                "context": {"diagnostics": found},
            },
        )
        return {action["title"]: action for action in answer or ()}


def uri_of(name: str) -> str:
    return f"file://{name}" if name.startswith("/") else f"file:///configs/{name}"


def with_edits(text: str, edits: Sequence[Mapping[str, Any]]) -> str:
    """A text with edits, as an editor makes them; its characters are those of ASCII."""
    rows = text.splitlines(keepends=True)
    starts = [sum(map(len, rows[:row])) for row in range(len(rows) + 1)]

    def place(at: Mapping[str, int]) -> int:
        return starts[at["line"]] + at["character"]

    for edit in sorted(edits, key=lambda edit: place(edit["range"]["start"]), reverse=True):
        span = edit["range"]
        text = text[: place(span["start"])] + edit["newText"] + text[place(span["end"]) :]
    return text
