"""Flat tables of show outputs, by the TextFSM templates in templates/show."""

from collections.abc import Iterable
from functools import lru_cache
from io import StringIO

from advisor.assets import asset_dir
from advisor.shows.indent import ShownLine
from advisor.shows.output import Output

Row = tuple[dict[str, str], ShownLine]


@lru_cache
def _template(name: str) -> str:
    return (asset_dir("templates") / "show" / f"{name}.textfsm").read_text(encoding="utf-8")


def read_table(template: str, output: Output, lines: Iterable[ShownLine]) -> list[Row]:
    """Rows of a table, with the line that completes the row.

    Parameters
    ----------
    template
        Name of a file in templates/show without its suffix. The template sees stripped lines
        and must end in `^. -> Error`.
    output, lines
        The output, and the lines of it that make the table.

    Raises
    ------
    LayoutError
        At the line where the template reaches its error state.
    """
    import textfsm  # type: ignore[import-untyped]  # noqa: PLC0415 - costs start-up time

    machine = textfsm.TextFSM(StringIO(_template(template)))
    header: list[str] = machine.header
    rows: list[Row] = []
    for line in lines:
        try:
            # Line by line, because TextFSM does not report the line at which it stops.
            records = machine.ParseText(line.text, eof=False)
        except textfsm.TextFSMError:
            raise output.unknown(line) from None
        rows.extend(
            (dict(zip(header, values, strict=True)), line) for values in records[len(rows) :]
        )
    return rows
