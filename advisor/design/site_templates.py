"""Templates of a site: they replace those of a designed edge, in Jinja2's sandbox."""

import traceback
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import asdict

from advisor.assets import asset_dir
from advisor.faults import AdvisorError
from advisor.lint.remedies import guarded

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

_OURS: Final = "design"  # the folder of our templates that a site replaces


class TemplateFaultError(AdvisorError):
    """A template of a site that cannot be filled: file, line, and what is wrong."""


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
    from jinja2 import TemplateError  # noqa: PLC0415 -- only a site with templates waits for it

    for path in sorted(folder.rglob("*.j2")):
        name = path.relative_to(folder).as_posix()
        try:
            _environment(folder).get_template(f"{_OURS}/{name}")
        except (TemplateError, UnicodeDecodeError) as error:
            raise _fault(folder, error) from error
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
    from jinja2 import TemplateError  # noqa: PLC0415

    try:
        text = _environment(folder).get_template(template).render(asdict(values))
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise _fault(folder, error) from error
    lines = tuple(line.rstrip() for line in text.split("\n") if line.strip())
    for line in lines:
        if not line.isprintable():
            raise TemplateFaultError(f"--templates {folder}: makes a line with control characters")
    return lines


@cache
def _environment(folder: Path) -> "SandboxedEnvironment":
    from jinja2 import (  # noqa: PLC0415
        ChoiceLoader,
        FileSystemLoader,
        PrefixLoader,
        StrictUndefined,
    )
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    own = PrefixLoader({_OURS: FileSystemLoader(folder)})
    return ImmutableSandboxedEnvironment(
        loader=ChoiceLoader([own, FileSystemLoader(asset_dir("templates"))]),
        undefined=StrictUndefined,
        autoescape=False,
        finalize=guarded,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _fault(folder: Path, error: Exception) -> TemplateFaultError:
    """An error with the last line of a template that it went through."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if _is_template(each)]
    file = getattr(error, "filename", None) or (frames[-1].filename if frames else str(folder))
    line = getattr(error, "lineno", None) or (frames[-1].lineno if frames else None)
    place = file if line is None else f"{file}:{line}"
    return TemplateFaultError(f"--templates: {place}: {error}")


def _is_template(frame: traceback.FrameSummary) -> bool:
    return frame.filename.endswith(".j2")
