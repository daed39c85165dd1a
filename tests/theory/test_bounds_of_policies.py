"""Bounds with priority levels, guarantees and shapers: where there is one, no packet exceeds it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from advisor.model import (
    Arrival,
    Excess,
    Framing,
    Interface,
    Periodic,
    Poisson,
    Queue,
    QueueKind,
    Saturated,
    Shaper,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.bounds.classes import RingPlaces
from advisor.theory.flows import case_of, flows_of
from advisor.theory.kernel.threads import measure
from advisor.theory.solver import plan_of, solve

FIRST = Queue("first", QueueKind.PRIORITY, level=1)
SECOND = Queue("second", QueueKind.PRIORITY, level=2)
GOLD = Queue("gold", QueueKind.BANDWIDTH, 50.0, guarantee_bps=100_000.0)
DATA = Queue("data", QueueKind.CLASS_DEFAULT, 50.0)


def stream(queue: Queue, arrival: Arrival, ip_bytes: int = 100, streams: int = 1) -> Traffic:
    return Traffic(queue.name, queue.name, arrival, SizeMix(((ip_bytes, 1.0),)), streams)


def line(*traffic: Traffic, queues: tuple[Queue, ...], ring: int = 2) -> Interface:
    """A wire of 800 kb/s: 100 bytes take 1 ms."""
    return Interface(800_000.0, Framing(0), TxRing(ring), queues, traffic)


LEVELS = line(
    stream(FIRST, Periodic(100.0), streams=2),
    stream(SECOND, Periodic(50.0), 500, streams=3),
    stream(DATA, Saturated(), 1000),
    queues=(FIRST, SECOND, DATA),
)
GUARANTEED = replace(
    line(
        stream(FIRST, Periodic(50.0)),
        stream(GOLD, Periodic(40.0), 500),
        stream(DATA, Periodic(20.0), 1000),
        queues=(FIRST, GOLD, DATA),
    ),
    excess=Excess.EQUAL,
)

BUNDLE = line(
    stream(FIRST, Periodic(50.0)),
    stream(DATA, Saturated(), 1000),
    queues=(FIRST, DATA),
)
BUNDLE = replace(BUNDLE, members_bps=(600_000.0, 200_000.0))


def bound_of(interface: Interface, name: str) -> float | None:
    return next(each.bound_ms for each in solve(interface).classes if each.name == name)


def test_the_second_level_waits_for_ring_own_level_and_all_of_the_first() -> None:
    """20 ms of ring and 15 of its own level; the first level sends 2 packets each 10 ms.

    It enters the ring behind a packet of at least 1 ms and needs 5 ms itself: those of 40 ms come
    too late to pass it.
    """
    held_ms = 20 + 15
    wait_ms = held_ms + 2 * 4  # of 0, 10, 20 and 30 ms
    assert wait_ms - 5 - 1 < 40
    assert bound_of(LEVELS, "second") == pytest.approx(wait_ms)


def test_an_llq_packet_in_the_ring_is_not_in_the_queue_too() -> None:
    """Two packets of data in the ring, and the only one that the LLQ has in 100 ms."""
    interface = line(
        stream(FIRST, Periodic(10.0), 1000), stream(DATA, Saturated()), queues=(FIRST, DATA)
    )
    assert bound_of(interface, "first") == pytest.approx(2 * 1 + 10)


def test_another_queue_sends_no_more_than_waits_and_comes() -> None:
    """20 ms of ring, 64 own packets; 4 rivals of 5 ms wait, and 8 come in the 720 ms."""
    rival = Queue("rival", QueueKind.BANDWIDTH, 50.0, limit_packets=4)
    interface = line(
        stream(rival, Periodic(10.0), 500), stream(DATA, Poisson(200.0), 1000), queues=(rival, DATA)
    )
    assert DATA.limit_packets == 64
    assert bound_of(interface, "data") == pytest.approx(20 + 64 * 10 + 4 * 5 + 8 * 5)


def test_in_a_bundle_a_place_is_free_after_one_packet_and_then_comes_the_slowest_ring() -> None:
    """10 ms at 800 kb/s are 13.3 at 600; the ring of 200 kb/s needs 4 times 2 packets of 10 ms."""
    assert bound_of(BUNDLE, "first") == pytest.approx(10 * 800 / 600 + 4 * 20)


def test_in_a_bundle_many_packets_wait_for_as_many_places() -> None:
    """Seven calls at once: 600 kb/s frees a place each 13.3 ms, 200 kb/s each 40: 5 and 1 by 67."""
    calls = replace(BUNDLE.traffic[0], streams=7)
    interface = replace(BUNDLE, traffic=(calls, BUNDLE.traffic[1]))
    all_rings_ms = 2 * 20 + 7 * 1
    assert all_rings_ms < 67
    assert bound_of(interface, "first") == pytest.approx(all_rings_ms + 4 * 20)


@given(
    st.lists(st.sampled_from((64e3, 128e3, 192e3, 512e3, 1536e3)), min_size=1, max_size=4),
    st.integers(1, 200),
)
def test_places_of_a_bundle_fall_free_one_by_one(members_bps: list[float], places: int) -> None:
    """Each member frees one with each of its packets: of all those times the one of this number."""
    bundle = replace(BUNDLE, rate_bps=sum(members_bps), members_bps=tuple(members_bps))
    flows = flows_of(bundle)
    packet_ms = [1000 * 8 / rate_bps * 1000 for rate_bps in members_bps]
    times_ms = sorted(count * each for each in packet_ms for count in range(1, places + 1))
    assert RingPlaces(bundle, flows).free_ms(places) == pytest.approx(times_ms[places - 1])


@pytest.mark.parametrize(
    "interface", [LEVELS, GUARANTEED, BUNDLE], ids=["levels", "guarantees", "bundle"]
)
def test_no_packet_is_later_than_its_bound(interface: Interface) -> None:
    flows = flows_of(interface)
    plan = plan_of(case_of(interface, flows), flows)
    extent = plan.length.extent(interface.ring.limit)
    rows = measure(interface, flows, extent, plan.targets, plan.starts)
    for flow, measured in zip(flows, rows, strict=True):
        bound_ms = bound_of(interface, flow.traffic.name)
        assert bound_ms is None or measured.longest_ms <= bound_ms * (1 + 1e-9)


@pytest.mark.parametrize("name", ["gold", "data"])
def test_under_any_rule_for_the_rest_the_busy_period_of_bounded_sources_is_a_bound(
    name: str,
) -> None:
    """In 16 ms each source sends once: 1 + 5 + 10 ms."""
    assert bound_of(GUARANTEED, name) == pytest.approx(16.0)


@pytest.mark.parametrize(
    ("interface", "name"),
    [
        pytest.param(
            replace(GUARANTEED, traffic=(*GUARANTEED.traffic[:2], stream(DATA, Poisson(20.0)))),
            "gold",
            id="a source without a bound",
        ),
        pytest.param(
            replace(
                GUARANTEED,
                queues=(FIRST, GOLD, replace(DATA, shaper=Shaper(400_000.0, 25.0))),
            ),
            "data",
            id="a class with its own shaper",
        ),
        pytest.param(
            replace(GUARANTEED, members_bps=(400_000.0, 400_000.0)), "gold", id="a bundle's class"
        ),
    ],
)
def test_what_nothing_bounds_has_no_bound(interface: Interface, name: str) -> None:
    assert bound_of(interface, name) is None
