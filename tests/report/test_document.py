"""A document says the same in every format, and nothing of its words is markup."""

import pytest

from advisor.report.document import (
    BlankLine,
    Block,
    CodeBlock,
    Fold,
    Items,
    NamedItem,
    Paragraph,
    Table,
    Title,
    as_markdown,
    as_text,
)
from advisor.report.terminal import RenderOptions, Style

HOSTILE = "*x* <b> | @all `y`"
ESCAPED = "\\*x\\* \\<b\\> \\| @\u200ball \\`y\\`"


@pytest.mark.parametrize(
    ("block", "text", "markdown"),
    [
        pytest.param(Title("Edge"), "Edge\n", "# Edge\n\n", id="a title"),
        pytest.param(Title("Edge", 2), "Edge\n", "## Edge\n\n", id="a title below another"),
        pytest.param(Paragraph(HOSTILE), f"{HOSTILE}\n", f"{ESCAPED}\n\n", id="words"),
        pytest.param(
            Items("Notes", ["one"]), "Notes\n  one\n", "## Notes\n\n- one\n\n", id="a titled list"
        ),
        pytest.param(
            Items("Proof", ["one"], "proof: "),
            "proof: one\n",
            "## Proof\n\n- one\n\n",
            id="a list whose items name it needs no title on a terminal",
        ),
        pytest.param(Items("Notes", []), "", "", id="an empty list is nothing"),
        pytest.param(
            Items("", [NamedItem("TXR001", HOSTILE)]),
            f"  TXR001 {HOSTILE}\n",
            f"- **TXR001** {ESCAPED}\n\n",
            id="an item with a name",
        ),
        pytest.param(
            CodeBlock("Lines", [" mtu 1", "```"]),
            "Lines\n mtu 1\n```\n",
            "## Lines\n\n```text\n mtu 1\n\n```\n\n",
            id="lines to paste cannot end their fence",
        ),
        pytest.param(BlankLine(), "\n", "", id="an empty line is of a terminal"),
        pytest.param(
            Table("a", "Budgets", "", ("name", "before"), (("x|y", ""),)),
            "",
            "## Budgets\n\n| name | before |\n| --- | --- |\n| x\\|y | |\n\n",
            id="a table with an empty cell",
        ),
        pytest.param(
            Fold("<b> @all", (Paragraph("inside"),)),
            "",
            "<details>\n<summary>&lt;b&gt; @\u200ball</summary>\n\ninside\n\n</details>\n\n",
            id="what folds in a comment",
        ),
    ],
)
def test_each_block_in_both_formats(block: Block, text: str, markdown: str) -> None:
    assert as_text([block]) == text
    assert as_markdown([block]) == markdown


def test_a_terminal_wraps_words_and_keeps_lines_to_paste() -> None:
    blocks = (Paragraph("a word " * 10), CodeBlock("Lines", ["x" * 50]))

    lines = as_text(blocks, RenderOptions(Style(width=40))).splitlines()

    assert lines[-1] == "x" * 50
    assert all(len(line) <= 40 for line in lines[:-1])
