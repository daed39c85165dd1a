"""`show class-map`: what classes match, where the configuration lacks their class-maps."""

from pathlib import Path

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.shows.policy_map.shown_lines import read_class_maps
from tests.support.devices import device_read
from tests.support.verdicts import hits_of

FIXTURE = Path(__file__).parents[2] / "fixtures/show/class_map/12.4-marks-and-lists.txt"
SHOWN = FIXTURE.read_text(encoding="utf-8")
UNDEFINED = CHECKS["undefined-class-map"]
CONFIG = """\
version 12.4
hostname edge2
{more}policy-map WAN
 class VOICE
  priority 64
 class BOTH
  bandwidth 64
interface Serial0/0
 service-policy output WAN
end
"""


def read_with(shown: str, more: str = "") -> str:
    return f"edge2#show running-config\n{CONFIG.format(more=more)}{shown}"


def test_class_maps_say_what_they_match() -> None:
    assert [
        (item.name, item.match_all, [(match.kind, match.values) for match in item.matches])
        for item in read_class_maps(SHOWN, "f").records
    ] == [
        ("class-default", False, [("any", ())]),
        ("VOICE", True, [("dscp", ("46",))]),
        (
            "SIGNALLING",
            False,
            [("dscp", ("24", "26")), ("access-group", ("SIP-PORTS",)), ("protocol", ("sip",))],
        ),
        ("BULK", True, [("access-group", ("101",)), ("precedence", ("5",))]),
        ("EMPTY", True, []),
        (
            "BOTH",
            False,
            [
                ("class-map", ("VOICE",)),
                ("packet-length", ("min", "60", "max", "300")),
                ("input-interface", ("FastEthernet0/1",)),
            ],
        ),
    ]


def test_a_criterion_may_be_negated() -> None:
    bulk = read_class_maps(SHOWN, "f").records[3]
    assert [(match.negated, str(match.at)) for match in bulk.matches] == [
        (False, "f:16"),
        (True, "f:17"),
    ]


@pytest.mark.parametrize(
    ("line", "lost", "cut"),
    [
        pytest.param("   Match dreams 7", "VOICE", False, id="an unknown criterion"),
        pytest.param("   Meet dscp ef", "VOICE", False, id="an unknown line"),
        pytest.param("", "VOICE", True, id="no criterion"),
    ],
)
def test_an_unknown_line_costs_its_class_map(line: str, lost: str, *, cut: bool) -> None:
    reading = read_class_maps(SHOWN.replace("   Match ip  dscp ef (46)", line), "f")
    assert [(part.name, part.is_cut) for part in reading.declined] == [(lost, cut)]
    assert len(reading.records) == 5


@pytest.mark.parametrize(
    ("more", "names"),
    [
        pytest.param("", ["BOTH", "VOICE"], id="all are shown"),
        pytest.param(
            "class-map match-all VOICE\n match dscp cs5\n",
            ["VOICE", "BOTH"],
            id="one is configured",
        ),
    ],
)
def test_a_class_that_the_text_lacks_is_known(more: str, names: list[str]) -> None:
    facts = device_read(read_with(SHOWN, more)).facts
    assert [item.name for item in facts.class_maps] == names
    voice = facts.class_map("VOICE")
    assert voice is not None
    assert [match.values for match in voice.matches] == [("40",) if more else ("46",)]


@pytest.mark.parametrize(
    ("shown", "undefined"),
    [
        pytest.param(SHOWN, [], id="shown"),
        pytest.param("edge2#\n", ["BOTH", "VOICE"], id="not shown"),
        pytest.param(
            SHOWN.replace("match-any BOTH", "match-any OTHERS"), ["BOTH"], id="another is shown"
        ),
    ],
)
def test_a_class_that_an_output_shows_is_defined(shown: str, undefined: list[str]) -> None:
    hits = hits_of(UNDEFINED.find(device_read(read_with(shown)), NoParams()))
    assert sorted(hit.evidence.class_name for hit in hits) == undefined


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        pytest.param(SHOWN, [], id="a blank line below the last one"),
        pytest.param(SHOWN[: SHOWN.index("   Match access-group name")], ["SIGNALLING"],
                     id="a log that ends behind a criterion"),
        pytest.param(SHOWN.replace("\n\n", "\n"), [], id="no blank lines at all"),
        pytest.param(SHOWN.partition("show class-map\n")[2].replace("\n\nedge2#", ""), [],
                     id="a file of the output alone, which is known to be whole"),
    ],
)  # fmt: skip
def test_the_last_class_map_of_a_log_may_be_cut(text: str, lost: list[str]) -> None:
    reading = read_class_maps(text, "f")
    assert [part.name for part in reading.declined if part.is_cut] == lost
