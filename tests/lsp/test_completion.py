"""Words that may stand next: commands of the mode that is open, and names of the right kind."""

from pathlib import Path

import pytest

from advisor.api import editor
from advisor.ios.syntax import physical_lines

EDGE = Path("fixtures/configs/wan-edge-512k.ios").read_text("utf-8")
KNOWN = editor.names(editor.open_text("r1.ios", EDGE, editor.settings_at("")))
PORT = "interface Serial0/0\n"


def offered(text: str) -> list[editor.Completion]:
    """What is offered at the end of a text."""
    rows = physical_lines(text)
    return list(editor.completions(rows, len(rows) - 1, len(rows[-1]), KNOWN))


@pytest.mark.parametrize(
    ("text", "mode", "some"),
    [
        pytest.param("int", "global", {"interface", "policy-map"}, id="the top"),
        pytest.param(f"{PORT} tx", "interface", {"tx-ring-limit", "bandwidth"}, id="an interface"),
        pytest.param(f"{PORT} service-policy ", "interface", {"input", "output"}, id="a keyword"),
        pytest.param(f"{PORT} no ip ", "interface", {"access-group"}, id="behind `no`"),
        pytest.param(f"{PORT} ser-pol ", "interface", {"output"}, id="behind an abbreviation"),
        pytest.param(
            "policy-map P\n class V\n  pri", "policy-map-class", {"priority"}, id="a class"
        ),
        pytest.param(
            "policy-map P\nclass V\npri", "policy-map-class", {"priority"}, id="without indentation"
        ),
        pytest.param(
            f"{PORT} bandwidth 512\n!\n tx", "interface", {"tx-ring-limit"}, id="below a comment"
        ),
    ],
)
def test_commands_of_the_open_mode_are_offered(text: str, mode: str, some: set[str]) -> None:
    keywords = [item for item in offered(text) if not item.is_name]
    assert some <= {item.word for item in keywords}
    assert {item.what for item in keywords} == {mode}


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        pytest.param(
            f"{PORT} service-policy output ", "policy-map", ["MARK-LAN", "WAN-EDGE"], id="policies"
        ),
        pytest.param(
            "policy-map P\n class ",
            "class-map",
            ["VOICE", "SIGNALING", "FROM-PHONES", "class-default"],
            id="classes",
        ),
        pytest.param("class-map X\n match access-group name ", "access-list", ["RTP"], id="lists"),
        pytest.param(f"{PORT} ip access-group ", "access-list", ["RTP"], id="a list of a port"),
    ],
)
def test_names_of_the_right_kind_are_offered(text: str, kind: str, names: list[str]) -> None:
    found = [item for item in offered(text) if item.is_name]
    assert [item.word for item in found] == names
    assert {item.what for item in found} == {kind}


@pytest.mark.parametrize("text", ["! adv", "no such section\n x", f"{PORT} description the "])
def test_nothing_is_offered_where_no_grammar_says_what_follows(text: str) -> None:
    assert offered(text) == []
