"""Inventories that a plugin of Nornir reads: NetBox, Ansible and others; with named errors."""

import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from advisor.collect.hosts import InventoryError
from advisor.ground.data import HIDDEN, shown_key

if TYPE_CHECKING:
    from nornir.core.configuration import Config
    from nornir.core.inventory import Host, Inventory

ANSIBLE: Final = "AnsibleInventory"
_NETBOX: Final = "NetBoxInventory2"
_HOSTS_FILE: Final = "hostsfile"
_TEMPLATE: Final = "{{"
_VAULT: Final = "$ANSIBLE_VAULT"
# `[wan]` or `[wan:vars]`, which is no address in brackets, or a variable of a host.
_OF_ANSIBLE: Final = re.compile(
    r"^(?:\[(?![0-9A-Fa-f.%]*:[0-9A-Fa-f:.%]*\])[\w.:-]{1,200}\][ \t]*$"
    r"|[^#;\n]{1,300}\bansible_\w+=)",
    re.MULTILINE,
)
_TRIED: Final = re.compile(r"\w+: (?:file (.+) does not return|no valid [^:]+: (.+))")
_PARTS_OF_A_GROUP: Final = {"hosts", "children", "vars"}

# Plugin, kind of its error or of one of its bases, and what a person does about it.
_HINTS: Final = (
    ("", "SSLError", "its certificate is not trusted: name the file of the CA as `ssl_verify`"),
    ("", "ConnectionError", "it is not reached: check its address, like `nb_url`"),
    ("", "Timeout", "it does not answer in time"),
    ("", "JSONDecodeError", "it answers with no JSON: check its address, like `nb_url`"),
    (_NETBOX, "ValueError", "NetBox refuses: check `nb_token` and `filter_parameters`"),
    (_NETBOX, "Exception", "NetBox answers with no list of devices: check `nb_url`"),
    (
        *(ANSIBLE, "ValueError"),
        "an INI line holds a value with a blank or `=`: move it to group_vars or host_vars",
    ),
    (
        *(ANSIBLE, "ConstructorError"),
        "a tag of its YAML is not known: only !vault and !unsafe are read over",
    ),
    (
        *(ANSIBLE, "Exception"),
        "write it as INI, each host below a [group], or as YAML with `all` at its top",
    ),
    ("", "Exception", "check its options, and what it reads from"),
)


class Sealed:
    """A value that Ansible Vault encrypts; nothing of it is kept."""


class _TwiceError(Exception):
    """Two devices of an inventory have one name; a plugin would keep the last alone."""


def is_ansible(content: object) -> bool:
    """Whether this is an Ansible inventory: the text of an INI file, or the content of a YAML one.

    >>> is_ansible("[wan]"), is_ansible("r1 ansible_port=2222"), is_ansible("[2001:db8::1]")
    (True, True, False)
    """
    if isinstance(content, str):
        return _OF_ANSIBLE.search(content) is not None
    group = content.get("all") if isinstance(content, dict) else None
    return isinstance(group, dict) and not _PARTS_OF_A_GROUP.isdisjoint(group)


def of_ansible(path: Path) -> "Inventory":
    """Read an Ansible inventory, INI or YAML, with group_vars and host_vars beside it.

    Raises
    ------
    InventoryError
        If it cannot be read.
    """
    return _loaded_by(path, lambda config: config.from_dict(inventory=_ansible_options(path)))


def _ansible_options(path: Path) -> dict[str, Any]:
    return {"plugin": ANSIBLE, "options": {_HOSTS_FILE: path.name}}


def of_config(path: Path) -> "Inventory":
    """Read whatever inventory a Nornir configuration names; Nornir's log file is not written.

    Raises
    ------
    InventoryError
        If it cannot be read.
    """
    return _loaded_by(path, lambda config: config.from_file(path.name))


def _loaded_by(path: Path, made: Callable[[type["Config"]], "Config"]) -> "Inventory":
    from nornir.core.configuration import Config  # noqa: PLC0415 -- with an inventory alone
    from nornir.init_nornir import load_inventory  # noqa: PLC0415

    plugin = ""

    def load() -> "Inventory":
        nonlocal plugin
        config = made(Config)
        plugin = config.inventory.plugin
        if plugin == ANSIBLE:
            _refuse_no_file(Path(config.inventory.options.get(_HOSTS_FILE, "hosts")))
        return load_inventory(config)

    _read_over_vaults()
    # Paths in such a file are relative to it, whatever folder the tool is called from.
    folder = Path.cwd()
    os.chdir(path.parent)
    try:
        with _each_name_once():
            return loaded(load, path, lambda: plugin)
    finally:
        os.chdir(folder)


def _refuse_no_file(hosts: Path) -> None:
    """Refuse a hosts file that is not there: the plugin would take it for an empty one."""
    if not hosts.is_file():
        what = "is a folder: name the file in it" if hosts.is_dir() else "no such file"
        raise InventoryError(f"`{_HOSTS_FILE}` {shown_key(str(hosts), HIDDEN)}: {what}")


def _read_over_vaults() -> None:
    """Let YAML hold what Ansible Vault encrypts: single values, and whole files."""
    from ruamel.yaml.constructor import SafeConstructor  # noqa: PLC0415 -- as above

    def text_of(constructor: Any, node: Any) -> object:  # noqa: ANN401 -- of ruamel, without types
        text = constructor.construct_scalar(node)
        return {} if text.startswith(_VAULT) else text

    SafeConstructor.add_constructor("!vault", lambda *_: Sealed())
    SafeConstructor.add_constructor("!unsafe", text_of)
    SafeConstructor.add_constructor("tag:yaml.org,2002:str", text_of)
    # Without a handler its words would be printed beside the error.
    logging.getLogger("nornir_ansible").addHandler(logging.NullHandler())


@contextmanager
def _each_name_once() -> Iterator[None]:
    """Refuse a second device of a name: in NetBox a name may stand once at each site."""
    from nornir.core.inventory import Hosts  # noqa: PLC0415 -- as above

    def add(hosts: dict[str, "Host"], name: str, host: "Host") -> None:
        if name in hosts:
            raise _TwiceError(name)
        dict.__setitem__(hosts, name, host)

    Hosts.__setitem__ = add  # type: ignore[method-assign]
    try:
        yield
    finally:
        del Hosts.__setitem__


def loaded(
    load: Callable[[], "Inventory"], path: Path, plugin: Callable[[], str] = lambda: ""
) -> "Inventory":
    """Load; a plugin may raise any error, and only its kind is safe to print.

    Raises
    ------
    InventoryError
        For each of them.
    """
    from nornir.core.exceptions import (  # noqa: PLC0415 -- as above
        NornirNoValidInventoryError,
        PluginNotRegistered,
    )

    try:
        return load()
    except InventoryError as error:
        raise InventoryError(f"{path}: {error}") from None
    except _TwiceError as error:
        name = shown_key(str(error), HIDDEN)
        raise InventoryError(
            f"{path}: two devices are called {name!r}: rename one, or read one site at a time,"
            " in NetBox with `filter_parameters: {site: …}`"
        ) from None
    except PluginNotRegistered as error:
        raise InventoryError(
            f"{path}: {error}; is its extra installed? `pip install 'ios-advisor[netbox]'` or"
            " `[ansible]`"
        ) from None
    except NornirNoValidInventoryError as error:
        named = _TRIED.match(str(error))
        file = Path(named[1] or named[2] if named else path).name
        raise InventoryError(
            f"{path}: {shown_key(file, HIDDEN)}: is no table of YAML, and no INI"
        ) from None
    except KeyError as error:
        if not plugin():
            group = shown_key(str(error.args[0]) if error.args else "", HIDDEN)
            raise InventoryError(f"{path}: no group {group!r} is defined") from None
        raise _named(error, path, plugin()) from None
    except Exception as error:  # noqa: BLE001 -- the code of others, whose errors have no common type
        raise _named(error, path, plugin()) from None


def _named(error: Exception, path: Path, plugin: str) -> InventoryError:
    """An error by its kind; what it says may quote a token or a password."""
    kind = f"{type(error).__module__}.{type(error).__name__}".removeprefix("builtins.")
    kinds = {base.__name__ for base in type(error).__mro__}
    hint = next(words for owner, name, words in _HINTS if owner in ("", plugin) and name in kinds)
    return InventoryError(f"{path}: its inventory plugin failed with {kind}: {hint}")


# What NetBox and Ansible say of a device where Nornir has no field of its own.

_NESTED: Final = ("custom_fields", "config_context", "local_context_data")


def stated(values: Mapping[str, object], *keys: str) -> object:
    """The first of these keys in the data of a host, or in custom fields and contexts of NetBox."""
    tables = (values, *(values.get(name) for name in _NESTED))
    return next(
        (
            table[key]
            for key in keys
            for table in tables
            if isinstance(table, dict) and table.get(key) is not None
        ),
        None,
    )


def labels_of(values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Plain values, for filters; of an object of NetBox, as a site or a tag, its slug."""
    for key, value in values.items():
        if key in _NESTED and isinstance(value, dict):
            yield from labels_of(value)
        for item in value if isinstance(value, list) else (value,):
            plain = item.get("slug", item.get("value")) if isinstance(item, dict) else item
            if isinstance(plain, str | int | float | bool):
                yield str(key), str(plain)


def in_the_clear(value: object) -> object:
    """A value; None where it is a template or encrypted, which nothing here evaluates."""
    is_template = isinstance(value, str) and _TEMPLATE in value
    return None if is_template or isinstance(value, Sealed) else value


def refuse_unevaluated(place: str, key: str, value: object) -> None:
    """Refuse an address that Ansible would make of a template or decrypt.

    Raises
    ------
    InventoryError
        If it is one; the value is not repeated.
    """
    if value is not None and in_the_clear(value) is None:
        what = "is encrypted" if isinstance(value, Sealed) else "is a template (`{{ … }}`)"
        raise InventoryError(f"{place}: {key} {what}, which is not evaluated: state its value")
