"""TXR003: rings of one or two packets on fast lines."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit
from advisor.lint.checks.txr.size import ShallowRing, ShallowRingParams
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of

TX_RING_TOO_SHALLOW_FOR_RATE = CHECKS["tx-ring-too-shallow-for-rate"]

PARAMS = ShallowRingParams(short_ring_packets=2, above_kbps=2048, ring_wait_ms=25.0)


def found(
    kbps: int, ring: str, chassis: str = "2811", port: str = "Serial0/0/0"
) -> list[Hit[ShallowRing]]:
    text = (
        f"!RANCID-CONTENT-TYPE: cisco\n!Chassis type: {chassis}\n"
        "class-map match-all VOICE\n match ip dscp ef\n"
        "policy-map EDGE\n class VOICE\n  priority 512\n class class-default\n  fair-queue\n"
        f"interface {port}\n bandwidth {kbps}\n clock rate {kbps}000\n encapsulation ppp\n{ring}"
        " service-policy output EDGE\n"
    )
    return hits_of(TX_RING_TOO_SHALLOW_FOR_RATE.find(device_of(text), PARAMS))


@pytest.mark.parametrize(
    ("kbps", "ring"),
    [
        pytest.param(2049, " tx-ring-limit 1\n", id="one packet just above E1"),
        pytest.param(8000, " tx-ring-limit 2\n", id="two packets"),
    ],
)
def test_a_short_ring_on_a_fast_line_is_told(kbps: int, ring: str) -> None:
    assert hit_of(found(kbps, ring)).evidence.longest > 2


@pytest.mark.parametrize(
    ("kbps", "ring"),
    [
        pytest.param(2048, " tx-ring-limit 1\n", id="at E1"),
        pytest.param(8000, " tx-ring-limit 3\n", id="three packets"),
        pytest.param(8000, "", id="what IOS chose itself"),
    ],
)
def test_other_rings_are_silent(kbps: int, ring: str) -> None:
    assert found(kbps, ring) == []


def test_the_packets_of_the_line_are_an_interval_over_their_size() -> None:
    evidence = hit_of(found(8000, " tx-ring-limit 1\n")).evidence

    assert evidence.packets_per_second == "663-2882"  # 1508 and 347 bytes
