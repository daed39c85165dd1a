"""Ids of rules lead to their pages in terminals that follow links."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.report.terminal import Style, columns_of, wrapped

FIXTURES = Path(__file__).parents[2] / "fixtures/configs"
LINK = "\x1b]8;;https://docs.example.org/rules/TXR001/\x1b\\"


def on_a_terminal(**stated: str) -> str:
    ours, theirs = pty.openpty()
    environment = {
        name: text for name, text in os.environ.items() if name not in ("NO_COLOR", "CI")
    }
    with subprocess.Popen(
        [sys.executable, "-m", "advisor", "lint", "wan-edge-512k.ios", "--quiet"],
        cwd=FIXTURES,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**environment, "TERM": "xterm-256color", **stated},
    ):
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 65536):
                said += part
        except OSError:  # the terminal of a process that has ended
            pass
    os.close(ours)
    return said.decode("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stated", "is_linked"),
    [
        pytest.param({"FORCE_HYPERLINK": "1"}, True, id="asked for"),
        pytest.param({"TERM_PROGRAM": "vscode"}, True, id="a terminal that follows links"),
        pytest.param(
            {"FORCE_HYPERLINK": "1", "NO_COLOR": "1"}, False, id="plain text is asked for"
        ),
        pytest.param(
            {"FORCE_HYPERLINK": "1", "ADVISOR_DOCS_URL": "https://x\x1b]0;forged\x07"},
            False,
            id="an address that is none",
        ),
    ],
)
def test_a_rule_leads_to_its_page(stated: dict[str, str], *, is_linked: bool) -> None:
    said = on_a_terminal(**{"ADVISOR_DOCS_URL": "https://docs.example.org/"} | stated)
    assert "TXR001" in said
    assert (LINK in said) == is_linked
    assert "forged" not in said


def test_a_link_takes_no_columns() -> None:
    linked = Style(color=True, pages="https://docs.example.org").rule("warning[TXR001]", "TXR001")
    assert linked.startswith(LINK)
    assert columns_of(linked) == columns_of("warning[TXR001]")
    assert list(wrapped([linked], 40)) == [linked]


def test_without_pages_there_is_no_link() -> None:
    assert Style(color=True).rule("warning[TXR001]", "TXR001") == "warning[TXR001]"
