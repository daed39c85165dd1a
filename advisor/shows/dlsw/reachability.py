"""`show dlsw reachability`: the caches of MAC addresses and NetBIOS names.

Source: the titles are those of Cisco document 17565; the rows under them follow Cisco IOS Bridging
and IBM Networking Command Reference 12.2, `show dlsw reachability`, and are recalled.
"""

import re
from itertools import chain
from typing import Final

from msgspec import Struct

from advisor.ios.syntax.tree import Location
from advisor.shows.blocks import Block, blocks_of, read_blocks
from advisor.shows.dlsw.reader import DlswReader
from advisor.shows.dlsw.records import CacheKind, DlswEntry, DlswReachability
from advisor.shows.indent import ShownLine
from advisor.shows.layout import Part, Reading
from advisor.shows.output import Output
from advisor.units import whole

_TITLE: Final = re.compile(
    r"DLSw (Local|Remote) (MAC address|NetBIOS Name) reachability cache list", re.IGNORECASE
)
_DLSW: Final = "DLSw "
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


def _reachability(output: Output) -> Reading[DlswReachability]:
    blocks = blocks_of(output.lines(), _title)
    caches = read_blocks(output, Part.SECTION, blocks, lambda block: _cache(output, block))
    entries = chain.from_iterable(entries.records for _, entries in caches.records)
    parts = (
        *caches.declined,
        *chain.from_iterable(entries.declined for _, entries in caches.records),
    )
    kinds = tuple(kind for kind, _ in caches.records)
    start = output.at(blocks.blocks[0].head)
    return Reading((DlswReachability(tuple(entries), kinds, start, not parts),), parts)


def _title(line: ShownLine) -> str | None:
    """The cache that a line names; what the title of an unknown one says."""
    return line.text.removeprefix(_DLSW) if line.text.startswith(_DLSW) else None


def _cache(output: Output, block: Block) -> tuple[CacheKind, Reading[DlswEntry]]:
    title = _TITLE.fullmatch(block.head.text)
    if title is None:
        raise output.unknown(block.head)
    cache = _KINDS[title[1].lower(), title[2].lower()]
    rows = blocks_of((line for line in block.lines if not _HEAD.fullmatch(line.text)), _resource)
    if not rows.blocks and not rows.before:
        return cache, Reading(())

    def read(entry: Block) -> DlswEntry:
        row = _ROW.fullmatch(entry.head.text)
        if row is None:
            raise output.unknown(entry.head)
        draft = _Draft(cache, row, [row[4]] if row[4] else [], output.at(entry.head))
        for line in entry.lines:
            if not _PATH.fullmatch(line.text):
                raise output.unknown(line)
            draft.paths.append(line.text)
        return draft.freeze()

    return cache, read_blocks(output, Part.ROW, rows, read)


def _resource(line: ShownLine) -> str | None:
    row = _ROW.fullmatch(line.text)
    return None if row is None else row[1]


read_dlsw_reachability: Final = DlswReader("show dlsw reachability", _reachability)
