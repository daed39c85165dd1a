"""REF009: criteria of a match-all that no packet can meet, and what may still have packets."""

import pytest

from advisor.lint.checks.ref.unused import find_class_never_matches as never_matches
from advisor.lint.checks.ref.unused import find_match_all_contradiction
from tests.support.devices import device_of
from tests.support.verdicts import hits_of

LISTS = (
    "access-list 101 permit tcp any any\n"
    "access-list 102 permit udp any any\n"
    "access-list 103 deny ip any any dscp ef\naccess-list 103 permit ip any any\n"
    "access-list 104 permit ip any any dscp ef\n"
    "access-list 105 permit tcp 10.0.0.0 0.0.255.255 any\n"
    "access-list 106 permit tcp 10.1.0.0 0.0.255.255 any\n"
    "access-list 107 permit tcp any any eq 80\n"
    "access-list 108 permit tcp any any range 81 90\n"
    "access-list 109 deny ip any any\n"
    "access-list 110 deny tcp any any established\naccess-list 110 permit tcp any any\n"
    "access-list 111 permit ip any any time-range NIGHT\n"
    "access-list 112 deny tcp any any eq 80\naccess-list 112 permit tcp any any\n"
)


def found(text: str) -> list[str]:
    return [hit.evidence.criteria for hit in hits_of(find_match_all_contradiction(device_of(text)))]


@pytest.mark.parametrize(
    ("matches", "criteria"),
    [
        pytest.param(["ip dscp ef", "ip dscp cs3"], "match ip dscp ef and match ip dscp cs3",
                     id="two DSCPs"),
        pytest.param(["ip dscp ef cs3"], None, id="two values on one line are alternatives"),
        pytest.param(["dscp ef", "precedence 3"], "match dscp ef and match precedence 3",
                     id="a DSCP of another precedence"),
        pytest.param(["dscp ef", "precedence 5"], None, id="EF is of precedence 5"),
        pytest.param(["ip dscp ef", "dscp ef"], None, id="the IPv4 packets of both"),
        pytest.param(["dscp ef", "not dscp ef"], "match dscp ef and match not dscp ef",
                     id="a DSCP and not it"),
        pytest.param(["ip dscp ef", "not ip dscp ef"], "match ip dscp ef and match not ip dscp ef",
                     id="the same for IPv4"),
        pytest.param(["dscp ef", "not ip dscp ef"], None, id="IPv6 packets are left"),
        pytest.param(["access-group 101", "access-group 102"],
                     "match access-group 101 and match access-group 102", id="TCP and UDP"),
        pytest.param(["access-group 103", "ip dscp ef"],
                     "match access-group 103 and match ip dscp ef", id="the list denies EF"),
        pytest.param(["access-group 103", "ip dscp cs3"], None, id="the list denies only EF"),
        pytest.param(["access-group 104", "precedence 4"],
                     "match access-group 104 and match precedence 4", id="EF by a list"),
        pytest.param(["access-group 105", "access-group 106"],
                     "match access-group 105 and match access-group 106", id="other subnets"),
        pytest.param(["access-group 107", "access-group 108"],
                     "match access-group 107 and match access-group 108", id="other ports"),
        pytest.param(["access-group 112", "access-group 107"],
                     "match access-group 112 and match access-group 107", id="a denied port"),
        pytest.param(["access-group 112", "access-group 108"], None, id="beside the denied port"),
        pytest.param(["access-group 109", "ip dscp ef"], "match access-group 109",
                     id="a list without a permit"),
        pytest.param(["access-group 110", "access-group 101"], None, id="only some are denied"),
        pytest.param(["access-group 111", "access-group 104"], None, id="an entry that is not read"),
        pytest.param(["access-group 199", "ip dscp ef"], None, id="an undefined list is REF003's"),
        pytest.param(["protocol http", "protocol citrix"], None, id="NBAR is not read into packets"),
        pytest.param(["cos 1", "cos 2 3"], "match cos 1 and match cos 2 3", id="two CoS"),
        pytest.param(["cos 1", "cos inner 2"], None, id="CoS of two tags"),
        pytest.param(["input-interface Fa0/0", "input-interface Fa0/1"],
                     "match input-interface Fa0/0 and match input-interface Fa0/1",
                     id="two interfaces"),
        pytest.param(["class-map AF", "ip dscp ef"], "match class-map AF and match ip dscp ef",
                     id="a nested class-map"),
        pytest.param(["dscp 0 1", "dscp 1 2", "dscp 0 2"],
                     "match dscp 0 1 and match dscp 1 2 and match dscp 0 2",
                     id="three that only contradict together"),
    ],
)  # fmt: skip
def test_criteria_that_exclude_each_other(matches: list[str], criteria: str | None) -> None:
    nested = "class-map match-any AF\n match dscp af11\n match dscp af12\n"
    lines = "".join(f" match {match}\n" for match in matches)
    text = f"{LISTS}{nested}class-map match-all C\n{lines}"
    assert found(text) == ([] if criteria is None else [criteria])


def test_alternatives_of_a_match_any_exclude_nothing() -> None:
    assert found("class-map match-any C\n match dscp ef\n match dscp cs3\n") == []


def test_a_class_without_packets_neither_shadows_nor_is_shadowed() -> None:
    text = (
        "class-map match-all E\n match dscp ef\n match dscp cs3\nclass-map match-all F\n"
        " match dscp ef\npolicy-map P\n class E\n  police 64000\n class F\n  police 64000\n"
    )
    assert hits_of(never_matches(device_of(text))) == []
