"""`show controllers`: the transmit ring of a serial or LAN interface, and its cable.

Sources: ipSpace "FIFO Queuing" (2811, GT96K), printouts of PowerQUICC WICs, and the Cisco IOS
Interface and Hardware Component Command Reference, `show controllers serial` (HD64570, CD2430).

The rest of the output dumps the registers of the chip, and every chip has its own form. The reader
skips the dump. It must know only the lines that hold one of its words.
"""

import re
from typing import Final

from msgspec import Struct

from advisor.ios.exec.prompts import prompt_of
from advisor.ios.syntax.tree import Location
from advisor.shows.figures import count
from advisor.shows.indent import ShownLine
from advisor.shows.output import Output

_EXPECTED: Final = "show controllers of an interface with a transmit ring"


class Controller(Struct, frozen=True):
    """The state of one interface, as its driver prints it.

    `ring_packets` is the length of the transmit ring in force. `is_ring_shortened` is the digit
    before it: it is set if IOS shortened the ring for a software queue. On some LAN interfaces it
    stays clear for a length that the user set. `ring_entries` counts the listed descriptors of
    the hardware ring. `cable` is `DCE` or `DTE`; `clock_rate_bps` is the clock of a DCE.
    """

    interface: str | None
    hardware: str | None
    cable: str | None
    cable_type: str | None
    clock_rate_bps: int | None
    is_ring_shortened: bool | None
    ring_packets: int | None
    ring_entries: int | None
    at: Location


_HEADS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"Interface (?P<interface>[A-Z](?>[\w-]*\d)[\w/:.]*)",
        r"(?P<hardware>CD24\d0) Slot \d+, Port \d+, Controller \d+, Channel \d+, Revision \d+",
        r"(?P<hardware>HD) unit \d+, idb = 0x[0-9A-Fa-f]+, driver structure at 0x[0-9A-Fa-f]+",
    )
)
_FACTS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"Hardware is (?P<hardware>.+)",
        r"(?:.*\b)?tx_limited\s*=\s*(?P<flag>\d)\((?P<ring>\d+)\)(?:[, ].*)?",
        r"(?P<cable>DCE) (?P<cable_type>[\w./-]+?),? (?:clock ?rate (?P<clock>\d+)|no clock)",
        (
            r"(?P<cable>DTE) (?P<cable_type>[\w./-]+?)"
            r"(?:,? (?:(?:TX and RX )?clocks? (?:stopped|detected)\.?|(?:TX|RX) clock.*)"
            r"|idb at .*)?"
        ),
        r"No (?:serial )?cable(?: attached)?|No DTE/DCE cable.*|cable type : .*",
        (
            r"(?:idb 0x[0-9A-Fa-f]+, )?buffer size \d+(?:,| ) ?(?:HD unit \d+, )?"
            r"(?P<cable_type>[\w./-]+) (?P<cable>DCE|DTE) cable(?:, clockrate (?P<clock>\d+))?"
        ),
    )
)
_WORDS: Final = re.compile(
    r".*\btx_limited\b|Hardware is |D[CT]E \S|No .*cable|.* D[CT]E cable|Interface [A-Z]"
)
_DESCRIPTOR: Final = re.compile(r"tmd\([0-9A-Fa-f]+\): ")
_TYPED: Final = re.compile(r"sh\w*\s+cont\w*\s+(\S+(?:\s+\d\S*)?)", re.IGNORECASE)


class _Draft:
    def __init__(self, at: Location) -> None:
        self.at = at
        self.fields: dict[str, str] = {}
        self.descriptors = 0


def read_controllers(text: str, file: str, first_line: int = 1) -> tuple[Controller, ...]:
    """Controllers of a `show controllers [serial X]` output, in order.

    If a filter kept only the line of the ring (`| include tx_limited`), the interface is the one
    in the typed command.

    Raises
    ------
    LayoutError
        If the output does not begin with a controller of this kind (T1, VDSL and IOS XE print
        other layouts), and at an unknown line about the ring or the cable.
    """
    output = Output(text, file, first_line, _EXPECTED)
    drafts: list[_Draft] = []
    for line in output.lines():
        head = _head(line)
        if head is not None:
            drafts.append(_Draft(output.at(line)))
            drafts[-1].fields.update(head)
            continue
        facts = _facts(line, output)
        if not drafts:
            if facts is None or "ring" not in facts:
                raise output.unknown(line)
            drafts.append(_Draft(output.at(line)))
            drafts[-1].fields["interface"] = _typed_interface(text)
        drafts[-1].fields.update(facts or {})
        drafts[-1].descriptors += bool(_DESCRIPTOR.match(line.text))
    if not drafts:
        raise output.nothing()
    return tuple(_controller(draft) for draft in drafts)


def _head(line: ShownLine) -> dict[str, str] | None:
    return _matched(_HEADS, line)


def _facts(line: ShownLine, output: Output) -> dict[str, str] | None:
    """Return the facts of a line; None for a line of the dump."""
    if not _WORDS.match(line.text):
        return None
    facts = _matched(_FACTS, line)
    if facts is None:
        raise output.unknown(line)
    return facts


def _matched(patterns: tuple[re.Pattern[str], ...], line: ShownLine) -> dict[str, str] | None:
    for pattern in patterns:
        match = pattern.fullmatch(line.text)
        if match is not None:
            return {key: text for key, text in match.groupdict().items() if text is not None}
    return None


def _typed_interface(text: str) -> str:
    for line in text.splitlines():
        prompt = prompt_of(line.strip())
        typed = _TYPED.match(prompt.command if prompt else line.strip())
        if typed is not None:
            return "".join(typed[1].split())
    return ""


def _controller(draft: _Draft) -> Controller:
    get = draft.fields.get
    flag = get("flag")
    return Controller(
        interface=get("interface") or None,
        hardware=get("hardware"),
        cable=get("cable"),
        cable_type=get("cable_type"),
        clock_rate_bps=count(get("clock")),
        is_ring_shortened=None if flag is None else flag != "0",
        ring_packets=count(get("ring")),
        ring_entries=draft.descriptors or None,
        at=draft.at,
    )
