"""`ip sla N`, `ip sla monitor N` and `rtr N` to SlaProbe."""

from itertools import pairwise
from typing import Final

from msgspec import Struct, field

from advisor.facts.ranges import SLA_MS, SLA_PACKETS, SLA_S
from advisor.facts.read_words import GrammarError, Words
from advisor.facts.sla import SlaProbe
from advisor.facts.stated import Stated
from advisor.ios.syntax.tree import Line, Location
from advisor.units import whole

_MAX_NUMBER: Final = 2**31
_MAX_TOS: Final = 255
_MAX_BYTES: Final = 65535
_MAX_PORT: Final = 65535
# `type …` of 12.x and its name in `ip sla` of 12.4(4)T and later.
_OLD_TYPES: Final = {
    "echo": "icmp-echo",
    "icmpecho": "icmp-echo",
    "jitter": "udp-jitter",
    "udpecho": "udp-echo",
    "tcpconnect": "tcp-connect",
    "pathecho": "path-echo",
    "pathjitter": "path-jitter",
}
_OPERATION_NAMES: Final = (
    "icmp-echo icmp-jitter path-echo path-jitter udp-echo udp-jitter tcp-connect http https ftp "
    "dns dhcp dlsw frame-relay voip mpls ethernet lsp video"
)
_OPERATIONS: Final = frozenset(_OPERATION_NAMES.split())
_WITH_PORT: Final = frozenset(("udp-echo", "udp-jitter", "tcp-connect"))


class SlaDraft(Struct):
    """A probe while its lines are read."""

    number: int
    at: Location
    operation: str | None = None
    destination: str | None = None
    destination_port: int | None = None
    timeout_ms: Stated[float] | None = None
    threshold_ms: Stated[float] | None = None
    frequency_s: Stated[float] | None = None
    tos: Stated[int] | None = None
    request_bytes: Stated[int] | None = None
    packets: int | None = None
    interval_ms: float | None = None
    codec: str | None = None
    codec_bytes: int | None = None
    options: list[Stated[str]] = field(default_factory=list)

    def freeze(self) -> SlaProbe:
        return SlaProbe(
            self.number,
            self.operation,
            self.destination,
            self.destination_port,
            self.timeout_ms,
            self.threshold_ms,
            self.frequency_s,
            self.tos,
            self.request_bytes,
            self.packets,
            self.interval_ms,
            self.codec,
            self.codec_bytes,
            tuple(self.options),
            self.at,
        )


def read_probe(line: Line, drafts: dict[int, SlaDraft], file: str) -> None:
    """Read the section of one probe; `ip sla schedule`, `responder` and others open none."""
    at = Location(file, line.number)
    head = Words(line, at)
    if head.accept("ip"):
        head.expect("sla")
        head.accept("monitor")
    else:
        head.expect("rtr")
    try:
        number = head.whole(0, _MAX_NUMBER)
        head.end()
    except GrammarError:
        return
    draft = drafts.setdefault(number, SlaDraft(number, at))
    for child in line.walk():
        if child is not line and child.is_command:
            _read_line(draft, child, Location(file, child.number))


def _read_line(draft: SlaDraft, line: Line, at: Location) -> None:
    words = Words(line, at)
    try:
        if _read_setting(draft, words):
            return
    except GrammarError:
        pass  # a value that IOS would refuse: kept with the options, as text
    draft.options.append(Stated(line.text, at))


def _read_setting(draft: SlaDraft, words: Words) -> bool:
    """Whether the line sets a field of the probe."""
    keyword = words.take().lower()
    if words.negated:
        return False
    if keyword == "type":
        _read_operation(draft, _old_type(words), words)
    elif keyword in _OPERATIONS:
        _read_operation(draft, keyword, words)
    elif keyword == "timeout":
        draft.timeout_ms = _stated(words, SLA_MS.high)
    elif keyword == "threshold":
        draft.threshold_ms = _stated(words, SLA_MS.high)
    elif keyword == "frequency":
        draft.frequency_s = _stated(words, SLA_S.high)
    elif keyword == "tos":
        draft.tos = words.stated_whole(0, _MAX_TOS)
    elif keyword in ("request-data-size", "request-size"):
        draft.request_bytes = words.stated_whole(0, _MAX_BYTES)
    else:
        return False
    return True


def _stated(words: Words, highest: int) -> Stated[float] | None:
    whole = words.stated_whole(0, highest)
    return None if whole is None else Stated(float(whole.value), words.at)


def _old_type(words: Words) -> str:
    word = words.take().lower()
    if words.accept("protocol"):
        words.take()  # ipIcmpEcho
    return _OLD_TYPES.get(word, word)


def _read_operation(draft: SlaDraft, operation: str, words: Words) -> None:
    draft.operation = operation
    words_left = words.rest()
    values = dict(pairwise(words_left))
    draft.destination = values.get("dest-ipaddr") or values.get("target-addr")
    port = values.get("dest-port")
    if draft.destination is None and words_left:
        draft.destination = (
            words_left[1] if words_left[0] in ("get", "operation", "raw") else words_left[0]
        )
        if operation in _WITH_PORT and len(words_left) > 1:
            port = words_left[1]
    draft.destination_port = _number(port, _MAX_PORT)
    packets = values.get("num-packets") or values.get("codec-numpackets")
    draft.packets = _number(packets, SLA_PACKETS.high)
    interval = values.get("interval") or values.get("codec-interval")
    draft.interval_ms = _number(interval, SLA_MS.high)
    draft.codec = values.get("codec")
    draft.codec_bytes = _number(values.get("codec-size"), _MAX_BYTES)


def _number(word: str | None, highest: int) -> int | None:
    if word is None or not (word.isdecimal() and word.isascii() and len(word) <= len(str(highest))):
        return None
    return whole(word) if whole(word) <= highest else None
