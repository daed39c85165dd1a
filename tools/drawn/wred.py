"""Draws WRED and tail-drop scenarios: TCP groups with unlike RTTs, windows, sizes, beside UDP."""

from random import Random

from tools.drawn.parts import Json, Line, fixed, log_uniform, traffic

_RATES_KBPS = (1000, 1500, 2000, 3000, 4000, 6000, 8000, 10_000, 20_000)
_THRESHOLDS = ((5, 8), (10, 20), (10, 30), (15, 45), (20, 60), (30, 45), (30, 90), (40, 120))
_DENOMINATORS = (1, 2, 4, 5, 10, 20, 50, 100)
_FLOWS = (2, 3, 5, 8, 12, 20, 30)
_OVERHEAD_BYTES = 7


def wred_scenario(random: Random, number: int) -> Json:
    """One scenario: class-default with two or three TCP groups, at times beside a second class."""
    line = Line(
        random.choice(_RATES_KBPS),
        random.choice(("hdlc", "ppp")),
        _OVERHEAD_BYTES,
        cells=False,
        ring_unit="packets",
        ring_limit=random.choice((4, 8, 8, 16, 32)),
    )
    family = random.choice(("one_class", "one_class", "one_class", "two_classes", "tail_drop"))
    names = [f"p{place}" for place in range(3)]
    wred = None if family == "tail_drop" else _wred(random, line, names)
    limit = random.choice((43, 64, 100, 110, 118, 128, 128, 128))
    percent = random.choice((20, 30, 50, 70, 80)) if family == "two_classes" else 100
    queues = [_queue("class-default", percent, limit, wred)]
    rtt_ms = round(log_uniform(random, 12, 200))
    groups = [
        _group(random, f"g{place}", "class-default", names[place] if wred else None, rtt_ms)
        for place in range(random.choice((2, 2, 2, 3)))
    ]
    if random.random() < 0.3:
        groups.append(_udp(random, line, names[0] if wred else None))
    if family == "two_classes":
        profile = _wred(random, line, ["q"]) if random.random() < 0.8 else None
        queues.insert(0, _queue("x", 100 - percent, 128, profile))
        groups.append(_group(random, "gx", "x", "q" if profile else None, rtt_ms))
    return {
        "id": f"RW-{number:03d}",
        "type": "W",
        "family": family,
        "background_kind": family,
        "scheduler": "cbwfq",
        **line.parts(),
        "queues": queues,
        "traffic": groups,
    }


def _wred(random: Random, line: Line, names: list[str]) -> Json:
    least, most = random.choice(_THRESHOLDS)
    profiles = [
        {
            "name": name,
            "min_threshold_packets": max(1, least + random.choice((0, 0, -5))),
            "max_threshold_packets": most,
            "mark_probability_denominator": random.choice(_DENOMINATORS),
        }
        for name in names
    ]
    packet_ms = (1500 + line.overhead_bytes) * 8 / line.rate_kbps
    return {
        "kind": "dscp-based",
        "exponential_weighting_constant": random.choice((5, 6, 7, 8, 9, 9, 9, 10)),
        "profiles": profiles,
        "idle_decay_packet_time_ms": round(packet_ms, 4),
    }


def _queue(name: str, percent: int, limit: int, wred: Json | None) -> Json:
    return {
        "name": name,
        "kind": "class-default" if name == "class-default" else "bandwidth",
        "bandwidth_percent": percent,
        "queue_limit_packets": limit,
        "wred": wred,
        "fair_queue": None,
    }


def _group(random: Random, name: str, queue: str, profile: str | None, rtt_ms: int) -> Json:
    own_rtt_ms = rtt_ms if random.random() < 0.6 else round(log_uniform(random, 12, 200))
    return {
        "group": name,
        "queue": queue,
        "wred_profile": profile,
        "tcp_flows": random.choice(_FLOWS),
        "base_rtt_ms": own_rtt_ms,
        "ip_packet_bytes": random.choice((576, 1500, 1500)),
        "receiver_window_packets": random.choice((20, 44, 44, 64)),
        "initial_window_packets": 2,
        "delayed_ack": False,
        "transfer_size_packets": random.choice((None, None, None, 136, 373)),
        "minimum_rto_ms": random.choice((200, 1000, 1000)),
        "limited_transmit": random.random() < 0.1,
    }


def _udp(random: Random, line: Line, profile: str | None) -> Json:
    sizes = fixed(1000)
    rate = line.packets_per_second(random.uniform(0.05, 0.5), sizes)
    arrival = {"process": "cbr", "packets_per_second": rate, "uniform_jitter_ms": 1.0}
    return traffic("udp", "class-default", arrival, sizes) | {"wred_profile": profile}
