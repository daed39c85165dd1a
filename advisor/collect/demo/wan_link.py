"""The simulated WAN link of the demo router: its traffic, and its counters at any time.

A stretch of some minutes is simulated packet by packet and repeats without end. It begins and ends
with an empty interface, so the counters of any two times differ by what was sent between them.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, pairwise
from math import exp, floor
from typing import Final

from msgspec import Struct

from advisor.ground.units import bps_from_kbps, ms_from_s, s_from_ms
from advisor.model import (
    Bursts,
    DropProfile,
    Framing,
    Interface,
    Periodic,
    Poisson,
    Policer,
    Queue,
    QueueKind,
    SizeMix,
    Traffic,
    TxRing,
    WredAverage,
)
from advisor.simulate import Fate, PacketPassage, passages

RATE_KBPS: Final = 512.0
PROBE_PERIOD_S: Final = 10
PROBE_PACKETS: Final = 10
_PROBE_SPACING_MS: Final = 20.0
_STRETCH_S: Final = 240
_SEED: Final = 7
_RATE_STEP_S: Final = 5.0  # IOS updates its averages of rates so often
_STEPS_OF_A_RATE: Final = 5.0  # time constants that an average looks back
_HEADER_BYTES: Final = 8  # PPP in HDLC framing, a flag between two frames
_AF21, _AF22 = "af21", "af22"
_VOICE: Final = "VOICE"
_SIGNALING: Final = "SIGNALING"
_ORDERS: Final = "ORDERS"
_DEFAULT: Final = "class-default"
_ROW: Final = DropProfile(30, 40, 10)  # of both codes
_SHARE_OF: Final = {_SIGNALING: 3.125, _ORDERS: 25.0, _DEFAULT: 46.875}  # of the link

_PROBE_BURSTS: Final = Bursts(1 / PROBE_PERIOD_S, PROBE_PACKETS, _PROBE_SPACING_MS)


class Probe(Struct, frozen=True):
    """An IP SLA operation, the place of its packets in the traffic, and when it starts first.

    `far_end_ms`: the least and the most time that the head office takes for an answer. It answers
    ICMP in the process level of a busy router, and no figure of the branch says so: this is the
    difference that an audit has to find. The time of a responder is taken out of the round trip.
    """

    number: int
    operation: str
    place: int
    first_s: float
    far_end_ms: tuple[float, float]


PROBES: Final = (
    Probe(10, "icmp-jitter", 5, 0.0, (45.0, 49.0)),
    Probe(20, "udp-jitter", 6, 5.0, (0.0, 1.0)),
)
_PROBE_PLACES: Final = tuple(probe.place for probe in PROBES)


def _sizes(*bytes_and_weights: tuple[int, float]) -> SizeMix:
    return SizeMix(bytes_and_weights)


# Two G.729 calls; orders and transfers that fill 2/3 of the link with them.
LINE: Final = Interface(
    bps_from_kbps(RATE_KBPS),
    Framing(_HEADER_BYTES),
    TxRing(10),
    (
        Queue(_VOICE, QueueKind.PRIORITY, priority_policer=Policer(128_000.0, 3200.0)),
        Queue(_SIGNALING, QueueKind.BANDWIDTH, _SHARE_OF[_SIGNALING]),
        Queue(_ORDERS, QueueKind.BANDWIDTH, _SHARE_OF[_ORDERS], 1000, wred=WredAverage(9, 14.0)),
        Queue(_DEFAULT, QueueKind.CLASS_DEFAULT, _SHARE_OF[_DEFAULT], flow_limit_packets=64),
    ),
    (
        Traffic(_VOICE, _VOICE, Periodic(50.0, 4.0), _sizes((60, 1.0)), 2),
        Traffic(_SIGNALING, _SIGNALING, Poisson(2.0), _sizes((196, 1.0))),
        Traffic(_ORDERS, _ORDERS, Poisson(9.0), _sizes((896, 1.0)), profile=_ROW),
        Traffic(_ORDERS, _ORDERS, Poisson(4.0), _sizes((896, 1.0)), profile=_ROW),
        Traffic(
            _DEFAULT, _DEFAULT, Poisson(24.0), _sizes((1500, 0.6), (120, 0.4)), conversations=12
        ),
        Traffic(_DEFAULT, _DEFAULT, _PROBE_BURSTS, _sizes((40, 1.0))),
        Traffic(_VOICE, _VOICE, _PROBE_BURSTS, _sizes((60, 1.0))),
    ),
)
_PROFILES: Final = {2: _AF21, 3: _AF22}  # by the places of the traffic


class LinkCount(Struct, frozen=True):
    """Packets and their IP bytes."""

    packets: int
    ip_bytes: int

    def bytes_with(self, header_bytes: int) -> int:
        """Bytes with a header for each packet."""
        return self.ip_bytes + self.packets * header_bytes


class Counter(Struct, frozen=True):
    """A counter of packets at times within the stretch, in order, with the bytes up to each."""

    period_s: float
    times_ms: Sequence[float]
    bytes_until: Sequence[int]

    @classmethod
    def of(cls, period_s: float, events: Iterable[tuple[float, int]]) -> "Counter":
        """Count events of a time in ms and a size."""
        ordered = sorted(events)
        sizes = (size for _, size in ordered)
        return cls(period_s, [time for time, _ in ordered], list(accumulate(sizes, initial=0)))

    def at(self, age_s: float) -> LinkCount:
        """The counter after a time."""
        rounds, rest_s = divmod(max(age_s, 0.0), self.period_s)
        place = bisect_right(self.times_ms, ms_from_s(rest_s))
        return LinkCount(
            floor(rounds) * len(self.times_ms) + place,
            floor(rounds) * self.bytes_until[-1] + self.bytes_until[place],
        )

    def mean_per_s(self, age_s: float, constant_s: float) -> tuple[float, float]:
        """Packets and IP bytes per second as IOS averages them, with a time constant."""
        last = age_s // _RATE_STEP_S
        count = min(floor(constant_s * _STEPS_OF_A_RATE / _RATE_STEP_S), floor(last))
        ends = [self.at((last - step) * _RATE_STEP_S) for step in range(count + 1)]
        packets = size = weights = 0.0
        for step, (after, before) in enumerate(pairwise(ends)):
            weight = exp(-step * _RATE_STEP_S / constant_s)
            weights += weight * _RATE_STEP_S
            packets += weight * (after.packets - before.packets)
            size += weight * (after.ip_bytes - before.ip_bytes)
        return (packets / weights, size / weights) if weights else (0.0, 0.0)


class WanLink(Struct, frozen=True):
    """The stretch that repeats. `period_s` is a whole number of probe operations.

    `probes_ms` are the delays of the packets of each probe through the interface, run by run.
    """

    period_s: float
    packets: tuple[PacketPassage, ...]
    probes_ms: Mapping[int, tuple[tuple[float, ...], ...]]

    def counter(self, holds: Callable[[PacketPassage], bool], *, sent: bool = False) -> Counter:
        """Count the packets of a kind when they arrive, or when they were sent."""
        return Counter.of(
            self.period_s,
            (
                (packet.sent_ms if sent else packet.arrival_ms, packet.ip_bytes)
                for packet in self.packets
                if holds(packet) and (not sent or packet.fate is Fate.CARRIED)
            ),
        )

    def latest(self, name: str, age_s: float) -> PacketPassage | None:
        """The packet of a class that arrived last in the current round."""
        now_ms = ms_from_s(age_s % self.period_s)
        return next(
            (
                packet
                for packet in reversed(self.packets)
                if packet.arrival_ms <= now_ms and class_of(packet) == name
            ),
            None,
        )


def class_of(packet: PacketPassage) -> str:
    """The class of a packet."""
    return LINE.traffic[packet.place].name


def profile_of(packet: PacketPassage) -> str | None:
    """The WRED profile of a packet."""
    return _PROFILES.get(packet.place)


def is_probe(packet: PacketPassage) -> bool:
    """Whether the router itself sends it."""
    return packet.place in _PROBE_PLACES


@cache
def wan_link() -> WanLink:
    """Simulate the stretch; all demo routers of the process share it."""
    starts_ms = [ms_from_s(start_s) for start_s in range(0, _STRETCH_S, PROBE_PERIOD_S)]
    schedule_ms = {
        probe.place: [
            start_ms + ms_from_s(probe.first_s) + index * _PROBE_SPACING_MS
            for start_ms in starts_ms
            for index in range(PROBE_PACKETS)
        ]
        for probe in PROBES
    }
    packets = passages(LINE, ms_from_s(_STRETCH_S), _SEED, schedule_ms)
    # The last start of an operation at which all that had come was sent.
    busy_ms = [
        (packet.arrival_ms, packet.sent_ms) for packet in packets if packet.fate is Fate.CARRIED
    ]
    end_ms = max(
        end_ms
        for end_ms in (*starts_ms, ms_from_s(_STRETCH_S))
        if not any(arrival_ms < end_ms < sent_ms for arrival_ms, sent_ms in busy_ms)
    )
    kept = tuple(packet for packet in packets if packet.arrival_ms < end_ms)
    probes_ms = {probe.number: tuple(_runs_ms(kept, probe)) for probe in PROBES}
    return WanLink(s_from_ms(end_ms), kept, probes_ms)


def _runs_ms(packets: Sequence[PacketPassage], probe: Probe) -> Iterator[tuple[float, ...]]:
    delays_ms = [
        packet.sent_ms - packet.arrival_ms for packet in packets if packet.place == probe.place
    ]
    for first in range(0, len(delays_ms), PROBE_PACKETS):
        yield tuple(delays_ms[first : first + PROBE_PACKETS])
