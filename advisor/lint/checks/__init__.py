"""Checks by name: a family module holds `find_ring_too_odd`, the check `ring-too-odd`.

A family is a module, or a folder of modules where it holds more than one thought.
"""

import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Final

from advisor.ground.faults import AdvisorError
from advisor.lint.checks.base import AnyCheck, check_of

_CHECK: Final = re.compile(r"^def find_(\w+)\(", re.MULTILINE)


class CheckError(AdvisorError):
    """Two modules hold checks of one name; the message names both."""


class Checks(Mapping[str, AnyCheck]):
    """The checks of a package; a module is imported when one of its checks is asked for.

    A function `measure_ring_too_odd` beside the check is its `measure`.

    Parameters
    ----------
    package
        Name of the package whose modules and subpackages are the families.
    path
        Its folders, or places in a zip file: `__path__` of the package.

    Raises
    ------
    CheckError
        On the first use if two checks have one name.
    """

    def __init__(self, package: str, path: Iterable[str]) -> None:
        self._package = package
        self._path = tuple(path)
        self._made: dict[str, AnyCheck] = {}

    def __getitem__(self, name: str) -> AnyCheck:
        if name not in self._made:
            functions = vars(import_module(self._modules[name]))
            tail = name.replace("-", "_")
            self._made[name] = check_of(functions[f"find_{tail}"], functions.get(f"measure_{tail}"))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    @cached_property
    def _modules(self) -> Mapping[str, str]:
        """Module of each check, by the text of the modules: nothing is imported to find it."""
        modules: dict[str, str] = {}
        for module, text in _texts(self._path, f"{self._package}."):
            for function in _CHECK.findall(text):
                name = function.replace("_", "-")
                if name in modules:
                    raise CheckError(f"{module}: {modules[name]} has the name {name} already")
                modules[name] = module
        return modules


def _texts(path: Iterable[str], prefix: str) -> Iterator[tuple[str, str]]:
    """Name and text of the modules below some places, those of subpackages too."""
    for module in pkgutil.iter_modules(path, prefix):
        found = module.module_finder.find_spec(module.name, None)
        if found is None or found.loader is None:
            continue
        yield module.name, found.loader.get_source(module.name) or ""  # type: ignore[attr-defined]
        if module.ispkg:
            yield from _texts(found.submodule_search_locations or (), f"{module.name}.")


CHECKS: Final = Checks(__name__, __path__)
