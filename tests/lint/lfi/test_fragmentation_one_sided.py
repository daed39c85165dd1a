"""LFI006: a link of which one end fragments."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import Rule, load_rules
from advisor.lint.findings import Finding, Severity
from advisor.lint.run import review
from advisor.settings import PROFILES, Settings

LLQ = (
    "class-map match-all VOICE\n match ip dscp ef\npolicy-map EDGE\n class VOICE\n"
    "  priority 64\n class class-default\n  fair-queue\n"
)
POLICY = " service-policy output EDGE\n"
CUT = " frame-relay fragment 632 end-to-end\n"
CELL, SHAPING = " frame-relay fragment 632\n", " frame-relay traffic-shaping\n"
INTERLEAVE = " ppp multilink fragment delay 10\n ppp multilink interleave\n"


def frame_relay(address: int, lines: str = "", clock: str = " clock rate 512000\n") -> str:
    return (
        f"{LLQ}interface Serial0/0\n ip address 10.0.0.{address} 255.255.255.252\n"
        f" encapsulation frame-relay\n{clock}{lines}"
    )


def circuit(address: int, main: str = "", lines: str = "") -> str:
    return (
        f"{LLQ}interface Serial0/0\n encapsulation frame-relay\n clock rate 512000\n{main}"
        f"interface Serial0/0.1 point-to-point\n ip address 10.0.0.{address} 255.255.255.252\n"
        f" frame-relay interface-dlci 100\n  class M\nmap-class frame-relay M\n{lines}"
    )


def by_port(address: int, port: str = "", clock: str = " clock rate 512000\n") -> str:
    return (
        f"{LLQ}interface Serial0/0\n encapsulation frame-relay\n{clock}{port}"
        f"interface Serial0/0.1 point-to-point\n ip address 10.0.0.{address} 255.255.255.252\n"
        " frame-relay interface-dlci 100\n"
    )


def multilink(address: int, lines: str = "", kbps: int = 512) -> str:
    return (
        f"{LLQ}interface Multilink1\n bandwidth {kbps}\n"
        f" ip address 10.0.0.{address} 255.255.255.252\n ppp multilink\n"
        f" ppp multilink group 1\n{lines}interface Serial0/0\n bandwidth {kbps}\n"
        " encapsulation ppp\n ppp multilink\n ppp multilink group 1\n"
    )


def found(one: str, other: str, profile: str = "voice") -> list[Finding]:
    sources = [
        Source(f"r{number}.ios", f"version 12.4\nhostname r{number}\n{text}end\n".encode())
        for number, text in enumerate((one, other), 1)
    ]
    budgets = PROFILES[profile]
    return list(review(sources, load(profile), Settings(budgets=budgets)).findings)


def load(profile: str) -> list[Rule]:
    return [rule for rule in load_rules(PROFILES[profile]) if rule.card.id == "LFI006"]


@pytest.mark.parametrize(
    ("one", "other", "devices"),
    [
        pytest.param(frame_relay(1, CUT + POLICY), frame_relay(2), ["r2"], id="FRF.12 at r1"),
        pytest.param(frame_relay(1, POLICY), frame_relay(2, CUT), ["r1"], id="FRF.12 at r2"),
        pytest.param(frame_relay(1, CUT + POLICY), frame_relay(2, CUT), [], id="at both"),
        pytest.param(frame_relay(1, POLICY), frame_relay(2), [], id="at none: LFI001"),
        pytest.param(frame_relay(1, CUT), frame_relay(2), ["r2"],
                     id="Frame Relay loses packets without voice too"),
        pytest.param(frame_relay(1, CUT), frame_relay(2, clock=""), ["r2"],
                     id="and where no rate is known"),
        pytest.param(by_port(1, CUT + POLICY), by_port(2), ["r2"],
                     id="LLQ and FRF.12 on the port, the address on a subinterface"),
        pytest.param(by_port(1, CUT + POLICY), by_port(2, POLICY), ["r2"],
                     id="LLQ on both ports, FRF.12 on one"),
        pytest.param(by_port(1, CUT + POLICY), frame_relay(2), ["r2"],
                     id="a subinterface against a port"),
        pytest.param(by_port(1, CUT + POLICY), by_port(2, CUT), [], id="FRF.12 on both ports"),
        pytest.param(by_port(1, CUT + POLICY), circuit(2, SHAPING, CELL), [],
                     id="on the port here, in the map-class there"),
        pytest.param(by_port(1, POLICY), by_port(2), [], id="FRF.12 on no port: LFI001"),
        pytest.param(multilink(1, INTERLEAVE), multilink(2), [], id="MLPPP without voice"),
        pytest.param(frame_relay(1, CUT + POLICY, " clock rate 2000000\n"),
                     frame_relay(2, "", " bandwidth 2000\n"), ["r2"],
                     id="fragments are dropped at any rate"),
        pytest.param(circuit(1, SHAPING, CELL + POLICY), circuit(2, SHAPING, CELL), [],
                     id="map-classes at both"),
        pytest.param(circuit(1, SHAPING, CELL + POLICY), circuit(2, "", CELL), ["r2"],
                     id="a map-class without traffic shaping cuts nothing"),
        pytest.param(multilink(1, INTERLEAVE + POLICY), multilink(2), ["r2"], id="MLPPP"),
        pytest.param(multilink(1, INTERLEAVE + POLICY), multilink(2, INTERLEAVE), [],
                     id="MLPPP at both"),
        pytest.param(multilink(1, INTERLEAVE + POLICY),
                     multilink(2, " ppp multilink fragment delay 10\n"), [],
                     id="fragments without interleaving are LFI005's"),
        pytest.param(multilink(1, INTERLEAVE + POLICY, 1211), multilink(2, kbps=1211), [],
                     id="MLPPP, 1513 bytes at 1211 kb/s: 9.995 ms"),
        pytest.param(multilink(1, INTERLEAVE + POLICY, 1210), multilink(2, kbps=1210), ["r2"],
                     id="MLPPP, 1513 bytes at 1210 kb/s: 10.003 ms"),
        pytest.param(frame_relay(1, CUT + POLICY), frame_relay(6), [], id="no link of the two"),
    ],
)  # fmt: skip
def test_the_end_that_does_not_fragment(one: str, other: str, devices: list[str]) -> None:
    assert [finding.device for finding in found(one, other)] == devices


def test_the_other_end_is_named() -> None:
    (finding,) = found(frame_relay(1, CUT + POLICY), frame_relay(2))

    assert "r1 Serial0/0 (by subnet) fragments" in finding.message


def test_a_link_that_loses_its_large_packets_is_an_error_with_lines_for_either_end() -> None:
    (finding,) = found(frame_relay(1, CUT + POLICY), frame_relay(2))

    assert finding.severity is Severity.ERROR
    assert finding.prediction is not None
    assert finding.prediction.metric == "loss of all packets over 632 bytes from r1 Serial0/0"
    assert finding.remedy is not None
    assert finding.remedy.advice is not None
    for line in (
        "`interface Serial0/0`, `frame-relay fragment 632 end-to-end` on r2",
        "`no frame-relay fragment` on r1 Serial0/0",
    ):
        assert line in finding.remedy.advice


def test_multilink_joins_the_fragments_and_costs_delay_only() -> None:
    (finding,) = found(multilink(1, INTERLEAVE + POLICY), multilink(2))

    assert finding.severity is Severity.WARNING


def test_a_profile_without_a_budget_is_silent() -> None:
    assert found(frame_relay(1, CUT + POLICY), frame_relay(2), "data") == []
