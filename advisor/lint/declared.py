"""Checks that a card declares itself: lines that must, or must not, stand in a section."""

from collections.abc import Iterator, Sequence
from fnmatch import translate
from re import IGNORECASE, Pattern
from re import compile as compiled
from typing import Annotated, Final

from msgspec import Meta, Struct

from advisor.device.device import Device
from advisor.device.incomplete import why_incomplete
from advisor.ios.syntax import Line, Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence

Glob = Annotated[str, Meta(min_length=1)]
GLOBAL: Final = "configuration"
_MOST_QUOTED: Final = 10
_LONGEST_QUOTED: Final = 200
_STEP: Final = " > "
_WILD: Final = frozenset("*?[")


class Declared(Struct, frozen=True, forbid_unknown_fields=True):
    """A check without Python: globs of whole lines, without regard to case and blanks.

    `section` is the path of the sections that it is about, `policy-map * > class *`; without it
    the lines stand outside of all sections. `having` and `lacking` choose among these sections by
    their lines. Each of `must` has to fit a line of the section; none of `must_not` may.
    """

    section: str = ""
    having: tuple[Glob, ...] = ()
    lacking: tuple[Glob, ...] = ()
    must: tuple[Glob, ...] = ()
    must_not: tuple[Glob, ...] = ()


class DeclaredEvidence(Struct, frozen=True):
    """Missing and superfluous lines; they are whole, in the words of the section.

    `sections` are the lines that enter the section. `absent` and `present` are in backquotes, for
    the message. `missing` are lines that can be added as they stand, `excess` lines to take back.
    """

    section: str
    sections: tuple[str, ...]
    absent: str
    present: str
    missing: tuple[str, ...]
    excess: tuple[str, ...]


def declared_check(declared: Declared) -> Check[NoParams, DeclaredEvidence]:
    """The check that a card declares."""
    return Check(NoParams, DeclaredEvidence, _FindDeclared(declared))


class _FindDeclared(Struct, frozen=True):
    declared: Declared

    def __call__(self, device: Device, params: NoParams) -> Iterator[Hit[DeclaredEvidence] | Skip]:
        """Yield a hit for each section that lacks a line or has one too many."""
        del params
        tree = device.facts.tree
        unsure = next(why_incomplete(device, tree.file), None)
        for path in sections(device, self.declared.section):
            lines = tuple(path[-1].commands())
            if not _is_meant(lines, self.declared):
                continue
            absent = [glob for glob in self.declared.must if not any(_fitting(lines, glob))]
            excess = [line for glob in self.declared.must_not for line in _fitting(lines, glob)]
            heads = tuple(line.text for line in path[1:])
            name = _STEP.join(heads) or GLOBAL
            if absent and unsure is not None:
                yield Skip(name, f"the configuration is not whole ({unsure})")
                absent = []
            if absent or excess:
                at = [*excess, *([path[-1]] if heads and absent else [])]
                places = tuple(tree.at(line) for line in at) or (Location(tree.file, 1),)
                yield Hit(name, places, _evidence(heads, absent, excess), Confidence.CERTAIN)


def _evidence(
    heads: tuple[str, ...], absent: Sequence[str], excess: Sequence[Line]
) -> DeclaredEvidence:
    lines = tuple(dict.fromkeys(line.text for line in excess))
    return DeclaredEvidence(
        section=_STEP.join(heads) or f"the {GLOBAL}",
        sections=heads,
        absent=_quoted(absent),
        present=_quoted(lines),
        missing=tuple(glob for glob in absent if not _WILD.intersection(glob)),
        excess=lines,
    )


def _quoted(lines: Sequence[str]) -> str:
    more = [f"{len(lines) - _MOST_QUOTED} more"] if len(lines) > _MOST_QUOTED else []
    quoted = [f"`{line[:_LONGEST_QUOTED]}`" for line in lines[:_MOST_QUOTED]]
    return ", ".join([*quoted, *more]) or "nothing"


def sections(device: Device, path: str) -> Iterator[tuple[Line, ...]]:
    """Sections that a path of globs leads to, `policy-map * > class *`: each line on the way.

    The first line is none of the text: it holds the whole configuration. It stands alone where the
    path is empty.
    """
    roof = Line("", 0, "", children=device.facts.tree.lines)
    steps = [_pattern(step) for step in path.split(_STEP) if step.strip()]
    return _sections((roof,), steps)


def _sections(path: tuple[Line, ...], steps: Sequence[Pattern[str]]) -> Iterator[tuple[Line, ...]]:
    """Paths of lines that the steps lead to."""
    if not steps:
        yield path
        return
    for line in path[-1].commands():
        if steps[0].match(_words(line.text)):
            yield from _sections((*path, line), steps[1:])


def _is_meant(lines: Sequence[Line], declared: Declared) -> bool:
    return all(any(_fitting(lines, glob)) for glob in declared.having) and not any(
        any(_fitting(lines, glob)) for glob in declared.lacking
    )


def _fitting(lines: Sequence[Line], glob: str) -> list[Line]:
    pattern = _pattern(glob)
    return [line for line in lines if pattern.match(_words(line.text))]


def _words(text: str) -> str:
    return " ".join(text.split())


def _pattern(glob: str) -> Pattern[str]:
    return compiled(translate(_words(glob)), IGNORECASE)
