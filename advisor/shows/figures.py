"""Numbers as show outputs print them: counters, fractions of 255, ages."""

import re
from typing import Final

from advisor.units import whole

_FULL_SCALE: Final = 255  # IOS prints reliability and load as a fraction of 255
_CLOCK = re.compile(r"(\d+):(\d\d):(\d\d)")
_AGE_UNIT = re.compile(r"(?<!\d)(\d+)([ywdhm])")
_UNIT_S: Final = {"y": 31_536_000, "w": 604_800, "d": 86_400, "h": 3600, "m": 60}


def count(text: str | None) -> int | None:
    """Counter value; None if it is missing or has wrapped into a negative number.

    >>> count("17"), count("-1431655766"), count(None)
    (17, None, None)
    """
    if text is None:
        return None
    value = whole(text)
    return value if value >= 0 else None


def ratio(text: str | None) -> float | None:
    """Ratio of a figure out of 255.

    >>> ratio("51"), ratio(None)
    (0.2, None)
    """
    return None if text is None else whole(text) / _FULL_SCALE


def age_s(text: str | None) -> int | None:
    """Seconds of an age: `01:10:00`, `1d19h`, `2w3d`; None for `never`.

    IOS cuts the two-unit forms to whole hours, days or weeks.

    >>> age_s("01:10:00"), age_s("1d19h"), age_s("never")
    (4200, 154800, None)
    """
    if text is None:
        return None
    clock = _CLOCK.fullmatch(text)
    if clock is not None:
        hours, minutes, seconds = (whole(part) for part in clock.groups())
        return hours * _UNIT_S["h"] + minutes * _UNIT_S["m"] + seconds
    units = _AGE_UNIT.findall(text)
    return sum(whole(number) * _UNIT_S[unit] for number, unit in units) if units else None
