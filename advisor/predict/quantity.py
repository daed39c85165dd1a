"""Numbers that know where they come from."""

from enum import StrEnum

from msgspec import Struct


class Basis(StrEnum):
    """Where a number comes from, best first."""

    MEASURED = "measured"
    CONFIGURED = "configured"  # the config, settings or the user's traffic file state it
    DEFAULT = "default"  # a sourced table of IOS defaults
    ASSUMED = "assumed"


class Input(Struct, frozen=True):
    """One input of a prediction. `name` ends in its unit; low = value = high where it is exact."""

    name: str
    value: float
    low: float
    high: float
    basis: Basis
    source: str


def exact(name: str, value: float, basis: Basis, source: str) -> Input:
    """An input without uncertainty."""
    return Input(name, value, value, value, basis, source)


class Figure(Struct, frozen=True):
    """A predicted number: value (the mean, for a delay), interval, and bound where it has one."""

    value: float
    low: float
    high: float
    unit: str
    bound: float | None = None
