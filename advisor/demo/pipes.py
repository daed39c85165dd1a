"""`| include`, `| exclude`, `| begin` and `| section` of the exec."""

import re
from typing import Final

from advisor.demo.grammar import InputError

_FILTERS: Final = ("append", "begin", "count", "exclude", "include", "redirect", "section", "tee")
# `_` stands for a border in the regular expressions of IOS.
_BORDER: Final = r"(?:^|$|[ ,{}()])"


def filtered(text: str, pipe: str) -> str:
    r"""Put the lines of an output through a filter.

    Parameters
    ----------
    text
        Lines ended by LF.
    pipe
        What stands after the bar, like `inc CPU`.

    Raises
    ------
    InputError
        Where the filter is unknown, ambiguous, not of this device, or lacks its expression.

    Examples
    --------
    >>> filtered("a 1\nb 2\n", "i ^b")
    'b 2\n'
    """
    word, _, expression = pipe.strip().partition(" ")
    names = [name for name in _FILTERS if word and name.startswith(word.lower())]
    if len(names) != 1 or names[0] in ("append", "count", "redirect", "tee"):
        raise InputError("% Invalid input detected at '^' marker.")
    if not expression:
        raise InputError("% Incomplete command.")
    try:
        pattern = re.compile(expression.replace("_", _BORDER))
    except re.error:
        raise InputError("% Failed to compile regular expression.") from None
    lines = text.splitlines(keepends=True)
    if names[0] == "section":
        return "".join(_sections(lines, pattern))
    if names[0] == "begin":
        first = next((i for i, line in enumerate(lines) if pattern.search(line)), len(lines))
        return "".join(lines[first:])
    wanted = names[0] == "include"
    return "".join(line for line in lines if bool(pattern.search(line)) is wanted)


def _sections(lines: list[str], pattern: re.Pattern[str]) -> list[str]:
    kept: list[str] = []
    depth: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if depth is not None and indent > depth:
            kept.append(line)
            continue
        depth = indent if pattern.search(line) else None
        if depth is not None:
            kept.append(line)
    return kept
