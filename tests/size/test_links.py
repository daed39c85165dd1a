"""Which line carries DLSw+, and at how many transactions per second it is full."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.device.device import Device
from advisor.model import Framing
from advisor.predict.size import Transactions
from advisor.predict.size.links import link_size, peer_links
from advisor.theory.dlsw import frames_by_size, frames_of
from tests.support.devices import device_read

LOCAL = "version 12.1\nhostname r1\ndlsw local-peer peer-id 10.1.0.1{more}\ndlsw bridge-group 1\n"
LAN = "interface Ethernet0/0\n ip address 10.9.0.1 255.255.255.0\n bridge-group 1\n"
SERIAL = (
    "interface Serial0/{port}\n ip address 10.1.{port}.1 255.255.255.0\n clock rate {rate_bps}\n"
)
PEAK = Transactions(100, 2000, 1000, 1024)


def router(*peers: str, ports: tuple[int, ...] = (0,), more: str = "") -> Device:
    lines = "".join(f"dlsw remote-peer 0 tcp {peer}\n" for peer in peers)
    serials = "".join(SERIAL.format(port=port, rate_bps=800_000) for port in ports)
    return device_read(LOCAL.format(more=more) + lines + LAN + serials)


@pytest.mark.parametrize(
    ("device", "links"),
    [
        pytest.param(
            router("10.1.0.2"), [("Serial0/0", ("10.1.0.2",), 1.0)], id="a peer in the subnet"
        ),
        pytest.param(
            router("10.7.0.1"), [("Serial0/0", ("10.7.0.1",), 1.0)],
            id="a peer elsewhere, and one output",
        ),
        pytest.param(router("10.7.0.1", ports=(0, 1)), [], id="a peer elsewhere, and two outputs"),
        pytest.param(
            router("10.1.0.2", "10.1.1.2", "10.1.1.3", ports=(0, 1)),
            [("Serial0/0", ("10.1.0.2",), 1 / 3),
             ("Serial0/1", ("10.1.1.2", "10.1.1.3"), 2 / 3)],
            id="two lines share the load by their peers",
        ),
        pytest.param(
            router("10.1.0.2", "10.1.1.2", ports=(0,)),
            [("Serial0/0", ("10.1.0.2", "10.1.1.2"), 1.0)],
            id="two peers share one line",
        ),
        pytest.param(
            router("10.1.0.2", "10.1.1.2 backup-peer 10.1.0.2", ports=(0, 1)),
            [("Serial0/0", ("10.1.0.2",), 1.0)],
            id="a backup carries nothing",
        ),
        pytest.param(
            router(more=" promiscuous"), [("Serial0/0", (), 1.0)],
            id="peers that are not named, and one output",
        ),
        pytest.param(router(), [], id="no peer"),
    ],
)  # fmt: skip
def test_the_lines_to_the_peers(
    device: Device, links: list[tuple[str, tuple[str, ...], float]]
) -> None:
    found = peer_links(device)

    assert [(link.name, link.peers) for link in found] == [each[:2] for each in links]
    assert [link.part for link in found] == pytest.approx([part for *_, part in links])


def test_a_router_of_an_unknown_release_has_its_line_too() -> None:
    text = "hostname r1\ndlsw local-peer peer-id 10.1.0.1\ndlsw remote-peer 0 tcp 10.1.0.2\n"

    (link,) = peer_links(device_read(text + SERIAL.format(port=0, rate_bps=64_000)))
    assert link.rate.value == 64_000


CIRCUITS = """\
interface ATM0/0.1 point-to-point
 ip address 10.1.0.1 255.255.255.0
 pvc 1/40
  vbr-nrt {one} {one}
 pvc 1/41
  vbr-nrt {other} {other}
"""


@pytest.mark.parametrize(
    ("other_kbps", "names"),
    [
        pytest.param(512, ["ATM0/0.1"], id="of one rate"),
        pytest.param(128, [], id="of two rates, one of which takes DLSw+"),
    ],
)
def test_circuits_of_one_interface(other_kbps: int, names: list[str]) -> None:
    text = LOCAL.format(more="") + "dlsw remote-peer 0 tcp 10.1.0.2\ninterface ATM0/0\n"

    links = peer_links(device_read(text + CIRCUITS.format(one=512, other=other_kbps)))
    assert [link.name for link in links] == names


def test_the_subinterface_of_a_peer_counts_before_its_main_interface() -> None:
    frame_relay = (
        "interface Serial0/0\n encapsulation frame-relay\n clock rate 2000000\n"
        " frame-relay traffic-shaping\n"
        "interface Serial0/0.1 point-to-point\n ip address 10.1.0.1 255.255.255.0\n"
        " frame-relay interface-dlci 100\n  class SLOW\n"
        "map-class frame-relay SLOW\n frame-relay cir 64000\n"
    )
    text = LOCAL.format(more="") + "dlsw remote-peer 0 tcp 10.1.0.2\n" + frame_relay

    (link,) = peer_links(device_read(text))
    assert (link.name, link.rate.value) == ("Serial0/0.1", 64_000)


def test_a_backup_behind_the_same_line_is_named() -> None:
    (link,) = peer_links(router("10.1.0.2", "10.1.0.3 backup-peer 10.1.0.2"))

    assert (link.peers, link.backups) == (("10.1.0.2",), ("10.1.0.3",))


def test_a_line_of_800_kbps_is_full_at_47_transactions_of_2000_bytes() -> None:
    (link,) = peer_links(router("10.1.0.2"))
    size = link_size(link, PEAK)

    assert size is not None
    assert size.is_full
    # 2000 bytes in 2 frames: 2 x 56 bytes of headers, 7 or 8 of HDLC
    assert (size.needed_bps.low, size.needed_bps.high) == (1_700_800, 1_702_400)
    assert size.full_tps.value == pytest.approx(47.0, abs=0.1)


def test_half_of_the_peers_fill_a_line_at_twice_the_transactions() -> None:
    (alone,) = peer_links(router("10.1.0.2"))
    (half, _) = peer_links(router("10.1.0.2", "10.1.1.2", ports=(0, 1)))

    whole_size, half_size = link_size(alone, PEAK), link_size(half, PEAK)
    assert whole_size is not None
    assert half_size is not None
    assert half_size.full_tps.value == pytest.approx(2 * whole_size.full_tps.value)


def test_the_busier_direction_fills_the_line_whichever_it_is() -> None:
    (link,) = peer_links(router("10.1.0.2"))

    out, back = (link_size(link, Transactions(1, *sizes, 1024)) for sizes in ((9, 900), (900, 9)))
    assert out is not None
    assert back is not None
    assert out.full_tps == back.full_tps


def test_transactions_without_bytes_fill_nothing() -> None:
    (link,) = peer_links(router("10.1.0.2"))

    assert link_size(link, Transactions(1, 0, 0, 1024)) is None


@given(st.integers(0, 10**6), st.integers(1, 10**4), st.none() | st.integers(1, 10**4))
def test_frames_hold_all_bytes_and_none_is_longer_than_an_ru_or_the_largest_frame(
    size_bytes: int, ru_bytes: int, largest_bytes: int | None
) -> None:
    frames = frames_by_size(size_bytes, ru_bytes, largest_bytes)

    assert sum(each * count for each, count in frames.items()) == size_bytes
    assert max(frames, default=0) <= min(ru_bytes, largest_bytes or ru_bytes)
    assert sum(frames.values()) == frames_of(size_bytes, ru_bytes, largest_bytes)


def test_cells_count_for_each_frame() -> None:
    # frames of 1024 and 976 bytes: 1080 and 1032 IP bytes, in 23 and 22 cells with AAL5SNAP
    assert PEAK.out_wire_bytes(Framing(8, cells=True)) == 53 * (23 + 22)


@pytest.mark.parametrize(
    ("tps", "fps"),
    [
        pytest.param(12, 24, id="12 PUs"),
        pytest.param(50, 100, id="50 PUs"),
        pytest.param(400, 800, id="100 PUs with 4 LUs"),
    ],
)
def test_sessions_of_ciscos_table_give_its_frames(tps: float, fps: float) -> None:
    assert Transactions(tps, 128, 128, 1024).fps == fps
