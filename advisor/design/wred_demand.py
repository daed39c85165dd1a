"""Requirements of a WRED class, as the flags state them."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from advisor.ios.syntax.names import dscp_code
from advisor.settings import SettingsError
from advisor.units import decimal, ratio_from_percent, whole

DEFAULT_FLOWS = 3  # for every group in the WRED test of CSELT and INFN/CNAF, balanced
DEFAULT_RTT_MS = 100.0
DEFAULT_TARGET_MS = 100.0  # that of WRD001
DEFAULT_PACKET_BYTES = 1500  # full-size packets of bulk TCP
_LEAST_BPS, _MOST_BPS = 8e3, 1e10
_MOST_FLOWS = 10_000
_MOST_GROUPS = 16
_PACKET_BYTES = (40, 65_535)
_MOST_MS = 60_000.0
_DSCPS_PER_PRECEDENCE = 8
_RELEASE = re.compile(r"\d{1,2}\.\d{1,2}(\(\w+\)\w*)?", re.ASCII)
_XE_RELEASE = "16.9"  # any of 16.x: it marks a config as IOS XE
_SHARE = re.compile(r"(\d{1,20}(?:\.\d{1,20})?)\s*%?", re.ASCII)


class DemandError(SettingsError):
    """A requirement that cannot be read or contradicts another; the message names the flag."""


class WredBasis(StrEnum):
    """The field by which WRED distinguishes packets."""

    DSCP = "dscp"
    PRECEDENCE = "precedence"


class DemandGroup(Struct, frozen=True):
    """Flows of one DSCP. `floor_ratio` is the least share of the class that they must get."""

    name: str
    dscp: int
    flows: int
    flows_stated: bool
    floor_ratio: float | None

    @property
    def precedence(self) -> int:
        return self.dscp // _DSCPS_PER_PRECEDENCE


class WredDemand(Struct, frozen=True):
    """Requirements of one class; `release` is the `version` of a configuration."""

    rate_bps: float
    target_ms: float
    target_stated: bool
    packet_bytes: int
    packet_stated: bool
    groups: tuple[DemandGroup, ...]
    rtt_ms: float
    rtt_stated: bool
    release: str
    basis: WredBasis

    def code(self, group: DemandGroup) -> int:
        """Key of the row of the group: its DSCP or its precedence."""
        return group.dscp if self.basis is WredBasis.DSCP else group.precedence


def demand_of(
    *,
    rate_bps: float,
    target_ms: float | None,
    packet_bytes: int | None,
    dscps: Sequence[str],
    flows: Sequence[str],
    shares: Sequence[str],
    rtt_ms: float | None,
    release: str,
    basis: WredBasis,
) -> WredDemand:
    """Requirements of flags: `dscps` are words, `flows` and `shares` pairs like `af11=20`.

    Raises
    ------
    DemandError
        If a value is out of range, is not understood, or names a group that does not exist.
    """
    if not _LEAST_BPS <= rate_bps <= _MOST_BPS:
        raise DemandError("--rate: the `bandwidth` of a class is 8 kb/s to 10 Gb/s")
    if target_ms is not None:
        _in_range("--target-delay", target_ms, 1.0, _MOST_MS)
    if packet_bytes is not None:
        _in_range("--packet", packet_bytes, *_PACKET_BYTES)
    if rtt_ms is not None:
        _in_range("--rtt", rtt_ms, 1.0, _MOST_MS)
    codes = _codes(dscps)
    counts = {name: _flows(name, text) for name, text in _pairs("--flows", flows, codes).items()}
    floors = {name: _floor(name, text) for name, text in _pairs("--share", shares, codes).items()}
    groups = tuple(
        DemandGroup(name, code, counts.get(name, DEFAULT_FLOWS), name in counts, floors.get(name))
        for name, code in codes.items()
    )
    return WredDemand(
        rate_bps,
        DEFAULT_TARGET_MS if target_ms is None else target_ms,
        target_ms is not None,
        DEFAULT_PACKET_BYTES if packet_bytes is None else packet_bytes,
        packet_bytes is not None,
        groups,
        DEFAULT_RTT_MS if rtt_ms is None else rtt_ms,
        rtt_ms is not None,
        _release(release),
        basis,
    )


def _in_range(flag: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise DemandError(f"{flag} {value:g}: must be between {low:g} and {high:g}")


def _codes(words: Sequence[str]) -> dict[str, int]:
    codes: dict[str, int] = {}
    for word in words:
        code = dscp_code(word)
        if code is None:
            raise DemandError(
                f"--dscp {word}: is no DSCP; write af11, cs3, ef or a number up to 63"
            )
        if code in codes.values():
            raise DemandError(f"--dscp {word}: is named twice")
        codes[word.lower()] = code
    if not 1 <= len(codes) <= _MOST_GROUPS:
        raise DemandError(f"--dscp: takes 1 to {_MOST_GROUPS} codes, like af11,af12,af13")
    return codes


def _pairs(flag: str, words: Sequence[str], codes: Mapping[str, int]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, sign, value = word.partition("=")
        name = name.strip().lower()
        if not sign:
            raise DemandError(f"{flag} {word}: write CODE=NUMBER, like af11=20")
        if name not in codes:
            raise DemandError(f"{flag} {word}: --dscp has no {name}; it has {', '.join(codes)}")
        if name in pairs:
            raise DemandError(f"{flag} {word}: {name} is given twice")
        pairs[name] = value.strip()
    return pairs


def _flows(name: str, text: str) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) <= len(str(_MOST_FLOWS))):
        raise DemandError(f"--flows {name}={text}: must be a whole number up to {_MOST_FLOWS}")
    _in_range(f"--flows {name}", whole(text), 1, _MOST_FLOWS)
    return whole(text)


def _floor(name: str, text: str) -> float:
    match = _SHARE.fullmatch(text)
    if match is None or not 0 < decimal(match[1]) <= 100:  # noqa: PLR2004 -- percent
        raise DemandError(f"--share {name}={text}: must be a percentage over 0, up to 100 %")
    return ratio_from_percent(decimal(match[1]))


def _release(text: str) -> str:
    if text.lower() in ("xe", "ios-xe"):
        return _XE_RELEASE
    if _RELEASE.fullmatch(text) is None:
        raise DemandError(f"--release {text}: write 12.2, 15.1, 12.4(24)T or xe")
    return text
