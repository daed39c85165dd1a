"""What a config says of the box, and what the published tests' configs say as a whole."""

import pytest

from advisor.facts import Ports, Stated
from advisor.facts.config import Facts
from advisor.facts.interface import Side
from advisor.facts.policy import Unit
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config


def facts_of(text: str) -> Facts:
    return read_facts(parse_config(text, "r1.cfg"))


def value_of(setting: Stated[str] | None) -> str | None:
    return setting.value if setting else None


def test_hostname_and_version() -> None:
    facts = facts_of("version 12.4\nhostname a1\n")
    assert (value_of(facts.hostname), value_of(facts.version)) == ("a1", "12.4")


@pytest.mark.parametrize(
    ("text", "on"),
    [
        pytest.param("ip cef\n", True, id="ip cef"),
        pytest.param("ip cef distributed\n", True, id="ip cef distributed"),
        pytest.param("no ip cef\n", False, id="no ip cef"),
        pytest.param("ip cef\nno ip cef distributed\n", True, id="central CEF stays"),
        pytest.param("hostname r1\n", False, id="not stated"),
    ],
)
def test_ip_cef(text: str, on: bool) -> None:
    assert facts_of(text).ip_cef is on


TX_RING_TEST = """\
hostname a1
!
ip cef
!
class-map match-all Echo
 match protocol icmp
!
policy-map EchoPriority
 class Echo
  priority 64
 class class-default
  fair-queue
!
interface FastEthernet0/0
 ip address 10.0.0.5 255.255.255.0
!
interface Serial0/1/0
 bandwidth 512
 ip address 172.16.1.129 255.255.255.252
 encapsulation ppp
 load-interval 30
 service-policy output EchoPriority
!
ip sla 50000
 icmp-jitter 172.16.1.130
 timeout 1000
 threshold 500
 frequency 2
 history hours-of-statistics-kept 1
 history distributions-of-statistics-kept 2
!
end
"""


def test_class_map_of_the_tx_ring_test_matches_icmp_by_nbar_with_cef_on() -> None:
    facts = facts_of(TX_RING_TEST)
    (echo,) = facts.class_maps
    (match,) = echo.matches
    assert facts.ip_cef
    assert value_of(facts.hostname) == "a1"
    assert (echo.name, echo.match_all, match.kind, match.values) == (
        "Echo",
        True,
        "protocol",
        ("icmp",),
    )


def test_policy_map_of_the_tx_ring_test_gives_64_kbps_priority_and_fair_queueing() -> None:
    (policy,) = facts_of(TX_RING_TEST).policy_maps
    echo, default = policy.classes
    assert echo.priority is not None
    assert (echo.priority.unit, echo.priority.amount) == (Unit.KBPS, 64)
    assert echo.priority.burst_bytes is None  # 1600 bytes is IOS's default, not a statement
    assert default.is_default
    assert default.fair_queue is not None
    assert default.queues


def test_interfaces_of_the_tx_ring_test() -> None:
    ethernet, serial = facts_of(TX_RING_TEST).interfaces
    assert value_of(ethernet.ip_address) == "10.0.0.5 255.255.255.0"
    assert (serial.name, serial.type) == ("Serial0/1/0", "Serial")
    assert serial.bandwidth_bps is not None
    assert serial.load_interval_s is not None
    assert (serial.bandwidth_bps.value, serial.load_interval_s.value) == (512_000, 30)
    assert value_of(serial.encapsulation) == "ppp"
    assert value_of(serial.ip_address) == "172.16.1.129 255.255.255.252"
    assert [(each.policy, each.direction) for each in serial.policies] == [
        ("EchoPriority", Side.OUTPUT)
    ]


def test_probe_of_the_tx_ring_test_with_its_history_options() -> None:
    (probe,) = facts_of(TX_RING_TEST).probes
    assert probe.timeout_ms is not None
    assert probe.threshold_ms is not None
    assert probe.frequency_s is not None
    assert (probe.number, probe.operation, probe.destination) == (
        50000,
        "icmp-jitter",
        "172.16.1.130",
    )
    assert (probe.timeout_ms.value, probe.threshold_ms.value, probe.frequency_s.value) == (
        1000,
        500,
        2,
    )
    assert [option.value for option in probe.options] == [
        "history hours-of-statistics-kept 1",
        "history distributions-of-statistics-kept 2",
    ]


# No indentation, as the test's report prints it.
WRED_TEST = """\
class-map match-all wred-prec5
match access-group 192
class-map match-all wred-prec4
match access-group 191
class-map match-all wred-prec3
match access-group 190
!
policy-map setprec
class wred-prec3
set ip precedence 3
class wred-prec4
set ip precedence 4
class wred-prec5
set ip precedence 5
class class-default
set ip precedence 0
!
interface FastEthernet3/1
ip address 192.168.70.1 255.255.255.0
service-policy input setprec
!
ip cef distributed
!
class-map match-all prec-only
match access-group 180
!
policy-map wred-out
class prec-only
bandwidth 2000
random-detect
random-detect precedence 3 15 30 2
random-detect precedence 4 15 30 5
random-detect precedence 5 15 30 10
class class-default
bandwidth 666
!
interface ATM0/0/0.2 point-to-point
description VP CSELT <--> INFN-CNAF
bandwidth 3560
ip address 192.168.77.22 255.255.255.252
pvc infn-qos 0/100
vbr-nrt 3560 3560
encapsulation aal5mux ip
service-policy output wred-out
!
access-list 180 permit ip any any precedence flash
access-list 180 permit ip any any precedence flash-override
access-list 180 permit ip any any precedence critical
!
access-list 190 permit tcp host 192.168.70.2 range 30000 31000 host 192.168.73.3
access-list 191 permit tcp host 192.168.70.2 range 40000 41000 host 192.168.73.3
access-list 192 permit tcp host 192.168.70.2 range 50000 51000 host 192.168.73.3
"""


def test_the_flat_config_of_the_wred_test_is_fully_understood() -> None:
    facts = facts_of(WRED_TEST)
    assert facts.unread == ()
    assert facts.qos_lines_seen == facts.qos_lines_understood == 32


def test_marking_policy_of_the_wred_test_is_attached_inbound_and_queues_nothing() -> None:
    facts = facts_of(WRED_TEST)
    marking = facts.policy_map("setprec")
    assert marking is not None
    assert [(each.name, each.sets[0].value) for each in marking.classes] == [
        ("wred-prec3", "precedence 3"),
        ("wred-prec4", "precedence 4"),
        ("wred-prec5", "precedence 5"),
        ("class-default", "precedence 0"),
    ]
    assert not any(each.queues for each in marking.classes)
    ethernet = facts.interface("FastEthernet3/1")
    assert ethernet is not None
    assert value_of(ethernet.ip_address) == "192.168.70.1 255.255.255.0"
    assert ethernet.policies[0].direction is Side.INPUT


def test_class_maps_of_the_wred_test_match_access_lists() -> None:
    facts = facts_of(WRED_TEST)
    assert facts.ip_cef
    assert [(each.name, each.matches[0].values) for each in facts.class_maps] == [
        ("wred-prec5", ("192",)),
        ("wred-prec4", ("191",)),
        ("wred-prec3", ("190",)),
        ("prec-only", ("180",)),
    ]


def test_thresholds_and_guarantees_of_the_wred_test() -> None:
    policy = facts_of(WRED_TEST).policy_map("wred-out")
    assert policy is not None
    marked, default = policy.classes
    assert marked.bandwidth is not None
    assert default.bandwidth is not None
    assert (marked.bandwidth.amount, default.bandwidth.amount) == (2000, 666)
    assert marked.wred is not None
    assert [
        (row.code, row.min_threshold, row.max_threshold, row.mark_probability_denominator)
        for row in marked.wred.profiles
    ] == [(3, 15, 30, 2), (4, 15, 30, 5), (5, 15, 30, 10)]


def test_pvc_of_the_wred_test() -> None:
    interface = facts_of(WRED_TEST).interface("ATM0/0/0.2")
    assert interface is not None
    assert value_of(interface.description) == "VP CSELT <--> INFN-CNAF"
    (pvc,) = interface.pvcs
    assert pvc.rate is not None
    assert (pvc.name, pvc.vpi, pvc.vci, pvc.rate.peak_bps, pvc.rate.sustained_bps) == (
        "infn-qos", 0, 100, 3_560_000, 3_560_000,
    )  # fmt: skip
    assert value_of(pvc.encapsulation) == "aal5mux ip"
    assert [(each.policy, each.direction) for each in pvc.policies] == [("wred-out", Side.OUTPUT)]
    assert interface.policies == ()


def test_access_lists_of_the_wred_test() -> None:
    facts = facts_of(WRED_TEST)
    by_precedence = facts.access_list("180")
    by_port = facts.access_list("190")
    assert by_precedence is not None
    assert by_port is not None
    assert [entry.precedence for entry in by_precedence.entries] == [3, 4, 5]
    assert by_port.entries[0].source_ports == (Ports(30000, 31000),)
    assert (by_port.entries[0].source, by_port.entries[0].destination) == (
        "host 192.168.70.2",
        "host 192.168.73.3",
    )


def test_a_pvc_of_1_mbps_with_its_ring() -> None:
    (interface,) = facts_of(
        "interface ATM1/0.1 point-to-point\n pvc 0/100\n  vbr-nrt 1000 1000\n  tx-ring-limit 40\n"
    ).interfaces
    (pvc,) = interface.pvcs
    assert pvc.rate is not None
    assert pvc.tx_ring_limit is not None
    assert (pvc.rate.sustained_bps, pvc.tx_ring_limit.value) == (1_000_000, 40)


def test_serial_settings_of_the_dlsw_test() -> None:
    (interface,) = facts_of("interface Serial0\n load-interval 30\n clock rate 800000\n").interfaces
    assert interface.load_interval_s is not None
    assert interface.clock_rate_bps is not None
    assert (interface.load_interval_s.value, interface.clock_rate_bps.value) == (30, 800_000)


def test_the_qos_of_a_switch_is_kept_as_its_text() -> None:
    lines = ("mls qos", "no mls qos rewrite ip dscp")
    facts = facts_of("".join(f"{line}\n" for line in lines))
    assert [line.value for line in facts.switch_qos] == list(lines)
    assert (facts.unread, facts.qos_lines_seen, facts.qos_lines_understood) == ((), 2, 2)
