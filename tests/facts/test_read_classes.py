"""Class-maps: match-any and match-all, each kind of match."""

import pytest

from advisor.facts.policy import ClassMap
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config


def class_map_of(text: str) -> ClassMap:
    facts = read_facts(parse_config(text, "r1.cfg"))
    assert facts.unread == ()
    return facts.class_maps[0]


MATCHES: list[tuple[str, str, tuple[str, ...]]] = [
    ("match ip dscp ef af31", "dscp", ("46", "26")),
    ("match dscp 46", "dscp", ("46",)),
    ("match ip precedence 5", "precedence", ("5",)),
    ("match precedence critical flash", "precedence", ("5", "3")),
    ("match access-group 101", "access-group", ("101",)),
    ("match access-group name VOICE", "access-group", ("VOICE",)),
    ("match protocol icmp", "protocol", ("icmp",)),
    ('match protocol http url "*.gif"', "protocol", ("http", "url", '"*.gif"')),
    ("match class-map OTHER", "class-map", ("OTHER",)),
    ("match any", "any", ()),
    ("match ip rtp 16384 16383", "rtp", ("16384", "16383")),
    ("match packet length min 100 max 200", "packet-length", ("min", "100", "max", "200")),
    ("match qos-group 5", "qos-group", ("5",)),
    ("match cos 5 3", "cos", ("5", "3")),
    ("match input-interface fa0/1", "input-interface", ("FastEthernet0/1",)),
    ("match mpls experimental topmost 5", "mpls-experimental", ("5",)),
    ("match fr-de", "other", ("fr-de",)),
    (
        "match source-address mac 0000.0c00.0001",
        "other",
        ("source-address", "mac", "0000.0c00.0001"),
    ),
]


@pytest.mark.parametrize(
    ("line", "kind", "values"), [pytest.param(*case, id=case[0]) for case in MATCHES]
)
def test_match(line: str, kind: str, values: tuple[str, ...]) -> None:
    (match,) = class_map_of(f"class-map C\n {line}\n").matches
    assert (match.kind, match.values, match.negated, match.text) == (kind, values, False, line)


def test_match_not() -> None:
    (match,) = class_map_of("class-map match-all C\n match not protocol http\n").matches
    assert (match.kind, match.values, match.negated) == ("protocol", ("http",), True)


@pytest.mark.parametrize(
    ("text", "match_all"),
    [
        pytest.param("class-map C\n", True, id="match-all is IOS's default"),
        pytest.param("class-map match-all C\n", True, id="match-all"),
        pytest.param("class-map match-any C\n", False, id="match-any"),
        pytest.param("class-map match-any C\nclass-map C\n", False, id="entered again"),
    ],
)
def test_mode(text: str, match_all: bool) -> None:
    assert class_map_of(text).match_all is match_all


def test_a_second_section_adds_and_no_removes() -> None:
    found = class_map_of(
        "class-map match-any C\n match dscp ef\n match dscp cs3\nclass-map C\n match protocol sip\n"
        " no match dscp cs3\n"
    )
    assert [match.text for match in found.matches] == ["match dscp ef", "match protocol sip"]


@pytest.mark.parametrize(
    "line",
    [
        "match dscp 64", "match precedence 8", "match dscp", "match colour red", "match ip rtp 16384",
        "match dscp 1 2 3 4 5 6 7 8 9", "matches dscp ef", "match packet length",
    ],
)  # fmt: skip
def test_a_match_that_is_not_understood_is_unread(line: str) -> None:
    facts = read_facts(parse_config(f"class-map C\n {line}\n", "r1.cfg"))
    assert [(each.text, each.under) for each in facts.unread] == [(line, "class-map C")]
    assert facts.class_maps[0].matches == ()


@pytest.mark.parametrize(
    "line",
    [
        "class-map match-a EF",
        "class-map mach-any EF",
        "policy-map tpye inspect EF",
    ],
)
def test_a_misspelt_keyword_is_no_part_of_a_name(line: str) -> None:
    facts = read_facts(parse_config(f"{line}\n", "r1.cfg"))
    assert [unread.text for unread in facts.unread] == [line]
    assert (facts.class_maps, facts.policy_maps) == ((), ())
