"""`show crypto ipsec sa`: what it counts of each flow. Rules that use it have their own tests."""

from pathlib import Path

import pytest

from advisor.capture.transcript import transcript
from advisor.shows.crypto import ProtectedFlow, read_protected_interfaces

TEXT = (Path(__file__).parents[2] / "fixtures/show/crypto_ipsec_sa/15.x-detail.txt").read_text()


def flow() -> ProtectedFlow:
    return read_protected_interfaces(transcript(TEXT), "f").records[0].flows[0]


def test_a_flow_has_its_ends_and_its_peer() -> None:
    ends = (flow().local, flow().remote, flow().peer, flow().peer_port)
    assert ends == (
        "192.0.2.10/255.255.255.255/47/0",
        "192.0.2.20/255.255.255.255/47/0",
        "192.0.2.20",
        500,
    )


def test_a_flow_has_the_mtu_of_its_path() -> None:
    assert (flow().plaintext_mtu_bytes, flow().path_mtu_bytes) == (1422, 1500)


@pytest.mark.parametrize(
    ("counter", "packets"),
    [("encapsulated_packets", 80412), ("replay_failed_packets", 137), ("send_errors", None)],
)
def test_a_flow_has_its_counters(counter: str, packets: int | None) -> None:
    assert getattr(flow().counters, counter) == packets


def test_two_peers_of_an_interface_are_two_flows() -> None:
    lines = TEXT.replace("interface: Tunnel11\n", "")
    (interface,) = read_protected_interfaces(transcript(lines), "f").records
    assert [flow.peer for flow in interface.flows] == ["192.0.2.20", "192.0.2.30"]


def test_a_counter_that_is_not_known_costs_its_interface() -> None:
    reading = read_protected_interfaces(
        transcript(TEXT.replace("#pkts compressed: 0", "#pkts frobbed: 0")), "f"
    )
    assert [part.name for part in reading.declined] == ["Tunnel10"]
