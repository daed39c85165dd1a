"""Places whose names mislead: the Ethernet of a modem, and classes that send by another policy."""

from collections.abc import Callable

import pytest
from msgspec import Struct

from advisor.device.device import Device
from advisor.ios.syntax.reader import parse_config
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Found, Hit
from advisor.lint.checks.cbw import find_class_default_unmanaged
from advisor.lint.checks.ref.places import (
    find_policy_on_both_pvc_and_main,
    find_queueing_without_shaper_on_subinterface,
)
from advisor.lint.checks.ref.undefined import find_undefined_class_map
from advisor.lint.trial import applied
from advisor.outlet.outlets import outlets
from tests.support.devices import device_of, device_read
from tests.support.verdicts import hits_of, skip_of

SHAPER_ABOVE_LINK = CHECKS["shaper-above-link"]

ABOVE = SHAPER_ABOVE_LINK.params(above_percent=1.0, above_sold_percent=5.0)
CLASSES = (
    "version 15.4\nhostname r1\nclass-map match-any VOICE\n match ip dscp ef\n"
    "policy-map EDGE\n class VOICE\n  priority 128\n class class-default\n  fair-queue\n"
    "policy-map SHAPE\n class class-default\n  shape average 18000000 180000 0\n"
    "  service-policy EDGE\n"
)
DIALER = "interface Dialer1\n encapsulation ppp\n dialer pool 1\n service-policy output SHAPE\n"
CLIENT = " pppoe-client dial-pool-number 1\n"
PLACED = " ip address 192.0.2.1 255.255.255.0\n service-policy output SHAPE\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("interface Ethernet0\n" + PLACED, 10e6, id="without a modem it is 10BASE-T"),
        pytest.param("controller VDSL 0\ninterface Ethernet0\n" + PLACED, None,
                     id="the policy stands on the port"),
        pytest.param("controller VDSL 0\ninterface Ethernet0\n" + CLIENT + DIALER, None,
                     id="a Dialer runs over it"),
        pytest.param("interface Ethernet0/1/0\ninterface Ethernet0/1/0.101\n" + CLIENT + DIALER
                     + "controller VDSL 0/1/0\n", None, id="over its subinterface, in any order"),
        pytest.param("controller SHDSL 0\n mode efm\ninterface Ethernet0\n" + PLACED, None,
                     id="G.SHDSL in EFM mode"),
        pytest.param("controller VDSL 0\ninterface Ethernet1\n" + PLACED, 10e6,
                     id="of another slot"),
        pytest.param("controller VDSL 0\ninterface Ethernet0\n bandwidth 20000\n" + PLACED, 20e6,
                     id="its bandwidth is a label"),
    ],
)  # fmt: skip
def test_the_ethernet_of_a_modem_has_the_rate_that_the_modem_trains(
    text: str, expected: float | None
) -> None:
    device = device_read(CLASSES + text + "end\n")
    (outlet,) = outlets(device)

    assert (outlet.wire.value if outlet.wire is not None else None) == expected
    found = tuple(SHAPER_ABOVE_LINK.find(device, ABOVE))
    assert any(isinstance(each, Hit) for each in found) is (expected == 10e6)


def test_the_modem_is_named_where_its_rate_is_not_known() -> None:
    text = CLASSES + "controller VDSL 0\ninterface Ethernet0\n" + PLACED + "end\n"

    (outlet,) = outlets(device_read(text))

    assert "controller VDSL 0" in outlet.why_rate_unknown
    assert "trains it" in outlet.why_rate_unknown


FRAGMENTS = (
    "version 15.4\nhostname r1\nclass-map match-any VOICE\n match ip dscp ef\n"
    "policy-map SUB\n class VOICE\n  priority\n  police 1000000\n"
    " class class-default fragment BE\n  shape average 10000000\n"
    "policy-map MAIN\n class data service-fragment BE\n  shape average 500000000\n"
    "interface GigabitEthernet0/0/0\n service-policy output MAIN\n"
    "interface GigabitEthernet0/0/0.100\n encapsulation dot1Q 100\n service-policy output SUB\nend\n"
)


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(find_queueing_without_shaper_on_subinterface, id="no shaper is around them"),
        pytest.param(find_policy_on_both_pvc_and_main, id="they stand on both levels"),
        pytest.param(find_undefined_class_map, id="a service-fragment needs no class-map"),
        pytest.param(find_class_default_unmanaged, id="class-default is managed at the port"),
    ],
)
def test_ios_takes_fragments_of_subinterfaces(rule: Callable[[Device], Found[Struct]]) -> None:
    device = device_of(FRAGMENTS)

    assert not device.facts.unread
    assert hits_of(rule(device)) == []


def test_no_figure_is_given_for_fragments() -> None:
    found = outlets(device_read(FRAGMENTS))

    assert {outlet.why_not_modelled for outlet in found} == {
        "`service-fragment BE` (r1.txt:12) is not modelled",
        "`fragment BE` (r1.txt:9) is not modelled",
    }
    assert not any(outlet.is_never_full for outlet in found)


def test_a_policy_that_is_not_understood_is_not_called_refused() -> None:
    device = device_of(FRAGMENTS.replace("class-default fragment BE", "class-default xyz BE"))

    assert (
        "r1.ios:9 is not understood"
        in skip_of(find_queueing_without_shaper_on_subinterface(device)).reason
    )


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        pytest.param("class class-default", "class class-default fragment BE", id="its head alone"),
        pytest.param("class class-default fragment B2", "class class-default fragment B2",
                     id="another fragment"),
    ],
)  # fmt: skip
def test_a_line_that_enters_a_fragment_keeps_it(line: str, kept: str) -> None:
    tree = applied(
        parse_config(FRAGMENTS, "r1.cfg"), ("policy-map SUB", f" {line}", "  bandwidth 64")
    )

    assert kept in [each.text for each in tree.walk()]
