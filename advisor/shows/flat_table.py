"""Flat tables of show outputs, by the TextFSM templates in templates/show."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from io import StringIO
from typing import TypeVar

from advisor.assets import asset_dir
from advisor.shows.output import LayoutError, Output, Part, Reading, ShownLine, declined
from advisor.units import NumeralError

Record = TypeVar("Record")
Row = tuple[dict[str, str], ShownLine]


@lru_cache
def _template(name: str) -> str:
    return (asset_dir("templates") / "show" / f"{name}.textfsm").read_text(encoding="utf-8")


def read_table(
    template: str,
    output: Output,
    lines: Iterable[ShownLine],
    read: Callable[[Row], Record],
) -> Reading[Record]:
    """Records of a table. A line that is no row of it, or that `read` refuses, is declined.

    Parameters
    ----------
    template
        Name of a file in templates/show without its suffix. The template sees stripped lines
        and must end in `^. -> Error`.
    output, lines
        The output, and the lines of it that make the table.
    read
        Makes the record of a row, with the line that completes the row.

    Raises
    ------
    LayoutError
        If no line is a row, and at the first line that is unknown where its head is expected: the
        columns below an unknown head are not known.
    """
    import textfsm  # type: ignore[import-untyped]  # noqa: PLC0415 - costs start-up time

    machine = textfsm.TextFSM(StringIO(_template(template)))
    header: list[str] = machine.header
    row_count = 0
    records: list[Record] = []
    errors: list[LayoutError] = []
    for line in lines:
        try:
            # Line by line, because TextFSM does not report the line at which it stops.
            rows = machine.ParseText(line.text, eof=False)[row_count:]
            row_count += len(rows)
            records += (read((dict(zip(header, values, strict=True)), line)) for values in rows)
        except textfsm.TextFSMError:
            errors.append(output.unknown(line))
        except LayoutError as error:
            errors.append(error)
        except NumeralError as error:
            errors.append(output.beyond((line,), error))
    if errors and not row_count:
        raise errors[0]
    return Reading(
        tuple(records), tuple(declined(Part.ROW, "", error.at, error) for error in errors)
    )
