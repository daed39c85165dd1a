"""TXR008: tuned classes whose queue is shorter than the ring."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit
from advisor.lint.checks.txr import RingBudget
from advisor.lint.checks.txr.size import SaturatedRing
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

TX_RING_SATURATED_BY_BEST_EFFORT = CHECKS["tx-ring-saturated-by-best-effort"]

PARAMS = RingBudget(ring_wait_ms=25.0)


def router(action: str, ring: str, rate: str = " clock rate 2000000\n") -> str:
    """A class DATA of 1000 kb/s: 1500 bytes take 12 ms, and 6 ms on the wire."""
    return (
        "!RANCID-CONTENT-TYPE: cisco\n!Chassis type: 2811\n"
        "class-map match-all DATA\n match ip dscp af21\n"
        f"policy-map EDGE\n class DATA\n  bandwidth percent 50\n{action}"
        " class class-default\n  fair-queue\n"
        f"interface Serial0/0/0\n bandwidth 2000\n{rate} encapsulation ppp\n{ring}"
        " service-policy output EDGE\n"
    )


def found(action: str, ring: str) -> list[Hit[SaturatedRing]]:
    return hits_of(TX_RING_SATURATED_BY_BEST_EFFORT.find(device_of(router(action, ring)), PARAMS))


@pytest.mark.parametrize(
    ("action", "ring"),
    [
        pytest.param("  queue-limit 10\n", " tx-ring-limit 20\n", id="21 packets before 10"),
        pytest.param(
            "  random-detect dscp-based\n  random-detect dscp af21 3 9 10\n",
            " tx-ring-limit 64\n",
            id="the maximum of WRED",
        ),
    ],
)
def test_a_ring_that_outlasts_a_tuned_queue_is_told(action: str, ring: str) -> None:
    hit = hit_of(found(action, ring))

    assert hit.object == "interface Serial0/0/0 > class DATA"
    assert hit.evidence.ring_ms > hit.evidence.queue_ms


@pytest.mark.parametrize(
    ("action", "ring"),
    [
        pytest.param("  queue-limit 11\n", " tx-ring-limit 20\n", id="a queue of 132 ms"),
        pytest.param("", " tx-ring-limit 64\n", id="limits that IOS chose"),
        pytest.param("  queue-limit 10\n", " tx-ring-limit 2\n", id="a short ring"),
    ],
)
def test_other_rings_are_silent(action: str, ring: str) -> None:
    assert found(action, ring) == []


def test_the_share_of_the_ring_falls_with_the_advised_ring() -> None:
    forecast = hit_of(found("  queue-limit 10\n", " tx-ring-limit 64\n")).forecast

    assert forecast is not None
    assert forecast.after is not None
    assert forecast.after.value < forecast.before.value


def test_a_line_without_a_rate_is_skipped() -> None:
    text = router("  queue-limit 10\n", " tx-ring-limit 20\n", rate="").replace(
        " bandwidth 2000\n", ""
    )

    assert "rate" in skip_of(TX_RING_SATURATED_BY_BEST_EFFORT.find(device_of(text), PARAMS)).reason
