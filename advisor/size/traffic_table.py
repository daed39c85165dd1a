"""A traffic table: CSV with a line for each site and the transactions of its peak."""

import csv
import math
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from msgspec import Struct

from advisor.data import HIDDEN, shown_key
from advisor.size.errors import SizingError
from advisor.size.load import Load, Transactions, stated_load
from advisor.units import decimal, whole_or_none

_NEEDED = ("site", "tps", "out_bytes", "in_bytes", "ru")
_OPTIONAL = ("lf", "host")
MOST_TPS = 1e6
MOST_BYTES = 100_000_000
MOST_RU_BYTES = 65_535
MOST_FRAME_BYTES = 17_800  # the largest `lf` of IOS


class Site(Struct, frozen=True):
    """One line: a site and the router that it peers with, "" where none is named."""

    name: str
    transactions: Transactions
    host: str


def read_traffic_table(text: str, name: str) -> tuple[Site, ...]:
    """Sites of a traffic table.

    Parameters
    ----------
    text : str
        CSV whose first line names its columns: site, tps, out_bytes, in_bytes, ru, and optionally
        lf and host.
    name : str
        Its file, for errors.

    Raises
    ------
    SizingError
        If a column is missing or unknown, a cell is not a number or out of range, or there is no
        site; with file and line.
    """
    reader = csv.reader(text.splitlines())
    columns: list[str] = []
    sites: list[Site] = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            place = f"{name}:{reader.line_num}"
            if not any(cells):
                continue
            if not columns:
                columns = _columns(cells, place)
            elif len(cells) != len(columns):
                raise SizingError(f"{place}: {len(cells)} cells, but {len(columns)} columns")
            else:
                sites.append(_site(dict(zip(columns, cells, strict=True)), place))
    except csv.Error as error:
        raise SizingError(f"{name}:{reader.line_num}: not CSV: {error}") from error
    if not sites:
        raise SizingError(f"{name}: no site; write a line of {','.join(_NEEDED)}, then the sites")
    return tuple(sites)


def _columns(cells: Sequence[str], place: str) -> list[str]:
    columns = [cell.lower() for cell in cells]
    known_columns = (*_NEEDED, *_OPTIONAL)
    for number, column in enumerate(columns, start=1):
        if column not in known_columns:
            close = get_close_matches(column, known_columns, n=1)
            advice = (
                f"did you mean {close[0]}?" if close else f"it takes {', '.join(known_columns)}"
            )
            seen = repr(column) if shown_key(column, "") else number
            raise SizingError(f"{place}: unknown column {seen}; {advice}")
        if columns.count(column) > 1:
            raise SizingError(f"{place}: column {column} is given twice")
    absent = [column for column in _NEEDED if column not in columns]
    if absent:
        raise SizingError(
            f"{place}: column {absent[0]} is missing; it takes {', '.join(known_columns)}"
        )
    return columns


def _site(cells: Mapping[str, str], place: str) -> Site:
    if not cells["site"]:
        raise SizingError(f"{place}: site: is empty")
    largest = cells.get("lf", "")
    transactions = Transactions(
        tps=_number(cells, "tps", place),
        out_bytes=_whole(cells, "out_bytes", place, 0, MOST_BYTES),
        in_bytes=_whole(cells, "in_bytes", place, 0, MOST_BYTES),
        ru_bytes=_whole(cells, "ru", place, 1, MOST_RU_BYTES),
        largest_frame_bytes=_whole(cells, "lf", place, 1, MOST_FRAME_BYTES) if largest else None,
    )
    return Site(cells["site"], transactions, cells.get("host", ""))


def _seen(cell: str) -> str:
    """A cell as errors quote it; one that may be a line of a configuration is not quoted."""
    return "it" if cell and not shown_key(cell, "") else repr(cell)


def _number(cells: Mapping[str, str], column: str, place: str) -> float:
    try:
        value = decimal(cells[column])
    except ValueError:
        value = math.nan
    if not 0 <= value <= MOST_TPS:
        raise SizingError(
            f"{place}: {column}: {_seen(cells[column])} is not a number from 0 to {MOST_TPS:g}"
        )
    return value


def _whole(cells: Mapping[str, str], column: str, place: str, least: int, most: int) -> int:
    text = cells[column]
    value = whole_or_none(text)
    if value is None or not least <= value <= most:
        raise SizingError(
            f"{place}: {column}: {_seen(text)} is not a whole number from {least} to {most}"
        )
    return value


def loads_by_host(sites: Sequence[Site], name: str) -> tuple[Load, ...]:
    """Load of every router from the sites that peer with it.

    A site is one peer, even with several lines for several kinds of transaction.

    Raises
    ------
    SizingError
        If some sites name their host and others do not, or the sites of a host send nothing.
    """
    by_host: dict[str, list[Site]] = {}
    for site in sites:
        by_host.setdefault(site.host, []).append(site)
    if "" in by_host and len(by_host) > 1:
        nameless = next(site.name for site in sites if not site.host)
        nameless = shown_key(nameless, HIDDEN)
        raise SizingError(f"{name}: site {nameless} names no host, others do: name one for each")
    loads = []
    for host, host_sites in by_host.items():
        peers = len({site.name for site in host_sites})
        transactions = [site.transactions for site in host_sites]
        loads.append(stated_load(host or name, transactions, host or name, peers))
    return tuple(loads)
