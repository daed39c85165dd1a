"""Typed values and a template become commands. Values from a config are untrusted."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict

from advisor.assets import asset_dir, keep, read_kept
from advisor.lint import sandbox
from advisor.lint.checks.base import Hit
from advisor.lint.sandbox import guarded

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
def _environment(folder: Path) -> "Environment":
    from jinja2 import (  # noqa: PLC0415 -- a clean config waits for no template
        Environment,
        FileSystemLoader,
        MemcachedBytecodeCache,
        StrictUndefined,
        compiler,
    )

    # jinja2 compares the text of the template; its compiler and what is set below decide too.
    makers = (compiler.__file__, __file__, sandbox.__file__)
    made_by = sha256(b"".join(Path(maker).read_bytes() for maker in makers)).hexdigest()
    return Environment(
        loader=FileSystemLoader(folder),
        bytecode_cache=MemcachedBytecodeCache(_TemplateCache(), f"template-{made_by}-"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 -- IOS text, not HTML; every value passes `guarded`
        finalize=guarded,
        trim_blocks=True,
        lstrip_blocks=True,
    )


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
    text = _environment(asset_dir("templates")).get_template(template).render(asdict(values))
    return tuple(line.rstrip() for line in text.split("\n") if line.strip())
