"""Names of platforms to families: product ids, chassis, images, and the words of `show version`.

Sources: `show version` and `show inventory` printouts in genieparser, ntc-templates and Oxidized;
RANCID's `Chassis type` of 7500s; hardware behind product ids without a printout is recalled.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.platforms import TABLES, Grade, Trait, table_rows, trait_of_row

_VENDOR: Final = re.compile(r"^CISCO\s*(?=[A-Z\d])(?!76)")


class _NameRow(Struct, frozen=True):
    """Names that begin with a pattern have this trait; `examples` are models for a suggestion."""

    pattern: re.Pattern[str]
    trait: Trait
    examples: tuple[str, ...]


@cache
def _rows() -> tuple[_NameRow, ...]:
    """In the order of the table: a Catalyst 2960 before the routers of the 2900 series."""
    return tuple(
        _NameRow(
            re.compile(row["pattern"], re.ASCII), trait_of_row(row), tuple(row["examples"].split())
        )
        for row in table_rows(TABLES / "names.csv")
    )


@cache
def _families() -> Mapping[str, Trait]:
    """Names of families, which a user may give instead of a model."""
    return {row["name"]: trait_of_row(row) for row in table_rows(TABLES / "families.csv")}


def trait_of_name(name: str) -> Trait | None:
    """Return the trait of a product id, chassis, image or software; None if no row has the name.

    >>> [str(family) for family in trait_of_name("ISR4331/K9").families]
    ['IOS XE on QFP']
    >>> [str(family) for family in trait_of_name("WS-C3750G-24TS").families]
    ['Catalyst with mls qos']
    >>> trait_of_name("N9K-C93180YC") is None
    True
    """
    plain = _VENDOR.sub("", name.strip().upper())
    return next((row.trait for row in _rows() if row.pattern.match(plain)), None)


def trait_stated(name: str) -> Trait | None:
    """Return the trait of a model or family that a user names; None if it is unknown."""
    family = _families().get(name.strip().lower())
    if family is not None:
        return family
    trait = trait_of_name(name)
    return None if trait is None else replace(trait, model=name.strip(), grade=Grade.STATED)


def nearest_names(name: str) -> str:
    """Names near an unknown one, else the names of the families, for an error message.

    >>> nearest_names("ISR4431X")
    'did you mean ISR4431?'
    """
    examples = (model for row in _rows() for model in row.examples)
    known = {spelling.upper(): spelling for spelling in (*examples, *_families())}
    close = get_close_matches(name.strip().upper(), known, n=1)
    if close:
        return f"did you mean {known[close[0]]}?"
    return f"name a model, such as 2811 or ISR4331, or one of {', '.join(_families())}"
