"""Names and sections of a text: definitions, uses, renames, the outline."""

from pathlib import Path

import pytest

from advisor.api import editor
from advisor.api.editor import NamePlace, TextSection
from advisor.facts.name_places import name_places
from advisor.ios.syntax.reader import parse_config

EDGE = Path("fixtures/configs/wan-edge-512k.ios").read_text("utf-8")
FORCE = editor.settings_at("")


def words(text: str, places: tuple[NamePlace, ...]) -> list[tuple[str, bool]]:
    """The row of each place with its word in brackets, and whether it defines the name."""
    rows = text.splitlines()
    return [
        (
            f"{rows[at.number - 1][: at.start]}[{rows[at.number - 1][at.start : at.end]}]",
            at.is_definition,
        )
        for at in places
    ]


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        pytest.param(
            "policy-map WAN\nint s0/0\n ser-pol out WAN\n",
            "policy-map",
            [("policy-map [WAN]", True), (" ser-pol out [WAN]", False)],
            id="a policy, where the line that uses it is abbreviated",
        ),
        pytest.param(
            "class-map match-any V\nclass-map match-all W\n match class-map V\npolicy-map P\n class V\n",
            "class-map",
            [
                ("class-map match-any [V]", True),
                ("class-map match-all [W]", True),
                (" match class-map [V]", False),
                (" class [V]", False),
            ],
            id="a class, in a policy and in another class",
        ),
        pytest.param(
            "policy-map P\n class class-default\n  fair-queue\n",
            "class-map",
            [],
            id="class-default",
        ),
        pytest.param(
            "map-class frame-relay FR\n frame-relay cir 64000\ninterface Serial0/0.1\n"
            " frame-relay interface-dlci 16\n  class FR\n",
            "map-class",
            [("map-class frame-relay [FR]", True), ("  class [FR]", False)],
            id="settings of a circuit",
        ),
        pytest.param(
            "access-list 101 permit udp any any\naccess-list 101 deny ip any any\n"
            "class-map V\n match access-group 101\ninterface Fa0/0\n no ip access-group 101 in\n",
            "access-list",
            [
                ("access-list [101]", True),
                ("access-list [101]", True),
                (" match access-group [101]", False),
                (" no ip access-group [101]", False),
            ],
            id="a numbered list, also behind `no`",
        ),
        pytest.param(
            "interface Serial 0/0\ninterface Tunnel1\n tunnel source s0/0\n",
            "interface",
            [
                ("interface [Serial 0/0]", True),
                ("interface [Tunnel1]", True),
                (" tunnel source [s0/0]", False),
            ],
            id="an interface under two spellings",
        ),
    ],
)
def test_the_places_of_names(text: str, kind: str, found: list[tuple[str, bool]]) -> None:
    places = tuple(item for item in name_places(parse_config(text)) if item.kind == kind)
    assert words(text, places) == found


def test_all_places_of_a_name_are_found_from_any_of_them() -> None:
    opened = editor.open_text("r1.ios", EDGE, FORCE)
    row = opened.rows.index(" service-policy output WAN-EDGE\n")
    places = editor.same_names(opened, row, 25)
    assert words(EDGE, places) == [
        ("policy-map [WAN-EDGE]", True),
        (" service-policy output [WAN-EDGE]", False),
    ]
    assert editor.same_names(opened, row, 3) == ()


@pytest.mark.parametrize(
    ("line", "column", "name", "why_not"),
    [
        pytest.param("policy-map WAN-EDGE", 12, "WAN", None, id="a policy"),
        pytest.param("policy-map WAN-EDGE", 12, "two words", "one word", id="two words"),
        pytest.param("policy-map WAN-EDGE", 12, "MARK-LAN", "there already", id="a name in use"),
        pytest.param("interface Serial0/0/0", 12, "Serial1/0", "its port", id="an interface"),
        pytest.param("ip access-list extended RTP", 25, "101", "different", id="a number"),
    ],
)
def test_a_rename_that_ios_would_read_otherwise_is_refused(
    line: str, column: int, name: str, why_not: str | None
) -> None:
    opened = editor.open_text("r1.ios", EDGE, FORCE)
    places = editor.same_names(opened, opened.rows.index(f"{line}\n"), column)
    said = editor.why_not_renamed(opened, places, name)
    assert said is None if why_not is None else why_not in (said or "")


def test_a_name_that_is_not_defined_is_put_right() -> None:
    text = EDGE.replace("output WAN-EDGE", "output WAN-EGDE")
    opened = editor.open_text("r1.ios", text, FORCE)
    row = opened.rows.index(" service-policy output WAN-EGDE\n")
    (meant,) = editor.meant_at(opened, row, row)
    assert (meant.word, meant.instead) == ("WAN-EGDE", "WAN-EDGE")
    assert text.splitlines()[row][meant.start : meant.end] == "WAN-EGDE"


def test_sections_nest_as_ios_nests_them() -> None:
    text = "policy-map P\n class V\n  priority 64\n class W\n!\ninterface Serial0/0\n shutdown\n!\nend\n"
    found = editor.sections(editor.open_text("r1.ios", text, FORCE))
    voice = TextSection("class V", 1, 2, ())
    assert found == (
        TextSection("policy-map P", 0, 3, (voice,)),
        TextSection("interface Serial0/0", 5, 6, ()),
    )
