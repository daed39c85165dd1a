"""What a config says of DLSw+: peers with all their words, lists, ports of the LAN."""

import pytest

from advisor.facts import Stated
from advisor.facts.config import Area, Facts
from advisor.facts.dlsw import (
    BridgeGroup,
    DlswTimer,
    ListKind,
    LoadBalance,
    LocalPeer,
    PeerDefaults,
    PeerList,
    PeerOptions,
    RemotePeer,
    SourceBridge,
    TosMap,
    Transport,
)
from advisor.facts.read_config import read_facts
from advisor.ios.syntax import Location
from advisor.ios.syntax.reader import parse_config

AT = Location("r1.cfg", 1)


def facts_of(text: str) -> Facts:
    return read_facts(parse_config(text, "r1.cfg"))


def test_the_lan_of_the_published_test_is_read() -> None:
    facts = facts_of(
        "source-bridge ring-group 100\n"
        "dlsw local-peer peer-id 10.0.0.1 promiscuous\n"
        "dlsw remote-peer 0 tcp 10.0.0.2 lf 1500\n"
        "dlsw bridge-group 1\n"
        "dlsw tos map high 2 medium 2 normal 2 low 2\n"
        "bridge 1 protocol ieee\n"
    )
    assert (facts.unread, facts.qos_lines_seen, facts.qos_lines_understood) == ((), 4, 4)
    assert [ring.value for ring in facts.dlsw.ring_groups] == [100]
    assert [group.value for group in facts.dlsw.bridges] == [1]
    assert facts.dlsw.bridge_groups == (BridgeGroup(Location("r1.cfg", 4), 1),)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("", LocalPeer(AT), id="direct peers need no peer-id"),
        pytest.param("peer-id 10.0.0.1", LocalPeer(AT, "10.0.0.1"), id="an address alone"),
        pytest.param(
            "peer-id 10.0.0.1 group 5 border cost 2 cluster 3 lf 4472 keepalive 0 passive "
            "promiscuous biu-segment init-pacing-window 20 max-pacing-window 50",
            LocalPeer(
                AT, "10.0.0.1", 5, cost=2, cluster=3, lf_bytes=4472, keepalive_s=0,
                is_border=True, is_passive=True, is_promiscuous=True, has_biu_segment=True,
                init_pacing_window_frames=20, max_pacing_window_frames=50,
            ),
            id="all words",
        ),
    ],
)  # fmt: skip
def test_local_peer(words: str, expected: LocalPeer) -> None:
    assert facts_of(f"dlsw local-peer {words}\n").dlsw.local_peer == expected


def tcp(options: PeerOptions, backup_of: str | None = None) -> RemotePeer:
    return RemotePeer(AT, 0, Transport.TCP, "10.0.0.2", None, backup_of, options)


NOTHING = PeerOptions()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("0 tcp 10.0.0.2", tcp(NOTHING), id="an address alone"),
        pytest.param(
            "0 tcp 10.0.0.2 backup-peer 10.0.0.3 linger 20",
            tcp(PeerOptions(linger_minutes=20), "10.0.0.3"),
            id="backup of another peer, kept for 20 minutes",
        ),
        pytest.param(
            "0 tcp 10.0.0.2 backup-peer frame-relay interface serial 0/0 30",
            tcp(NOTHING, "Serial0/0 30"),
            id="backup of a circuit",
        ),
        pytest.param(
            "0 tcp 10.0.0.2 backup-peer interface Serial1",
            tcp(NOTHING, "Serial1"),
            id="backup of a direct peer",
        ),
        pytest.param(
            "0 tcp 10.0.0.2 backup-peer linger 0",
            tcp(PeerOptions(linger_minutes=0), ""),
            id="backup of a peer that is not named",
        ),
        pytest.param(
            "0 tcp 10.0.0.2 bytes-netbios-out X circuit-weight 10 cluster 2 cost 3 "
            "dest-mac 4000.3745.0001 dmac-output-list 700 host-netbios-out Y keepalive 0 lf 1500 "
            "lsap-output-list 200 passive priority rif-passthru 100 rsvp global "
            "tcp-queue-max 500 timeout 60",
            tcp(
                PeerOptions(
                    bytes_netbios_out="X", circuit_weight=10, cluster=2, cost=3,
                    dest_mac="4000.3745.0001", dmac_output_list=700, host_netbios_out="Y",
                    keepalive_s=0, lf_bytes=1500, lsap_output_list=200, is_passive=True,
                    has_priority=True, rif_passthru_ring=100, rsvp="global",
                    tcp_queue_max_packets=500, timeout_s=60,
                )
            ),
            id="filters, sizes and timers",
        ),
        pytest.param(
            "0 tcp 10.0.0.2 dynamic inactivity 20 no-llc 5",
            tcp(PeerOptions(is_dynamic=True, inactivity_minutes=20, no_llc_minutes=5)),
            id="a peer that comes up on demand",
        ),
        pytest.param("4 fst 10.0.0.2", RemotePeer(AT, 4, Transport.FST, "10.0.0.2"), id="FST"),
        pytest.param(
            "0 frame-relay interface serial 0/0 30 pass-thru",
            RemotePeer(
                AT, 0, Transport.FRAME_RELAY, "Serial0/0", 30, options=PeerOptions(has_pass_thru=True)
            ),
            id="direct over Frame Relay",
        ),
        pytest.param(
            "0 interface Se1", RemotePeer(AT, 0, Transport.INTERFACE, "Serial1"), id="direct, HDLC"
        ),
        pytest.param(
            "0 llc2 interface Se1", RemotePeer(AT, 0, Transport.LLC2, "Serial1"), id="LLC2"
        ),
    ],
)  # fmt: skip
def test_remote_peer(words: str, expected: RemotePeer) -> None:
    facts = facts_of(f"dlsw remote-peer {words}\n")
    assert facts.dlsw.remote_peers == (expected,)
    assert facts.unread == ()


def test_lists_and_what_else_is_judged_are_read() -> None:
    dlsw = facts_of(
        "dlsw ring-list 3 rings 5 6\n"
        "dlsw bgroup-list 4 bgroups 1\n"
        "dlsw port-list 5 TokenRing 0\n"
        "dlsw load-balance circuit-count 10\n"
        "dlsw duplicate-path-bias load-balance\n"
        "dlsw timer sna-cache-timeout 120\n"
        "dlsw tos map high 4 low 0\n"
        "dlsw prom-peer-defaults tcp lf 1500\n"
        "dlsw peer-on-demand-defaults inactivity 5\n"
    ).dlsw

    def at(line: int) -> Location:
        return Location("r1.cfg", line)

    assert dlsw.lists == (
        PeerList(at(1), ListKind.RINGS, 3, ("5", "6")),
        PeerList(at(2), ListKind.BRIDGE_GROUPS, 4, ("1",)),
        PeerList(at(3), ListKind.PORTS, 5, ("TokenRing", "0")),
    )
    assert dlsw.load_balance == LoadBalance(at(4), "circuit-count", 10)
    assert dlsw.duplicate_path_bias == Stated("load-balance", at(5))
    assert dlsw.timers == (DlswTimer(at(6), "sna-cache-timeout", 120),)
    assert dlsw.tos == TosMap(at(7), high=4, low=0)
    assert dlsw.promiscuous_defaults == (
        PeerDefaults(at(8), Transport.TCP, PeerOptions(lf_bytes=1500)),
    )
    assert dlsw.on_demand_defaults == (
        PeerDefaults(at(9), None, PeerOptions(inactivity_minutes=5)),
    )


def test_ports_of_the_lan_are_read() -> None:
    facts = facts_of(
        "interface TokenRing0\n source-bridge 5 1 100\n source-bridge spanning\n"
        "interface Ethernet0\n bridge-group 2\n bridge-group 2 spanning-disabled\n"
        "interface Serial1\n sdlc vmac 4000.1555.1000\n sdlc address C1\n sdlc dlsw C1\n"
        " llc2 idle-time 2000\n no sdlc address C1\n dlsw transparent switch-support\n"
    )
    ring, ethernet, serial = facts.interfaces
    assert ring.source_bridge == SourceBridge(Location("r1.cfg", 2), 5, 1, 100)
    assert ethernet.bridge_group == Stated(2, Location("r1.cfg", 5))
    assert [each.value for each in serial.sna_lines] == [
        "sdlc vmac 4000.1555.1000",
        "sdlc dlsw C1",
        "llc2 idle-time 2000",
        "dlsw transparent switch-support",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "dlsw remote-peer 0 carrier-pigeon 10.0.0.2", "dlsw locl-peer", "dlsw", "dlsw remote-peer 0",
        "dlsw remote-peer 0 tcp 10.0.0.256", "dlsw remote-peer 0 tcp 10.0.0.2 lf 1501",
        "dlsw remote-peer 0 tcp 10.0.0.2 colour 3", "dlsw local-peer cost 9", "dlsw tos map high 8",
        "dlsw ring-list 1 rings", "dlsw timer no-such-timer 5", "no dlsw nothing-of-the-kind",
    ],
)  # fmt: skip
def test_a_line_that_is_not_understood_is_reported(line: str) -> None:
    facts = facts_of(f"{line}\n")
    assert [(each.area, each.text) for each in facts.unread] == [(Area.DLSW, line)]


@pytest.mark.parametrize(
    "line",
    [
        "icanreach saps 4", "icannotreach saps F0", "udp-disable", "disable",
        "mac-addr 4000.0000.0001 ring 1", "netbios-name X ring 1", "group-cache disable",
        "transparent redundancy-enable 9999.9999.9999", "explorerq-depth 200", "history-log 10",
        "allroute-sna", "rsvp default", "redundant-rings 1", "llc2 nornr", "max-slots 2", "peer-log-changes", "max-multiple-rifs 4",
        "cache-ignore-netbios-datagram", "load-balance", "tos disable", "bridge-group 1 llc2 N2 3",
    ],
)  # fmt: skip
def test_a_command_that_bears_on_nothing_judged_is_known(line: str) -> None:
    facts = facts_of(f"dlsw {line}\n")
    assert facts.unread == ()


LINES = (
    "dlsw local-peer peer-id 10.0.0.1",
    "dlsw remote-peer 0 tcp 10.0.0.2 lf 1500",
    "dlsw ring-list 3 rings 5",
    "dlsw bridge-group 1",
    "dlsw tos map high 2",
    "dlsw icanreach saps 4",
    "source-bridge ring-group 100",
    "bridge 1 protocol ieee",
)


@pytest.mark.parametrize("line", LINES)
def test_no_takes_back_what_a_line_states(line: str) -> None:
    assert facts_of(f"{line}\nno {line}\n").dlsw == facts_of("").dlsw


def test_no_local_peer_needs_no_words() -> None:
    assert facts_of(f"{LINES[0]}\nno dlsw local-peer\n").dlsw.local_peer is None


def test_a_second_line_of_a_peer_replaces_the_first() -> None:
    dlsw = facts_of(
        "dlsw remote-peer 0 tcp 10.0.0.2 lf 1500\ndlsw remote-peer 0 tcp 10.0.0.2\n"
    ).dlsw
    assert [(peer.peer, peer.options.lf_bytes) for peer in dlsw.remote_peers] == [
        ("10.0.0.2", None)
    ]
