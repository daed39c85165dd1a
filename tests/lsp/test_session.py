"""A session of the server in this process: faults, settings, positions."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.workspace import PositionCodec

from advisor.api import editor
from advisor.lsp import server
from advisor.lsp.documents import Document, Documents

QUOTED = "xyzzy-hunter2"
TEXT = (
    f"hostname R1\nsnmp-server community {QUOTED} RO\npolicy-map WAN\n class class-default\n"
    "  fair-queue\ninterface Serial0/0\n bandwidth 512\n service-policy output WAM\n"
)


class Heard:
    """What the server tells the editor."""

    def __init__(self, session: Any) -> None:
        self.logged: list[str] = []
        self.shown: list[str] = []
        self.published: list[types.PublishDiagnosticsParams] = []
        told = vars(session.server)
        told["window_log_message"] = lambda params: self.logged.append(params.message)
        told["window_show_message"] = lambda params: self.shown.append(params.message)
        told["text_document_publish_diagnostics"] = self.published.append


@pytest.fixture
def session() -> Any:
    return server._Session()


def opened(session: Any, path: Path, text: str = TEXT) -> Document:
    document = Document(path.as_uri(), text, 1, PositionCodec())
    session._documents.open(document)
    return document


def test_a_fault_is_logged_without_the_text_and_the_server_lives_on(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = Heard(session)

    def fail(*_: object) -> None:
        raise ValueError(QUOTED)

    document = opened(session, tmp_path / "r1.ios")
    with monkeypatch.context() as patched:
        patched.setattr(editor, "open_text", fail)
        session._publish(document)
    assert [params.diagnostics for params in heard.published] == [[]]
    (line,) = heard.logged
    assert "ValueError" in line
    assert QUOTED not in line
    session._publish(document)
    assert {item.code for item in heard.published[-1].diagnostics} >= {"REF001"}


def test_a_message_that_is_not_understood_is_logged_without_its_text(session: Any) -> None:
    heard = Heard(session)
    session.server.report_server_error(ValueError(QUOTED), ValueError)
    assert heard.logged == ["a message was not understood (ValueError)"]


def test_wrong_settings_are_shown_once_and_mended_without_a_restart(
    session: Any, tmp_path: Path
) -> None:
    heard = Heard(session)
    settings = tmp_path / "advisor.toml"
    settings.write_text('profile = "voise"\n', encoding="utf-8")
    document = opened(session, tmp_path / "r1.ios")
    session._publish(document)
    session._publish(document)
    assert len(heard.shown) == 1
    assert "advisor.toml:1" in heard.shown[0]
    (refused,) = heard.published[-1].diagnostics
    assert (refused.range.start.line, "advisor.toml:1" in refused.message) == (0, True)
    settings.write_text('profile = "voice"  # mended\n', encoding="utf-8")
    session._look_now()
    assert {item.code for item in heard.published[-1].diagnostics} >= {"REF001"}


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        pytest.param(None, 'ignore = ["REF001"]\n', False, id="a file that comes"),
        pytest.param('ignore = ["REF001"]\n', "", True, id="a file that changes"),
        pytest.param('ignore = ["REF001"]\n', None, True, id="a file that goes"),
    ],
)
def test_changed_settings_are_noticed_though_no_editor_tells(
    session: Any, tmp_path: Path, before: str | None, after: str | None, codes: bool
) -> None:
    heard = Heard(session)
    settings = tmp_path / "advisor.toml"
    if before is not None:
        settings.write_text(before, "utf-8")
    session._publish(opened(session, tmp_path / "r1.ios"))
    session._look_now()
    assert len(heard.published) == 1, "nothing changed"
    if after is None:
        settings.unlink()
    else:
        settings.write_text(after, "utf-8")
    session._look_now()
    told = {item.code for item in heard.published[-1].diagnostics}
    assert (len(heard.published), "REF001" in told) == (2, codes)


def test_wrong_settings_are_no_fault_of_a_text_that_is_no_configuration(
    session: Any, tmp_path: Path
) -> None:
    heard = Heard(session)
    (tmp_path / "advisor.toml").write_text('profile = "voise"\n', encoding="utf-8")
    session._publish(opened(session, tmp_path / "notes.txt", "milk, bread\n"))
    assert heard.published[-1].diagnostics == []


@pytest.mark.parametrize(
    ("column", "character"),
    [
        pytest.param(0, 0, id="the start"),
        pytest.param(13, 13, id="ahead of a sign of two units"),
        pytest.param(14, 15, id="behind it"),
    ],
)
def test_columns_are_told_in_the_units_of_the_editor(column: int, character: int) -> None:
    document = Document("file:///r1.ios", " description \U0001f600x\n", 1, PositionCodec())
    text = Documents().opened(document)
    told = document.position(text, 0, column)
    assert told.character == character
    assert document.column(text.rows, told) == column


_EDGE = Path("fixtures/configs/wan-edge-512k.ios").read_text("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="an empty text"),
        pytest.param("\n" * 50, id="blank lines"),
        pytest.param("\x00\x0c\u2028\x85\r interface \ud800", id="signs that no terminal shows"),
        pytest.param(_EDGE.replace("\n", "\r"), id="lines that end in a return"),
        pytest.param(_EDGE.replace("WAN-EDGE", "\U0001f600"), id="a name of one sign"),
        pytest.param(_EDGE[: len(_EDGE) // 2], id="half of a configuration"),
        pytest.param("policy-map\n class\n  priority\nclass-map\n match\n", id="no arguments"),
        pytest.param(
            " " * 5000 + "interface x\n" + "class-map a\n match class-map a\n", id="a loop"
        ),
        pytest.param("banner motd ^C\ninterface Serial0/0\n", id="a banner without an end"),
        pytest.param("router# show version\n% Invalid input\n" + _EDGE, id="a log"),
        pytest.param("interface " + "A" * 9000 + "\n service-policy output B\n", id="a long line"),
    ],
)
def test_no_text_makes_a_request_fail(session: Any, tmp_path: Path, text: str) -> None:
    heard = Heard(session)
    document = opened(session, tmp_path / "r1.ios", text)
    session._publish(document)
    it = types.TextDocumentIdentifier(document.uri)
    answer = session.server.protocol.fm.features
    for row in (0, 1, 4, 21, 51, 10_000):
        here = types.Position(row, 9)
        rows = types.Range(types.Position(row, 0), types.Position(row + 2, 0))
        for method, asked in (
            (types.TEXT_DOCUMENT_HOVER, types.HoverParams(it, here)),
            (types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams(it, here)),
            (types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(it, here)),
            (types.TEXT_DOCUMENT_RENAME, types.RenameParams(it, here, "NEW")),
            (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolParams(it)),
            (types.TEXT_DOCUMENT_FOLDING_RANGE, types.FoldingRangeParams(it)),
            (types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintParams(it, rows)),
            (
                types.TEXT_DOCUMENT_CODE_ACTION,
                types.CodeActionParams(it, rows, types.CodeActionContext([])),
            ),
        ):
            answer[method](asked)
    assert heard.logged == []
