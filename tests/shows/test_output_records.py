"""A show output is one record: recognised, read and observed by nothing else."""

from collections.abc import Iterator

import pytest

from advisor.capture import commands, outputs
from advisor.capture.commands import known_words, spell_out
from advisor.capture.cuts import read_capture
from advisor.capture.outputs import Read, Sent, ShowOutput
from advisor.capture.sections import Origin
from advisor.shows.observations import Observations, TakenOutput
from advisor.shows.observe import observe, reader_of

RECORDS = [pytest.param(record, id=record.command) for record in outputs.OUTPUTS]
READS = [
    pytest.param(read, id=f"{record.command}: {read.field}")
    for record in outputs.OUTPUTS
    for read in record.reads
]
MADE_UP = ShowOutput(
    "show ring depths",
    opens=(r"Ring depths of \S+:",),
    other_layouts=("history",),
    reads=(Read("versions", "version:read_version"),),
)
PRINTED = """Ring depths of R1:
 Cisco IOS Software, 2800 Software (C2800NM-ADVIPSERVICESK9-M), Version 12.4(15)T1, RELEASE SOFTWARE
"""


def forget() -> None:
    for table in (outputs.outputs, outputs.openings, outputs.any_opening, commands.command_parts):
        table.cache_clear()


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The records with one more."""
    forget()
    with monkeypatch.context() as patched:
        patched.setattr(outputs, "OUTPUTS", (MADE_UP, *outputs.OUTPUTS))
        yield
    forget()


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("text", "file", "origin"),
    [
        pytest.param(f"r1#show ring depths\n{PRINTED}r1#\n", "r1.log", Origin.PROMPT, id="typed"),
        pytest.param(PRINTED, "r1.txt", Origin.CONTENT, id="by its first line"),
        pytest.param(
            PRINTED.partition("\n")[2].replace("Cisco IOS Software, ", "Software "),
            "r1_show_ring_depths.txt",
            Origin.FILE_NAME,
            id="by the name of its file",
        ),
    ],
)
def test_a_record_alone_makes_an_output_known(text: str, file: str, origin: Origin) -> None:
    (section,) = read_capture(text, file).sections
    assert (section.taken_for, section.origin) == ("show ring depths", origin)


@pytest.mark.usefixtures("made_up")
def test_a_record_alone_makes_an_output_observed() -> None:
    capture = read_capture(f"r1#show ring depths Serial0/0\n{PRINTED}r1#\n", "r1.log")
    seen = observe(capture.sections, "r1.log")
    assert [taken.command for taken in seen.taken if taken.is_read] == [
        "show ring depths Serial0/0"
    ]
    assert [version.version_text for version in seen.versions] == ["12.4(15)T1"]


@pytest.mark.usefixtures("made_up")
def test_a_word_of_another_layout_keeps_the_output_from_the_reader() -> None:
    capture = read_capture(f"r1#show ring depths history\n{PRINTED}r1#\n", "r1.log")
    (taken,) = observe(capture.sections, "r1.log").taken
    assert not taken.is_read


@pytest.mark.parametrize("read", READS)
def test_a_reader_and_its_field_exist(read: Read) -> None:
    assert callable(reader_of(read))
    assert read.field in Observations.__struct_fields__


def test_every_field_of_the_observations_is_filled_by_a_record() -> None:
    filled = {read.field for record in outputs.OUTPUTS for read in record.reads}
    of_every_section = {name for name in Observations.__struct_fields__ if name == "taken"}
    assert filled | of_every_section == set(Observations.__struct_fields__)
    assert TakenOutput.__name__ in str(Observations.__annotations__["taken"])


@pytest.mark.parametrize("record", RECORDS)
def test_a_command_is_spelled_out_and_completed_by_its_shortest_words(record: ShowOutput) -> None:
    words = record.command.split()
    assert spell_out(record.command) == record.command
    assert spell_out(record.command.replace("show ", "sh ", 1)) == record.command
    assert record.is_foreign or known_words(words) == len(words)


@pytest.mark.parametrize("record", RECORDS)
def test_what_a_record_names_has_a_record(record: ShowOutput) -> None:
    sent = record.sent or Sent()
    known = {other.command for other in outputs.OUTPUTS}
    assert {*record.opens_as, *sent.older, *sent.beside} <= known
    assert all(form.startswith(f"{record.command} ") for form in sent.forms)


def test_no_command_has_two_records() -> None:
    commands_of_records = [record.command for record in outputs.OUTPUTS]
    assert len(commands_of_records) == len(set(commands_of_records))
