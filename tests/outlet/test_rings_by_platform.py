"""The default transmit ring of an output: a row of the table holds for the platforms it names."""

import pytest

from advisor.outlet.outlets import outlets
from advisor.outlet.ring import RingFact
from tests.support.devices import device_read

POLICY = "class-map match-any EF\n match dscp ef\npolicy-map P\n class EF\n  priority 100\n"
SERIAL = "interface Serial1/0/0\n bandwidth 1024\n{ring} service-policy output P\n"
CIRCUIT = (
    "interface ATM1/0.1 point-to-point\n pvc 1/1\n  vbr-nrt 512 512\n{ring}"
    "  service-policy output P\n"
)
VIP = "!Chassis type: RSP4+\n!Slot 1/0: type VIP4-80 RM7000, hvers 2.01 rev G0\nversion 12.2\n"
RSP = "!Chassis type: RSP4+\nversion 12.2\n"
ISR = "version 15.2\nlicense udi pid CISCO2911/K9 sn FTX1524ABCD\n"
NPE = "!Chassis type: 7206VXR\nversion 12.4\n"


def ring(platform: str, interface: str, stated: str = "") -> RingFact | None:
    text = platform + "hostname r1\n" + POLICY + interface.format(ring=stated) + "end\n"
    (outlet,) = outlets(device_read(text))
    return outlet.ring


def limits(fact: RingFact | None) -> tuple[int, int] | None:
    return None if fact is None else (fact.limit_low, fact.limit_high)


@pytest.mark.parametrize(
    ("platform", "interface", "expected"),
    [
        pytest.param(VIP, SERIAL, None, id="no general rule for a VIP"),
        pytest.param(RSP, SERIAL, None, id="nor for a 7500 whose cards are not known"),
        pytest.param(VIP, CIRCUIT, (128, 128), id="the row of the 7500 holds for its ATM"),
        pytest.param(ISR, SERIAL, (2, 2), id="an ISR has a row for serial links"),
        pytest.param(ISR, CIRCUIT, None, id="no row of another platform for ATM on an ISR"),
        pytest.param(NPE, SERIAL, (2, 2), id="the general rule holds for a 7200"),
        pytest.param(NPE, CIRCUIT, (40, 40), id="a 7200 has a row for ATM"),
        pytest.param("", CIRCUIT, (40, 128), id="every row may hold for an unknown platform"),
    ],
)
def test_the_default_ring_is_one_of_the_platform(
    platform: str, interface: str, expected: tuple[int, int] | None
) -> None:
    assert limits(ring(platform, interface)) == expected


@pytest.mark.parametrize(
    ("platform", "kbps", "expected"),
    [
        pytest.param("2811", 2000, (2, 2), id="a serial of an ISR at 2 Mb/s keeps two packets"),
        pytest.param("2811", 2048, (2, 2), id="and at a whole E1"),
        pytest.param("2811", 4000, (2, 4), id="above an E1 its row names no rate"),
        pytest.param("2911", 1984, (2, 2), id="the second generation below 2 Mb/s"),
        pytest.param("2911", 2000, (2, 4), id="from 2 Mb/s on no source is of its own"),
        pytest.param("2651", 2048, (2, 2), id="a 2600 at a whole E1"),
        pytest.param("7206VXR", 2000, (4, 4), id="the general rule holds for a 7200"),
        pytest.param(None, 2000, (2, 4), id="an unknown platform may be either"),
    ],
)
def test_the_most_specific_row_of_a_serial_wins(
    platform: str | None, kbps: int, expected: tuple[int, int]
) -> None:
    head = f"!Chassis type: {platform}\nversion 12.4\n" if platform else ""
    serial = SERIAL.replace("bandwidth 1024", f"bandwidth {kbps}")
    assert limits(ring(head, serial)) == expected


def test_a_configured_ring_of_a_vip_is_not_counted_in_units_of_other_platforms() -> None:
    text = VIP + "hostname r1\n" + POLICY + SERIAL.format(ring=" tx-ring-limit 4\n") + "end\n"
    (outlet,) = outlets(device_read(text))

    assert outlet.ring is None
    assert "whether the 4 of tx-ring-limit" in (outlet.why_unread or "")


def test_open_timeslots_are_named_where_the_rate_is_not_known() -> None:
    text = (
        "controller T1 0/0\n channel-group 0 timeslots 1-24\n"
        f"{POLICY}interface Serial0/0:0\n service-policy output P\nend\n"
    )
    (outlet,) = outlets(device_read(text))

    assert "24 timeslots of 56 or 64 kb/s" in outlet.why_rate_unknown


def test_a_configured_ring_needs_no_default() -> None:
    fact = ring(ISR, CIRCUIT, "  tx-ring-limit 3\n")
    assert limits(fact) == (3, 3)
