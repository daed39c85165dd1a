"""Numbers with their source, and the type that replaces an unknown number."""

from enum import StrEnum

from msgspec import Struct


class Basis(StrEnum):
    """Where a number comes from, best first."""

    MEASURED = "measured"
    CONFIGURED = "configured"  # the config, settings or the user's traffic file state it
    DEFAULT = "default"  # a sourced table of IOS defaults
    ASSUMED = "assumed"


class RateKind(StrEnum):
    """The statement that gives a rate: decisions read this, `source` is only for a reader."""

    CLOCK_RATE = "clock rate"
    TIMESLOTS = "timeslots"
    SPEED = "speed"
    PORT = "port"
    PVC = "PVC"
    BANDWIDTH_LABEL = "bandwidth label"  # the interface `bandwidth`: the line may have another rate
    MEMBERS = "members of a bundle"
    SHAPER = "shaper"
    MOVED = "moved"  # by `--set`, a sweep or a path
    MEASURED = "measured"  # an average over IOS's own interval
    GUARANTEE = "guarantee"  # `bandwidth` of a class in kb/s
    PART_OF_BASE = "part of a base"  # `bandwidth percent` and the like
    CLASS_SHAPER = "shaper of a class"
    REMAINDER = "remainder"  # the rate that the guarantees of other classes leave


class Unknown(Struct, frozen=True):
    """A quantity that is not known, and why. The reason is for a reader, never for a decision."""

    reason: str


class Input(Struct, frozen=True):
    """One input of a prediction. `name` ends in its unit; low = value = high if it is exact.

    `kind` is set for rates and for values that are computed from a measured rate.
    """

    name: str
    value: float
    low: float
    high: float
    basis: Basis
    source: str
    kind: RateKind | None = None

    @property
    def is_label(self) -> bool:
        """Whether the only source of a rate is the interface `bandwidth`."""
        return self.kind is RateKind.BANDWIDTH_LABEL


def exact(
    name: str, value: float, basis: Basis, source: str, kind: RateKind | None = None
) -> Input:
    """An input without uncertainty."""
    return Input(name, value, value, value, basis, source, kind)


class Figure(Struct, frozen=True):
    """A predicted number: value (the mean, for a delay), interval, and bound where it has one."""

    value: float
    low: float
    high: float
    unit: str
    bound: float | None = None
