"""Parts that several pages have."""

from msgspec import Struct


class TablePart(Struct, frozen=True):
    """A table with a title and words above it."""

    anchor: str
    title: str
    words: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    template: str = "table.html.j2"


class PlotsPart(Struct, frozen=True):
    """Plots beside each other, with a title and words above them."""

    anchor: str
    title: str
    plots: tuple[str, ...]
    words: str = ""
    template: str = "plots.html.j2"
