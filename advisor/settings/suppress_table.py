"""The `[[suppress]]` tables: findings that the user accepts."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Annotated

from msgspec import Meta, Struct

from advisor.settings.document import Document
from advisor.settings.values import StatedSuppression

KEY = "suppress"
Text = Annotated[str, Meta(min_length=1)]


class SuppressTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a table as the user writes them; `rule` is one, or an array of several."""

    rule: Text | Annotated[tuple[Text, ...], Meta(min_length=1)]
    reason: Text
    device: Text = "*"
    object: str = ""
    until: date | None = None


def suppressions_of(
    document: Document, tables: Iterable[SuppressTable]
) -> Iterator[StatedSuppression]:
    """The tables with their places.

    Raises
    ------
    SettingsError
        If a reason is blank.
    """
    for number, table in enumerate(tables):
        reason = " ".join(table.reason.split())
        if not reason:
            raise document.error((KEY, number, "reason"), "reason: say why it is accepted")
        yield StatedSuppression(
            table.device,
            " ".join(table.object.split()),
            (table.rule,) if isinstance(table.rule, str) else table.rule,
            reason,
            table.until,
            document.name,
            document.line_of((KEY, number)),
        )
