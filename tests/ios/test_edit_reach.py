"""Which part of a config an edit can bear upon, and what two configs do not share."""

import pytest

from advisor.ios.edit.apply import apply
from advisor.ios.edit.difference import differing
from advisor.ios.edit.reach import Reach
from advisor.ios.syntax.reader import parse_config
from advisor.ios.syntax.tree import ConfigTree

CONFIG = """\
hostname R1
class-map match-all VOICE
 match access-group 101
class-map match-all DATA
 match ip precedence 3
policy-map EDGE
 class VOICE
  priority 64
policy-map LAN
 class DATA
  bandwidth 64
policy-map PARENT
 class class-default
  service-policy LAN
interface Multilink1
 service-policy output EDGE
interface Loopback0
 ip address 10.0.0.1 255.255.255.255
interface Serial0/0
 ppp multilink group 1
interface Serial0/1
 ppp multilink group 1
interface Serial0/2
 ip unnumbered Loopback0
 service-policy output PARENT
interface ATM1/0
 no ip address
interface ATM1/0.1 point-to-point
 service-policy output EDGE
interface ATM1/0.2 point-to-point
 service-policy output EDGE
ip route 10.9.0.0 255.255.0.0 Serial0/2
access-list 101 permit udp any any
access-list 102 permit tcp any any
"""
EDGE = {"policy-map EDGE", "class-map match-all VOICE", "access-list 101 permit udp any any"}
LAN = {"policy-map PARENT", "policy-map LAN", "class-map match-all DATA"}
BUNDLE = {"interface Multilink1", "interface Serial0/0", "interface Serial0/1"}
ATM = {
    "interface ATM1/0",
    "interface ATM1/0.1 point-to-point",
    "interface ATM1/0.2 point-to-point",
}
EVERYWHERE = {"hostname R1", "ip route 10.9.0.0 255.255.0.0 Serial0/2"}


def config(text: str) -> ConfigTree:
    return parse_config(text, "r1.ios")


def heads(tree: ConfigTree) -> set[str]:
    return {line.text for line in tree.lines}


@pytest.mark.parametrize(
    ("edit", "reached"),
    [
        pytest.param(
            "interface Serial0/2\n bandwidth 512\n",
            {"interface Serial0/2", "interface Loopback0", *LAN},
            id="an interface reaches all that it names, policies level by level",
        ),
        pytest.param(
            "interface Serial0/0\n bandwidth 512\n",
            BUNDLE | EDGE,
            id="a member of a bundle reaches the bundle and the other members",
        ),
        pytest.param(
            "interface ATM1/0.1\n bandwidth 512\n",
            ATM | EDGE,
            id="a subinterface reaches its main interface and the others of it",
        ),
        pytest.param(
            "policy-map LAN\n class DATA\n  bandwidth 32\n",
            {"interface Serial0/2", "interface Loopback0", *LAN},
            id="a nested policy reaches the interface of the policy around it",
        ),
        pytest.param(
            "no access-list 101\n",
            EDGE | BUNDLE | ATM,
            id="a list reaches all that match by it",
        ),
        pytest.param(
            "interface Serial0/2\n no service-policy output PARENT\n service-policy output EDGE\n",
            {"interface Serial0/2", "interface Loopback0", *LAN, *EDGE},
            id="an edit reaches what the section named before and what it names now",
        ),
        pytest.param(
            "interface Serial0/3\n ppp multilink group 1\n",
            {*BUNDLE, *EDGE, "interface Serial0/3"},
            id="a new member reaches the bundle",
        ),
    ],
)
def test_reach_of_an_edit(edit: str, reached: set[str]) -> None:
    tree = config(CONFIG)
    part = Reach(tree).part(apply(tree, config(edit)).tree)
    assert part is not None
    assert heads(part.before) | heads(part.after) == reached | EVERYWHERE


def test_a_command_that_defines_no_name_can_bear_upon_everything() -> None:
    tree = config(CONFIG)
    assert Reach(tree).part(apply(tree, config("ip cef\n")).tree) is None


def test_a_subinterface_without_its_siblings_brings_the_main_interface() -> None:
    tree = config(CONFIG)
    edited = apply(tree, config("interface ATM1/0.1\n bandwidth 512\n")).tree
    part = Reach(tree).part(edited, siblings=False)
    assert part is not None
    assert heads(part.after) == {*ATM, *EDGE, *EVERYWHERE} - {"interface ATM1/0.2 point-to-point"}


def test_a_main_interface_has_no_part_without_its_subinterfaces() -> None:
    tree = config(CONFIG)
    edited = apply(tree, config("interface ATM1/0\n bandwidth 512\n")).tree
    assert Reach(tree).part(edited, siblings=False) is None


def test_a_part_keeps_the_lines_and_their_numbers() -> None:
    tree = config(CONFIG)
    part = Reach(tree).part(apply(tree, config("interface Serial0/2\n bandwidth 512\n")).tree)
    assert part is not None
    known = {id(line) for line in tree.lines}
    assert all(id(line) in known for line in part.before.lines)


@pytest.mark.parametrize(
    ("edit", "left"),
    [
        pytest.param("interface Serial0/0\n mtu 1400\n", {"interface Serial0/0"}, id="one section"),
        pytest.param("", set(), id="nothing where nothing was edited"),
        pytest.param(
            "access-list 101 deny ip any any\n",
            {"access-list 101 permit udp any any", "access-list 101 deny ip any any"},
            id="a list whose order is meaning, as a whole",
        ),
        pytest.param(
            "interface ATM1/0.1\n mtu 1400\n", {"interface ATM1/0.1 point-to-point"}, id="its head"
        ),
    ],
)
def test_what_an_edit_makes_different(edit: str, left: set[str]) -> None:
    tree = config(CONFIG)
    before, after = differing(tree, apply(tree, config(edit)).tree)
    assert heads(before) | heads(after) == left


def test_a_section_that_is_entered_twice_stays_whole() -> None:
    tree = config("interface Serial0/0\n mtu 1500\nhostname R1\ninterface Serial0/0\n mtu 1400\n")
    before, _ = differing(tree, apply(tree, config("interface Serial0/0\n mtu 1300\n")).tree)
    assert [line.text for line in before.lines] == ["interface Serial0/0", "interface Serial0/0"]


@pytest.mark.parametrize(
    "carrier",
    [
        "interface ATM0\n pvc 0/100\n  dialer pool-member 1\n",
        "interface ATM0\n pvc 0/100\n  pppoe-client dial-pool-number 1\n",
        "interface Ethernet0\n pppoe-client dial-pool-number 1\n",
    ],
)
def test_an_edit_of_a_dialer_reaches_what_carries_its_sessions(carrier: str) -> None:
    tree = config(f"{carrier}interface Dialer1\n dialer pool 1\ninterface Serial0/0\n mtu 600\n")
    part = Reach(tree).part(apply(tree, config("interface Dialer1\n bandwidth 512\n")).tree)
    assert part is not None
    assert heads(part.before) == {carrier.partition("\n")[0], "interface Dialer1"}
