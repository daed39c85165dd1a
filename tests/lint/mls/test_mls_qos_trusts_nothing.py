"""MLS001: ports of phones under `mls qos`."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from tests.support.devices import device_of
from tests.support.verdicts import hits_of

MLS_QOS_TRUSTS_NOTHING = CHECKS["mls-qos-trusts-nothing"]

PORT = "interface FastEthernet0/3\n switchport access vlan 10\n{0}"
PHONE = " switchport voice vlan 110\n"
ON = "mls qos\n"


@pytest.mark.parametrize(
    ("head", "lines", "found"),
    [
        pytest.param(ON, PHONE, 1, id="a phone at a port that trusts nothing"),
        pytest.param("", PHONE, 0, id="mls qos is off: the DSCP passes"),
        pytest.param(ON, "", 0, id="no voice VLAN"),
        pytest.param(ON, " switchport voice vlan none\n", 0, id="no voice VLAN, in words"),
        pytest.param(ON, PHONE + " mls qos trust cos\n", 0, id="it trusts the CoS"),
        pytest.param(ON, PHONE + " mls qos trust device cisco-phone\n", 0, id="it trusts phones"),
        pytest.param(ON, PHONE + " auto qos voip cisco-phone\n", 0, id="auto qos"),
        pytest.param(ON, PHONE + " mls qos vlan-based\n", 0, id="the VLAN has the policy"),
        pytest.param(ON, PHONE + " service-policy input MARK\n", 0, id="a policy marks"),
        pytest.param(ON, PHONE + " shutdown\n", 0, id="the port is off"),
        pytest.param(ON + "no mls qos rewrite ip dscp\n", PHONE, 0, id="the DSCP is kept"),
    ],
)
def test_ports_of_phones(head: str, lines: str, found: int) -> None:
    device = device_of(head + PORT.format(lines))

    assert len(hits_of(MLS_QOS_TRUSTS_NOTHING.find(device, NoParams()))) == found
