"""Inventories to targets: Nornir's (YAML folders, a config with any plugin), or a plain list."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from advisor.collect.hosts import (
    LARGEST_PORT,
    SSH_PORT,
    InventoryError,
    Target,
    filtered,
    refuse_doubles,
    target_of,
)
from advisor.collect.transport import SshProfile
from advisor.ground.data import DEEPEST, HIDDEN, DataError, read_text, shown_key

if TYPE_CHECKING:
    from nornir.core.inventory import Host, Inventory


# Keys of a device in an inventory, by their type: no plugin and no YAML file checks it.


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
    place
        File, and the device or group, for the error.
    values
        Values of the device or group, by key; None says nothing.
    takes
        What each key takes: `OF_A_FILE` in a file, `OF_A_HOST` from a plugin.

    Raises
    ------
    InventoryError
        If a value is of another type.
    """
    for key, (fits, words) in takes.items():
        value = values.get(key)
        if value is not None and not fits(value):
            raise InventoryError(f"{place}: {key} takes {words}")


_YAML: Final = (".yaml", ".yml")
_HOSTS, _GROUPS, _DEFAULTS = "hosts.yaml", "groups.yaml", "defaults.yaml"
_PROFILE_KEY: Final = "ssh_profile"
_BRACKETS: Final = re.compile(r"[\[\]{}]")
_MOST_WAYS: Final = 1000  # from a group to those around it; an inventory by site and role has ten


def targets_of(
    hosts: Sequence[str],
    inventory: Path | None,
    conditions: Sequence[str],
    profile: SshProfile | None,
) -> tuple[Target, ...]:
    """Read the devices of the command line and of an inventory.

    Parameters
    ----------
    hosts
        HOST or HOST:PORT each.
    inventory
        A folder with `hosts.yaml` (and `groups.yaml`, `defaults.yaml`), such a hosts file itself,
        a Nornir configuration with an `inventory` section, or a text file with a host a line.
    conditions
        KEY=VALUE each; see `filtered`.
    profile
        The SSH profile of all; None leaves it to `ssh_profile` in the data of the inventory.

    Raises
    ------
    InventoryError
        If something cannot be read, or no device is left.
    """
    targets = [target_of(host, profile or SshProfile.MODERN) for host in hosts]
    if inventory is not None:
        targets += _read(inventory, profile)
    if not targets:
        raise InventoryError("no device: name a HOST, or an --inventory that holds one")
    return refuse_doubles(filtered(targets, conditions))


def _read(path: Path, profile: SshProfile | None) -> Iterator[Target]:
    if path.is_dir():
        if not (path / _HOSTS).is_file():
            raise InventoryError(f"{path}: holds no {_HOSTS}")
        return _targets(_simple(path / _HOSTS), path, profile)
    if not path.is_file():
        raise InventoryError(f"{path}: no such file or folder")
    if path.suffix not in _YAML:
        return _listed(path, profile)
    if _is_nornir_config(path):
        return _targets(_by_plugin(path), path, profile)
    return _targets(_simple(path), path, profile)


def _listed(path: Path, profile: SshProfile | None) -> Iterator[Target]:
    """A host a line; `#` begins a comment."""
    for number, line in enumerate(_text(path).splitlines(), start=1):
        host = line.partition("#")[0].strip()
        if not host:
            continue
        try:
            yield target_of(host, profile or SshProfile.MODERN)
        except InventoryError as error:
            raise InventoryError(f"{path}:{number}: {error}") from None


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except DataError as error:
        raise InventoryError(str(error)) from None


def _is_nornir_config(path: Path) -> bool:
    """A Nornir configuration has a section `inventory` that says which plugin or options."""
    content = _yaml(path)
    section = content.get("inventory") if isinstance(content, dict) else None
    return isinstance(section, dict) and not {"plugin", "options"}.isdisjoint(section)


def _yaml(path: Path) -> object:
    """Content of a YAML file: what its author made of it, of any shape."""
    from ruamel.yaml import YAML  # noqa: PLC0415 -- with an inventory alone
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    text = _text(path)
    if _deepest(text) > DEEPEST:  # the parser needs seconds to find out
        raise InventoryError(f"{path}: a value is nested too deeply")
    try:
        content: object = YAML(typ="safe").load(text)
    except YAMLError as error:
        raise InventoryError(f"{path}: {_yaml_words(error)}") from None
    except (ValueError, RecursionError):
        reason = "a value has too many digits or is nested too deeply"
        raise InventoryError(f"{path}: {reason}") from None
    return content


def _deepest(text: str) -> int:
    """Most brackets that are open at once."""
    depth = deepest = 0
    for bracket in _BRACKETS.findall(text):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _yaml_words(error: Exception) -> str:
    """The place of the mistake in a YAML file.

    Neither the line nor the words of the error, which quote it, are repeated: it may hold a
    password.
    """
    from ruamel.yaml.constructor import DuplicateKeyError  # noqa: PLC0415 -- as above

    mark = getattr(error, "problem_mark", None)
    line = f"line {mark.line + 1}: " if mark is not None else ""
    return (
        f"{line}a key is given twice" if isinstance(error, DuplicateKeyError) else f"{line}not YAML"
    )


def _simple(hosts: Path) -> "Inventory":
    from nornir.plugins.inventory.simple import SimpleInventory  # noqa: PLC0415

    folder = hosts.parent
    for file in (hosts, folder / _GROUPS, folder / _DEFAULTS):
        if file.exists():
            _refuse_what_is_no_inventory(file)
    plugin = SimpleInventory(str(hosts), str(folder / _GROUPS), str(folder / _DEFAULTS))
    return _loaded(plugin.load, hosts)


def _refuse_what_is_no_inventory(path: Path) -> None:
    content = _yaml(path)
    if content is None:
        return
    if not isinstance(content, dict):
        raise InventoryError(f"{path}: must be a table of names, each with its data")
    if path.name == _DEFAULTS:
        refuse_wrong_types(str(path), content, OF_A_FILE)
        return
    for name, value in content.items():
        place = f"{path}: {shown_key(str(name), HIDDEN)}"
        if not isinstance(value, dict):
            raise InventoryError(f"{place}: takes hostname, port, groups, data, …")
        refuse_wrong_types(place, value, OF_A_FILE)


def _by_plugin(path: Path) -> "Inventory":
    """Whatever inventory a Nornir configuration names; Nornir's own log file is not written."""
    from nornir.core.configuration import Config  # noqa: PLC0415
    from nornir.init_nornir import load_inventory  # noqa: PLC0415

    def load() -> "Inventory":
        # Paths in such a file are relative to it, whatever folder the tool is called from.
        folder = Path.cwd()
        os.chdir(path.parent)
        try:
            return load_inventory(Config.from_file(path.name))
        finally:
            os.chdir(folder)

    return _loaded(load, path)


def _loaded(load: Any, path: Path) -> "Inventory":  # noqa: ANN401 -- plugins have no common type
    """Load; a plugin may raise any error, and only its kind is safe to print."""
    try:
        inventory: Inventory = load()
    except KeyError as error:
        group = shown_key(str(error.args[0]) if error.args else "", HIDDEN)
        raise InventoryError(f"{path}: no group {group!r} is defined") from None
    except _plugin_errors() as error:
        raise InventoryError(f"{path}: {error}; is its extra installed?") from None
    except Exception as error:  # noqa: BLE001 -- the code of others, whose errors have no common type
        raise InventoryError(
            f"{path}: its inventory plugin failed with {_kind(error)}: check its options, and what"
            " it reads from"
        ) from None
    return inventory


def _kind(error: Exception) -> str:
    """The kind of an error; what it says may quote a token or a password."""
    return f"{type(error).__module__}.{type(error).__name__}".removeprefix("builtins.")


def _plugin_errors() -> tuple[type[Exception], ...]:
    from nornir.core.exceptions import PluginNotRegistered  # noqa: PLC0415

    return (PluginNotRegistered,)


def _targets(inventory: "Inventory", path: Path, profile: SshProfile | None) -> Iterator[Target]:
    _refuse_endless_groups(inventory, path)
    parts = {"defaults": inventory.defaults, **inventory.groups, **inventory.hosts}
    for name, part in parts.items():
        values = {key: getattr(part, key, None) for key in OF_A_HOST}
        refuse_wrong_types(f"{path}: {shown_key(str(name), HIDDEN)}", values, OF_A_HOST)
    for name, host in inventory.hosts.items():
        yield _target(str(name), host, path, profile)


def _refuse_endless_groups(inventory: "Inventory", path: Path) -> None:
    """Refuse groups that are in themselves, and those that Nornir would follow for hours.

    It follows every way from a group to the groups around it, not every group once.
    """
    parents_of = {
        name: [parent.name for parent in group.groups] for name, group in inventory.groups.items()
    }
    ways: dict[str, int] = {}
    try:
        for name in TopologicalSorter(parents_of).static_order():
            ways[name] = 1 + sum(ways[parent] for parent in parents_of[name])
            if ways[name] > _MOST_WAYS:
                reason = f"has more than {_MOST_WAYS} ways through its groups"
                raise InventoryError(f"{path}: {name}: {reason}")
    except CycleError as error:
        raise InventoryError(f"{path}: {error.args[1][0]}: is a group of itself") from None


def _target(name: str, host: "Host", path: Path, profile: SshProfile | None) -> Target:
    values = host.extended_data()
    labels = [(str(key), str(value)) for key, value in values.items() if _is_plain(value)]
    labels += (("group", group.name) for group in host.extended_groups())
    try:
        place = _place(name, host)
        return Target(
            name,
            place.address,
            place.port,
            host.username or None,
            profile or SshProfile(values.get(_PROFILE_KEY, SshProfile.MODERN)),
            tuple(labels),
            _has_password(host),
        )
    except InventoryError as error:
        raise InventoryError(f"{path}: {shown_key(name, HIDDEN)}: {error}") from None
    except ValueError:
        origin = f"{path}: {shown_key(name, HIDDEN)}"
        raise InventoryError(f"{origin}: {_PROFILE_KEY} is modern or legacy") from None


def _place(name: str, host: "Host") -> Target:
    """Address and port: of `hostname`, which may name both, and of `port`.

    Raises
    ------
    InventoryError
        If there is no name, or `hostname` names another port.
    """
    if not name.strip():
        raise InventoryError("a device has a name")
    hostname = host.hostname or name
    place = target_of(
        f"[{hostname}]" if hostname.count(":") > 1 and "[" not in hostname else hostname
    )
    if host.port is None:
        return place
    if place.port not in (SSH_PORT, host.port):
        raise InventoryError(f"`hostname` names port {place.port}, `port` is {host.port}")
    return replace(place, port=host.port)


def _has_password(host: "Host") -> bool:
    """Whether the inventory holds a password of a device: its own, a group's or all devices'."""
    return bool(host.password) or any(
        option.password for option in host.connection_options.values()
    )


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float | bool)
