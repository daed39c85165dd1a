"""Inventories to targets: Nornir's (YAML folders, any plugin), Ansible's, or a plain list."""

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
from advisor.collect.plugins import (
    in_the_clear,
    is_ansible,
    labels_of,
    loaded,
    of_ansible,
    of_config,
    refuse_unevaluated,
    stated,
)
from advisor.collect.transport import SshProfile
from advisor.ground.data import DEEPEST, HIDDEN, DataError, read_text, shown_key
from advisor.ground.units import whole

if TYPE_CHECKING:
    from nornir.core.inventory import Host, Inventory


# Keys of a device in an inventory, by their type: no plugin and no YAML file checks it.


_DIGITS: Final = 5


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_port(value: object) -> bool:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _DIGITS:
        value = whole(value)
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
_IN_A_FOLDER: Final = (
    *(_HOSTS, "hosts.yml", "hosts.ini", "hosts", "inventory.yaml", "inventory.yml"),
    *("inventory.ini", "inventory", "config.yaml"),
)
_PROFILE_KEY: Final = "ssh_profile"
_PORT_KEYS: Final = ("ssh_port", "ansible_ssh_port")
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
        a Nornir configuration with an `inventory` section, an Ansible inventory (INI or YAML) or
        its folder, or a text file with a host a line.
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
        held = (path / name for name in _IN_A_FOLDER)
        file = next((file for file in held if file.is_file()), None)
        if file is None:
            raise InventoryError(f"{path}: holds no {_HOSTS}, and no hosts file of Ansible")
        return _read(file, profile)
    if not path.is_file():
        raise InventoryError(f"{path}: no such file or folder")
    if path.suffix not in _YAML:
        text = _text(path)
        if is_ansible(text):
            return _targets(of_ansible(path), path, profile)
        return _listed(path, text, profile)
    content = _yaml(path)
    if _is_nornir_config(content):
        return _targets(of_config(path), path, profile)
    if is_ansible(content):
        return _targets(of_ansible(path), path, profile)
    return _targets(_simple(path), path, profile)


def _listed(path: Path, text: str, profile: SshProfile | None) -> Iterator[Target]:
    """A host a line; `#` begins a comment."""
    for number, line in enumerate(text.splitlines(), start=1):
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


def _is_nornir_config(content: object) -> bool:
    """A Nornir configuration has a section `inventory` that says which plugin or options."""
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
    return loaded(plugin.load, hosts)


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


def _targets(inventory: "Inventory", path: Path, profile: SshProfile | None) -> Iterator[Target]:
    _refuse_endless_groups(inventory, path)
    parts = {"defaults": inventory.defaults, **inventory.groups, **inventory.hosts}
    for name, part in parts.items():
        place = f"{path}: {shown_key(str(name), HIDDEN)}"
        values = {key: getattr(part, key, None) for key in OF_A_HOST}
        values["username"] = in_the_clear(values["username"])
        for key in ("hostname", "port"):
            refuse_unevaluated(place, key, values[key])
        refuse_wrong_types(place, values, OF_A_HOST)
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
    labels = list(labels_of(values))
    labels += (("group", group.name) for group in host.extended_groups())
    try:
        place = _place(name, host, stated(values, *_PORT_KEYS))
        username = in_the_clear(host.username)
        return Target(
            name,
            place.address,
            place.port,
            str(username) if username else None,
            profile or SshProfile(str(stated(values, _PROFILE_KEY) or SshProfile.MODERN)),
            tuple(labels),
            _has_password(host),
        )
    except InventoryError as error:
        raise InventoryError(f"{path}: {shown_key(name, HIDDEN)}: {error}") from None
    except ValueError:
        origin = f"{path}: {shown_key(name, HIDDEN)}"
        raise InventoryError(f"{origin}: {_PROFILE_KEY} is modern or legacy") from None


def _place(name: str, host: "Host", data_port: object) -> Target:
    """Address and port: of `hostname`, which may name both, of `port`, else of the data.

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
    port = data_port if host.port is None else host.port
    if port is None:
        return place
    if not _is_port(port):
        raise InventoryError(f"{_PORT_KEYS[0]} takes a whole number from 1 to {LARGEST_PORT}")
    number = whole(str(port))
    if place.port not in (SSH_PORT, number):
        raise InventoryError(f"`hostname` names port {place.port}, `port` is {number}")
    return replace(place, port=number)


def _has_password(host: "Host") -> bool:
    """Whether the inventory holds a password of a device: its own, a group's or all devices'."""
    return bool(host.password) or any(
        option.password for option in host.connection_options.values()
    )
