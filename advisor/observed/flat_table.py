"""Flat tables of show outputs, by the TextFSM templates in templates/show."""

from collections.abc import Iterable
from functools import lru_cache
from io import StringIO

from advisor.assets import asset_dir
from advisor.observed.layout import LayoutError
from advisor.observed.shown import ShownLine

Row = tuple[dict[str, str], ShownLine]


@lru_cache
def _template(name: str) -> str:
    return (asset_dir("templates") / "show" / f"{name}.textfsm").read_text(encoding="utf-8")


def read_table(template: str, lines: Iterable[ShownLine], expected: str) -> list[Row]:
    """Rows of a table, each with the line that completed it.

    Parameters
    ----------
    template
        Name of a file in templates/show without its ending. The template must end in
        `^. -> Error`.
    lines
        What the command printed.
    expected
        The layout, in words, for the error.

    Raises
    ------
    LayoutError
        Where the template reaches its error state.
    """
    import textfsm  # type: ignore[import-untyped]  # noqa: PLC0415 - costs start-up time

    machine = textfsm.TextFSM(StringIO(_template(template)))
    header: list[str] = machine.header
    rows: list[Row] = []
    for line in lines:
        try:
            # Line by line, because TextFSM does not say which line it stopped at.
            found = machine.ParseText(line.text, eof=False)
        except textfsm.TextFSMError:
            raise LayoutError(line.at, line.body, expected) from None
        rows.extend((dict(zip(header, values, strict=True)), line) for values in found[len(rows) :])
    return rows
