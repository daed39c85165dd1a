"""JSON and TOML that somebody else wrote: read within limits, or refused with line and key.

Whatever passes holds no more than its readers can compute with: no number beyond 1e20, no text
that is no Unicode, no key given twice, no nesting that a recursion does not end in.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from advisor.ground.bounded import read_file
from advisor.ground.faults import AdvisorError
from advisor.ground.units import whole

Key = tuple[str | int, ...]

DEEPEST: Final = 64
HIDDEN: Final = "(not shown)"  # in place of a key that may be a line of a configuration
_MOST: Final = 1e20  # larger than any counter of 64 bits; a product of some such numbers is finite
_LEAST: Final = 1e-20  # 0 is allowed, too
_WIDE_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_PART: Final = r"""(?:[A-Za-z0-9_-]++|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+')"""
_LONG_KEY: Final = re.compile(  # tomllib takes the square of its length in time and memory
    rf"^[ \t]*+\[?\[?[ \t]*+{_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{DEEPEST},}}", re.MULTILINE
)
_TOML_LINE: Final = re.compile(r" \(at line (\d{1,12}), column \d+\)$")


_TOML_KEY: Final = re.compile(r"""\(['"].*\)|(?<=table )key ['"].*""")  # as messages quote it
_QUOTABLE: Final = re.compile(
    r"[\w./:\\*?\[\]-]{0,40}"
)  # no line of a configuration, as of a wrong file


class DataError(AdvisorError):
    """A file cannot be read, is no JSON or TOML, or holds a value beyond the limits.

    `reason` is the message without the file.
    """

    def __init__(self, name: str, reason: str, line: int | None = None) -> None:
        super().__init__(f"{name}{'' if line is None else f':{line}'}: {reason}")
        self.reason = reason


def read_text(path: str | Path, name: str | None = None) -> str:
    """Text of a file in UTF-8, with or without a byte-order mark; `-` is standard input.

    Raises
    ------
    DataError
        If it cannot be read, is too large, or is not UTF-8.
    """
    name = name or str(path)
    try:
        payload = read_file(path)
    except OSError as error:
        raise DataError(name, f"cannot be read: {error.strerror}") from error
    return decoded(payload, name)


def decoded(payload: bytes, name: str) -> str:
    """Text of bytes in UTF-8.

    Raises
    ------
    DataError
        If they are in another encoding.
    """
    try:
        return payload.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        is_wide = payload.startswith(_WIDE_MARKS)
        place = "it is UTF-16" if is_wide else f"byte {error.start}"
        raise DataError(name, f"is not UTF-8 text ({place}); save it as UTF-8") from error


def json_of(text: str, name: str) -> object:
    """Value of a JSON text.

    Raises
    ------
    DataError
        If it is no JSON, or holds what is beyond the limits; with line or key.
    """
    import json  # noqa: PLC0415 -- most runs read none

    try:
        value: object = json.loads(text, object_pairs_hook=_table)
    except json.JSONDecodeError as error:
        raise DataError(name, f"not JSON: {error.msg}", error.lineno) from error
    except RecursionError as error:
        raise DataError(name, "not JSON that can be read: nested too deeply") from error
    except _TwiceError as error:
        raise DataError(name, f"not JSON that can be read: {error}") from None
    except ValueError as error:  # from `int`
        raise DataError(name, "not JSON that can be read: a number has too many digits") from error
    for key, reason in beyond_limits(value):
        raise DataError(name, f"{key_text(key)}: {reason}" if key else reason)
    return value


def toml_of(text: str, name: str) -> dict[str, object]:
    """Tables of a TOML text; the numbers in it may be beyond the limits.

    Raises
    ------
    DataError
        If it is no TOML, with its line.
    """
    import tomllib  # noqa: PLC0415 -- most runs have no file of settings

    if (key := _LONG_KEY.search(text)) is not None:
        line = text.count("\n", 0, key.start()) + 1
        raise DataError(name, f"a key of more than {DEEPEST} parts is nested too deeply", line)
    try:
        table: dict[str, object] = tomllib.loads(text)
    except RecursionError as error:
        raise DataError(name, "not TOML: nested too deeply") from error
    except tomllib.TOMLDecodeError as error:
        reason, place = str(error), _TOML_LINE.search(str(error))
        line = whole(place[1]) if place else max(len(text.splitlines()), 1)
        reason = _TOML_KEY.sub("a key", _TOML_LINE.sub("", reason))
        raise DataError(name, f"not TOML: {reason}", line) from error
    except ValueError as error:  # from `int`
        raise DataError(name, "not TOML: a number has too many digits") from error
    return table


def beyond_limits(value: object) -> Iterator[tuple[Key, str]]:
    """Keys of a JSON or TOML value with the reason why it is refused; none where all is well."""
    stack: list[tuple[object, Key]] = [(value, ())]
    while stack:
        part, key = stack.pop()
        if len(key) > DEEPEST:
            yield key[:1], f"nested too deeply, more than {DEEPEST} levels"
        elif isinstance(part, dict):
            for name in part:
                if not _is_unicode(name):
                    yield (*key, _shown(name)), "the key is no Unicode text"
            stack += ((inner, (*key, name)) for name, inner in part.items())
        elif isinstance(part, list):
            stack += ((inner, (*key, place)) for place, inner in enumerate(part))
        elif isinstance(part, str):
            if not _is_unicode(part):
                yield key, "the text is no Unicode"
        elif isinstance(part, int | float) and not _is_within(part):
            yield key, f"expected 0, or a number from {_LEAST:g} to {_MOST:g} with or without sign"


def key_text(key: Key) -> str:
    """A key as errors name it.

    >>> key_text(("queues", 0, "name"))
    'queues[0].name'
    """
    text = "".join(
        f"[{step}]" if isinstance(step, int) else f".{shown_key(step, HIDDEN)}" for step in key
    )
    return text.removeprefix(".")


def shown_key(text: str, otherwise: str) -> str:
    """A key or name of somebody's file as errors quote it: only what looks like one.

    Where a configuration is given by mistake, a key may be a line of it with a password.

    >>> shown_key("ring_wait", "a key"), shown_key("enable secret x", "a key")
    ('ring_wait', 'a key')
    """
    text = _shown(text)
    return text if _QUOTABLE.fullmatch(text) else otherwise


class _TwiceError(ValueError):
    """A table has a key twice."""


def _table(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _TwiceError(f"key {shown_key(twice, HIDDEN)} is given twice")
    return table


def _is_within(number: float) -> bool:
    return number == 0 or _LEAST <= abs(number) <= _MOST  # false for nan, exact for any integer


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def _shown(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
