"""`show dlsw statistics`: frames that the reachability caches answered.

Not read is `show dlsw statistics border-peers`, whose layout is not known.
"""

import re
from typing import Final

from advisor.ios.syntax.tree import Location
from advisor.shows.dlsw.records import DlswStatistics
from advisor.shows.figures import count
from advisor.shows.output import Output

_EXPECTED: Final = "show dlsw statistics"
_LINE: Final = re.compile(r"(-?[0-9]{1,20})\s+frames processed via (local|remote|group) cache")


def read_dlsw_statistics(text: str, file: str, first_line: int = 1) -> DlswStatistics:
    """Read the frames of each cache.

    Parameters
    ----------
    text
        The output, as captured.
    file
        Its file.
    first_line
        Number of its first line in the file.

    Raises
    ------
    LayoutError
        Where a line is not known, or nothing was printed.

    Examples
    --------
    >>> shown = "100  frames processed via local cache"
    >>> read = read_dlsw_statistics(shown, "r1.txt")
    >>> read.local_cache_frames, read.group_cache_frames
    (100, None)
    """
    output = Output(text, file, first_line, _EXPECTED)
    frames: dict[str, int | None] = {}
    at: Location | None = None
    for line in output.lines():
        at = at or output.at(line)
        found = _LINE.fullmatch(line.text)
        if found is None:
            raise output.unknown(line)
        frames[found[2]] = count(found[1])
    if at is None:
        raise output.nothing()
    return DlswStatistics(frames.get("local"), frames.get("remote"), frames.get("group"), at)
