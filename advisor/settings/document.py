"""A TOML file. Its errors name file, line, table and key."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct

from advisor.ground.data import (
    HIDDEN,
    DataError,
    Key,
    beyond_limits,
    key_text,
    read_text,
    shown_key,
    toml_of,
)
from advisor.ground.units import whole
from advisor.settings import SettingsError

T = TypeVar("T")

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\[\[\s*({_DOTTED})\s*\]\]|\[\s*({_DOTTED})\s*\]")
_ASSIGNED = re.compile(rf"({_DOTTED})\s*=")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|' + r"'[^']*'")
_LONG_QUOTES = ('"""', "'" * 3)
_MSGSPEC_PATH = " - at `$"
_MSGSPEC_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d{1,9})\]")
_QUOTED = re.compile(r"`([^`]*)`")
_DATE = re.compile("invalid RFC3339 encoded date", re.IGNORECASE)
_TYPE_WORDS = {
    "float": "a number",
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "array": "an array",
    "object": "a table",
    "date": "a date",
}


def nearest(word: str, allowed: Iterable[str]) -> str:
    """Advice in place of `word`: "did you mean x?", else the list of allowed words.

    >>> nearest("ring_wait", ["ring_wait_ms", "rtt_ms"])
    'did you mean ring_wait_ms?'
    >>> nearest("qqq", ["voice", "data"])
    'it takes data, voice'
    """
    by_lower_case = {choice.lower(): choice for choice in allowed}
    close = get_close_matches(word.lower(), by_lower_case, n=1)
    if close:
        return f"did you mean {by_lower_case[close[0]]}?"
    return f"it takes {', '.join(sorted(by_lower_case.values()))}"


def _keys(dotted: str) -> list[str]:
    return [_unquoted(part) for part in re.findall(_PART, dotted)]


def _unquoted(part: str) -> str:
    if "\\" not in part or part.startswith("'"):
        return part.strip("\"'")
    import tomllib  # noqa: PLC0415 -- for a key with an escape alone

    (key,) = tomllib.loads(f"{part} = 0")
    return key


def _opened(line: str) -> int:
    """Brackets that a line opens minus those that it closes, without strings and comments."""
    code = _STRING.sub("", line).partition("#")[0]
    return sum(code.count(mark) for mark in "[{") - sum(code.count(mark) for mark in "]}")


def key_lines(text: str) -> dict[Key, int]:
    r"""1-based line of every table and key of a valid TOML text; array tables have an index.

    Keys inside an array or an inline table are not in the result.

    >>> key_lines("a = 1\n[[b]]\nc = 2\n")
    {('a',): 1, ('b', 0): 2, ('b', 0, 'c'): 3}
    """
    lines: dict[Key, int] = {}
    counts: dict[Key, int] = {}
    table: Key = ()
    depth, closing = 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        if closing:
            closing = "" if closing in line else closing
            continue
        statement = line.strip()
        if depth == 0 and (header := _HEADER.match(statement)):
            table = _table(_keys(header[1] or header[2]), counts, is_array=header[1] is not None)
            lines.setdefault(table, number)
        elif depth == 0 and (assigned := _ASSIGNED.match(statement)):
            lines.setdefault((*table, *_keys(assigned[1])), number)
            depth += _opened(statement)
        elif depth:
            depth += _opened(statement)
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


class TomlDocument(Struct, frozen=True, dict=True):  # without slots: the lines are computed once
    """One settings or traffic file; `root` is the path of our table in it."""

    name: str
    text: str
    root: tuple[str, ...]
    table: dict[str, object]

    @cached_property
    def _lines(self) -> dict[Key, int]:
        return key_lines(self.text)

    def line_of(self, path: Key) -> int:
        """Line of a key, else of the nearest table around it."""
        lines, full_path = self._lines, (*self.root, *path)
        for end in range(len(full_path), 0, -1):
            if (line := lines.get(full_path[:end])) is not None:
                return self._inside(line, full_path[end:])
        return 1

    def _inside(self, line: int, steps: Key) -> int:
        """Line of a key in an array of inline tables that starts at `line`."""
        if len(steps) != 2 or not isinstance(steps[0], int) or not isinstance(steps[1], str):  # noqa: PLR2004
            return line
        assigned = re.compile(rf"\b{re.escape(steps[1])}\s*=")
        lines = self.text.split("\n")[line - 1 :]
        hits = [line + row for row, text in enumerate(lines) for _ in assigned.findall(text)]
        return hits[min(steps[0], len(hits) - 1)] if hits else line

    def place_of(self, path: Key) -> str:
        """Place of a key as reports name it, "advisor.toml:3"."""
        return f"{self.name}:{self.line_of(path)}"

    def error(self, path: Key, message: str) -> SettingsError:
        """Error about a key (the last of `path`) or about a table (`path` ends in its index)."""
        tables = [step for step in path[:-1] if isinstance(step, str)]
        place = f"[{'.'.join((*self.root, *tables))}] " if tables or self.root else ""
        if any(isinstance(step, int) for step in path):
            place = f"[{place.strip()}] "
        return SettingsError(f"{self.name}:{self.line_of(path)}: {place}{message}")

    def unknown(self, path: Key, allowed: Iterable[str]) -> SettingsError:
        """Error about a key that does not exist."""
        return self.error(
            path, f"unknown key {_shown(path[-1])}; {nearest(str(path[-1]), allowed)}"
        )

    def one_of(self, path: Key, value: str, allowed: Iterable[str]) -> str:
        """The value, or an error that names the allowed values."""
        choices = list(allowed)
        if value in choices:
            return value
        seen = "value" if _shown(value) == HIDDEN else repr(value)
        raise self.error(path, f"{_shown(path[-1])}: unknown {seen}; {nearest(value, choices)}")

    def convert(self, value: object, shape: type[T], path: Key = ()) -> T:
        """Convert a value of the file to its type.

        Raises
        ------
        SettingsError
            If a key is unknown or missing, or a value has the wrong type or range.
        """
        try:
            return msgspec.convert(value, shape)
        except msgspec.ValidationError as error:
            raise self._translated(str(error), shape, path) from error

    def whole(self, shape: type[T]) -> T:
        """Convert the whole table; see `convert`."""
        converted = self.convert(self.table, shape)
        self.refuse_beyond_limits()
        return converted

    def refuse_beyond_limits(self) -> None:
        """Refuse a number that nothing computes with; see `advisor.ground.data`.

        Raises
        ------
        SettingsError
            If a key has one.
        """
        for key, reason in beyond_limits(self.table):
            raise self.error(key, f"{key_text(key)}: {reason}")

    def _translated(self, reason: str, shape: type[object], path: Key) -> SettingsError:
        reason, _, suffix = reason.partition(_MSGSPEC_PATH)
        steps: Key = tuple(
            name or whole(index) for name, index in _MSGSPEC_STEP.findall(suffix.removesuffix("`"))
        )
        place, names = (*path, *steps), _QUOTED.findall(reason)
        if "unknown field" in reason:
            return self.unknown((*place, names[0]), _keys_of(shape, steps))
        if "missing required field" in reason:
            return self.error((*place, names[0]), f"{names[0]} is missing")
        words = in_words(reason)
        key = next((step for step in reversed(place) if isinstance(step, str)), "")
        return self.error(place, f"{_shown(key)}: {words}" if key else words)


def _shown(step: str | int) -> str:
    return shown_key(str(step), HIDDEN)


def in_words(reason: str) -> str:
    """Error of msgspec about a value, in words of TOML.

    >>> in_words("Expected `float`, got `str`")
    'expected a number, got text'
    """
    words = _QUOTED.sub(lambda name: _type_words(name[1]), reason)
    words = _DATE.sub("expected a date, like 2027-01-31", words)
    return words[0].lower() + words[1:].replace(".0", "")


def _type_words(types: str) -> str:
    names = [name for name in types.split(" | ") if name != "null"]
    return " or ".join(_TYPE_WORDS.get(name, name) for name in names)


def _keys_of(shape: type[object], steps: Key) -> list[str]:
    """Keys of the struct at `steps` inside `shape`."""
    part: object = shape
    for step in steps:
        if isinstance(step, str):
            types = {field.encode_name: field.type for field in _fields(_struct_in(part))}
            part = types[step]
        else:
            part = _element_of(part)
    return [field.encode_name for field in _fields(_struct_in(part))]


def _element_of(shape: object) -> object:
    """Type of the elements of an array, which may be one of several possible types."""
    arrays = [part for part in (shape, *get_args(shape)) if get_origin(part) is tuple]
    return get_args(arrays[0])[0] if arrays else shape


def _fields(shape: object) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(shape)  # type: ignore[arg-type]


def _struct_in(shape: object) -> object:
    stack = [shape]
    while stack:
        part = stack.pop()
        if isinstance(part, type) and issubclass(part, msgspec.Struct):
            return part
        stack.extend(get_args(part))
    return shape


def read_document(path: Path, name: str | None = None, root: tuple[str, ...] = ()) -> TomlDocument:
    """Read a TOML file; `root` is the path of our table in it, by default the complete file.

    Raises
    ------
    SettingsError
        If it cannot be read or is not TOML.
    """
    name = name or str(path)
    try:
        text = read_text(path, name)
    except DataError as error:
        raise SettingsError(str(error)) from error
    return document_of(text, name, root)


def document_of(text: str, name: str, root: tuple[str, ...] = ()) -> TomlDocument:
    """Read TOML text as a document; `root` is the path of our table in it.

    Raises
    ------
    SettingsError
        If it is not TOML.
    """
    try:
        table: object = toml_of(text, name)
    except DataError as error:
        raise SettingsError(str(error)) from error
    for key in root:
        table = table.get(key, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        raise SettingsError(f"{name}: [{'.'.join(root)}] is not a table")
    return TomlDocument(name, text, root, table)
