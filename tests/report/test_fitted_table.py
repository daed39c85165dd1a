"""A table loses no cell where a terminal is narrow."""

import pytest

from advisor.report.terminal import Column, TableRow, table_lines

COLUMNS = (Column("class", 0, is_text=True), Column("kind", 2, is_text=True), Column("mean", 1))
ROWS = (TableRow(("VOICE", "priority", "69 (30 to 247)"), ("a note",)), TableRow(("X", "", "1")))


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (
            None,
            [
                "  class  kind                mean",
                "  VOICE  priority  69 (30 to 247)",
                "    a note",
                "  X                             1",
            ],
        ),
        (
            30,
            [
                "  class            mean",
                "  VOICE  69 (30 to 247)",
                "    kind priority",
                "    a note",
                "  X                   1",
            ],
        ),
        (
            22,
            [
                "  class",
                "  VOICE",
                "    kind priority,",
                "      mean 69 (30 to",
                "      247)",
                "    a note",
                "  X",
                "    mean 1",
            ],
        ),
    ],
)
def test_cells_that_do_not_fit_stand_below_with_their_names(
    width: int | None, expected: list[str]
) -> None:
    assert list(table_lines(COLUMNS, ROWS, width)) == expected


def test_an_empty_column_is_left_out() -> None:
    lines = list(table_lines(COLUMNS, (TableRow(("X", "", "1")),), None))
    assert lines == ["  class  mean", "  X         1"]


@pytest.mark.parametrize("width", [40, 60, 100])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    rows = (TableRow(("VOICE", "priority", "69"), ("many words " * 20,)),)
    assert max(map(len, table_lines(COLUMNS, rows, width))) <= width
