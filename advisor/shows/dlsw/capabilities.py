"""`show dlsw capabilities`: what each peer told of itself when it connected.

Source: Cisco IOS Bridging and IBM Networking Command Reference 12.2, `show dlsw capabilities`; the
layout is recalled. All lines are `name : value`, so that a name not listed here is kept, not lost.
"""

import re
from typing import Final

from msgspec import Struct, field

from advisor.ios.syntax.tree import Location
from advisor.shows.dlsw.records import DlswCapabilities
from advisor.shows.output import Output
from advisor.units import whole

_EXPECTED: Final = "show dlsw capabilities"
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


def read_dlsw_capabilities(
    text: str, file: str, first_line: int = 1
) -> tuple[DlswCapabilities, ...]:
    """Read the capabilities of each peer in the output.

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
    for line in output.lines():
        head = _HEAD.fullmatch(line.text)
        if head is not None:
            is_local = line.text.lower().startswith(_LOCAL_HEAD)
            drafts.append(_Draft("local" if is_local else head[1], output.at(line)))
        elif not drafts or not _is_known(line.text, drafts[-1]):
            raise output.unknown(line)
    if not drafts:
        raise output.nothing()
    return tuple(draft.freeze() for draft in drafts)


def _is_known(line: str, draft: _Draft) -> bool:
    if draft.is_in_version:
        draft.version.append(line)
        return True
    setting = _SETTING.fullmatch(line)
    if setting is None:
        return False
    name, value = setting[1].lower(), setting[2].strip()
    if name == _VERSION:
        draft.is_in_version = True
        draft.version += [value] if value else []
    else:
        draft.settings[name] = value
    return True
