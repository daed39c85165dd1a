"""What holds for the output of every command that is read: the records of `outputs.txt` name them.

A new reader is covered by its record; it needs an output in `fixtures/show`.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.cuts import read_capture
from advisor.capture.outputs import outputs
from advisor.capture.sections import SectionKind
from advisor.device.reading import read_source
from advisor.device.sources import source_of
from advisor.ios.syntax import Location
from advisor.settings import Settings
from advisor.shows.observations import TakenOutput
from advisor.shows.observe import observe
from advisor.shows.redact import redact_text
from tests.support.samples import Sample, samples

UNKNOWN: Final = "=frobnication of nine colours"
# Outputs with lines for people, or of every driver: what is not ours is passed over.
PASSES_OVER: Final = frozenset(
    ("show version", "show logging", "show cdp neighbors detail", "show controllers", "show dmvpn")
)
# Last lines of whole outputs, too: in another release, or where less is configured.
MAY_END: Final = re.compile(
    r"(?:TCP|IF) +\S+ +[A-Z_]+ .*"  # peers of DLSw without totals
    r"|Match: any.*|\d+ packets, \d+ bytes|\(pkts output.*|target shape rate .*|bandwidth (?:remaining .*|\d.*)"
    r"|no-buffer drops.*|Exp-weight.*|[\d/ -]+(?:BECN|yes)?"  # the last class of a policy
    r"|Bandwidth .*|Class class-default|CIR .*|Bc .*|Adapt to .*|Voice Adapt .*|cir .*"
    r"|priority .*|exceed-action .*|\(total queued.*"
    r"|Output queue size.*|fragment type .*|traffic shaping drops .*"  # of a circuit
    r"|Encapsulation.*|ARP type.*|\d+ maximum active.*|VC idle.*"  # of a subinterface
    r"|\d+ (?:packets|output|lost|babbles|unknown).*|Output \d+ broadcasts.*"  # of an interface
    r"|Input queue: .*|\d+ minute .*|\S+ is up, line protocol is up"  # an excerpt of it
    r"|\d+ failures .*|\d+ hits in cache.*|\d+ hits, \d+ (?:misses|fallbacks)|queue 3: .*"  # of a pool or a port
    r"|\d+ +frames processed via group cache"  # of a peer that is no border peer
    r"|Reserved Conversations .*|TOS: .*|Core \d+: .*|.*%CRYPTO-4-.*",
)

# The two shortest outputs of a command, and one that was filtered.
_FEW: Final = 2
_DEEPEST: Final = 20
EACH: Final = [
    pytest.param(sample, id=str(sample), marks=() if rank < _FEW else pytest.mark.slow)
    for _, group in groupby(samples(), key=lambda sample: sample.output.command)
    for rank, sample in enumerate(group)
]


SHORT: Final = [each for each in EACH if not each.marks]


def look(sample: Sample, text: str) -> tuple[dict[str, Any], tuple[TakenOutput, ...]]:
    """The observations of a log with this text behind the command, without places."""
    log = f"r1#{sample.typed}\n{text}"
    sections = read_capture(log, "log").sections
    seen = observe((part for part in sections if part.kind is SectionKind.SHOW), "log")
    return without_places(msgspec.to_builtins(seen)), seen.taken


def without_places(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: without_places(each)
            for key, each in value.items()
            if key != "taken" and not (isinstance(each, dict) and each.keys() == {"file", "line"})
        }
    return list(map(without_places, value)) if isinstance(value, list | tuple) else value


def whole(sample: Sample) -> dict[str, Any]:
    seen, taken = look(sample, "\n".join((*sample.lines, "r1#\n")))
    assert taken, "the output is not found"
    assert [said for output in taken for said in output.not_understood] == []
    return seen


def is_said(taken: tuple[TakenOutput, ...]) -> bool:
    return not taken or not all(output.understood and output.is_read for output in taken)


def begins(seen: Any, as_whole: Any) -> bool:
    """Whether a reading is one of the whole output that ends early, with no value changed."""
    if isinstance(seen, dict):
        return isinstance(as_whole, dict) and all(
            begins(each, as_whole.get(key)) for key, each in seen.items()
        )
    if isinstance(seen, list):
        return (
            isinstance(as_whole, list)
            and len(seen) <= len(as_whole)
            and all(map(begins, seen, as_whole))
        )
    return bool(seen == as_whole)


def lost_of(seen: dict[str, Any], as_whole: dict[str, Any]) -> Iterator[int]:
    """How many parts each field lost; an aggregated operation has a record for each hour."""
    for field, records in as_whole.items():
        lost = [record for record in records if record not in seen.get(field, [])]
        yield len({record.get("number", place) for place, record in enumerate(lost)})


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def seen_in(log: str) -> dict[str, Any]:
    seen = read_source(source_of("log", log.encode()), Settings()).device.seen
    assert seen.taken
    read: dict[str, Any] = without_places(msgspec.to_builtins(seen))
    return read


# What people type, and the numbers of boxes.
NAMES: Final = frozenset(("description", "board_id", "reload_reason", "returned_to_rom_by", "text"))


def without_names(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_names(each) for key, each in value.items() if key not in NAMES}
    return list(map(without_names, value)) if isinstance(value, list) else value


def test_every_reader_has_an_output() -> None:
    read = {read.reader for sample in samples() for read in sample.output.reads}
    assert {read.reader for output in outputs().values() for read in output.reads} <= read


@pytest.mark.parametrize("sample", EACH)
def test_an_unknown_line_costs_one_part_and_is_said(sample: Sample) -> None:
    if sample.is_filtered or sample.output.command in PASSES_OVER:
        return
    as_whole = whole(sample)
    wrong = []
    for row in range(1, len(sample.lines)):
        near = sample.lines[row]
        # far right it may be the rest of a cell
        line = " " * min(indent(near), _DEEPEST if near.strip() else 0) + UNKNOWN
        text = "\n".join((*sample.lines[:row], line, *sample.lines[row:], "r1#\n"))
        seen, taken = look(sample, text)
        if not is_said(taken):
            wrong.append((row, "not said"))
        # as far left as all else it may be the head of another part
        is_inside = line.index(UNKNOWN) > min(map(indent, filter(str.strip, sample.lines)))
        if max(lost_of(seen, as_whole), default=0) > 1 and is_inside:
            wrong.append((row, "more than one part is lost"))
    assert wrong == []


@pytest.mark.parametrize("sample", EACH)
def test_an_output_cut_at_a_line_is_read_or_said_to_be_cut(sample: Sample) -> None:
    as_whole = whole(sample)
    wrong = []
    for row in range(1, len(sample.lines)):
        last = "\n".join(sample.lines[:row]).strip().rpartition("\n")[2].strip()
        seen, taken = look(sample, "\n".join((*sample.lines[:row], "")))
        if not (is_said(taken) or begins(seen, as_whole) or MAY_END.fullmatch(last)):
            wrong.append((row, last))
    assert wrong == []


@pytest.mark.parametrize("sample", EACH)
def test_an_output_cut_inside_a_line_keeps_the_parts_above(sample: Sample) -> None:
    as_whole = whole(sample)
    wrong = []
    for row, line in enumerate(sample.lines):
        part = line[: (len(line) + indent(line)) // 2]
        seen, taken = look(sample, "\n".join((*sample.lines[:row], part)))
        ahead = {field: records[:-1] for field, records in seen.items()}
        if not begins(ahead, as_whole) and not is_said(taken):
            wrong.append((row, part))
    assert wrong == []


@pytest.mark.parametrize("sample", EACH)
@pytest.mark.parametrize("margin", ["    ", "> ", "\t"], ids=["indented", "quoted", "tabbed"])
def test_an_output_reads_the_same_indented_or_quoted(sample: Sample, margin: str) -> None:
    log = "\n".join((f"r1#{sample.typed}", *sample.lines, "r1#"))
    moved = "".join(f"{margin}{line}\n" for line in log.split("\n"))
    assert seen_in(moved) == seen_in(f"{log}\n")


@pytest.mark.parametrize("sample", EACH)
def test_a_masked_output_reads_the_same(sample: Sample) -> None:
    log = "\n".join((f"r1#{sample.typed}", *sample.lines, "r1#\n"))
    masked = redact_text(log, "log")
    assert without_names(seen_in(masked)) == without_names(seen_in(log))


quickly = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))


def beyond(sample: Sample, text: str) -> list[int]:
    """Lines that a reading names and the text has not. That it ends is the rest of the property."""
    _, taken = look(sample, text)
    rows = text.count("\n") + 2
    return [output.at.line for output in taken if not 1 <= output.at.line <= rows]


@pytest.mark.parametrize("sample", SHORT)
@quickly
@given(st.data())
def test_an_output_cut_off_anywhere(sample: Sample, data: st.DataObject) -> None:
    text = "\n".join(sample.lines)
    start = data.draw(st.integers(0, len(text)))
    assert beyond(sample, text[start : data.draw(st.integers(start, len(text)))]) == []


@pytest.mark.parametrize("sample", SHORT)
@quickly
@given(st.data())
def test_an_output_with_lines_lost_doubled_or_swapped(sample: Sample, data: st.DataObject) -> None:
    picked = data.draw(st.lists(st.sampled_from(sample.lines), max_size=2 * len(sample.lines)))
    assert beyond(sample, "\n".join(picked)) == []


@pytest.mark.parametrize("sample", SHORT)
@quickly
@given(st.data())
def test_an_output_with_characters_overwritten(sample: Sample, data: st.DataObject) -> None:
    characters = list("\n".join(sample.lines))
    for _ in range(data.draw(st.integers(1, 6))):
        position = data.draw(st.integers(0, len(characters) - 1))
        characters[position] = data.draw(st.sampled_from("0-9 /:%,()*#\tx\b\r\n\x85é²"))
    assert beyond(sample, "".join(characters)) == []


@pytest.mark.parametrize("sample", EACH)
def test_line_ends_and_trailing_blanks_change_nothing(sample: Sample) -> None:
    assert look(sample, "  \r\n".join((*sample.lines, "r1#\n")))[0] == whole(sample)


@pytest.mark.parametrize("sample", EACH)
def test_the_first_line_shifts_every_location(sample: Sample) -> None:
    text = "\n".join((*sample.lines, ""))

    def places(log: str) -> list[int]:
        seen = read_source(source_of("log", log.encode()), Settings()).device.seen
        return [place.line for place in places_of(replace(seen, taken=()))]

    log = f"r1#{sample.typed}\n{text}r1#\n"
    assert places("\n" * 7 + log) == [line + 7 for line in places(log)]


def places_of(value: object) -> Iterator[Location]:
    if isinstance(value, Location):
        yield value
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from places_of(getattr(value, name))
    elif isinstance(value, tuple):
        for each in value:
            yield from places_of(each)
