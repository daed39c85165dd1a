"""`show version` and `show inventory`: release, box, uptime, modules."""

import re
from typing import Final

from msgspec import Struct

from advisor.ground.units import whole, whole_or_none
from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.shows.output import (
    Block,
    LayoutError,
    Output,
    OutputPart,
    OutputReading,
    ShownLine,
    blocks_of,
    declined,
    present,
    read_blocks,
    record_of,
)

# Names of releases.

_LAYOUT: Final = layout("shows/version.txt")
_RELEASE: Final = _LAYOUT.part("RELEASE")
_DOTTED: Final = _LAYOUT.part("DOTTED")
FIRST_XE_MAJOR: Final = 16  # from this release on, IOS and IOS XE have the same number


class Release(Struct, frozen=True):
    """The parts of a release of IOS or IOS XE.

    `12.4(15)T9` has major 12, minor 4, release 15, train `T`, rebuild 9. `interim` is the text in
    the brackets after the release (`4.0.55` has `0.55`). Mainline has an empty train.
    """

    major: int
    minor: int
    release: int
    interim: str | None
    train: str
    rebuild: int | None
    text: str


def release_of(text: str) -> Release | None:
    """Parts of a release name; None if the text is not a release name.

    Source of the grammar: Cisco's "IOS and NX-OS Software Reference Guide".

    >>> release = release_of("12.4(15)T9")
    >>> release.major, release.minor, release.release, release.train, release.rebuild
    (12, 4, 15, 'T', 9)
    >>> release_of("03.11.01.E") is None
    True
    """
    match = _RELEASE.fullmatch(text)
    if match is not None:
        rebuild = match["rebuild"]
        return Release(
            whole(match["major"]),
            whole(match["minor"]),
            whole(match["release"]),
            match["interim"],
            match["train"],
            whole(rebuild) if rebuild else None,
            text,
        )
    dotted = _DOTTED.fullmatch(text)
    if dotted is None or whole(dotted["major"]) < FIRST_XE_MAJOR:
        return None
    major, minor, release = (whole(dotted[name]) for name in ("major", "minor", "release"))
    return Release(major, minor, release, None, "", None, text)


# `show version`: the release, the box, the uptime and the reason of the last reload.
#
# Licences, modules and ports fill most of this output, and every box has its own form. The reader
# skips them. It must know only the lines that begin like one of its own lines.

_EXPECTED: Final = "show version"
_BYTES_IN_K: Final = 1024
_UNIT_S: Final = {
    "year": 31_536_000,
    "week": 604_800,
    "day": 86_400,
    "hour": 3600,
    "minute": 60,
    "second": 1,
}


class Version(Struct, frozen=True):
    """The software and the hardware of a router.

    `version_text` is the release as printed. `release` holds its parts; it is None if the release
    does not follow the IOS grammar (an experimental build). `xe_version_text` is the second number
    of IOS XE. `family` is the box in the words of the software (`7200 Software`), `platform` in
    the words of the hardware (`7206VXR`). Memory is processor memory and packet buffers. A field
    of a line that a filter took out is None. `at` is the line of the software, else the first line
    that is read.
    """

    is_xe: bool
    family: str | None
    image_name: str | None
    version_text: str | None
    xe_version_text: str | None
    release: Release | None
    platform: str | None
    processor: str | None
    processor_memory_bytes: int | None
    io_memory_bytes: int | None
    hostname: str | None
    uptime_s: int | None
    image_file: str | None
    returned_to_rom_by: str | None
    restarted_at: str | None
    reload_reason: str | None
    config_register: str | None
    at: Location
    compiled_at: str | None = None
    returned_to_rom_at: str | None = None
    physical_memory_bytes: int | None = None
    nvram_bytes: int | None = None
    board_id: str | None = None  # of the processor or the chassis: no other device has it


_SOFTWARE: Final = _LAYOUT.part("SOFTWARE")
_XE: Final = _LAYOUT.part("XE")
_XE_BOOTSTRAP: Final = re.compile(r"ROM: (?P<xe_bootstrap>IOS-XE ROMMON)")
_BOX: Final = _LAYOUT.part("BOX", re.IGNORECASE)
_MEMORY: Final = re.compile(
    r"(?P<nvram>\d+)K bytes of (?:non-volatile configuration memory|NVRAM).*"
    r"|(?P<physical>\d+)K bytes of physical memory\."
)
_FACTS: Final = _LAYOUT.patterns("facts")
_UPTIME_UNIT: Final = re.compile(r"(?<!\d)(\d+) (year|week|day|hour|minute|second)s?")


def read_version(text: str, file: str, first_line: int = 1) -> OutputReading[Version]:
    """Release, box and uptime of a `show version` output.

    A line that begins like a known line and continues differently is declined: what it says is
    not known. So is the end of an output that was cut. Each line of a filtered output counts by
    itself.

    Raises
    ------
    LayoutError
        If no line names a release of IOS, or if a filter left no line that is read.
    """
    output = Output(text, file, first_line, _EXPECTED)
    fields: dict[str, str] = {}
    errors: list[LayoutError] = []
    at = first_fact_at = None
    for line in output.lines():
        if "version" not in fields:
            software = _SOFTWARE.match(line.text)
            if software is not None:
                fields.update(present(software))
                at = output.at(line)
                continue
        try:
            facts = _facts(output, line)
        except LayoutError as error:
            errors.append(error)
            continue
        if facts and first_fact_at is None:
            first_fact_at = output.at(line)
        for key, value in facts.items():
            fields.setdefault(key, value)
    if at is None and output.is_filtered:
        at = first_fact_at
    if at is None:
        raise errors[0] if errors else output.nothing()
    if "config_register" not in fields and not output.is_filtered:
        errors.append(output.ends(line, "its last line, that of the register"))
    parts = (declined(OutputPart.LINES, "", error.at, error) for error in errors)
    return OutputReading((_version(fields, at),), tuple(parts))


def _facts(output: Output, line: ShownLine) -> dict[str, str]:
    xe = _XE.match(line.text)
    if xe is not None:
        return {"xe": xe["xe"] or xe["xe2"]}
    bootstrap = _XE_BOOTSTRAP.match(line.text)
    if bootstrap is not None:
        return present(bootstrap)
    memory = _MEMORY.fullmatch(line.text)
    if memory is not None:
        return present(memory)
    if "bytes of memory" in line.text or " processor " in line.text:
        box = _BOX.fullmatch(line.text)
        if box is None and line.text.endswith(" bytes of memory."):
            raise output.unknown(line)
        return present(box) if box else {}
    for start, pattern in _FACTS.items():
        if line.text.startswith(start) or (start == "uptime" and " uptime is " in line.text):
            match = pattern.fullmatch(line.text)
            if match is None:
                raise output.unknown(line)
            return present(match)
    return {}


def _version(fields: dict[str, str], at: Location) -> Version:
    get = fields.get
    text, xe_text = get("version"), get("xe")
    return record_of(
        Version,
        fields,
        is_xe=_is_xe(fields),
        version_text=text,
        xe_version_text=xe_text,
        release=None if text is None or "experimental" in fields else release_of(text),
        processor=get("processor") or get("board"),
        processor_memory_bytes=_bytes(get("main")),
        io_memory_bytes=_bytes(get("io")),
        uptime_s=_uptime_s(get("uptime")),
        returned_to_rom_by=get("returned") or get("by"),
        reload_reason=get("reason") or None,
        at=at,
        returned_to_rom_at=get("returned_at"),
        physical_memory_bytes=_bytes(get("physical")),
        nvram_bytes=_bytes(get("nvram")),
        board_id=get("board_id") or None,
    )


def _is_xe(fields: dict[str, str]) -> bool:
    if "xe" in fields or "xe_bootstrap" in fields:
        return True
    return "IOS-XE" in fields.get("family", "") or _is_xe_number(fields.get("version", ""))


def _is_xe_number(text: str) -> bool:
    major = text.partition(".")[0]
    return (whole_or_none(major) or 0) >= FIRST_XE_MAJOR


def _bytes(kilobytes: str | None) -> int | None:
    return None if kilobytes is None else whole(kilobytes) * _BYTES_IN_K


def _uptime_s(text: str | None) -> int | None:
    if text is None:
        return None
    return sum(whole(number) * _UNIT_S[unit] for number, unit in _UPTIME_UNIT.findall(text))


# `show inventory`: the chassis, modules and transceivers of a device.
#
# Source: Cisco IOS Configuration Fundamentals Command Reference, `show inventory`.

_EXPECTED_ITEM: Final = "show inventory"


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


def read_inventory(text: str, file: str, first_line: int = 1) -> OutputReading[InventoryItem]:
    """Parts of a device in the order of a `show inventory` output.

    A part without its `PID` line is declined: the output was cut.

    Raises
    ------
    LayoutError
        If there is no part.
    """
    output = Output(text, file, first_line, _EXPECTED_ITEM)

    def read(block: Block) -> InventoryItem:
        product = None
        for line in block.lines:
            product = _PRODUCT.fullmatch(line.text)
            if product is None:
                raise output.unknown(line)
        if product is None:
            expected = f"{_EXPECTED_ITEM}: no `PID` line follows"
            raise LayoutError(output.at(block.head), block.head.text, expected)
        return InventoryItem(
            name=block.name,
            description=block.match["description"],
            product_id=_printed(product["product"]),
            version_id=_printed(product["version"]),
            at=output.at(block.head),
        )

    lines = (line for line in output.lines() if not _AROUND.match(line.text))
    return read_blocks(output, OutputPart.MODULE, blocks_of(lines, _HEAD), read)


def _printed(text: str) -> str | None:
    return text.strip() if text.strip() not in {"", "N/A", "Unspecified"} else None
