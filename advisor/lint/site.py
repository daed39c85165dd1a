"""Templates of a site, in Jinja2's sandbox: they fill own rules and replace some of ours."""

import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from advisor.assets import asset_dir
from advisor.faults import AdvisorError
from advisor.lint.remedies import UnsafeValueError, guarded

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Template
    from jinja2.sandbox import SandboxedEnvironment

FOLDER: Final = "templates"
HEADER: Final = "snippet/header.j2"
_REMEDIES: Final = "remedy/"
_MOST_CHARACTERS: Final = 1_000_000  # of a filled template: more are those of one without an end
_OURS_ALONE: Final = "remedy/shared/"  # parts of several templates, with a meaning in the proof


class TemplateFaultError(AdvisorError):
    """A template of a site that cannot be filled: file, line, and what is wrong."""


class SiteTemplate(Struct, frozen=True):
    """The text of a template, its name among ours, and its file."""

    name: str
    file: str
    text: str


class Site(Struct, frozen=True):
    """The templates of a site, and what its header may name; a worker needs no file of them."""

    templates: tuple[SiteTemplate, ...] = ()
    words: tuple[tuple[str, str], ...] = ()

    def has(self, name: str) -> bool:
        """Whether the site has a template of this name."""
        return any(template.name == name for template in self.templates)


def templates_of(folder: Path, own: frozenset[str]) -> Iterator[SiteTemplate]:
    """The templates in `templates/` of a folder; each of them compiles.

    Parameters
    ----------
    folder
        A folder of rules.
    own
        Names of remedies that its cards ask for, like "cdp.j2".

    Raises
    ------
    TemplateFaultError
        If a template replaces none of ours and no card asks for it, or is not Jinja2.
    """
    root, ours = folder / FOLDER, asset_dir(FOLDER)
    for path in sorted(root.rglob("*.j2")):
        name = path.relative_to(root).as_posix()
        is_remedy = name.startswith(_REMEDIES) and not name.startswith(_OURS_ALONE)
        is_asked_for = name.removeprefix(_REMEDIES) in own or (ours / name).is_file()
        if name != HEADER and not (is_remedy and is_asked_for):
            raise TemplateFaultError(
                f"{path}: no card asks for it, and it replaces none of ours: a template is "
                f"{FOLDER}/{_REMEDIES}NAME.j2 of a remedy, or {FOLDER}/{HEADER}"
            )
        try:
            template = SiteTemplate(name, str(path), path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise TemplateFaultError(f"{path}: cannot be read: {error}") from error
        yield template


def checked(site: Site) -> Site:
    """The site, when every one of its templates compiles.

    Raises
    ------
    TemplateFaultError
        If one does not.
    """
    for template in site.templates:
        filled(partial(_template, site, template.name), template.file)
    return site


def _template(site: Site, name: str) -> "Template":
    return _environment(site).get_template(name)


def _text(template: "Template", values: Mapping[str, object]) -> str:
    parts: list[str] = []
    room = _MOST_CHARACTERS
    for part in template.generate(values):
        parts.append(part)
        room -= len(part)
        if room < 0:
            raise ValueError(f"makes more than {_MOST_CHARACTERS} characters")
    return "".join(parts)


def site_commands(site: Site, template: str, values: Struct) -> tuple[str, ...]:
    """Commands of a template as `remedies.commands` makes them; those of the site come first.

    Raises
    ------
    TemplateFaultError
        If a template names a field that the struct lacks, does what the sandbox forbids, or fails.
    UnsafeValueError
        If a value is not safe in a snippet.
    """
    fields = asdict(values)
    text = filled(lambda: _text(_template(site, template), fields), template)
    return printable_lines(text, template)


def header_lines(site: Site, device: str, rules: tuple[str, ...]) -> tuple[str, ...]:
    """The header that a site puts before the lines of a device; each line is a comment of IOS.

    Raises
    ------
    TemplateFaultError
        If the template cannot be filled, a value is not safe there, or a line is no comment.
    """
    if not site.has(HEADER):
        return ()
    values = {**dict(site.words), "device": device, "rules": rules}
    try:
        text = filled(lambda: _text(_template(site, HEADER), values), HEADER)
    except UnsafeValueError as error:
        raise TemplateFaultError(f"{HEADER}: {error}") from error
    lines = printable_lines(text, HEADER)
    for line in lines:
        if not line.startswith("!"):
            raise TemplateFaultError(f"{HEADER}: {line!r} is no comment: begin it with !")
    return lines


def printable_lines(text: str, template: str) -> tuple[str, ...]:
    """Lines of a filled template.

    Raises
    ------
    TemplateFaultError
        If one holds a control character.
    """
    lines = tuple(line.rstrip() for line in text.split("\n") if line.strip())
    if not all(line.isprintable() for line in lines):
        raise TemplateFaultError(f"{template}: makes a line with control characters")
    return lines


def filled(make: Callable[[], Any], place: str) -> Any:  # noqa: ANN401 -- a template or a text
    """What a template gives.

    Raises
    ------
    TemplateFaultError
        If it fails: with the last line of a template that it went through, else with `place`.
    """
    try:
        return make()
    except UnsafeValueError:  # a value of the config, which no template mends
        raise
    except AdvisorError:
        raise
    except Exception as error:  # whatever the template of a user raises
        raise _fault(place, error) from error


def sandbox(loader: "BaseLoader") -> "SandboxedEnvironment":
    """An environment for templates that are not ours; ours stand behind those of the loader."""
    from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined  # noqa: PLC0415
    from jinja2.runtime import Context  # noqa: PLC0415
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    class Bounded(ImmutableSandboxedEnvironment):
        """Jinja2's sandbox, where no product or power makes a value of any size."""

        intercepted_binops = frozenset(("*", "**"))

        def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:  # noqa: ANN401
            if operator == "**" or _length(left, right) > _MOST_CHARACTERS:
                raise ValueError("a product or a power makes too much")
            return super().call_binop(context, operator, left, right)

    return Bounded(
        loader=ChoiceLoader([loader, FileSystemLoader(asset_dir(FOLDER))]),
        undefined=StrictUndefined,
        autoescape=False,
        finalize=guarded,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _length(left: object, right: object) -> int:
    """Length of what a product of a text or a tuple and a number makes; 0 of other products."""
    for many, times in ((left, right), (right, left)):
        if isinstance(many, str | list | tuple) and isinstance(times, int):
            return len(many) * times
    return 0


@cache
def _environment(site: Site) -> "SandboxedEnvironment":
    from jinja2 import FunctionLoader  # noqa: PLC0415

    by_name = {each.name: (each.text, each.file, lambda: True) for each in site.templates}
    return sandbox(FunctionLoader(by_name.get))


def _fault(place: str, error: Exception) -> TemplateFaultError:
    frames = [each for each in traceback.extract_tb(error.__traceback__) if _is_template(each)]
    file = getattr(error, "filename", None) or (frames[-1].filename if frames else place)
    line = getattr(error, "lineno", None) or (frames[-1].lineno if frames else None)
    return TemplateFaultError(f"{file}: {error}" if line is None else f"{file}:{line}: {error}")


def _is_template(frame: traceback.FrameSummary) -> bool:
    return frame.filename.endswith(".j2")
