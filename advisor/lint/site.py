"""Templates become commands: ours, and those of a site, which replace some of ours."""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from advisor.ground import assets
from advisor.ground.assets import asset_dir, keep, read_kept
from advisor.ground.bounded import entries_below, read_regular
from advisor.ground.faults import AdvisorError
from advisor.lint import sandbox
from advisor.lint.checks.base import Hit
from advisor.lint.sandbox import TemplateAnswer, TemplateSource, UnsafeValueError, guarded
from advisor.lint.template_process import FILLER, SiteAndOurs

if TYPE_CHECKING:
    from jinja2 import Environment


class _TemplateCache:
    """Compiled templates in the user's cache folder, as jinja2 asks for them."""

    def get(self, key: str) -> bytes:
        return read_kept(key) or b""  # which jinja2 takes for nothing

    def set(self, key: str, value: bytes, timeout: int | None = None) -> None:
        del timeout
        keep(key, value)


@cache
def _environment() -> "Environment":
    """The templates of ours as they make commands: every value passes `guarded`."""
    from jinja2 import (  # noqa: PLC0415 -- a clean config waits for no template
        MemcachedBytecodeCache,
        compiler,
    )

    # jinja2 compares the text of the template; its compiler and what is set below decide too.
    makers = (compiler.__file__, __file__, sandbox.__file__, assets.__file__)
    made_by = sha256(b"".join(Path(maker).read_bytes() for maker in makers)).hexdigest()
    kept = MemcachedBytecodeCache(_TemplateCache(), f"template-{made_by}-")
    return assets.environment(is_html=False).overlay(finalize=guarded, bytecode_cache=kept)


def remedy_lines(template: str, hit: Hit[Any]) -> tuple[str, ...]:
    """Commands of a remedy: the template filled with the evidence of a hit; see `commands`."""
    return commands(f"remedy/{template}", hit.evidence)


def commands(template: str, values: Struct) -> tuple[str, ...]:
    """Commands of a template that is filled with the fields of a struct.

    Raises
    ------
    UnsafeValueError
        If a value is not safe in a snippet.
    jinja2.TemplateError
        If the template does not exist or names a field that the struct lacks.
    """
    text = _environment().get_template(template).render(asdict(values))
    return tuple(line.rstrip() for line in text.split("\n") if line.strip())


FOLDER: Final = "templates"
HEADER: Final = "snippet/header.j2"
_REMEDIES: Final = "remedy/"
_SUFFIX: Final = ".j2"
_OURS_ALONE: Final = "remedy/shared/"  # parts of several templates, with a meaning in the proof
_LARGEST_BYTES: Final = 100_000  # of a template: the largest of ours has 2,000
_MOST_TEMPLATES: Final = 500
_MOST_FILES: Final = 10_000  # of a folder of templates
_INCLUDED: Final = re.compile(r'\{%-? *include "([^"]+)"')  # in ours, which a test holds to it


class TemplateFaultError(AdvisorError):
    """A template of a site that cannot be filled: file, line, and what is wrong."""


class TemplateBoundError(AdvisorError):
    """A template of a site that takes too much time or memory, or makes too much: the run ends."""


class SiteTemplate(Struct, frozen=True):
    """The text of a template, its name among ours, and its file."""

    name: str
    file: str
    text: str


class SiteTemplates(Struct, frozen=True):
    """The templates of a site, and what its header may name; a worker needs no file of them."""

    templates: tuple[SiteTemplate, ...] = ()
    words: tuple[tuple[str, str], ...] = ()

    def has(self, name: str) -> bool:
        """Whether the site has a template of this name."""
        return any(template.name == name for template in self.templates)


def templates_of(folder: Path, own: frozenset[str]) -> Iterator[SiteTemplate]:
    """The templates in `templates/` of a folder.

    Parameters
    ----------
    folder
        A folder of rules.
    own
        Names of remedies that its cards ask for, like "cdp.j2".

    Raises
    ------
    TemplateFaultError
        If a template has no built-in counterpart and no card asks for it, or cannot be read.
    """
    ours = asset_dir(FOLDER)
    if (folder / FOLDER).is_symlink():
        raise TemplateFaultError(f"{folder / FOLDER}: is a link, which is not followed")
    for template in read_templates(folder / FOLDER):
        name = template.name
        is_remedy = name.startswith(_REMEDIES) and not name.startswith(_OURS_ALONE)
        is_asked_for = name.removeprefix(_REMEDIES) in own or (ours / name).is_file()
        if name != HEADER and not (is_remedy and is_asked_for):
            raise TemplateFaultError(
                f"{template.file}: no card asks for it, and it replaces no built-in one: a "
                f"template is {FOLDER}/{_REMEDIES}NAME.j2 of a remedy, or {FOLDER}/{HEADER}"
            )
        yield template


def read_templates(root: Path) -> Iterator[SiteTemplate]:
    """The templates below a folder by their names there; none if there is no such folder.

    Raises
    ------
    TemplateFaultError
        If one is no regular file, a link, not UTF-8 or too large, or there are too many.
    """
    if not root.is_dir():
        return
    for path in _files(root):
        try:
            text = read_regular(path, _LARGEST_BYTES, follows_link=False).decode("utf-8")
        except OSError as error:
            raise TemplateFaultError(f"{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            reason = f"is not UTF-8 at byte {error.start}"
            raise TemplateFaultError(f"{path}: cannot be read: {reason}") from error
        yield SiteTemplate(path.relative_to(root).as_posix(), str(path), text)


def _files(root: Path) -> list[Path]:
    """Names of templates below a folder; a link that is not followed is refused, not left out."""
    try:
        entries = list(entries_below(root, _MOST_FILES))
    except OSError as error:
        raise TemplateFaultError(f"{root}: {error.strerror}") from error
    for entry in entries:
        if entry.is_symlink() and entry.is_dir():
            raise TemplateFaultError(f"{entry.path}: is a link, which is not followed")
    files = sorted(Path(entry.path) for entry in entries if entry.name.endswith(_SUFFIX))
    if len(files) > _MOST_TEMPLATES:
        raise TemplateFaultError(f"{root}: holds more than {_MOST_TEMPLATES} templates")
    return files


def checked(site: SiteTemplates) -> SiteTemplates:
    """The site, when every one of its templates compiles.

    Raises
    ------
    TemplateFaultError
        If one does not.
    TemplateBoundError
        If one takes too much for it.
    """
    if site.templates:
        _text(FILLER.loaded(_of_process(site)))
    return site


def site_commands(own: SiteTemplates, template: str, values: Struct) -> tuple[str, ...]:
    """Commands of a template as `remedies.commands` makes them; those of the site come first.

    Raises
    ------
    TemplateFaultError
        If a template names a field that the struct lacks, does what the sandbox forbids, or fails.
    TemplateBoundError
        If it takes too much time or memory, or makes too much.
    UnsafeValueError
        If a value is not safe in a snippet.
    """
    if _is_ours(own, template):
        return commands(template, values)
    return filled_lines(own, template, _fields(values))


def header_lines(site: SiteTemplates, device: str, rules: tuple[str, ...]) -> tuple[str, ...]:
    """The header that a site puts before the lines of a device; each line is a comment of IOS.

    Raises
    ------
    TemplateFaultError
        If the template cannot be filled, a value is not safe there, or a line is no comment.
    TemplateBoundError
        If it takes too much time or memory, or makes too much.
    """
    if not site.has(HEADER):
        return ()
    values = {**dict(site.words), "device": device, "rules": rules}
    try:
        lines = filled_lines(site, HEADER, values)
    except UnsafeValueError as error:
        raise TemplateFaultError(f"{HEADER}: {error}") from error
    for line in lines:
        if not line.startswith("!"):
            raise TemplateFaultError(f"{HEADER}: {line!r} is no comment: begin it with !")
    return lines


def filled_lines(
    site: SiteTemplates, template: str, values: Mapping[str, object]
) -> tuple[str, ...]:
    """Lines of a template of the site, or of one of ours with those of the site in it.

    Raises
    ------
    TemplateFaultError
        If it cannot be filled, or a line holds a control character.
    TemplateBoundError
        If it takes too much time or memory, or makes too much.
    UnsafeValueError
        If a value is not safe in a snippet.
    """
    text = _text(FILLER.fill(_of_process(site), template, values))
    lines = tuple(line.rstrip() for line in text.split("\n") if line.strip())
    if not all(line.isprintable() for line in lines):
        raise TemplateFaultError(f"{template}: makes a line with control characters")
    return lines


def _text(answer: TemplateAnswer) -> str:
    place = answer.file if answer.line is None else f"{answer.file}:{answer.line}"
    match answer.wrong:
        case "":
            return answer.text
        case "unsafe":
            raise UnsafeValueError(answer.message)
        case "bound":
            raise TemplateBoundError(f"{place}: {answer.message}")
        case "fault":
            raise TemplateFaultError(f"{place}: {answer.message}")


def _fields(values: Struct) -> dict[str, Any]:
    """Fields of a struct as texts, numbers, tuples and tables: a template gets no object."""
    properties = {
        name: getattr(values, name)
        for name in dir(type(values))
        if isinstance(getattr(type(values), name), property) and not name.startswith("_")
    }
    return {name: _plain(value) for name, value in {**properties, **asdict(values)}.items()}


def _plain(value: object) -> object:
    match value:
        case Enum():
            return _plain(value.value)
        case None | bool() | int() | float() | str():
            return value
        case Struct():
            return _fields(value)
        case Mapping():
            return {str(name): _plain(item) for name, item in value.items()}
        case Sequence():
            return tuple(map(_plain, value))
        case _:
            return str(value)


@cache
def _of_process(site: SiteTemplates) -> SiteAndOurs:
    own = (
        (template.name, TemplateSource(template.text, template.file)) for template in site.templates
    )
    return SiteAndOurs(tuple(own), tuple(_ours().items()))


@cache
def _ours() -> dict[str, TemplateSource]:
    """Our templates of commands, which those of a site may include."""
    root = asset_dir(FOLDER)
    paths = sorted(path for kind in ("remedy", "design") for path in (root / kind).rglob("*.j2"))
    names = (path.relative_to(root).as_posix() for path in paths)
    texts = (path.read_text("utf-8") for path in paths)
    return {name: TemplateSource(text, name) for name, text in zip(names, texts, strict=True)}


@cache
def _is_ours(site: SiteTemplates, name: str) -> bool:
    """Whether neither a template nor what it includes is of the site."""
    if site.has(name) or name not in _ours():
        return False
    return all(_is_ours(site, part) for part in _INCLUDED.findall(_ours()[name].text))
