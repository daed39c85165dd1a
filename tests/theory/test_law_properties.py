"""Laws of the solver and of hops, each for interfaces made up at random."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from advisor.model import (
    Arrival,
    Bursts,
    Framing,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    Queue,
    QueueKind,
    RingUnit,
    Saturated,
    SizeMix,
    Tcp,
    Traffic,
    TxRing,
)
from advisor.theory.solution import ClassResult, Regime
from advisor.theory.solver import solve
from advisor.theory.voice import HopDelay, along, fixed

pytestmark = pytest.mark.slow


VOICE = Queue("voice", QueueKind.PRIORITY)
DATA = Queue("data", QueueKind.CLASS_DEFAULT)
SAMPLED = 0.2  # below saturation two means are of different draws: their intervals say so
BYTE_BITS, BITS_PER_KBIT, MS_PER_S = 8, 1000, 1000
COSTLY = settings(max_examples=30, deadline=None)


def voice(streams: int, per_s: float = 50.0) -> Traffic:
    return Traffic("voice", "voice", Periodic(per_s), SizeMix(((60, 1.0),)), streams)


@st.composite
def arrivals(draw: st.DrawFn, packets_per_s: float) -> Arrival:
    kind = draw(st.sampled_from(["saturated", "poisson", "periodic", "bursts", "on/off"]))
    load = draw(st.floats(0.2, 0.8))
    mean = load * packets_per_s
    kinds: dict[str, Arrival] = {
        "saturated": Saturated(),
        "poisson": Poisson(mean),
        "periodic": Periodic(mean, MS_PER_S / mean / 2),
        "bursts": Bursts(mean / 8, 8, 0.1),
        "on/off": OnOff(2 * mean, 200, 200),
    }
    return kinds[kind]


@st.composite
def links(draw: st.DrawFn) -> Interface:
    """A link of an LLQ with up to three calls, and data of one size and any kind of arrival."""
    rate_bps = draw(st.sampled_from([256, 512, 1024, 2048])) * BITS_PER_KBIT
    size = draw(st.integers(200, 1500))
    packets_per_s = rate_bps / BYTE_BITS / (size + 8)
    arrival = draw(arrivals(packets_per_s))
    unit = draw(st.sampled_from(list(RingUnit)))
    beside = draw(st.integers(0, 1)) if unit is RingUnit.PACKETS else 0
    data = Traffic("data", "data", arrival, SizeMix(((size, 1.0),)))
    ring = TxRing(draw(st.integers(1, 12)), unit, beside_wire=beside)
    offered = (voice(draw(st.integers(1, 3))), data)
    return Interface(float(rate_bps), Framing(8), ring, (VOICE, DATA), offered)


def of_voice(interface: Interface) -> ClassResult:
    return next(each for each in solve(interface).classes if each.name == "voice")


@COSTLY
@given(links(), st.integers(1, 12))
def test_more_ring_is_never_less_delay(interface: Interface, more: int) -> None:
    longer = replace(interface.ring, limit=interface.ring.limit + more)
    short, long = of_voice(interface), of_voice(replace(interface, ring=longer))

    chance = 0.03 if short.regime is Regime.RING_FULL else SAMPLED
    assert short.delay.mean_ms <= long.delay.mean_ms * (1 + chance)
    assert short.low.mean_ms <= long.high.mean_ms
    assert short.bound_ms is not None
    assert long.bound_ms is not None
    assert short.bound_ms <= long.bound_ms


@COSTLY
@given(links(), st.integers(1, 40))
def test_without_background_the_ring_is_irrelevant(interface: Interface, limit: int) -> None:
    alone = replace(interface, traffic=interface.traffic[:1])
    other = replace(alone, ring=replace(alone.ring, limit=limit))

    shallow, deep = of_voice(alone), of_voice(other)
    assert shallow.delay.mean_ms == pytest.approx(deep.delay.mean_ms, rel=0.01)
    assert shallow.bound_ms == deep.bound_ms


@COSTLY
@given(links())
def test_mean_p95_p99_and_bound_are_in_order(interface: Interface) -> None:
    for each in solve(interface).classes:
        delay = each.delay

        assert delay.p50_ms <= delay.p95_ms <= delay.p99_ms
        assert delay.mean_ms <= delay.p95_ms * (1 + SAMPLED)
        if each.bound_ms is not None:
            assert delay.p99_ms <= each.bound_ms


def _faster(arrival: Arrival) -> Arrival:
    match arrival:
        case Saturated() | Tcp():
            return arrival
        case Poisson(per_s):
            return Poisson(2 * per_s)
        case Periodic(per_s, jitter_ms):
            return Periodic(2 * per_s, jitter_ms / 2)
        case Bursts(per_s, packets, spacing_ms):
            return Bursts(2 * per_s, packets, spacing_ms / 2)
        case OnOff(per_s, on_ms, off_ms):
            return OnOff(2 * per_s, on_ms / 2, off_ms / 2)


@COSTLY
@given(links())
def test_twice_as_fast_a_link_and_its_traffic_halve_every_time(interface: Interface) -> None:
    doubled = tuple(replace(each, arrival=_faster(each.arrival)) for each in interface.traffic)
    fast = replace(interface, rate_bps=2 * interface.rate_bps, traffic=doubled)

    for slow, quick in zip(solve(interface).classes, solve(fast).classes, strict=True):
        assert slow.delay.mean_ms == pytest.approx(2 * quick.delay.mean_ms, rel=SAMPLED)
        assert slow.loss_ratio == pytest.approx(quick.loss_ratio, abs=0.01)
        if slow.bound_ms is not None:
            assert slow.bound_ms == pytest.approx(2 * (quick.bound_ms or 0.0))


@st.composite
def hop_delays(draw: st.DrawFn) -> HopDelay:
    least, *steps = draw(st.lists(st.floats(0, 100), min_size=5, max_size=5))
    p50, p95 = least + steps[0], least + steps[0] + steps[1]
    p99 = p95 + steps[2]
    return HopDelay(least, (p50 + p95) / 2, p50, p95, p99, p99 + steps[3], steps[0], 0.01)


@given(st.lists(hop_delays(), min_size=2, max_size=4))
@settings(max_examples=50, deadline=None)
def test_means_bounds_and_least_delays_of_hops_add(hops: list[HopDelay]) -> None:
    path = along(hops)

    assert path.mean_ms == pytest.approx(sum(each.mean_ms for each in hops))
    assert path.least_ms == pytest.approx(sum(each.least_ms for each in hops))
    assert path.bound_ms == pytest.approx(sum(each.bound_ms or 0.0 for each in hops))


@given(hop_delays(), st.floats(0, 500), st.floats(0, 1))
@settings(max_examples=50, deadline=None)
def test_a_fixed_hop_split_in_two_is_the_same_path(
    hop: HopDelay, fixed_ms: float, share: float
) -> None:
    whole = along([hop, fixed(fixed_ms)])
    split = along([hop, fixed(fixed_ms * share), fixed(fixed_ms * (1 - share))])

    assert split.mean_ms == pytest.approx(whole.mean_ms)
    assert split.bound_ms == pytest.approx(whole.bound_ms)
    assert split.p99_ms == pytest.approx(whole.p99_ms, abs=1.0)
