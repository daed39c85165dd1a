"""A value and the line that states it."""

from typing import Generic, TypeVar

from msgspec import Struct

from advisor.ios.syntax.tree import Location

T_co = TypeVar("T_co", covariant=True)


class Stated(Struct, Generic[T_co], frozen=True):
    """A setting in the config; a missing setting is `None`, not a default."""

    value: T_co
    at: Location
