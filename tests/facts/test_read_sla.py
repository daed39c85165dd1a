"""IP SLA probes in the spellings of the trains."""

import pytest

from advisor.facts import SlaProbe
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config


def probes_of(text: str) -> tuple[SlaProbe, ...]:
    return read_facts(parse_config(text, "r1.cfg")).probes


HEADS = [
    pytest.param("ip sla 7\n icmp-echo 10.0.0.2", "icmp-echo", None, id="ip sla"),
    pytest.param(
        "ip sla monitor 7\n type echo protocol ipIcmpEcho 10.0.0.2", "icmp-echo", None,
        id="ip sla monitor",
    ),
    pytest.param("rtr 7\n type echo protocol ipIcmpEcho 10.0.0.2", "icmp-echo", None, id="rtr"),
    pytest.param(
        "rtr 7\n type jitter dest-ipaddr 10.0.0.2 dest-port 5000", "udp-jitter", 5000,
        id="jitter of rtr",
    ),
    pytest.param("ip sla 7\n udp-jitter 10.0.0.2 5000", "udp-jitter", 5000, id="udp-jitter"),
    pytest.param("ip sla 7\n tcp-connect 10.0.0.2 80", "tcp-connect", 80, id="tcp-connect"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "operation", "port"), HEADS)
def test_operation(text: str, operation: str, port: int | None) -> None:
    (probe,) = probes_of(f"{text}\n frequency 30\n")
    assert (probe.number, probe.operation, probe.destination, probe.destination_port) == (
        7, operation, "10.0.0.2", port,
    )  # fmt: skip
    assert probe.frequency_s is not None
    assert probe.frequency_s.value == 30


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "ip sla 1\n udp-jitter 10.0.0.2 5000 num-packets 50 interval 30\n", id="ip sla"
        ),
        pytest.param(
            "rtr 1\n type jitter dest-ipaddr 10.0.0.2 dest-port 5000 num-packets 50 interval 30\n",
            id="rtr",
        ),
    ],
)
def test_packets_and_their_interval(text: str) -> None:
    (probe,) = probes_of(text)
    assert (probe.packets, probe.interval_ms) == (50, 30)


def test_settings_stand_deeper_in_later_trains() -> None:
    (probe,) = probes_of(
        "ip sla 1\n icmp-echo 10.0.0.2\n  tos 184\n  request-data-size 172\n  vrf RED\n"
    )
    assert probe.tos is not None
    assert probe.request_bytes is not None
    assert (probe.tos.value, probe.request_bytes.value) == (184, 172)
    assert [option.value for option in probe.options] == ["vrf RED"]


@pytest.mark.parametrize(
    "text",
    [
        "ip sla schedule 1 life forever start-time now\n", "ip sla responder\n",
        "ip sla logging traps\n", "ip sla x\n", "ip sla 1\nno ip sla 1\n", "rtr 1\nno rtr 1\n",
    ],
)  # fmt: skip
def test_no_probe(text: str) -> None:
    assert probes_of(text) == ()


def test_a_value_that_ios_would_refuse_is_no_setting() -> None:
    (probe,) = probes_of("ip sla 1\n icmp-echo 10.0.0.2\n timeout soon\n")
    assert probe.timeout_ms is None
    assert [option.value for option in probe.options] == ["timeout soon"]
