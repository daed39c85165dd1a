"""The IP SLA operations of a config as traffic: packets, load, class."""

import pytest

from advisor.ground.quantity import Basis
from advisor.outlet.offer import offers_of
from advisor.outlet.operations import (
    Operation,
    calls_elsewhere,
    in_no_figure,
    operations_of,
    stated_traffic,
)
from advisor.outlet.outlets import outlets
from advisor.settings import Settings, SettingsError, StatedBursts
from advisor.settings.file import settings_of_text
from tests.support.devices import device_read

ROUTER = """\
version 12.4
hostname r1
class-map match-any VOICE
 match ip dscp ef
class-map match-any DLSW
 match access-group 101
access-list 101 permit udp any any eq 5000
policy-map WAN
 class VOICE
  priority 64
 class DLSW
  bandwidth 64
interface Serial0
 ip address 10.0.0.1 255.255.255.252
 clock rate 512000
 encapsulation ppp
 service-policy output WAN
"""
OWN = '[[traffic]]\nclass = "VOICE"\nip_sla = true\n'


def operations(text: str, settings: Settings | None = None) -> tuple[Operation, ...]:
    return operations_of(device_read(ROUTER + text, settings or Settings(), file="r1.cfg"))


FREQUENT = " frequency 10\n"


@pytest.mark.parametrize(
    ("text", "packets", "ip_bytes", "per_s"),
    [
        pytest.param(
            f"ip sla 1\n icmp-jitter 10.0.0.2\n{FREQUENT}", 10, 40, 1, id="10 ICMP timestamps"
        ),
        pytest.param(
            "ip sla 1\n udp-jitter 10.0.0.2 5000 num-packets 50 interval 40\n"
            f" request-data-size 172\n{FREQUENT}",
            50,
            200,
            5,
            id="packets of a stated size",
        ),
        pytest.param(
            f"ip sla 1\n udp-jitter 10.0.0.2 5000 codec g729a\n{FREQUENT}",
            1000,
            60,
            50,
            id="a simulated codec, whose packets take 20 s",
        ),
        pytest.param(
            "ip sla 1\n udp-jitter 10.0.0.2 5000 codec g711ulaw codec-numpackets 100 codec-size 80\n"
            f"{FREQUENT}",
            100,
            120,
            10,
            id="a simulated codec with its own packets",
        ),
        pytest.param(
            "ip sla monitor 1\n type udpEcho dest-ipaddr 10.0.0.2 dest-port 5000\n"
            f" request-data-size 100\n{FREQUENT}",
            1,
            128,
            0.1,
            id="an echo of 12.4",
        ),
        pytest.param(
            "rtr 1\n type echo protocol ipIcmpEcho 10.0.0.2\n request-data-size 64\n frequency 5\n",
            1,
            92,
            0.2,
            id="an echo of 12.2",
        ),
    ],
)
def test_packets_of_an_operation(text: str, packets: int, ip_bytes: int, per_s: float) -> None:
    (operation,) = operations(text)

    assert (operation.packets, operation.ip_bytes) == (packets, ip_bytes)
    assert operation.packets_per_second == pytest.approx(per_s)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("ip sla 1\n udp-jitter 10.0.0.2 5000\n", id="its payload differs by release"),
        pytest.param("ip sla 1\n icmp-echo 10.0.0.2\n", id="so does that of an echo"),
        pytest.param("ip sla 1\n icmp-jitter 192.0.2.9\n", id="its way out is not known"),
        pytest.param("ip sla 1\n http get http://10.0.0.2\n", id="not a stream of packets"),
        pytest.param(
            "ip sla 1\n udp-jitter 10.0.0.2 5000 codec g999\n", id="a codec that is not known"
        ),
    ],
)
def test_what_is_not_known_of_an_operation_is_no_load(text: str) -> None:
    assert operations(text) == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param("ip sla 1\n icmp-jitter 10.0.0.2\n tos 184\n", "VOICE", id="by its ToS"),
        pytest.param(
            "ip sla 1\n udp-jitter 10.0.0.2 5000\n request-data-size 32\n", "DLSW", id="by its port"
        ),
        pytest.param("ip sla 1\n icmp-jitter 10.0.0.2\n", "class-default", id="by neither"),
        pytest.param(
            "ip route 10.8.0.0 255.255.0.0 10.0.0.2\nip sla 1\n icmp-jitter 10.8.1.1\n tos 184\n",
            "VOICE",
            id="to a destination behind the neighbour",
        ),
    ],
)
def test_class_of_an_operation(text: str, name: str) -> None:
    (operation,) = operations(text)

    assert operation.class_name == name


@pytest.mark.parametrize(
    ("text", "basis"),
    [
        pytest.param(
            "ip sla 1\n udp-jitter 10.0.0.2 5000 num-packets 10 interval 20\n"
            f" request-data-size 32\n{FREQUENT}",
            Basis.CONFIGURED,
            id="all stands in the config",
        ),
        pytest.param("ip sla 1\n icmp-jitter 10.0.0.2\n", Basis.DEFAULT, id="nothing does"),
    ],
)
def test_basis_of_the_load(text: str, basis: Basis) -> None:
    (operation,) = operations(text)

    assert operation.as_input.basis is basis


def test_the_load_is_in_kilobits_per_second() -> None:
    (operation,) = operations(f"ip sla 1\n icmp-jitter 10.0.0.2\n{FREQUENT}")

    assert operation.as_input.value == pytest.approx(10 * 40 * 8 / 10 / 1000)


def test_a_table_of_ip_sla_is_the_operations_of_its_class() -> None:
    config = f"{ROUTER}ip sla 1\n icmp-jitter 10.0.0.2\n tos 184\n{FREQUENT}ip sla 2\n icmp-jitter 10.0.0.2\n"
    device = device_read(config, settings_of_text(OWN), file="r1.cfg")
    (outlet,) = outlets(device)

    (offer,) = offers_of(outlet, stated_traffic(device))

    assert (offer.class_name, offer.packets_per_second) == ("VOICE", 1)
    assert offer.pattern == StatedBursts(10, 20)
    assert offer.source.startswith("ip sla 1, r1.cfg:")


def test_a_table_of_ip_sla_states_nothing_else() -> None:
    with pytest.raises(SettingsError, match="ip_sla takes sizes and rates from the config: drop"):
        settings_of_text(f"{OWN}packet_bytes = 60\n")


def test_an_operation_of_two_tables_counts_once() -> None:
    config = f"{ROUTER}ip sla 1\n icmp-jitter 10.0.0.2\n tos 184\n{FREQUENT}"
    device = device_read(config, settings_of_text(OWN + OWN), file="r1.cfg")

    assert len(stated_traffic(device)) == 1


@pytest.mark.parametrize(
    ("frequency_s", "per_s", "is_train"),
    [(60, 1000 / 60, True), (21, 1000 / 21, True), (20, 50, False), (1, 50, False)],
)
def test_an_operation_sends_one_packet_in_an_interval_at_most(
    frequency_s: int, per_s: float, is_train: bool
) -> None:
    codec = "ip sla 1\n udp-jitter 10.0.0.2 5000 codec g729a\n tos 184\n"
    device = device_read(
        f"{ROUTER}{codec} frequency {frequency_s}\n", settings_of_text(OWN), file="r1.cfg"
    )

    (traffic,) = stated_traffic(device)

    assert traffic.packets_per_second == pytest.approx(per_s)
    assert (traffic.pattern is not None) == is_train


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ip sla 1\n icmp-echo 10.0.0.2\n", "its packets are not known"),
        ("ip sla 1\n icmp-jitter 192.0.2.9\n", "192.0.2.9"),
    ],
)
def test_an_operation_in_no_figure_is_named(text: str, said: str) -> None:
    (line,) = in_no_figure(device_read(ROUTER + text, file="r1.cfg"))

    assert "ip sla 1 is in no figure: " in line
    assert said in line


CALLS = (
    "end\nr1#show call active voice brief\nTotal call-legs: 1\n"
    "1F4  : 4171198hs.1 +329 pid:20 Originate 5100 active\n"
    " dur 00:08:43 tx:7044/139565 rx:26165/523127{tos}\n"
    " IP {address}:18682 rtt:51ms pl:148590/290ms lost:0/0/15 delay:65/60/132ms {codec}\nr1#\n"
)
EF, BEST_EFFORT = " audio tos:0xB8", " audio tos:0x0"
STATED = '[[traffic]]\nclass = "VOICE"\ncodec = "g711"\ncalls = 3\n'


@pytest.mark.parametrize(
    ("address", "codec", "tos", "stated", "expected"),
    [
        pytest.param("10.0.0.2", "g729r8", EF, "", [(60, 50.0, 1)], id="a call to the neighbour"),
        pytest.param("10.0.0.2", "g711ulaw", "", "", [(200, 50.0, 1)], id="media is EF by default"),
        pytest.param("10.0.0.2", "g729r8", EF, STATED, [(200, 150.0, 3)],
                     id="what the user states of the class counts alone"),
        pytest.param("10.0.0.2", "g729r8", BEST_EFFORT, "", [], id="a call outside the LLQ"),
        pytest.param("192.0.2.9", "g729r8", EF, "", [(60, 50.0, 1)],
                     id="a far end without a known route, by the only LLQ"),
        pytest.param("2001:DB8::7", "g729r8", EF, "", [], id="a far end of IPv6"),
        pytest.param("10.0.0.2", "t38", EF, "", [], id="a codec that is not in the table"),
    ],
)  # fmt: skip
def test_calls_in_progress_are_offered_to_the_llq(
    address: str, codec: str, tos: str, stated: str, expected: list[tuple[int, float, int]]
) -> None:
    settings = settings_of_text(stated)
    text = f"r1#show running-config\n{ROUTER}" + CALLS.format(address=address, codec=codec, tos=tos)
    device = device_read(text, settings)

    assert [
        (item.sizes[0].ip_bytes, item.packets_per_second, item.streams)
        for item in stated_traffic(device)
    ] == expected
    assert bool(list(in_no_figure(device))) is (not expected)


SECOND = "interface Serial0/1\n ip address 10.0.1.1 255.255.255.252\n encapsulation ppp\n{policy}"


@pytest.mark.parametrize(
    ("policy", "tos", "offered", "elsewhere"),
    [
        pytest.param("", EF, 1, {}, id="the only output with an LLQ"),
        pytest.param("", BEST_EFFORT, 0, {"G.729": 1}, id="an LLQ that does not take the call"),
        pytest.param(
            " service-policy output WAN\n", EF, 0, {"G.729": 1}, id="two outputs with an LLQ"
        ),
    ],
)
def test_a_call_whose_route_is_not_known_leaves_by_the_only_llq_or_is_told(
    policy: str, tos: str, offered: int, elsewhere: dict[str, int]
) -> None:
    calls = CALLS.format(address="192.0.2.9", codec="g729r8", tos=tos)
    device = device_read(f"r1#show running-config\n{ROUTER}{SECOND.format(policy=policy)}{calls}")

    assert sum(item.streams for item in stated_traffic(device)) == offered
    assert calls_elsewhere(device) == elsewhere
    assert all("only output with an LLQ" in item.source for item in stated_traffic(device))
