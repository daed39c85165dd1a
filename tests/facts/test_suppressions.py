"""Comments that suppress findings: what they say, and the lines that they are about."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.ios.syntax.reader import parse_config
from advisor.lint.suppressions import InlineSuppression, inline_suppressions

CONFIG = """\
hostname R1
policy-map WAN
 class VOICE
  priority 128
 class class-default
  fair-queue
interface Serial0/0
 tx-ring-limit 16
"""


def said(text: str) -> list[InlineSuppression]:
    return list(inline_suppressions(parse_config(text, "r1.cfg")))


def only(text: str) -> InlineSuppression:
    (found,) = said(text)
    return found


def above(line: int, comment: str) -> str:
    """The configuration with a comment above this line."""
    lines = CONFIG.splitlines(keepends=True)
    return "".join([*lines[: line - 1], f"{comment}\n", *lines[line - 1 :]])


@pytest.mark.parametrize(
    ("comment", "rules", "reason", "until"),
    [
        pytest.param("ignore[TXR001]", ("TXR001",), None, None, id="a rule"),
        pytest.param("ignore[TXR001, LFI]", ("TXR001", "LFI"), None, None, id="several"),
        pytest.param("ignore [ TXR001 ] why not", ("TXR001",), "why not", None, id="a reason"),
        pytest.param(
            "ignore[LFI] later until 2027-01-31", ("LFI",), "later", date(2027, 1, 31),
            id="a reason and a day",
        ),
        pytest.param(
            "ignore[LFI] until 2027-01-31", ("LFI",), None, date(2027, 1, 31), id="a day alone"
        ),
        pytest.param(
            "ignore[LFI] until the move", ("LFI",), "until the move", None, id="no day: a reason"
        ),
        pytest.param(
            "ignore[LFI] until 2027-01-31, then moved", ("LFI",), "then moved", date(2027, 1, 31),
            id="a day ahead of a reason",
        ),
        pytest.param(
            "ignore[LFI] late until 2027-01-31 (bob)", ("LFI",), "late (bob)", date(2027, 1, 31),
            id="a day within a reason",
        ),
        pytest.param(
            "ignore[LFI] until 2 Mb/s are there", ("LFI",), "until 2 Mb/s are there", None,
            id="a figure: a reason",
        ),
        pytest.param("ignore[LFI] wow! yes", ("LFI",), "wow! yes", None, id="a mark in the reason"),
    ],
)  # fmt: skip
def test_a_comment_says_rules_a_reason_and_a_day(
    comment: str, rules: tuple[str, ...], reason: str | None, until: date | None
) -> None:
    found = only(above(8, f" ! advisor: {comment}"))
    assert (found.rules, found.reason, found.until, found.fault) == (rules, reason, until, None)


@pytest.mark.parametrize(
    ("comment", "word"),
    [
        pytest.param("ignore TXR001", "not understood", id="no brackets"),
        pytest.param("ignore[]", "not understood", id="no rule"),
        pytest.param("ignore[TXR001", "not understood", id="not closed"),
        pytest.param("ignor[TXR001]", "not understood", id="another verb"),
        pytest.param(f"ignore[{'X001,' * 51}]", "more than 50 rules", id="a list of all"),
        pytest.param("ignore[TXR001] until 31.1.2027", "no date", id="another form of a date"),
        pytest.param("ignore[TXR001] until 31/1/2027 old", "no date", id="such a date in a reason"),
        pytest.param("ignore[TXR001] until <removed>", "no date", id="a day that was masked"),
    ],
)
def test_a_comment_that_is_not_understood_says_why(comment: str, word: str) -> None:
    found = only(above(8, f" ! advisor: {comment}"))
    assert found.fault is not None
    assert word in found.fault


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [
        pytest.param(8, 9, 9, id="above a line"),
        pytest.param(7, 8, 9, id="above the head of a section"),
        pytest.param(3, 4, 5, id="above the head of a nested section"),
        pytest.param(2, 3, 7, id="above a section with sections"),
    ],
)
def test_a_comment_is_about_the_next_command_and_its_section(
    line: int, first: int, last: int
) -> None:
    found = only(above(line, "! advisor: ignore[TXR001]"))
    assert (found.first, found.last) == (first, last)


def test_comments_above_each_other_are_about_the_same_command() -> None:
    text = above(8, " ! advisor: ignore[LFI001]").replace(
        " ! advisor", " ! advisor: ignore[TXR001]\n !\n ! advisor"
    )
    assert [(found.first, found.last) for found in said(text)] == [(11, 11), (11, 11)]


def test_a_comment_behind_a_command_is_about_it_and_no_part_of_it() -> None:
    text = CONFIG.replace("limit 16", "limit 16 ! advisor: ignore[TXR001] wow!")
    tree = parse_config(text)
    assert tree.lines[-1].children[0].text == "tx-ring-limit 16"
    assert tree.text() == text
    assert [(found.first, found.last, found.reason) for found in said(text)] == [(8, 8, "wow!")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("banner motd ^C\n! advisor: ignore[TXR001]\n^C\n", id="in a banner"),
        pytest.param(
            "interface Serial0/0\n description a ! advisor: ignore[X]\n", id="description"
        ),
        pytest.param("! the advisor: ignore[TXR001]\nhostname R1\n", id="another comment"),
        pytest.param("hostname R1! advisor: ignore[TXR001]\n", id="part of a word"),
    ],
)
def test_other_text_suppresses_nothing(text: str) -> None:
    assert said(text) == []


def test_a_comment_behind_the_last_command_says_so() -> None:
    assert only("hostname R1\n! advisor: ignore[TXR001]\n").fault == "no command follows it"


@given(st.lists(st.sampled_from(["! advisor: ", "ignore", "[", "]", "TXR001", " until 2", "\n",
                                 " class A", "policy-map P", "!", "\t", "é"]), max_size=30))  # fmt: skip
def test_any_comments_are_read_and_each_is_about_lines_of_the_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    for found in said(text):
        assert 1 <= found.first <= found.last <= text.count("\n") + 1
        assert (found.fault is None) == bool(found.rules)
