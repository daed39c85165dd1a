"""What a text is: IOS is taken, everything else is named with the line that shows it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.ios.syntax.detect import Dialect, identify

ROUTER = "hostname R1\ninterface Serial0/0\n ip address 10.0.0.1 255.0.0.0\n"


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        pytest.param(ROUTER, Dialect.IOS, id="a draft for a router"),
        pytest.param("tx-ring-limit 3\n", Dialect.IOS, id="one line that only IOS has"),
        pytest.param(
            "class-map VOICE\nmatch ip dscp ef\npolicy-map P\nclass VOICE\npriority 64\n",
            Dialect.IOS,
            id="a flat policy",
        ),
        pytest.param(
            "banner motd ^C\nWelcome to the network.\nPlease behave, or leave.\n^C\nhostname R1\n",
            Dialect.IOS,
            id="prose in a banner does not count",
        ),
        pytest.param(
            f"version 15.1\n{ROUTER} description feature of vdc\n", Dialect.IOS,
            id="words of another system inside a line do not count",
        ),
        pytest.param(
            "version 7.3(1)D1(1)\nfeature bgp\nvrf context M\n", Dialect.NXOS, id="NX-OS by its version"
        ),
        pytest.param("hostname r1\nfeature bgp\n", Dialect.NXOS, id="NX-OS by its features"),
        pytest.param("ASA Version 9.7(1)24\nhostname fw\n", Dialect.ASA, id="ASA by its version"),
        pytest.param(
            "interface GigabitEthernet0/0\n nameif inside\n security-level 100\n", Dialect.ASA,
            id="ASA by its interfaces",
        ),
        pytest.param(
            "!! IOS XR Configuration 6.1.2\nhostname P1\n", Dialect.IOS_XR, id="IOS XR by its header"
        ),
        pytest.param(
            "interface GigabitEthernet0/0/0/0\n ipv4 address 10.0.0.1 255.0.0.0\n", Dialect.IOS_XR,
            id="IOS XR by its interfaces",
        ),
        pytest.param(
            "! device: leaf1 (DCS-7260, EOS-4.22.3M)\nhostname leaf1\n", Dialect.EOS,
            id="EOS by its header",
        ),
        pytest.param(
            "hostname s1\ninterface Ethernet1\n   ip address 10.0.0.1/31\n", Dialect.EOS,
            id="EOS by its addresses",
        ),
        pytest.param(
            "set system host-name r1\nset interfaces ge-0/0/0 unit 0\n", Dialect.JUNOS,
            id="JunOS as commands",
        ),
        pytest.param(
            "version 20.4R3.8;\nsystem {\n    host-name r1;\n}\n", Dialect.JUNOS, id="JunOS in braces"
        ),
        pytest.param("ltm node /Common/a {\n    address 192.0.2.1\n}\n", Dialect.OTHER, id="F5"),
        pytest.param("auto lo\niface lo inet loopback\n", Dialect.OTHER, id="Linux interfaces"),
        pytest.param("thing {\n  a b;\n  c d;\n}\n", Dialect.OTHER, id="braces of an unknown system"),
        pytest.param(
            "Dear colleague,\nthe router in Rome is slow again.\nPlease have a look.\n",
            Dialect.NOT_A_CONFIG,
            id="prose",
        ),
        pytest.param("\x00\x01\x02\xffELF", Dialect.NOT_A_CONFIG, id="binary"),
        pytest.param("import re\nfrom os import path\n", Dialect.NOT_A_CONFIG, id="a program"),
        pytest.param(
            "Interface   IP-Address  OK? Method Status  Protocol\nSerial0  10.0.0.1  YES NVRAM up up\n",
            Dialect.NOT_A_CONFIG,
            id="a show output",
        ),
        pytest.param("", Dialect.EMPTY, id="nothing"),
        pytest.param("\n  \r\n", Dialect.EMPTY, id="blanks"),
    ],
)  # fmt: skip
def test_dialect_of_a_text(text: str, dialect: Dialect) -> None:
    assert identify(text).dialect is dialect


def test_evidence_is_the_line_that_weighs_most() -> None:
    text = "hostname leaf1\ninterface Ethernet1\n! device: leaf1 (vEOS, EOS-4.21.1.1F)\n"
    assert identify(text).evidence == "! device: leaf1 (vEOS, EOS-4.21.1.1F)"


@given(st.text() | st.binary().map(lambda payload: payload.decode("latin-1")))
def test_any_text_is_something(text: str) -> None:
    assert identify(text).dialect in Dialect
