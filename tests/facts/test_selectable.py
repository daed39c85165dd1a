"""A code is left out only where the config proves that no packet of the class has it."""

import pytest

from advisor.facts.read_config import read_facts
from advisor.facts.selectable import EVERYTHING, selectable_by_class
from advisor.ios.syntax.reader import parse_config

ALL = frozenset(range(64))
PRECEDENCE_5 = frozenset(range(40, 48))


def dscps(text: str, name: str = "DATA") -> frozenset[int]:
    return selectable_by_class(read_facts(parse_config(text, "r1.ios")))(name).dscps


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(" match ip dscp af11 ef", {10, 46}, id="values of a line are alternatives"),
        pytest.param(" match ip precedence 5", PRECEDENCE_5, id="a precedence is eight DSCPs"),
        pytest.param(" match not dscp 0", ALL - {0}, id="match not leaves the others"),
        pytest.param(" match protocol icmp", ALL, id="a protocol says nothing of the DSCP"),
        pytest.param(" match any", ALL, id="match any selects everything"),
        pytest.param(" description no match", ALL, id="an empty class-map is not known"),
        pytest.param(" match access-group 199", ALL, id="an undefined access list is not known"),
        pytest.param(" match class-map NOWHERE", ALL, id="an undefined class-map is not known"),
        pytest.param(" match class-map DATA", ALL, id="a class-map that names itself is not known"),
    ],
)
def test_one_match_line(text: str, expected: frozenset[int]) -> None:
    assert dscps(f"class-map match-all DATA\n{text}\n") == expected


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        pytest.param("match-all", {46}, id="match-all needs every line"),
        pytest.param("match-any", PRECEDENCE_5 | {10}, id="match-any takes either"),
    ],
)
def test_lines_are_joined_as_the_mode_says(mode: str, expected: frozenset[int]) -> None:
    text = f"class-map {mode} DATA\n match ip precedence critical\n match ip dscp af11 ef\n"

    assert dscps(text) == expected


def test_a_line_outside_the_grammar_may_add_anything_to_a_match_any_class() -> None:
    assert dscps("class-map match-any DATA\n match ip dscp ef\n match colour blue\n") == ALL


def test_nested_class_maps_are_followed() -> None:
    text = "class-map match-any EF\n match dscp ef\nclass-map DATA\n match class-map EF\n"

    assert dscps(text) == {46}


@pytest.mark.slow
def test_thousands_of_nested_class_maps_are_no_trap() -> None:
    nested = "".join(f"class-map C{n}\n match class-map C{n + 1}\n" for n in range(3000))

    assert dscps(nested, "C0") == ALL


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        pytest.param(["permit ip any any dscp ef"], {46}, id="a permit with a DSCP"),
        pytest.param(
            ["permit ip any any precedence critical", "permit tcp any any dscp af11"],
            PRECEDENCE_5 | {10},
            id="permits add up",
        ),
        pytest.param(
            ["deny ip any any precedence 5", "permit ip any any"],
            ALL - PRECEDENCE_5,
            id="a deny of all packets of a precedence leaves it out",
        ),
        pytest.param(
            ["deny tcp any any precedence 5", "permit ip any any"],
            ALL,
            id="a deny of some packets of a precedence does not",
        ),
        pytest.param(["permit tcp any any eq 80"], ALL, id="ports say nothing of the DSCP"),
    ],
)
def test_access_lists_are_followed(entries: list[str], expected: frozenset[int]) -> None:
    lines = "".join(f"access-list 180 {entry}\n" for entry in entries)

    assert dscps(f"class-map DATA\n match access-group 180\n{lines}") == expected


def test_names_are_kept_apart_from_what_is_possible() -> None:
    text = "class-map match-any DATA\n match ip dscp af11\n match protocol http\n"
    selectable = selectable_by_class(read_facts(parse_config(text, "r1.ios")))("DATA")

    assert (selectable.dscps, selectable.named_dscps) == (ALL, frozenset({10}))


def test_class_default_can_hold_everything() -> None:
    assert (
        selectable_by_class(read_facts(parse_config("", "r1.ios")))("class-default") == EVERYTHING
    )
