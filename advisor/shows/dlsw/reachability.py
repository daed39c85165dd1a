"""`show dlsw reachability`: the caches of MAC addresses and NetBIOS names.

Source: the titles are those of Cisco document 17565; the rows under them follow Cisco IOS Bridging
and IBM Networking Command Reference 12.2, `show dlsw reachability`, and are recalled.
"""

import re
from typing import Final

from msgspec import Struct

from advisor.ios.syntax.tree import Location
from advisor.shows.dlsw.records import CacheKind, DlswEntry, DlswReachability
from advisor.shows.output import Output
from advisor.units import whole

_EXPECTED: Final = "show dlsw reachability"
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


def read_dlsw_reachability(text: str, file: str, first_line: int = 1) -> DlswReachability:
    """Read the entries of all caches in the output.

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
    """
    output = Output(text, file, first_line, _EXPECTED)
    drafts: list[_Draft] = []
    caches: list[CacheKind] = []
    at: Location | None = None
    for line in output.lines():
        at = at or output.at(line)
        title = _TITLE.fullmatch(line.text)
        row = _ROW.fullmatch(line.text)
        if title is not None:
            caches.append(_KINDS[title[1].lower(), title[2].lower()])
        elif caches and row is not None:
            drafts.append(_Draft(caches[-1], row, [row[4]] if row[4] else [], output.at(line)))
        elif caches and drafts and drafts[-1].cache is caches[-1] and _PATH.fullmatch(line.text):
            drafts[-1].paths.append(line.text)
        elif not (caches and _HEAD.fullmatch(line.text)):
            raise output.unknown(line)
    if at is None:
        raise output.nothing()
    return DlswReachability(tuple(draft.freeze() for draft in drafts), tuple(caches), at)
