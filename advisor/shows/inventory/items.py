"""`show inventory`: the chassis, modules and transceivers of a device.

Source: Cisco IOS Configuration Fundamentals Command Reference, `show inventory`.
"""

import re
from typing import Final

from msgspec import Struct

from advisor.ios.syntax.tree import Location
from advisor.shows.blocks import Block, blocks_of, read_blocks
from advisor.shows.indent import ShownLine
from advisor.shows.layout import LayoutError, Part, Reading
from advisor.shows.output import Output

_EXPECTED: Final = "show inventory"


class InventoryItem(Struct, frozen=True):
    """One part of a device. `product_id` and `version_id` are None where IOS prints none.

    The serial number is not kept: nothing is judged by it.
    """

    name: str
    description: str
    product_id: str | None
    version_id: str | None
    at: Location


_HEAD: Final = re.compile(
    r'NAME\s*:\s*"(?P<name>[^"]*)"\s*,\s*DESCR\s*:\s*"(?P<description>[^"]*)"'
)
_PRODUCT: Final = re.compile(r"PID\s*:(?P<product>[^,]*),\s*VID\s*:(?P<version>[^,]*),\s*SN\b.*")
_AROUND: Final = re.compile(r"\+{3,}|INFO: |% ?Please|-{3,}")


def read_inventory(text: str, file: str, first_line: int = 1) -> Reading[InventoryItem]:
    """Parts of a device in the order of a `show inventory` output.

    A part without its `PID` line is declined: the output was cut.

    Raises
    ------
    LayoutError
        If there is no part.
    """
    output = Output(text, file, first_line, _EXPECTED)

    def read(block: Block) -> InventoryItem:
        head, product = _HEAD.fullmatch(block.head.text), None
        for line in block.lines:
            product = _PRODUCT.fullmatch(line.text)
            if product is None:
                raise output.unknown(line)
        if head is None or product is None:
            expected = f"{_EXPECTED}: no `PID` line follows"
            raise LayoutError(output.at(block.head), block.head.text, expected)
        return InventoryItem(
            name=block.name,
            description=head["description"],
            product_id=_printed(product["product"]),
            version_id=_printed(product["version"]),
            at=output.at(block.head),
        )

    lines = (line for line in output.lines() if not _AROUND.match(line.text))
    return read_blocks(output, Part.MODULE, blocks_of(lines, _name), read)


def _name(line: ShownLine) -> str | None:
    head = _HEAD.fullmatch(line.text)
    return None if head is None else head["name"]


def _printed(text: str) -> str | None:
    return text.strip() if text.strip() not in {"", "N/A", "Unspecified"} else None
