"""Sizes of packets, merged, beside each size by itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.model import (
    Fragmentation,
    Framing,
    Policer,
    Queue,
    QueueKind,
    RingUnit,
    SizeMix,
    particles,
    wire_bytes,
    wire_ms,
)
from advisor.theory.shape import (
    MOST_SIZES,
    PacketShape,
    PacketTimes,
    Wire,
    extremes_of,
    shape_of,
    weighted,
)

_FRAMINGS = st.sampled_from(
    [Framing(7), Framing(18), Framing(0, cells=True), Framing(8, cells=True)]
)
_CUTS = st.sampled_from([None, Fragmentation(80, 5), Fragmentation(320, 12)])
_PAIRS = st.lists(
    st.tuples(st.integers(20, 3000), st.sampled_from([0.5, 1.0, 7.0])), min_size=1, max_size=60
)
_RANGES = st.tuples(st.integers(40, 300), st.integers(30, 400)).map(
    lambda ends: [(size, 1.0) for size in range(ends[0], ends[0] + ends[1])]
)
_WIRES = st.builds(
    Wire, _FRAMINGS, st.just(512_000.0), st.sampled_from(RingUnit), st.sampled_from([512, 576])
)
_QUEUE = Queue("data", QueueKind.BANDWIDTH, class_policer=Policer(64_000, 1500, Framing(14)))


def _parts(ip_bytes: int, wire: Wire, cut: Fragmentation | None) -> list[tuple[int, Framing]]:
    if cut is None or ip_bytes <= cut.fragment_bytes:
        return [(ip_bytes, wire.framing)]
    framing = Framing(cut.overhead_bytes, wire.framing.cells)
    whole, rest = divmod(ip_bytes, cut.fragment_bytes)
    return [(size, framing) for size in [cut.fragment_bytes] * whole + [rest] * (rest > 0)]


def _time_ms(ip_bytes: int, wire: Wire, cut: Fragmentation | None) -> float:
    return sum(
        wire_ms(size, framing, wire.rate_bps) for size, framing in _parts(ip_bytes, wire, cut)
    )


def _units(ip_bytes: int, wire: Wire, cut: Fragmentation | None) -> int:
    if wire.unit is RingUnit.PACKETS:
        return len(_parts(ip_bytes, wire, cut))
    return sum(
        particles(size, framing.overhead_bytes, wire.particle_bytes)
        for size, framing in _parts(ip_bytes, wire, cut)
    )


@given(st.one_of(_PAIRS, _RANGES), _WIRES, _CUTS)
def test_means_and_ends_are_those_of_each_size_by_itself(
    pairs: list[tuple[int, float]], wire: Wire, cut: Fragmentation | None
) -> None:
    shape = shape_of(SizeMix(tuple(pairs)), PacketTimes.of(wire, _QUEUE), cut)
    total = sum(weight for _, weight in pairs)
    weights = [weight / total for _, weight in pairs]
    times = [_time_ms(size, wire, cut) for size, _ in pairs]
    units = [_units(size, wire, cut) for size, _ in pairs]
    frames = [size + wire.framing.overhead_bytes for size, _ in pairs]
    second = weighted(weights, [time_ms**2 for time_ms in times])
    assert sum(shape.weights) == pytest.approx(1)
    assert shape.mean_ms == pytest.approx(weighted(weights, times))
    assert shape.second_ms2 == pytest.approx(second, rel=1 / MOST_SIZES**2)
    assert shape.longest_ms == pytest.approx(max(times))
    assert weighted(shape.weights, shape.units) == pytest.approx(weighted(weights, units))
    assert weighted(shape.weights, shape.frame_bytes) == pytest.approx(weighted(weights, frames))
    assert weighted(shape.weights, shape.ip_bytes) == pytest.approx(
        weighted(weights, [size for size, _ in pairs])
    )


@given(st.one_of(_PAIRS, _RANGES), _WIRES, _CUTS)
def test_extremes_are_those_of_all_sizes(
    pairs: list[tuple[int, float]], wire: Wire, cut: Fragmentation | None
) -> None:
    found = extremes_of(SizeMix(tuple(pairs)), PacketTimes.of(wire, _QUEUE), cut)
    sizes = [size for size, _ in pairs]
    overhead = wire.framing.overhead_bytes
    assert found.least_frame_bytes == min(sizes) + overhead
    assert found.most_frame_bytes == max(sizes) + overhead
    assert found.ms_per_frame_byte == pytest.approx(
        max(_time_ms(size, wire, cut) / (size + overhead) for size in sizes)
    )
    assert found.ms_per_police_byte == pytest.approx(
        max(_time_ms(size, wire, cut) / wire_bytes(size, Framing(14)) for size in sizes)
    )


def _of_range(most: int) -> PacketShape:
    sizes = SizeMix(tuple((size, 1.0) for size in range(64, most)))
    wire = Wire(Framing(7), 512_000.0, RingUnit.PACKETS, 512)
    return shape_of(sizes, PacketTimes.of(wire, _QUEUE), None)


@pytest.mark.parametrize("most", [100, 800, 1500])
def test_many_sizes_are_few_kinds(most: int) -> None:
    assert MOST_SIZES / 2 < len(_of_range(most).weights) <= MOST_SIZES + 1


def test_a_size_that_is_named_twice_is_one_kind() -> None:
    wire = Wire(Framing(7), 512_000.0, RingUnit.PACKETS, 512)
    mix = SizeMix(((64, 1.0), (1500, 1.0), (64, 2.0)))
    assert shape_of(mix, PacketTimes.of(wire, _QUEUE), None).weights == (0.75, 0.25)
