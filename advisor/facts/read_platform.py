"""Lines of a config that say something of its platform: header comments, licence, image, commands.

The reader keeps the words. `advisor.device.platforms` knows what they mean.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct

from advisor.ios import pattern
from advisor.ios.syntax import Line, LineKind, Location


class PlatformWord(StrEnum):
    """Kinds of words that name a platform, or that only some platforms print."""

    CHASSIS = "chassis"
    PRODUCT_ID = "product id"
    CPU = "cpu"
    SLOT = "slot"
    SOFTWARE = "software image"
    RELEASE = "software release"
    LICENCE = "licence"
    SERIAL_NUMBER = "serial number"
    VERSION = "version"
    BOOT_IMAGE = "boot image"
    BOOT_RELEASE = "release of the boot image"
    STACK_MEMBER = "stack member"
    COMMAND = "command"


class PlatformWords(Struct, frozen=True):
    """Words of one line, without what a person typed there: no address, password or serial number.

    Of a command they are the words that other platforms do not have.
    """

    kind: PlatformWord
    words: str
    at: Location


# RANCID and Oxidized print lines of `show version` as comments before the config.
_HEADERS: Final = (
    (
        PlatformWord.CHASSIS,
        pattern(r"!+\s*Chassis type:\s*(?:cisco\s+)?([\w-]+)", re.IGNORECASE | re.ASCII),
    ),
    (PlatformWord.PRODUCT_ID, pattern(r"!+\s*PID:\s*([\w/+-]+)", re.IGNORECASE | re.ASCII)),
    (PlatformWord.CPU, pattern(r"!+\s*(?:CPU|Processor):\s*([\w-]+)", re.IGNORECASE | re.ASCII)),
    (
        PlatformWord.SLOT,
        pattern(r"!++\s*+Slot\s++\S++\s++.{0,40}?type\s++(VIP[\w-]*)", re.IGNORECASE | re.ASCII),
    ),
    (
        PlatformWord.SOFTWARE,
        pattern(r"!+\s*Image:\s*Software:\s*([\w.-]+)", re.IGNORECASE | re.ASCII),
    ),
    (
        PlatformWord.RELEASE,
        pattern(
            r"!+\s*Image:\s*Software:\s*[\w.-]+,\s*(?:Version\s+)?"
            r"(\d+\.\d+(?:\(\w[\w.]*\)\w*|\.\w+))",
            re.IGNORECASE | re.ASCII,
        ),
    ),
)
_UDI: Final = pattern(r"license udi pid (\S+)(?: sn (\S+))?", re.IGNORECASE | re.ASCII)
_UDI_NAME: Final = pattern(r"(?:CISCO|ISR|C(?=\d{3}\D))?(\d\w*)(?:[-/].*)?", re.ASCII)
_IMAGE: Final = pattern(
    r"((?:c\d{3,4}x?|rsp|asr\d{3,4}|isr\d{4}|csr1000v|cat9k|cat3k|s72033|vios)[\w-]*[-.]"
    r"|[a-z]\w*-\w+-m[a-z]*(?:[-.]|$)|[a-z]\w*-\w*k9\w*(?:[-.]|$))",  # any image of IOS
    re.ASCII | re.IGNORECASE,
)
# c2800nm-adventerprisek9-mz.124-15.T9.bin is 12.4(15)T9.
_RELEASE: Final = pattern(
    r"\.(\d\d)(\d)-(\d+[a-z]?)(?:\.([A-Z]\w*))?(?:\.SPA)?(?:\.bin)?$", re.ASCII
)
_IMAGE_SERIES: Final = pattern(r"c(\d{3,4}x?)", re.ASCII | re.IGNORECASE)
_IMAGE_MODELS: Final = {"RSP": "7500"}
_PROVISIONED: Final = pattern(r"switch \d+ provision (\S+)", re.IGNORECASE | re.ASCII)
_COMMANDS: Final = {
    "platform": ("platform qfp", "platform punt-keepalive", "platform console"),
    "subscriber": ("subscriber templating",),
    "mls": ("mls qos",),
    "qos": ("qos dbl",),
    "slot-table-cos": ("slot-table-cos",),
    "cos-queue-group": ("cos-queue-group",),
    "vrf": ("vrf definition Mgmt-intf", "vrf definition Mgmt-vrf"),
    "ip": ("ip cef distributed",),
}
_CARD: Final = pattern(r"card \d+/\d+ ", re.ASCII)
_PACKET_TRACER_END: Final = "-"

FIRST_WORDS: Final = frozenset(
    (
        *("license", "version", "boot", "switch", "platform", "subscriber", "mls", "vrf", "ip"),
        *("no", "qos", "slot-table-cos", "cos-queue-group", "card"),
    )
)


def platform_words(line: Line, file: str) -> Iterator[PlatformWords]:
    """Yield the signs of the platform in one top-level line; nothing for most lines."""
    for kind, words in _words(line):
        yield PlatformWords(kind, words, Location(file, line.number))


def _words(line: Line) -> Iterator[tuple[PlatformWord, str]]:
    if line.kind is LineKind.COMMENT:
        for kind, pattern in _HEADERS:
            if match := pattern.match(line.text):
                yield kind, match[1]
        return
    words = line.words
    first = words[0].lower()
    if first == "version" and len(words) > 1:
        yield PlatformWord.VERSION, words[1]
    elif first == "license":
        yield from _licence(line)
    elif first == "boot":
        yield from _image(line)
    elif match := _PROVISIONED.match(line.text):
        yield PlatformWord.STACK_MEMBER, match[1]
    else:
        yield from _commands(line)


def _commands(line: Line) -> Iterator[tuple[PlatformWord, str]]:
    """IOS XE alone prints its `platform` commands, `no platform punt-keepalive …` as well."""
    is_negated = line.text.startswith("no platform ")
    text = line.text.removeprefix("no ") if is_negated else line.text
    for command in _COMMANDS.get(text.partition(" ")[0].lower(), ()):
        if text.startswith(command):
            yield PlatformWord.COMMAND, command
    if _CARD.match(text):
        yield PlatformWord.COMMAND, "card"


def _licence(line: Line) -> Iterator[tuple[PlatformWord, str]]:
    match = _UDI.match(line.text)
    if match is None:
        return
    if match[2] is not None and match[2].endswith(_PACKET_TRACER_END):
        yield PlatformWord.SERIAL_NUMBER, f"ends in {_PACKET_TRACER_END}"
    else:
        yield PlatformWord.LICENCE, match[1]


def _image(line: Line) -> Iterator[tuple[PlatformWord, str]]:
    names = [re.split(r"[/:]", word)[-1] for word in line.words]
    match = _IMAGE.match(names[-1])
    if match is not None:
        yield PlatformWord.BOOT_IMAGE, match[1].rstrip("-.")
    for word in reversed(names):
        release = _RELEASE.search(word)
        if release is not None:
            yield (
                PlatformWord.BOOT_RELEASE,
                (f"{release[1]}.{release[2]}({release[3]}){release[4] or ''}"),
            )
            return


def model_of_image(image: str) -> str:
    """Series that an image is built for.

    >>> model_of_image("c2800nm-adventerprisek9-mz"), model_of_image("rsp-jsv-mz")
    ('2800', '7500')
    """
    series = _IMAGE_SERIES.match(image)
    if series is not None:
        return series[1]
    name = image.partition("-")[0].upper()
    return _IMAGE_MODELS.get(name, name.removeprefix("ISR"))


def model_of(product_id: str) -> str:
    """Model that a product id names.

    >>> model_of("CISCO2911/K9"), model_of("ISR4331/K9"), model_of("C8000V")
    ('2911', '4331', 'C8000V')
    """
    name = _UDI_NAME.fullmatch(product_id)
    return name[1] if name else product_id.partition("/")[0]
