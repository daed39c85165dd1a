"""EF with and without best effort over an ATM PVC of a 7200: the published tests of the ring.

What the tests print: EF of 300 kb/s and one packet size, best effort of 200 packets/s of 1000
bytes, a PVC of 1 Mb/s, a ring of 40 or of 5 particles of 512 bytes. They print no configuration.
"""

from msgspec import Struct

from advisor.ground.units import bps_from_bytes, bps_from_kbps, ms_from_s
from advisor.predict.scenario import ClassRow, predict_scenario
from advisor.settings.scenario import (
    Cbr,
    DefaultQueue,
    FixedSize,
    PriorityQueue,
    Scenario,
    ScenarioLink,
    Stream,
    TxRing,
)

EF_KBPS, PVC_KBPS = 300.0, 1000.0
BEST_EFFORT_BYTES, BEST_EFFORT_PER_S = 1000, 200.0
LONG_RING, SHORT_RING = 40, 5  # particles
NAMED_BYTES = (128, 256, 1024, 1280, 1500)
SIZES_BYTES = (64, 128, 256, 384, 512, 520, 640, 768, 900, 1000, 1024, 1032, 1150, 1280, 1400, 1500)


class Point(Struct, frozen=True):
    """EF of one packet size: alone, and with best effort behind a long and a short ring."""

    ef_bytes: int
    alone: ClassRow
    alone_short: ClassRow
    long: ClassRow
    short: ClassRow

    @property
    def rise_ms(self) -> float:
        return mean_ms(self.long) - mean_ms(self.alone)

    @property
    def gain_ms(self) -> float:
        """Delay that the short ring saves."""
        return mean_ms(self.long) - mean_ms(self.short)

    @property
    def left_ms(self) -> float:
        """Delay that best effort still adds behind the short ring."""
        return mean_ms(self.short) - mean_ms(self.alone)


def mean_ms(row: ClassRow) -> float:
    """Mean delay of a row that has one: a periodic stream below line rate always does."""
    if row.mean_ms is None:
        raise ValueError(f"{row.scenario_id}: no mean")
    return row.mean_ms


def scenario(
    ef_bytes: int,
    ring_particles: int,
    *,
    best_effort: bool = True,
    cells: bool = False,
    queue_limit_packets: int = 64,
) -> Scenario:
    """The test as a scenario; `cells` whether AAL5 takes its cells (the PVC then carries less)."""
    ef_per_s = bps_from_kbps(EF_KBPS) / bps_from_bytes(ef_bytes, ms_from_s(1))
    traffic = [Stream("EF", "EF", Cbr(ef_per_s), FixedSize(ef_bytes))]
    if best_effort:
        rate, size = Cbr(BEST_EFFORT_PER_S), FixedSize(BEST_EFFORT_BYTES)
        traffic.append(Stream("best effort", "class-default", rate, size))
    return Scenario(
        id=f"EF-{ef_bytes}-{ring_particles}",
        link=ScenarioLink(PVC_KBPS, 0, atm_cell_tax=cells),
        tx_ring=TxRing("particles", ring_particles),
        scheduler="llq+cbwfq",
        queues=(
            PriorityQueue("EF", 64, EF_KBPS, 15_000.0, policed_under_congestion=False),
            DefaultQueue("class-default", queue_limit_packets, 70.0),
        ),
        traffic=tuple(traffic),
    )


def predicted_ef(scenario: Scenario) -> ClassRow:
    """The model's answer for EF."""
    return predict_scenario(scenario)[0]


def point(ef_bytes: int, *, cells: bool = False) -> Point:
    """Predictions for one packet size."""

    def ef(ring: int, *, best_effort: bool = True) -> ClassRow:
        return predicted_ef(scenario(ef_bytes, ring, best_effort=best_effort, cells=cells))

    return Point(
        ef_bytes,
        ef(LONG_RING, best_effort=False),
        ef(SHORT_RING, best_effort=False),
        ef(LONG_RING),
        ef(SHORT_RING),
    )


def best_effort_kbps() -> float:
    """Rate that the printed packets of best effort have, in kb/s."""
    return bps_from_bytes(BEST_EFFORT_BYTES, ms_from_s(1 / BEST_EFFORT_PER_S)) / bps_from_kbps(1)


def phase_locked() -> tuple[tuple[int, float], ...]:
    """EF sizes with the mean |ipdv| in ms behind the short ring: isolated ones have nearly none."""
    sizes = range(1200, 1361, 20)
    rows = ((size, predicted_ef(scenario(size, SHORT_RING)).ipdv_ms) for size in sizes)
    return tuple((size, ipdv_ms) for size, ipdv_ms in rows if ipdv_ms is not None)
