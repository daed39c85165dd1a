"""Lines that fit a terminal, and excerpts with the words that are wrong marked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from advisor.lint.findings import Level, Place, Remedy
from advisor.report import all_printable, lint_text
from advisor.report.lint_text import excerpt_lines
from advisor.report.terminal import RenderOptions, Style, Verbatim, columns_of, wrapped
from tests.report.test_report_renderers import CLEAN, RING

WORDS = st.text(alphabet="ab→漢é\u0301 \t", max_size=60)


@given(WORDS, st.integers(20, 80))
def test_no_word_is_lost_cut_or_beyond_the_width(line: str, width: int) -> None:
    parts = list(wrapped([line], width))

    assert [word for part in parts for word in part.split(" ") if word] == [
        word for word in line.split(" ") if word
    ]
    for part in parts:
        assert columns_of(part) <= width or " " not in part.strip(" ")


def test_a_number_stays_with_its_unit() -> None:
    line = "delay of VOICE: 69 ms (30.1 ms to 247 ms), 5 packets"
    for width in range(20, 60):
        parts = [part.strip() for part in wrapped([line], width)]
        assert not any(part.startswith(("ms", "packets")) for part in parts)


@pytest.mark.parametrize("width", [None, 200])
def test_a_line_that_fits_stays_as_it_is(width: int | None) -> None:
    line = "  two  spaces   stay "
    assert list(wrapped([line], width)) == [line]


def test_a_command_is_never_wrapped() -> None:
    command = Verbatim("  snmp-server host 192.0.2.1 traps version 2c public")
    assert list(wrapped([command], 20)) == [command]


def test_colour_takes_no_columns() -> None:
    assert columns_of(f"{Style(color=True).bold('abc')} d") == 5


def test_a_report_with_colour_wraps_as_one_without() -> None:
    def shown(*, color: bool) -> list[int]:
        report = lint_text.render(replace(CLEAN, findings=(RING,)), RenderOptions(Style(color, 60)))
        return [columns_of(line) for line in report.splitlines()]

    assert shown(color=True) == shown(color=False)
    assert max(shown(color=False)) <= 60


def excerpt(line: str, now: str | None, width: int | None = None) -> list[str]:
    """The marked line of a finding, and its mark."""
    head = "interface Serial0/0"
    remedy = Remedy(Level.MANUAL, advice="see explain")
    if now is not None:
        remedy = Remedy(Level.SAFE, (head, f" {now}"), (head, f" {line}"))
    finding = replace(RING, locations=(Place("r1.cfg", 7, line),), remedy=remedy)
    shown = [str(each) for each in excerpt_lines(all_printable(finding), Style(width=width))]
    (row,) = [row for row, each in enumerate(shown) if each.startswith("7 | ")]
    return [each[4:] for each in shown[row : row + 2]]


@pytest.mark.parametrize(
    ("line", "now", "mark"),
    [
        pytest.param(
            "tx-ring-limit 10", "tx-ring-limit 1", "              ^^", id="a value that is replaced"
        ),
        pytest.param(
            "random-detect dscp af21 24 40 10",
            "random-detect dscp af21 30 50 10",
            "                        ^^^^^",
            id="two values, the last one stays",
        ),
        pytest.param("shutdown", "no shutdown", "^^^^^^^^", id="a line that is removed"),
        pytest.param("fair-queue", "bandwidth 5", "^^^^^^^^^^", id="another command instead"),
        pytest.param("priority 128", None, "^^^^^^^^^^^^", id="no lines to paste"),
        pytest.param("fair-queue", "fair-queue 32", "^^^^^^^^^^", id="a value is added"),
    ],
)
def test_words_that_the_remedy_replaces_are_marked(line: str, now: str | None, mark: str) -> None:
    assert excerpt(line, now) == [line, mark]


def test_a_tab_in_a_line_shifts_the_mark() -> None:
    assert excerpt("tx-ring-limit\t10", None) == ["tx-ring-limit    10", "^" * 19]


def test_a_wide_character_takes_two_columns_of_the_mark() -> None:
    assert excerpt("description 漢字", None)[1] == "^" * 16


@pytest.mark.parametrize("width", [60, 100])
def test_a_line_longer_than_the_terminal_is_cut_and_its_mark_is_shown(width: int) -> None:
    names = " ".join(f"af{number}" for number in range(60))
    line, mark = excerpt(f"match dscp {names} 10", f"match dscp {names} 1", width)

    assert len(line) <= width - 4
    assert line.startswith("…")
    assert line[len(mark) - 2 :] == "10"
    assert mark.strip() == "^^"
