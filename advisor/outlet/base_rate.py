"""The rate that IOS takes percentages and admission of, beside the rate of the link.

IOS takes both of the interface `bandwidth`, which is a label that nothing keeps equal to the line.
Source: Cisco IOS QoS command reference, police (percent): for a physical interface "the total
bandwidth is the bandwidth on the physical interface".
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts.interface import Interface
from advisor.facts.stated import Stated
from advisor.outlet.outlet import Outlet
from advisor.quantity import Input, RateKind
from advisor.units import ratio_from_percent

_ROUNDING_PERCENT: Final = 5.0  # 1544 kb/s of a T1 whose timeslots carry 1536; 2000 of 2048
_PORTS: Final = (RateKind.PORT, RateKind.SPEED)


class WrongBase(Struct, frozen=True):
    """An interface `bandwidth` that is not the rate of its link.

    `stated` is the statement, None where IOS takes its own default. `base_bps` is the rate that IOS
    takes, `link` the rate that the line has.
    """

    home: Interface
    stated: Stated[float] | None
    base_bps: float
    link: Input

    @property
    def is_above(self) -> bool:
        """Whether IOS takes more than the line has."""
        return self.base_bps > self.link.value


def base_interface(outlet: Outlet) -> Interface | None:
    """Interface whose `bandwidth` is the base of an output; None where the base is another rate.

    The base of a policy in a shaper is the shaper's rate, that of a PVC its rate, and that of a
    circuit its CIR. A subinterface or tunnel queues only behind a shaper, and the `bandwidth` of a
    Dialer is not that of the line that it dials.
    """
    home = outlet.bundle or outlet.interface
    is_elsewhere = outlet.shaper_bps is not None or outlet.pvc is not None
    if is_elsewhere or outlet.circuit is not None or outlet.session is not None:
        return None
    return None if home.is_subinterface else home


def wrong_base(outlet: Outlet, off_percent: float = _ROUNDING_PERCENT) -> WrongBase | None:
    """The `bandwidth` of an output where it is off the known rate of its link by more than this.

    A `bandwidth` below the port of an Ethernet is no error of the label: it names the rate that a
    provider sells on the port.
    """
    home, link, base_bps = base_interface(outlet), outlet.link, outlet.admission_bps
    if home is None or link is None or link.is_label or base_bps is None:
        return None
    if abs(base_bps - link.value) <= link.value * ratio_from_percent(off_percent):
        return None
    if base_bps < link.value and (link.kind in _PORTS or home.type == "Port-channel"):
        return None
    return WrongBase(home, home.bandwidth_bps, base_bps, link)


def at_link_rate(outlet: Outlet) -> Outlet:
    """The output with percentages and admission of the link, where their base contradicts it.

    A base above the link, as of a shaper above the line, promises what the link does not have.
    """
    link, base_bps = outlet.link, outlet.admission_bps
    if link is None or base_bps is None:
        return outlet
    if wrong_base(outlet) is None and base_bps <= link.value:
        return outlet
    return replace(outlet, admission_bps=link.value)
