"""Sets of packets: what is said to hold a box holds every packet of it."""

from hypothesis import given
from hypothesis import strategies as st

from advisor.facts.packet_set import (
    ALL_DSCPS,
    ANY_PORT,
    Addresses,
    Box,
    Cover,
    addresses_of,
    disjoint,
)

ADDRESSES = st.builds(
    lambda base, wildcard: Addresses(base & ~wildcard, wildcard),
    st.integers(0, 7),
    st.sampled_from([0, 1, 3, 5, 0xFFFFFFFF]),
)
PORTS = st.sampled_from([ANY_PORT, ((80, 80),), ((80, 90),), ((80, 80), (443, 443))])
BOXES = st.builds(
    Box,
    dscps=st.sampled_from([ALL_DSCPS, frozenset({10}), frozenset({10, 12}), frozenset({12})]),
    protocol=st.sampled_from([None, "tcp", "udp"]),
    source=ADDRESSES,
    destination_ports=PORTS,
)
PACKETS = st.tuples(
    st.sampled_from([0, 10, 12]),
    st.sampled_from(["tcp", "udp", "icmp"]),
    st.integers(0, 7),
    st.sampled_from([80, 85, 443, 9]),
)
Packet = tuple[int, str, int, int]


def holds(box: Box, packet: Packet) -> bool:
    dscp, protocol, source, port = packet
    return (
        dscp in box.dscps
        and box.protocol in (None, protocol)
        and (box.source.base ^ source) & ~box.source.wildcard == 0
        and any(low <= port <= high for low, high in box.destination_ports)
    )


@given(BOXES, st.lists(BOXES, max_size=6), st.lists(PACKETS, min_size=20, max_size=40))
def test_every_packet_of_a_covered_box_is_in_a_taker(
    box: Box, others: list[Box], packets: list[Packet]
) -> None:
    cover = Cover()
    for index, other in enumerate(others):
        cover.add(str(index), other)
    takers = [others[int(name)] for name in cover.takers(box)]

    for packet in packets:
        if takers and holds(box, packet):
            assert any(holds(taker, packet) for taker in takers)


@given(BOXES, BOXES)
def test_a_box_within_another_is_found_as_covered_by_it(one: Box, other: Box) -> None:
    cover = Cover()
    cover.add("other", other)

    assert (cover.takers(one) == ("other",)) == one.within(other)


@given(BOXES, BOXES, st.lists(PACKETS, min_size=20, max_size=40))
def test_what_is_in_both_is_in_each_and_disjoint_boxes_share_nothing(
    one: Box, other: Box, packets: list[Packet]
) -> None:
    both = one.both(other)

    for packet in packets:
        in_both = holds(one, packet) and holds(other, packet)
        assert (both is not None and holds(both, packet)) == in_both
        assert not (in_both and disjoint(one, other))


def test_addresses_of_an_access_list() -> None:
    assert addresses_of("any") == Addresses()
    assert addresses_of("host 0.0.0.1") == Addresses(1, 0)
    assert addresses_of("0.0.0.255 0.0.0.15") == Addresses(240, 15)
    assert addresses_of("object-group SERVERS") is None
