"""Cost of a sweep of 64 points against one prediction of the same config, cold and in process.

Run ``python benchmarks/sweep.py [CONFIG]``; without one, a branch router at 512 kb/s whose classes
are all assumed, which solves six interfaces a point, the same router with stated traffic, and
a line that formulas answer alone: its ring with a probe, and its rate with a call. Times are those
of the processors; Python searches for garbage as seldom as in the command. Only the ratios are
comparable between machines.
"""

import gc
import statistics
import sys
import time
from collections.abc import Callable
from functools import _lru_cache_wrapper
from pathlib import Path

from advisor.device.reading import Source, read_source
from advisor.ground.questions import Together
from advisor.predict.what_if.predictions import predict_sources
from advisor.predict.what_if.subject import Subject
from advisor.predict.what_if.sweeps import axes_of, sweep
from advisor.settings import PacketShare, Settings, StatedBacklog, Traffic

CONFIG = Path(__file__).parents[1] / "fixtures/configs/wan-edge-512k.ios"
SWEEP = "tx-ring-limit=1..64:1"
LINE = b"""class-map match-all VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 128
interface Serial0/0
 bandwidth 512
 encapsulation ppp
 tx-ring-limit 2
 service-policy output WAN
end
"""
RATES = "bandwidth=512..2402:30"
ROUNDS = 7
COLLECT_EVERY = 200_000  # as `advisor.cli` has it


def stated(class_name: str, ip_bytes: int, per_s: float | None, arrivals: str) -> Traffic:
    """Traffic of a class; without a rate 20 packets always wait."""
    sizes = (PacketShare(ip_bytes, 1.0),)
    pattern = StatedBacklog(20) if per_s is None else None
    return Traffic("*", "*", class_name, sizes, per_s, 1, arrivals, "benchmark", pattern=pattern)


TRAFFIC = (
    stated("VOICE", 60, 50.0, "periodic"),
    stated("SIGNALING", 200, 5.0, "poisson"),
    stated("class-default", 1500, None, "saturated"),
)
BACKLOG = stated("class-default", 300, None, "saturated")
PROBED = (stated("VOICE", 60, 1.0, "periodic"), BACKLOG)
CALLED = (stated("VOICE", 60, 50.0, "periodic"), BACKLOG)


def forget() -> None:
    """Empty every cache of the process."""
    for candidate in gc.get_objects():
        if isinstance(candidate, _lru_cache_wrapper):
            candidate.cache_clear()
        elif isinstance(candidate, Together):
            candidate._kept.clear()  # noqa: SLF001 -- nobody else has to forget


def cold_ms(predict: Callable[[], object]) -> float:
    """Median of some rounds, nothing remembered from the last."""
    times = []
    for _ in range(ROUNDS):
        forget()
        begin = time.process_time()
        predict()
        times.append(time.process_time() - begin)
    return statistics.median(times) * 1000


def measure(title: str, source: Source, settings: Settings, swept: str = SWEEP) -> None:
    """Print one line for a config and its traffic."""
    axes = axes_of((swept,))
    points = len(axes[0].values)
    one_ms = cold_ms(lambda: predict_sources(source, settings, None, {}))
    sweep_ms = cold_ms(lambda: sweep(Subject(read_source(source, settings), settings), axes))
    print(
        f"{title}: {points} points {sweep_ms:.0f} ms, one prediction {one_ms:.1f} ms, "
        f"a point costs {sweep_ms / points / one_ms:.2f} of it"
    )


def main() -> None:
    gc.set_threshold(COLLECT_EVERY)
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else CONFIG
    source = Source(path.name, path.read_bytes())
    measure(f"{path.name}, traffic assumed", source, Settings())
    if len(sys.argv) == 1:
        measure(f"{path.name}, traffic stated", source, Settings(traffic=TRAFFIC))
        line = Source("line.ios", LINE)
        measure("ring of a line, formulas alone", line, Settings(traffic=PROBED))
        measure("rate of a line, formulas alone", line, Settings(traffic=CALLED), RATES)


if __name__ == "__main__":
    main()
