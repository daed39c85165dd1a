"""Neighbors, hardware, bundles and fragments: what each layout says."""

from pathlib import Path

import pytest

from advisor.shows.bundles import read_compression, read_fragments, read_multilink
from advisor.shows.neighbors import read_cdp_neighbors, read_tunnel_peers
from advisor.shows.output import LayoutError
from advisor.shows.version import read_inventory

SHOW = Path(__file__).parents[2] / "fixtures" / "show"


def text_of(name: str) -> str:
    return (SHOW / f"{name}.txt").read_text(encoding="utf-8")


def test_a_neighbor_says_the_two_interfaces_of_the_link() -> None:
    branch, switch = read_cdp_neighbors(text_of("cdp_neighbors/12.4-detail"), "f").records
    assert (branch.device, branch.local_interface, branch.remote_interface) == (
        "branch7",
        "Serial0/1/0",
        "Serial0/0/0",
    )
    assert (branch.platform, branch.addresses) == ("Cisco 2811", ("192.0.2.2",))
    assert (switch.native_vlan, switch.duplex, switch.capabilities) == (
        20,
        "full",
        ("Switch", "IGMP"),
    )
    assert str(switch.at) == "f:22"


def test_a_peer_of_a_tunnel_says_its_state_and_its_address_outside() -> None:
    peers = read_tunnel_peers(text_of("dmvpn/15.x-detail-hub"), "f")
    peer = peers.records[0]
    assert (peer.nbma_address, peer.state, peer.up_for, peer.attributes) == (
        "192.0.2.11",
        "UP",
        "05:51:01",
        "D",
    )


def test_a_neighbor_without_its_interfaces_is_declined() -> None:
    text = text_of("cdp_neighbors/12.4-detail")
    reading = read_cdp_neighbors(text[: text.rindex("Interface: ")], "f")
    assert [neighbor.device for neighbor in reading.records] == ["branch7"]
    assert [part.label for part in reading.declined] == ["neighbor sw-floor2.example.net"]


def test_a_part_of_the_hardware_has_its_product() -> None:
    chassis, card = read_inventory(text_of("inventory/12.4-2811"), "f").records
    assert (chassis.name, chassis.product_id, chassis.version_id) == (
        "2811 chassis",
        "CISCO2811",
        "V05",
    )
    assert (card.description, card.product_id, card.version_id) == (
        "WAN Interface Card - Serial 2T",
        "WIC-2T",
        None,
    )


@pytest.mark.parametrize(
    ("fixture", "bundle", "members"),
    [
        pytest.param(
            "12.4-two-members",
            ("Multilink1", "branch7", 3_088_000, 7, 31, 2, True),
            [("Se0/1/0", True, 93_600, 1496), ("Se0/1/1", True, 11_702, 1496),
             ("Se0/2/0", False, None, None)],
            id="12.4, one member is down",
        ),
        pytest.param(
            "12.2-10000",
            ("Multilink2", "group2", None, 0, 0, 0, None),
            [("Se8/0/0.2/7:0", True, 9_117, 378)],
            id="Cisco 10000",
        ),
    ],
)  # fmt: skip
def test_a_bundle_says_its_members(
    fixture: str, bundle: tuple[object, ...], members: list[tuple[object, ...]]
) -> None:
    (found,) = read_multilink(text_of(f"ppp_multilink/{fixture}"), "f").records
    assert bundle == (
        found.interface,
        found.name,
        found.bandwidth_bps,
        found.lost_fragments,
        found.reordered_packets,
        found.discarded_fragments,
        found.has_interleaving,
    )
    assert members == [
        (member.interface, member.is_active, member.age_s, member.fragment_bytes)
        for member in found.members
    ]


def test_a_bundle_without_a_line_for_each_member_was_cut() -> None:
    text = text_of("ppp_multilink/12.4-two-members")
    reading = read_multilink(text[: text.index("    Se0/2/0")], "f")
    assert [(part.label, part.is_cut) for part in reading.declined] == [("bundle Multilink1", True)]


def test_no_bundle_is_no_fault() -> None:
    assert read_multilink("No inactive multilink interfaces\n", "f").records == ()


def test_a_circuit_says_its_fragment_size() -> None:
    circuits = read_fragments(text_of("frame_relay_fragment/12.4-summary"), "f").records
    assert [(row.interface, row.dlci, row.kind, row.fragment_bytes) for row in circuits] == [
        ("Serial0/1/0.107", 107, "end-to-end", 80),
        ("Serial0/1/0.108", 108, "VoFR", 320),
    ]
    assert [row.dropped_fragments for row in circuits] == [0, 4]


def test_an_unknown_row_leaves_the_other_circuits() -> None:
    text = text_of("frame_relay_fragment/12.4-summary").replace("108   VoFR ", "108   - ")
    reading = read_fragments(text, "f")
    assert [row.dlci for row in reading.records] == [107]
    assert [part.at.line for part in reading.declined] == [5]


def test_the_detail_of_one_circuit_is_another_layout() -> None:
    with pytest.raises(LayoutError):
        read_fragments("fragment size 45   fragment type end-to-end\n", "f")


def test_what_links_and_circuits_compress() -> None:
    link, circuit = read_compression(text_of("ip_rtp_header_compression/12.4"), "f").records
    assert (link.interface, link.sent_packets, link.compressed_packets) == (
        "Serial0/0/0",
        8912,
        8877,
    )
    assert (circuit.interface, circuit.dlci, circuit.compressed_packets) == ("Serial0/1/0", 21, 0)


def test_a_link_that_ends_ahead_of_its_slots_is_declined() -> None:
    text = text_of("ip_rtp_header_compression/12.4")
    reading = read_compression(text[: text.rindex("    Connect:")], "f")
    assert [link.interface for link in reading.records] == ["Serial0/0/0"]
    assert [part.is_cut for part in reading.declined] == [True]


def test_no_link_compresses() -> None:
    assert read_compression("RTP/UDP/IP header compression statistics:\n", "f").records == ()


def test_peers_of_a_tunnel_with_their_groups_and_policies() -> None:
    reading = read_tunnel_peers(text_of("dmvpn/15.x-detail-hub"), "f")
    assert reading.declined == ()
    assert [(peer.address, peer.group, peer.has_policy) for peer in reading.records] == [
        ("10.9.0.11", "BRANCH-2M", True),
        ("10.9.0.12", "Branch-2M", False),
        ("10.9.0.13", None, False),
    ]


def test_details_that_end_ahead_of_their_sessions_are_cut() -> None:
    text = text_of("dmvpn/15.x-detail-hub")
    reading = read_tunnel_peers(text[: text.index("Crypto Session")], "f")
    assert [peer.address for peer in reading.records] == ["10.9.0.11", "10.9.0.12"]
    assert [part.is_cut for part in reading.declined] == [True]
