"""Rates of a call against Cisco's table of the bandwidth of a call by codec."""

import pytest

from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.outlet.calls import CallRate, call_rate, calls_within
from advisor.outlet.framing import FRF12_HEADER_BYTES, Encapsulation, encapsulation_of
from advisor.settings.codecs import load_codecs


def encapsulation(interface: str) -> Encapsulation:
    facts = read_facts(parse_config(interface, "r1.ios"))
    found = encapsulation_of(facts.interfaces[0], None)
    assert found is not None
    return found


def rate(codec: str, interface: str, *, compressed: bool = False, frf12: bool = False) -> CallRate:
    _, packet = load_codecs().packet(codec)
    return call_rate(
        packet,
        encapsulation(interface),
        compressed=compressed,
        header_bytes=FRF12_HEADER_BYTES if frf12 else 0,
    )


PPP = "interface Serial0/0\n encapsulation ppp\n"
ETHERNET = "interface GigabitEthernet0/0\n"
ATM = "interface ATM0/0\n"


@pytest.mark.parametrize(
    ("codec", "interface", "counted_bps"),
    [
        pytest.param("g729", PPP, 25_600, id="G.729 with PPP: 60 + 4 bytes"),
        pytest.param("g711", PPP, 81_600, id="G.711 with PPP: 200 + 4 bytes"),
        pytest.param("g711", ETHERNET, 85_600, id="G.711 with Ethernet: 200 + 14 bytes"),
        pytest.param("g729", ATM, 28_800, id="G.729 with AAL5 SNAP: 60 + 12 bytes"),
    ],
)
def test_what_ios_counts_for_a_call(codec: str, interface: str, counted_bps: float) -> None:
    assert rate(codec, interface).counted_bps == pytest.approx(counted_bps)


def test_the_wire_carries_two_cells_for_each_packet_of_g729() -> None:
    assert rate("g729", ATM).wire_high_bps == pytest.approx(2 * 53 * 8 * 50)


def test_crtp_takes_38_bytes_off_a_packet() -> None:
    whole, compressed = rate("g729", PPP), rate("g729", PPP, compressed=True)

    assert whole.counted_bps - compressed.counted_bps == pytest.approx(38 * 8 * 50)


def test_frf12_adds_one_header_to_a_packet() -> None:
    plain, fragmented = rate("g729", PPP), rate("g729", PPP, frf12=True)

    assert fragmented.counted_bps - plain.counted_bps == pytest.approx(4 * 8 * 50)


def test_a_rate_carries_whole_calls() -> None:
    assert (calls_within(128_000, 25_600), calls_within(127_999, 25_600)) == (5, 4)
