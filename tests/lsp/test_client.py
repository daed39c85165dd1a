"""`advisor lsp` as an editor meets it, over standard input and output."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.editor import Editor, uri_of, with_edits

pytest.importorskip("pygls")
pytestmark = pytest.mark.slow
EDGE = Path("fixtures/configs/wan-edge-512k.ios").read_text("utf-8")


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    with Editor() as session:
        yield session


def of_rule(found: list[dict[str, Any]], rule: str) -> dict[str, Any]:
    return next(item for item in found if item["code"] == rule)


def rules(found: list[dict[str, Any]]) -> set[str]:
    return {item["code"] for item in found}


def with_action(text: str, name: str, action: dict[str, Any]) -> str:
    return with_edits(text, action["edit"]["changes"][uri_of(name)])


def test_a_finding_stands_at_its_words_and_its_remedy_mends_it(editor: Editor) -> None:
    ring = of_rule(editor.open("edge.ios", EDGE), "TXR001")
    row = EDGE.splitlines().index(" tx-ring-limit 10")
    start, end = {"line": row, "character": 1}, {"line": row, "character": 17}
    assert (ring["range"], ring["severity"]) == ({"start": start, "end": end}, 2)

    remedy = editor.actions("edge.ios", ring)["TXR001: tx-ring-limit 1 (needs-window)"]
    mended = with_action(EDGE, "edge.ios", remedy)
    assert mended == EDGE.replace("tx-ring-limit 10", "tx-ring-limit 1")
    assert "TXR001" not in rules(editor.change("edge.ios", mended))


def test_a_finding_is_accepted_by_a_comment_with_a_reason(editor: Editor) -> None:
    ring = of_rule(editor.open("accepted.ios", EDGE), "TXR001")
    action = editor.actions("accepted.ios", ring)["TXR001: suppress with reason"]
    accepted = with_action(EDGE, "accepted.ios", action)
    assert " ! advisor: ignore[TXR001] say why\n tx-ring-limit 10\n" in accepted
    assert rules(editor.change("accepted.ios", accepted)) >= {"TXR001", "SUP001"}
    told = editor.change("accepted.ios", accepted.replace("say why", "new line in spring"))
    assert rules(told).isdisjoint({"TXR001", "SUP001"})


def test_a_misspelt_keyword_is_put_right(editor: Editor) -> None:
    text = EDGE.replace("bandwidth 16", "bandwith 16")
    unread = of_rule(editor.open("misspelt.ios", text), "PRS001")
    action = editor.actions("misspelt.ios", unread)["did you mean bandwidth?"]
    assert with_action(text, "misspelt.ios", action) == EDGE


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[metadata]\nname = tool\n", id="the settings of a program"),
        pytest.param("Dear all,\nthe link is slow\n", id="prose"),
        pytest.param("", id="an empty text"),
        pytest.param("\x00\x0c\u2028 interface \x85\r\n", id="control characters"),
    ],
)
def test_nothing_is_told_of_a_file_that_is_not_of_ios(editor: Editor, text: str) -> None:
    assert editor.open(f"other{len(text)}.cfg", text) == []


def test_settings_are_read_again_though_the_editor_tells_of_no_file(
    editor: Editor, tmp_path: Path
) -> None:
    name, settings = str(tmp_path / "edge.ios"), tmp_path / "advisor.toml"
    settings.write_text('profile = "voise"\n', "utf-8")
    (refused,) = editor.open(name, EDGE)
    assert (refused["range"]["start"]["line"], "voise" in refused["message"]) == (0, True)
    assert "voise" in editor.told("window/showMessage")["message"]
    settings.write_text('ignore = ["LFI001"]\n', "utf-8")
    found = rules(editor.diagnostics(name))
    assert ("TXR001" in found, "LFI001" in found) == (True, False)


def test_diagnostics_of_a_closed_text_go(editor: Editor) -> None:
    assert editor.open("closed.ios", EDGE)
    assert editor.close("closed.ios") == []


def test_a_request_about_a_text_that_is_not_open_has_no_answer(editor: Editor) -> None:
    assert editor.actions("unknown.ios") == {}


def test_a_message_without_meaning_is_logged_without_its_text(editor: Editor) -> None:
    editor.tell("textDocument/didOpen", {"textDocument": {"text": "password xyzzy"}})
    assert "xyzzy" not in editor.told("window/logMessage")["message"]
    assert editor.open("afterwards.ios", EDGE)


def test_a_hover_and_an_inlay_hint_show_the_delay_of_an_output(editor: Editor) -> None:
    editor.open("figures.ios", EDGE)
    row = EDGE.splitlines().index(" service-policy output WAN-EDGE")
    shown = editor.ask_at("hover", "figures.ios", row, 3)
    assert shown["contents"]["kind"] == "markdown"
    start, end = {"line": row, "character": 0}, {"line": row + 1, "character": 0}
    (hint,) = editor.ask(
        "textDocument/inlayHint",
        {
            "textDocument": {"uri": uri_of("figures.ios")},
            "range": {"start": start, "end": end},
        },
    )
    name, _, delay = hint["label"].partition(" ")
    assert f"{name}: {delay}" in shown["contents"]["value"]
    assert (name, delay[:6]) == ("VOICE", "about ")
    assert editor.ask_at("hover", "figures.ios", 0, 0) is None


def test_a_name_is_followed_to_its_definition_its_uses_and_renamed(editor: Editor) -> None:
    editor.open("names.ios", EDGE)
    rows = EDGE.splitlines()
    row = rows.index(" service-policy output WAN-EDGE")
    (defined,) = editor.ask_at("definition", "names.ios", row, 25)
    assert rows[defined["range"]["start"]["line"]] == "policy-map WAN-EDGE"
    context = {"includeDeclaration": True}
    assert len(editor.ask_at("references", "names.ios", row, 25, context=context)) == 2
    assert editor.ask_at("prepareRename", "names.ios", row, 25)["start"]["character"] == 23
    edit = editor.ask_at("rename", "names.ios", row, 25, newName="WAN-OUT")
    renamed = with_edits(EDGE, edit["changes"][uri_of("names.ios")])
    assert renamed == EDGE.replace("WAN-EDGE", "WAN-OUT")


def test_a_refused_rename_is_explained(editor: Editor) -> None:
    editor.open("taken.ios", EDGE)
    row = EDGE.splitlines().index("policy-map WAN-EDGE")
    assert editor.ask_at("rename", "taken.ios", row, 12, newName="MARK-LAN") is None
    said = editor.told("window/showMessage")["message"]
    assert said == "advisor: WAN-EDGE keeps its name: policy-map MARK-LAN is there already"


def test_the_outline_and_the_folds_are_the_sections(editor: Editor) -> None:
    editor.open("outline.ios", EDGE)
    document = {"textDocument": {"uri": uri_of("outline.ios")}}
    outline = editor.ask("textDocument/documentSymbol", document)
    policy = next(item for item in outline if item["name"] == "policy-map WAN-EDGE")
    names = [item["name"] for item in policy["children"]]
    assert names == ["class VOICE", "class SIGNALING", "class class-default"]
    folds = editor.ask("textDocument/foldingRange", document)
    assert {"startLine": policy["range"]["start"]["line"], "endLine": 36} in folds


def test_a_policy_is_completed_before_the_text_is_judged(editor: Editor) -> None:
    editor.open("typing.ios", EDGE)
    text = EDGE.replace("output WAN-EDGE", "output ")
    row = text.splitlines().index(" service-policy output ")
    editor.change("typing.ios", text)
    items = editor.ask_at("completion", "typing.ios", row, 23)
    assert {"MARK-LAN", "WAN-EDGE"} <= {item["label"] for item in items}
