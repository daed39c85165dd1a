"""REF005: which classes get no packet, and what is not certain enough to be said."""

import pytest

from advisor.facts.taken_classes import classes_ahead
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.ref.unused import TakenClass, find_class_never_matches
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of


def results(text: str) -> list[Hit[TakenClass] | Skip]:
    return list(find_class_never_matches(device_of(text)))


def policy(*classes: str) -> str:
    """A policy-map of classes, each with its matches as lines; `any:` for match-any."""
    text, names = "", []
    for index, matches in enumerate(classes, start=1):
        name, any_of = f"C{index}", matches.startswith("any:")
        names.append(name)
        text += f"class-map match-{'any' if any_of else 'all'} {name}\n"
        text += "".join(f" match {each}\n" for each in matches.removeprefix("any:").split("; "))
    return text + "policy-map P\n" + "".join(f" class {name}\n  police 64000\n" for name in names)


LISTS = (
    "access-list 101 permit tcp 10.0.0.0 0.0.255.255 any eq 80\n"
    "access-list 102 permit tcp host 10.0.1.1 any eq www\n"
    "access-list 103 deny tcp host 10.0.1.1 any\n"
    "access-list 103 permit tcp 10.0.0.0 0.0.255.255 any\n"
    "access-list 104 permit tcp 10.0.0.0 0.0.255.255 any range 80 90\n"
    "access-list 105 permit ip any any precedence 1\n"
    "access-list 106 permit tcp 10.0.0.0 0.0.255.255 any established\n"
    "access-list 107 permit ip any any dscp af11\n"
    "access-list 108 permit udp any any range 16384 32767\n"
    "access-list 109 permit ip any any time-range NIGHT\n"
    "access-list 110 deny tcp any eq 81 any\naccess-list 110 permit tcp any any\n"
    "access-list 111 permit tcp any range 2000 3000 any\n"
    "access-list 112 permit tcp any range 80 90 any\n"
)


@pytest.mark.parametrize(
    ("classes", "fires"),
    [
        pytest.param(["dscp af11", "dscp af11"], True, id="the same DSCP"),
        pytest.param(["dscp 10", "dscp af11"], True, id="the same DSCP by number and name"),
        pytest.param(["dscp af11", "dscp af12"], False, id="another DSCP"),
        pytest.param(["dscp af11 af12", "dscp af12"], True, id="one of two DSCPs"),
        pytest.param(["dscp af12", "dscp af11 af12"], False, id="one of two is left"),
        pytest.param(["precedence 1", "dscp af13"], True, id="precedence 1 holds AF13"),
        pytest.param(["dscp af13", "precedence 1"], False, id="AF13 is not all of precedence 1"),
        pytest.param(
            ["dscp 8 9 10 11", "dscp 12 13 14 15", "precedence 1"], True,
            id="two classes hold all DSCPs of precedence 1 together",
        ),
        pytest.param(["ip dscp af11", "dscp af11"], False, id="IPv6 is left by `match ip dscp`"),
        pytest.param(["dscp af11", "ip dscp af11"], True, id="`match dscp` takes IPv4 too"),
        pytest.param(["any", "dscp af11"], True, id="`match any` takes everything"),
        pytest.param(["dscp af11", "any"], False, id="`match any` last"),
        pytest.param(["not dscp ef", "ip dscp af11"], True, id="AF11 is not EF"),
        pytest.param(["not dscp ef", "ip dscp ef"], False, id="EF is what `not` leaves"),
        pytest.param(["access-group 101", "access-group 102"], True, id="a host of the subnet"),
        pytest.param(["access-group 102", "access-group 101"], False, id="the subnet of a host"),
        pytest.param(["access-group 103", "access-group 102"], False, id="the host is denied"),
        pytest.param(["access-group 103", "access-group 101"], False, id="a part is denied"),
        pytest.param(["access-group 110", "access-group 111"], True, id="beside what is denied"),
        pytest.param(["access-group 110", "access-group 112"], False, id="one port is denied"),
        pytest.param(["not access-group 101", "access-group 108"], True, id="UDP is not TCP"),
        pytest.param(["not access-group 101", "access-group 102"], False, id="not of its subnet"),
        pytest.param(["access-group 103", "access-group 103"], True, id="the same list"),
        pytest.param(["access-group 104", "access-group 101"], True, id="a port of the range"),
        pytest.param(["access-group 101", "access-group 104"], False, id="the range of a port"),
        pytest.param(["access-group 106", "access-group 101"], False, id="only established"),
        pytest.param(["precedence 1", "access-group 105"], True, id="the list is of precedence 1"),
        pytest.param(["access-group 105", "ip dscp af11"], True, id="a list before a DSCP"),
        pytest.param(["access-group 107", "access-group 105"], False, id="AF11 of precedence 1"),
        pytest.param(["access-group 108", "ip rtp 16384 16383"], True, id="RTP ports in a list"),
        pytest.param(["ip rtp 16384 16383", "access-group 108"], False, id="RTP: even ports only"),
        pytest.param(["protocol http", "protocol http"], True, id="the same NBAR protocol"),
        pytest.param(["protocol http", 'protocol http url "*.exe"'], True, id="URL of HTTP"),
        pytest.param(['protocol http url "*.exe"', "protocol http"], False, id="HTTP but for URLs"),
        pytest.param(["protocol http", "protocol citrix"], False, id="other NBAR protocols"),
        pytest.param(["access-group 101", "protocol http"], False, id="NBAR knows no ports"),
        pytest.param(["any:dscp af11; dscp af12", "dscp af12"], True, id="one of match-any"),
        pytest.param(["dscp af11", "any:dscp af11; dscp af12"], False, id="match-any has more"),
        pytest.param(
            ["dscp af11", "dscp af12", "any:dscp af11; dscp af12"], True,
            id="all of match-any, by two classes",
        ),
        pytest.param(
            ["dscp af11; access-group 101", "dscp af11"], False, id="match-all takes a part only"
        ),
        pytest.param(["dscp af11", "dscp af11; access-group 101"], True, id="match-all is less"),
        pytest.param(
            ["access-group 101; dscp af11", "dscp af11; access-group 102"], True,
            id="match-all of subsets",
        ),
        pytest.param(["any:class-map C3", "dscp af12", "dscp af12"], True, id="nested, and beyond"),
        pytest.param(["cos 1 2", "cos 2"], True, id="one of two CoS values"),
        pytest.param(["cos 2", "cos inner 2"], False, id="CoS of another tag"),
        pytest.param(["input-interface Fa0/0", "input-interface Fa0/1"], False, id="interfaces"),
        pytest.param(["access-group 109", "dscp af11"], False, id="an entry that is not read"),
    ],
)  # fmt: skip
def test_verdict(classes: list[str], fires: bool) -> None:
    hits = hits_of(results(LISTS + policy(*classes)))

    last = f"policy-map P > class C{len(classes)}"
    assert (last in [hit.object for hit in hits]) == fires


NESTED = "class-map match-any AF1\n match dscp af11\n match dscp af12\n"


@pytest.mark.parametrize(
    ("classes", "fires"),
    [
        pytest.param(["class-map AF1", "dscp af12"], True, id="a nested class-map takes it"),
        pytest.param(["dscp af12", "class-map AF1"], False, id="a nested class-map has more"),
        pytest.param(["class-map AF1", "class-map AF1; access-group 101"], True, id="nested twice"),
        pytest.param(["not class-map AF1", "dscp ef"], False, id="IPv6 is left by not of a class"),
        pytest.param(["not class-map AF1", "ip dscp ef"], True, id="EF is not of a class of AFs"),
        pytest.param(["not class-map AF1", "ip dscp af12"], False, id="AF12 is of a class of AFs"),
    ],
)
def test_nested_class_maps(classes: list[str], fires: bool) -> None:
    hits = hits_of(results(LISTS + NESTED + policy(*classes)))

    assert bool(hits) == fires


@pytest.mark.parametrize(
    "classes",
    [
        pytest.param(["access-group 199", "access-group 199"], id="an undefined list"),
        pytest.param(["any:dscp af11; access-group 199", "dscp af11"], id="beside a known match"),
        pytest.param(["dscp af11; dscp af12", "dscp af11; dscp af12"], id="a contradiction"),
        pytest.param(["class-map NONE", "class-map NONE"], id="an undefined class-map"),
    ],
)
def test_what_is_broken_or_contradicts_itself_neither_shadows_nor_is_shadowed(
    classes: list[str],
) -> None:
    assert results(LISTS + policy(*classes)) == []


def test_class_default_is_never_said_to_get_nothing() -> None:
    text = policy("any") + " class class-default\n  fair-queue\n"

    assert results(text) == []


def test_what_is_not_read_is_not_judged() -> None:
    skip = skip_of(results(policy("dscp af11", "any:dscp af11; some-new-criterion 5")))

    assert skip.object == "policy-map P > class C2"


def test_the_message_names_the_classes_that_take_the_packets() -> None:
    hit = hit_of(results(policy("any:dscp af11", "dscp af12", "any:dscp af11; dscp af12")))

    assert hit.evidence.takers == "class C1 (match dscp af11) and class C2 (match dscp af12)"
    assert hit.evidence.matches == "match dscp af11 or match dscp af12"
    assert [at.line for at in hit.at] == [13, 9, 11]


INSIDE_A_SHAPER = (
    "class-map match-any VOICE\n match dscp ef\nclass-map match-any ALSO-VOICE\n match dscp ef\n"
    "policy-map INNER\n class ALSO-VOICE\n  priority 500\n class class-default\n  fair-queue\n"
    "policy-map OUTER\n{ahead} class {holder}\n  shape average 5000000\n  service-policy INNER\n"
    "{behind}interface GigabitEthernet0/0\n service-policy output OUTER\n{more}"
)
VOICE_AHEAD = " class VOICE\n  police 64000\n"
OTHER_PARENT = (
    "policy-map OUTER-2\n class class-default\n  shape average 64000\n  service-policy INNER\n"
)


@pytest.mark.parametrize(
    ("parts", "fires"),
    [
        pytest.param({"ahead": VOICE_AHEAD}, True, id="a class of the parent ahead of it"),
        pytest.param({"ahead": ""}, False, id="no class of the parent"),
        pytest.param(
            {"ahead": "", "holder": "VOICE", "behind": " class ALSO-VOICE\n  police 64000\n"},
            False,
            id="a class of the parent behind the one that holds it",
        ),
        pytest.param(
            {"ahead": VOICE_AHEAD, "more": " service-policy input INNER\n"},
            False,
            id="the policy is attached by itself too",
        ),
        pytest.param(
            {"ahead": VOICE_AHEAD, "more": OTHER_PARENT},
            False,
            id="another parent lets them through",
        ),
    ],
)
def test_a_nested_policy_gets_what_its_parent_leaves(parts: dict[str, str], fires: bool) -> None:
    blank = {"ahead": "", "holder": "class-default", "behind": "", "more": ""}
    found = hits_of(find_class_never_matches(device_of(INSIDE_A_SHAPER.format(**blank | parts))))

    inner = [hit for hit in found if hit.object.startswith("policy-map INNER")]
    takers = [hit.evidence.takers for hit in inner]
    assert takers == (["class VOICE of policy-map OUTER (match dscp ef)"] if fires else [])


def test_policies_in_a_circle_take_nothing_from_each_other() -> None:
    text = (
        "class-map match-any VOICE\n match dscp ef\n"
        "policy-map A\n class VOICE\n  police 64000\n class class-default\n  service-policy B\n"
        "policy-map B\n class VOICE\n  police 64000\n class class-default\n  service-policy A\n"
    )
    facts = device_of(text).facts

    assert classes_ahead(facts, "B") == ()
    assert results(text) == []
