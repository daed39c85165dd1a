"""Stated packets that are larger than the MTU come to the queues as IP fragments."""

import math
from pathlib import Path

import pytest

from advisor.outlet.background import ring_sizes
from advisor.outlet.framing import fragments_of, in_fragments
from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from advisor.settings import StatedBacklog, StatedBursts, Traffic
from advisor.settings.file import read_traffic
from tests.support.devices import device_read

CONFIG = """\
hostname r1
policy-map P
 class class-default
  fair-queue
interface Serial0/0
 bandwidth 512
 encapsulation ppp
 mtu 1500
 service-policy output P
end
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def stated(keys: str) -> Traffic:
    Path("t.toml").write_text(f'[[traffic]]\nclass = "class-default"\n{keys}\n', encoding="utf-8")
    (statement,) = read_traffic(Path("t.toml")).stated.traffic
    return statement


def data_bytes(each: Traffic) -> float:
    """Bytes behind the IP headers, per second."""
    assert each.packets_per_second is not None
    mean = sum((size.ip_bytes - 20) * size.share for size in each.sizes)
    return mean * each.packets_per_second


@pytest.mark.parametrize(
    ("ip_bytes", "mtu_bytes", "fragments"),
    [
        pytest.param(1500, 1500, (1500,), id="fits"),
        pytest.param(1501, 1500, (1500, 21), id="one byte too many"),
        pytest.param(1528, 1500, (1500, 48), id="a probe of 1500 bytes of data"),
        pytest.param(1500, 576, (572, 572, 396), id="data of a multiple of 8 bytes"),
        pytest.param(9000, 1500, (*[1500] * 6, 120), id="a jumbo frame"),
    ],
)
def test_a_packet_is_cut_by_rfc_791(
    ip_bytes: int, mtu_bytes: int, fragments: tuple[int, ...]
) -> None:
    assert fragments_of(ip_bytes, mtu_bytes) == fragments


def test_what_fits_stays_as_stated() -> None:
    statement = stated("packet_bytes = 1500\npackets_per_second = 10")
    assert in_fragments(statement, 1500) == (statement,)


@pytest.mark.parametrize(
    "keys",
    [
        pytest.param("packet_bytes = 9000\npackets_per_second = 10", id="independent"),
        pytest.param(
            'packet_bytes = 9000\npackets_per_second = 10\narrivals = "periodic"', id="periodic"
        ),
        pytest.param("packet_bytes = { min = 64, max = 9000 }\npackets_per_second = 10", id="mix"),
        pytest.param(
            'packet_bytes = 9000\npackets_per_second = 10\narrivals = "on-off"\non_ms = 10\noff_ms = 9',
            id="on and off",
        ),
    ],
)
def test_fragments_carry_the_data_of_their_packets(keys: str) -> None:
    statement = stated(keys)
    cut = in_fragments(statement, 1500)
    assert sum(map(data_bytes, cut)) == pytest.approx(data_bytes(statement))
    assert max(size.ip_bytes for each in cut for size in each.sizes) <= 1500
    assert all(math.isclose(sum(size.share for size in each.sizes), 1) for each in cut)


@pytest.mark.parametrize(
    ("keys", "pattern"),
    [
        pytest.param("packets_per_second = 10", StatedBursts(7, 0.0), id="independent packets"),
        pytest.param(
            'packets_per_second = 10\narrivals = "bursts"\nburst_packets = 3\nburst_spacing_ms = 14',
            StatedBursts(21, 2.0),
            id="bursts",
        ),
        pytest.param(
            'arrivals = "saturated"\nbacklog_packets = 4', StatedBacklog(28), id="a backlog"
        ),
    ],
)
def test_fragments_of_a_packet_come_together(
    keys: str, pattern: StatedBursts | StatedBacklog
) -> None:
    (cut,) = in_fragments(stated(f"packet_bytes = 9000\n{keys}"), 1500)
    assert cut.pattern == pattern


def test_ring_and_classes_hold_the_same_packets() -> None:
    (outlet,) = outlets(device_read(CONFIG))
    offers = offers_of(outlet, (stated("packet_bytes = 9000\npackets_per_second = 10"),))
    assert {size.ip_bytes for offer in offers for size in offer.sizes} == {1500, 120}
    assert set(ring_sizes(offers, outlet) or ()) == {1500, 120}
