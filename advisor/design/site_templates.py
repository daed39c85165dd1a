"""Templates of a site: they replace those of a designed edge, in Jinja2's sandbox."""

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import asdict

from advisor.assets import asset_dir
from advisor.lint.site import TemplateFaultError, filled, printable_lines, sandbox

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

_OURS: Final = "design"  # the folder of our templates that a site replaces


def checked_folder(folder: Path) -> Path:
    """A folder whose templates replace some of ours; every one of them compiles.

    Raises
    ------
    TemplateFaultError
        If it is no folder, replaces nothing, or one of its templates is not Jinja2.
    """
    if not folder.is_dir():
        raise TemplateFaultError(f"--templates {folder}: is no folder")
    ours = asset_dir("templates") / _OURS
    names = sorted(path.relative_to(ours).as_posix() for path in ours.rglob("edge*/*.j2"))
    names = ["edge.j2", *names]
    if not any((folder / name).is_file() for name in names):
        raise TemplateFaultError(
            f"--templates {folder}: has none of the templates that it may replace: "
            f"{', '.join(names)}"
        )
    for path in sorted(folder.rglob("*.j2")):
        name = path.relative_to(folder).as_posix()
        filled(partial(_environment(folder).get_template, f"{_OURS}/{name}"), str(path))
    return folder


def site_commands(folder: Path, template: str, values: Struct) -> tuple[str, ...]:
    """Commands of a template as `remedies.commands` makes them; those of the site come first.

    Raises
    ------
    TemplateFaultError
        If a template names a field that the struct lacks, does what the sandbox forbids, or fails.
    UnsafeValueError
        If a value is not safe in a snippet.
    """
    fields, place = asdict(values), f"--templates {folder}"
    text = filled(lambda: _environment(folder).get_template(template).render(fields), place)
    return printable_lines(text, place)


@cache
def _environment(folder: Path) -> "SandboxedEnvironment":
    from jinja2 import FileSystemLoader, PrefixLoader  # noqa: PLC0415

    return sandbox(PrefixLoader({_OURS: FileSystemLoader(folder)}))
