"""IOS text to a tree and back, and edits on it. Here: patterns that are compiled when used."""

import re
from functools import cached_property
from typing import Any, cast

# Patterns that are compiled when they are first used.
#
# A run needs a third of them: most are for outputs, logs and lines that the usual file has not.
# To compile the others takes as long as to read a file of 500 lines.


class _Pattern:
    """A pattern that has the methods of `re.Pattern`, each kept after its first use."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._text, self._flags)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 -- whatever `re.Pattern` has
        if name.startswith("_"):
            raise AttributeError(name)
        method = getattr(self._compiled, name)
        setattr(self, name, method)
        return method


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return what `re.compile` returns, without its work until it is used.

    An error of the pattern shows on its first use.

    Examples
    --------
    >>> pattern(r"[a-z]+", re.IGNORECASE).fullmatch("Serial") is not None
    True
    """
    return cast("re.Pattern[str]", _Pattern(text, flags))
