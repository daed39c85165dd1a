"""A TOML file whose errors name file, line, table and key."""

import re
import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TypeVar, get_args

import msgspec
from msgspec import Struct

from advisor.bounded import read_file
from advisor.settings.values import SettingsError
from advisor.units import whole

T = TypeVar("T")
Key = tuple[str | int, ...]

_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\[\[\s*({_DOTTED})\s*\]\]|\[\s*({_DOTTED})\s*\]")
_ASSIGNED = re.compile(rf"({_DOTTED})\s*=")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|' + r"'[^']*'")
_LONG_QUOTES = ('"""', "'" * 3)
_MSGSPEC_PATH = " - at `$"
_MSGSPEC_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d{1,9})\]")
_QUOTED = re.compile(r"`([^`]*)`")
_TOML_LINE = re.compile(r" \(at line (\d{1,12}), column \d+\)$")
_TYPE_WORDS = {
    "float": "a number",
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "array": "an array",
    "object": "a table",
}


def nearest(word: str, allowed: Iterable[str]) -> str:
    """What to write instead of `word`: "did you mean x?", else all that is allowed.

    >>> nearest("ring_wait", ["ring_wait_ms", "rtt_ms"])
    'did you mean ring_wait_ms?'
    >>> nearest("qqq", ["voice", "data"])
    'it takes data, voice'
    """
    by_lower_case = {each.lower(): each for each in allowed}
    close = get_close_matches(word.lower(), by_lower_case, n=1)
    if close:
        return f"did you mean {by_lower_case[close[0]]}?"
    return f"it takes {', '.join(sorted(by_lower_case.values()))}"


def _keys(dotted: str) -> list[str]:
    return [part.strip("\"'") for part in re.findall(_PART, dotted)]


def _opened(line: str) -> int:
    """How many more brackets a line opens than it closes, outside of strings and comments."""
    bare = _STRING.sub("", line).partition("#")[0]
    return sum(bare.count(mark) for mark in "[{") - sum(bare.count(mark) for mark in "]}")


def key_lines(text: str) -> dict[Key, int]:
    r"""1-based line of every table and key of a valid TOML text; array tables carry an index.

    Keys inside an array or an inline table are not listed.

    >>> key_lines("a = 1\n[[b]]\nc = 2\n")
    {('a',): 1, ('b', 0): 2, ('b', 0, 'c'): 3}
    """
    lines: dict[Key, int] = {}
    counts: dict[Key, int] = {}
    table: Key = ()
    depth, closing = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        if closing:
            closing = "" if closing in line else closing
            continue
        stripped = line.strip()
        if depth == 0 and (header := _HEADER.match(stripped)):
            table = _table(_keys(header[1] or header[2]), counts, is_array=header[1] is not None)
            lines.setdefault(table, number)
        elif depth == 0 and (assigned := _ASSIGNED.match(stripped)):
            lines.setdefault((*table, *_keys(assigned[1])), number)
            depth += _opened(stripped)
        elif depth:
            depth += _opened(stripped)
        closing = next((mark for mark in _LONG_QUOTES if line.count(mark) % 2), "")
    return lines


def _table(keys: list[str], counts: dict[Key, int], *, is_array: bool) -> Key:
    path: Key = ()
    for position, key in enumerate(keys, 1):
        path = (*path, key)
        if is_array and position == len(keys):
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


class Document(Struct, frozen=True, dict=True):  # without slots: the lines are found once
    """One settings or traffic file; `root` is the table in it that is ours."""

    name: str
    text: str
    root: tuple[str, ...]
    table: dict[str, object]

    @cached_property
    def _lines(self) -> dict[Key, int]:
        return key_lines(self.text)

    def line_of(self, path: Key) -> int:
        """Line of a key, else of the nearest thing around it."""
        lines, whole = self._lines, (*self.root, *path)
        for end in range(len(whole), 0, -1):
            if (line := lines.get(whole[:end])) is not None:
                return self._inside(line, whole[end:])
        return 1

    def _inside(self, line: int, rest: Key) -> int:
        """Line of a key in an array of inline tables that starts at `line`."""
        if len(rest) != 2 or not isinstance(rest[0], int) or not isinstance(rest[1], str):  # noqa: PLR2004
            return line
        wanted = re.compile(rf"\b{re.escape(rest[1])}\s*=")
        after = self.text.splitlines()[line - 1 :]
        found = [line + at for at, text in enumerate(after) for _ in wanted.findall(text)]
        return found[min(rest[0], len(found) - 1)] if found else line

    def error(self, path: Key, message: str) -> SettingsError:
        """Error about a key (the last of `path`) or about a table (`path` ends in its index)."""
        tables = [step for step in path[:-1] if isinstance(step, str)]
        where = f"[{'.'.join((*self.root, *tables))}] " if tables or self.root else ""
        if any(isinstance(step, int) for step in path):
            where = f"[{where.strip()}] "
        return SettingsError(f"{self.name}:{self.line_of(path)}: {where}{message}")

    def unknown(self, path: Key, allowed: Iterable[str]) -> SettingsError:
        """Error about a key that does not exist."""
        return self.error(path, f"unknown key {path[-1]}; {nearest(str(path[-1]), allowed)}")

    def one_of(self, path: Key, value: str, allowed: Iterable[str]) -> str:
        """The value, or an error that names what is allowed."""
        choices = list(allowed)
        if value in choices:
            return value
        raise self.error(path, f"{path[-1]}: unknown {value!r}; {nearest(value, choices)}")

    def convert(self, value: object, shape: type[T], path: Key = ()) -> T:
        """A value of the file in the shape it must have.

        Raises
        ------
        SettingsError
            If a key is unknown or missing, or a value has the wrong type or range.
        """
        try:
            return msgspec.convert(value, shape)
        except msgspec.ValidationError as error:
            raise self._translated(str(error), shape, path) from error

    def _translated(self, said: str, shape: type[object], path: Key) -> SettingsError:
        said, _, inside = said.partition(_MSGSPEC_PATH)
        steps: Key = tuple(
            name or whole(index) for name, index in _MSGSPEC_STEP.findall(inside.removesuffix("`"))
        )
        at, names = (*path, *steps), _QUOTED.findall(said)
        if "unknown field" in said:
            return self.unknown((*at, names[0]), _keys_of(shape, steps))
        if "missing required field" in said:
            return self.error((*at, names[0]), f"{names[0]} is missing")
        words = _QUOTED.sub(lambda name: _in_words(name[1]), said)
        words = words[0].lower() + words[1:].replace(".0", "")
        key = next((step for step in reversed(at) if isinstance(step, str)), "")
        return self.error(at, f"{key}: {words}" if key else words)


def _in_words(types: str) -> str:
    names = [each for each in types.split(" | ") if each != "null"]
    return " or ".join(_TYPE_WORDS.get(name, name) for name in names)


def _keys_of(shape: type[object], steps: Key) -> list[str]:
    """Keys of the struct that `steps` lead to inside `shape`."""
    here: object = shape
    for step in steps:
        if isinstance(step, str):
            here = next(f.type for f in msgspec.structs.fields(here) if f.encode_name == step)  # type: ignore[arg-type]
        here = _struct_in(here)
    return [field.encode_name for field in msgspec.structs.fields(here)]  # type: ignore[arg-type]


def _struct_in(of: object) -> object:
    stack = [of]
    while stack:
        each = stack.pop()
        if isinstance(each, type) and issubclass(each, msgspec.Struct):
            return each
        stack.extend(get_args(each))
    return of


def read_document(path: Path, name: str | None = None, root: tuple[str, ...] = ()) -> Document:
    """Read a TOML file; `root` names the table in it that is ours, all of it by default.

    Raises
    ------
    SettingsError
        If it cannot be read or is not TOML.
    """
    shown = name or str(path)
    try:
        text = read_file(path).decode("utf-8-sig")
    except OSError as error:
        raise SettingsError(f"{shown}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{shown}: is not UTF-8 text") from error
    return document_of(text, shown, root)


def document_of(text: str, shown: str, root: tuple[str, ...] = ()) -> Document:
    """TOML text as a document; `root` names the table in it that is ours.

    Raises
    ------
    SettingsError
        If it is not TOML.
    """
    try:
        table: object = tomllib.loads(text)
    except RecursionError as error:
        raise SettingsError(f"{shown}: not TOML: nested too deeply") from error
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        line = whole(found[1]) if (found := _TOML_LINE.search(said)) else len(text.splitlines())
        raise SettingsError(f"{shown}:{line}: not TOML: {_TOML_LINE.sub('', said)}") from error
    except ValueError as error:  # of `int`
        raise SettingsError(f"{shown}: not TOML: a number has too many digits") from error
    for key in root:
        table = table.get(key, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        raise SettingsError(f"{shown}: [{'.'.join(root)}] is not a table")
    return Document(shown, text, root, table)
