"""What an output without its prompt is, by the name of its file and by its first lines."""

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from msgspec import Struct

from advisor.capture.commands import command_parts
from advisor.capture.outputs import any_opening, openings, outputs
from advisor.capture.sections import Origin, SectionKind, kind_of
from advisor.ios.exec.commands import spell_out
from advisor.ios.syntax.detect import Dialect, Identity, identity_of, is_json
from advisor.ios.syntax.lines import TextLines


class Recognised(Struct, frozen=True):
    """A command, how it is known, and what its output is."""

    command: str | None
    origin: Origin
    kind: SectionKind
    identity: Identity | None = None  # of a text that its content says to be a configuration


OPENING_LINES: Final = 8
_LINES_LOOKED_AT: Final = 4 * OPENING_LINES

_NAME_START: Final = re.compile(r"(?:^|[^A-Za-z0-9])(?=sho?w?[^A-Za-z0-9])", re.IGNORECASE)
_ENDING: Final = re.compile(r"\.[a-z]{2,4}$", re.IGNORECASE)


def command_of_file(file: str) -> str | None:
    """Read the command that a file is named after.

    Parameters
    ----------
    file
        Its name, with any folders: `backups/r1_show_processes_cpu.txt`.

    Returns
    -------
    str | None
        None where the name is not that of a command whose output is read.

    Examples
    --------
    >>> command_of_file("r1/show_ip_sla_statistics_aggregated.txt")
    'show ip sla statistics aggregated'
    >>> command_of_file("r1.sh-pol-int.log")
    'show policy-map interface'
    """
    words = _words_of_file(file)
    return command_parts(words).output if words is not None else None


def _words_of_file(file: str) -> str | None:
    """Spell out the command in the name of a file."""
    name = _ENDING.sub("", PurePath(file.replace("\\", "/")).name)
    start = _NAME_START.search(name)
    if start is None:
        return None
    slug = re.sub(r"[^a-z0-9]+", "-", name[start.end() :].lower()).strip("-")
    for output in outputs():
        whole = output.replace(" ", "-")
        if slug == whole or slug.startswith(f"{whole}-"):
            return f"{output} {slug[len(whole) :].replace('-', ' ')}".strip()
    return spell_out(slug.replace("-", " "))


def recognise(text: TextLines, file: str) -> Recognised:
    """Tell what a text without prompt is.

    The name of the file decides between outputs that begin alike, and where the first lines
    say nothing; else they decide.
    """
    opening = [line for row in text.lines[:_LINES_LOOKED_AT] if (line := row.strip())]
    if opening and opening[0].startswith("show ") and " is " not in opening[0]:
        command = spell_out(opening[0])
        return Recognised(command, Origin.FIRST_LINE, kind_of(command, opening[1:]))
    named = command_of_file(file)
    opening_match = None if is_json(text.text) else _by_opening(opening[:OPENING_LINES], named)
    return _by_content(text, file, named) if opening_match is None else opening_match


def _by_content(text: TextLines, file: str, named: str | None) -> Recognised:
    if named is not None:
        return Recognised(named, Origin.FILE_NAME, kind_of(named, text.lines))
    identity = text.derived(identity_of)
    if identity.dialect not in (Dialect.NOT_A_CONFIG, Dialect.EMPTY):
        return Recognised(None, Origin.CONTENT, SectionKind.CONFIG, identity)
    words = _words_of_file(file)
    if words is None:
        return Recognised(None, Origin.CONTENT, SectionKind.UNKNOWN)
    return Recognised(words, Origin.FILE_NAME, kind_of(words, text.lines))


def _by_opening(opening: Sequence[str], named: str | None) -> Recognised | None:
    if not any(any_opening().match(line) for line in opening):
        return None
    for opening_match in openings():
        if any(opening_match.pattern.match(line) for line in opening):
            if named in opening_match.also:
                return Recognised(named, Origin.FILE_NAME, SectionKind.SHOW)
            return Recognised(opening_match.command, Origin.CONTENT, SectionKind.SHOW)
    return None
