"""Claims of the published tests of the transmit ring, and whether the model says the same."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import correlation, fmean

from msgspec import Struct

from advisor.ground.units import bps_from_kbps, serialization_ms
from tools.validation.expedited import (
    BEST_EFFORT_BYTES,
    LONG_RING,
    NAMED_BYTES,
    PVC_KBPS,
    SIZES_BYTES,
    Point,
    best_effort_kbps,
    mean_ms,
    point,
    predicted_ef,
    scenario,
)
from tools.validation.ip_sla import Run

COUNTED_MS = 1.0  # IP SLA counts whole milliseconds, and no difference that is none


class OwnWords(Struct, frozen=True):
    """The words of a test itself, where the tolerance is wider; `kept` whether even that holds."""

    words: str
    kept: bool


class Claim(Struct, frozen=True):
    """One claim in our words. `holds` None: it is told, with why it cannot be held to a figure.

    `narrower` is given where the tolerance is wider than what the test itself says.
    """

    id: str
    text: str
    tolerance: str
    said: str
    holds: bool | None
    narrower: OwnWords | None = None


def ring_claims(runs: Sequence[Run]) -> Iterator[Claim]:
    """Claims of the IP SLA test, in the order of their ids."""
    yield _never_less(runs)
    for place, run in enumerate(runs):
        yield from _run_claims(f"A{29 + place}", run)
    pairs = list(zip(runs[::2], runs[1::2], strict=True))
    yield Claim(
        "A41",
        "variable background has the larger maximum at the same ring",
        "sign, all six pairs",
        ", ".join(f"{v.rtt_bound_ms:.0f} > {f.rtt_bound_ms:.0f}" for f, v in pairs),
        all(variable.rtt_bound_ms > fixed.rtt_bound_ms for fixed, variable in pairs),
    )


def _never_less(runs: Sequence[Run]) -> Claim:
    groups: dict[tuple[float, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.measured.line_kbps, run.measured.background), []).append(run)
    steps = [step for group in groups.values() for step in pairwise(group)]
    holds = all(
        smaller.rtt_ms < larger.rtt_ms
        and smaller.rtt_bound_ms < larger.rtt_bound_ms
        and smaller.jitter_bound_ms < larger.jitter_bound_ms
        for smaller, larger in steps
    )
    return Claim(
        "A02",
        "a longer ring gives more delay, and more jitter",
        "sign, all rows",
        "mean, bound and bound of the jitter grow with the ring in all rows; the mean jitter does "
        "not, nor does the measured one (1, 2, 1 ms at 512 kb/s, fixed)",
        holds,
    )


def _run_claims(name: str, run: Run) -> Iterator[Claim]:
    measured = run.measured
    rtt_limit, factor = (0.20, 1.05) if measured.background == "fixed" else (0.30, 1.5)
    highest = max(run.rtt_bound_ms / measured.rtt.max_ms, measured.rtt.max_ms / run.rtt_bound_ms)
    yield Claim(
        name,
        f"RTT at {measured.line_kbps:g} kb/s, ring {measured.tx_ring_limit}, "
        f"{measured.background} background",
        f"avg {rtt_limit:.0%}, max factor {factor:g}".replace("%", " %"),
        f"avg {run.rtt_ms:.1f} for {measured.rtt.avg_ms:g}, max {run.rtt_bound_ms:.1f} "
        f"for {measured.rtt.max_ms:g}",
        abs(run.rtt_error) <= rtt_limit and highest <= factor,
        OwnWords(
            f"avg {measured.rtt.avg_ms:g}, max {measured.rtt.max_ms:g}: within 1 ms",
            max(abs(run.rtt_ms - measured.rtt.avg_ms), abs(run.rtt_bound_ms - measured.rtt.max_ms))
            <= COUNTED_MS,
        ),
    )
    jitter_ms, jitter_text = max(run.jitter_ms, COUNTED_MS), f"{run.jitter_ms:.1f}"
    if run.jitter_ms < COUNTED_MS:
        jitter_text += f" (printed as {COUNTED_MS:g})"
    ratio = max(jitter_ms / measured.jitter.avg_ms, measured.jitter.avg_ms / jitter_ms)
    yield Claim(
        f"{name} jitter",
        "its mean jitter",
        "factor 2 of what is printed",
        f"{jitter_text} for {measured.jitter.avg_ms:g}",
        ratio <= 2,  # noqa: PLR2004 -- the factor that is printed one line above
        OwnWords(
            f"avg {measured.jitter.avg_ms:g}: within 1 ms",
            abs(jitter_ms - measured.jitter.avg_ms) <= COUNTED_MS,
        ),
    )


def ef_claims() -> Iterator[Claim]:
    """Claims of the two EF tests, in the order of their ids."""
    points = {size: point(size) for size in SIZES_BYTES}
    named = [points[size] for size in NAMED_BYTES]
    yield from _rise_claims(points)
    yield from _gain_claims(points, named)
    yield from _idle_claims(named)


def _rise_claims(points: dict[int, Point]) -> Iterator[Claim]:
    yield Claim(
        "B03",
        "best effort is 2.0 Mb/s: 200 packets/s of 1000 bytes",
        "flag the mismatch",
        f"these packets are {best_effort_kbps() / 1000:g} Mb/s, which is what is modelled: above "
        "the PVC either way",
        best_effort_kbps() > PVC_KBPS,
    )
    alone_ms = [mean_ms(point.alone) for point in points.values()]
    linearity = correlation(list(points), alone_ms) ** 2
    yield Claim(
        "B04",
        "the mean delay of EF grows linearly with its packet size, alone and with best effort",
        "alone: R2 > 0.98",
        f"alone R2 {linearity:.4f}; with best effort it falls where a packet takes one more "
        "particle, so the ring holds fewer: steps, not a line",
        linearity > 0.98,  # noqa: PLR2004 -- the tolerance two lines above
        OwnWords("in both cases linearly", kept=False),
    )
    rise_ms = points[1500].rise_ms
    yield Claim(
        "B05",
        f"with best effort and a ring of {LONG_RING} particles it rises by up to 150 ms",
        "150 ms -10 % / +25 % at 1500 bytes",
        f"{rise_ms:.0f} ms at 1500 bytes, {points[128].rise_ms:.0f} ms at 128",
        150 * 0.9 <= rise_ms <= 150 * 1.25,
        OwnWords("up to 150 ms", max(point.rise_ms for point in points.values()) <= 150),  # noqa: PLR2004
    )
    sent_ms = serialization_ms(BEST_EFFORT_BYTES, bps_from_kbps(PVC_KBPS))
    yield Claim(
        "B10",
        "the longest best-effort packet takes about 8 ms",
        "exact without cells",
        f"{sent_ms:.1f} ms",
        sent_ms == 8.0,  # noqa: PLR2004 -- the published figure
    )


def _gain_claims(points: dict[int, Point], named: Sequence[Point]) -> Iterator[Claim]:
    gains = {point.ef_bytes: point.gain_ms for point in named}
    yield Claim(
        "D05",
        "a ring of 5 particles takes 60 to 120 ms off, most at 1024 bytes and more",
        "60-160 ms at 128, 256, 1024, 1280 and 1500 bytes",
        ", ".join(f"{size}: {gain:.0f}" for size, gain in gains.items())
        + f"; 512: {points[512].gain_ms:.0f} but 520: {points[520].gain_ms:.0f}, which takes one "
        "more particle",
        all(60 <= gain <= 160 for gain in gains.values())  # noqa: PLR2004 -- printed above
        and points[520].gain_ms < points[512].gain_ms,
        OwnWords(
            "in the range of 60 to 120 ms",
            all(60 <= gain <= 120 for gain in gains.values()),  # noqa: PLR2004 -- printed above
        ),
    )
    residues_ms = [point.left_ms for point in named]
    yield Claim(
        "D06",
        "behind a ring of 5 best effort still adds about 20 ms",
        "10-28 ms",
        f"{min(residues_ms):.0f} to {max(residues_ms):.0f} ms",
        all(10 <= left_ms <= 28 for left_ms in residues_ms),  # noqa: PLR2004 -- printed above
        OwnWords(
            "approximately 20 ms, independently of the packet size",
            all(round(left_ms, -1) == 20 for left_ms in residues_ms),  # noqa: PLR2004 -- printed
        ),
    )
    long_rows, short_rows = (
        fmean(ipdv for row in rows if (ipdv := row.ipdv_ms) is not None)
        for rows in ([point.long for point in named], [point.short for point in named])
    )
    yield Claim(
        "D07",
        "the ring has little effect on ipdv",
        "mean over the sizes changes by less than 30 %",
        f"{long_rows:.2f} ms behind 40, {short_rows:.2f} ms behind 5 particles",
        abs(short_rows / long_rows - 1) < 0.30,  # noqa: PLR2004 -- printed above
    )


def _idle_claims(named: Sequence[Point]) -> Iterator[Claim]:
    few_packets, many_packets = (
        mean_ms(predicted_ef(scenario(1024, LONG_RING, queue_limit_packets=limit)))
        for limit in (16, 256)
    )
    yield Claim(
        "D08",
        "the effect of the ring is the same for any buffer limit",
        "exact",
        f"{few_packets:.2f} ms with a queue-limit of 16 packets of best effort, "
        f"{many_packets:.2f} with 256",
        few_packets == many_packets,
    )
    gains = {point.ef_bytes: point.gain_ms for point in named}
    yield Claim(
        "D09",
        "the effect is the same for any packet size but small ones, where it is less",
        "sign",
        f"least at {min(gains, key=lambda size: gains[size])} bytes",
        min(gains, key=lambda size: gains[size]) == min(NAMED_BYTES),
    )
    yield Claim(
        "D04, D10",
        "without best effort the ring is irrelevant",
        "exact",
        "equal at every size",
        all(mean_ms(point.alone) == mean_ms(point.alone_short) for point in named),
    )


TOLD = (
    Claim("A06", "the probe runs on the router that faces the load", "-", "it is a place, not a "
          "figure: the probe is modelled as traffic of the loaded interface", None),
    Claim("A15", "the rate of the variable background varied widely", "-", "no figure is printed; "
          "the rows are modelled as saturated", None),
    Claim("A22", "statistics were read in steady state", "-", "a way to measure: the simulation "
          "discards its warm-up for the same reason", None),
    Claim("B09", "ipdv grows linearly without best effort, irregularly with it", "-", "alone a "
          "periodic stream has none in this model: what was seen there is of the routers, which "
          "are not modelled; with best effort it depends on the phases of two periods, so on the "
          "size, without a shape", None),
    Claim("B11", "the largest mean ipdv is 7.5 ms, about one best-effort packet", "-", "the model "
          "has at most about one packet too, at other sizes: the phase decides", None),
    Claim("B12", "the policer holds one packet; test of November 1999", "-", "no configuration is "
          "printed", None),
    Claim("D03", 'the default ring is "6000 ?"', "use 40", "6000 is what the card holds for all "
          "circuits; a circuit has 40 particles, which the other test prints", None),
    Claim("D02", "a particle has 512 bytes", "note", "Cisco documents 576 or 580 on a PA-A3; 1000 "
          "bytes take two of either", None),
    Claim("D11", "ipdv at 1024 bytes is very small for unknown reasons", "-", "the phase: where "
          "the EF period and the packets in the ring are commensurate every packet waits alike "
          "(validation.md, EF on an ATM PVC)", None),
    Claim("D12", "test of December 1999", "-", "nothing to model", None),
)  # fmt: skip
