"""`| include`, `| exclude`, `| begin` and `| section` of the exec."""

import re
from typing import Final

from advisor.demo.grammar import InputError

_FILTERS: Final = ("append", "begin", "count", "exclude", "include", "redirect", "section", "tee")
# `_` matches a border in the regular expressions of IOS.
_BORDER: Final = r"(?:^|$|[ ,{}()])"


def filtered(text: str, pipe: str) -> str:
    r"""Filter the lines of an output.

    Parameters
    ----------
    text
        Lines ended by LF.
    pipe
        The text after the bar, like `inc CPU`.

    Raises
    ------
    InputError
        If the filter is unknown, ambiguous, unsupported or without an expression.

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
        first = next((row for row, line in enumerate(lines) if pattern.search(line)), len(lines))
        return "".join(lines[first:])
    is_include = names[0] == "include"
    return "".join(line for line in lines if bool(pattern.search(line)) is is_include)


def _sections(lines: list[str], pattern: re.Pattern[str]) -> list[str]:
    section_lines: list[str] = []
    depth: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if depth is not None and indent > depth:
            section_lines.append(line)
            continue
        depth = indent if pattern.search(line) else None
        if depth is not None:
            section_lines.append(line)
    return section_lines
