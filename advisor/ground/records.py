"""Records made of other records, by the names that their fields share."""

from typing import Any, TypeVar

from msgspec import Struct

_Record = TypeVar("_Record", bound=Struct)
_NOWHERE = object()


def picked(kind: type[_Record], /, *sources: object, **others: Any) -> _Record:  # noqa: ANN401
    """Make a record of fields that are given, and of what the sources call alike.

    The first source that has a name gives its value; a field that none has keeps its default.

    Examples
    --------
    >>> from advisor.ground.quantity import Figure, point
    >>> picked(Figure, point(2.0, "ms"), high=3.0)
    Figure(value=2.0, low=2.0, high=3.0, unit='ms', bound=None, contested=False)
    """
    values = dict(others)
    for name in kind.__struct_fields__:
        for source in sources if name not in values else ():
            value = getattr(source, name, _NOWHERE)
            if value is not _NOWHERE:
                values[name] = value
                break
    return kind(**values)
