"""Lines of `show interfaces` to the raw fields of an interface; `lines.txt` has the lines."""

import re
from typing import Final

from advisor.ios.grammar import layout
from advisor.shows.interfaces import take_queue_line

_LAYOUT: Final = layout("shows/interfaces/lines.txt")
HEADER: Final = _LAYOUT.part("HEADER")
_LINES: Final = {
    word: pattern
    for words, pattern in _LAYOUT.patterns("lines", re.IGNORECASE).items()
    for word in words.split()
}
COUNTERS: Final = _LAYOUT.fields("counters")
_UNUSED: Final = _LAYOUT.any_of("unused", re.IGNORECASE)
_FIRST_WORD: Final = re.compile(r"[a-z]+:?", re.IGNORECASE)
_RATE: Final = re.compile(
    r"(?P<interval>\d+) (?P<unit>second|minute)s? (?P<way>input|output) rate (?P<bps>-?\d+) "
    r"bits/sec, (?P<pps>-?\d+) packets/sec"
)

_SIGNALS: Final = re.compile(r"(?<!\s)\s+DCD=.*")
_COUNTER: Final = re.compile(r"(-?\d+)\s+([A-Za-z].*)")
_BROADCASTS: Final = re.compile(r"(?:Received|Output) -?\d+ broadcasts")
_MULTICASTS: Final = re.compile(r"((?<!\d)-?\d+ broadcasts)\s*\((-?\d+) (?:IP )?multicasts?\)")


def take_line(body: str, fields: dict[str, str]) -> bool:
    """Add the figures of one line to the raw fields of its interface; False if it is unknown."""
    if body[0] in "-0123456789":
        return (
            _take_rate(body, fields)
            or _take_counters(body, fields)
            or take_queue_line(body, fields)
            or _is_unused(body)
        )
    if _BROADCASTS.match(body) and _take_broadcasts(body, fields):
        return True
    word = _FIRST_WORD.match(body)
    pattern = _LINES.get(word[0].lower()) if word else None
    match = pattern.fullmatch(body) if pattern else None
    if match is not None:
        fields.update((key, text) for key, text in match.groupdict().items() if text is not None)
        return True
    return take_queue_line(body, fields) or _is_unused(body)


def _is_unused(body: str) -> bool:
    return _UNUSED.match(body) is not None


def _take_rate(body: str, fields: dict[str, str]) -> bool:
    match = _RATE.fullmatch(body)
    if match is None:
        return False
    way = match["way"]
    fields[f"{way}_interval"] = match["interval"]
    fields[f"{way}_interval_unit"] = match["unit"]
    fields[f"{way}_bps"] = match["bps"]
    fields[f"{way}_pps"] = match["pps"]
    return True


def _take_broadcasts(body: str, fields: dict[str, str]) -> bool:
    """Read the broadcast line: 12.x adds the runts to it, 15.x the multicasts."""
    way, _, counters = body.partition(" ")
    counters = _MULTICASTS.sub(r"\1", counters)
    if way == "Output":
        return re.fullmatch(r"-?\d+ broadcasts", counters) is not None
    return _take_counters(counters, fields)


def _take_counters(body: str, fields: dict[str, str]) -> bool:
    """Read `12 packets input, 3400 bytes, 0 no buffer`; modem signals may follow on the line."""
    counters: dict[str, str] = {}
    for part in _SIGNALS.sub("", body).rstrip(",").split(","):
        match = _COUNTER.fullmatch(part.strip())
        if match is None:
            return False
        value, name = match[1], match[2].strip()
        key = COUNTERS.get(name)
        if key is None:
            return False
        if key == "bytes":
            key = "output_bytes" if "output_packets" in counters else "input_bytes"
        if key:
            counters[key] = value
    fields.update(counters)
    return True
