"""A message that the logger writes into a line costs no line, and closes no section."""

import pytest

from advisor.capture.cuts import read_capture
from advisor.capture.transcript import transcript
from tests.support.devices import device_read

_UP = "*Mar  3 10:11:12.123: %LINK-3-UPDOWN: Interface FastEthernet0/1, changed state to up"
_OTHER = "000123: .Mar  3 10:11:12 UTC: %SYS-5-CONFIG_I: Configured from console by vty0"


@pytest.mark.parametrize(
    ("cut", "whole"),
    [
        pytest.param(f" tx-ring-lim{_UP}\nit 10\n", " tx-ring-limit 10\n\n", id="inside a word"),
        pytest.param(f" tx-ring-limit{_UP}\n 10\n", " tx-ring-limit 10\n\n", id="before a blank"),
        pytest.param(f" tx-ring-limit 1{_UP}\n0\n", " tx-ring-limit 10\n\n", id="inside a number"),
        pytest.param(f" class{_UP}\n VOICE\n", " class VOICE\n\n", id="before a name"),
        pytest.param(
            f" tx-ring{_UP}\n{_OTHER}\n-limit 10\n", " tx-ring-limit 10\n\n\n", id="two messages"
        ),
        pytest.param(
            f" tx-{_UP}\nring{_UP}\n-limit 10\n", " tx-ring-limit 10\n\n\n", id="cut twice"
        ),
        pytest.param(
            f" tx-ring-limit 10{_UP}\n service-policy output WAN\n",
            " tx-ring-limit 10\n service-policy output WAN\n",
            id="at the end of a line",
        ),
        pytest.param(f" shutdown{_UP}\n!\n", " shutdown\n!\n", id="ahead of a comment"),
        pytest.param(
            f"      30 second offered rate 48000 bps{_UP}\n, drop rate 0 bps\n",
            "      30 second offered rate 48000 bps, drop rate 0 bps\n\n",
            id="in a show output",
        ),
        pytest.param(
            f"  Hardware is GT96K{_UP}\n  MTU 1500 bytes\n",
            "  Hardware is GT96K\n  MTU 1500 bytes\n",
            id="at the end of a line of an output",
        ),
        pytest.param(f"  MTU\nr1#{_UP}\n  BW\n", "  MTU\n\n  BW\n", id="behind a prompt"),
        pytest.param(
            "  Strict\n\n***\n*** --- SHUTDOWN in 0:05:00 ---\n***\n\n  Output\n",
            "  Strict\n\n\n\n\n\n  Output\n",
            id="the countdown of `reload in`",
        ),
        pytest.param("***\n no countdown\n", "***\n no countdown\n", id="stars alone"),
        pytest.param(
            "  MTU\n%Error opening tftp://255.255.255.255/network-confg (Timed out)\n  BW\n",
            "  MTU\n\n  BW\n",
            id="what `service config` did not find",
        ),
        pytest.param(
            "*Mar  3 10:11:12: %LINK-3-UPDOWN: Interface \nSerial0/1/0, changed state\n bandwidth 9\n",
            "\n\n bandwidth 9\n",
            id="wrapped at a blank",
        ),
        pytest.param(
            "*Mar  3 10:11:12: %SYS-5-CONFIG_I: Configured from \ninterface Serial0/0\n",
            "\ninterface Serial0/0\n",
            id="with a blank at its end ahead of a command",
        ),
        pytest.param(
            ' event syslog pattern "%LINK-3-UPDOWN: x"\n',
            ' event syslog pattern "%LINK-3-UPDOWN: x"\n',
            id="named by a command",
        ),
    ],
)
def test_line_is_whole_again(cut: str, whole: str) -> None:
    assert transcript(cut) == whole


_CONFIG = """r1#show running-config
version 15.1
hostname r1
policy-map WAN
 class VOICE
  priority 128
interface Serial0/0
 bandwidth 512
{cut}
 service-policy output WAN
end
r1#
"""


def test_rest_of_a_line_does_not_close_the_interface() -> None:
    facts = device_read(_CONFIG.format(cut=f" tx-ring-lim{_UP}\nit 10")).facts
    interface = facts.interface("Serial0/0")
    assert interface is not None
    assert interface.tx_ring_limit is not None
    assert interface.tx_ring_limit.value == 10
    assert [attached.policy for attached in interface.policies] == ["WAN"]


def test_line_that_lost_its_rest_makes_the_capture_incomplete() -> None:
    capture = read_capture(_CONFIG.format(cut=f" tx-ring-lim{_UP}"), "r1.log")
    assert ["line 9: a message of the log" in str(gap) for gap in capture.gaps] == [True]


def test_line_that_a_message_only_follows_is_no_gap() -> None:
    capture = read_capture(_CONFIG.format(cut=f" tx-ring-limit 10{_UP}"), "r1.log")
    assert capture.gaps == ()
