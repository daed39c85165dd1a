"""The columns of a quoted line are those of its file, whatever a terminal or a log adds to it."""

import pytest

from advisor.api import lint, of_texts
from advisor.lint.findings import Place

SECTIONS = "class-map match-any V\n match ip dscp ef\npolicy-map W\n class V\n  priority 128\n"
INTERFACE = "interface Serial0/0\n bandwidth 512\n encapsulation ppp\n"


def marked(text: str) -> Place:
    """The line that TXR001 marks."""
    (finding,) = lint(of_texts({"r1.cfg": text}, select=["TXR001"])).findings
    return finding.locations[0]


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        pytest.param(" tx-ring-limit 10\n", (2, 18), id="one blank"),
        pytest.param("   tx-ring-limit 10\n", (4, 20), id="three blanks"),
        pytest.param("\ttx-ring-limit 10\n", (2, 18), id="a tab is one character"),
        pytest.param(" tx-ring-limit 10   \n", (2, 18), id="blanks behind it"),
        pytest.param(" tx-ring-limit 10\r\n", (2, 18), id="a carriage return"),
        pytest.param(" tx-ring-l 10\n", (None, None), id="an abbreviated keyword"),
    ],
)
def test_columns_of_a_configuration(line: str, columns: tuple[int | None, int | None]) -> None:
    at = marked(f"{SECTIONS}{INTERFACE}{line} service-policy output W\n")
    assert (at.text, at.line) == ("tx-ring-limit 10", 9)
    assert (at.column, at.end_column) == columns


def test_columns_behind_a_time_stamp_of_the_log() -> None:
    config = f"version 12.4\nhostname r1\n{SECTIONS}{INTERFACE} tx-ring-limit 10\n service-policy output W\nend\n"
    session = f"r1#show running-config\n{config}r1#exit\n"
    log = "".join(f"[2026-03-01 10:00:00] {line}\n" for line in session.splitlines())
    at = marked(log)

    assert at.text == "tx-ring-limit 10"
    assert at.column is not None
    assert log.splitlines()[at.line - 1][at.column - 1 :] == at.text
