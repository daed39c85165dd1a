"""What an inventory may say of a device, by its type: no plugin and no YAML file checks it."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from advisor.collect.hosts import LARGEST_PORT, InventoryError


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_port(value: object) -> bool:
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return 0 < value <= LARGEST_PORT


def _is_list_of_names(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_mapping(value: object) -> bool:
    return isinstance(value, dict)


def _is_mapping_of_mappings(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_mapping, value.values()))


_TEXT: Final = (_is_text, "text; put a number between quotes")
_ADDRESS: Final = MappingProxyType(
    {
        "hostname": _TEXT,
        "port": (_is_port, f"a whole number from 1 to {LARGEST_PORT}"),
        "username": _TEXT,
        "data": (_is_mapping, "names with a value each"),
    }
)
_Takes = Mapping[str, tuple[Callable[[Any], bool], str]]
OF_A_HOST: Final[_Takes] = _ADDRESS
OF_A_FILE: Final[_Takes] = MappingProxyType(
    {
        **_ADDRESS,
        "groups": (_is_list_of_names, "a list of names"),
        "connection_options": (_is_mapping_of_mappings, "ways to connect with options each"),
    }
)


def refuse_wrong_types(place: str, values: Mapping[str, object], takes: _Takes) -> None:
    """Refuse values of a type that their key does not take; the value itself is not repeated.

    Parameters
    ----------
    where
        File, and the device or group, for the error.
    said
        What is said of the device or group, by key; None says nothing.
    takes
        What each key takes: `OF_A_FILE`, or `OF_A_HOST` of what a plugin made.

    Raises
    ------
    InventoryError
        If a value is of another type.
    """
    for key, (fits, words) in takes.items():
        value = values.get(key)
        if value is not None and not fits(value):
            raise InventoryError(f"{place}: {key} takes {words}")
