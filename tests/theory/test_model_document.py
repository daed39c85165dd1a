"""docs/model.md holds the tables of the code, row by row."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.theory.classes.methods import METHODS
from advisor.theory.interface import Regime
from advisor.theory.regimes import REGIMES, WEAKNESSES
from advisor.theory.wred.regimes import WRED_REGIMES

DOCUMENT = Path(__file__).parents[2] / "docs/model.md"


def line(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def rows() -> Iterator[str]:
    """Rows of the tables as the document prints them; a failed test shows what to put there."""
    for regime in REGIMES.values():
        yield line(
            f"`{regime.regime}`",
            regime.words,
            regime.when,
            f"`{regime.solver}`",
            regime.method,
            regime.source,
            f"±{regime.half_width:.0%}".replace("%", " %"),
            regime.weakness,
        )
    for method in METHODS.values():
        yield line(f"`{method.method}`", method.when, f"`{method.function}`", method.source)
    for kind, weakness in WEAKNESSES.items():
        yield line(f"`{kind}`", weakness.words, weakness.interval)
    for wred in WRED_REGIMES.values():
        yield line(wred.regime.value, wred.when, wred.shown_by, wred.source)


@pytest.mark.parametrize("row", [*rows()])
def test_the_document_holds_the_row(row: str) -> None:
    assert row in DOCUMENT.read_text("utf-8").splitlines()


@pytest.mark.parametrize("regime", Regime)
def test_the_document_derives_the_regime(regime: Regime) -> None:
    derivations = [
        title for title in DOCUMENT.read_text("utf-8").splitlines() if title.startswith("### ")
    ]

    assert any(f"`{regime}`" in title for title in derivations)
