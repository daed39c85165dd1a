"""Platform and release of a config: from header comments, licence, boot image."""

import re
from typing import Final

from advisor.ios.syntax.tree import Line

# RANCID and Oxidized print lines of `show version` as comments before the config.
_CHASSIS = re.compile(r"!+\s*Chassis type:\s*(?:cisco\s+)?([\w-]+)", re.IGNORECASE | re.ASCII)
_SOFTWARE = re.compile(
    r"!+\s*Image:\s*Software:\s*[\w-]+,\s*(?:Version\s+)?(\d+\.\d+\(\w[\w.]*\)\w*)",
    re.IGNORECASE | re.ASCII,
)
_UDI = re.compile(r"license udi pid (\S+)", re.IGNORECASE | re.ASCII)
_UDI_NAME = re.compile(r"(?:CISCO|ISR|C)?(\d\w*)(?:[-/].*)?", re.ASCII)
_IMAGE = re.compile(
    r"(?:^|[:/])(c(\d{3,4}x?)|rsp|asr\d{3,4}|isr\d{4}|csr1000v)[\w-]*[-.]", re.ASCII | re.IGNORECASE
)
# c2800nm-adventerprisek9-mz.124-15.T9.bin is 12.4(15)T9.
_RELEASE = re.compile(r"\.(\d\d)(\d)-(\d+[a-z]?)(?:\.([A-Z]\w*))?(?:\.SPA)?(?:\.bin)?$", re.ASCII)
_IMAGE_PLATFORMS: Final = {"rsp": "7500"}


def chassis(comment: str) -> str | None:
    """Platform that a header comment names.

    >>> chassis("!Chassis type: 2811"), chassis("! a comment")
    ('2811', None)
    """
    match = _CHASSIS.match(comment)
    return match[1] if match else None


def software(comment: str) -> str | None:
    """Release that a header comment names.

    >>> software("!Image: Software: C2800NM-ADVIPSERVICESK9-M, 12.4(15)T9, RELEASE SOFTWARE (fc5)")
    '12.4(15)T9'
    """
    match = _SOFTWARE.match(comment)
    return match[1] if match else None


def licensed(line: Line) -> str | None:
    """Platform of a `license udi` line: `CISCO2911/K9` is a 2911, `ISR4331/K9` a 4331."""
    match = _UDI.match(line.text)
    if match is None:
        return None
    name = _UDI_NAME.fullmatch(match[1])
    return name[1] if name else match[1].partition("/")[0]


def image_platform(line: Line) -> str | None:
    """Family that the image of a `boot system` line is built for: `c2800nm-…` is "2800"."""
    match = _IMAGE.search(line.words[-1])
    if match is None:
        return None
    name = match[1].lower()
    return _IMAGE_PLATFORMS.get(name) or match[2] or name.removeprefix("isr").upper()


def image_release(line: Line) -> str | None:
    """Release in the image name of a `boot system` line."""
    for word in reversed(line.words):
        match = _RELEASE.search(word)
        if match is not None:
            return f"{match[1]}.{match[2]}({match[3]}){match[4] or ''}"
    return None
