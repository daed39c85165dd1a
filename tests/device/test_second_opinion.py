"""The reasons of differences, beside a parser that nests by columns as ciscoconfparse2 does.

What ciscoconfparse2 itself makes of the same texts is compared in its own environment, tests/oracle.
"""

from collections.abc import Sequence

import pytest
from msgspec import Struct

from advisor.device.second_opinion import Opinion, second_opinion
from advisor.device.second_reasons import Reason
from advisor.ios.syntax.reader import parse_config
from tests.support.second_opinions import DIFFERENCES


class Nested(Struct):
    """A line as ciscoconfparse2 has it: at the top it is its own parent."""

    linenum: int
    text: str
    parent: "Nested | None" = None


class ByColumn(Struct):
    """What is asked of a parse."""

    objs: list[Nested]


def nested(lines: Sequence[str]) -> ByColumn:
    """Every line under the nearest one before it that starts further left."""
    made: list[Nested] = []
    for number, text in enumerate(lines):
        line = Nested(number, text)
        column = len(text) - len(text.lstrip())
        above = (
            each
            for each in reversed(made)
            if each.text.strip(" !") and len(each.text) - len(each.text.lstrip()) < column
        )
        line.parent = next(above, line)
        made.append(line)
    return ByColumn(made)


def failing(lines: Sequence[str]) -> ByColumn:
    raise IndexError(lines[0])


@pytest.fixture(autouse=True)
def other_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.device.second_opinion.parsed", nested)


@pytest.mark.parametrize(("text", "reason", "numbers"), DIFFERENCES)
def test_a_difference_has_the_reason_that_its_lines_show(
    text: str, reason: Reason, numbers: list[int]
) -> None:
    differences = second_opinion(parse_config(text)).differences

    assert [each.number for each in differences if each.reason is reason] == numbers


def test_every_reason_has_a_text() -> None:
    assert {reason for _, reason, _ in DIFFERENCES} == set(Reason)


def test_lines_and_sections_are_counted() -> None:
    text = "interface Se0\n mtu 1500\nbandwidth 64\n!\ninterface Se1\n mtu 1500\n"
    opinion = second_opinion(parse_config(text))

    assert (opinion.lines, opinion.equal_lines) == (5, 4)
    assert (opinion.sections, opinion.equal_sections) == (2, 1)


def test_an_empty_text_has_nothing_to_compare() -> None:
    assert second_opinion(parse_config("")) == Opinion()


def test_the_error_of_the_other_parser_is_named_without_its_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("advisor.device.second_opinion.parsed", failing)

    assert second_opinion(parse_config("username a password s3nt1nel\n")) == Opinion(
        failure="IndexError"
    )
