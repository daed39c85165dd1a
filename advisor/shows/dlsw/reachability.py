"""`show dlsw reachability`: the caches of MAC addresses and NetBIOS names.

Source: the titles are those of Cisco document 17565; the rows under them follow Cisco IOS Bridging
and IBM Networking Command Reference 12.2, `show dlsw reachability`, and are recalled.
"""

import re
from typing import Final

from msgspec import Struct, field

from advisor.ios.syntax.tree import Location
from advisor.shows.dlsw.reader import DlswReader, take_lines
from advisor.shows.dlsw.records import CacheKind, DlswEntry, DlswReachability
from advisor.shows.indent import ShownLine
from advisor.shows.output import Output
from advisor.units import whole

_TITLE: Final = re.compile(
    r"DLSw (Local|Remote) (MAC address|NetBIOS Name) reachability cache list", re.IGNORECASE
)
_HEAD: Final = re.compile(
    r"(?:Mac Addr|NetBIOS Name)\s+status\s+Loc\.\s+(?:port|peer)(?:\s+rif)?", re.IGNORECASE
)
_ROW: Final = re.compile(
    r"(\S.{0,60}?)\s+(FOUND|NOT_FOUND|SEARCHING|UNCONFIRM|UNCONFIRMED|VERIFY)\s+(LOCAL|REMOTE)"
    r"(?:\s+(\S.*))?"
)
# Another port or peer that leads to the resource of the row above.
_PATH: Final = re.compile(
    r"[A-Za-z0-9./:-]+\([0-9]+\).*|(?:[A-Z][A-Za-z]+[0-9][\w/.]*)(?:\s+\S.*)?"
)
_LARGEST_FRAME: Final = re.compile(r"\b(?:max-)?lf\(?\s*([0-9]{2,5})\)?")
_KINDS: Final = {
    ("local", "mac address"): CacheKind.LOCAL_MAC,
    ("remote", "mac address"): CacheKind.REMOTE_MAC,
    ("local", "netbios name"): CacheKind.LOCAL_NAME,
    ("remote", "netbios name"): CacheKind.REMOTE_NAME,
}


class _Draft(Struct):
    cache: CacheKind
    row: re.Match[str]
    paths: list[str]
    at: Location

    def freeze(self) -> DlswEntry:
        frame = _LARGEST_FRAME.search(self.paths[0]) if self.paths else None
        return DlswEntry(
            cache=self.cache,
            resource=self.row[1],
            status=self.row[2],
            location=self.row[3],
            paths=tuple(" ".join(path.split()) for path in self.paths),
            largest_frame_bytes=whole(frame[1]) if frame is not None else None,
            at=self.at,
        )


class _Reading(Struct):
    output: Output
    drafts: list[_Draft] = field(default_factory=list)
    caches: list[CacheKind] = field(default_factory=list)

    def take(self, line: ShownLine) -> bool:
        title = _TITLE.fullmatch(line.text)
        if title is not None:
            self.caches.append(_KINDS[title[1].lower(), title[2].lower()])
            return True
        if not self.caches:
            return False
        cache, at = self.caches[-1], self.output.at(line)
        row = _ROW.fullmatch(line.text)
        if row is not None:
            self.drafts.append(_Draft(cache, row, [row[4]] if row[4] else [], at))
        elif self.drafts and self.drafts[-1].cache is cache and _PATH.fullmatch(line.text):
            self.drafts[-1].paths.append(line.text)
        else:
            return _HEAD.fullmatch(line.text) is not None
        return True


def _reachability(output: Output) -> DlswReachability:
    reading = _Reading(output)
    start = take_lines(output, reading.take)
    entries = tuple(draft.freeze() for draft in reading.drafts)
    return DlswReachability(entries, tuple(reading.caches), start)


read_dlsw_reachability: Final = DlswReader("show dlsw reachability", _reachability)
