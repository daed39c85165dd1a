"""The demo router in real time: its show outputs at any moment, all of one simulated link."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import chain, pairwise
from math import floor
from random import Random
from time import monotonic
from typing import Final

from msgspec import Struct, field

from advisor.demo import wan_edge_texts as texts
from advisor.demo.wan_link import (
    PROBE_PACKETS,
    PROBE_PERIOD_S,
    PROBES,
    RATE_KBPS,
    Counter,
    LinkCount,
    Probe,
    class_of,
    is_probe,
    profile_of,
    wan_link,
)
from advisor.simulate import Fate
from advisor.units import bps_from_bytes, bps_from_kbps, ms_from_s, serialization_ms

_COUNTED_PPP_BYTES: Final = 4
_COUNTED_ETHERNET_BYTES: Final = 14
_ACK_BYTES: Final = 40
_PROBE_WIRE_BYTES: Final = 48
_PROBE_ENDS_AFTER_S: Final = 2
_MINUTE_S: Final = 60.0
_HOUR_S: Final = 60 * _MINUTE_S
_AGE_AT_START_S: Final = 70 * _MINUTE_S
_UPTIME_AT_START: Final = timedelta(days=36, hours=2, minutes=33)
_BETWEEN_ROUTERS_S: Final = 37  # of their ages: they shall not all print the same
_LOAD_INTERVAL_S: Final = 30.0
_FIVE_MINUTES_S: Final = 5 * _MINUTE_S
_IDLE_CPU: Final = 2.0
_CPU_PER_PACKET_S: Final = 0.025


class WanEdge(Struct, frozen=True):
    """A router that was started some time before; `now_s` is the clock of its uptime."""

    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    started_s: float = field(default_factory=monotonic)
    age_at_start_s: float = _AGE_AT_START_S
    now_s: Callable[[], float] = monotonic

    @property
    def commands(self) -> Mapping[str, Callable[[str], str]]:
        """The outputs that move, from the name of the router."""
        return {
            "show clock": lambda _: f"*{texts.clock_text(self._now)}\n",
            "show version": lambda name: texts.version(name, _UPTIME_AT_START + self._elapsed),
            "show processes cpu": lambda _: self._cpu(),
            "show interfaces": lambda _: self._interfaces(),
            "show policy-map interface": lambda _: self._policy(),
            "show ip sla statistics": lambda _: texts.LATEST + "\n".join(map(self._latest, PROBES)),
            "show ip sla statistics aggregated": lambda _: "".join(map(self._hour, PROBES)),
        }

    @property
    def _elapsed(self) -> timedelta:
        return timedelta(seconds=self.now_s() - self.started_s)

    @property
    def _now(self) -> datetime:
        return self.started + self._elapsed

    @property
    def _age_s(self) -> float:
        """Seconds since the counters were cleared."""
        return self.age_at_start_s + self._elapsed.total_seconds()

    def _at(self, age_s: float) -> datetime:
        return self.started + timedelta(seconds=age_s - self.age_at_start_s)

    def _policy(self) -> str:
        age_s = self._age_s
        return texts.policy(
            [_class_state(name, age_s) for name in texts.CLASSES],
            [_row_state(name, age_s) for name in texts.ROWS],
        )

    def _interfaces(self) -> str:
        age_s, lan_in, wan_out, wan_in = self._age_s, _from_lan(), _carried(), _way_back()
        classes = [_class_state(name, age_s) for name in texts.CLASSES]
        lan = texts.PortState(
            *_port(lan_in, age_s, _FIVE_MINUTES_S, _COUNTED_ETHERNET_BYTES),
            *_port(wan_in, age_s, _FIVE_MINUTES_S, _COUNTED_ETHERNET_BYTES),
        )
        wan = texts.PortState(
            *_port(wan_in, age_s, _LOAD_INTERVAL_S, _COUNTED_PPP_BYTES),
            *_port(wan_out, age_s, _LOAD_INTERVAL_S, _COUNTED_PPP_BYTES),
            sum(queue_class.waiting for queue_class in classes),
            sum(queue_class.dropped_packets for queue_class in classes),
        )
        return texts.interfaces(lan, wan, floor(age_s), RATE_KBPS)

    def _cpu(self) -> str:
        age_s = self._age_s
        counters = (_carried(), _way_back())

        def percent(over_s: float) -> float:
            packets = sum(
                counter.at(age_s).packets - counter.at(age_s - over_s).packets
                for counter in counters
            )
            return packets / over_s * _CPU_PER_PACKET_S

        return texts.cpu(percent(5.0), percent(_MINUTE_S), percent(_FIVE_MINUTES_S), _IDLE_CPU)

    def _latest(self, probe: Probe) -> str:
        count = self._runs(probe)
        start = self._at(probe.first_s + (count - 1) * PROBE_PERIOD_S)
        return texts.latest(probe, _figures(probe, range(count - 1, count)), start, count)

    def _hour(self, probe: Probe) -> str:
        """The statistics of the current hour; until it has a minute, those of the one before."""
        start_s = max(self._age_s - _MINUTE_S, 0.0) // _HOUR_S * _HOUR_S
        first = floor(start_s // PROBE_PERIOD_S)
        last = min(self._runs(probe), first + floor(_HOUR_S // PROBE_PERIOD_S))
        return texts.hour(probe, _figures(probe, range(first, last)), self._at(start_s))

    def _runs(self, probe: Probe) -> int:
        """Runs of a probe that have ended."""
        since_s = self._age_s - probe.first_s - _PROBE_ENDS_AFTER_S
        return floor(since_s // PROBE_PERIOD_S) + 1


def wan_edge(number: int = 0) -> WanEdge:
    """One of many demo routers; each has another age."""
    return WanEdge(age_at_start_s=_AGE_AT_START_S + number * _BETWEEN_ROUTERS_S)


@cache
def _carried() -> Counter:
    return wan_link().counter(lambda _: True, sent=True)


@cache
def _from_lan() -> Counter:
    return wan_link().counter(lambda each: not is_probe(each))


@cache
def _of_class(name: str) -> tuple[Counter, Counter, Counter]:
    """Count the packets that a class is offered, that wait in its queue, and that are dropped."""
    link = wan_link()
    return (
        link.counter(lambda each: class_of(each) == name),
        link.counter(lambda each: class_of(each) == name and each.is_queued),
        link.counter(lambda each: class_of(each) == name and each.fate is not Fate.CARRIED),
    )


@cache
def _of_row(name: str) -> tuple[Counter, ...]:
    """Count the packets of a WRED row that are sent, dropped at random, and dropped otherwise."""

    def of_fate(fate: Fate) -> Counter:
        return wan_link().counter(lambda each: profile_of(each) == name and each.fate is fate)

    return tuple(map(of_fate, (Fate.CARRIED, Fate.RANDOM_DROP, Fate.OTHER_DROP)))


def _class_state(name: str, age_s: float) -> texts.ClassState:
    offered, queued, dropped = _of_class(name)
    latest = wan_link().latest(name, age_s)
    return texts.ClassState(
        *_seen(offered, age_s),
        _rate_bps(offered, age_s, _LOAD_INTERVAL_S, _COUNTED_PPP_BYTES),
        _rate_bps(dropped, age_s, _LOAD_INTERVAL_S, _COUNTED_PPP_BYTES),
        *_seen(queued, age_s),
        *_seen(dropped, age_s),
        0 if latest is None else latest.waiting,
        0 if latest is None else floor(latest.average),
    )


def _row_state(name: str, age_s: float) -> texts.RowState:
    transmitted, at_random, tail = (
        "{}/{}".format(*_seen(counter, age_s)) for counter in _of_row(name)
    )
    return texts.RowState(name, transmitted, at_random, tail)


def _seen(counter: Counter, age_s: float) -> tuple[int, int]:
    count = counter.at(age_s)
    return count.packets, count.bytes_with(_COUNTED_PPP_BYTES)


def _port(
    counter: Counter, age_s: float, constant_s: float, header_bytes: int
) -> tuple[int, int, int, int]:
    """Packets, bytes and average rates in bit/s and packets/s of one direction of a port."""
    count: LinkCount = counter.at(age_s)
    rate_bps = _rate_bps(counter, age_s, constant_s, header_bytes)
    packets_per_s = round(counter.mean_per_s(age_s, constant_s)[0])
    return count.packets, count.bytes_with(header_bytes), rate_bps, packets_per_s


def _rate_bps(counter: Counter, age_s: float, constant_s: float, header_bytes: int) -> int:
    packets_per_s, bytes_per_s = counter.mean_per_s(age_s, constant_s)
    with_headers = bytes_per_s + packets_per_s * header_bytes
    return round(round(bps_from_bytes(with_headers, ms_from_s(1))), -3)


@cache
def _way_back() -> Counter:
    """Count the packets from the head office: the other half of each call, and acknowledgements."""
    link, events = wan_link(), []
    for index, packet in enumerate(link.packets):
        if class_of(packet) == "VOICE" or is_probe(packet):
            events.append((packet.arrival_ms, packet.ip_bytes))
        elif index % 2:
            events.append((packet.arrival_ms, _ACK_BYTES))
    return Counter.of(link.period_s, events)


def _figures(probe: Probe, runs: range) -> texts.ProbeFigures:
    """Round trips of the packets of some runs, and how much they vary on each way."""
    link_ms = wan_link().probes_ms[probe.number]
    own_ms = serialization_ms(_PROBE_WIRE_BYTES, bps_from_kbps(RATE_KBPS))
    there_ms = [link_ms[run % len(link_ms)] for run in runs]
    back_ms = []
    for run in runs:
        random = Random(run)  # noqa: S311 -- no secret
        back_ms.append([own_ms + random.uniform(*probe.far_end_ms) for _ in range(PROBE_PACKETS)])
    ways = zip(chain(*there_ms), chain(*back_ms), strict=True)
    return texts.ProbeFigures(
        texts.PrintedSpread.of([there + back for there, back in ways]),
        texts.PrintedSpread.of(_variations_ms(there_ms)),
        texts.PrintedSpread.of(_variations_ms(back_ms)),
    )


def _variations_ms(runs: Sequence[Sequence[float]]) -> list[float]:
    return [abs(after - before) for delays in runs for before, after in pairwise(delays)]
