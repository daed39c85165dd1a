"""What `show interfaces` says, generation by generation."""

from pathlib import Path

import pytest

from advisor.capture.transcript import transcript
from advisor.shows.interfaces.reader import ObservedInterface
from advisor.shows.output import LayoutError
from tests.support.readers import read_interfaces

FIXTURES = Path(__file__).parents[2] / "fixtures" / "show" / "interfaces"


def fixture(name: str) -> dict[str, ObservedInterface]:
    text = transcript((FIXTURES / f"{name}.txt").read_text(encoding="utf-8"))
    return {each.name: each for each in read_interfaces(text, name)}


COUNTERS = "     0 packets output, 0 bytes, 0 underruns"


def one(*lines: str) -> ObservedInterface:
    counters = () if any(" packets output" in line for line in lines) else (COUNTERS,)
    text = "\n".join(("Serial0/0 is up, line protocol is up", *lines, *counters))
    (interface,) = read_interfaces(text, "r1.txt")
    return interface


def value(interface: ObservedInterface, path: str) -> object:
    found: object = interface
    for name in path.split("."):
        found = getattr(found, name)
    return found


UNUSED_LINES = """
Backup interface Serial1, failure delay 10 sec, secondary disable delay 30 sec,
kickin load not set, kickout load not set
Router link station role: PRIMARY (DCE)
Router link station metrics:
slow-poll 10 seconds
T1 (reply time out) 3000 milliseconds
N1 (max frame size) 12016 bits
N2 (retry count) 20
poll-pause-timer 10 milliseconds
poll-limit-value 1
k (windowsize) 7
modulo 8
sdlc vmac: 4000.3745.00--
sdlc addr C1 state is CONNECT
cls_state is CLS_IN_SESSION
VS 6, VR 3, Remote VR 6, Current retransmit count 0
Hold queue: 0/200 IFRAMEs 77/22
TESTs 0/0 XIDs 0/0, DMs 0/0 FRMRs 0/0
RNRs 316/0 SNRMs 2/0 DISC/RDs 1/0 REJs 0/0
Poll: clear, Poll count: 0, ready for poll, chain: C1/C1
X.25 DCE, version 1984, address <none>, state R1, modulo 8, timer 0
Defaults: idle VC timeout 0
cisco encapsulation
input/output window sizes 2/2, packet sizes 128/128
Timers: T20 180, T21 200, T22 180, T23 180
Channels: Incoming-only none, Two-way 1-1024, Outgoing-only none
RESTARTs 1/0 CALLs 0+0/0+0/0+0 DIAGs 0/0
LAPB DTE, state CONNECT, modulo 8, k 7, N1 12056, N2 20
T1 3000, T2 0, interface outage (partial T3) 0, T4 0
Queues: U/S frames 0, I frames 0, unack. 0, reTx 0
IFRAMEs 1/1 RNRs 0/0 REJs 0/0 SABM/Es 0/1 FRMRs 0/0 DISCs 0/0
Ring speed: 16 Mbps
Duplex: half
Mode: Classic token ring station
Single ring node, Source Route Transparent Bridge capable
Source bridging enabled, srn 5 bn 1 trn 100 (ring group)
proxy explorers disabled, spanning explorer disabled, NetBIOS cache disabled
Group Address: 0x00000000, Functional Address: 0x0880811A
Received 12 broadcasts with  with 4 K bytes
"""


@pytest.mark.parametrize("line", UNUSED_LINES.strip().splitlines())
def test_a_line_of_backup_sdlc_x25_and_token_ring_costs_nothing(line: str) -> None:
    interface = one("  MTU 1500 bytes, BW 1544 Kbit, DLY 20000 usec,", f"  {line}")
    assert interface.bandwidth_bps == 1_544_000


@pytest.mark.parametrize(
    ("line", "path", "expected"),
    [
        pytest.param(
            "  Output queue: 0/1000/64/12/3 (size/max total/threshold/drops/interleaves)",
            "queues.interleaves",
            3,
            id="packets between fragments",
        ),
        pytest.param("  Hardware is GT96K Serial", "hardware", "GT96K Serial", id="the chip"),
        pytest.param(
            "  Hardware is iGbE, address is 0000.5e00.5301 (bia 0000.5e00.5302)",
            "burned_in_address",
            "0000.5e00.5302",
            id="the burned-in address beside the one in use",
        ),
        pytest.param(
            "  Description: up, line protocol is a word here",
            "description",
            "up, line protocol is a word here",
            id="a description may hold any words",
        ),
        pytest.param(
            "  Internet address is 192.0.2.1/30", "internet_address", "192.0.2.1/30", id="address"
        ),
        pytest.param(
            "  MTU 1500 bytes, BW 512 Kbit, DLY 20000 usec,",
            "bandwidth_bps",
            512_000,
            id="BW of 12.x is in Kbit",
        ),
        pytest.param(
            "  MTU 1500 bytes, BW 512 Kbit/sec, DLY 20000 usec,",
            "bandwidth_bps",
            512_000,
            id="BW of 15.x is in Kbit/sec",
        ),
        pytest.param(
            "  MTU 1500 bytes, BW not configured",
            "bandwidth_bps",
            None,
            id="BW not configured is unknown, not zero",
        ),
        pytest.param(
            "  MTU 4470 bytes, sub MTU 4470, BW 149760 Kbit, DLY 80 usec,",
            "mtu_bytes",
            4470,
            id="ATM prints a sub MTU too",
        ),
        pytest.param(
            "     reliability 255/255, txload 51/255, rxload 1/255",
            "txload_ratio",
            0.2,
            id="txload is a fraction of 255",
        ),
        pytest.param(
            "  MTU 1500 bytes, BW 128 Kbit, DLY 20000 usec, rely 255/255, load 51/255",
            "load_ratio",
            0.2,
            id="11.x has one load for both directions",
        ),
        pytest.param(
            "  Encapsulation PPP, LCP Open", "encapsulation", "PPP", id="encapsulation of PPP"
        ),
        pytest.param(
            "  Encapsulation 802.1Q Virtual LAN, Vlan ID  300.", "vlan_id", 300, id="dot1q vlan"
        ),
        pytest.param(
            "  Encapsulation HDLC, loopback not set, keepalive set (10 sec)",
            "keepalive_s",
            10,
            id="keepalive on the encapsulation line",
        ),
        pytest.param("  Keepalive set (5 sec)", "keepalive_s", 5, id="keepalive on its own line"),
        pytest.param("  Keepalive not set", "has_keepalive", False, id="keepalive switched off"),
        pytest.param(
            "  Encapsulation HDLC, loopback set", "is_looped", True, id="an interface in loopback"
        ),
        pytest.param(
            "  Open: IPCP, CDPCP, loopback not set", "is_looped", False, id="loopback of PPP"
        ),
        pytest.param(
            "  Full-duplex, 100Mb/s, 100BaseTX/FX", "port_speed_bps", 100_000_000, id="Mb/s"
        ),
        pytest.param(
            "  Full Duplex, 1000Mbps, link type is auto, media type is RJ45",
            "media_type",
            "RJ45",
            id="media type",
        ),
        pytest.param(
            "  Auto-duplex, Auto-speed", "port_speed_bps", None, id="Auto-speed is no speed"
        ),
        pytest.param(
            "  Input queue: 0/75/12/3 (size/max/drops/flushes); Total output drops: 91",
            "queues.input_flushes_packets",
            3,
            id="input queue with flushes",
        ),
        pytest.param(
            "  Input queue: 0/75/12 (size/max/drops); Total output drops: 91",
            "queues.input_flushes_packets",
            None,
            id="a simulator's input queue has no flushes",
        ),
        pytest.param(
            "  Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: 91",
            "queues.total_output_drops_packets",
            91,
            id="total output drops",
        ),
        pytest.param(
            "  Output queue: 31/1000/64/91 (size/max total/threshold/drops)",
            "queues.discard_threshold_packets",
            64,
            id="WFQ's discard threshold",
        ),
        pytest.param(
            "  Output queue: 0/40 (size/max)",
            "queues.output_drops_packets",
            None,
            id="a FIFO queue prints no drops of its own",
        ),
        pytest.param(
            "  Output queue :0/40 (size/max)",
            "queues.output_limit_packets",
            40,
            id="12.0 sets the colon off",
        ),
        pytest.param(
            "  Output queue: 5/1000/3 (size/max total/drops)",
            "queues.output_drops_packets",
            3,
            id="labels, not places, say what a figure is",
        ),
        pytest.param(
            "  Output queue 3/40, 17 drops; input queue 0/75, 2 drops",
            "queues.input_drops_packets",
            2,
            id="11.x has both queues on one line",
        ),
        pytest.param(
            "     Conversations  2/9/128 (active/max active/max total)",
            "queues.max_conversations",
            128,
            id="conversations",
        ),
        pytest.param(
            "     Reserved Conversations 1/4 (allocated/max allocated)",
            "queues.max_reserved_conversations",
            4,
            id="reserved conversations",
        ),
        pytest.param(
            "     Available Bandwidth 320 kilobits/sec",
            "queues.available_bandwidth_bps",
            320_000,
            id="available bandwidth",
        ),
        pytest.param(
            "  30 second output rate 502000 bits/sec, 60 packets/sec",
            "output_rate.interval_s",
            30,
            id="an interval in seconds",
        ),
        pytest.param(
            "  5 minute input rate 6000 bits/sec, 9 packets/sec",
            "input_rate.interval_s",
            300,
            id="an interval in minutes",
        ),
        pytest.param(
            "  5 minute input rate 80000 bits/sec, 100 packets/sec",
            "input_rate.mean_packet_bytes",
            100.0,
            id="bits over packets is the mean packet",
        ),
        pytest.param(
            "  5 minute input rate 80000 bits/sec, 0 packets/sec",
            "input_rate.mean_packet_bytes",
            None,
            id="no packets, no mean packet",
        ),
        pytest.param(
            "     1120 packets input, 44232 bytes, 7 no buffer",
            "counters.no_buffer_packets",
            7,
            id="no buffer",
        ),
        pytest.param(
            "     Received 70 broadcasts, 3 runts, 0 giants, 0 throttles",
            "counters.runts_packets",
            3,
            id="12.x has the runts on the broadcast line",
        ),
        pytest.param(
            "     Received 70 broadcasts (4 IP multicasts)",
            "counters.broadcasts_packets",
            70,
            id="15.x names the multicasts among them",
        ),
        pytest.param(
            "  ARP type: ARPA, ARP Timeout 04:00:00",
            "arp_timeout_s",
            14_400,
            id="how long an entry of ARP lives",
        ),
        pytest.param(
            "  Interface is unnumbered. Using address of Loopback0 (192.0.2.1)",
            "unnumbered_from",
            "Loopback0",
            id="the interface whose address it borrows",
        ),
        pytest.param(
            "  MTU 1500 bytes, BW 2000 Kbit, RxBW 8000 Kbit, DLY 20 usec,",
            "receive_bandwidth_bps",
            8_000_000,
            id="the other direction of a line that is faster that way",
        ),
        pytest.param(
            "  Encapsulation QinQ Virtual LAN, outer ID  10, inner ID 20",
            "inner_vlan_id",
            20,
            id="the inner tag of two",
        ),
        pytest.param(
            "    Members in this channel: Gi0/1 Gi0/2",
            "members",
            ("Gi0/1", "Gi0/2"),
            id="the members of a channel",
        ),
        pytest.param(
            "    No. of active members in this channel: 1",
            "active_members",
            1,
            id="how many of them are up",
        ),
        pytest.param(
            "  Tunnel source 192.0.2.1 (GigabitEthernet0/1), destination 192.0.2.9",
            "tunnel.source_interface",
            "GigabitEthernet0/1",
            id="the interface that a tunnel sends from",
        ),
        pytest.param(
            "  Tunnel TOS/Traffic Class 0xC0,  Tunnel TTL 255",
            "tunnel.ttl",
            255,
            id="the TTL of a tunnel behind its TOS",
        ),
        pytest.param(
            "  Tunnel transport MTU 1476 bytes",
            "tunnel.transport_mtu_bytes",
            1476,
            id="what fits into the packets of a tunnel",
        ),
        pytest.param(
            "  Tunnel transmit bandwidth 8000 (kbps)",
            "tunnel.transmit_bandwidth_bps",
            8_000_000,
            id="the bandwidth of a tunnel",
        ),
        pytest.param(
            "     Received 70 broadcasts (4 IP multicasts)",
            "counters.received_multicasts_packets",
            4,
            id="multicasts among the broadcasts",
        ),
        pytest.param(
            "     Output 60 broadcasts (5 multicasts)",
            "counters.output_multicasts_packets",
            5,
            id="multicasts among the broadcasts sent",
        ),
        pytest.param(
            "     Output 60 broadcasts",
            "counters.output_broadcasts_packets",
            60,
            id="broadcasts sent, alone",
        ),
        pytest.param(
            "     0 watchdog, 9 multicast, 3 pause input",
            "counters.pause_input_frames",
            3,
            id="frames that ask it to pause",
        ),
        pytest.param(
            "     0 input packets with dribble condition detected",
            "counters.dribbles_packets",
            0,
            id="packets that end late",
        ),
        pytest.param(
            "     252 packets output, 26355 bytes, 0 underruns",
            "counters.output_bytes",
            26355,
            id="bytes belong to the direction of their line",
        ),
        pytest.param(
            "     -1431655766 packets output, 5 bytes",
            "counters.output_packets",
            None,
            id="a counter that wrapped is unknown",
        ),
        pytest.param(
            "     0 packets input, 0 bytes",
            "counters.collisions",
            None,
            id="a counter that is not printed is unknown",
        ),
        pytest.param(
            "     5 carrier transitions     DCD=up  DSR=up  DTR=up  RTS=up  CTS=up",
            "counters.carrier_transitions",
            5,
            id="modem signals may follow on the line",
        ),
        pytest.param(
            '  Last clearing of "show interface" counters 01:10:00',
            "counters_age_s",
            4200,
            id="age of the counters as a clock",
        ),
        pytest.param(
            '  Last clearing of "show interface" counters 2w3d',
            "counters_age_s",
            17 * 86_400,
            id="age of the counters in weeks and days",
        ),
        pytest.param(
            "  Last clearing of \u201cshow interface\u201d counters 2w3d",
            "counters_age_s",
            17 * 86_400,
            id="age of the counters behind the quotes of a mail program",
        ),
        pytest.param(
            '  Last clearing of "show interface" counters never',
            "counters_age_s",
            None,
            id="counters that were never cleared have no known age",
        ),
    ],
)
def test_a_line_says(line: str, path: str, expected: object) -> None:
    assert value(one(line), path) == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        pytest.param(
            "Serial0/0 is administratively down, line protocol is down",
            ("Serial0/0", "administratively down", "down", None),
            id="shut down by the user",
        ),
        pytest.param(
            "Dialer0 is up (spoofing), line protocol is up (spoofing)",
            ("Dialer0", "up", "up", "spoofing"),
            id="a dialer that pretends",
        ),
        pytest.param(
            "Gi1/0/1 is down, line protocol is down (notconnect)",
            ("Gi1/0/1", "down", "down", "notconnect"),
            id="a switch port without a cable",
        ),
        pytest.param(
            "Vlan1 is up, line protocol is down , Autostate Enabled",
            ("Vlan1", "up", "down", None),
            id="an SVI",
        ),
        pytest.param(
            "BRI0 is standby mode, line protocol is down",
            ("BRI0", "standby mode", "down", None),
            id="a backup interface",
        ),
        pytest.param(
            "Serial3/3:6 is up, line protocol is up",
            ("Serial3/3:6", "up", "up", None),
            id="a channel group",
        ),
        pytest.param("pseudowire1 is up", ("pseudowire1", "up", None, None), id="a pseudowire"),
    ],
)
def test_a_header_says(header: str, expected: tuple[str | None, ...]) -> None:
    (interface,) = read_interfaces(header, "r1.txt")
    assert (interface.name, interface.link, interface.protocol, interface.port_state) == expected


@pytest.mark.parametrize(
    ("name", "interfaces"),
    [
        pytest.param("11.2-serial-load", ["Serial0"], id="IOS 11.2"),
        pytest.param("12.2-list-queues", ["Serial1", "Serial1.16", "Serial2"], id="IOS 12.2"),
        pytest.param(
            "12.4-cbwfq",
            ["Serial0/1/0", "Multilink1", "FastEthernet0/0", "ATM0/0/0"],
            id="IOS 12.4 with a pager",
        ),
        pytest.param("xe-16.9-gigabit", ["GigabitEthernet0/0/1"], id="IOS XE 16.9"),
    ],
)
def test_every_interface_of_an_output_is_found(name: str, interfaces: list[str]) -> None:
    assert list(fixture(name)) == interfaces


def test_a_pager_hides_no_line() -> None:
    serial = fixture("12.4-cbwfq")["Serial0/1/0"]
    assert serial.input_rate is not None
    assert serial.input_rate.rate_packets_per_s == 9


def test_priority_queueing_prints_a_queue_for_each_list() -> None:
    queues = fixture("12.2-list-queues")["Serial1"].queues.lists
    assert [(each.name, each.drops_packets) for each in queues] == [
        ("high", 0),
        ("medium", 0),
        ("normal", 4),
        ("low", 10),
    ]


def test_custom_queueing_prints_its_queues_over_several_lines() -> None:
    queues = fixture("12.2-list-queues")["Serial2"].queues.lists
    assert [each.name for each in queues] == [str(number) for number in range(10)]


def test_a_subinterface_has_no_queue_of_its_own() -> None:
    assert fixture("12.2-list-queues")["Serial1.16"].queues.output_limit_packets is None


def test_load_agrees_with_the_rate() -> None:
    serial = fixture("12.4-cbwfq")["Serial0/1/0"]
    assert serial.output_rate is not None
    assert serial.output_rate.rate_bps is not None
    assert serial.bandwidth_bps is not None
    assert serial.txload_ratio == pytest.approx(
        serial.output_rate.rate_bps / serial.bandwidth_bps, abs=1 / 255
    )


def test_an_interface_points_to_its_header() -> None:
    assert str(fixture("12.4-cbwfq")["Multilink1"].at) == "12.4-cbwfq:32"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("!\nr1#show interfaces\nr1#", id="nothing printed"),
        pytest.param("  MTU 1500 bytes, BW 512 Kbit, DLY 20000 usec,", id="no header"),
        pytest.param(
            "Port      Name     Status       Vlan\nGi1/6              connected    1",
            id="the table of `show interfaces status`",
        ),
        pytest.param("Serial0 is up, line protocol is up\n  Frobnication 7", id="unknown line"),
        pytest.param(
            "Serial0 is up, line protocol is up\n  Output queue: 0/40/2 (size/max)",
            id="more figures than labels",
        ),
        pytest.param(
            "Serial0 is up, line protocol is up\n  Output queue: 0/40/2 (size/max/colour)",
            id="unknown label",
        ),
        pytest.param(
            "Serial0 is up, line protocol is up\n   12 packets input, 3 tribbles",
            id="unknown counter",
        ),
    ],
)
def test_what_is_not_of_this_layout_is_declined(text: str) -> None:
    with pytest.raises(LayoutError):
        read_interfaces(text, "r1.txt")


def test_the_error_names_the_line() -> None:
    text = "Serial0 is up, line protocol is up\n  Hardware is HD64570\n  Frobnication 7"
    with pytest.raises(LayoutError, match=r"r1\.txt:12: '<removed>' is not the layout of show"):
        read_interfaces(text, "r1.txt", first_line=10)
