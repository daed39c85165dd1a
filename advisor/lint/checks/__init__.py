"""Checks by name: the file `<family>/<name>.py` holds `CHECK`, and a card asks for it.

A family is a folder. What its rules share stands in its folder `shared`, which holds no rule.
"""

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Final

from advisor.faults import AdvisorError
from advisor.lint.checks.base import AnyCheck, Check


class CheckError(AdvisorError):
    """A file does not hold the check that its name promises; the message names the file."""


class Checks(Mapping[str, AnyCheck]):
    """The checks of a package, each imported when it is asked for by its name.

    Parameters
    ----------
    package
        Name of the package whose subpackages are the families.
    path
        Its folders, or places in a zip file: `__path__` of the package.

    Raises
    ------
    CheckError
        On the first use if two files have one name; on a look-up if the file holds no `CHECK`.
    """

    def __init__(self, package: str, path: Iterable[str]) -> None:
        self._package = package
        self._path = tuple(path)

    def __getitem__(self, name: str) -> AnyCheck:
        module = import_module(self._modules[name])
        check = getattr(module, "CHECK", None)
        if not isinstance(check, Check):
            raise CheckError(f"{module.__file__}: holds no CHECK, the check of a rule")
        return check

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    @cached_property
    def _modules(self) -> Mapping[str, str]:
        """Module of each check; nothing is imported to find it."""
        modules: dict[str, str] = {}
        for family in self._modules_in(""):
            for file in self._modules_in(f"/{family}", packages=False):
                name, module = file.replace("_", "-"), f"{self._package}.{family}.{file}"
                if name in modules:
                    raise CheckError(f"{module}: {modules[name]} has the name {name} already")
                modules[name] = module
        return modules

    def _modules_in(self, folder: str, *, packages: bool = True) -> Iterator[str]:
        places = [f"{place}{folder}" for place in self._path]
        return (module.name for module in pkgutil.iter_modules(places) if module.ispkg is packages)


CHECKS: Final = Checks(__name__, __path__)
