"""Rates of lines that no file states: `--rate Serial0/0=1536k`, and the `[rates]` table."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from advisor.ground.units import decimal
from advisor.settings import SettingsError, StatedRate
from advisor.settings.document import TomlDocument

_RATE: Final = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,20})?)\s*([kKmMgG]?)(?:bps|bit/s|b/s)?")
_FACTOR: Final = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9}
_LEAST_BPS, _MOST_BPS = 1e3, 1e12
_PLACE: Final = re.compile(r"(?:(?P<device>.+):)?(?P<interface>[A-Za-z*?\[].*)")
_FLAG: Final = "--rate"


def rate_bps(text: str, key: str) -> float:
    """Read a rate: a number with k, M or G; without a letter in bit/s. `key` is what states it.

    Raises
    ------
    SettingsError
        If the text is not a rate, or is out of range.

    Examples
    --------
    >>> rate_bps("512k", "--link"), rate_bps("1.5M", "--link")
    (512000.0, 1500000.0)
    """
    match = _RATE.fullmatch(text.strip())
    if match is None:
        raise SettingsError(f"{key} {text}: not a rate; write 512k, 2M or a number of bit/s")
    rate = decimal(match[1]) * _FACTOR[match[2].lower()]
    if not _LEAST_BPS <= rate <= _MOST_BPS:
        raise SettingsError(f"{key} {text}: must be between 1k and 1000G")
    return rate


def rates_of_flags(texts: Iterable[str]) -> Iterator[StatedRate]:
    """The rates of `--rate [DEVICE:]INTERFACE=RATE`.

    Raises
    ------
    SettingsError
        If one names no interface, or its rate is not a rate.
    """
    for text in texts:
        place, _, rate = text.rpartition("=")
        yield _stated(place, rate, f"{_FLAG} {place}", _FLAG)


def rates_of_table(document: TomlDocument, table: Mapping[str, object]) -> Iterator[StatedRate]:
    """The rates of `[rates]`: `"Serial0/0" = "1536k"`, `"edge-*:Serial0/0" = "2M"`.

    Raises
    ------
    SettingsError
        If a key names no interface, or its value is not a rate.
    """
    for key, value in table.items():
        source = document.place_of(("rates", key))
        rate = document.convert(value, str, ("rates", key))
        yield _stated(key, rate, f"{source}: rates.{key}:", source)


def _stated(place: str, rate: str, said: str, source: str) -> StatedRate:
    """One rate; the number of a channel-group (Serial0/0:1) is no interface of a device."""
    match = _PLACE.fullmatch(place)
    if match is None:
        raise SettingsError(f"{said} {rate}: write INTERFACE=RATE, like Serial0/0=1536k")
    return StatedRate(match["device"] or "*", match["interface"], rate_bps(rate, said), source)
