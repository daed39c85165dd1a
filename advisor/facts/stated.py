"""A value and the line that states it."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from advisor.ios.tree import Location

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Stated(Generic[T_co]):
    """A setting that is in the config; what is not there is `None`, not a default."""

    value: T_co
    at: Location
