"""`show dlsw …`: peers, circuits, statistics."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.shows.dlsw import FlowControl, PeerState, QueueDepths
from advisor.shows.dlsw.reader import read_dlsw_statistics
from advisor.shows.output import LayoutError
from tests.support.devices import device_read
from tests.support.readers import (
    read_dlsw_circuits,
    read_dlsw_peers,
)

FOLDER = Path(__file__).parents[2] / "fixtures" / "show" / "dlsw"
FIXTURES = sorted(FOLDER.glob("*.txt"))
READERS: dict[str, Callable[[str, str], object]] = {
    "peers": read_dlsw_peers,
    "circuits": read_dlsw_circuits,
    "statistics": read_dlsw_statistics,
}


def reader_of(path: Path) -> Callable[[str, str], object]:
    return READERS[path.stem.split("-")[1]]


def shown(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("row", "field", "expected"),
    [
        pytest.param(0, "peer", "192.0.2.10", id="the address of a peer"),
        pytest.param(0, "transport", "TCP", id="its encapsulation"),
        pytest.param(0, "state", PeerState.CONNECT, id="a connected peer"),
        pytest.param(0, "received_packets", 4181, id="packets received"),
        pytest.param(0, "sent_packets", 4420, id="packets sent"),
        pytest.param(0, "uptime_s", 93_600, id="1d02h is 26 hours"),
        pytest.param(1, "drops_packets", 7, id="drops"),
        pytest.param(1, "tcp_queue_packets", 92, id="the depth of the TCP queue"),
        pytest.param(1, "circuits", 1, id="circuits through the peer"),
        pytest.param(1, "uptime_s", 11_695, id="an uptime of hours"),
        pytest.param(2, "state", PeerState.DISCONN, id="a peer that is down"),
        pytest.param(2, "tcp_queue_packets", None, id="a dash is no queue depth"),
        pytest.param(2, "uptime_s", None, id="a dash is no uptime"),
        pytest.param(3, "kind", "prom", id="a peer that was not configured"),
        pytest.param(4, "received_packets", None, id="a counter that wrapped is unknown"),
        pytest.param(4, "uptime_s", 2_160_000, id="3w4d is 25 days"),
    ],
)
def test_peer(row: int, field: str, expected: object) -> None:
    peer = read_dlsw_peers(shown("12.x-peers.txt"), "r1.txt").peers[row]
    assert getattr(peer, field) == expected


def test_totals_of_newer_trains() -> None:
    read = read_dlsw_peers(shown("12.x-peers.txt"), "r1.txt")
    assert (read.connected_peers, read.connections, len(read.peers)) == (3, 3, 5)


def test_older_trains_print_no_totals() -> None:
    read = read_dlsw_peers(shown("11.x-peers-fst.txt"), "r1.txt")
    assert (read.connected_peers, read.connections) == (None, None)


def test_sequence_errors_stand_under_an_fst_peer() -> None:
    fst, direct = read_dlsw_peers(shown("11.x-peers-fst.txt"), "r1.txt").peers
    assert (fst.transport, fst.sequence_errors) == ("FST", 2)
    assert (direct.transport, direct.peer, direct.sequence_errors) == ("IF", "Serial1", None)


def test_four_queues_of_a_peer_with_priority() -> None:
    (peer,) = read_dlsw_peers(shown("12.x-peers-priority.txt"), "r1.txt").peers
    assert peer.queue_depths == QueueDepths(1, 0, 4, 0)


def test_circuits() -> None:
    read = read_dlsw_circuits(shown("12.x-circuits.txt"), "r1.txt")
    first, second, third = read.circuits
    assert (first.index, first.local_mac, first.local_sap) == (1459617900, "4000.5555.1111", "04")
    assert (first.remote_mac, first.remote_sap) == ("4000.3745.0001", "04")
    assert (second.state, second.uptime_s) == ("CONNECTED", 729)
    assert (third.state, third.local_sap) == ("CKT_ESTABLISHED", "14")
    assert (read.connected_circuits, str(third.at)) == (2, "r1.txt:6")
    assert (first.port, first.information_frames, first.flow_control) == (None, None, None)


def test_detail_of_a_circuit() -> None:
    (circuit,) = read_dlsw_circuits(shown("12.x-circuits-detail.txt"), "r1.txt").circuits
    assert (circuit.port, circuit.peer) == ("To0/0", "192.0.2.10(2065)")
    assert circuit.flow_control == FlowControl(20, 28, 22, 25)
    assert (circuit.information_frames, circuit.circuit_bytes) == (27, 3500)


def test_statistics() -> None:
    read = read_dlsw_statistics(shown("12.x-statistics.txt"), "r1.txt")
    assert (read.local_cache_frames, read.remote_cache_frames, read.group_cache_frames) == (
        100,
        23,
        2,
    )


def test_a_border_peer_says_where_frames_of_other_groups_were_found() -> None:
    read = read_dlsw_statistics(shown("12.2-statistics-border.txt"), "r1.txt")
    assert (
        read.local_cache_frames,
        read.border_frames,
        read.border_unprocessed_frames,
        read.border_local_frames,
        read.border_remote_frames,
        read.border_group_cache_frames,
    ) == (410, 214, 3, 120, 61, 30)


def test_a_border_peer_alone_says_nothing_of_its_caches() -> None:
    text = "r1#show dlsw statistics border-peers\n7 Border Peer Frames processed\n"
    text += "1 Border frames found Group Cache\nr1#\n"
    device = device_read(text)
    (read,) = device.seen.dlsw_statistics
    assert (read.local_cache_frames, read.border_frames) == (None, 7)
    assert [output.not_understood for output in device.seen.taken] == [()]


PEERS = "Peers:                state     pkts_rx   pkts_tx  type  drops ckts TCP   uptime\n"
PEER = " TCP 192.0.2.10      CONNECT       4181      4420  conf      0    3   0 1d02h\n"
CIRCUITS = "Index           local addr(lsap)    remote addr(dsap)  state          uptime\n"


@pytest.mark.parametrize(
    ("command", "text", "line"),
    [
        pytest.param("peers", "", 1, id="no peers output at all"),
        pytest.param("peers", PEER, 1, id="a row without its head"),
        pytest.param("peers", PEERS + PEER[:60] + "\n", 2, id="a row that was cut"),
        pytest.param("peers", PEERS + PEER.replace("CONNECT", "ASLEEP"), 2, id="an unknown state"),
        pytest.param("peers", PEERS + "  Expected: 4\n", 2, id="a line under no peer"),
        pytest.param("peers", PEERS + PEERS + PEER + "more\n", 4, id="an unknown line after a row"),
        pytest.param("circuits", CIRCUITS + "145  4000.5555.1111(04)\n", 2, id="a circuit that was cut"),
        pytest.param("circuits", "  Port:To0/0     peer 192.0.2.10(2065)\n", 1, id="detail of no circuit"),
        pytest.param("statistics", "100 Border Frames seen\n", 1, id="an unknown count"),
    ],
)  # fmt: skip
def test_unknown_layout_is_an_error_with_its_line(command: str, text: str, line: int) -> None:
    with pytest.raises(LayoutError) as caught:
        READERS[command](text, "r1.txt")
    assert str(caught.value.at) == f"r1.txt:{line}"


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_carriage_returns_and_trailing_blanks_change_nothing(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    read = reader_of(path)
    assert read(text.replace("\n", "  \r\n"), path.name) == read(text, path.name)


@given(st.sampled_from(FIXTURES), st.data())
def test_cut_or_changed_output_raises_its_own_error_or_reads(
    path: Path, data: st.DataObject
) -> None:
    text = path.read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, len(text)))
    changed = text[:at] + data.draw(st.text(max_size=4)) + text[end:]
    try:
        read = reader_of(path)(changed, path.name)
    except LayoutError:
        return
    assert read
