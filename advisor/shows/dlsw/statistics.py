"""`show dlsw statistics`: frames that the reachability caches answered.

`show dlsw statistics border-peers` is not read: its layout is not known.

>>> statistics = read_dlsw_statistics("100  frames processed via local cache", "r1.txt")
>>> statistics.local_cache_frames, statistics.group_cache_frames
(100, None)
"""

import re
from typing import Final

from advisor.shows.dlsw.reader import DlswReader, take_lines
from advisor.shows.dlsw.records import DlswStatistics
from advisor.shows.figures import count
from advisor.shows.indent import ShownLine
from advisor.shows.output import Output

_LINE: Final = re.compile(r"(-?[0-9]{1,20})\s+frames processed via (local|remote|group) cache")


def _statistics(output: Output) -> DlswStatistics:
    frames: dict[str, int | None] = {}

    def take(line: ShownLine) -> bool:
        match = _LINE.fullmatch(line.text)
        if match is not None:
            frames[match[2]] = count(match[1])
        return match is not None

    start = take_lines(output, take)
    return DlswStatistics(frames.get("local"), frames.get("remote"), frames.get("group"), start)


read_dlsw_statistics: Final = DlswReader("show dlsw statistics", _statistics)
