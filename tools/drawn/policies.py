"""Draws scenarios beyond one LLQ above plain classes: levels, shapers, generations, bundles, WFQ.

`docs/simulation.md` says what their keys do.
"""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from msgspec.structs import replace

from tools.drawn.parts import (
    DATA_SIZES,
    Json,
    Line,
    arrival_of,
    calls,
    drawn_line,
    fixed,
    log_uniform,
    saturated,
    traffic,
)

_LIMIT = 64
_BURST_BYTES_PER_KBPS = 25  # 200 ms, the default of `priority`
_SPURT_MS, _PAUSE_MS = 1004, 1587  # ITU-T P.59
_KINDS = ("poisson", "poisson", "on_off", "bursts", "saturated")


def _line(random: Random, *, ring: int | None = None) -> Line:
    line = drawn_line(random, cells=False)
    limit = ring or round(log_uniform(random, 1, 16))
    return replace(line, ring_unit="packets", ring_limit=limit)


def _data(
    random: Random, line: Line, name: str, load: float, kind: str | None = None, **keys: object
) -> Json:
    kind = kind or random.choice(_KINDS)
    sizes = random.choice(DATA_SIZES)
    queue = str(keys.pop("queue", name))
    if kind == "saturated":
        return traffic(name, queue, saturated(), sizes) | keys
    arrival, streams = arrival_of(random, kind, line.packets_per_second(load, sizes))
    return traffic(name, queue, arrival, sizes, streams=streams) | keys


def _video(random: Random, line: Line, load: float) -> Json:
    sizes = fixed(random.choice((500, 800, 1000, 1300)))
    arrival, streams = arrival_of(
        random, random.choice(("poisson", "bursts")), line.packets_per_second(load, sizes)
    )
    return traffic("video", "video", arrival, sizes, streams=streams)


def _priority(random: Random, line: Line, load: float, name: str = "voice", **keys: object) -> Json:
    """A priority queue that pays for its load."""
    kbps = max(8, round(line.rate_kbps * load * random.uniform(1.05, 1.4)))
    return {
        "name": name,
        "kind": "priority",
        "priority_kbps": kbps,
        "burst_bytes": max(1500, _BURST_BYTES_PER_KBPS * kbps),
        "policed_under_congestion": random.random() < 0.5,
        "queue_limit_packets": _LIMIT,
    } | keys


def _police(random: Random, line: Line, load: float) -> Json:
    """A `police` statement at some of the load or more, with a burst of some packets."""
    kbps = max(8, round(line.rate_kbps * load * random.uniform(0.7, 1.5)))
    return {"rate_kbps": kbps, "burst_bytes": max(1500, round(kbps * random.choice((5, 25, 31))))}


def _shared(name: str = "class-default", **keys: object) -> Json:
    kind = "class-default" if name == "class-default" else "bandwidth"
    return {"name": name, "kind": kind, "queue_limit_packets": _LIMIT} | keys


def _scenario(
    line: Line, queues: list[Json], entries: list[Json], scheduler: str = "", **keys: object
) -> Json:
    has_llq = any(queue["kind"] == "priority" for queue in queues)
    name = scheduler or ("llq+cbwfq" if has_llq else "cbwfq")
    return {"scheduler": name, **line.parts(), "queues": queues, "traffic": entries, **keys}


def _classic(rate_kbps: float, random: Random) -> Json:
    """`shape average`: Tc of 4 ms (HQF), 10 ms (advised), 25 or 125 ms (before HQF)."""
    committed = rate_kbps * random.choice((4, 10, 25, 125))
    excess = random.choice((0, committed))
    return {
        "rate_kbps": rate_kbps,
        "committed_burst_bits": round(committed),
        "excess_burst_bits": round(excess),
        "refill": "per_interval",
    }


def _smooth(rate_kbps: float) -> Json:
    """IOS XE: Bc and Be of 4 ms, tokens as time goes."""
    bits = round(rate_kbps * 4)
    return {
        "rate_kbps": rate_kbps,
        "committed_burst_bits": bits,
        "excess_burst_bits": bits,
        "refill": "smooth",
    }


def _shaped(random: Random) -> tuple[Line, float]:
    """A line as slow as its shaper, for the loads, and the rate of the wire behind it."""
    line = _line(random)
    return line, line.rate_kbps * random.choice((1.5, 3, 10, 20))


def _behind(draft: Json, wire_kbps: float, shape: Json) -> Json:
    draft["link"]["rate_kbps"] = wire_kbps
    return draft | {"shape": shape}


def levels(random: Random) -> Json:
    """Voice of level 1, video of level 2, each policed in its own way, above two classes."""
    line = _line(random)
    voice, load = calls(random, line, log_uniform(random, 0.03, 0.3))
    video_load = log_uniform(random, 0.05, 0.4)
    queues = [
        _priority(random, line, load, level=1),
        _priority(random, line, video_load, "video", level=2),
        _shared("gold", bandwidth_percent=30),
        _shared(bandwidth_percent=70),
    ]
    for queue, part in zip(queues[:2], (load, video_load), strict=True):
        if random.random() < 0.5:
            queue["police"] = _police(random, line, part)
    entries = [
        *(voice, _video(random, line, video_load)),
        _data(random, line, "gold", random.uniform(0.05, 0.3), "poisson"),
        _data(random, line, "class-default", random.uniform(0.1, 0.6)),
    ]
    return _scenario(line, queues, entries)


def one_level(random: Random) -> Json:
    """Two priority classes that share one FIFO, each with its own policer."""
    line = _line(random)
    voice, load = calls(random, line, log_uniform(random, 0.03, 0.3))
    video_load = log_uniform(random, 0.05, 0.4)
    queues = [
        _priority(random, line, load, policed_under_congestion=True),
        _priority(random, line, video_load, "video", policed_under_congestion=True),
        _shared(bandwidth_percent=100),
    ]
    entries = [
        *(voice, _video(random, line, video_load)),
        _data(random, line, "class-default", random.uniform(0.1, 0.6)),
    ]
    return _scenario(line, queues, entries)


def police_always(random: Random) -> Json:
    """Voice and a data class that a `police` statement holds to a rate."""
    line = _line(random)
    voice, load = calls(random, line, log_uniform(random, 0.05, 0.5))
    gold_load = random.uniform(0.1, 0.4)
    queues = [
        _priority(
            random, line, load,
            policed_under_congestion=False, police=_police(random, line, load),
        ),
        _shared("gold", bandwidth_percent=40, police=_police(random, line, gold_load)),
        _shared(bandwidth_percent=60),
    ]  # fmt: skip
    entries = [
        voice,
        _data(random, line, "gold", gold_load, random.choice(("poisson", "bursts"))),
        _data(random, line, "class-default", random.uniform(0.1, 0.5)),
    ]
    return _scenario(line, queues, entries)


def shaped_class(random: Random) -> Json:
    """A class that `shape average` holds to a rate, beside others."""
    line = _line(random)
    voice, load = calls(random, line, log_uniform(random, 0.03, 0.2))
    shape_load = random.uniform(0.15, 0.4)
    shape = _classic(line.rate_kbps * shape_load, random)
    queues = [
        _priority(random, line, load),
        _shared("shaped", bandwidth_percent=50, shape=shape),
        _shared(bandwidth_percent=50),
    ]
    entries = [
        voice,
        _data(random, line, "shaped", shape_load * random.choice((0.5, 0.8, 0.95, 1.3)), "poisson"),
        _data(random, line, "class-default", random.uniform(0.1, 0.4)),
    ]
    return _scenario(line, queues, entries)


def parent_classic(random: Random) -> Json:
    """Sub-rate: a classic parent shaper around LLQ and classes, the wire much faster."""
    line, wire_kbps = _shaped(random)
    voice, load = calls(random, line, log_uniform(random, 0.03, 0.3))
    queues = [
        _priority(random, line, load),
        _shared("gold", bandwidth_percent=30),
        _shared(bandwidth_percent=70),
    ]
    entries = [
        voice,
        _data(random, line, "gold", random.uniform(0.1, 0.3), "poisson"),
        _data(random, line, "class-default", random.uniform(0.1, 0.6)),
    ]
    draft = _scenario(line, queues, entries)
    return _behind(draft, wire_kbps, _classic(line.rate_kbps, random))


def parent_xe(random: Random) -> Json:
    """IOS XE: a smooth parent shaper, two levels, remaining ratios."""
    line, wire_kbps = _shaped(random)
    voice, load = calls(random, line, log_uniform(random, 0.03, 0.25))
    video_load = log_uniform(random, 0.05, 0.3)
    queues = [
        _priority(random, line, load, level=1),
        _priority(random, line, video_load, "video", level=2),
        _shared("gold", bandwidth_remaining_ratio=random.choice((2, 4, 9, 40))),
        _shared(bandwidth_remaining_ratio=1),
    ]
    entries = [
        *(voice, _video(random, line, video_load)),
        _data(random, line, "gold", random.uniform(0.1, 0.3), "poisson"),
        _data(random, line, "class-default", random.uniform(0.1, 0.5)),
    ]
    draft = _scenario(line, queues, entries, excess_bandwidth="equal")
    return _behind(draft, wire_kbps, _smooth(line.rate_kbps))


def _guaranteed(random: Random, excess: str) -> Json:
    line = _line(random)
    voice, load = calls(random, line, log_uniform(random, 0.02, 0.2))
    shares = random.choice(((20, 30), (10, 50), (40, 25)))
    names = ("gold", "silver", "class-default")
    queues = [
        _priority(random, line, load),
        *(
            _shared(name, bandwidth_percent=share)
            for name, share in zip(names, shares, strict=False)
        ),
        _shared(),
    ]
    entries = [
        voice,
        *(
            _data(random, line, name, random.uniform(0.6, 1.6) * share / 100, "poisson")
            for name, share in zip(names, shares, strict=False)
        ),
        _data(random, line, "class-default", random.uniform(0.1, 0.5)),
    ]
    return _scenario(line, queues, entries, excess_bandwidth=excess)


def hqf(random: Random) -> Json:
    """Guarantees first, the rest to class-default."""
    return _guaranteed(random, "unreserved_first")


def excess_equal(random: Random) -> Json:
    """Guarantees first, the rest to all alike."""
    return _guaranteed(random, "equal")


def talk_spurts(random: Random) -> Json:
    """Calls with silence suppression in the LLQ."""
    line = _line(random)
    voice, load = calls(random, line, log_uniform(random, 0.1, 0.6))
    voice["arrival"] = {
        "process": "on_off",
        "packets_per_second_while_on": voice["arrival"]["packets_per_second"],
        "mean_on_ms": _SPURT_MS,
        "mean_off_ms": _PAUSE_MS,
    }
    voice["independent_identical_streams"] *= random.choice((1, 2))
    queues = [
        _priority(random, line, load, policed_under_congestion=False),
        _shared(bandwidth_percent=100),
    ]
    data = _data(random, line, "class-default", random.uniform(0.1, 0.4),
                 random.choice(("poisson", "saturated")))  # fmt: skip
    return _scenario(line, queues, [voice, data])


def bundle(random: Random) -> Json:
    """A multilink bundle of unlike members, with or without LFI."""
    members = random.choice(((1536, 768), (512, 256, 128), (2048, 1024), (128, 64), (768, 768)))
    lfi = sum(members) <= 1024 and random.random() < 0.6
    line = Line(sum(members), "mlppp", 7, cells=False, ring_unit="packets",
                ring_limit=round(log_uniform(random, 1, 6)),
                fragment_bytes=random.choice((160, 320, 640)) if lfi else None)  # fmt: skip
    voice, load = calls(random, line, log_uniform(random, 0.05, 0.4))
    queues = [_priority(random, line, load), _shared(bandwidth_percent=100)]
    entries = [voice, _data(random, line, "class-default", random.uniform(0.2, 0.6))]
    draft = _scenario(line, queues, entries)
    draft["link"]["member_rates_kbps"] = members
    return draft


def wfq(random: Random) -> Json:
    """Interface `fair-queue`: calls of precedence 5 beside data of precedence 0 to 3."""
    line = replace(_line(random), rate_kbps=random.choice((64, 128, 512, 1024, 2048)))
    voice, _ = calls(random, line, log_uniform(random, 0.05, 0.3))
    voice |= {"queue": "all", "precedence": 5}
    entries = [
        voice,
        _data(
            random, line, "silver", random.uniform(0.1, 0.6), "poisson", queue="all",
            precedence=random.choice((1, 3)), conversations_per_stream=random.choice((1, 4)),
        ),
        _data(
            random, line, "bulk", random.uniform(0.2, 0.7),
            random.choice(("poisson", "saturated")), queue="all",
            conversations_per_stream=random.choice((1, 10)),
        ),
    ]  # fmt: skip
    queue = {
        "name": "all",
        "kind": "wfq",
        "queue_limit_packets": random.choice((40, 1000)),
        "congestive_discard_threshold_packets": 64,
    }
    return _scenario(line, [queue], entries, "wfq")


def fifo_deep(random: Random) -> Json:
    """No policy: a hold-queue behind a ring of up to 10,000 packets."""
    line = replace(drawn_line(random, cells=False), ring_unit="packets")
    line = replace(line, ring_limit=round(log_uniform(random, 16, 10_000)))
    voice, _ = calls(random, line, log_uniform(random, 0.02, 0.2))
    voice["queue"] = "all"
    kind = random.choice(("poisson", "on_off", "bursts"))
    data = _data(random, line, "data", random.uniform(0.5, 0.95), kind, queue="all")
    queue = {"name": "all", "kind": "fifo", "queue_limit_packets": random.choice((40, 75, 1000))}
    return _scenario(line, [queue], [voice, data], "fifo")


KINDS: Mapping[str, Callable[[Random], Json]] = MappingProxyType(
    {
        kind.__name__: kind
        for kind in (
            *(levels, one_level, police_always, shaped_class, parent_classic, parent_xe),
            *(hqf, excess_equal, talk_spurts, bundle, wfq, fifo_deep),
        )
    }
)


def policy_scenario(random: Random, number: int) -> Json:
    """One scenario; the kinds take turns."""
    name = tuple(KINDS)[number % len(KINDS)]
    draft = KINDS[name](random)
    return {"id": f"P-{number:03d}", "type": "D", "family": name, "background_kind": name} | draft
