"""Interfaces with what each alone uses, and what two configs do not share."""

import pytest

from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import differing
from advisor.ios.edit.reach import Reach
from advisor.ios.syntax import ConfigTree
from advisor.ios.syntax.reader import parse_config

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


def units(text: str) -> list[set[str]]:
    tree = config(text)
    return [{tree.lines[place].text for place in unit.own} for unit in Reach(tree).units()]


@pytest.mark.parametrize(
    "unit",
    [
        pytest.param(BUNDLE, id="a bundle with its members; the policy that others use is not in"),
        pytest.param(ATM, id="a main interface with its subinterfaces"),
        pytest.param(
            {"interface Serial0/2", *LAN},
            id="an interface with all that it alone uses, policies level by level",
        ),
    ],
)
def test_a_unit_is_an_interface_with_what_it_alone_uses(unit: set[str]) -> None:
    assert unit in units(CONFIG)


def test_a_class_map_that_nothing_uses_is_a_unit() -> None:
    text = f"{CONFIG}class-map match-any LEFT\n match ip dscp cs1\n"

    assert {"class-map match-any LEFT"} in units(text)


@pytest.mark.parametrize("shared", sorted(EDGE | EVERYWHERE))
def test_what_several_use_is_in_no_unit(shared: str) -> None:
    assert not any(shared in unit for unit in units(CONFIG))


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
def test_a_dialer_is_one_unit_with_what_carries_its_sessions(carrier: str) -> None:
    text = f"{carrier}interface Dialer1\n dialer pool 1\ninterface Serial0/0\n mtu 600\n"

    assert {carrier.partition("\n")[0], "interface Dialer1"} in units(text)
