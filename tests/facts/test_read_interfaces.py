"""Interfaces: IOS text in, typed settings out."""

from collections.abc import Callable

import pytest

from advisor.facts.attachments import hiding
from advisor.facts.config import Facts
from advisor.facts.interface import Interface, InterfaceLines, Side
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config


def facts_of(text: str) -> Facts:
    return read_facts(parse_config(text, "r1.cfg"))


def interface_of(lines: str) -> Interface:
    body = "".join(f" {line.strip()}\n" for line in lines.split(";"))
    (interface,) = facts_of(f"interface Serial0/0\n{body}").interfaces
    return interface


def value_of(setting: object) -> object:
    return getattr(setting, "value", setting)


SETTINGS: list[tuple[str, str, object]] = [
    ("bandwidth 512", "bandwidth_bps", 512_000),
    ("bandwidth receive 2000", "bandwidth_bps", None),
    ("bandwidth qos-reference 2000", "bandwidth_bps", None),
    ("bandwidth 512; no bandwidth", "bandwidth_bps", None),
    ("bandwidth 512; bandwidth 128", "bandwidth_bps", 128_000),
    ("bandwidth 512; bandwidth abc", "bandwidth_bps", 512_000),
    ("clock rate 128000", "clock_rate_bps", 128_000),
    ("clockrate 800000", "clock_rate_bps", 800_000),
    ("clock rate network-clock 64000", "clock_rate_bps", 64_000),
    ("clock rate fast", "clock_rate_bps", None),
    ("speed 100", "speed_bps", 100_000_000),
    ("speed 1000", "speed_bps", 1_000_000_000),
    ("speed auto", "speed_bps", None),
    ("encapsulation ppp", "encapsulation", "ppp"),
    ("encapsulation frame-relay ietf", "encapsulation", "frame-relay ietf"),
    ("encapsulation dot1Q 20 native", "encapsulation", "dot1Q 20 native"),
    ("mtu 1500", "mtu_bytes", 1500),
    ("mtu 99999999999", "mtu_bytes", None),
    ("ip mtu 1400", "ip_mtu_bytes", 1400),
    ("ipv6 enable", "other_protocol", "ipv6"),
    ("mpls ip", "other_protocol", "mpls"),
    ("ip router isis", "other_protocol", "ip"),
    ("ip router ospf 1", "other_protocol", None),
    ("no ipv6 redirects", "other_protocol", None),
    ("ip address 10.0.0.1 255.255.255.0", "ip_address", "10.0.0.1 255.255.255.0"),
    (
        "ip address 10.0.0.1 255.255.255.0; ip address 10.9.0.1 255.255.255.0 secondary",
        "ip_address",
        "10.0.0.1 255.255.255.0",
    ),
    ("ip address negotiated", "ip_address", None),
    ("tx-ring-limit 3", "tx_ring_limit", 3),
    ("tx-limit 3", "tx_ring_limit", 3),
    ("tx-queue-limit 3", "tx_ring_limit", 3),
    ("tx-ring-limit 0", "tx_ring_limit", None),
    ("tx-ring-limit 99999999999", "tx_ring_limit", None),
    ("tx-ring-limit 3; default tx-ring-limit", "tx_ring_limit", None),
    ("hold-queue 100 out", "hold_queue_out_packets", 100),
    ("hold-queue 100", "hold_queue_out_packets", 100),
    ("hold-queue 100 in", "hold_queue_out_packets", None),
    ("hold-queue 9 out; hold-queue 100 in", "hold_queue_out_packets", 9),
    ("fair-queue", "fair_queue", True),
    ("fair-queue 64 256 0", "fair_queue", True),
    ("no fair-queue", "fair_queue", False),
    ("random-detect", "random_detect", True),
    ("random-detect; random-detect precedence 3 15 30 10", "random_detect", True),
    ("random-detect; no random-detect", "random_detect", None),
    ("load-interval 30", "load_interval_s", 30),
    ("max-reserved-bandwidth 90", "max_reserved_percent", 90),
    ("max-reserved-bandwidth 101", "max_reserved_percent", None),
    ("qos pre-classify", "qos_pre_classify", True),
    ("service-module t1 timeslots 1-12", "timeslots_bps", 768_000),
    ("service-module t1 timeslots 1-12 speed 56", "timeslots_bps", 672_000),
    ("service-module t1 timeslots all", "timeslots_bps", 1_536_000),
    ("timeslot 1-31", "timeslots_bps", 1_984_000),
    ("dsu bandwidth 34010", "timeslots_bps", 34_010_000),
    ("shutdown", "shutdown", True),
    ("shutdown; no shutdown", "shutdown", False),
    ("description VP CSELT <--> INFN-CNAF", "description", "VP CSELT <--> INFN-CNAF"),
    ("frame-relay traffic-shaping", "frame_relay_traffic_shaping", True),
    ("frame-relay fragment 80 end-to-end", "frame_relay_fragment_bytes", 80),
]


@pytest.mark.parametrize(
    ("lines", "attribute", "expected"),
    [pytest.param(*case, id=f"{case[0]} > {case[1]} {case[2]}") for case in SETTINGS],
)
def test_setting(lines: str, attribute: str, expected: object) -> None:
    assert value_of(getattr(interface_of(lines), attribute)) == expected


MULTILINK: list[tuple[str, str, object]] = [
    ("ppp multilink", "ppp_multilink", True),
    ("ppp multilink; no ppp multilink", "ppp_multilink", None),
    ("ppp multilink group 1", "group", 1),
    ("multilink-group 1", "group", 1),
    ("ppp multilink fragment delay 10", "fragment_delay_ms", 10),
    ("ppp multilink fragment delay 8 500", "fragment_delay_ms", 8.5),
    ("ppp multilink fragment-delay 20", "fragment_delay_ms", 20),
    ("ppp multilink fragment size 160", "fragment_bytes", 160),
    ("ppp multilink fragment delay 10; ppp multilink fragment disable", "fragment_delay_ms", None),
    ("ppp multilink interleave", "interleave", True),
    ("ppp multilink interleave; no ppp multilink interleave", "interleave", None),
]


@pytest.mark.parametrize(
    ("lines", "attribute", "expected"),
    [pytest.param(*case, id=f"{case[0]} > {case[1]} {case[2]}") for case in MULTILINK],
)
def test_multilink(lines: str, attribute: str, expected: object) -> None:
    assert value_of(getattr(interface_of(lines).multilink, attribute)) == expected


def test_every_setting_says_its_line() -> None:
    (interface,) = facts_of("!\ninterface Serial0/0\n tx-ring-limit 3\n").interfaces
    assert interface.tx_ring_limit is not None
    assert (str(interface.at), str(interface.tx_ring_limit.at)) == ("r1.cfg:2", "r1.cfg:3")


def test_a_policy_is_attached_per_direction_and_the_later_one_counts() -> None:
    interface = interface_of(
        "service-policy input MARK; service-policy output OLD; service-policy output EDGE"
    )
    attached = {(each.direction, each.policy) for each in interface.policies}
    assert attached == {(Side.INPUT, "MARK"), (Side.OUTPUT, "EDGE")}


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("service-policy output EDGE; no service-policy output EDGE", id="by name"),
        pytest.param("service-policy output EDGE; no service-policy output", id="by direction"),
        pytest.param("service-policy type inspect EDGE", id="a policy of another feature"),
        pytest.param("service-policy output", id="without a name"),
    ],
)
def test_no_policy_is_attached(lines: str) -> None:
    assert interface_of(lines).policies == ()


def test_an_interface_entered_twice_is_one_with_the_settings_of_both() -> None:
    (interface,) = facts_of(
        "interface Serial0/0\n bandwidth 512\n mtu 1500\ninterface serial 0/0\n bandwidth 128\n"
    ).interfaces
    assert (value_of(interface.bandwidth_bps), value_of(interface.mtu_bytes)) == (128_000, 1500)
    assert interface.at.line == 4


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(" mtu 1400\n", id="setting"),
        pytest.param(" llc2 local-window 4\n", id="kept-line"),
        pytest.param(" service-policy output EDGE\n", id="policy"),
    ],
)
def test_a_second_section_adds_nothing_to_the_first_in_another_reading(second: str) -> None:
    first = "interface Serial0/0\n llc2 ack-max 2\n"
    alone = facts_of(first)
    twice = facts_of(f"{first}interface Serial0/0\n{second}")
    assert facts_of(first) == alone != twice


def test_a_subinterface_knows_its_parent_and_its_mode() -> None:
    (sub,) = facts_of("interface ATM0/0/0.2 point-to-point\n bandwidth 3560\n").interfaces
    assert (sub.name, sub.type, sub.parent, sub.link_mode) == (
        "ATM0/0/0.2",
        "ATM",
        "ATM0/0/0",
        "point-to-point",
    )


def test_a_removed_interface_is_gone() -> None:
    assert facts_of("interface Tunnel0\n mtu 1400\nno interface Tunnel0\n").interfaces == ()


PORT = "interface Serial0/0\n bandwidth 512\n tx-ring-limit 10\n service-policy output WAN\n"


@pytest.mark.parametrize(
    ("behind", "bandwidth_kbps", "is_emptied"),
    [
        pytest.param("default interface Serial0/0\n", None, True, id="it has its defaults"),
        pytest.param("default int s0/0\n", None, True, id="the line may be short"),
        pytest.param(
            "default interface Serial0/0\ninterface Serial0/0\n bandwidth 256\n",
            256, True, id="lines behind it count",
        ),
        pytest.param(
            "default interface Serial0/1\n", 512, False, id="another port leaves it as it was"
        ),
    ],
)  # fmt: skip
def test_default_interface_empties_the_sections_before_it(
    behind: str, bandwidth_kbps: int | None, is_emptied: bool
) -> None:
    for text in (PORT + behind, (PORT + behind).replace("\n ", "\n")):
        facts = facts_of(text)
        (port,) = facts.interfaces
        stated = port.bandwidth_bps.value if port.bandwidth_bps else None
        assert stated == (bandwidth_kbps * 1000 if bandwidth_kbps else None)
        assert (port.tx_ring_limit is None, port.policies == ()) == (is_emptied, is_emptied)
        assert facts.unread == ()


def test_default_interface_hides_no_tunnel_and_no_crypto_map() -> None:
    text = "interface Serial0/0\n crypto map CM\n"
    assert hiding(facts_of(text)).crypto_map_by_interface == {"Serial0/0": "CM"}
    assert hiding(facts_of(f"{text}default interface s0/0\n")).crypto_map_by_interface == {}


def test_default_interface_of_a_range_is_not_understood() -> None:
    facts = facts_of(f"{PORT}default interface range Serial0/0 - 1\n")
    assert [line.text for line in facts.unread] == ["default interface range Serial0/0 - 1"]
    assert facts.interfaces[0].policies


@pytest.mark.parametrize(
    "line",
    [
        "priority-group 1", "custom-queue-list 2", "ip rtp priority 16384 16383 64",
        "rate-limit output 128000 8000 8000 conform-action transmit exceed-action drop",
        "traffic-shape rate 128000 8000 8000 1000", "traffic-shape group 101 128000",
        "frame-relay interface-queue priority",
    ],
)  # fmt: skip
def test_legacy_queueing_is_kept_as_text_and_never_unread(line: str) -> None:
    facts = facts_of(f"interface Serial0/0\n {line}\n")
    (kept,) = facts.interfaces[0].legacy_queueing
    assert (kept.value, facts.unread) == (line, ())


def test_removed_legacy_queueing_is_gone() -> None:
    assert interface_of("priority-group 1; no priority-group 1").legacy_queueing == ()


CONTROLLERS = [
    pytest.param("E1 1/0", "channel-group 0 timeslots 1-4,7", "Serial1/0:0", 320_000, id="E1"),
    pytest.param(
        "T1 0/0/0", "channel-group 1 timeslots 1-24 speed 56", "Serial0/0/0:1", 1_344_000,
        id="T1 with its speed",
    ),
    pytest.param(
        "T1 0/0", "linecode b8zs; channel-group 0 timeslots 1-24", "Serial0/0:0", 1_536_000,
        id="T1 in clear channel",
    ),
    pytest.param(
        "T1 0/0", "channel-group 0 timeslots 1-24", "Serial0/0:0", None,
        id="T1 without speed or line code: 56 or 64, not known",
    ),
    pytest.param(
        "T3 1/0", "t1 2 channel-group 0 timeslots 1-24 speed 64", "Serial1/0/2:0", 1_536_000,
        id="T1 in a T3",
    ),
    pytest.param("E1 0/0", "channel-group 0 timeslots 1-99", "Serial0/0:0", None, id="bad range"),
]  # fmt: skip


def test_timeslots_of_a_t1_are_kept_where_their_speed_is_not_known() -> None:
    (interface,) = facts_of(
        "controller T1 0/0\n channel-group 0 timeslots 1-12\ninterface Serial0/0:0\n"
    ).interfaces

    assert value_of(interface.open_timeslots) == 12


@pytest.mark.parametrize(("controller", "lines", "name", "rate_bps"), CONTROLLERS)
def test_channel_group(controller: str, lines: str, name: str, rate_bps: int | None) -> None:
    body = "".join(f" {line.strip()}\n" for line in lines.split(";"))
    facts = facts_of(f"controller {controller}\n{body}interface {name}\n encapsulation ppp\n")
    assert value_of(facts.interfaces[0].timeslots_bps) == rate_bps


@pytest.mark.parametrize(
    "line",
    [
        "bandwidth abc", "tx-ring-limit 99999999999", "tx-ring-limit", "hold-queue out",
        "hold-queue 0 out", "hold-queue 0",
        "max-reserved-bandwidth 0", "service-policy output", "random-detect dscp af99 1 2",
        "ppp multilink fragment delay ten",
        "frame-relay fragment 5 end-to-end", "pvc 0/99999", "bundle X", "frame-relay vc-bundle X", "fair-queue none",
    ],
)  # fmt: skip
def test_a_qos_line_that_is_not_understood_is_reported(line: str) -> None:
    facts = facts_of(f"interface Serial0/0\n {line}\n")
    assert [(each.text, each.under, each.at.line) for each in facts.unread] == [
        (line, "interface Serial0/0", 2)
    ]
    assert (facts.qos_lines_seen, facts.qos_lines_understood) == (1, 0)


@pytest.mark.parametrize(
    "line",
    [
        "cdp enable",
        "ip ospf cost 10",
        "service-policy type inspect X",
        "negotiation auto",
        "no cdp",
    ],
)
def test_a_line_that_is_no_qos_is_not_counted(line: str) -> None:
    facts = facts_of(f"interface Serial0/0\n {line}\n")
    assert (facts.unread, facts.qos_lines_seen) == ((), 0)


def test_qos_of_an_interface_range_is_reported_and_its_other_lines_are_not() -> None:
    facts = facts_of("interface range Fa0/1 - 4\n bandwidth 512\n switchport\n")
    assert facts.interfaces == ()
    assert [each.text for each in facts.unread] == ["bandwidth 512"]


def test_interfaces_are_found_by_their_name() -> None:
    find: Callable[[str], Interface | None] = facts_of("interface gi0/1\n mtu 1500\n").interface
    assert find("GigabitEthernet0/1") is not None
    assert find("GigabitEthernet0/2") is None


EVERY_LINE = """
 description WAN
 shutdown
 bandwidth 512
 clock rate 128000
 dsu bandwidth 64
 speed 100
 encapsulation frame-relay
 compress stac
 ip rtp header-compression iphc-format
 macsec
 mtu 1500
 ip mtu 1400
 ipv6 enable
 ip address 10.0.0.1 255.255.255.252
 tx-ring-limit 3
 hold-queue 100 out
 fair-queue
 random-detect
 load-interval 30
 max-reserved-bandwidth 80
 qos pre-classify
 ppp multilink group 1
 frame-relay traffic-shaping
 frame-relay fragment 320
 ip access-group EDGE in
 bridge-group 1
 source-bridge 10 1 20
 dialer pool 1
 ip nhrp group BRANCH
 ip nhrp nhs 192.0.2.1
 channel-group 1 mode active
 ip rsvp bandwidth 64 64
 ip rsvp data-packet classification none
 compress stac
"""


@pytest.mark.parametrize("name", InterfaceLines.__struct_fields__)
def test_what_a_line_states_reaches_the_interface(name: str) -> None:
    (interface,) = facts_of(f"interface Serial0/0.5 point-to-point{EVERY_LINE}").interfaces
    (bare,) = facts_of("!\ninterface Ethernet0/0").interfaces
    assert getattr(interface, name) != getattr(bare, name)


def test_an_interface_that_is_read_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        interface_of("mtu 1500").mtu_bytes = None  # type: ignore[misc]


def test_the_queueing_of_a_switch_port_is_kept_as_its_text() -> None:
    lines = ("mls qos trust dscp", "srr-queue bandwidth share 1 30 35 5", "priority-queue out")
    text = "".join(f" {line}\n" for line in lines)
    facts = facts_of(f"interface GigabitEthernet1/0/1\n{text} no priority-queue out\n")
    assert [line.value for line in facts.interfaces[0].port_queues] == list(lines[:2])
    assert (facts.qos_lines_seen, facts.qos_lines_understood) == (4, 4)


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("ip rtp header-compression iphc-format periodic-refresh", "iphc-format periodic-refresh"),
        ("ip rtp header-compression", ""),
        ("frame-relay ip rtp header-compression passive", "passive"),
        ("no ip rtp header-compression", None),
        ("ip rtp compression-connections 16", None),
        ("frame-relay ip tcp header-compression", None),
    ],
)
def test_compression_of_rtp_headers(line: str, form: str | None) -> None:
    (interface,) = facts_of(f"!\ninterface Serial0/0\n {line}\n").interfaces
    stated = interface.rtp_compression
    assert (stated.value if stated is not None else None) == form
