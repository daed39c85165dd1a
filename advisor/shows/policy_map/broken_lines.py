"""Lines of `show policy-map interface` that a terminal of 80 columns broke in two."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from advisor.shows.indent import ShownLine

_MATCH_REST: Final = re.compile(r"\(\d+\)(?: \w+ \(\d+\))*")
_NUMBERS: Final = re.compile(r"[\d/-]+")
# A row of a terminal and its overflow. A terminal does not break a longer line.
_LONGEST_LINE: Final = 240


def _broken(first: str, second: str) -> bool:
    """Whether a terminal of 80 columns broke one line into these two."""
    if len(first) > _LONGEST_LINE:
        return False
    if first[0] == "(":
        if ")" not in first:
            return "(" not in second and ")" in second
        return first[-1] == ")" and _NUMBERS.fullmatch(second) is not None
    if second[0] == "(":
        return first.startswith("Match") and _MATCH_REST.fullmatch(second) is not None
    return first.endswith("drops:") and _NUMBERS.fullmatch(second) is not None


def joined(lines: Iterable[ShownLine]) -> Iterator[ShownLine]:
    """The lines as IOS wrote them, before a terminal broke them."""
    last: ShownLine | None = None
    for line in lines:
        if last is not None:
            if _broken(last.text, line.text):
                last = last._replace(text=f"{last.text} {line.text}")
                continue
            yield last
        last = line
    if last is not None:
        yield last
