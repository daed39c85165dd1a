"""Read the import statements of a package's modules from their text, without importing any."""

import ast
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from msgspec import Struct

_SUFFIX = ".py"
_INIT = "/__init__"


class Import(Struct, frozen=True):
    """One module named by one import statement; `target` is the deepest module that exists."""

    file: str
    line: int
    module: str
    target: str


def module_name(path: str) -> str:
    """Dotted name of the module in a file.

    >>> module_name("advisor/ios/__init__.py"), module_name("advisor/ground/units.py")
    ('advisor.ios', 'advisor.ground.units')
    """
    return path.removesuffix(_SUFFIX).removesuffix(_INIT).replace("/", ".")


def imports_of(
    sources: Mapping[str, str], externals: AbstractSet[str] = frozenset()
) -> tuple[tuple[str, ...], tuple[Import, ...]]:
    """Modules of the sources, and every import of one of them, or of `externals`, by another.

    Parameters
    ----------
    sources : mapping of str to str
        Text of each module by its path, "advisor/ios/syntax/reader.py".
    """
    modules = {module_name(path) for path in sources} | externals
    imports = []
    for path, text in sources.items():
        module = module_name(path)
        base = module if path.endswith(f"{_INIT}{_SUFFIX}") else module.rpartition(".")[0]
        for line, name in _named(ast.parse(text, path), base):
            target = _deepest(name, modules)
            if target is not None and target != module:
                imports.append(Import(path, line, module, target))
    return tuple(sorted(modules)), tuple(dict.fromkeys(imports))


def _deepest(name: str, modules: set[str]) -> str | None:
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name or None


def _named(tree: ast.Module, base: str) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything that a module imports, wherever the statement stands."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                yield from ((node.lineno, alias.name) for alias in aliases)
            case ast.ImportFrom(names=aliases):
                package = _absolute(node, base)
                yield from ((node.lineno, f"{package}.{alias.name}") for alias in aliases)
            case ast.Call(args=[argument, *_]) if _is_import_module(node.func):
                yield from ((node.lineno, name) for name in _literal(argument))


def _absolute(node: ast.ImportFrom, base: str) -> str:
    if not node.level:
        return node.module or ""
    parts = base.split(".")
    package = ".".join(parts[: len(parts) - (node.level - 1)])
    return f"{package}.{node.module}" if node.module else package


def _is_import_module(function: ast.expr) -> bool:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in {"import_module", "__import__"}
    return False


def _literal(argument: ast.expr) -> Iterator[str]:
    """The name as far as it is literal: of "advisor.lint.checks.{family}" the package."""
    match argument:
        case ast.Constant(value=str(name)):
            yield name
        case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]):
            yield start.rpartition(".")[0]
