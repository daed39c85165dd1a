"""What packets take on the wire, by published arithmetic."""

import pytest

from advisor.model import Framing, particles, wire_bytes, wire_ms

SNAP, MUX = Framing(8, cells=True), Framing(0, cells=True)


@pytest.mark.parametrize(
    ("ip_bytes", "framing", "expected"),
    [
        pytest.param(1500, Framing(8), 1508, id="PPP with both flags"),
        pytest.param(1000, SNAP, 22 * 53, id="1000 bytes in aal5snap are 22 cells"),
        pytest.param(604, MUX, 13 * 53, id="the UDP packet of the WRED test is 13 cells"),
        pytest.param(40, MUX, 53, id="40 bytes just fill one cell in aal5mux"),
        pytest.param(41, MUX, 2 * 53, id="one byte more takes a second cell"),
    ],
)
def test_bytes_on_the_wire(ip_bytes: int, framing: Framing, expected: int) -> None:
    assert wire_bytes(ip_bytes, framing) == expected


def test_a_1000_byte_packet_takes_8_ms_at_1_mbps_without_cells() -> None:
    assert wire_ms(1000, Framing(0), 1_000_000) == pytest.approx(8.0)


@pytest.mark.parametrize(
    ("ip_bytes", "particle_bytes", "expected"),
    [
        pytest.param(1000, 512, 2, id="1000 bytes take 2 particles of 512"),
        pytest.param(1000, 576, 2, id="and 2 of 576"),
        pytest.param(1500, 512, 3, id="1500 bytes take 3"),
        pytest.param(1024, 512, 2, id="1024 bytes just fill 2"),
        pytest.param(1025, 512, 3, id="one byte more takes a third"),
    ],
)
def test_particles_of_a_packet(ip_bytes: int, particle_bytes: int, expected: int) -> None:
    assert particles(ip_bytes, 0, particle_bytes) == expected
