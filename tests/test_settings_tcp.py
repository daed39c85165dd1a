"""TCP flows and codes of packets in `[[traffic]]` tables: what is read, what is refused."""

import pytest

from advisor.report.settings_text import render
from advisor.settings import Settings, SettingsError, StatedTcp
from advisor.settings.file import settings_of_text

CLASS = "[[traffic]]\nclass = 'V'\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("tcp_flows = 3", StatedTcp(3), id="flows alone: all else is unknown"),
        pytest.param("tcp_flows = 3\nrtt_ms = 50", StatedTcp(3, 50.0, 50.0), id="a round trip"),
        pytest.param("tcp_flows = 3\nrtt_ms = [20, 80]", StatedTcp(3, 20.0, 80.0),
                     id="an interval of round trips"),
        pytest.param(
            "tcp_flows = 2\nreceiver_window_bytes = 8192\ntransfer_bytes = 100000\n"
            "target_share_percent = 20",
            StatedTcp(2, None, None, 8192, 100_000, 20.0), id="window, file and target"),
    ],
)  # fmt: skip
def test_tcp_flows(text: str, expected: StatedTcp) -> None:
    (said,) = settings_of_text(CLASS + text).traffic
    assert (said.tcp, said.arrivals) == (expected, "saturated")


@pytest.mark.parametrize(
    ("text", "marking"),
    [
        pytest.param("dscp = 'AF11'", "dscp af11", id="a name"),
        pytest.param("dscp = 46", "dscp 46", id="a number"),
        pytest.param("precedence = 'flash'", "precedence flash", id="a precedence by name"),
        pytest.param("precedence = 5", "precedence 5", id="a precedence by number"),
        pytest.param("group = 'bulk'", None, id="a group without a code"),
    ],
)
def test_code_of_the_packets(text: str, marking: str | None) -> None:
    (said,) = settings_of_text(f"{CLASS}tcp_flows = 1\n{text}").traffic
    assert said.marking == marking


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("tcp_flows = 0", "tcp_flows: expected a whole number >= 1", id="no flow"),
        pytest.param("tcp_flows = 3\nrate_kbps = 9",
                     "settings:4: [[traffic]] tcp_flows send what the network lets them: "
                     "drop rate_kbps", id="a rate of TCP"),
        pytest.param("tcp_flows = 3\narrivals = 'poisson'",
                     "tcp_flows send what the network lets them: drop arrivals",
                     id="arrivals of TCP"),
        pytest.param("rtt_ms = 50\npacket_bytes = 100",
                     "settings:3: [[traffic]] rtt_ms goes with tcp_flows, which is missing",
                     id="a round trip without flows"),
        pytest.param("tcp_flows = 3\nrtt_ms = [80, 20]",
                     "rtt_ms: takes a number, or minimum and maximum like [20, 80]",
                     id="an interval backwards"),
        pytest.param("tcp_flows = 3\nrtt_ms = []", "rtt_ms: takes a number", id="no end"),
        pytest.param("tcp_flows = 3\nrtt_ms = [1, 2, 3]", "rtt_ms: takes a number", id="three"),
        pytest.param("tcp_flows = 3\ndscp = 'af44'", "dscp: unknown 'af44'; it takes 0 to 63",
                     id="no such DSCP"),
        pytest.param("tcp_flows = 3\nprecedence = 8", "precedence: unknown 8", id="precedence 8"),
        pytest.param("tcp_flows = 3\ndscp = 0\nprecedence = 1",
                     "settings:5: [[traffic]] give dscp or precedence, not both", id="both codes"),
        pytest.param("tcp_flows = 3\npacket_bytes = [{bytes = 40, share = 1.0}]",
                     "packet_bytes: TCP flows of a table have one size", id="a mix of sizes"),
        pytest.param("tcp_flows = 3\ntarget_share_percent = 101", "target_share_percent",
                     id="more than all"),
    ],
)  # fmt: skip
def test_what_contradicts_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(SettingsError) as error:
        settings_of_text(CLASS + text)
    assert said in str(error.value)


def test_settings_in_force_read_as_what_was_stated() -> None:
    text = f"{CLASS}dscp = 'af11'\ngroup = 'bulk'\ntcp_flows = 3\nrtt_ms = [20, 80]\n"
    stated = settings_of_text(text).traffic
    shown = render(Settings(traffic=stated)).split("\n\n")[-1]
    assert settings_of_text(shown).traffic[0].tcp == stated[0].tcp
    assert settings_of_text(shown).traffic[0].marking == "dscp af11"
