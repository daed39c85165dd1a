"""Names as IOS prints them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.ios.syntax.names import (
    DSCPS,
    dscp_code,
    dscp_name,
    interface_name,
    interface_type,
    parent_of,
    precedence_code,
)


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        pytest.param("Serial0/1/0", "Serial0/1/0", id="a full name stays"),
        pytest.param("serial 0/0", "Serial0/0", id="lower case and a blank"),
        pytest.param("Se0/0", "Serial0/0", id="the abbreviation of show outputs"),
        pytest.param("s0", "Serial0", id="one letter"),
        pytest.param("Gi0/0/1.20", "GigabitEthernet0/0/1.20", id="a subinterface"),
        pytest.param("fa3/1", "FastEthernet3/1", id="FastEthernet"),
        pytest.param("Te1/1", "TenGigabitEthernet1/1", id="TenGigabitEthernet"),
        pytest.param("e0", "Ethernet0", id="Ethernet"),
        pytest.param("lo0", "Loopback0", id="Loopback"),
        pytest.param("SM1/0", "SM1/0", id="a service module"),
        pytest.param("at1/0.1 point-to-point", "ATM1/0.1", id="words behind the name are cut"),
        pytest.param("ATM0/IMA1", "ATM0/IMA1", id="an IMA group has letters in its unit"),
        pytest.param("Po1", "Port-channel1", id="Po without a slash is a port-channel"),
        pytest.param("PO1/0", "POS1/0", id="PO with a slash is packet over SONET"),
        pytest.param("Vi2", "Virtual-Access2", id="Vi is virtual access"),
        pytest.param("Virtual-Template1", "Virtual-Template1", id="a hyphen in the type"),
        pytest.param("vlan100", "Vlan100", id="Vlan"),
        pytest.param("Mu1", "Multilink1", id="Multilink"),
        pytest.param("Tu0", "Tunnel0", id="Tunnel"),
        pytest.param("Di1", "Dialer1", id="Dialer"),
        pytest.param("Dot11Radio0", "Dot11Radio0", id="digits in the type"),
        pytest.param("Serial11/0", "Serial11/0", id="slot eleven is no Dot11"),
        pytest.param("Serial1/0/1:0", "Serial1/0/1:0", id="a channel-group"),
        pytest.param("swp1", "swp1", id="an unknown type stays"),
        pytest.param("", "", id="nothing stays nothing"),
    ],
)
def test_interface_name(typed: str, printed: str) -> None:
    assert interface_name(typed) == printed


def test_normalizing_twice_changes_nothing_more() -> None:
    assert interface_name(interface_name("gig 0/0")) == "GigabitEthernet0/0"


@pytest.mark.parametrize(
    ("name", "parent"),
    [
        pytest.param("Serial0/0.16", "Serial0/0", id="subinterface"),
        pytest.param("Serial0/0", None, id="main interface"),
        pytest.param("Serial1/0:0.5", "Serial1/0:0", id="subinterface of a channel-group"),
        pytest.param("Serial1/0.1/1:0", None, id="a path in a SONET frame is no subinterface"),
    ],
)
def test_parent(name: str, parent: str | None) -> None:
    assert parent_of(name) == parent


def test_type_alone() -> None:
    assert interface_type("hssi") == "Hssi"


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("routine", 0), ("priority", 1), ("immediate", 2), ("flash", 3),
        ("flash-override", 4), ("critical", 5), ("internet", 6), ("network", 7),
        ("5", 5), ("8", None), ("gold", None), ("-1", None),
    ],
)  # fmt: skip
def test_precedence(word: str, code: int | None) -> None:
    assert precedence_code(word) == code


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("ef", 46), ("EF", 46), ("default", 0), ("cs0", 0), ("cs1", 8), ("cs6", 48), ("cs7", 56),
        ("af11", 10), ("af12", 12), ("af13", 14), ("af21", 18), ("af31", 26), ("af41", 34),
        ("af43", 38), ("63", 63), ("64", None), ("af44", None), ("9" * 5000, None),
    ],
)  # fmt: skip
def test_dscp(word: str, code: int | None) -> None:
    assert dscp_code(word) == code


@given(st.sampled_from(sorted(DSCPS)))
def test_a_named_dscp_comes_back_from_its_code(name: str) -> None:
    assert dscp_code(dscp_name(DSCPS[name])) == DSCPS[name]


@given(st.text(max_size=30))
def test_any_text_has_a_name_that_normalizing_keeps(text: str) -> None:
    assert interface_name(interface_name(text)) == interface_name(text)
