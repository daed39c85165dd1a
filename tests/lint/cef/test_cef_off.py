"""CEF001: NBAR after `no ip cef`."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from tests.support.devices import device_of
from tests.support.verdicts import hits_of

CEF_OFF = CHECKS["cef-off"]

TEXT = (
    "{0}class-map match-all C\n match {1}\npolicy-map P\n class C\n  set ip dscp af21\n"
    "interface FastEthernet0/0\n ip address 10.0.0.1 255.255.255.0\n{2}"
)
ATTACHED = " service-policy input P\n"


@pytest.mark.parametrize(
    ("head", "match", "place", "found"),
    [
        pytest.param("no ip cef\n", "protocol http", ATTACHED, 1, id="NBAR without CEF"),
        pytest.param("ip cef\n", "protocol http", ATTACHED, 0, id="with CEF"),
        pytest.param("", "protocol http", ATTACHED, 0, id="no line says it"),
        pytest.param("no ip cef\n", "protocol ip", ATTACHED, 0, id="a protocol of layer 3"),
        pytest.param("no ip cef\n", "dscp ef", ATTACHED, 0, id="by DSCP"),
        pytest.param("no ip cef\n", "protocol http", "", 0, id="attached nowhere"),
    ],
)
def test_nbar_needs_cef(head: str, match: str, place: str, found: int) -> None:
    device = device_of(TEXT.format(head, match, place))

    assert len(hits_of(CEF_OFF.find(device, NoParams()))) == found
