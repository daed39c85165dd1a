"""Whether what bears one name is of one device, by its hardware and its addresses."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from advisor.capture import Section
from advisor.ios.syntax.lines import TextLines

if TYPE_CHECKING:
    from advisor.shows.version.reader import Version

_ADDRESS: Final = re.compile(r"[ \t]++ip address (\d++\.\d++\.\d++\.\d++) ")


def may_be_one_device(config: Section, other: Section) -> bool:
    """Whether two configurations share an address; also where one of them has none."""
    first, second = config.lines.derived(_addresses), other.lines.derived(_addresses)
    return not (first and second) or bool(first & second)


def _addresses(text: TextLines) -> frozenset[str]:
    found = (_ADDRESS.match(text.lines[row]) for row in text.rows_of.get("ip", ()))
    return frozenset(match[1] for match in found if match is not None)


def said_of_addresses(main: Section, others: Sequence[Section]) -> Iterator[str]:
    """Say which configurations of one name have none of the addresses of the one that counts."""
    for config in others:
        if config is not main and not may_be_one_device(main, config):
            yield (
                f"{config.file}:{config.first_line}: this configuration has no address of the one "
                f"of {main.file}:{main.first_line}, which bears the same name: it is taken for "
                "that of another device and not judged; put each device into a file of its own"
            )


def said_of_hardware(versions: Sequence["Version"]) -> Iterator[str]:
    """Say which outputs of `show version` name other hardware than the last one, which counts."""
    for version in versions[:-1]:
        last = versions[-1]
        what = _other_hardware(version, last)
        if what is not None:
            yield (
                f"{version.at}: show version names another {what} than that of {last.at}, which "
                "counts: the outputs are of two devices of one name, or of the time before an "
                "exchange; put each device into a file of its own"
            )


def _other_hardware(version: "Version", last: "Version") -> str | None:
    for what, one, other in (
        ("model", version.platform, last.platform),
        ("processor board ID", version.board_id, last.board_id),
    ):
        if one is not None and other is not None and one != other:
            return what
    return None
