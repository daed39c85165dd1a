"""`show dlsw capabilities`: the capabilities that each peer sent when it connected.

Source: Cisco IOS Bridging and IBM Networking Command Reference 12.2, `show dlsw capabilities`; the
layout is recalled. All lines are `name : value`. A name that is not listed here is kept, not lost.
"""

import re
from typing import Final

from msgspec import Struct, field

from advisor.ios.syntax.tree import Location
from advisor.shows.blocks import Block, blocks_of, read_blocks
from advisor.shows.dlsw.reader import DlswReader
from advisor.shows.dlsw.records import DlswCapabilities
from advisor.shows.indent import ShownLine
from advisor.shows.layout import Part, Reading
from advisor.shows.output import Output
from advisor.units import whole

_HEAD: Final = re.compile(r"DLSw: Capabilities for (?:local )?peer\s+(\S+)", re.IGNORECASE)
_LOCAL_HEAD: Final = "dlsw: capabilities for local peer"
_SETTING: Final = re.compile(r"([A-Za-z][^:]{1,60}?)\s*:\s*(.*)")
_VERSION: Final = "version string"
_ANSWERS: Final = {"yes": True, "no": False}
_WHOLE: Final = re.compile("[0-9]{1,9}")


class _Draft(Struct):
    peer: str
    at: Location
    settings: dict[str, str] = field(default_factory=dict)
    version: list[str] = field(default_factory=list)
    is_in_version: bool = False

    def take(self, line: str) -> bool:
        if self.is_in_version:
            self.version.append(line)
            return True
        setting = _SETTING.fullmatch(line)
        if setting is None:
            return False
        name, value = setting[1].lower(), setting[2].strip()
        if name == _VERSION:
            self.is_in_version = True
            self.version += [value] if value else []
        else:
            self.settings[name] = value
        return True

    def freeze(self) -> DlswCapabilities:
        return DlswCapabilities(
            peer=self.peer,
            init_pacing_frames=self._number("init pacing window"),
            tcp_sessions=self._number("num of tcp sessions"),
            peer_cost=self._number("peer cost"),
            is_border_peer=_ANSWERS.get(self.settings.get("border peer capable", "").lower()),
            has_local_ack=_ANSWERS.get(self.settings.get("local-ack configured", "").lower()),
            has_priority=_ANSWERS.get(self.settings.get("priority configured", "").lower()),
            settings=tuple(self.settings.items()),
            version="\n".join(self.version),
            at=self.at,
        )

    def _number(self, name: str) -> int | None:
        value = self.settings.get(name, "")
        return whole(value) if _WHOLE.fullmatch(value) else None


def _capabilities(output: Output) -> Reading[DlswCapabilities]:
    def read(block: Block) -> DlswCapabilities:
        draft = _Draft(block.name, output.at(block.head))
        for line in block.lines:
            if not draft.take(line.text):
                raise output.unknown(line)
        return draft.freeze()

    return read_blocks(output, Part.PEER, blocks_of(output.lines(), _peer), read)


def _peer(line: ShownLine) -> str | None:
    head = _HEAD.fullmatch(line.text)
    if head is None:
        return None
    return "local" if line.text.lower().startswith(_LOCAL_HEAD) else head[1]


read_dlsw_capabilities: Final = DlswReader("show dlsw capabilities", _capabilities)
