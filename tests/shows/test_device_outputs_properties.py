"""Whatever happens to an output on its way: it is read or declined, never a crash, never empty."""

from collections.abc import Callable, Sized
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.capture.outputs import outputs
from advisor.capture.transcript import transcript
from advisor.shows.observe import reader_of
from advisor.shows.output import LayoutError, OutputReading
from advisor.shows.queueing.show_queue import read_queue
from tests.shows.test_every_reader import by_folder
from tests.support.readers import (
    read_atm_circuits,
    read_controllers,
    read_cpu_processes,
    read_fair_queueing,
    read_interfaces,
    read_queueing_interface,
    read_random_detect,
    read_version,
    whole,
)

pytestmark = pytest.mark.slow


def read_queueing(text: str, file: str, first_line: int = 1) -> object:
    """Both parts: a head without a row is an output, too."""
    parts = (read_fair_queueing, read_random_detect)
    return [read(text, file, first_line) for read in parts]


def heads_and_rows(read: Callable[..., OutputReading[Any]]) -> Callable[..., object]:
    """A reader for which a head without a row is an output, too."""
    return lambda text, file, first_line=1: [whole(read)(text, file, first_line)]


SHOW = Path(__file__).parents[2] / "fixtures" / "show"
OF_THEIR_OWN = {  # a row each in READERS, or properties in a file of their own
    *("show policy-map interface", "show policy-map", "show queueing", "show queue"),
    *("show interfaces", "show processes cpu", "show version"),
}
READERS: dict[str, Callable[[str, str], object]] = {
    "interfaces/11*": read_interfaces,
    "interfaces/12*": read_interfaces,
    "interfaces/xe*": read_interfaces,
    "controllers_serial/*": read_controllers,
    "queueing/*-interface-*": read_queueing_interface,
    "queueing/12.4-fair": read_queueing,
    "queueing/*random-detect*": read_queueing,
    "queueing/*-all": read_queueing,
    "queue/*": read_queue,
    "processes_cpu/*table": read_cpu_processes,
    "processes_cpu/*sorted": read_cpu_processes,
    "version/*": read_version,
    # an output in a folder of the name of its command
    **{
        f"{file.partition('/')[0]}/*": heads_and_rows(reader_of(outputs()[command].reads[0]))
        for command, (file, _) in by_folder().items()
        if command not in OF_THEIR_OWN
    },
    "atm_vc/*": read_atm_circuits,
    "atm_pvc/*": read_atm_circuits,
}
OUTPUTS = [
    pytest.param(reader, transcript(path.read_text("utf-8")), id=f"{path.parent.name}/{path.stem}")
    for pattern, reader in READERS.items()
    for path in sorted(SHOW.glob(f"{pattern}.txt"))
]
quickly = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def breaches(reader: Callable[[str, str], object], text: str) -> list[str]:
    """What is wrong where an output is neither read with something in it nor declined at its line."""
    try:
        reading = reader(text, "f")
    except LayoutError as refusal:
        lines = len(text.split("\n"))
        return (
            []
            if 1 <= refusal.at.line <= lines
            else [f"declined at line {refusal.at.line} of {lines}"]
        )
    is_empty = isinstance(reading, Sized) and not len(reading)
    return ["read as nothing"] if is_empty else []


@pytest.mark.parametrize(("reader", "text"), OUTPUTS)
@quickly
@given(st.data())
def test_an_output_cut_off_anywhere(
    reader: Callable[[str, str], object], text: str, data: st.DataObject
) -> None:
    assert breaches(reader, text[: data.draw(st.integers(0, len(text)))]) == []


@pytest.mark.parametrize(("reader", "text"), OUTPUTS)
@quickly
@given(st.data())
def test_an_output_with_lines_lost_doubled_or_swapped(
    reader: Callable[[str, str], object], text: str, data: st.DataObject
) -> None:
    lines = text.splitlines(keepends=True)
    picked = data.draw(st.lists(st.sampled_from(lines), max_size=2 * len(lines)))
    assert breaches(reader, "".join(picked)) == []


@pytest.mark.parametrize(("reader", "text"), OUTPUTS)
@quickly
@given(st.data())
def test_an_output_with_characters_overwritten(
    reader: Callable[[str, str], object], text: str, data: st.DataObject
) -> None:
    characters = list(text)
    for _ in range(data.draw(st.integers(1, 6))):
        position = data.draw(st.integers(0, len(characters) - 1))
        characters[position] = data.draw(st.sampled_from("0-9 /:%,()*#\tx\b\r\n\x85é²"))
    assert breaches(reader, "".join(characters)) == []


@pytest.mark.parametrize(("reader", "text"), OUTPUTS)
def test_line_ends_and_trailing_blanks_change_nothing(
    reader: Callable[[str, str], object], text: str
) -> None:
    assert reader(text.replace("\n", "  \r\n"), "f") == reader(text, "f")


@pytest.mark.parametrize(("reader", "text"), OUTPUTS)
def test_the_first_line_shifts_every_location(
    reader: Callable[[str, str], object], text: str
) -> None:
    def shifted(text: str) -> object:
        return reader("\n" * 7 + text, "f")

    assert shifted(text) != reader(text, "f")
    by_argument: Callable[..., object] = reader
    assert shifted(text) == by_argument(text, "f", 8)
