"""The usual name of a WAN port, where the design has to choose one.

Derived from configurations: ISR 4000, ASR 1000 and Catalyst 8000 have slot/subslot/port, CSR1000v
and C8000V a number alone, ISR G1 and G2 slot/port on board and three numbers on an interface card.
Recalled, without a source: one number up to the 1700, slot/port on the 2600, 3600 and 3700, and
from slot 1 on the 7200; ISR G2 have no FastEthernet on board.
"""

from re import compile as pattern
from typing import Final

_ONE_NUMBER: Final = pattern(r"(?:8|16|17)\d\d")
_SLOT_PORT: Final = pattern(r"(?:26|36|37)\d\d")
_FROM_SLOT_1: Final = pattern(r"72\d\d")
_GIGABIT_ONLY: Final = pattern(r"(?:19|29|39)\d\d")
_FAST_BPS: Final = 100_000_000
_GIGABIT_BPS: Final = 1_000_000_000
_VIRTUAL: Final = pattern(r"CSR1000V|C8000V")


def usual_card_port(kind: str, platform: str | None) -> str:
    """The first port of an interface card, serial or ATM.

    >>> usual_card_port("Serial", "2621"), usual_card_port("Serial", "2811")
    ('Serial0/0', 'Serial0/0/0')
    >>> usual_card_port("ATM", "877"), usual_card_port("ATM", "7206VXR")
    ('ATM0', 'ATM1/0')
    """
    model = (platform or "").upper()
    if _ONE_NUMBER.match(model):
        return f"{kind}0"
    if _SLOT_PORT.match(model):
        return f"{kind}0/0"
    return f"{kind}1/0" if _FROM_SLOT_1.match(model) else f"{kind}0/0/0"


def usual_ethernet(line_bps: float, platform: str | None, *, is_xe: bool) -> str:
    """The first Ethernet port of a rate.

    >>> usual_ethernet(100e6, "2811", is_xe=False), usual_ethernet(100e6, "2911", is_xe=False)
    ('FastEthernet0/0', 'GigabitEthernet0/0')
    >>> usual_ethernet(1e9, "ISR4331", is_xe=True), usual_ethernet(1e9, "CSR1000V", is_xe=True)
    ('GigabitEthernet0/0/0', 'GigabitEthernet1')
    """
    model = (platform or "").upper()
    if _VIRTUAL.match(model):
        return "GigabitEthernet1"
    kind = "GigabitEthernet" if line_bps <= _GIGABIT_BPS else "TenGigabitEthernet"
    if is_xe:
        return f"{kind}0/0/0"
    is_fast = line_bps <= _FAST_BPS and not _GIGABIT_ONLY.match(model)
    return "FastEthernet0/0" if is_fast else f"{kind}0/0"
