"""Classes below voice of a WAN edge: their shares of the link and the budgets of their queues."""

import re
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from advisor.design.wred_demand import DemandError
from advisor.ios.syntax.names import dscp_code
from advisor.units import decimal

# Of the link, where --data states none. Signalling: Cisco Enterprise QoS SRND 3.3, chapter 3, the
# five-class WAN edge (Call-Signaling 5 %). The share of DLSw+ is ours.
SIGNALLING_PERCENT, DLSW_PERCENT = 5.0, 10.0
_WHOLE_PERCENT = 100
_SHARE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)\s*%?(?::(\d{1,5})\s*(?:ms)?)?", re.ASCII)
_SIGNALLING, _DLSW = "signalling", "dlsw"
_EF = 46


class Kind(StrEnum):
    """What a class selects its packets by."""

    DSCP = "dscp"
    DLSW = "dlsw"


class Wanted(Struct, frozen=True):
    """A class below voice, and the percent of the link that it is to have.

    An `assumed` share gives way where the link cannot reserve it. `budget_ms` is the longest time
    that its full queue may take. `key` names it in --data.
    """

    key: str
    kind: Kind
    dscp: str
    percent: float
    assumed: bool
    budget_ms: float | None = None

    @property
    def name(self) -> str:
        return self.key.upper()

    @property
    def is_signalling(self) -> bool:
        return self.key == _SIGNALLING


class _Share(Struct, frozen=True):
    """What --data states of a class."""

    percent: float
    budget_ms: float | None = None


def wanted_classes(data: Sequence[str], *, signalling: bool, dlsw: bool) -> tuple[Wanted, ...]:
    """Read the classes below voice from --data, --signalling and --dlsw.

    Raises
    ------
    DemandError
        If a share is not understood, is stated twice, or is of a class that is taken.
    """
    stated = _stated(data)
    classes = []
    if signalling or _SIGNALLING in stated:
        own = stated.pop(_SIGNALLING, None)
        share = own or _Share(SIGNALLING_PERCENT)
        # Phones mark AF31 and later CS3 (SRND 3.3, chapter 3): both, unless AF31 has its own class.
        codes = "cs3" if "af31" in stated else "cs3 af31"
        classes.append(_wanted(_SIGNALLING, Kind.DSCP, codes, share, own is None))
    of_dlsw = stated.pop(_DLSW, None)
    for name, share in stated.items():
        code = _dscp(name, has_signalling=signalling)
        classes.append(_wanted(name, Kind.DSCP, code, share, assumed=False))
    if dlsw or of_dlsw is not None:
        share = of_dlsw or _Share(DLSW_PERCENT)
        classes.append(_wanted(_DLSW, Kind.DLSW, "", share, of_dlsw is None))
    return tuple(classes)


def _stated(data: Sequence[str]) -> dict[str, _Share]:
    stated: dict[str, _Share] = {}
    for text in data:
        name, equals, value = text.partition("=")
        share = _SHARE.fullmatch(value.strip())
        if not equals or share is None or not 0 < decimal(share[1]) <= _WHOLE_PERCENT:
            raise DemandError(
                f"--data {text}: write CODE=PERCENT, like af21=30%, or with the budget of its "
                "queue, af21=30%:300ms"
            )
        key = name.strip().lower()
        if key in stated:
            raise DemandError(f"--data: {key} is stated twice")
        if share[2] is not None and not int(share[2]):
            raise DemandError(f"--data {text}: a budget of 0 ms leaves no queue")
        stated[key] = _Share(decimal(share[1]), None if share[2] is None else float(share[2]))
    return stated


def _wanted(key: str, kind: Kind, dscp: str, share: _Share, assumed: bool) -> Wanted:
    return Wanted(key, kind, dscp, share.percent, assumed, share.budget_ms)


def _dscp(name: str, *, has_signalling: bool) -> str:
    code = dscp_code(name)
    taken = {"ef": "voice", "default": "class-default"}
    if has_signalling:
        taken["cs3"] = "the class of --signalling"
    if code is None or not name.isalnum():
        raise DemandError(f"--data {name}: no DSCP; it takes names like af21, cs3, or dlsw")
    owner = taken.get(name) or ("voice" if code == _EF else None)
    if owner is not None or code == 0:
        raise DemandError(f"--data {name}: is of {owner or 'class-default'}")
    return name
