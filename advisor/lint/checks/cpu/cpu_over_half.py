"""A CPU so busy that it delays packets itself: a measurement then says little about the link."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast, ObjectKind
from advisor.quantity import Basis, Figure, exact


class Params(Struct, frozen=True):
    """Budget of the profile: the highest one-minute load at which measurements are useful."""

    cpu_percent: float


class Evidence(Struct, frozen=True):
    """The highest one-minute load seen and the budget."""

    one_minute_percent: int
    cpu_percent: float


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit, for the highest one-minute load seen, if it is over the budget."""
    loads = [load for load in device.seen.cpu if load.one_minute_percent > params.cpu_percent]
    loads.sort(key=lambda load: -load.one_minute_percent)
    if not loads:
        return
    load_percent = loads[0].one_minute_percent
    measured = exact("one_minute_percent", load_percent, Basis.MEASURED, str(loads[0].at))
    yield Hit(
        "processes cpu",
        tuple(load.at for load in loads),
        Evidence(load_percent, params.cpu_percent),
        Confidence.CERTAIN,
        Forecast("cpu", Figure(load_percent, load_percent, load_percent, "%"), None, (measured,)),
    )


CHECK = Check(
    Params,
    Evidence,
    find,
    is_measured=True,
    object_kind=ObjectKind.NAME,
)
