"""Cost of one solve of six classes: an LLQ of ten calls above five classes of mixed packets.

Run ``python benchmarks/six_classes.py``. The median processor time of some rounds, below saturation
and with a ring that is always full.
"""

import statistics
import time

from advisor.model import (
    Framing,
    Interface,
    Periodic,
    Poisson,
    Queue,
    QueueKind,
    Saturated,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.solver import solve

ROUNDS = 25


def cost_ms(interface: Interface) -> float:
    """Median processor time of some rounds."""
    solve(interface)
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        solve(interface)
        times.append(time.process_time() - begin)
    return statistics.median(times) * 1000


def six_classes(load: float, *, saturated: bool) -> Interface:
    """An LLQ of ten calls above five classes of mixed packets on 2 Mb/s."""
    sizes = SizeMix(((64, 0.5), (576, 0.25), (1500, 0.25)))
    mean_bits = 8 * sum(size * weight for size, weight in sizes.bytes_and_weights)
    parts = {"a": 0.3, "b": 0.2, "c": 0.15, "d": 0.1, "rest": 0.25}
    queues = [Queue(name, QueueKind.BANDWIDTH, 100 * part) for name, part in parts.items()]
    traffic = [
        Traffic(
            name,
            name,
            Saturated() if saturated and name == "rest" else Poisson(load * part * 2e6 / mean_bits),
            sizes,
        )
        for name, part in parts.items()
    ]
    calls = Traffic("voice", "voice", Periodic(50.0), SizeMix(((60, 1.0),)), 10)
    voice = Queue("voice", QueueKind.PRIORITY)
    return Interface(2e6, Framing(7), TxRing(4), (voice, *queues), (calls, *traffic))


def main() -> None:
    below_ms = cost_ms(six_classes(0.6, saturated=False))
    full_ms = cost_ms(six_classes(0.6, saturated=True))
    print(f"six classes: {below_ms:.2f} ms below saturation, {full_ms:.2f} ms with a full ring")


if __name__ == "__main__":
    main()
