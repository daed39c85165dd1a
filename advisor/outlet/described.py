"""The rate that a description names: "metro, 20 Mb/s", "CIR 512k", "EVC-1234-10M"."""

import re
from typing import Final

from advisor.ground.units import bps_from_kbps, decimal, whole
from advisor.ios import pattern

_KBPS: Final = {"k": 1.0, "m": 1e3, "g": 1e6}
_OF_ANOTHER: Final = ("for", "of", "was", "old", "from", "threshold", "protects")
_AMOUNT: Final = (
    r"(?<![\w.,/])"
    + "".join(rf"(?<!\b{word} )" for word in _OF_ANOTHER)
    + r"(?:(?P<times>[1-9]\d?)[ ]?[x*][ ]?)?(?P<amount>[0-9]{1,9}(?:\.[0-9]{1,6})?)"
)
_NO_OTHER_UNIT: Final = r"(?![\w/])(?! ?(?i:per|each|a call|street|road)\b)"
_WITH_UNIT: Final = pattern(
    _AMOUNT + r"\s?(?P<unit>[kmg])(?:bps|bits?/s(?:ec)?|bits?|b/s|b|eg)" + _NO_OTHER_UNIT,
    re.IGNORECASE,
)
_BARE: Final = pattern(_AMOUNT + r"(?P<unit>[kKMG])" + _NO_OTHER_UNIT)  # 10m are metres
_CONTRACT: Final = pattern(
    r"\b(?:cir|evcs?|evpl|e-?line|contract(?:ed)?|committed|sold|subscribed|sla)\b",
    re.IGNORECASE,
)
_DOUBT: Final = pattern(r"\b(?:up to|max(?:imum)?|burst|pir|about|backup)\b|~", re.IGNORECASE)
_SERVICE: Final = pattern(
    r"\b(?:isp|mpls|vpls|metro|circuit|internet|carrier|provider|telco|leased|access)\b",
    re.IGNORECASE,
)
# A rate of the past, of another line, or a peak rate; an equal `bandwidth` is as outdated.
_OF_NO_LINE: Final = pattern(
    r"\b(?:formerly|previously|ex|was|not|no longer|until|burst|pir|backup)\b", re.IGNORECASE
)
_NO_SERVICE: Final = pattern(
    r"\b(?:no|lan|trunk|cable|cat\d\w?|fib(?:er|re)|room|bldg|iptv|gw)\b",
    re.IGNORECASE,
)
_NO_RATE: Final = frozenset({"2G", "2.4G", "2.5G", "3G", "4G", "5G", "6G"})  # mobile, wireless


def described_rate_bps(text: str) -> float | None:
    """The only rate that a description names, in bit/s; None without one and with several.

    "Backup for 2M" names the rate of another line, "8k per call" none; "4 x 2M" is a bundle.

    >>> described_rate_bps("metro access, 20 Mb/s contracted"), described_rate_bps("EVC-77-10M")
    (20000000.0, 10000000.0)
    >>> described_rate_bps("4G backup, 30m of cable"), described_rate_bps("CIR 10M, PIR 20M")
    (None, None)
    """
    found = [*_WITH_UNIT.finditer(text), *_BARE.finditer(text)]
    rates = {
        bps_from_kbps(
            whole(match["times"] or "1") * decimal(match["amount"]) * _KBPS[match["unit"].lower()]
        )
        for match in found
        if match[0] not in _NO_RATE
    }
    return rates.pop() if len(rates) == 1 else None


def _is_doubtful(text: str) -> bool:
    """Whether a description has a word of doubt, or speaks of no line as it is now."""
    return _DOUBT.search(text) is not None or is_outdated(text)


def says_contract(text: str) -> bool:
    """Whether a description says that its rate is what the provider sells for good.

    >>> says_contract("EVC-77-10M"), says_contract("ETH-10M-LON-42"), says_contract("EVC up to 9M")
    (True, False, False)
    """
    return _CONTRACT.search(text) is not None and not _is_doubtful(text)


def says_service(text: str) -> bool:
    """Whether a description says that its rate is of a service: a contract, or a provider's line.

    >>> says_service("MPLS 20M to Telia"), says_service("EVC-77-10M"), says_service("Room 5M-12")
    (True, True, False)
    >>> says_service("ISP, formerly 20M"), says_service("LAN trunk 30M, internet behind")
    (False, False)
    """
    if _is_doubtful(text) or _NO_SERVICE.search(text) is not None:
        return False
    return _CONTRACT.search(text) is not None or _SERVICE.search(text) is not None


def is_outdated(text: str) -> bool:
    """Whether a description speaks of the past, of another line, or of a peak."""
    return _OF_NO_LINE.search(text) is not None


def line_rate_bps(text: str) -> float | None:
    """The rate of a serial line by its description; None in doubt, and of a CIR.

    >>> line_rate_bps("256k leased line to Lisbon"), line_rate_bps("FR to Porto, CIR 256k")
    (256000.0, None)
    """
    is_other = _CONTRACT.search(text) is not None or _is_doubtful(text)
    return None if is_other else described_rate_bps(text)
