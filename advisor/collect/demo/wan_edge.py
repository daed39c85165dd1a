"""The demo router in real time: its show outputs at any moment, all of one simulated link."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import chain, pairwise
from math import floor
from random import Random
from statistics import fmean
from time import monotonic
from typing import Any, Final

from msgspec import Struct, field

from advisor.collect.demo.wan_link import (
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
from advisor.ground.assets import filled
from advisor.ground.quantity import count
from advisor.ground.units import (
    bps_from_bytes,
    bps_from_kbps,
    kbps_from_bps,
    ms_from_s,
    serialization_ms,
)
from advisor.simulate import Fate

VOICE_PROBE: Final = """\
ip sla 20
 udp-jitter 172.16.7.1 16384
 request-data-size 32
 tos 184
 frequency 10
ip sla schedule 20 life forever start-time now
"""
_CLASSES: Final = ("VOICE", "SIGNALING", "ORDERS", "class-default")
_ROWS: Final = ("af21", "af22")
_FULL_LOAD: Final = 255
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
            "show clock": lambda _: f"*{_clock(self.started + self._elapsed)}\n",
            "show version": self._version,
            "show processes cpu": lambda _: self._cpu(),
            "show interfaces": lambda _: self._interfaces(),
            "show policy-map interface": lambda _: self._policy(),
            "show ip sla statistics": lambda _: self._probes("ip-sla-statistics", self._latest),
            "show ip sla statistics aggregated": lambda _: self._probes(
                "ip-sla-statistics-aggregated", self._hour
            ),
        }

    @property
    def _elapsed(self) -> timedelta:
        return timedelta(seconds=self.now_s() - self.started_s)

    @property
    def _age_s(self) -> float:
        """Seconds since the counters were cleared."""
        return self.age_at_start_s + self._elapsed.total_seconds()

    def _version(self, name: str) -> str:
        uptime = _UPTIME_AT_START + self._elapsed
        (weeks, days), minutes = divmod(uptime.days, 7), uptime.seconds // 60
        parts = ((weeks, "week"), (days, "day"), (minutes // 60, "hour"), (minutes % 60, "minute"))
        words = ", ".join(count(number, unit) for number, unit in parts if number)
        return filled("demo/version.j2", name=name, uptime=words)

    def _policy(self) -> str:
        age_s = self._age_s
        classes = [_class_state(name, age_s) for name in _CLASSES]
        return filled(
            "demo/policy-map-interface.j2",
            classes=classes,
            rows=[_row_state(name, age_s) for name in _ROWS],
        )

    def _interfaces(self) -> str:
        age_s, lan_in, wan_out, wan_in = self._age_s, _from_lan(), _carried(), _way_back()
        minutes, seconds = divmod(floor(age_s), 60)
        classes = [_class_state(name, age_s) for name in _CLASSES]
        return filled(
            "demo/interfaces.j2",
            since=f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}",
            lan_in=_flow(lan_in, age_s, _FIVE_MINUTES_S, _COUNTED_ETHERNET_BYTES),
            lan_out=_flow(wan_in, age_s, _FIVE_MINUTES_S, _COUNTED_ETHERNET_BYTES),
            wan_in=_flow(wan_in, age_s, _LOAD_INTERVAL_S, _COUNTED_PPP_BYTES),
            wan_out=_flow(wan_out, age_s, _LOAD_INTERVAL_S, _COUNTED_PPP_BYTES),
            waiting=sum(state["waiting"] for state in classes),
            drops=sum(state["dropped"]["packets"] for state in classes),
        )

    def _cpu(self) -> str:
        age_s = self._age_s
        counters = (_carried(), _way_back())

        def percent(over_s: float) -> float:
            packets = sum(
                counter.at(age_s).packets - counter.at(age_s - over_s).packets
                for counter in counters
            )
            return packets / over_s * _CPU_PER_PACKET_S

        loads = [percent(over_s) for over_s in (5.0, _MINUTE_S, _FIVE_MINUTES_S)]
        total = [round(load + _IDLE_CPU) for load in loads]
        return filled("demo/cpu.j2", total=total, interrupts=round(loads[0]))

    def _probes(self, template: str, runs_of: Callable[[Probe], tuple[range, float]]) -> str:
        """The statistics of runs of each probe, and the time from which they are."""
        shown = []
        for probe in PROBES:
            runs, from_s = runs_of(probe)
            start = self.started + timedelta(seconds=from_s - self.age_at_start_s)
            shown.append((probe, *_spreads(probe, runs), _clock(start), runs.stop))
        return filled(f"demo/{template}.j2", probes=shown)

    def _latest(self, probe: Probe) -> tuple[range, float]:
        number = self._ended_runs(probe)
        return range(number - 1, number), probe.first_s + (number - 1) * PROBE_PERIOD_S

    def _hour(self, probe: Probe) -> tuple[range, float]:
        """The runs of the current hour; until it has a minute, those of the one before."""
        start_s = max(self._age_s - _MINUTE_S, 0.0) // _HOUR_S * _HOUR_S
        first = floor(start_s // PROBE_PERIOD_S)
        last = min(self._ended_runs(probe), first + floor(_HOUR_S // PROBE_PERIOD_S))
        return range(first, last), start_s

    def _ended_runs(self, probe: Probe) -> int:
        since_s = self._age_s - probe.first_s - _PROBE_ENDS_AFTER_S
        return floor(since_s // PROBE_PERIOD_S) + 1


def _clock(at: datetime) -> str:
    """`14:20:02.851 UTC Fri Apr 18 2008`."""
    return f"{at:%H:%M:%S}.{at.microsecond // 1000:03} UTC {at:%a %b} {at.day} {at:%Y}"


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


def _class_state(name: str, age_s: float) -> dict[str, Any]:
    """Counters of a class; bytes with the layer 2 that IOS counts."""
    offered, queued, dropped = _of_class(name)
    latest = wan_link().latest(name, age_s)
    return {
        "offered": _counted(offered, age_s),
        "rate_bps": _rate_bps(offered, age_s, _LOAD_INTERVAL_S, _COUNTED_PPP_BYTES),
        "drop_rate_bps": _rate_bps(dropped, age_s, _LOAD_INTERVAL_S, _COUNTED_PPP_BYTES),
        "queued": _counted(queued, age_s),
        "dropped": _counted(dropped, age_s),
        "waiting": 0 if latest is None else latest.waiting,
        "mean_depth": 0 if latest is None else floor(latest.average),
    }


def _row_state(name: str, age_s: float) -> tuple[str, ...]:
    """The name of a WRED row, and `packets/bytes` that are sent, or dropped in either way."""
    counts = (_counted(counter, age_s) for counter in _of_row(name))
    return (name, *(f"{seen['packets']}/{seen['bytes']}" for seen in counts))


def _counted(
    counter: Counter, age_s: float, header_bytes: int = _COUNTED_PPP_BYTES
) -> dict[str, int]:
    seen: LinkCount = counter.at(age_s)
    return {"packets": seen.packets, "bytes": seen.bytes_with(header_bytes)}


def _flow(
    counter: Counter, age_s: float, constant_s: float, header_bytes: int
) -> dict[str, int | str]:
    """Packets, bytes, average rates and load of one direction of a port."""
    rate_bps = _rate_bps(counter, age_s, constant_s, header_bytes)
    part = round(kbps_from_bps(rate_bps) / RATE_KBPS * _FULL_LOAD)
    return {
        **_counted(counter, age_s, header_bytes),
        "bps": rate_bps,
        "packets_per_s": round(counter.mean_per_s(age_s, constant_s)[0]),
        "load": f"{min(max(part, 1), _FULL_LOAD)}/{_FULL_LOAD}",
    }


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


class _Spread(Struct, frozen=True):
    """How many times there are, their mean, and `least/mean/most`, in whole ms as IP SLA prints."""

    count: int
    mean: str
    text: str


def _spread(times_ms: Sequence[float]) -> _Spread:
    figures = (min(times_ms), fmean(times_ms), max(times_ms)) if times_ms else (0.0, 0.0, 0.0)
    words = [str(round(figure)) for figure in figures]
    return _Spread(len(times_ms), words[1], "/".join(words))


def _spreads(probe: Probe, runs: range) -> tuple[_Spread, ...]:
    """Round trips of the packets of some runs, and how much they vary on each way."""
    link_ms = wan_link().probes_ms[probe.number]
    own_ms = serialization_ms(_PROBE_WIRE_BYTES, bps_from_kbps(RATE_KBPS))
    there_ms = [link_ms[run % len(link_ms)] for run in runs]
    back_ms = []
    for run in runs:
        random = Random(run)  # noqa: S311 -- no secret
        back_ms.append([own_ms + random.uniform(*probe.far_end_ms) for _ in range(PROBE_PACKETS)])
    ways = zip(chain(*there_ms), chain(*back_ms), strict=True)
    trips_ms = [there + back for there, back in ways]
    return tuple(map(_spread, (trips_ms, _variations_ms(there_ms), _variations_ms(back_ms))))


def _variations_ms(runs: Sequence[Sequence[float]]) -> list[float]:
    return [abs(after - before) for delays in runs for before, after in pairwise(delays)]
