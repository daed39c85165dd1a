"""docs/model.md holds the tables of the code, row by row."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.theory.regimes import REGIMES, WEAKNESSES
from advisor.theory.wred.solver import WRED_REGIMES

DOCUMENT = Path(__file__).parents[2] / "docs/model.md"


def line(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def rows() -> Iterator[str]:
    """Rows of the tables as the document prints them; a failed test shows what to put there."""
    for regime in REGIMES.values():
        yield line(f"`{regime.regime}`", regime.words, regime.when)
    for kind, words in WEAKNESSES.items():
        yield line(f"`{kind}`", words)
    for wred in WRED_REGIMES.values():
        yield line(wred.regime.value, wred.when, wred.shown_by, wred.source)


@pytest.mark.parametrize("row", [*rows()])
def test_the_document_holds_the_row(row: str) -> None:
    assert row in DOCUMENT.read_text("utf-8").splitlines()
