"""Draws delay scenarios of every kind: LLQ above one or several classes, FIFO, fair-queue, LFI."""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from msgspec.structs import replace

from tools.drawn.parts import (
    DATA_SIZES,
    IMIX,
    KIND_SIZES,
    Json,
    Line,
    arrival_of,
    bursts,
    calls,
    drawn_line,
    fixed,
    kind_calls,
    kind_line,
    log_uniform,
    saturated,
    traffic,
)

# How often a part is drawn is how often it is among the random scenarios of the wide set.
_BACKGROUNDS = ("poisson", "poisson", "cbr", "on_off", "bursts")
_CLASSES, _CLASSES_OFTEN = (1, 2, 3, 4), (55, 22, 10, 13)
_VOICES, _VOICES_OFTEN = ("calls", "poisson", "bursts"), (74, 18, 8)
_EF_BYTES = (80, 200, 300, 500, 800, 1000)
_DEFAULT_LIMIT = 64
_BURST_BYTES_PER_KBPS = 25  # 200 ms, the default of `priority`
_LEAST_BURST_BYTES = 1500


def any_mix(random: Random) -> Json:
    """An LLQ of calls, random or bursty EF above one to four classes of any background."""
    lfi = random.random() < 0.14
    line = drawn_line(random, lfi=lfi)
    has_llq = random.random() < 0.9
    voice, llq_load = _voice(random, line) if has_llq else (None, 0.0)
    first = 0 if has_llq else 1
    (count,) = random.choices(_CLASSES[first:], _CLASSES_OFTEN[first:])
    names = [f"c{place}" for place in range(1, count)] + ["class-default"]
    data_load = random.uniform(0.15, 1.25) * (1 - 0.5 * llq_load)
    parts = [random.uniform(0.5, 1.5) for _ in names]
    fair = random.choice((16, 64)) if random.random() < 0.17 else None
    queues = [_llq(random, line, voice)] if voice else []
    entries = [voice] if voice else []
    for name, part in zip(names, parts, strict=True):
        last = name == "class-default"
        fills = last and random.random() < 0.35
        kind = "saturated" if fills else random.choice(_BACKGROUNDS)
        load = data_load * part / sum(parts)
        conversations = 20 if last and fair and random.random() < 0.4 else 1
        sizes = random.choice(DATA_SIZES)
        entries.append(
            _data(random, line, name, kind, load, conversations=conversations, sizes=sizes)
        )
        queues.append(_shared(random, name, fair if last else None))
    return _scenario(line, "llq+cbwfq" if voice else "cbwfq", queues, entries)


def _voice(random: Random, line: Line) -> tuple[Json, float]:
    load = 0.02 + 0.83 * random.random() ** 1.5
    (kind,) = random.choices(_VOICES, _VOICES_OFTEN)
    if kind == "calls":
        return calls(random, line, load)
    sizes = fixed(random.choice(_EF_BYTES))
    rate = line.packets_per_second(load, sizes)
    arrival: Json = {"process": "poisson", "packets_per_second": rate}
    if kind == "bursts":
        packets = random.choice((2, 4, 8))
        arrival = bursts(random, rate) | {
            "packets_per_burst": packets,
            "bursts_per_second": rate / packets,
        }
    return traffic("voice", "voice", arrival, sizes), load


def _llq(random: Random, line: Line, voice: Json, paid: float | None = None) -> Json:
    """The queue of an LLQ that pays for its traffic, or for less."""
    arrival = voice["arrival"]
    size_bytes = voice["ip_packet_bytes"]["bytes"] + line.overhead_bytes
    per_second = arrival.get("packets_per_second") or (
        arrival["bursts_per_second"] * arrival["packets_per_burst"]
    )
    offered_kbps = per_second * voice["independent_identical_streams"] * size_bytes * 8 / 1000
    if paid is None:
        paid = random.uniform(0.5, 0.95) if random.random() < 0.15 else random.uniform(1.05, 1.4)
    priority_kbps = max(8, round(offered_kbps * paid))
    return {
        "name": "voice",
        "kind": "priority",
        "priority_kbps": priority_kbps,
        "burst_bytes": max(_LEAST_BURST_BYTES, _BURST_BYTES_PER_KBPS * priority_kbps),
        "policed_under_congestion": paid < 1 or random.random() < 0.5,
        "queue_limit_packets": _DEFAULT_LIMIT,
    }


def _shared(
    random: Random, name: str, fair: int | None = None, *, percent: int | None = None,
    limit: int | None = None,
) -> Json:  # fmt: skip
    if limit is None:
        short_or_long = round(log_uniform(random, 1, 200))
        limit = _DEFAULT_LIMIT if random.random() < 0.78 else short_or_long
    return {
        "name": name,
        "kind": "class-default" if name == "class-default" else "bandwidth",
        "bandwidth_percent": percent or random.randint(4, 85),
        "queue_limit_packets": limit,
        "wred": None,
        "fair_queue": {"per_flow_queue_limit_packets": fair} if fair else None,
    }


def _data(
    random: Random, line: Line, name: str, kind: str, load: float, *,
    conversations: int = 1, queue: str | None = None, sizes: Json | None = None,
) -> Json:  # fmt: skip
    sizes = sizes or random.choice(KIND_SIZES)
    queue = queue or name
    if kind == "saturated":
        return traffic(name, queue, saturated(), sizes, conversations=conversations)
    arrival, streams = arrival_of(random, kind, line.packets_per_second(load, sizes))
    return traffic(name, queue, arrival, sizes, streams=streams, conversations=conversations)


def _scenario(line: Line, scheduler: str, queues: list[Json], entries: list[Json]) -> Json:
    return {"scheduler": scheduler, **line.parts(), "queues": queues, "traffic": entries}


def _beside(
    random: Random, line: Line, kind: str, load: float, llq_load: float, *,
    limit: int | None = None, sizes: Json | None = None, paid: float | None = None,
) -> Json:  # fmt: skip
    """An LLQ of calls above class-default."""
    voice, _ = kind_calls(random, line, llq_load)
    entries = [voice, _data(random, line, "class-default", kind, load, sizes=sizes)]
    queues = [_llq(random, line, voice, paid), _shared(random, "class-default", limit=limit)]
    return _scenario(line, "llq+cbwfq", queues, entries)


def atm_cells(random: Random) -> Json:
    """Cells, particles."""
    line = kind_line(random, cells=True)
    return _beside(random, line, random.choice(("poisson", "saturated")),
                   random.uniform(0.3, 0.7), random.uniform(0.05, 0.3))  # fmt: skip


def llq_large_share(random: Random) -> Json:
    """The LLQ takes most of the line."""
    line = kind_line(random)
    return _beside(random, line, random.choice(("poisson", "saturated")),
                   random.uniform(0.05, 0.3), random.uniform(0.6, 0.95))  # fmt: skip


def llq_overload(random: Random) -> Json:
    """The LLQ alone is offered more than the line, and nothing polices it."""
    line = kind_line(random)
    voice, _ = kind_calls(random, line, random.uniform(0.98, 1.1))
    entries = [voice, _data(random, line, "class-default", "poisson", 0.2)]
    queue = _llq(random, line, voice) | {"policed_under_congestion": False}
    return _scenario(line, "llq+cbwfq", [queue, _shared(random, "class-default")], entries)


def policed_llq(random: Random) -> Json:
    """The LLQ is offered more than it pays for."""
    line = kind_line(random)
    return _beside(random, line, "saturated", 0.0, random.uniform(0.15, 0.6),
                   paid=random.uniform(0.45, 0.95))  # fmt: skip


def lfi_mixed(random: Random) -> Json:
    """Fragments of mixed sizes under one or two lower classes."""
    line = drawn_line(random, lfi=True)
    voice, llq_load = kind_calls(random, line, random.uniform(0.1, 0.5))
    kind = random.choice(("poisson", "saturated", "bursts"))
    entries = [voice, _data(random, line, "class-default", kind, random.uniform(0.2, 0.5))]
    queues = [_llq(random, line, voice), _shared(random, "class-default")]
    if random.random() < 0.5:
        load = random.uniform(0.1, 0.4) * (1 - llq_load)
        entries.insert(1, _data(random, line, "gold", "poisson", load))
        queues.insert(1, _shared(random, "gold"))
    return _scenario(line, "llq+cbwfq", queues, entries)


def burst_data(random: Random) -> Json:
    """Bursts: at once, spaced below the pace of the wire, or longer than the queue."""
    line = kind_line(random)
    draft = _beside(random, line, "bursts", random.uniform(0.3, 0.9), random.uniform(0.02, 0.2),
                    limit=random.choice((8, 16, 64, 128)))  # fmt: skip
    arrival = draft["traffic"][1]["arrival"]
    spacing_ms = random.choice((0.05, 1.0, 5.0))
    arrival["spacing_within_burst_ms"] = spacing_ms
    return draft


def on_off_data(random: Random) -> Json:
    """On/off sources under a light LLQ."""
    return _beside(random, kind_line(random), "on_off", random.uniform(0.3, 0.9),
                   random.uniform(0.01, 0.2))  # fmt: skip


def queue_limits(random: Random) -> Json:
    """Poisson data from a light load to far above the line, queue limits from 1."""
    limit = random.choice((1, 2, 10, 20, 30, 64, 64, 128))
    load = random.choice((0.2, 0.5, 0.7, 0.9, 0.97, 1.0, 1.02, 1.1, 1.5))
    sizes = random.choice((fixed(1500), IMIX, fixed(576)))
    return _beside(random, kind_line(random), "poisson", load, random.uniform(0.02, 0.1),
                   limit=limit, sizes=sizes)  # fmt: skip


def periodic_data(random: Random) -> Json:
    """Periodic data, with jitter or without, near to the line rate."""
    return _beside(random, kind_line(random), "cbr", random.uniform(0.5, 1.2),
                   random.uniform(0.02, 0.2))  # fmt: skip


def cbwfq_weights(random: Random) -> Json:
    """Two classes of unlike weights, without an LLQ."""
    line = kind_line(random)
    percent = random.choice((1, 5, 20, 50, 80, 95, 99))
    kinds = (random.choice(("poisson", "cbr")), random.choice(("saturated", "poisson")))
    loads = random.uniform(0.2, 0.6), random.uniform(0.2, 0.8)
    entries = [
        _data(random, line, name, kind, load)
        for name, kind, load in zip(("gold", "class-default"), kinds, loads, strict=True)
    ]
    queues = [
        _shared(random, "gold", percent=percent),
        _shared(random, "class-default", percent=100 - percent),
    ]
    return _scenario(line, "cbwfq", queues, entries)


def voice_in_cbwfq(random: Random) -> Json:
    """Calls in a bandwidth class."""
    line = kind_line(random)
    voice, load = kind_calls(random, line, random.uniform(0.1, 0.4))
    percent = random.choice((20, 30, 50, 70))
    data_load = random.uniform(0.3, 0.6) * (1 - load)
    kind = random.choice(("saturated", "poisson"))
    entries = [voice, _data(random, line, "class-default", kind, data_load)]
    queues = [
        _shared(random, "voice", percent=percent),
        _shared(random, "class-default", percent=100 - percent),
    ]
    return _scenario(line, "cbwfq", queues, entries)


def fair_queue(random: Random) -> Json:
    """Flow-based fair-queue: light conversations beside heavy ones, saturated or not."""
    line = kind_line(random)
    has_llq = random.random() < 0.7
    queues, entries = [], []
    if has_llq:
        voice, _ = kind_calls(random, line, random.uniform(0.03, 0.2))
        queues, entries = [_llq(random, line, voice)], [voice]
    queues.append(_shared(random, "class-default", random.choice((16, 32, 64))))
    chat_load, bulk_load = random.uniform(0.02, 0.1), random.uniform(0.4, 1.1)
    heavy = random.choice(("poisson", "saturated"))
    entries += [
        _data(random, line, "chat", "poisson", chat_load, queue="class-default", sizes=fixed(100)),
        _data(random, line, "bulk", heavy, bulk_load, queue="class-default"),
    ]
    return _scenario(line, "llq+cbwfq" if has_llq else "cbwfq", queues, entries)


def fifo(random: Random) -> Json:
    """One queue for calls and data."""
    line = kind_line(random)
    voice, _ = kind_calls(random, line, random.uniform(0.01, 0.2))
    voice["queue"] = "fifo"
    kind = random.choice(("poisson", "cbr", "on_off", "bursts"))
    data = _data(random, line, "data", kind, random.uniform(0.3, 1.2), queue="fifo")
    limit = random.choice((8, 40, 64, 75))
    queue = {"name": "fifo", "kind": "fifo", "queue_limit_packets": limit, "wred": None}
    return _scenario(line, "fifo", [queue], [voice, data])


def exact_kind(random: Random, number: int) -> Json:
    """A kind for which a formula may be exact: one place, a call beside a backlog, calls alone.

    Behind each other backlog stands a class that is empty at times, so that none is exact by
    mistake.
    """
    line = replace(drawn_line(random, cells=False), ring_unit="packets")
    sizes, llq_load = random.choice(DATA_SIZES), random.uniform(0.02, 0.6)
    match number % 3:
        case 0:
            name, line = "one_place", replace(line, ring_limit=1)
            own = fixed(random.choice(_EF_BYTES))
            per_second = line.packets_per_second(llq_load, own)
            arrival: Json = {"process": "poisson", "packets_per_second": per_second}
            voice = traffic("voice", "voice", arrival, own)
            kind = random.choice(("poisson", "saturated"))
            load = random.uniform(0.1, 0.95) * (1 - llq_load)
        case 1:
            name, kind, load = "one_call", "saturated", 0.0
            voice, _ = calls(random, line, 0.0)
        case _:
            name, kind, load = "calls_alone", "", 0.0
            voice, _ = calls(random, line, random.uniform(0.1, 0.9))
            voice["arrival"]["uniform_jitter_ms"] = 0.0
    queues, entries = [_llq(random, line, voice, 2.0)], [voice]
    if kind:
        entries.append(_data(random, line, "class-default", kind, load, sizes=sizes))
        queues.append(_shared(random, "class-default"))
    if kind == "saturated" and number % 2:
        load = random.uniform(0.1, 0.4) * (1 - llq_load)
        entries.insert(1, _data(random, line, "gold", "poisson", load))
        queues.insert(1, _shared(random, "gold"))
    draft = _scenario(line, "llq+cbwfq", queues, entries)
    return {"id": f"X-{number:03d}", "type": "D", "family": name, "background_kind": name} | draft


KINDS: Mapping[str, Callable[[Random], Json]] = MappingProxyType(
    {
        kind.__name__: kind
        for kind in (
            *(atm_cells, llq_large_share, llq_overload, policed_llq, lfi_mixed, burst_data),
            *(on_off_data, queue_limits, periodic_data, cbwfq_weights, voice_in_cbwfq),
            *(fair_queue, fifo),
        )
    }
)
ANY_MIX_RATIO = 0.75  # of the delay scenarios; the other kinds take turns


def delay_scenario(random: Random, number: int) -> Json:
    """One scenario, checked by nothing but the reader of scenarios."""
    names = tuple(KINDS)
    name = names[number % len(names)]
    kind = KINDS[name]
    if random.random() < ANY_MIX_RATIO:
        name, kind = "any_mix", any_mix
    draft = kind(random)
    return {"id": f"R-{number:03d}", "type": "D", "family": name, "background_kind": name} | draft
